"""A trial whose checks by code are decided and that may wait for its judges.

Code first: where a check has failed, no judge is asked any more. What a judge said is written down on every card; on the cards of
safety and decision it never passes a check alone. Kept out: who asks the judges, and when.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

import msgspec

from fairtrial.graders.finding import JUDGE, NOT_APPLICABLE, NOTHING_TO_SAY, Finding, broken, unknown
from fairtrial.graders.judge import CODE_DECIDED
from fairtrial.graders.rule_values import RuleUnknown
from fairtrial.records.check import STRICT
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fairtrial.graders.compiled import Test
    from fairtrial.graders.contract import Ask
    from fairtrial.graders.view import View
    from fairtrial.records.grade import Grade, Scorecard
    from fairtrial.records.opinion import Matter, Opinion


def look(test: Test, view: View) -> Finding:
    """What a check finds. A fault of our own in one check makes that check UNKNOWN and harms no other."""
    try:
        return test.find(view)
    except RuleUnknown as error:
        return unknown(str(error))
    except Exception as error:  # noqa: BLE001 - a grader is caged: a broken one is UNKNOWN, and the others go on
        return broken(f"the grader broke: {type(error).__name__}: {error}"[:300], seen=traceback.format_exc(limit=-6)[-2000:])


def verdicts_of(tests: Sequence[Test], view: View) -> list[Verdict]:
    """What the checks of a part of a trial come to, those that apply: a judge alone passes none of safety or a decision there either."""
    found = [(test, here) for test in tests if (here := look(test, view)) is not NOT_APPLICABLE and here is not NOTHING_TO_SAY]
    alone = [_by_judge_alone(test, here, view) for test, here in found]
    by_code = {test.card_of(here) for (test, here), judged in zip(found, alone, strict=True) if here.verdict is Verdict.PASS and not judged}
    return [
        Verdict.UNKNOWN if judged and test.card_of(here) not in by_code else here.verdict
        for (test, here), judged in zip(found, alone, strict=True)
    ]


def _by_judge_alone(test: Test, found: Finding, view: View) -> bool:
    """Whether a check of safety or a decision passed that would not have passed if its judges had said nothing."""
    if found.verdict is not Verdict.PASS or test.card_of(found) not in STRICT:
        return False
    if not test.needs_code:
        return found.source == JUDGE
    view.deaf = True
    try:
        return look(test, view).verdict is not Verdict.PASS
    finally:
        view.deaf = False


class Pending:
    """The grades of one trial so far. `finish` makes a scorecard of them."""

    def __init__(self, view: View, finish: Callable[[Pending], Scorecard]) -> None:
        self.view = view
        self.grades: list[Grade] = []
        self.left_out = 0
        self._finish = finish
        self._waiting: list[Test] = []
        self._questions: dict[str, tuple[Ask, Callable[[], Matter]]] = {}
        self._by_judge: list[Grade] = []
        """Passed grades of cards that no judge passes alone, which would not have passed without a judge."""

    def decided(self, grades: list[Grade]) -> Pending:
        """With these grades and no check besides."""
        self.grades = grades
        return self

    def waits(self, test: Test, found: Finding) -> bool:
        """Whether a check is put off until judges were heard that it has just asked for. One that is decided without them is not."""
        wanted, self.view.wanted = self.view.wanted, {}
        if not wanted or found.verdict is not Verdict.UNKNOWN:
            return False
        self._questions |= wanted
        self._waiting.append(test)
        return True

    def want_more(self) -> None:
        """The same for what the checks of sub-tasks want; they are looked at again when the card is written."""
        self._questions |= self.view.wanted
        self.view.wanted = {}

    def add(self, test: Test, found: Finding) -> Grade | None:
        """The grade of a check; None where it has none."""
        if found is NOT_APPLICABLE:
            self.left_out += 1
        if found is NOT_APPLICABLE or found is NOTHING_TO_SAY:
            return None
        grade = test.grade(found)
        self.grades.append(grade)
        if _by_judge_alone(test, found, self.view):
            self._by_judge.append(grade)
        self.view.decided.append((test.subject, grade))
        return grade

    def close_where_failed(self) -> None:
        """Code first: once a check has failed, nothing that a judge says could mend it."""
        if any(grade.verdict is Verdict.FAIL for grade in self.grades):
            self.view.closed = CODE_DECIDED
            self._questions = {}

    @property
    def waiting(self) -> bool:
        """Whether a judge is still to be heard."""
        return any(question not in self.view.opinions for question in self._questions)

    def wanted(self) -> Iterator[tuple[str, Ask, Matter]]:
        """What is to be put before whom, each question once."""
        for question, (ask, matter) in self._questions.items():
            if question not in self.view.opinions:
                yield question, ask, matter()

    def hear(self, question: str, opinion: Opinion) -> None:
        """An answer to one of the questions that were wanted."""
        self.view.opinions[question] = opinion

    def card(self) -> Scorecard:
        """The scorecard, once. A check whose judge was not heard is UNKNOWN, and not fully graded."""
        for test in self._waiting:
            self.add(test, look(test, self.view))
        self._waiting = []
        self._never_alone()
        return self._finish(self)

    def _never_alone(self) -> None:
        """On a card of safety or decision what a judge alone passes stays open, unless code passes a check of that card too."""
        own = {id(grade) for grade in self._by_judge}
        by_code = {grade.card for grade in self.grades if grade.verdict is Verdict.PASS and id(grade) not in own}
        for place, grade in enumerate(self.grades):
            if id(grade) in own and grade.card not in by_code:
                why = f"a judge alone never passes a {grade.card} check: add one by code beside it ({grade.why})"
                self.grades[place] = msgspec.structs.replace(grade, verdict=Verdict.UNKNOWN, why=why)
