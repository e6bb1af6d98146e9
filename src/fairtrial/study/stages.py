"""The stage a suite is at, and what the next one asks for: the path of the second article, as advice and never as a gate.

Prototype: 10 to 20 core cases. Development: 50 to 100. Before a release: 200 and more with 3 to 5 trials each, samples of real requests,
a judge on the process, and thresholds that are written down. Production: real traffic is sampled all the time. To begin with, 20 to 50
real failures (third article).
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.health import Origin, Stage
from fairtrial.study.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fairtrial.records.run import CaseInfo

STAGES = ("start", "prototype", "development", "pre-release", "production")
CASES = {"prototype": 10, "development": 50, "pre-release": 200}
"""Cases from which on a suite is at a stage."""
TRIALS = 3
REAL_FAILURES = 20
REAL = ("real", "incident")
DAY_NS = 86_400_000_000_000


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """What a suite has beside its cases. `trials` are the planned trials of each case; `live`: cases came from watched traffic."""

    trials: Sequence[int]
    policy: bool = False
    judge: bool = False
    live: bool = False


def read_stage(cases: Sequence[CaseInfo], means: Means) -> Stage:
    """The stage whose demands, and those of every stage before it, are met."""
    reached = "start"
    missing: list[str] = []
    for stage in STAGES[1:]:
        missing = list(_missing(stage, cases, means))
        if missing:
            break
        reached = stage
    following = STAGES[STAGES.index(reached) + 1] if reached != STAGES[-1] else None
    return Stage(stage=reached, next=following, cases=len(cases), fewest_trials=min(means.trials, default=0), missing=missing)


def _missing(stage: str, cases: Sequence[CaseInfo], means: Means) -> Iterator[str]:
    """What a suite lacks for a stage."""
    real = [case for case in cases if case.labels.source in REAL]
    short = CASES.get(stage, 0) - len(cases)
    if short > 0:
        yield f"{count(short, 'more case')} (it has {len(cases)} of {CASES[stage]})"
    if stage == "development" and len(real) < REAL_FAILURES:
        lacks = count(REAL_FAILURES - len(real), "more case")
        yield f"{lacks} from real failures or requests (source: real or incident, of which it has {len(real)})"
    if stage == "pre-release":
        few = sum(trials < TRIALS for trials in means.trials)
        if few:
            yield f"{TRIALS} to 5 trials a case ({count(few, 'case')} planned with fewer)"
        if not any(case.labels.source == "real" for case in cases):
            yield "samples of real requests (source: real)"
        if not means.judge:
            yield "a judge on the process (judges: in suite.yaml)"
        if not means.policy:
            yield "thresholds that are written down (policy: in suite.yaml)"
    if stage == "production" and not means.live:
        yield "cases that come from watched real traffic"


def read_origin(cases: Sequence[CaseInfo], first_seen_ns: Mapping[str, int], now_ns: int) -> Origin:
    """Where cases come from and how old the real ones are, counted from the first run that had them."""
    by_source: dict[str, int] = {}
    for case in cases:
        name = case.labels.source or "not stated"
        by_source[name] = by_source.get(name, 0) + 1
    real = [case for case in cases if case.labels.source in REAL]
    ages = sorted((now_ns - first_seen_ns[case.id]) / DAY_NS for case in real if case.id in first_seen_ns)
    return Origin(
        by_source=dict(sorted(by_source.items(), key=lambda entry: -entry[1])),
        real=len(real),
        share=len(real) / len(cases) if cases else None,
        newest_days=ages[0] if ages else None,
        median_days=median(ages) if ages else None,
        oldest_days=ages[-1] if ages else None,
    )
