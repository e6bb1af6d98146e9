"""All trials of one setup, slot by slot, in columns that stay small for hundreds of thousands of trials.

A slot is there for every planned trial before any result is known, so what was never run is counted and not forgotten.
Each result is written into its slot once and its parts added up on the way; bodies and passing grades are not kept.
What the sums mean is said in the stages (tally, reliability, costs, chain); this file only counts.
"""

from __future__ import annotations

from array import array
from collections import Counter
from decimal import Context, Decimal
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from fairtrial.records.grade import CardGlance, Grade, Scorecard
from fairtrial.records.trial import FATES, Ending, HeadGlance, TrialHead
from fairtrial.records.verdict import Verdict
from fairtrial.study.codes import FAIL, PASS, code_of, verdict_of
from fairtrial.study.counts import Counts
from fairtrial.study.marks import Marks, marks_of
from fairtrial.study.opinions import Opinions
from fairtrial.study.standin import stand_in
from fairtrial.study.talks import Talks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fairtrial.records.budget import Spend
    from fairtrial.records.remark import Remark
    from fairtrial.records.run import CaseInfo
    from fairtrial.study.calibration import Calibration

MISSING = -1.0
"""In the columns of times and of what single trials used, which are never below 0; it does not leave this room. What is
known in part only is missing there: such a trial is not cheap, its use is unknown."""

UNSTEADY = "several"
"""The start state of a case whose trials did not all start from the same one; the same for who played its user."""
SCRIPTED = "a script"
"""Who plays a user that no model plays."""

EXACT = Context(prec=60)
"""Sums of money: wide enough that adding never rounds."""

_ANSWERED = (Ending.FINISHED, Ending.DECLINED)
_ZERO = Decimal(0)


class Sums(NamedTuple):
    """planned = passed + failed + unknown + not_run; trials with a severe failure are among them."""

    planned: int
    passed: int
    failed: int
    unknown: int
    not_run: int
    severe: int

    @property
    def open(self) -> int:
        return self.unknown + self.not_run


