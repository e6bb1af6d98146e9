"""Small runs and trials for the tests of the store: as records, and as a process that writes them until it is killed."""

import sys
from typing import Any

from fairtrial.records.budget import Spend
from fairtrial.records.grade import Evidence, Grade, Scorecard
from fairtrial.records.run import CaseInfo, Manifest, Planned
from fairtrial.records.trace import Span
from fairtrial.records.trial import Change, Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.store.codec import write_body
from fairtrial.store.sql import Store

NOW = 1_764_460_800_000_000_000
Row = tuple[TrialHead, bytes, Scorecard | None]


def manifest(cases: int = 4, attempts: int = 3, setups: tuple[str, ...] = ("single", "team"), **more: Any) -> Manifest:
    """A run of `cases` cases, each tried `attempts` times by each setup."""
    names = [f"case-{number}" for number in range(cases)]
    fields: dict[str, Any] = {
        "harness": "test",
        "grader": "g1",
        "suite": "shop",
        "suite_version": "sha256:0",
        "setups": {setup: {} for setup in setups},
        "cases": tuple(CaseInfo(id=name, hash=f"h-{name}", brief_hash="b") for name in names),
        "planned": tuple(Planned(name, setup, attempts) for name in names for setup in setups),
    }
    return Manifest(**{**fields, **more})


def head(key: TrialKey, ending: Ending = Ending.FINISHED, **more: Any) -> TrialHead:
    """The head of a trial."""
    return TrialHead(key=key, seed=7, ending=ending, started_ns=NOW, wall_ms=1.5, spend=Spend(tool_calls=2, steps=2), **more)


def body(text: str = "20 sold, four days out of stock", calls: int = 5) -> TrialBody:
    """A body with some spans, about 1 KB."""
    spans = [Span("1", None, "agent", "single", None, NOW, NOW + 9, {})]
    for number in range(calls):
        attributes = {"args": {"n": number}, "result": number, "outcome": "ok"}
        spans.append(Span(str(number + 2), "1", "tool", "read_sales", None, NOW + number, NOW + number + 1, attributes))
    changes = [Change("stock", "changed", 10, 7)]
    return TrialBody(output={"answer": text}, before={"stock": 10}, after={"stock": 7}, changes=changes, spans=spans)


def card(verdict: Verdict = Verdict.PASS, grader: str = "g1") -> Scorecard:
    """A scorecard with one grade."""
    grade = Grade(check="state: stock", card="outcome", verdict=verdict, evidence=Evidence(path="stock", expected=7, seen=7))
    return Scorecard(verdict=verdict, cards={"outcome": verdict}, grades=[grade], grader=grader)


def row(key: TrialKey, verdict: Verdict | None = Verdict.PASS, **more: Any) -> Row:
    """What `write_batch` takes."""
    return head(key, **more), write_body(body()), None if verdict is None else card(verdict)


def trial(**more: Any) -> Trial:
    """A whole trial; `more` goes to its body."""
    made = body()
    for name, value in more.items():
        setattr(made, name, value)
    return Trial(head=head(TrialKey("case-0", "single", 1)), body=made)


def _say(word: str, number: int) -> None:
    sys.stdout.write(f"{word} {number}\n")
    sys.stdout.flush()


def write_until_killed(path: str, run: str, batch: int) -> None:
    """Resume the run and write what is missing, batch by batch; each line printed is a batch that is durable."""
    with Store.open(path) as store:
        store.claim(run)
        done = store.keys_done(run)
        missing = [key for key in store.run(run).manifest.trial_keys() if key not in done]
        _say("ready", len(done))
        for first in range(0, len(missing), batch):
            written = store.write_batch(run, [row(key) for key in missing[first : first + batch]])
            _say("stored", written.stored)
        store.finish_run(run, "complete")


if __name__ == "__main__":
    write_until_killed(sys.argv[1], sys.argv[2], int(sys.argv[3]))
