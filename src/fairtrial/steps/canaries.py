"""Canaries: answers whose verdict is known, put to the very graders of a run before it spends a trial.

They are built from what a suite has: solutions, bad answers, an empty one, a lost trace, a spoiled trial; and what it states under
`canaries`. A run whose graders missed one cannot pass anything. Kept out: how a stated answer becomes a trial (`rehearsal.py`), what
follows for a gate (`release/`).
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fairtrial.cases.walk import every
from fairtrial.graders.assess import NOTHING_CHECKED
from fairtrial.graders.ground import DEFAULT_UNKNOWN
from fairtrial.graders.judge import judges_in
from fairtrial.records.canary import CAUGHT, MISSED, OPEN, CanaryResult
from fairtrial.records.errors import InputError
from fairtrial.records.verdict import Verdict
from fairtrial.records.way import follow, steps_of
from fairtrial.steps.rehearsal import Rehearsal, stated
from fairtrial.study.canaries import read_canaries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.canary import CanaryReport
    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.grade import Grade, Scorecard
    from fairtrial.records.suite import Suite
    from fairtrial.steps.grading import Bench

MOST_CASES = 60
"""Cases whose known answers are put to the graders of one run, spread evenly over all of them."""
MOST_COMMANDS = 5
"""Of these, cases with a program that is run for a check: each run of it takes its time."""
MOST_JUDGED = 4
"""And cases with a judge: each answer that reaches it may cost a call."""
NOT_PASS = "not PASS"
NONSENSE = "Purple seven the beneath quickly; umbrella of when, and forty."


class Canary(NamedTuple):
    """One answer and the verdict that it must get. `answer` may have the long form {answer, state, trace, declined}."""

    kind: str
    name: str
    answer: Any
    expected: str
    why: str = ""


def of_case(case: Case) -> Iterator[Canary]:
    """The canaries that one case has by itself."""
    key = case.key
    if key.solution is not msgspec.UNSET:
        kind = "known_unknown" if _abstains(case, stated(key.solution)) else "known_good"
        yield Canary(kind, "its solution", key.solution, Verdict.PASS)
    for number, bad in enumerate(key.known_bad, 1):
        yield Canary("known_bad", f"known_bad answer {number}", bad, Verdict.FAIL)
    yield Canary("empty", "an empty answer", {}, NOT_PASS)
    yield Canary("empty", "an empty text", " ", NOT_PASS)


def fly(trials: Rehearsal, case: Case, canary: Canary) -> CanaryResult:
    """Put one canary to the graders. What is wrong is said as a suite's check of itself says it."""
    card = trials.assess(case, canary.answer)
    if canary.expected is Verdict.PASS and card.verdict is not Verdict.PASS and "trace" not in stated(canary.answer):
        card = trials.assess(case, canary.answer, frozenset({"grader"}))  # a grader may need the trace, which is not stated
    result = _result(canary, case.id, card)
    if result.state == MISSED and not trials.judged and card.verdict is not Verdict.FAIL and _judged(case):
        result.state = OPEN  # a judge that is not asked could have told
    return result


def _result(canary: Canary, case: str, card: Scorecard) -> CanaryResult:
    failed = next((grade for grade in card.grades if grade.verdict is Verdict.FAIL), None)
    result = CanaryResult(
        kind=canary.kind,
        case=case,
        name=canary.name,
        expected=str(canary.expected),
        got=card.verdict,
        state=CAUGHT,
        by=failed.check if failed else "",
    )
    right = card.verdict is not Verdict.PASS if canary.expected == NOT_PASS else card.verdict == canary.expected
    if right and canary.kind == "known_unknown" and not any(grade.excused for grade in card.grades):
        result.state, result.why = MISSED, "its solution abstains, and the question is not left UNKNOWN"
        result.mend = "ask with question: PATH, and say unknown_ok: true"
    elif not right:
        result.state = OPEN if card.verdict is Verdict.UNKNOWN and _only_judges(card) else MISSED
        result.why, result.mend = _wrong(canary, card)
    return result


def _wrong(canary: Canary, card: Scorecard) -> tuple[str, str]:
    """What is wrong with a canary that came to another verdict, and the mend."""
    if canary.kind == "known_bad":
        return f"{canary.name} does not fail", "add the check that this answer breaks"
    if canary.kind == "empty":
        return f"{canary.name} passes", "add a check that wants something said or done"
    if canary.kind in ("known_good", "known_unknown"):
        if all(grade.aside or grade.check == NOTHING_CHECKED for grade in card.grades):
            return f"{canary.name} meets no check: they all look at what it leaves out", "write out its trace and its state as well"
        return f"{canary.name} does not pass ({_why(card)})", "mend the solution or the check"
    told = f"{canary.name} is to be {canary.expected} and comes to {card.verdict}"
    return f"{told} ({_why(card)})", canary.why or "mend the graders, or the canary"


