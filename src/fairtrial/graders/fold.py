"""From grades to a scorecard: what all the grades of a trial come to.

FAIL where one fails; PASS where none fails, at least one passed and every UNKNOWN is excused; else UNKNOWN. Each card by the
same rule. A grade that stands aside counts for its card alone. Nothing is averaged.
"""

from __future__ import annotations

from fairtrial.records.grade import Grade
from fairtrial.records.verdict import Verdict

PASSED, OPEN, FAILED, EXCUSED = 1, 2, 4, 8


def verdict_of(bits: int) -> Verdict:
    """`bits` is the union of what the grades are."""
    if bits & FAILED:
        return Verdict.FAIL
    return Verdict.PASS if bits & PASSED and not bits & OPEN else Verdict.UNKNOWN


def fold(grades: list[Grade]) -> tuple[Verdict, dict[str, Verdict], int]:
    """The verdict, the verdict of each card that has a grade, and the number of severe failures."""
    cards: dict[str, int] = {}
    bits = severe = 0
    for grade in grades:
        verdict = grade.verdict
        if verdict is Verdict.PASS:
            bit = PASSED
        elif verdict is Verdict.FAIL:
            bit = FAILED
            severe += grade.severity == "critical"
        else:
            bit = EXCUSED if grade.excused else OPEN
        card = grade.card
        cards[card] = cards.get(card, 0) | bit
        bits |= 0 if grade.aside else bit
    return verdict_of(bits), {card: verdict_of(bit) for card, bit in cards.items()}, severe
