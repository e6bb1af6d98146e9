"""The queue of what people are to look at, and what they said: lines that are added and never changed or removed.

Every label is checked against what is there within the transaction that adds it, so that two people, or one person at two
screens, can neither overwrite each other nor lose a word. Kept out: what labels come to (`study/settled.py`).
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.label import PEOPLE, RATES, SETTLES, Asks, Label, agreed
from fairtrial.records.person import why_no_name
from fairtrial.records.review import Added, Line
from fairtrial.records.text import utf8
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.store import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from fairtrial.records.review import Queued
    from fairtrial.store.redact import Redactor

    Settled = Callable[[Sequence[Label]], bool]


class NotQueued(InputError):
    """A label is about an item that this store has never queued."""


class Labels:
    """The queue and the labels of one store, through its face."""

    def __init__(self, face: Any, redactor: Callable[[], Redactor]) -> None:
        self._face = face
        self._redactor = redactor

    def queue(self, entries: Iterable[Queued], who: str, done: Settled, *, again: bool = False) -> Added:
        """Adds trials to the queue. An item that is open already stays one item. One that is done (`done` says so of the labels of its
        round) stays done, or with `again` is opened as another round of the same item. Either way the queue of a run holds all that was
        drawn of it: a sample without what was done before would be no sample."""
        by_item: dict[str, list[Queued]] = {}
        for entry in entries:
            by_item.setdefault(entry.item, []).append(entry)
        counts = dict.fromkeys(Added.__struct_fields__, 0)
        now = time.time_ns()
        with self._face.writing() as session:
            (number,) = session.execute(schema.NEXT_REVIEW).fetchone()
            for item, lines in by_item.items():
                came, round_ = _place(session, item, done, again=again)
                counts[came] += 1
                for line in lines:
                    number += session.execute(schema.ADD_REVIEW, (number, item, round_, *self._queued(line), now, _kept(who))).rowcount
        return Added(**counts)

    def _queued(self, line: Queued) -> tuple[Any, ...]:
        key = line.key
        why = _kept(self._redactor().redact_text(line.why))
        return line.asks, _kept(line.question), line.reason, why, line.run, _kept(key.case), _kept(key.setup), key.attempt

    def lines(self, run: str | None = None) -> list[Line]:
        """The queue of a run, or all of it, in the order it was added to."""
        with self._face.reading() as session:
            rows = session.execute(*((schema.ALL_REVIEWS,) if run is None else (schema.READ_REVIEWS, (run,)))).fetchall()
        return [_line(row) for row in rows]

    def rounds(self) -> dict[str, int]:
        """Item -> its present round, of all that ever were queued."""
        found: dict[str, int] = {}
        for line in self.lines():
            found[line.item] = max(line.round, found.get(line.item, 0))
        return found

    def asked(self) -> set[str]:
        """What the cases of labelled items ask (`Line.asks`): trials that ask anything else cannot have a label."""
        with self._face.reading() as session:
            return {row[0] for row in session.execute(schema.ASKED)}

    def given(self, items: Collection[str] | None = None) -> dict[str, list[Label]]:
        """Item -> all labels of all its rounds, oldest first; of these items, or of all that have any."""
        found: dict[str, list[Label]] = {}
        with self._face.reading() as session:
            for row in session.execute(schema.ALL_LABELS):
                if items is None or row[0] in items:
                    found.setdefault(row[0], []).append(_label(row))
        return found

    def give(self, label: Label, *, replace: bool = False) -> bool:
        """Adds a label, durable when this returns; False where the very same is there already.

        Raises Asks where the rater has said something else meanwhile or the item was opened again (with `replace` it is taken as a
        correction), and InputError where there is no such item, or the rater may not do this.
        """
        (came,) = self.give_all([label], replace=replace)
        if isinstance(came, InputError):
            raise came
        return came

    def give_all(self, labels: Sequence[Label], *, replace: bool = False) -> list[bool | InputError]:
        """As `give`, many in one transaction: what came of each, and what keeps one out keeps no other out."""
        covered = [self._covered(label) for label in labels]
        found: list[bool | InputError] = []
        with self._face.writing() as session:
            for label in covered:
                try:
                    found.append(self._give(session, label, replace=replace))
                except InputError as error:
                    found.append(error)
        return found

    def _give(self, session: schema.Session, label: Label, *, replace: bool) -> bool:
        if why := why_no_name(label.rater):
            raise InputError(why, place=label.item, value=label.rater, mend="write the name as it is read: --as NAME, or human:NAME")
        if session.execute(schema.HAS_TOKEN, (label.token,)).fetchone() is not None:
            return False
        (round_,) = session.execute(schema.ROUND_OF, (label.item,)).fetchone()
        if round_ is None:
            raise NotQueued("no such item is queued for review", value=label.item, mend="queue it: fairtrial review RUN")
        there = [_label(row) for row in session.execute(schema.LABELS_OF, (label.item,)) if row[3] == round_]
        mine = [one for one in there if one.person == label.person]
        if mine and mine[-1].said == label.said:
            return False
        _may(label, there)
        if not replace:
            _fresh(label, mine, round_)
        self._add(session, _finished(label, there, mine, round_))
        return True

    def _covered(self, label: Label) -> Label:
        note, rater = (_kept(self._redactor().redact_text(text)) for text in (label.note, label.rater))
        return msgspec.structs.replace(label, note=note, rater=rater, token=label.token or os.urandom(16).hex())

    @staticmethod
    def _add(session: schema.Session, label: Label) -> None:
        (number,) = session.execute(schema.NEXT_LABEL).fetchone()
        score = None if label.score is None else repr(label.score)
        row = (
            number, label.token, label.item, label.round, label.person, label.rater, label.label.value, score, label.severity,
            label.note, label.role, label.saw, label.at_ns, _kept(label.who), label.replaces, int(label.blind),
        )  # fmt: skip
        session.execute(schema.ADD_LABEL, row)


def _place(session: schema.Session, item: str, done: Settled, *, again: bool) -> tuple[str, int]:
    """(what becomes of an item that is added, its round then)."""
    (round_,) = session.execute(schema.ROUND_OF, (item,)).fetchone()
    if round_ is None:
        return "added", 1
    labels = [label for label in map(_label, session.execute(schema.LABELS_OF, (item,))) if label.round == round_]
    if not done(labels):
        return "open", round_
    return ("reopened", round_ + 1) if again else ("done", round_)


def _may(label: Label, there: Sequence[Label]) -> None:
    """Raises InputError where this rater may not give this label: a person is one of those who are compared, or settles, never both."""
    roles = {one.role for one in there if one.person == label.person}
    others = {one.person for one in there if one.role == RATES}
    if label.role == SETTLES and RATES in roles:
        mend = "let somebody settle it who has not labelled it"
        raise InputError("nobody settles a difference that their own label is part of", place=label.item, value=label.rater, mend=mend)
    if label.role == SETTLES and len(others) < PEOPLE:
        what = f"there is no difference to settle before {PEOPLE} people have labelled the item"
        raise InputError(what, place=label.item, value=f"labelled by {len(others)}", mend="label it: fairtrial review RUN --as NAME")
    if label.role == SETTLES and (agreed(there) or any(one.role == SETTLES and one.person != label.person for one in there)):
        mend = "leave it as it stands; review RUN --again asks people anew"
        raise InputError("there is no difference to settle", place=label.item, value=label.rater, mend=mend)
    if label.role == RATES and SETTLES in roles:
        mend = "leave the label to others"
        raise InputError("who has settled this item has seen all that was said of it", place=label.item, value=label.rater, mend=mend)


def _fresh(label: Label, mine: Sequence[Label], round_: int) -> None:
    """Raises Asks where the rater saw another version of the item than there is now."""
    last = mine[-1] if mine else None
    if label.round is not None and label.round != round_:
        raise Asks(f"the item was opened again since: it is in round {round_}, and the label is about round {label.round}", label, last)
    if len(mine) != (label.saw or 0):
        raise Asks("another label of the same person came in between", label, last)


def _finished(label: Label, there: Sequence[Label], mine: Sequence[Label], round_: int) -> Label:
    people = {one.person for one in there if one.role == RATES}
    return msgspec.structs.replace(
        label,
        round=round_,
        saw=len(mine),
        at_ns=label.at_ns or time.time_ns(),
        replaces=mine[-1].token if mine else None,
        blind=label.role == RATES and len(people) < PEOPLE,
    )


def _line(row: tuple[Any, ...]) -> Line:
    item, round_, asks, question, reason, why, run, case, setup, attempt, at_ns, who = row
    key = TrialKey(case, setup, attempt)
    return Line(item=item, round=round_, asks=asks, question=question, reason=reason, why=why, run=run, key=key, at_ns=at_ns, who=who)


def _label(row: tuple[Any, ...]) -> Label:
    values = dict(zip(_FIELDS, row, strict=True))
    score = None if values["score"] is None else float(values["score"])
    return Label(**{**values, "label": Verdict(values["label"]), "score": score, "blind": bool(values["blind"])})


_FIELDS = (
    "item", "rater", "label", "round", "saw", "score", "severity", "note", "role", "at_ns", "who", "token", "replaces", "blind",
)  # fmt: skip


def _kept(text: str) -> str:
    """The text as a database can hold it: half surrogates are replaced."""
    return utf8(text).decode()
