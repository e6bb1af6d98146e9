"""From a run to the queue of what people are to look at, and from their labels to the truth about its trials.

Kept out: the rules of the queue (`study/review.py`), what makes an item (`study/reviewitem.py`), how labels come in and go out
(`labelling.py`).
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import InputError, unknown_name
from fairtrial.records.label import last_words
from fairtrial.records.person import person_of, why_no_name
from fairtrial.records.review import BLIND, OPEN, REASONS, SETTLED, SPLIT, TRIAL, Added, Queued, Review, ReviewItem
from fairtrial.steps import waiting
from fairtrial.steps.looks import who
from fairtrial.steps.reading import split_reference
from fairtrial.steps.reviewrubric import rubric_lines
from fairtrial.steps.truths import items, rubric_of, settled_trials, truth
from fairtrial.study.agreeing import agreement
from fairtrial.study.heldout import HELD_OUT
from fairtrial.study.review import asked_words, drawn, lot_of, reasons_of, stakes
from fairtrial.study.settled import is_done, settle
from fairtrial.study.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.label import Label
    from fairtrial.records.review import Line
    from fairtrial.records.run import CaseInfo, Run
    from fairtrial.records.trial import TrialHead, TrialKey
    from fairtrial.store.sql import Store

__all__ = ["Asked", "build", "items", "read", "run_of", "settled_trials", "status", "truth"]

SAMPLE = 10
"""Trials of each setup that are drawn where nothing else is asked."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What `review` was asked. `sample` is a number of trials of each setup, or a share below 1 of them; 0 draws none."""

    reference: str
    question: str = TRIAL
    reasons: tuple[str, ...] = ()
    sample: int | Decimal = SAMPLE
    seed: int | None = None
    case: str | None = None
    rater: str | None = None
    limit: int | None = None
    again: bool = False


def build(store: Store, asked: Asked) -> Review:
    """Adds what the rules find to the queue, and returns the queue. Adding again what is open or done changes nothing."""
    _known(asked)
    run, setup = run_of(store, asked)
    entries, reviewable_, planned = _entries(store, run, setup, asked)
    added = store.labels.queue(entries, who(), is_done, again=asked.again)
    found = read(store, asked, (planned, planned - reviewable_), added)
    if asked.again and not added.reopened:
        found.unopened = True
        found.says += f" Nothing was opened again: nothing that was asked for is done ({added.open + added.added} open)."
    return found


def asked_of_people(store: Store, run: Run, question: str) -> list[str]:
    """The question as a person reads it, and what the rubric asks where it is about one."""
    told = [asked_words(question)]
    return told if question == TRIAL else [*told, *rubric_lines(run, question, rubric_of(store, run, question))]


def status(store: Store, asked: Asked) -> Review:
    """The queue as it stands; nothing is added to it."""
    run, setup = run_of(store, asked)
    return read(store, asked, (_planned(run, setup, asked), None), Added())


def _planned(run: Run, setup: str | None, asked: Asked) -> int:
    return sum(plan.attempts for plan in run.manifest.planned if setup in (None, plan.setup) and asked.case in (None, plan.case))


def _known(asked: Asked) -> None:
    for reason in asked.reasons:
        if reason not in REASONS:
            raise unknown_name("there is no such reason for a review", reason, REASONS)
    telling = [reason for reason in asked.reasons if reason not in BLIND]
    if asked.rater is not None and telling:
        mend = "review without --reason; who chooses items by their reason lists them without --as"
        what = "whoever labels is not told why an item is queued, for that tells a verdict"
        raise InputError(what, value=f"--reason {telling[0]}", allowed=", ".join(BLIND), mend=mend)


def run_of(store: Store, asked: Asked) -> tuple[Run, str | None]:
    """The run and the setup that were asked for. Raises InputError for a setup or case that is not there."""
    if asked.rater is not None and (why := why_no_name(asked.rater)):
        raise InputError(why, value=asked.rater, mend="--as NAME, as it is read")
    name, setup = split_reference(asked.reference)
    run = store.run(name)
    names = list(dict.fromkeys(plan.setup for plan in run.manifest.planned))
    if setup is not None and setup not in names:
        raise unknown_name("no such setup in this run", setup, names)
    cases = [info.id for info in run.manifest.cases]
    if asked.case is not None and asked.case not in cases:
        raise unknown_name("the run has no such case", asked.case, cases)
    return run, setup


def _entries(store: Store, run: Run, setup: str | None, asked: Asked) -> tuple[list[Queued], int, int]:
    """(what is to be queued, trials that can be looked at, planned trials)."""
    infos = {info.id: info for info in run.manifest.cases}
    places = {
        one.head.key: (one.item, one.asks)
        for one in items(store, run, asked.question)
        if one.item and setup in (None, one.head.key.setup) and asked.case in (None, one.head.key.case)
    }
    seed = run.manifest.seed if asked.seed is None else asked.seed
    sample = drawn(places, asked.sample, seed) if asked.case is None else set()
    before = _before(store, run) if asked.again else {}
    found = []
    for head, card in store.rows(run.id):
        if head.key in places:
            item, asks = places[head.key]
            why = {**before.get((item, head.key), {}), **dict(_reasons(head, card, infos[head.key.case], sample))}
            found += [
                Queued(item=item, asks=asks, question=asked.question, reason=reason, run=run.id, key=head.key, why=words)
                for reason, words in why.items()
                if not asked.reasons or reason in asked.reasons
            ]
    return found, len(places), _planned(run, setup, asked)


