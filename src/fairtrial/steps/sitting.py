"""One person at the queue of a run: what they are shown, item by item, and what they say of it, saved at once.

Nothing of what others said, and no verdict, is handed out before it may be seen; a held-out case is shown only after that look is
written down; and no label is lost: one that cannot be saved waits in a file. Kept out: the terminal (`cli/reviewtalk.py`).
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import StoreError
from fairtrial.records.label import RATES, SETTLES, Asks, Label, last_words
from fairtrial.records.person import person_of
from fairtrial.records.review import OPEN, SPLIT, Shown
from fairtrial.records.trial import TrialKey
from fairtrial.steps import looks, waiting
from fairtrial.steps.looks import who
from fairtrial.steps.reviewing import build, status
from fairtrial.study.reviewitem import asked_of
from fairtrial.study.reviewshown import shown

if TYPE_CHECKING:
    from fairtrial.records.review import Review, ReviewItem
    from fairtrial.records.verdict import Verdict
    from fairtrial.steps.reviewing import Asked
    from fairtrial.store.sql import Store

KEPT, WAITS, ASKS = "kept", "waits", "asks"
NAMED = "FAIRTRIAL_USER"


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a label. `where` is the file that it waits in; `asks` says what it contradicts."""

    state: str
    where: str = ""
    why: str = ""
    asks: Asks | None = None


class Sitting:
    """`adjudicate`: the items that people see differently, to be settled by somebody who is none of them."""

    def __init__(self, store: Store, asked: Asked, *, adjudicate: bool = False) -> None:
        self.store = store
        self.rater = asked.rater or os.environ.get(NAMED, "").strip() or who()
        self.adjudicate = adjudicate
        self.limit = asked.limit
        self.asked = msgspec.structs.replace(asked, rater=self.rater, limit=None)
        self.waited = waiting.retry(store)
        # Of labels that need a word only this person's own are told: nobody is shown what others said.
        self.waited.asks = [one for one in self.waited.asks if one.given.person == person_of(self.rater)]
        self.review: Review = status(store, self.asked) if adjudicate else build(store, self.asked)
        self._run = store.run(self.review.run)
        self._raws = store.case_raw(self._run.id)

    @property
    def items(self) -> list[ReviewItem]:
        """Those that wait for this person."""
        wanted = SPLIT if self.adjudicate else OPEN
        return [item for item in self.review.items if item.state == wanted and not item.yours][: self.limit]

    def show(self, item: ReviewItem) -> Shown:
        """The item as it may be seen; of a held-out case the look is in the ledger when this returns."""
        looks.note(self.store, self._run, item.case, "review", (item.setup, item.attempt))
        trial = self.store.trial(self._run.id, _key(item))
        return shown(asked_of(item.case, self._raws.get(item.case)), trial.head, trial.body)

    def others(self, item: ReviewItem) -> list[tuple[str, str]]:
        """(who, what they said) of people, judges and code: for somebody who settles a difference, and for nobody else."""
        if not self.adjudicate:
            return []
        labels = [label for label in self.store.labels.given([item.item]).get(item.item, []) if label.round == item.round]
        told = [(label.rater, _words(label)) for label in last_words(labels)]
        card = self.store.scorecard(self._run.id, _key(item))
        if card is None:
            return told
        told += [(one.judge, f"{one.verdict.value} {one.why}".rstrip()) for one in card.opinions]
        return [*told, ("code", card.verdict.value)]

    def label(self, item: ReviewItem, verdict: Verdict, **said: Any) -> Label:
        """What this person says of an item; `said`: score, severity, note."""
        return Label(
            item=item.item, rater=self.rater, label=verdict, round=item.round, saw=0, role=SETTLES if self.adjudicate else RATES,
            at_ns=time.time_ns(), who=who(), token=os.urandom(16).hex(), **said,
        )  # fmt: skip

    def save(self, label: Label, *, replace: bool = False) -> Saved:
        """Durable when this returns, in the store or in the file of labels that wait for it."""
        try:
            self.store.labels.give(label, replace=replace)
        except Asks as asks:
            return Saved(state=ASKS, where=waiting.keep(self.store.url, label, asks.what), why=asks.what, asks=asks)
        except StoreError as error:
            return Saved(state=WAITS, where=waiting.keep(self.store.url, label, error.what), why=error.what)
        return Saved(state=KEPT)

    def settle(self, asks: Asks, *, replace: bool) -> None:
        """Which of two labels of this person stands: the new one as a correction, or the one that is there."""
        if replace:
            self.store.labels.give(asks.given, replace=True)
        waiting.drop(self.store.url, asks.given)
        waiting.retry(self.store)


def _key(item: ReviewItem) -> TrialKey:
    return TrialKey(item.case, item.setup, item.attempt)


def _words(label: Label) -> str:
    parts = [label.label.value, None if label.score is None else f"{label.score:g}/5", label.severity, label.note]
    return "  ".join(part for part in parts if part)