def _why(card: Scorecard) -> str:
    told = [f"{grade.check}: {grade.why}" for grade in card.grades if grade.verdict is not Verdict.PASS and not grade.excused]
    return "; ".join(told[:3]) or ("every check passed" if card.verdict is Verdict.PASS else "nothing passed")


def _undecided(card: Scorecard) -> list[Grade]:
    return [grade for grade in card.grades if grade.verdict is Verdict.UNKNOWN and not grade.excused]


def _only_judges(card: Scorecard) -> bool:
    """Whether nothing but a judge's silence keeps a card open."""
    return bool(left := _undecided(card)) and all(grade.source == "judge" for grade in left)


def _judged(case: Case) -> bool:
    key = case.key
    return bool(judges_in([*key.must, *key.must_not, *key.limits]))


def _abstains(case: Case, told: dict[str, Any]) -> bool:
    """Whether a solution leaves a question of its case open."""
    for check in every(case.key.must):
        if check.subject == "question" and case.key.unknown_ok:
            try:
                found = follow(told["answer"], steps_of(str(check.target)))
            except InputError:
                continue
            if told.get("declined") or found in list(check.expect.get("unknown_values", DEFAULT_UNKNOWN)):
                return True
    return False


class Planted(NamedTuple):
    """The cases whose canaries a run flies, how many have known answers, and how many of them were left out."""

    cases: Sequence[Case]
    known: int
    left_out: int


def chosen(cases: Sequence[Case]) -> Planted:
    """Cases with a known answer, at most `MOST_CASES` of them, spread evenly."""
    known = [case for case in cases if case.key.solution is not msgspec.UNSET or case.key.known_bad]
    spread = _spread(known, MOST_CASES)
    asked = [case for case in spread if _judged(case)]
    kept_asked = {case.id for case in _spread(asked, MOST_JUDGED)}
    spread = [case for case in spread if case not in asked or case.id in kept_asked]
    costly = [case for case in spread if any(check.subject == "command" for check in every((*case.key.must, *case.key.must_not)))]
    kept_costly = {case.id for case in _spread(costly, MOST_COMMANDS)}
    kept = [case for case in spread if case not in costly or case.id in kept_costly]
    return Planted(kept, len(known), len(known) - len(kept))


