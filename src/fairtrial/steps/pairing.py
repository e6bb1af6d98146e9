"""Two stored sides put before a judge of their suite, case by case and attempt by attempt.

A pair is asked about only where both sides answered: that one of them has no answer is known by code. Kept out: how a judge is asked
(`judges/pairs.py`), and what its answers come to (`study/judgedpairs.py`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fairtrial.cases.judges import form_of
from fairtrial.cases.load import case_from_raw
from fairtrial.cases.suite import load_suite
from fairtrial.graders.contract import Contract
from fairtrial.graders.ground import Ground
from fairtrial.graders.matter import matter_of
from fairtrial.graders.view import View
from fairtrial.judges.pairs import side_by_side
from fairtrial.records.errors import InputError, unknown_name
from fairtrial.records.pairs import SideBySide
from fairtrial.records.trial import TrialKey
from fairtrial.steps.judges import open_judge, parts_of
from fairtrial.steps.known import cover_of, keep_secret
from fairtrial.steps.reading import split_reference
from fairtrial.study.judgedpairs import empty_report, read_pairs
from fairtrial.study.standing import standing

if TYPE_CHECKING:
    from fairtrial.judges.judge import Judge
    from fairtrial.records.case import Case
    from fairtrial.records.opinion import Matter
    from fairtrial.records.pairs import PairsReport
    from fairtrial.records.run import Run
    from fairtrial.records.standing import Standing
    from fairtrial.records.suite import Suite
    from fairtrial.steps.options import Progress
    from fairtrial.store.sql import Store

AT_ONCE = 32
"""Pairs that are before the judge at once; how often a service may be called is for `models/`."""
NO_ANSWER = "one side has no answer, which the checks by code tell"


class PairOptions(msgspec.Struct, frozen=True, kw_only=True):
    """By which judge (else the suite's only one), of which suite (else the one of the new run)."""

    judge: str | None = None
    suite: str | None = None


class _Side(NamedTuple):
    run: Run
    setup: str
    said: str


def judge_pairs(store: Store, base: str, new: str, options: PairOptions, progress: Progress | None = None) -> PairsReport:
    """Raises InputError where a side, the suite or the judge is not there, or where no case is shared."""
    one, two = _side(store, base), _side(store, new)
    suite = _suite(two.run, options.suite)
    keep_secret(store, suite, suite.cases)
    judge = open_judge(suite, _named(suite, options.judge), store)
    report = empty_report(one.said, two.said, judge.name, judge.identity, judge.rubric.hash)
    report.standing = _standing(suite, judge, store)
    cases = _cases(store, suite, one, two)
    every = {info.id for side in (one, two) for info in side.run.manifest.cases}
    report.left_out = sorted(every - set(cases))
    wanted, report.unpaired = _attempts(store, one, two, set(cases))
    return read_pairs(report, _Asking(store, judge, (one, two), cases).all(wanted, progress))


def _attempts(store: Store, one: _Side, two: _Side, cases: set[str]) -> tuple[list[tuple[str, int]], int]:
    """The attempts that both sides have, and how many only one has."""
    base, new = (
        {(key.case, key.attempt) for key in store.keys_done(side.run.id) if key.setup == side.setup and key.case in cases}
        for side in (one, two)
    )
    return sorted(base & new), len(base ^ new)


class _Asking:
    """Every pair before the judge, some at once."""

    def __init__(self, store: Store, judge: Judge, sides: tuple[_Side, _Side], cases: dict[str, Case]) -> None:
        self._store, self._judge, self._sides, self._cases = store, judge, sides, cases

    def all(self, wanted: list[tuple[str, int]], progress: Progress | None) -> dict[str, list[SideBySide]]:
        found: dict[str, list[SideBySide]] = {case: [] for case, _ in wanted}
        unknown = 0
        with ThreadPoolExecutor(AT_ONCE) as pool:
            try:
                for begin in range(0, len(wanted), AT_ONCE * 4):
                    some = wanted[begin : begin + AT_ONCE * 4]
                    matters = [[self._matter(side, case, attempt) for side in self._sides] for case, attempt in some]
                    for place, seen in enumerate(pool.map(self._seen, matters), begin + 1):
                        found[wanted[place - 1][0]].append(seen)
                        unknown += seen.outcome == "unknown"
                        if progress is not None:
                            progress(place, len(wanted), 0, unknown)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                self._store.answers.flush()
        return found

    def _matter(self, side: _Side, case: str, attempt: int) -> Matter | None:
        trial = self._store.trial(side.run.id, TrialKey(case=case, setup=side.setup, attempt=attempt))
        view = View(trial, Ground(self._cases[case], Contract(origin=side.run.manifest.origin, cover=cover_of(self._store))))
        return matter_of(view, self._judge.rubric) if view.answered or view.declined else None

    def _seen(self, matters: list[Matter | None]) -> SideBySide:
        base, new = matters
        return SideBySide(outcome="unknown", why=NO_ANSWER) if base is None or new is None else side_by_side(self._judge, base, new)


def _side(store: Store, reference: str) -> _Side:
    name, setup = split_reference(reference)
    run = store.run(name)
    tried = list(dict.fromkeys(plan.setup for plan in run.manifest.planned))
    if setup is None and len(tried) != 1:
        what = "the run has several setups"
        raise InputError(what, value=run.id, allowed=", ".join(tried), mend=f"name one, as in {reference}:{tried[0] if tried else 'SETUP'}")
    if setup is not None and setup not in tried:
        raise unknown_name("no such setup in this run", setup, tried)
    chosen = setup or tried[0]
    return _Side(run, chosen, f"{run.id}:{chosen}")


def _suite(run: Run, path: str | None) -> Suite:
    named = path or run.manifest.suite_path
    if not named:
        raise InputError("this run came without a suite, so it has no judge", value=run.id, mend="name a suite with --suite")
    return load_suite(named)


def _named(suite: Suite, judge: str | None) -> str:
    if judge is None and len(suite.judges) == 1:
        return next(iter(suite.judges))
    if not suite.judges:
        mend = "add to suite.yaml: judges: {quality: {model: …, rubric: dialogue}}"
        raise InputError("the suite names no judge", place=suite.path, value=judge, mend=mend)
    if judge is None:
        raise InputError("the suite has several judges", place=suite.path, allowed=", ".join(suite.judges), mend="name one with --judge")
    if judge not in suite.judges:
        raise unknown_name("the suite has no such judge", judge, suite.judges, place=suite.path)
    return judge


def _standing(suite: Suite, judge: Judge, store: Store) -> Standing:
    bar = form_of(suite.judges, judge.name).bar
    return standing((judge.name, judge.identity), parts_of(judge), suite.name, bar, store.exams.of(judge.name))


def _cases(store: Store, suite: Suite, one: _Side, two: _Side) -> dict[str, Case]:
    """The cases that both sides have as one and the same, as the suite has them now, else as they were kept with the run."""
    asked = [{info.id: info.brief_hash for info in side.run.manifest.cases} for side in (one, two)]
    same = [name for name, brief in asked[1].items() if asked[0].get(name) == brief]
    today = {case.id: case for case in suite.cases}
    kept = store.case_raw(two.run.id)
    found: dict[str, Case] = {}
    for name in same:
        if name in today and today[name].brief_hash == asked[1][name]:
            found[name] = today[name]
        elif kept.get(name) and "task" in kept[name]:
            found[name] = case_from_raw(kept[name], name)
    return found
