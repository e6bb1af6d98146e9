"""From a suite and its store to the suite's health: what cases tell, its stage, where cases come from, what leaked, what is disputed."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING

from fairtrial.exchange.labels import read_ratings
from fairtrial.records.errors import InputError
from fairtrial.records.health import Health, Spill
from fairtrial.records.moment import moment
from fairtrial.records.run import CaseInfo
from fairtrial.steps.history import ordinary
from fairtrial.steps.reading import read_table
from fairtrial.steps.truths import reviewed_apart
from fairtrial.study.ambiguity import ambiguous, merged
from fairtrial.study.contamination import Answers, spills
from fairtrial.study.health import read_cases, states_of
from fairtrial.study.healthwords import health_says
from fairtrial.study.stages import Means, read_origin, read_stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.health import Ambiguity
    from fairtrial.records.suite import Suite
    from fairtrial.store.sql import Store
    from fairtrial.study.table import Table

NO_LABELS = "no file of people's labels was given (--labels FILE), and no two people have reviewed a trial of these cases"
RUNS = 30
"""Runs that are looked at, the newest."""
WALKED = 2_000
"""Trials of the newest run whose traces are looked through."""


def suite_health(store: Store, suite: Suite, labels: str | None = None) -> Health:
    """Read from the suite's newest runs; `labels` is a file of ratings whose items are case ids."""
    runs = (run for run in ordinary(store, suite.name) if run.manifest.origin == "run")
    tables = [read_table(store, run.id, details=False) for run in islice(runs, RUNS)]
    infos = [CaseInfo(id=case.id, hash=case.hash, brief_hash=case.brief_hash, labels=case.labels) for case in suite.cases]
    seen = _first_seen(store, suite)
    cases = read_cases(infos, tables, {case: moment(at) for case, at in seen.items()})
    found, walked = _spilt(store, suite, tables[0]) if tables else ([], 0)
    disputed, notes = _disputed(labels, [case.id for case in infos]) if labels else ([], [])
    reviewed, own = reviewed_apart(store, suite)
    disputed = merged([*disputed, *own])
    means = Means(trials=[case.trials or suite.trials for case in suite.cases], policy=bool(suite.policy), judge=bool(suite.judges))
    told = [case.tells for case in cases if case.tells is not None]
    health = Health(
        cases=cases,
        states=states_of(cases),
        telling=sum(told),
        compared=len(told),
        stage=read_stage(infos, means),
        origin=read_origin(infos, seen, time.time_ns()),
        spills=found,
        walked=walked,
        ambiguous=disputed,
        says="",
        notes=notes,
        reasons={} if labels or reviewed else {"ambiguous": NO_LABELS},
    )
    health.says = health_says(health)
    return health


def _first_seen(store: Store, suite: Suite) -> dict[str, int]:
    """By case when a run first had it, whatever it asked then."""
    seen: dict[str, int] = {}
    for line in store.runs(suite=suite.name):
        for case in store.run(line.run).manifest.cases:
            seen[case.id] = min(line.started_ns, seen.get(case.id, line.started_ns))
    return seen


def _spilt(store: Store, suite: Suite, table: Table) -> tuple[list[Spill], int]:
    """Answers that reached agents in a run, at cases that are still what they were in it; and how many trials were looked through."""
    hashes = {case.id: case.hash for case in table.manifest.cases}
    answers = {case.id: Answers(case) for case in suite.cases if hashes.get(case.id) == case.hash}
    found, walked = [], 0
    for head, body in islice(store.bodies(table.run), WALKED):
        key = head.key
        if key.case not in answers:
            continue
        walked += 1
        for span, what in spills(body.spans, answers[key.case]):
            act = f"{span.kind} {span.name}".strip()
            found.append(Spill(case=key.case, run=table.run, setup=key.setup, attempt=key.attempt, span=span.id, act=act, what=what))
    return found, walked


def _disputed(labels: str, cases: Sequence[str]) -> tuple[list[Ambiguity], list[str]]:
    ratings, refused = read_ratings(labels)
    human = [rating for rating in ratings if rating.human]
    strangers = sorted({rating.item for rating in human} - set(cases))
    if human and len(strangers) == len({rating.item for rating in human}):
        raise InputError("no label is about a case of this suite", place=labels, value=strangers[0], mend="give the case's id as item")
    notes = [f"labels that could not be read: {len(refused)} (line {refused[0].line}: {refused[0].why})"] if refused else []
    if strangers:
        notes.append(f"labels about no case of this suite: {len(strangers)} items")
    return ambiguous([(rating.item, rating.rater, rating.label) for rating in human if rating.label is not None], cases), notes