def _spread(cases: Sequence[Case], most: int) -> list[Case]:
    if len(cases) <= most:
        return list(cases)
    return [cases[place * len(cases) // most] for place in range(most)]


def plant(suite: Suite, cases: Sequence[Case], bench: Bench, *, ask: bool = True) -> CanaryReport:
    """Put all canaries of these cases, and those that the suite states, to the graders of a run. Without `ask` no judge is asked,
    and what only a judge could tell is left open."""
    contract = bench.contract if ask else dataclasses.replace(bench.contract, judges={})
    trials = Rehearsal(suite, contract)
    planted = chosen(cases)
    results = [fly(trials, case, canary) for case in planted.cases for canary in of_case(case)]
    if planted.cases:
        results += [_spoiled(trials, planted.cases[0])]
        results += _untraced(trials, planted.cases)
    results += _as_stated(trials, suite)
    broken, doubts = _graders(trials, planted.cases, suite)
    doubts += _judges(trials, planted.cases, suite) if trials.judged else []
    report = read_canaries([*results, *broken])
    report.cases, report.left_out, report.cautions, report.grader = planted.known, planted.left_out, doubts, bench.version
    return report


def _spoiled(trials: Rehearsal, case: Case) -> CanaryResult:
    """A trial that the harness spoiled shows nothing of the agent, whatever its answer."""
    card = trials.lost(case, _answer(case), harness=True)
    return _result(Canary("harness_fault", "a trial spoiled by the harness", None, Verdict.UNKNOWN), case.id, card)


def _untraced(trials: Rehearsal, cases: Sequence[Case]) -> Iterator[CanaryResult]:
    """A case that asks for a trace is not passed by an answer whose trace was lost. One is enough: the same code reads all."""
    case = next((case for case in cases if case.key.solution is not msgspec.UNSET and _wants_trace(case)), None)
    if case is not None:
        canary = Canary("no_trace", "its solution with its trace lost", None, NOT_PASS)
        yield _result(canary, case.id, trials.lost(case, _answer(case), harness=False))


def _answer(case: Case) -> Any:
    return case.key.solution if case.key.solution is not msgspec.UNSET else case.key.known_bad[0]


def _wants_trace(case: Case) -> bool:
    """Whether a call must have been made, or a fact handed on."""
    for check in case.key.must:
        wanted = check.subject == "tool" and (
            check.expect.get("called") is True or check.expect.get("times", 0) or check.expect.get("min_times", 0)
        )
        if wanted or check.subject in ("effect", "approval"):
            return True
    return bool(case.key.required_tools)


def _as_stated(trials: Rehearsal, suite: Suite) -> Iterator[CanaryResult]:
    """The canaries that the suite states itself."""
    known = {case.id: case for case in suite.cases}
    for number, one in enumerate(suite.canaries, 1):
        canary = Canary("stated", f"canary {number}", one.stated, one.expect, one.why)
        yield fly(trials, known[one.case], canary)


def _judges(trials: Rehearsal, cases: Sequence[Case], suite: Suite) -> list[str]:
    """Judges that pass an empty text or nonsense, each asked by itself about one case: nothing shows that they can fail."""
    checks: dict[str, tuple[Case, Check]] = {}
    for case in cases:
        for check in _of_subject(case, suite, "judge"):
            checks.setdefault(str(check.target), (case, check))
    doubts = []
    for judge, (case, check) in checks.items():
        put = {"an empty text": " ", "nonsense": NONSENSE}
        passed = [name for name, answer in put.items() if trials.alone(case, answer, check).verdict is Verdict.PASS]
        if passed:
            doubts.append(f"the judge {judge} passed {' and '.join(passed)}: nothing shows that it can fail")
    return doubts


def _graders(trials: Rehearsal, cases: Sequence[Case], suite: Suite) -> tuple[list[CanaryResult], list[str]]:
    """Graders in Python, each by itself: (those that broke on all that was put to them or said two things of one answer, what is to
    be known of others)."""
    put = [(case, check, canary) for case in cases for check in _of_subject(case, suite, "grader") for canary in of_case(case)]
    first = [trials.alone(case, canary.answer, check) for case, check, canary in put]
    again = [trials.alone(case, canary.answer, check) for case, check, canary in reversed(put)][::-1]
    cards: dict[str, list[Scorecard]] = {}
    unsteady: dict[str, CanaryResult] = {}
    for (case, check, canary), one, other in zip(put, first, again, strict=True):
        name = str(check.target)
        if one.verdict is not other.verdict:
            unsteady.setdefault(name, _unsteady(name, case, canary, one, other))
        if canary.kind in ("known_bad", "empty"):
            cards.setdefault(name, []).append(one)
    broken, doubts = [*unsteady.values()], []
    for name, found in cards.items():
        verdicts = {card.verdict for card in found}
        if all(any(grade.fault for grade in card.grades) for card in found):
            broken.append(_broken(name, found))
        elif verdicts == {Verdict.PASS}:
            doubts.append(f"the grader {name} passed all {len(found)} bad and empty answers: nothing shows that it can fail")
    return broken, doubts


def _broken(name: str, found: list[Scorecard]) -> CanaryResult:
    why = f"the grader {name} broke on all {len(found)} answers that were put to it ({_why(found[0])})"
    mend = "mend it; where it needs a trace, write out the trace of the known answers"
    return _of_grader(name, "", "FAIL", Verdict.UNKNOWN, why, mend)


def _unsteady(name: str, case: Case, canary: Canary, first: Scorecard, again: Scorecard) -> CanaryResult:
    """A grader that says one thing and then another of the same answer: it looks at a clock, at chance, or at what came before."""
    why = f"the grader {name} says {first.verdict} and then {again.verdict} of one and the same answer ({canary.name})"
    mend = "let it look at nothing but the trial: no clock, no chance, nothing kept from one call to the next"
    return _of_grader(name, case.id, str(first.verdict), again.verdict, why, mend)


def _of_grader(name: str, case: str, expected: str, got: Verdict, why: str, mend: str) -> CanaryResult:
    return CanaryResult(
        kind="known_bad", case=case, name=f"grader {name}", expected=expected, got=got, state=MISSED, by=name, why=why, mend=mend
    )


def _of_subject(case: Case, suite: Suite, subject: str) -> list[Check]:
    key = case.key
    return [check for check in every((*key.must, *key.limits, *suite.checks)) if check.subject == subject]
