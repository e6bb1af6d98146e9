"""`review RUN` on a terminal: one item after the other, a key for each answer.

Every answer is saved before the next item is shown. Kept out: what a person may see, and where labels go (`steps/sitting.py`).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from fairtrial.records.grade import SEVERITIES
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from fairtrial.cli.out import Out
    from fairtrial.records.review import ReviewItem
    from fairtrial.steps.reviewing import Asked
    from fairtrial.steps.sitting import Sitting

VERDICTS = {"p": Verdict.PASS, "f": Verdict.FAIL, "u": Verdict.UNKNOWN}
SCORES = ("1", "2", "3", "4", "5")
SKIP, NOTE, QUIT, SHOW = "s", "n", "q", "y"


class Typed(NamedTuple):
    """One line as it was typed: the key, and what may stand behind a verdict."""

    key: str
    score: float | None = None
    severity: str | None = None
    rest: str = ""


def understand(line: str) -> Typed | None:
    """`p`, `f 2 critical`, `n it is a fan, not a lamp`; None for anything else."""
    words = line.strip().split()
    if not words:
        return None
    key, *rest = words
    key = key.lower()
    if key == NOTE and rest:
        return Typed(NOTE, rest=line.strip()[1:].strip())
    if key in (SKIP, QUIT, SHOW) and not rest:
        return Typed(key)
    if key not in VERDICTS or len(rest) > 2:
        return None
    score = next((float(word) for word in rest if word in SCORES), None)
    severity = next((name for name in SEVERITIES for word in rest if len(word) > 1 and name.startswith(word.lower())), None)
    understood = (score is not None) + (severity is not None)
    return Typed(key, score, severity) if understood == len(rest) else None


def talk(out: Out, asked: Asked, *, adjudicate: bool) -> int:
    """Works through the queue until it or the person is done; ends with how far the review is."""
    from fairtrial.report.review_view import review_sheet
    from fairtrial.steps.reading import open_store
    from fairtrial.steps.reviewing import status
    from fairtrial.steps.sitting import Sitting

    with open_store(".", out.store, create=False) as store:
        sitting = Sitting(store, asked, adjudicate=adjudicate)
        _pending(out, sitting)
        items = sitting.items
        _line(out, "review.hello", rater=sitting.rater, n=len(items))
        for number, item in enumerate(items, 1):
            if not _one(out, sitting, item, (number, len(items))):
                break
        found = status(store, sitting.asked)
    out.show(review_sheet(found, asked.reference, out.words, sitting.rater))
    return 0


def _line(out: Out, key: str, **values: object) -> None:
    from fairtrial.report.review_item import line_sheet

    out.show(line_sheet(out.words, key, **values))


def _ask(out: Out, key: str) -> str | None:
    """What was typed; None at the end of the input."""
    _line(out, key)
    out.page.write("> ")
    out.page.flush()
    return sys.stdin.readline() or None


def _pending(out: Out, sitting: Sitting) -> None:
    """Labels that waited: what was saved now, and which of two of this person's own stands."""
    waited = sitting.waited
    if waited.kept:
        _line(out, "review.caught_up", n=waited.kept)
    for why in waited.failed:
        _line(out, "review.waits_on", why=why)
    for asks in waited.asks:
        _line(out, "review.which", why=asks.what, item=asks.given.item[:8], given=asks.given.label, stands=_stands(asks.stands))
        line = (_ask(out, "review.which.keys") or "").strip().lower()
        if line in ("r", "k"):
            sitting.settle(asks, replace=line == "r")


def _stands(label: object) -> str:
    return str(getattr(label, "label", "–"))


def _one(out: Out, sitting: Sitting, item: ReviewItem, place: tuple[int, int]) -> bool:
    """Shows one item and saves what is said of it; False where the person is done."""
    from fairtrial.report.review_item import item_sheet

    if item.held_out:
        typed = understand(_ask(out, "review.held_out") or "q")
        if typed is None or typed.key != SHOW:
            return typed is None or typed.key != QUIT
    shown = sitting.show(item)
    out.show(item_sheet(shown, place, sitting.review, sitting.others(item), out.words))
    note = ""
    while True:
        line = _ask(out, "review.keys")
        typed = Typed(QUIT) if line is None else understand(line)
        if typed is None or typed.key == SHOW:
            _line(out, "review.not_understood")
        elif typed.key == NOTE:
            note = typed.rest
            _line(out, "review.noted")
        elif typed.key in (SKIP, QUIT):
            return typed.key == SKIP
        else:
            _save(out, sitting, item, (typed, note))
            return True


def _save(out: Out, sitting: Sitting, item: ReviewItem, said: tuple[Typed, str]) -> None:
    typed, note = said
    label = sitting.label(item, VERDICTS[typed.key], score=typed.score, severity=typed.severity, note=note)
    saved = sitting.save(label)
    _line(out, f"review.saved.{saved.state}", label=label.label.value, where=saved.where, why=saved.why)
