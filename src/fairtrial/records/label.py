"""What one person said of one item: a line that is added and never changed.

A correction is a line of its own that names the one it takes the place of. Kept out: where lines lie (`store/labels.py`) and
what they come to together (`study/settled.py`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.moment import moment
from fairtrial.records.person import person_of
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

PEOPLE = 2
"""People who label an item blindly before anybody is shown what others said of it."""
LOWEST, HIGHEST = 1.0, 5.0
"""The scale of a score that a person gives."""
RATES, SETTLES = "rates", "settles"
"""What a label does: it is one of those that are compared, or it settles a difference between them."""


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """`rater` is the name as it was given. `round` and `saw` say which version of the item the rater saw: the round, and how many
    labels of their own in it (None: not stated). `replaces` is the token of the label it corrects.

    `blind`: nobody else's label could be seen when it was given. `who` is the user of the computer it was given at.
    """

    item: str
    rater: str
    label: Verdict
    round: int | None = None
    saw: int | None = None
    score: float | None = None
    severity: str | None = None
    note: str = ""
    role: str = RATES
    at_ns: int = 0
    who: str = ""
    token: str = ""
    replaces: str | None = None
    blind: bool = True

    @property
    def person(self) -> str:
        """Who that is, however the name is written: by it one person is told from another."""
        return person_of(self.rater)

    @property
    def said(self) -> tuple[str, float | None, str | None, str, str]:
        """What was said, without when and how."""
        return self.label.value, self.score, self.severity, self.note, self.role


def last_words(labels: Iterable[Label], role: str = RATES) -> list[Label]:
    """Each person's last label of a round, in the order in which people began."""
    found: dict[str, Label] = {}
    for label in labels:
        if label.role == role:
            found[label.person] = label
    return list(found.values())


def agreed(labels: Iterable[Label]) -> Verdict | None:
    """What more than half of those who rate say, where there are two of them or more; None where there is a difference to settle."""
    rated = last_words(labels)
    if len(rated) < PEOPLE:
        return None
    ((first, most),) = Counter(label.label for label in rated).most_common(1)
    return first if most * 2 > len(rated) else None


class Asks(InputError):
    """A label that cannot just be added, for the rater said something else meanwhile, or the item was opened again: which stands?

    Nothing is lost: `given` is the label that was not taken, `stands` the rater's own that is there (None where there is none).
    """

    def __init__(self, what: str, given: Label, stands: Label | None) -> None:
        told = "" if stands is None else f", yours now is {stands.label.value} of {moment(stands.at_ns)}"
        mend = "give it again with --replace to correct what stands, or leave it"
        super().__init__(f"{what}{told}", place=given.item, value=f"{given.rater}: {given.label.value}", mend=mend)
        self.given = given
        self.stands = stands
