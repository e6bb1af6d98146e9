"""The graders on trial: trials that passed are damaged in known ways, and graded as any trial is.

The trials are those of a stored run; they must pass under the graders as they are now. Kept out: how they are damaged (`mutants/`),
and what the counts come to (`study/mutation.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fairtrial.cases.suite import load_suite
from fairtrial.graders.finding import JUDGE
from fairtrial.graders.judge import NOT_JUDGED_YET
from fairtrial.mutants.operators import MOST, OPERATORS
from fairtrial.mutants.passing import Other, Passing, whole
from fairtrial.records.errors import InputError
from fairtrial.records.mutation import CAUGHT, SURVIVED, UNSURE, MutantResult
from fairtrial.records.setup import Seat
from fairtrial.records.tree import FILES
from fairtrial.records.trial import Trial
from fairtrial.records.verdict import Verdict
from fairtrial.steps.beside import beside
from fairtrial.steps.grading import Bench
from fairtrial.steps.history import ordinary
from fairtrial.steps.judging import Judging
from fairtrial.steps.known import keep_secret
from fairtrial.steps.reading import open_store, split_reference
from fairtrial.study.mutation import read_mutants
from fairtrial.worlds.changes import diff
from fairtrial.worlds.patch import file_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.graders.pending import Pending
    from fairtrial.mutants.operators import Operator
    from fairtrial.mutants.passing import Mutant
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.mutation import MutationReport
    from fairtrial.records.run import Run
    from fairtrial.records.suite import Suite
    from fairtrial.steps.options import Progress
    from fairtrial.store.sql import Store

Tell = Callable[[int, int], None]
MOST_OTHERS = 2
"""Answers to other cases that one trial is given in place of its own."""


def unheard(_opinions: int, _calls: int) -> None:
    """Tells nobody."""


class MutateOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is damaged: the passing trials of `run` (else the suite's newest), of one `setup`, at most `limit` of them.
    With `with_judges` the judges of the suite are asked where code lets a mutant through."""

    run: str | None = None
    setup: str | None = None
    limit: int | None = None
    with_judges: bool = False
    store: str | None = None


class Heard(NamedTuple):
    """A mutant with its grades by code, and what it still waits for."""

    result: MutantResult
    pending: Pending


def mutate(path: str, options: MutateOptions, progress: Progress | None = None, tell: Tell = unheard) -> MutationReport:
    """Damage the passing trials of a suite and see what its graders catch. Raises InputError where there is no run to take them from.

    `tell` hears how many opinions judges are asked for, and in how many calls at most, before they are.
    """
    suite = load_suite(path)
    with open_store(suite.folder, options.store) as store:
        keep_secret(store, suite, suite.cases)
        run, setup = _run(store, suite, options)
        report = _Court(store, suite, run, setup).sit(options, progress, tell)
        report.path = path
        return report


def _run(store: Store, suite: Suite, options: MutateOptions) -> tuple[Run, str | None]:
    name, setup = split_reference(options.run) if options.run else (None, None)
    run = store.run(name) if name else next(ordinary(store, suite.name), None)
    if run is None:
        raise InputError("there is no run of this suite, so no trial that passed", value=suite.name, mend=f"fairtrial run {suite.path}")
    wanted = options.setup or setup
    tried = list(dict.fromkeys(plan.setup for plan in run.manifest.planned))
    if wanted is not None and wanted not in tried:
        raise InputError("the run has no such setup", place=run.id, value=wanted, allowed=", ".join(tried))
    return run, wanted


