"""The two libraries of a suite: its runs read as batches, what moves by its rules, and on request the moves made.

A move that is meant is in the log first, with its evidence, then in the case's file, then in the log as done. So one that was cut
off between file and log is told from one made by hand, and the next apply completes its line.
Kept out: the rules' meaning (`study/library.py`) and the change of a file (`cases/relabel.py`).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.libraryrules import rules_of
from fairtrial.cases.relabel import relabel, write
from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import FairtrialError, unknown_name
from fairtrial.records.finding import place_of
from fairtrial.records.ledger import Look, Moved
from fairtrial.records.library import Batch, LibraryReport, Rules, Standing
from fairtrial.records.moment import moment
from fairtrial.records.setup import UNIT
from fairtrial.steps.history import ordinary
from fairtrial.steps.looks import who
from fairtrial.steps.reading import read_table
from fairtrial.study.batches import Asked, read_batch, stood
from fairtrial.study.heldout import HELD_OUT
from fairtrial.study.library import Subject, judge, says

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.suite import Suite
    from fairtrial.store.sql import Store

DONE = {"graduate": "graduated", "demote": "demoted"}
MEANT = {"graduating": ("graduated", "regression"), "demoting": ("demoted", "capability")}
"""What is in the log before the file is written: what it becomes when it is done, and the label that the file has then."""


def read_library(store: Store, path: str, setup: str | None) -> tuple[Suite, LibraryReport]:
    """Where every case of a suite stands. Raises InputError for a setup that the suite does not have."""
    suite = load_suite(path)
    chosen, rules, moves = _setup(suite, setup), rules_of(suite.library), store.ledger.moves(suite.name)
    asked = {case.id: Asked(case=case.id, hash=case.hash, setup=_own_setup(case, chosen), frame=suite.frame) for case in suite.cases}
    found, others, runs = _history(store, suite.name, asked, rules)
    standings = [_standing(case, asked[case.id], found[case.id], (rules, others[case.id], moves)) for case in suite.cases]
    report = LibraryReport(
        suite=suite.name, version=suite.version, setup=chosen, rules=rules, runs=runs, cases=standings, applied=False,
        says=says(standings, runs), moved=_made(moves),
    )  # fmt: skip
    return suite, report


def _setup(suite: Suite, given: str | None) -> str:
    names = list(suite.setups)
    if given is None:
        return suite.candidate or (names[-1] if names else UNIT)
    if given not in names:
        raise unknown_name("no such setup in this suite", given, names)
    return given


def _own_setup(case: Case, chosen: str) -> str:
    return UNIT if case.labels.tier == "unit" else chosen


def _history(
    store: Store, suite: str, asked: dict[str, Asked], rules: Rules
) -> tuple[dict[str, list[tuple[int, Batch]]], dict[str, int], int]:
    """By case its batches with the time of their run, newest first; how often it was another case; the number of runs read.

    Runs are read newest first, no further than any rule looks back, and only where a case that still needs batches is in them.
    """
    found: dict[str, list[tuple[int, Batch]]] = {case: [] for case in asked}
    others, runs = dict.fromkeys(asked, 0), 0
    wanted = dict(asked)
    most = 2 * max(rules.graduate.batches, rules.demote.batches, rules.quarantine.batches)
    for run in ordinary(store, suite):
        names = stood(run.manifest, wanted.values())
        for case in (case for case, name in names.items() if name is None):
            others[case] += 1
        if not any(names.values()):
            continue
        runs += 1
        table = read_table(store, run.id, details=False)
        for case, name in names.items():
            if name is not None and (batch := read_batch(table, asked[case], name, run.started_ns)) is not None:
                found[case].append((run.started_ns, batch))
        wanted = {case: one for case, one in wanted.items() if len(found[case]) < most}
    return found, others, runs


def _standing(case: Case, asked: Asked, batches: list[tuple[int, Batch]], around: tuple[Rules, int, Sequence[Moved]]) -> Standing:
    rules, left_out, moves = around
    since = max((one.at_ns for one in moves if one.move in DONE.values() and one.case == case.id), default=0)
    subject = Subject(
        case=case.id, library=case.labels.library, split=case.labels.split, setup=asked.setup,
        fresh=sum(started > since for started, _ in batches), left_out=left_out,
    )  # fmt: skip
    return judge(subject, [batch for _, batch in reversed(batches)], rules)


def apply_moves(store: Store, suite: Suite, report: LibraryReport) -> None:
    """Makes the moves of a report: file by file, each with its line in the log. What cannot be written stands under `refused`."""
    cases = {case.id: case for case in suite.cases}
    store.ledger.add_moves(list(_cut_off(store.ledger.moves(suite.name), cases)))
    by_file: dict[str, list[Standing]] = {}
    for one in report.cases:
        if one.move in DONE:
            by_file.setdefault(place_of(cases[one.case].place)[0], []).append(one)
    for file, moving in by_file.items():
        try:
            text = relabel(file, {one.case: (cases[one.case], one.to) for one in moving})
            store.ledger.add_moves([_logged(one, cases[one.case], suite.name, report.rules, meant=True) for one in moving])
            write(file, text)
        except FairtrialError as error:
            report.refused += [{"case": one.case, "why": error.what, "mend": error.mend or ""} for one in moving]
            continue
        report.written.append(file)
        store.ledger.add_moves([_logged(one, cases[one.case], suite.name, report.rules) for one in moving])
    store.ledger.add_moves(list(_quarantine(store, suite, report)))
    report.applied = True
    report.moved = _made(store.ledger.moves(suite.name))


def _made(moves: Sequence[Moved]) -> list[dict[str, Any]]:
    """The moves as they are shown: what was only meant is none."""
    return [_told(one) for one in moves if one.move not in MEANT]


def _cut_off(moves: Sequence[Moved], cases: dict[str, Case]) -> Iterator[Moved]:
    """The lines that are missing: a move was meant, the case's file has it, and the log never said that it was done."""
    last = {one.case: one for one in moves if one.move in MEANT or one.move in DONE.values()}
    for one in last.values():
        done, library = MEANT.get(one.move, ("", ""))
        if done and one.case in cases and cases[one.case].labels.library == library:
            yield msgspec.structs.replace(one, move=done)