class Lane:
    """The slots of one setup. A row is one case; its slots lie at `first[row]` to `first[row + 1]`, in attempt order."""

    def __init__(
        self, setup: str, cases: Sequence[CaseInfo], attempts: Sequence[int], *, after: Sequence[int] = (), details: bool = True
    ) -> None:
        self.setup = setup
        self.cases = tuple(cases)
        self.rows = {case.id: row for row, case in enumerate(self.cases)}
        self.after = list(after) or [0] * len(self.cases)
        """By row the attempts that come before its first slot and lie in another run."""
        self.first = [0]
        for planned in attempts:
            self.first.append(self.first[-1] + planned)
        slots, rows = self.first[-1], len(self.cases)
        self.verdicts = bytearray(slots)
        self.judged = bytearray(slots)
        """By slot whether its verdict rests on a model judge."""
        self.judges: Counter[tuple[str, str]] = Counter()
        """By name and identity of a judge, how many verdicts rest on it."""
        self.calibration: Calibration | None = None
        """What is known of the errors of those verdicts; None where nobody has asked."""
        self.wall = array("d", [MISSING]) * slots
        self.stated = array("d", [MISSING]) * slots
        self.usd_each = array("d", [MISSING]) * slots
        self.tokens_each = array("d", [MISSING]) * slots
        self.steps_each = array("d", [MISSING]) * slots
        self.passed = [0] * rows
        self.failed = [0] * rows
        self.unknown = [0] * rows
        self.answered = [0] * rows
        self.severe: dict[int, int] = {}
        self.usd = [_ZERO] * rows
        self.usd_stated = [0] * rows
        self.usd_known = [0] * rows
        self.input_tokens = [0] * rows
        self.output_tokens = [0] * rows
        self.tokens_stated = [0] * rows
        self.tokens_known = [0] * rows
        self.tool_calls = [0] * rows
        self.user_usd = _ZERO
        self.user_known = 0
        self.talks = Talks()
        self.opinions = Opinions()
        self.marks: dict[int, list[Marks | None]] = {}
        """By row the marks of its trials, for cases that label checks with a dimension; None where a trial cannot be scored."""
        self.starts = [""] * rows
        self.users = [""] * rows
        self.graders: set[str] = set()
        self._counts = Counts()
        self._glanced = False
        self.details = details
        self.fail_grades: dict[int, list[tuple[int, Grade]]] = {}
        self.remarked: dict[int, list[tuple[int, Remark]]] = {}
        self.unknown_grades: dict[int, list[tuple[int, Grade]]] = {}

    @property
    def planned(self) -> int:
        return len(self.verdicts)

    @property
    def counts(self) -> Counts:
        """The sums beside the columns. Raises ValueError where trials were only glanced at: a sum of what was not read is no 0."""
        if self._glanced:
            raise ValueError(f"the trials of {self.setup} were read for their columns alone")
        return self._counts

    def attempts(self, row: int) -> bytearray:
        """The verdict codes of a case in attempt order."""
        return self.verdicts[self.first[row] : self.first[row + 1]]

    def slot(self, row: int, attempt: int) -> int | None:
        """The slot of an attempt at a case; None where there is none."""
        slot = self.first[row] + attempt - self.after[row] - 1
        return slot if self.first[row] <= slot < self.first[row + 1] else None

    def judged_passes(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        """(passed, all) of the trials of a case whose verdict rests on a judge."""
        found = []
        for row in rows:
            told = [self.verdicts[slot] for slot in range(self.first[row], self.first[row + 1]) if self.judged[slot]]
            found.append((told.count(PASS), len(told)))
        return found

    def run(self, row: int) -> int:
        """How many trials of a case were run."""
        return self.passed[row] + self.failed[row] + self.unknown[row]

    def slots(self, row: int) -> int:
        """How many trials of a case were planned."""
        return self.first[row + 1] - self.first[row]

    def open(self, row: int) -> int:
        """How many trials of a case are undecided or were not run."""
        return self.slots(row) - self.passed[row] - self.failed[row]

    def sums(self, rows: Iterable[int] | None = None) -> Sums:
        """All cases together, or those of `rows`."""
        rows = range(len(self.cases)) if rows is None else list(rows)
        passed, failed, unknown = (sum(column[row] for row in rows) for column in (self.passed, self.failed, self.unknown))
        planned = sum(map(self.slots, rows))
        severe = sum(self.severe.get(row, 0) for row in rows)
        return Sums(planned, passed, failed, unknown, planned - passed - failed - unknown, severe)

    def settled(self, rows: Iterable[int], *, passed: bool) -> list[tuple[int, int]]:
        """(passed, planned) a case, as if every open trial had passed, or none had."""
        return [(self.slots(row) - self.failed[row] if passed else self.passed[row], self.slots(row)) for row in rows]

    def passes(self, rows: Sequence[int] | None = None) -> list[tuple[int, int]]:
        """(passed, run) a case, for all rows or those given."""
        if rows is None:
            return [(p, p + f + u) for p, f, u in zip(self.passed, self.failed, self.unknown, strict=True)]
        return [(self.passed[row], self.run(row)) for row in rows]

    def clusters(self, rows: Sequence[int] | None = None) -> list[str | None] | None:
        """The cluster of each case, or None where every case stands alone."""
        cases = self.cases if rows is None else [self.cases[row] for row in rows]
        found = [case.cluster for case in cases]
        return found if any(name is not None for name in found) else None

    def times(self, column: array[float], rows: Sequence[int] | None = None) -> list[float]:
        """The known times in a column (`wall` or `stated`), in milliseconds."""
        if rows is None:
            return [time for time in column if time != MISSING]
        return [time for row in rows for time in column[self.first[row] : self.first[row + 1]] if time != MISSING]

    def add(self, head: HeadGlance, card: CardGlance | None) -> bool:
        """Write a result into its slot. False where there is no such slot, or it is taken: nothing is counted then.

        A whole head with its whole card is counted in full; of a glance only the columns are filled.
        """
        row = self.rows.get(head.key.case)
        if row is None:
            return False
        slot = self.slot(row, head.key.attempt)
        if slot is None or self.verdicts[slot]:
            return False
        if head.ending is Ending.INTERRUPTED:
            return True  # not yet run: its slot stays empty until it is
        code = verdict_of(head, card)
        self.verdicts[slot] = code
        (self.passed if code == PASS else self.failed if code == FAIL else self.unknown)[row] += 1
        self._add_times(row, slot, head)
        self._add_spend(row, head.spend)
        if head.dialogue is not None or head.user_usd is not None:
            self._add_user(row, head)
        if card is not None:
            if card.grader:
                self.graders.add(card.grader)
            if card.severe:
                self.severe[row] = self.severe.get(row, 0) + 1
            if card.judged and code in (PASS, FAIL):
                self.judged[slot] = 1
                self.judges.update(card.judged.items())
        if isinstance(head, TrialHead) and (card is None or isinstance(card, Scorecard)):
            self._count((row, slot), head, card, code)
        else:
            self._glanced = True
        return True

    def repeat(self, head: TrialHead) -> None:
        """An attempt that the harness made again: no figure of the agent's, but its simulated user was at work."""
        self.talks.repeat(head)
        self._add_user_cost(head)

    def _add_user(self, row: int, head: HeadGlance) -> None:
        if head.dialogue is not None and self.users[row] != (name := head.dialogue.model or SCRIPTED):
            self.users[row] = UNSTEADY if self.users[row] else intern(name)
        self.talks.add(head)
        self._add_user_cost(head)

    def _add_user_cost(self, head: HeadGlance) -> None:
        if head.user_usd is not None:
            self.user_usd = EXACT.add(self.user_usd, head.user_usd)
            self.user_known += 1

    def _add_times(self, row: int, slot: int, head: HeadGlance) -> None:
        if head.start_state and self.starts[row] != head.start_state:
            self.starts[row] = UNSTEADY if self.starts[row] else intern(head.start_state)
        if head.ending in _ANSWERED:
            self.answered[row] += 1
            if (own := head.own_ms) > 0:
                self.wall[slot] = own
            if head.stated_ms is not None:
                self.stated[slot] = head.stated_ms

    def _add_spend(self, row: int, spend: Spend) -> None:
        if spend.usd is not None:
            self.usd[row] = EXACT.add(self.usd[row], spend.usd)
            self.usd_stated[row] += 1
            self.usd_known[row] += spend.usd_complete
        if spend.input_tokens is not None or spend.output_tokens is not None:
            self.input_tokens[row] += spend.input_tokens or 0
            self.output_tokens[row] += spend.output_tokens or 0
            self.tokens_stated[row] += 1
            self.tokens_known[row] += spend.tokens_complete
        self.tool_calls[row] += spend.tool_calls

    def _count(self, place: tuple[int, int], head: TrialHead, card: Scorecard | None, code: int) -> None:
        """What goes into the sums beside the columns. `place`: row and slot."""
        row, slot = place
        self._add_each(slot, head.spend)
        self._counts.add_ending(row, head)
        if card is not None:
            self._add_card(row, head, card, code)
            return
        self._counts.ungraded += head.imported is None and FATES[head.ending].verdict is None
        if code != PASS:
            self._stand_in(row, head, code)

    def _add_each(self, slot: int, spend: Spend) -> None:
        """What a single trial used, as far as it is known whole."""
        if spend.usd is not None and spend.usd_complete:
            self.usd_each[slot] = float(spend.usd)
        if spend.tokens_complete and (spend.input_tokens is not None or spend.output_tokens is not None):
            self.tokens_each[slot] = (spend.input_tokens or 0) + (spend.output_tokens or 0)
        self.steps_each[slot] = spend.steps

    def _add_card(self, row: int, head: TrialHead, card: Scorecard, code: int) -> None:
        self._counts.add_card(row, head, card, passed=code == PASS)
        if card.remarks and self.details:
            self.remarked.setdefault(row, []).extend((head.key.attempt, remark) for remark in card.remarks)
        if card.opinions or card.unasked or card.unheard:
            self.opinions.add(row, card)
        if any(grade.dimension for grade in card.grades):
            self.marks.setdefault(row, []).append(marks_of(head.ending, card))
        self._add_grades(row, head, card, code)

    def _add_grades(self, row: int, head: TrialHead, card: Scorecard, code: int) -> None:
        told, faulty, kinds = code == PASS, False, set()
        for grade in card.grades:
            if grade.verdict is Verdict.PASS:
                continue
            if grade.verdict is Verdict.FAIL and grade.kind:
                kinds.add(str(grade.kind))
            faulty = faulty or grade.fault
            if self.details:
                self._keep(row, head.key.attempt, grade)
            told = told or code == code_of(grade.verdict)
        self._counts.grader_faults += faulty
        if kinds:
            self._counts.failure_kinds.update(kinds)
        if not told:
            self._stand_in(row, head, code)

    def _stand_in(self, row: int, head: TrialHead, code: int) -> None:
        """For a trial without a grade that says why it did not pass."""
        grade = stand_in(head, failed=code == FAIL)
        if grade.kind:
            self._counts.failure_kinds[grade.kind] += 1
        if self.details:
            self._keep(row, head.key.attempt, grade)

    def _keep(self, row: int, attempt: int, grade: Grade) -> None:
        kept = self.fail_grades if grade.verdict is Verdict.FAIL else self.unknown_grades
        kept.setdefault(row, []).append((attempt, grade))
