"""Which trials people are to look at, and why: by rules over what a run has on each, and by a random draw.

Every reason that holds is told. Kept out: what makes an item one and the same (`reviewitem.py`), and how a person is asked.
"""

from __future__ import annotations

import math
from decimal import Decimal
from hashlib import sha256
from typing import TYPE_CHECKING

from fairtrial.records.review import JUDGE, REASONS, TRIAL
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict, all_of
from fairtrial.study.codes import UNKNOWN, verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.opinion import Opinion
    from fairtrial.records.run import CaseInfo
    from fairtrial.records.trial import TrialHead

DECIDED = (Verdict.PASS, Verdict.FAIL)
CRITICAL = "critical"


def asked_words(question: str) -> str:
    """A question as a person reads it."""
    if question == TRIAL:
        return "did it do what was asked?"
    return f"is it good enough by the rubric of {question.removeprefix(JUDGE)}?"


def reasons_of(head: TrialHead, card: Scorecard | None, info: CaseInfo) -> Iterator[tuple[str, str]]:
    """(reason, why in words) for every rule that holds of a trial; the draw is not among them."""
    opinions = [] if card is None else card.opinions
    if card is not None and card.severe:
        named = next((grade.check for grade in card.grades if grade.verdict is Verdict.FAIL and grade.severity == CRITICAL), "")
        yield "severe", f"a severe failure{': ' + named if named else ''}"
    if info.labels.risk == "high":
        yield "risk", "the case is of high risk"
    yield from _judged(card, opinions)
    if verdict_of(head, card) == UNKNOWN:
        open_ = [] if card is None else [grade for grade in card.grades if grade.verdict is Verdict.UNKNOWN and not grade.excused]
        yield "unknown", f"the verdict is UNKNOWN{': ' + (open_[0].why or open_[0].check) if open_ else ''}"


def _judged(card: Scorecard | None, opinions: Sequence[Opinion]) -> Iterator[tuple[str, str]]:
    if card is None or not opinions:
        return
    code = _by_code(card)
    against = [one for one in opinions if one.verdict in DECIDED and code in DECIDED and one.verdict is not code]
    if against:
        told = ", ".join(f"{one.judge} says {one.verdict.value}" for one in against)
        yield "judge_code", f"code says {code.value}, {told}"
    split = [one.judge for one in opinions if len({answer.passed for answer in one.answers if not answer.problem}) > 1]
    if len({one.verdict for one in opinions if one.verdict in DECIDED}) > 1:
        yield "judges", f"judges disagree: {', '.join(f'{one.judge} {one.verdict.value}' for one in opinions)}"
    elif split:
        yield "judges", f"the answers of {', '.join(split)} disagree with each other"


def _by_code(card: Scorecard) -> Verdict:
    """What the trial comes to by code alone."""
    return all_of(grade.verdict for grade in card.grades if grade.source == "code" and not (grade.excused or grade.aside))


def drawn(keys: Iterable[TrialKey], sample: int | Decimal, seed: int) -> set[TrialKey]:
    """A random sample of the trials of each setup: so many, or a share below 1 of them (rounded up).

    The draw is by case and attempt, so that setups that were tried at the same cases are sampled alike and can be paired; the same
    seed draws the same ones, and a larger sample holds the smaller one.
    """
    setups: dict[str, list[TrialKey]] = {}
    for key in keys:
        setups.setdefault(key.setup, []).append(key)
    found: set[TrialKey] = set()
    for own in setups.values():
        most = sample if isinstance(sample, int) else math.ceil(sample * len(own))
        found.update(sorted(own, key=lambda key: _lot(key, seed))[:most])
    return found


def _lot(key: TrialKey, seed: int) -> tuple[bytes, TrialKey]:
    words = f"{seed}\x00{key.case}\x00{key.attempt}".encode("utf-8", "surrogatepass")
    return sha256(words).digest(), key


def lot_of(item: str, rater: str, seed: int) -> bytes:
    """The place of an item in the queue of one person: drawn, so that it tells nothing of why the item is queued."""
    return sha256(f"{seed}\x00{rater}\x00{item}".encode("utf-8", "surrogatepass")).digest()


def stakes(reasons: Iterable[str]) -> tuple[int, int]:
    """What an item is ordered by, the smallest first: its gravest reason, then how many it has."""
    places = sorted({REASONS.index(reason) for reason in reasons})
    return (places[0] if places else len(REASONS), -len(places))