def _before(store: Store, run: Run) -> dict[tuple[str, TrialKey], dict[str, str]]:
    """Why trials of the run were queued until now: what is opened again is all that was there, wherever it came from."""
    found: dict[tuple[str, TrialKey], dict[str, str]] = {}
    for line in store.labels.lines(run.id):
        found.setdefault((line.item, line.key), {})[line.reason] = line.why
    return found


def _reasons(head: TrialHead, card: Scorecard | None, info: CaseInfo, sample: set[TrialKey]) -> Iterator[tuple[str, str]]:
    yield from reasons_of(head, card, info)
    if head.key in sample:
        yield "sample", "drawn at random"


def read(store: Store, asked: Asked, counts: tuple[int, int | None], added: Added) -> Review:
    """The queue of a run as it stands, without adding to it. Labels that waited to be saved are given to the store first."""
    pending = waiting.retry(store).waiting
    run, setup = run_of(store, asked)
    lines = [
        line for line in store.labels.lines(run.id)
        if line.question == asked.question and setup in (None, line.key.setup) and asked.case in (None, line.key.case)
    ]  # fmt: skip
    by_item, older = _today(store, run, asked, lines)
    rounds, given = store.labels.rounds(), store.labels.given(by_item)
    now = {item: [label for label in given.get(item, ()) if label.round == rounds[item]] for item in by_item}
    infos = {info.id: info for info in run.manifest.cases}
    order = {key: place for place, key in enumerate(run.manifest.trial_keys())}
    made = [_item(lines, now[item], infos, (rounds[item], order, asked.rater)) for item, lines in by_item.items()]
    made = [one for one in made if not asked.reasons or set(one[1]) & _told(one[0], asked)]
    made.sort(key=lambda one: _place(one, order, asked, run.manifest.seed))
    states = Counter(one[0].state for one in made)
    return Review(
        run=run.id,
        question=asked.question,
        asked=asked_words(asked.question),
        rubric=asked_of_people(store, run, asked.question)[1:],
        items=[one[0] for one in made][: asked.limit],
        added=added,
        planned=counts[0],
        not_reviewable=counts[1],
        open=states[OPEN],
        split=states[SPLIT],
        settled=states[SETTLED],
        by_reason={} if asked.rater else dict(Counter(reason for _, reasons, _ in made for reason in reasons)),
        raters=_raters([label for one in made for label in last_words(now[one[0].item])]),
        pending=pending,
        older=older,
        says=f"{count(len(made), 'item')} queued: {states[OPEN]} open, {states[SPLIT]} to settle, {states[SETTLED]} settled.",
        agreement=agreement({one[0].item: (infos[one[2].case].cluster or one[2].case, now[one[0].item]) for one in made}),
    )


def _today(store: Store, run: Run, asked: Asked, lines: Sequence[Line]) -> tuple[dict[str, list[Line]], int]:
    """(the lines by item, of items that are asked by today's rubric; how many items are about an earlier one)."""
    by_item: dict[str, list[Line]] = {}
    for line in lines:
        by_item.setdefault(line.item, []).append(line)
    if asked.question == TRIAL or not by_item:
        return by_item, 0
    present = {one.item for one in items(store, run, asked.question)}
    kept = {item: own for item, own in by_item.items() if item in present}
    return kept, len(by_item) - len(kept)


def _told(item: ReviewItem, asked: Asked) -> set[str]:
    """The reasons that may choose an item: of one that its reader still has to label only those that tell no verdict."""
    return set(asked.reasons) & set(BLIND if asked.rater is not None and item.state == OPEN else REASONS)


def _place(made: tuple[ReviewItem, list[str], TrialKey], order: dict[TrialKey, int], asked: Asked, seed: int) -> tuple[Any, ...]:
    """What the queue is ordered by: what is at stake; for whoever still has to label it a lot, for the order would tell of verdicts."""
    item, reasons, key = made
    if asked.rater is not None and item.state == OPEN:
        return 0, lot_of(item.item, person_of(asked.rater), seed)
    return 1, *stakes(reasons), order[key]


def _raters(labels: Sequence[Label]) -> dict[str, int]:
    """Rater -> items, each person once, as the name was written first."""
    names: dict[str, str] = {}
    return dict(Counter(names.setdefault(label.person, label.rater) for label in labels))


def _item(
    lines: Sequence[Line], labels: Sequence[Label], infos: dict[str, CaseInfo], about: tuple[int, dict[TrialKey, int], str | None]
) -> tuple[ReviewItem, list[str], TrialKey]:
    """(the item as it is shown, all its reasons, its first trial)."""
    round_, order, rater = about
    settled = settle(labels)
    keys = sorted({line.key for line in lines}, key=lambda key: order.get(key, len(order)))
    reasons = sorted({line.reason for line in lines}, key=REASONS.index)
    whys = list(dict.fromkeys(line.why for line in sorted(lines, key=lambda line: REASONS.index(line.reason))))
    info = infos[keys[0].case]
    yours = rater is not None and any(label.person == person_of(rater) for label in labels)
    told = rater is None or settled.state != OPEN
    held_out = info.labels.split == HELD_OUT
    item = ReviewItem(
        item=lines[0].item, question=lines[0].question, round=round_, state=settled.state, people=settled.people, case=keys[0].case,
        setup=keys[0].setup, attempt=keys[0].attempt, trials=len(keys), reasons=reasons if told else [],
        why=whys if told and not held_out else [], risk=info.labels.risk, held_out=held_out, yours=yours,
    )  # fmt: skip
    return item, reasons, keys[0]
