"""The failed trials of a run, put together by what failed: same case, same setup, same checks, same ending.

Fed as a stream; of each bunch only a few trials are named to be walked, so a run of any size stays small. Kept out: what the
bunches say (`diagnosis.py`).
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.failure import STANDING_FIXES
from fairtrial.records.verdict import Verdict
from fairtrial.study.codes import FAIL, verdict_of
from fairtrial.study.lane import EXACT

if TYPE_CHECKING:
    from collections.abc import Collection

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.trial import TrialHead, TrialKey

LOOKED = 5
"""Trials of a bunch that are walked step by step."""
WEIGHTS = {"minor": 1, "major": 3, "critical": 10}
"""What a failure counts by its severity: an order to look in, not a measure."""

BunchKey = tuple[str, str, str, tuple[str, ...]]


class Bunch(msgspec.Struct, kw_only=True):
    """Trials that failed alike. `burden` is the sum of their severity weights, `costly` that of weight × cost."""

    case: str
    setup: str
    checks: list[str]
    fixes: Counter[str] = msgspec.field(default_factory=Counter)
    """What the case itself says to mend, by trials."""
    attempts: list[int] = []
    severe: int = 0
    burden: int = 0
    costly: Decimal = Decimal(0)
    usd: Decimal = Decimal(0)
    known: int = 0
    sample: list[TrialKey] = []


class Failed:
    """What failed in a run, or in one setup of it. Failed trials of cases in `without` are counted in `left_out` and no more."""

    def __init__(self, setup: str | None = None, without: Collection[str] = ()) -> None:
        self.setup = setup
        self.without = without
        self.left_out = 0
        self.bunches: dict[BunchKey, Bunch] = {}
        self.cards: Counter[str] = Counter()

    def add(self, head: TrialHead, card: Scorecard | None) -> None:
        """Take a trial in, where it failed."""
        key = head.key
        if self.setup not in (None, key.setup) or verdict_of(head, card) != FAIL:
            return
        if key.case in self.without:
            self.left_out += 1
            return
        grades = [] if card is None else [grade for grade in card.grades if grade.verdict is Verdict.FAIL]
        checks = tuple(dict.fromkeys(grade.check for grade in grades))
        place = (key.setup, key.case, head.ending.value, checks)
        bunch = self.bunches.get(place)
        if bunch is None:
            bunch = self.bunches[place] = Bunch(case=key.case, setup=key.setup, checks=list(checks))
        weight = max((WEIGHTS.get(grade.severity, WEIGHTS["major"]) for grade in grades), default=WEIGHTS["major"])
        bunch.attempts.append(key.attempt)
        bunch.burden += weight
        bunch.fixes.update({grade.fix for grade in grades if grade.fix and grade.fix not in STANDING_FIXES})
        bunch.severe += card is not None and card.severe > 0
        if head.spend.usd is not None and head.spend.usd_complete:
            bunch.known += 1
            bunch.usd = EXACT.add(bunch.usd, head.spend.usd)
            bunch.costly = EXACT.add(bunch.costly, EXACT.multiply(head.spend.usd, Decimal(weight)))
        if len(bunch.sample) < LOOKED:
            bunch.sample.append(key)
        if card is not None:
            self.cards.update(name for name, verdict in card.cards.items() if verdict is Verdict.FAIL)
