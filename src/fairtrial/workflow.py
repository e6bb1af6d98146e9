"""The steps, one function each: check, run, grade, compare, decide, learn.

This is what the command line calls and what `import fairtrial as ft` offers. Each function opens the store it needs and
closes it again; all raise `FairtrialError` where something is not fit, before anything is spent on it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from fairtrial.cases.schema import schema as schema_of
from fairtrial.records.errors import InputError
from fairtrial.records.trial import TrialKey
from fairtrial.steps import (
    checking,
    crediting,
    diagnosing,
    examining,
    exams,
    importing,
    labelling,
    libraries,
    looks,
    mutating,
    pairing,
    planning,
    promoting,
    reading,
    regrading,
    releasing,
    retesting,
    reviewing,
    running,
    trending,
    using,
)
from fairtrial.steps.health import suite_health
from fairtrial.steps.mutating import MutateOptions
from fairtrial.steps.options import CreditOptions, RunOptions, RunOutcome
from fairtrial.steps.pairing import PairOptions
from fairtrial.steps.useplan import UseOptions
from fairtrial.steps.withdrawn import Today
from fairtrial.study.exam import ExamOptions
from fairtrial.study.retest import Retest, read_retest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.credit import Credit
    from fairtrial.records.decision import Decision
    from fairtrial.records.diagnosis import Diagnosis
    from fairtrial.records.exam import Exam
    from fairtrial.records.library import LibraryReport
    from fairtrial.records.lift import Lift
    from fairtrial.records.mutation import MutationReport
    from fairtrial.records.pairs import PairsReport
    from fairtrial.records.plan import Plan
    from fairtrial.records.promotion import Promotion
    from fairtrial.records.report import Comparison, RunReport
    from fairtrial.records.review import Review
    from fairtrial.records.trend import Trend
    from fairtrial.records.use import UseReport
    from fairtrial.records.versions import Versions
    from fairtrial.steps.checking import CheckReport
    from fairtrial.steps.importing import ImportReport
    from fairtrial.steps.options import Progress, Tell
    from fairtrial.steps.promoting import Asked
    from fairtrial.store.sql import RunLine
    from fairtrial.study.factwalk import Replay
    from fairtrial.study.planning import Wanted

__all__ = ["CreditOptions", "ExamOptions", "MutateOptions", "PairOptions", "RunOptions", "RunOutcome", "UseOptions"]

UNDECIDED = 3
"""What a run ends with that its suite's policy finds no candidate in."""


def check(suite: str, *, run_dynamic: bool = True, store: str | None = None) -> CheckReport:
    """The suite checks itself. With `run_dynamic`, the cases' own answers are put before the graders as well."""
    return checking.check_suite(suite, store, dynamic=run_dynamic)


def run(suite: str | None, options: RunOptions | None = None, progress: Progress | None = None) -> RunOutcome:
    """Run a suite, or resume a run (`options.resume`), grade it and read it."""
    options = options or RunOptions()
    if options.resume is not None:
        return _decided(running.resume_run(options.resume, suite, options, progress), suite or ".", options.store)
    if suite is None:
        raise InputError("no suite to run", mend="name its folder or its suite.yaml")
    outcome = running.run_suite(suite, options, progress)
    return _decided(outcome, os.path.dirname(outcome.report.manifest.get("suite_path") or ""), options.store)


def _decided(outcome: RunOutcome, start: str, store: str | None) -> RunOutcome:
    """With what the suite's policy makes of the run; the decision's exit code is then the run's, but for an interruption.

    Where there is a policy and its candidate was not tried, there is nothing to decide on: that is not enough evidence, never 0.
    """
    if outcome.status == "planned":
        return outcome
    with reading.open_store(start, store, create=False) as opened:
        outcome.decision = releasing.gate_of_run(opened, outcome.report.run)
        if outcome.decision is None and (told := releasing.ungated(opened, outcome.report.run)):
            outcome.report.notes = [*outcome.report.notes, told]
            if outcome.exit_code == 0 and releasing.has_policy(opened, outcome.report.run):
                outcome.exit_code = UNDECIDED
    if outcome.decision is not None and outcome.status != "interrupted":
        outcome.exit_code = outcome.decision.exit_code
    return outcome


def gate(store: str | None, reference: str, policy: str | None = None, baseline: str | None = None, *, start: str = ".") -> Decision:
    """May this setup of a run ship? `policy` is a file or a name; the suite's own where it is None."""
    with reading.open_store(start, store, create=False) as opened:
        return releasing.gate(opened, reference, policy, baseline)


def runs(store: str | None = None, *, start: str = ".") -> list[RunLine]:
    """Every stored run, newest first."""
    with reading.open_store(start, store, create=False) as opened:
        return opened.runs()


