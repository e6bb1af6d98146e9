"""Labels out of the store and into it: as a file for one person or for the records, and one at a time.

Who may see what is held here: a person who has not labelled an item yet is shown neither what others said of it nor any verdict, and
a held-out case only where that look is written down first. Kept out: the form of a file (`exchange/reviewfile.py`).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.exchange.reviewfile import FORMATS, PERSON, read_labels, write_ratings
from fairtrial.records.errors import InputError
from fairtrial.records.label import SETTLES, Asks, Label, last_words
from fairtrial.records.moment import moment
from fairtrial.records.person import person_of
from fairtrial.records.review import OPEN, SPLIT, TRIAL
from fairtrial.steps import looks, waiting
from fairtrial.steps.looks import who
from fairtrial.steps.reviewing import asked_of_people, run_of, status
from fairtrial.steps.truths import items
from fairtrial.store.labels import NotQueued
from fairtrial.study.heldout import HELD_OUT
from fairtrial.study.reviewitem import asked_of
from fairtrial.study.reviewshown import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.run import CaseInfo, Run
    from fairtrial.records.trial import TrialKey
    from fairtrial.steps.reviewing import Asked
    from fairtrial.steps.truths import Found
    from fairtrial.store.sql import Store


class Taken(msgspec.Struct, kw_only=True):
    """`review import --json`. `kept` labels are new, `there` were there already; `blank` lines wait for a label, `judges` lines are
    of judges and not taken. `unknown` items are not of this store's queue. `asks`: labels that cannot just be added, with both."""

    files: list[str]
    rows: int = 0
    kept: int = 0
    there: int = 0
    blank: int = 0
    judges: int = 0
    unknown: int = 0
    question: str | None = None
    """What the labels that are there answer, where all of them answer the same."""
    refused: list[dict[str, Any]] = []
    asks: list[dict[str, Any]] = []


def form_of(file: str | None, form: str | None) -> str:
    """The format that was named, else the one that the file's name says, else JSONL."""
    if form is not None:
        return form
    ending = os.path.splitext(file or "")[1].lower().removeprefix(".")
    return ending if ending in FORMATS else FORMATS[0]


def take(store: Store, files: Sequence[str], form: str | None = None, *, replace: bool = False) -> Taken:
    """Labels of files into the store. A line that cannot be taken keeps no other out. Raises InputError where a file cannot be read."""
    read = [(file, read_labels(file, form_of(file, form))) for file in files]
    waiting.retry(store)
    found = Taken(files=list(files))
    by = who()
    for file, ratings in read:
        found.rows, found.blank, found.judges = found.rows + ratings.rows, found.blank + ratings.blank, found.judges + ratings.judges
        found.refused += [{"file": file, "line": one.line, "why": one.why} for one in ratings.refused]
        given = [msgspec.structs.replace(label, who=by, token="", at_ns=0) for _, label in ratings.labels]
        for (line, label), came in zip(ratings.labels, store.labels.give_all(given, replace=replace), strict=True):
            _count(found, {"file": file, "line": line}, label, came)
    labelled = {label.item for _, ratings in read for _, label in ratings.labels}
    questions = {line.question for line in store.labels.lines() if line.item in labelled}
    found.question = questions.pop() if len(questions) == 1 else None
    return found


def _count(found: Taken, place: dict[str, Any], label: Label, came: bool | InputError) -> None:
    if isinstance(came, Asks):
        found.asks.append(
            {**place, "item": label.item, "rater": label.rater, "why": came.what, "given": told(label), "stands": told(came.stands)}
        )
    elif isinstance(came, NotQueued):
        found.unknown += 1
        found.refused.append({**place, "why": f"{came.what}: {label.item}"})
    elif isinstance(came, InputError):
        found.refused.append({**place, "why": f"{came.what} ({label.rater})"})
    elif came:
        found.kept += 1
    else:
        found.there += 1


def told(label: Label | None) -> dict[str, Any] | None:
    """A label as it is shown."""
    if label is None:
        return None
    parts = {"label": label.label.value, "score": label.score, "severity": label.severity, "note": label.note}
    return {name: value for name, value in parts.items() if value not in (None, "")} | ({"at": moment(label.at_ns)} if label.at_ns else {})


class Sent(msgspec.Struct, kw_only=True):
    """What an export came to. `held_out` items were left out, for reading them is a look."""

    text: str
    rows: int
    items: int
    held_out: int = 0
    opened: int = 0
    question: str = TRIAL
    settles: int = 0
    """Of the items those that its reader may settle."""


