"""Judging within a run: 20,000 trials graded again from kept answers, and 200 judges asked at once by a real `grade`.

Run as `python -m benchmarks.bench_judging [TRIALS]`. The same trials are graded again without a judge in the same minute: the ratio says
what judging adds. The service of the second part answers in 300 ms and stands in a process of its own; the ideal is what its
answers take, two hundred at a time. The exit code is 1 where a limit is passed.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.bench_trials import Table
from benchmarks.modelservice import service
from fairtrial.steps.options import RunOptions
from fairtrial.workflow import grade, run

TRIALS, CASES = 20_000, 100
MOST_S, MOST_TIMES = 60.0, 12.0
AT_ONCE, ANSWERS_IN_S, WAVES, SLOWEST = 200, 0.3, 5, 1.2
AGENT = """
import time

def speaker(brief, desk):
    return {"answer": f"it was sent on {time.time_ns()}", "ok": True}
"""
JUDGE = """
import json
import re

def scripted(messages):
    nonce = re.search(r"The nonce of this call is (\\w+)\\.", messages[-1]["content"])[1]
    return json.dumps({"nonce": nonce, "reason": "as scripted", "quality": 4, "pass": True})
"""
RUBRIC = 'dimensions: {quality: {weight: "1", asks: "Is it good?"}}\npass: "3.0"\nevidence: [output, trace]\n'


def make(folder: Path, cases: int, trials: int, model: str, *, judged: bool) -> Path:
    """A suite whose every answer is another; with the same cases and without a judge where `judged` is False."""
    folder.mkdir(parents=True, exist_ok=True)
    must = [{"output": "ok", "equals": True}, *([{"judge": "quality"}] if judged else [])]
    rows = [{"id": f"case-{n}", "task": f"when was order {n} sent?", "must": must} for n in range(cases)]
    (folder / f"cases-{judged}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "agents.py").write_text(AGENT, encoding="utf-8")
    (folder / "marks.py").write_text(JUDGE, encoding="utf-8")
    (folder / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    suite = {"name": "judging", "cases": f"cases-{judged}.jsonl", "trials": trials, "setups": {"solo": {"agent": "agents:speaker"}}}
    judges = {"judges": {"quality": {"model": model, "rubric": "rubric.yaml"}}}
    path = folder / f"suite-{judged}.json"
    path.write_text(json.dumps(suite | (judges if judged else {})), encoding="utf-8")
    return path


def took(folder: Path, suite: Path) -> float:
    """Wall seconds of one grading."""
    began = time.perf_counter()
    grade(None, "last", suite=str(suite), start=str(folder))
    return time.perf_counter() - began


def from_kept(table: Table, trials: int) -> None:
    """Graded again from what is kept, and without a judge."""
    with tempfile.TemporaryDirectory(prefix="fairtrial-bench-") as place:
        folder = Path(place)
        model = "python:marks:scripted"
        judged, bare = (make(folder, CASES, trials // CASES, model, judged=how) for how in (True, False))
        began = time.perf_counter()
        run(str(judged), RunOptions(isolate="shared"))
        whole = time.perf_counter() - began
        plain_s = min(took(folder, bare) for _ in range(2))
        kept_s = min(took(folder, judged) for _ in range(2))
        table.row(f"judging: {trials:,} trials run and judged", whole, None, "s")
        table.row(f"judging: {trials:,} trials graded again from kept answers", kept_s * TRIALS / trials, MOST_S, "s / 20k")
        table.row("judging: from kept answers ÷ without a judge", kept_s / plain_s, MOST_TIMES, "x", f"without: {plain_s:.2f} s")


def at_once(table: Table) -> None:
    """A real grading against a service, less the same grading from what is kept."""
    calls = AT_ONCE * WAVES
    with tempfile.TemporaryDirectory(prefix="fairtrial-bench-") as place, service(ANSWERS_IN_S) as port:
        folder = Path(place)
        bare = make(folder, calls, 1, "", judged=False)
        judged = make(folder, calls, 1, f"openai:m-1@http://127.0.0.1:{port}/v1", judged=True)
        run(str(bare), RunOptions(isolate="shared"))
        first_s = took(folder, judged)
        kept_s = took(folder, judged)
        ideal = WAVES * ANSWERS_IN_S
        note = f"whole {first_s:.2f} s, from kept answers {kept_s:.2f} s"
        table.row(f"judging: {calls:,} calls, {AT_ONCE} at once, ÷ the ideal {ideal:g} s", first_s / ideal, None, "x", note)
        table.row("judging: the same without what grading takes anyhow", (first_s - kept_s) / ideal, SLOWEST, "x")


def main() -> int:
    """Prints the figures; 1 where one passes its limit."""
    table = Table()
    at_once(table)
    from_kept(table, int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS)
    return int(table.passed > 0)


if __name__ == "__main__":
    sys.exit(main())