def show_run(store: str | None, reference: str, *, start: str = ".") -> RunReport:
    """The report of a stored run."""
    with reading.open_store(start, store, create=False) as opened:
        return reading.show_run(opened, reference)


def show_trial(store: str | None, reference: str, case: str, attempt: int, *, start: str = ".") -> dict[str, Any]:
    """One stored trial, whole."""
    with reading.open_store(start, store, create=False) as opened:
        stored, trial, card = reading.find_trial(opened, reference, case, attempt)
        seen = looks.note(opened, stored, case, "show", (trial.head.key.setup, attempt))
        return reading.trial_object(trial, card) | {"held_out": seen}


def show_case(store: str | None, reference: str, case: str, *, start: str = ".") -> list[dict[str, Any]]:
    """Every stored trial of one case, by setup and attempt."""
    with reading.open_store(start, store, create=False) as opened:
        name, setup = reading.split_reference(reference)
        stored = opened.run(name)
        keys = [key for key in stored.manifest.trial_keys() if key.case == case and setup in (None, key.setup)]
        done = opened.keys_done(stored.id)
        if not keys:
            reading.find_trial(opened, reference, case, 1)
        seen = looks.note(opened, stored, case, "show", (setup or "", 0))
        today = Today(opened, stored.id, stored.manifest)
        return [_trial(opened, today, stored.id, key) | {"held_out": seen} for key in keys if key in done]


def _trial(opened: Any, today: Today, run_id: str, key: TrialKey) -> dict[str, Any]:
    card = opened.scorecard(run_id, key)
    return reading.trial_object(opened.trial(run_id, key), None if card is None else today.card(key, card))


def replay(store: str | None, reference: str, case: str, attempt: int, *, start: str = ".") -> tuple[str, Replay]:
    """A trial step by step, and where each fact was last present."""
    with reading.open_store(start, store, create=False) as opened:
        stored, trial, _ = reading.find_trial(opened, reference, case, attempt)
        looks.note(opened, stored, case, "replay", (trial.head.key.setup, attempt))
        return reading.replay_trial(opened, reference, case, attempt)


def grade(store: str | None, reference: str, suite: str | None = None, progress: Progress | None = None, *, start: str = ".") -> RunOutcome:
    """Grade a stored run again without running anything."""
    with reading.open_store(start, store, create=False) as opened:
        table, notes = regrading.regrade(opened, reading.split_reference(reference)[0], suite, progress)
        report = looks.reported(opened, table)
        report.notes = [*report.notes, *notes]
        return RunOutcome(report=report, status=report.status, exit_code=reading.exit_code(report))


def compare(
    store: str | None, base: str, news: Sequence[str], vary: Sequence[str] = (), margin: Any = None, *, start: str = "."
) -> list[Comparison]:
    """Compare each of `news` with `base`, case by case, each as if it were the only one."""
    with reading.open_store(start, store, create=False) as opened:
        return [reading.compare_runs(opened, base, new, vary, margin) for new in news]


def compare_versions(
    store: str | None, base: str, news: Sequence[str], vary: Sequence[str] = (), margin: Any = None, *, start: str = "."
) -> Versions:
    """Compare several with one base, case by case, corrected for their number, and lay all of them side by side."""
    with reading.open_store(start, store, create=False) as opened:
        return reading.compare_versions(opened, base, news, vary, margin)


def lift(store: str | None, reference: str, margin: Any = None, *, start: str = ".") -> Lift:
    """What the team brings beyond one agent and one agent with retries, at the same budget."""
    with reading.open_store(start, store, create=False) as opened:
        return reading.lift_of(opened, reference, margin)


def diagnose(store: str | None, reference: str, *, held_out: bool = True, start: str = ".") -> Diagnosis:
    """What failed in a run: kinds, where each first went wrong, what to mend and what to run again."""
    with reading.open_store(start, store, create=False) as opened:
        return diagnosing.diagnose_run(opened, reference, held_out=held_out)


def trend(store: str | None, suite: str, setup: str | None = None, last: int | None = None, *, start: str = ".") -> Trend:
    """A suite over time: its figures by run, the breaks between them, and what moved."""
    return trending.trend_of(store, suite, setup, last, start=start)


def use(suite: str, options: UseOptions, progress: Progress | None = None) -> UseReport:
    """Alter facts at a hand-off, run what follows again, and say whether the decision moves with them."""
    return using.use(suite, options, progress)


def plan(store: str | None, suite: str | None, runs: Sequence[str], wanted: Wanted, *, start: str = ".") -> Plan:
    """How many cases and trials find a wanted difference, at what price, and what today's suite can show. Nothing is run."""
    return planning.plan_suite(suite, runs, wanted, (start if suite is None else suite, store))