def send(store: Store, asked: Asked, form: str, *, held_out: bool = False) -> Sent:
    """The queue of a run as a file. For one person (`asked.rater`): every item that waits for people or has their label, and those that
    two others see differently, to be settled; each once, with what it takes to judge it and their own label, and nothing else. Else all
    labels as they stand, the judges' beside them, and an empty line for each item that has none."""
    run, setup = run_of(store, asked)
    listed = status(store, msgspec.structs.replace(asked, limit=None)).items
    queue = [item.item for item in listed if asked.rater is None or item.state in (OPEN, SPLIT) or item.yours]
    infos, raws = {info.id: info for info in run.manifest.cases}, store.case_raw(run.id)
    cards = {} if asked.rater else {head.key: card for head, card in store.rows(run.id)}
    rounds, given = store.labels.rounds(), store.labels.given(set(queue))
    question = {"question": asked.question, "asked": "\n".join(asked_of_people(store, run, asked.question))}
    rows: list[dict[str, Any]] = []
    sent = Sent(text="", rows=0, items=0, question=asked.question)
    settles = {item.item for item in listed if asked.rater is not None and item.state == SPLIT and not item.yours}
    for one in _first(store, run, setup, (asked.question, queue)):
        info, key = infos[one.head.key.case], one.head.key
        closed = info.labels.split == HELD_OUT
        if closed and not held_out:
            sent.held_out += 1
            continue
        sent.opened += closed and looks.note(store, run, info.id, "review", (key.setup, key.attempt))
        read = question | _to_read(one, raws.get(info.id))
        labels = [label for label in given.get(one.item, ()) if label.round == rounds[one.item]]
        role = {"role": SETTLES} if one.item in settles else {}
        common = {"item": one.item, "cluster": info.cluster or info.id, "round": rounds[one.item], **role, **read}
        sent.settles += one.item in settles
        rows += _rows(labels, common, (asked, info, key), cards.get(key))
        sent.items += 1
    sent.text, sent.rows = write_ratings(rows, form), len(rows)
    return sent


def _first(store: Store, run: Run, setup: str | None, wanted: tuple[str, Sequence[str]]) -> list[Found]:
    """The first trial of each item that is wanted, in that order."""
    question, queue = wanted
    found: dict[str, Found | None] = dict.fromkeys(queue)
    for one in items(store, run, question):
        if one.item in found and found[one.item] is None and setup in (None, one.head.key.setup):
            found[one.item] = one
    return [one for one in found.values() if one is not None]


def _to_read(one: Found, raw: Any) -> dict[str, Any]:
    case = one.head.key.case
    return {"case": case, **msgspec.to_builtins(shown(asked_of(case, raw), one.head, one.body))}


def _rows(
    labels: Sequence[Label], common: dict[str, Any], about: tuple[Asked, CaseInfo, TrialKey], card: Scorecard | None
) -> Iterator[dict[str, Any]]:
    asked, info, key = about
    if asked.rater is not None:
        mine = [label for label in labels if label.person == person_of(asked.rater)]
        yield common | {"rater": f"{PERSON}:{asked.rater}", "saw": len(mine)} | (_given(mine[-1]) if mine else {}) | {"saw": len(mine)}
        return
    common = common | {"slice": _slice(info, key)}
    rated = [*last_words(labels), *last_words(labels, SETTLES)]
    for label in rated:
        saw = sum(other.person == label.person for other in labels)
        yield common | {"rater": f"{PERSON}:{label.rater}", "saw": saw, "at": moment(label.at_ns)} | _given(label)
    for opinion in [] if card is None else card.opinions:
        if asked.question in (TRIAL, f"judge:{opinion.judge}"):
            own = {"rater": opinion.judge, "label": opinion.verdict.value, "version": opinion.identity, "score": opinion.score}
            yield common | own | {"note": opinion.why}
    if not rated:
        yield common | {"saw": 0}


def _given(label: Label) -> dict[str, Any]:
    role = {} if label.role == "rates" else {"role": label.role}
    return {"label": label.label.value, "score": label.score, "severity": label.severity, "note": label.note, **role}


def _slice(info: CaseInfo, key: TrialKey) -> dict[str, str]:
    """The part of the cases that a line belongs to: its setup, the labels of its case, its tags of the form `lang:zh`."""
    named = {name: value for name in ("tier", "risk", "difficulty", "kind") if (value := getattr(info.labels, name))}
    tags = dict(tag.split(":", 1) for tag in info.labels.tags if ":" in tag)
    return {"setup": key.setup, **named, **tags}
