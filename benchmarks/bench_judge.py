"""What the harness adds to a judge's call: the question, the hash of what is shown, the strict reading, the mean.

Run as `python -m benchmarks.bench_judge`. The model is a function that answers at once, so that all of the time is ours; beside it stands
a bare loop that joins the same texts, calls the same function and reads its JSON. A figure that passes its limit is marked; the
exit code is 1 then.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from typing import Any

from fairtrial.cases.rubric import read_rubric
from fairtrial.judges.judge import Judge
from fairtrial.judges.opinion import Terms
from fairtrial.models.function import FunctionModel
from fairtrial.records.opinion import Answer, Matter

ADDED_MS = 3.0
"""What the harness may add to a call that is asked."""
KEY_MS = 1.0
"""What it may take where the answer is kept."""
_NONCE = re.compile(r"nonce of this call is (\w+)")


def matter(steps: int = 30) -> Matter:
    """A trial of so many steps: about 20 kB of evidence at 30."""
    asked = {"order": 1007, "fields": ["state", "paid", "items"]}
    calls = [{"tool": "look_up", "arguments": asked, "result": {"state": "shipped", "note": "x" * 120}} for _ in range(steps)]
    thought = "thinking about it " * 12
    trace = [{"kind": "tool", "name": "look_up", "role": "assistant", "start_ms": step, "text": thought} for step in range(steps)]
    state = {"orders": {str(1000 + step): {"state": "shipped", "paid": "12.50"} for step in range(steps)}}
    parts: dict[str, Any] = {"output": {"reply": "It can be returned. " * 20}, "trace": trace, "tools": calls, "state": state}
    return Matter(task="Can order 1007 be returned?", reference="Yes: an order on its way may be returned.", parts=parts)


def at_once(messages: list[dict[str, str]]) -> str:
    """The model: it reads the nonce and says its verdict."""
    found = _NONCE.search(messages[-1]["content"])
    nonce = found[1] if found else ""
    return json.dumps({"nonce": nonce, "reason": "as asked", "correctness": 4, "groundedness": 5, "card_usage": 4, "pass": True})


def bare(shown: Matter) -> None:
    """The least that a judge's call takes: the texts in one message, the call, its JSON."""
    texts = [shown.task, shown.reference or "", *(json.dumps(part) for part in shown.parts.values())]
    reply = json.loads(at_once([{"role": "user", "content": "\n".join(["nonce of this call is abc", *texts])}]))
    if not reply["pass"]:
        raise ValueError(f"the model says something else: {reply}")


class Shelf:
    """Answers kept in memory."""

    def __init__(self) -> None:
        self.held: dict[str, Answer] = {}

    def get(self, key: str) -> Answer | None:
        return self.held.get(key)

    def put(self, key: str, answer: Answer) -> None:
        self.held[key] = answer


def milliseconds(work: Callable[[Matter], object], shown: Matter, times: int) -> float:
    """CPU milliseconds a call, the best of three rounds."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for _ in range(times):
            work(shown)
        best = min(best, (time.process_time() - start) * 1000 / times)
    return best


def judge(cache: Shelf | None = None) -> Judge:
    """The judge that is timed."""
    return Judge("q", read_rubric("dialogue"), [FunctionModel("python:bench:at_once", at_once)], Terms(), cache)


def measure(times: int = 300, steps: int = 30) -> dict[str, float]:
    """Milliseconds a call: the bare loop, asked, and from the cache."""
    shown, asked, kept = matter(steps), judge(), judge(Shelf())
    return {
        "bare": milliseconds(bare, shown, times),
        "asked": milliseconds(asked.opinion, shown, times),
        "kept": milliseconds(kept.opinion, shown, times),
    }


def main() -> int:
    """Prints the figures; 1 where one passes its limit."""
    fits = True
    for steps in (30, 200):
        found = measure(steps=steps)
        added, size = found["asked"] - found["bare"], sum(len(json.dumps(part)) for part in matter(steps).parts.values())
        print(
            f"{size / 1000:6.0f} kB of evidence: bare {found['bare']:.3f} ms a call, asked {found['asked']:.3f} ms (adds {added:.3f} ms), ",
            end="",
        )
        print(f"{found['asked'] / found['bare']:.1f} × the bare loop; from the cache {found['kept']:.3f} ms")
        if steps == 30 and (added > ADDED_MS or found["kept"] > KEY_MS):
            print(f"TOO SLOW: at most {ADDED_MS} ms are to be added, and {KEY_MS} ms taken from the cache")
            fits = False
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