def credit(suite: str, options: CreditOptions | None = None, progress: Progress | None = None, tell: Tell | None = None) -> Credit:
    """What each role of a team earns: removed, replaced and mended, one at a time. `tell` hears how many trials that takes."""
    return crediting.credit(suite, options or CreditOptions(), progress, tell or (lambda _planned, _reused, _pairs: None))


def retest(store: str | None, reference: str, case: str, progress: Progress | None = None, *, start: str = ".") -> Retest:
    """After a mend: run the case alone, then the whole suite as before, and say what else moved."""
    with reading.open_store(start, store, create=False) as opened:
        before = retesting.wanted(opened, reference, case)
        url = opened.url
    alone = run(before.suite, retesting.alone(before, case), progress)
    whole = run(before.suite, before.options, progress)
    with reading.open_store(start, url, create=False) as opened:
        tables = [reading.read_table(opened, ident) for ident in (before.run, whole.report.run, alone.report.run)]
        return read_retest(case, tables[0], tables[1], tables[2])


def library(
    suite: str, *, setup: str | None = None, apply: bool = False, ledger: bool = False, labels: str | None = None, store: str | None = None
) -> LibraryReport:
    """Where each case of a suite stands between capability and regression, and how fit the suite is to measure with.

    With `apply` the moves are made and logged; `labels` is a file of people's ratings, by case.
    """
    with reading.open_store(folder_of(suite), store, create=False) as opened:
        loaded, report = libraries.read_library(opened, suite, setup)
        report.health = suite_health(opened, loaded, labels)
        if apply:
            libraries.apply_moves(opened, loaded, report)
        if ledger:
            report.ledger = libraries.read_ledger(opened, loaded)
        return report


def mutants(
    suite: str, options: MutateOptions | None = None, progress: Progress | None = None, tell: mutating.Tell = mutating.unheard
) -> MutationReport:
    """Passing trials damaged, and what the graders catch. `tell` hears how many opinions of judges that takes, in how many calls."""
    return mutating.mutate(suite, options or MutateOptions(), progress, tell)


def judge_exam(file: str, options: ExamOptions, bar: str | None = None, suite: str | None = None, store: str | None = None) -> Exam:
    """How far a judge agrees with people, from a file of ratings; `bar` is a file that states the least of some figures. With `suite`
    it is that suite's judge who sits: held to its own bar, and the exam is kept."""
    return examining.examine(file, options, bar) if suite is None else exams.sit(suite, store, file, options, bar)


def judge_pairs(store: str | None, base: str, new: str, options: PairOptions, progress: Progress | None = None) -> PairsReport:
    """Two runs or setups side by side before a judge, each pair in both orders."""
    with reading.open_store(".", store, create=False) as opened:
        return pairing.judge_pairs(opened, base, new, options, progress)


def promote(store: str | None, asked: Asked, *, start: str = ".") -> Promotion:
    """Turn a trial that failed, or one that was imported, into the draft of a case."""
    with reading.open_store(start, store, create=False) as opened:
        return promoting.promote(opened, asked)


def review(store: str | None, asked: reviewing.Asked, *, add: bool = True, start: str = ".") -> Review:
    """What people are to look at in a run, and how far they are. With `add` what the rules find is queued first."""
    with reading.open_store(start, store, create=False) as opened:
        return reviewing.build(opened, asked) if add else reviewing.status(opened, asked)


def review_export(store: str | None, asked: reviewing.Asked, form: str, *, held_out: bool = False, start: str = ".") -> labelling.Sent:
    """The queue of a run and its labels as text, for one person (`asked.rater`) or for the records."""
    with reading.open_store(start, store, create=False) as opened:
        return labelling.send(opened, asked, form, held_out=held_out)


def review_import(
    store: str | None, files: Sequence[str], form: str | None = None, *, replace: bool = False, start: str = "."
) -> labelling.Taken:
    """Labels of files into the store; nothing that is there is overwritten."""
    with reading.open_store(start, store, create=False) as opened:
        return labelling.take(opened, files, form, replace=replace)


def folder_of(suite: str) -> str:
    """The folder of a suite that is named by it or by its file."""
    return suite if os.path.isdir(suite) else os.path.dirname(suite) or "."


def import_runs(store: str | None, name: str, files: Sequence[str], *, start: str = ".", **options: Any) -> ImportReport:
    """Import files of a format; each becomes a run. `options`: `setup`, `planned`; for tables `renamed` and `ignored` columns."""
    with reading.open_store(start, store) as opened:
        return importing.import_files(opened, name, files, options)


def export(store: str | None, reference: str, name: str, *, start: str = ".") -> str:
    """A stored run as text in another format."""
    with reading.open_store(start, store, create=False) as opened:
        return importing.export_run(opened, reference, name)


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of case, suite, policy, rubric or report."""
    return schema_of(kind)