def _logged(one: Standing, case: Case, suite: str, rules: Rules, *, meant: bool = False) -> Moved:
    rule = rules.graduate if one.move == "graduate" else rules.demote
    done = DONE[one.move]
    move = next(name for name, (becomes, _) in MEANT.items() if becomes == done) if meant else done
    return _line(one, case.hash, suite, move, {"why": one.why, "rule": msgspec.to_builtins(rule), "batches": _batches(one)})


def _quarantine(store: Store, suite: Suite, report: LibraryReport) -> list[Moved]:
    """Of each case whose flakiness has turned since the log last said so."""
    last: dict[str, str] = {}
    for line in store.ledger.moves(suite.name):
        if line.move in ("quarantined", "released"):
            last[line.case] = line.move
    hashes = {case.id: case.hash for case in suite.cases}
    turned = [one for one in report.cases if one.flaky != (last.get(one.case) == "quarantined")]
    rule = msgspec.to_builtins(report.rules.quarantine)
    told = {one.case: {"why": one.flaky_why, "rule": rule, "batches": _batches(one)} for one in turned}
    return [_line(one, hashes[one.case], suite.name, "quarantined" if one.flaky else "released", told[one.case]) for one in turned]


def _line(one: Standing, hash_: str, suite: str, move: str, evidence: dict[str, Any]) -> Moved:
    return Moved(at_ns=time.time_ns(), who=who(), suite=suite, case=one.case, hash=hash_, move=move, evidence=evidence)


def _batches(one: Standing) -> list[dict[str, Any]]:
    return [{"run": batch.run, "score": batch.score, "pass": batch.passed, "planned": batch.planned} for batch in one.batches]


def _told(one: Moved) -> dict[str, Any]:
    return {"at": moment(one.at_ns), "who": one.who, "case": one.case, "move": one.move, **one.evidence}


def read_ledger(store: Store, suite: Suite) -> list[dict[str, Any]]:
    """Every look at a held-out case of the suite, and of cases that are the same by content, oldest first."""
    held = {case.id: case for case in suite.cases if case.labels.split == HELD_OUT}
    hashes = {text for case in held.values() for text in (case.hash, case.brief_hash)}
    return [_seen(look) for look in store.ledger.looks() if look.suite == suite.name or hashes & {look.hash, look.brief_hash}]


def _seen(look: Look) -> dict[str, Any]:
    told = {"at": moment(look.at_ns), "who": look.who, "verb": look.verb, "case": look.case, "run": look.run}
    return told | {"setup": look.setup or None, "attempt": look.attempt or None, "suite": look.suite, "hash": look.hash}
