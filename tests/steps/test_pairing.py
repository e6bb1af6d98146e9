"""Two stored sides before a judge: the cases and attempts that both have, and nothing that code knows already."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.errors import FairtrialError
from fairtrial.workflow import PairOptions, RunOptions, judge_pairs, run
from tests.steps.judged import make_judged

CHOOSER = '''

def chooser(messages):
    """Names the answer with the higher mark; says nothing of one that holds `silent`."""
    text = messages[-1]["content"]
    nonce = re.search(r"The nonce of this call is (\\w+)\\.", text)[1]
    if "silent" in text:
        return "I would rather not say"
    first, second = (marks_of(text.split(f"begin {place} output")[1]) for place in ("first", "second"))
    return {"nonce": nonce, "reason": "by the mark", "better": "tie" if first == second else "first" if first > second else "second"}
'''
CODE = [{"output": "ok", "equals": True}]


def suite(folder: Path, says: dict[str, str], **more: Any) -> Path:
    made = make_judged(folder, says, must=CODE, model="python:judging:chooser", **more)
    with (made / "judging.py").open("a", encoding="utf-8") as file:
        file.write(CHOOSER)
    return made


def stored(folder: Path) -> str:
    return str(folder / ".fairtrial" / "store.db")


def two_runs(tmp_path: Path, old: dict[str, str], new: dict[str, str], **more: Any) -> tuple[str, str, str]:
    """The store, and two runs of a suite whose agent says something else the second time."""
    folder = suite(tmp_path / "s", {name: "x" for name in old}, **more)
    agents = (folder / "agents.py").read_text(encoding="utf-8")
    names = []
    for says in (old, new):
        code = agents.replace('say = brief.facts.get("say", "fine")', f"say = {says!r}[brief.task.removeprefix('say ')]")
        (folder / "agents.py").write_text(code, encoding="utf-8")
        names.append(run(str(folder), RunOptions(isolate="process")).report.run)
    return stored(folder), names[0], names[1]


def test_pairs_are_won_tied_and_unknown_by_case(tmp_path: Path) -> None:
    old = {"up": "mark 2", "down": "mark 5", "same": "mark 3", "quiet": "silent", "none": "decline"}
    new = {"up": "mark 4", "down": "mark 1", "same": "mark 3.0", "quiet": "silent too", "none": "mark 4"}
    store, base, other = two_runs(tmp_path, old, new)
    found = judge_pairs(store, base, other, PairOptions())
    by_case = {case.id: (case.base, case.new, case.tie, case.unknown) for case in found.cases}
    assert by_case["up"] == (0, 1, 0, 0)
    assert by_case["down"] == (1, 0, 0, 0)
    assert by_case["same"] == (0, 0, 1, 0)
    assert by_case["quiet"] == (0, 0, 0, 1)
    assert "no JSON object" in next(case.why for case in found.cases if case.id == "quiet")
    assert (found.bias.value, found.verdict) == (0.0, "cannot_tell")
    assert found.standing.state == "none"
    again = judge_pairs(store, base, other, PairOptions(judge="quality"))
    assert (again.asking.calls, again.asking.cached) == (4, found.asking.calls - 4)
    mirrored = judge_pairs(store, other, base, PairOptions())
    assert (mirrored.new_wins, mirrored.base_wins) == (found.base_wins, found.new_wins)


def test_a_side_without_an_answer_is_not_put_before_the_judge(tmp_path: Path) -> None:
    folder = suite(tmp_path / "s", {"a": "mark 4", "b": "mark 4"})
    text = (folder / "suite.json").read_text(encoding="utf-8")
    loaded = json.loads(text)
    loaded["setups"]["broken"] = {"agent": "agents:breaks"}
    (folder / "suite.json").write_text(json.dumps(loaded), encoding="utf-8")
    with (folder / "agents.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef breaks(brief, desk):\n    raise ValueError('no answer')\n")
    name = run(str(folder), RunOptions(isolate="shared")).report.run
    found = judge_pairs(stored(folder), f"{name}:broken", f"{name}:solo", PairOptions())
    assert (found.unknown, found.asking.calls) == (2, 0)
    assert "one side has no answer" in found.cases[0].why


def test_cases_and_attempts_of_one_side_only_are_left_out_and_counted(tmp_path: Path) -> None:
    folder = suite(tmp_path / "s", {"a": "mark 4", "b": "mark 4", "c": "mark 4"})
    base = run(str(folder), RunOptions(isolate="shared", trials=2)).report.run
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    rows[1]["task"] = "say something else"
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[:2]), encoding="utf-8")
    other = run(str(folder), RunOptions(isolate="shared")).report.run
    found = judge_pairs(stored(folder), base, other, PairOptions())
    assert found.left_out == ["b", "c"]
    assert (found.pairs, found.unpaired, found.ties) == (1, 1, 1)
    assert found.asking.calls == 0, "both say the same"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (PairOptions(judge="qualty"), "did you mean 'quality'"),
        (PairOptions(suite="/nowhere/suite.json"), "no such file"),
    ],
)
def test_what_is_not_there_is_told(tmp_path: Path, options: PairOptions, words: str) -> None:
    folder = suite(tmp_path / "s", {"a": "mark 4"})
    name = run(str(folder), RunOptions(isolate="shared")).report.run
    with pytest.raises(FairtrialError) as error:
        judge_pairs(stored(folder), name, name, options)
    assert words in str(error.value)


def test_a_suite_without_judges_says_how_to_name_one(tmp_path: Path) -> None:
    folder = suite(tmp_path / "s", {"a": "mark 4"})
    loaded = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
    del loaded["judges"]
    (folder / "suite.json").write_text(json.dumps(loaded), encoding="utf-8")
    name = run(str(folder), RunOptions(isolate="shared")).report.run
    with pytest.raises(FairtrialError, match="the suite names no judge"):
        judge_pairs(stored(folder), name, name, PairOptions())