class _Court:
    """One run's passing trials, damaged and graded."""

    def __init__(self, store: Store, suite: Suite, run: Run, setup: str | None) -> None:
        self._store, self._suite, self._run, self._setup = store, suite, run, setup
        asked = {info.id: info.brief_hash for info in run.manifest.cases}
        self._clusters = {info.id: info.cluster for info in run.manifest.cases}
        self._cases = {case.id: case for case in suite.cases if asked.get(case.id) == case.brief_hash}
        self._moved = sorted(set(asked) - set(self._cases))
        seats = run.manifest.seats or tuple(Seat(setup=name) for name in {plan.setup for plan in run.manifest.planned})
        self._seats = {seat.setup: seat for seat in seats}
        self._bench = Bench(suite, self._cases.values(), seats, origin=run.manifest.origin, beside=beside(suite, run.manifest, store))

    def sit(self, options: MutateOptions, progress: Progress | None, tell: Tell) -> MutationReport:
        applied: dict[str, int] = {}
        heard: list[Heard] = []
        trials, left_out = self._passing(options.limit)
        for done, passing in enumerate(trials, 1):
            for operator in OPERATORS:
                made = list(_different(passing, operator.damage(passing)))
                applied[operator.name] = applied.get(operator.name, 0) + bool(made)
                heard += [Heard(self._result(passing, operator, mutant), self._bench.begin(mutant.trial)) for mutant in made]
            if progress is not None:
                progress(done, len(trials), 0, 0)
        wanted = [ask.calls for one in heard for _, ask, _ in one.pending.wanted()]
        if wanted and options.with_judges:
            tell(len(wanted), sum(wanted))
            _ask(heard)
        found = [_judged(one.result, self._bench.card(one.pending)) for one in heard]
        report = read_mutants(found, {one.name: one.does for one in OPERATORS}, applied, len(trials))
        report.suite, report.run, report.left_out = self._suite.name, self._run.id, left_out
        report.judges, report.opinions = ("asked" if options.with_judges else "not_asked") if wanted else "", len(wanted)
        if self._moved:
            report.notes = [f"cases that ask something else today are left out: {', '.join(self._moved[:10])}"]
        return report

    def _passing(self, limit: int | None) -> tuple[list[Passing], dict[str, int]]:
        """The first passing trial of every case and setup, and how many trials were left out for what."""
        left: dict[str, int] = {}
        kept: dict[tuple[str, str], Trial] = {}
        for trial in self._trials():
            key = trial.head.key
            if (key.case, key.setup) in kept:
                why = "another trial of the same case and setup"
            elif not _passes(self._bench.card(self._bench.begin(trial))):
                why = "it does not pass"
            elif (told := whole(trial)) is None:
                why = "the end of its world was not kept"
            else:
                kept[key.case, key.setup] = told
                continue
            left[why] = left.get(why, 0) + 1
        chosen = list(kept.values())
        if limit is not None and len(chosen) > limit:
            left["beyond the limit"] = len(chosen) - limit
            chosen = [chosen[place * len(chosen) // limit] for place in range(limit)]
        return [self._made(trial, chosen) for trial in chosen], left

    def _trials(self) -> Iterator[Trial]:
        for head, body in self._store.bodies(self._run.id):
            if head.key.case in self._cases and self._setup in (None, head.key.setup):
                yield Trial(head=head, body=body, base=self._store.starts.base(self._run.id, body))

    def _made(self, trial: Trial, chosen: list[Trial]) -> Passing:
        key = trial.head.key
        seat = self._seats.get(key.setup, Seat(setup=key.setup))
        roles = {role.name for role in seat.roles}
        owed = {fact for one in self._suite.handoffs if {one.source, one.target} <= roles for fact in one.requires}
        case = self._cases[key.case]
        differ = file_changes if trial.body.kind == FILES else diff
        others = tuple(self._others(trial, chosen))
        checks = self._suite.checks if case.labels.tier != "unit" else ()
        return Passing(trial, case, seat, differ, frozenset(owed), checks, others)

    def _others(self, trial: Trial, chosen: list[Trial]) -> Iterator[Other]:
        """Answers of the same setup to other cases, no two alike, none like its own; those that come next in order."""
        key, seen = trial.head.key, [trial.body.output]
        place = next(place for place, one in enumerate(chosen) if one is trial)
        for one in [*chosen[place + 1 :], *chosen[:place]]:
            other = one.head.key
            if (
                other.setup == key.setup
                and self._asks(other.case) != self._asks(key.case)
                and one.body.output is not msgspec.UNSET
                and one.body.output not in seen
            ):
                seen.append(one.body.output)
                decisions = [span for span in one.body.spans if span.kind == "decision"]
                yield Other(other.case, one.body.output, decisions, self._cases[other.case].brief.facts)
                if len(seen) > MOST_OTHERS:
                    return

    def _asks(self, case: str) -> tuple[str, bytes]:
        """What an agent is asked: a case that differs only in what goes wrong has the same answer."""
        brief = self._cases[case].brief
        return brief.task, msgspec.json.encode(brief.facts)

    def _result(self, passing: Passing, operator: Operator, mutant: Mutant) -> MutantResult:
        key = passing.trial.head.key
        return MutantResult(
            operator=operator.name,
            case=key.case,
            setup=key.setup,
            attempt=key.attempt,
            what=mutant.what,
            state=UNSURE,
            catch=operator.catch,
            cluster=self._clusters[key.case],
        )


def _ask(heard: list[Heard]) -> None:
    """Every judge that a mutant waits for, many at once."""
    judging = Judging()
    try:
        for one in heard:
            if any(True for _ in one.pending.wanted()):
                judging.put(one, one.pending)
        while judging.waiting:
            judging.done(wait_s=1.0)
    finally:
        judging.close()


def _judged(result: MutantResult, card: Scorecard) -> MutantResult:
    """What became of a mutant, by its card."""
    failed = next((grade for grade in card.grades if grade.verdict is Verdict.FAIL), None)
    if card.verdict is Verdict.FAIL and failed is not None:
        result.state, result.by, result.card, result.catch = CAUGHT, failed.check, failed.card, ""
        result.kind, result.source = failed.kind or "", failed.source
    else:
        result.state, result.why = SURVIVED if card.verdict is Verdict.PASS else UNSURE, _open(card)
    return result


def _passes(card: Scorecard) -> bool:
    """Whether a trial passes, as far as code can tell."""
    undecided = [grade for grade in card.grades if grade.verdict is Verdict.UNKNOWN and not grade.excused]
    shown = any(grade.verdict is Verdict.PASS for grade in card.grades) or any(grade.source == JUDGE for grade in undecided)
    return card.verdict is not Verdict.FAIL and shown and all(grade.source == JUDGE or grade.aside for grade in undecided)


def _different(passing: Passing, mutants: Iterator[Mutant]) -> Iterator[Mutant]:
    """At most so many mutants, and none that is the trial as it was."""
    made = 0
    for mutant in mutants:
        same = mutant.trial.body == passing.trial.body and mutant.trial.head == passing.trial.head
        if not same and made < MOST:
            made += 1
            yield mutant


def _open(card: Scorecard) -> str:
    left = [grade for grade in card.grades if grade.verdict is Verdict.UNKNOWN and not grade.excused]
    told = [f"{grade.check}: {'the judge was not asked' if grade.why == NOT_JUDGED_YET else grade.why}" for grade in left]
    return "; ".join(told[:2])
