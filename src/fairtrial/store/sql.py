"""THE SHELF itself: runs, their trials and their grades, written and read.

A trial is written once; a second record of the same key is refused and counted. Grades lie beside it, one set a grader
version, and the newest is read. Every write is one short transaction, durable when the call returns. Kept out: the SQL
(`schema.py`), the database (`sqlite.py`), what must be covered before it comes here (`door.py`).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fairtrial.records.errors import InputError, StoreError
from fairtrial.records.grade import CardGlance, Scorecard
from fairtrial.records.text import reread
from fairtrial.records.trial import FATES, Ending, HeadGlance, Trial, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.store import schema
from fairtrial.store.answers import Answers
from fairtrial.store.canaries import Canaries
from fairtrial.store.catalogue import Catalogue, RunLine
from fairtrial.store.codec import pack, read_body, unpack, write_record
from fairtrial.store.door import admit_cards
from fairtrial.store.exams import Exams
from fairtrial.store.labels import Labels
from fairtrial.store.ledger import Ledger
from fairtrial.store.location import open_face
from fairtrial.store.redact import Redactor
from fairtrial.store.starts import StoredStarts

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from fairtrial.records.run import Manifest, Run
    from fairtrial.records.trial import TrialBody
    from fairtrial.store.catalogue import RunIndex

__all__ = ["RunLine", "Store", "Written"]

_HEAD = msgspec.json.Decoder(TrialHead)
_CARD = msgspec.json.Decoder(Scorecard)
_HEADS = msgspec.json.Decoder(list[HeadGlance])
_CARDS = msgspec.json.Decoder(list[CardGlance | None])
_FAULTED = frozenset(ending.value for ending, fate in FATES.items() if fate.fault == "harness" or ending is Ending.INTERRUPTED)


GLANCED = 500
"""Rows that are taken apart together: more save nothing, and large records must not pile up."""


class Written(NamedTuple):
    """What a batch came to: trials stored, and keys that were there already (their first record stands)."""

    stored: int
    refused: list[TrialKey]


class Store:
    """One store, opened. Safe for many threads and for many processes at once; not carried over a fork.

    `redactor` is what manifests, cases and scorecards pass on their way in. Trials pass `Door(redactor)` before they are
    graded, and must come here as the door gave them back.
    """

    def __init__(self, face: Any, redactor: Redactor) -> None:
        self.redactor = redactor
        self._face = face
        self._catalogue = Catalogue(face)
        self.ledger = Ledger(face, self._covers)
        self.labels = Labels(face, self._covers)
        self.answers = Answers(face, self._covers)
        self.exams = Exams(face, self._covers)
        self.canaries = Canaries(face, self._covers)
        self.starts = StoredStarts(face, self._catalogue)

    def _covers(self) -> Redactor:
        return self.redactor

    @classmethod
    def open(cls, url: str | os.PathLike[str], *, redactor: Redactor | None = None, create: bool = True) -> Store:
        """`url` is sqlite:///FILE or a path. Raises StoreError where it cannot be opened, is newer than this program, or
        (with create=False) is not there."""
        return cls(open_face(url, create=create), redactor or Redactor())

    def close(self) -> None:
        """Let go of the store; what was written is durable, and so are the answers of models from now on."""
        self.answers.close()
        self._face.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The store's address, fit for `open` and --store from any working directory."""
        return str(self._face.url)

    # Runs

    def create_run(self, run: str, manifest: Manifest, cases: Mapping[str, Any]) -> None:
        """Writes the manifest and the cases' raw form (case id -> raw) before the first trial. The run's status is `running`
        and this process holds it until `finish_run`, `release` or its own end. Raises StoreError where the id is taken."""
        self._catalogue.create(run, manifest, cases, self.redactor)

    def claim(self, run: str) -> None:
        """Take over a run, to resume or re-grade it; its status becomes `running` again. Raises InputError where a living
        process holds it."""
        self._catalogue.claim(run)

    def beat(self, run: str) -> None:
        """A sign of life from the process that holds the run; every batch written is one as well."""
        self._catalogue.beat(run)

    def release(self, run: str) -> None:
        """Give a run free without a word on how it ended."""
        self._catalogue.release(run)

    def finish_run(self, run: str, status: str) -> None:
        """`complete`, `interrupted` or `incomplete`; the run is free again."""
        self._catalogue.finish(run, status)

    def runs(self, suite: str | None = None, limit: int | None = None) -> list[RunLine]:
        """Newest first, without reading a trial. A run whose process died is shown as `interrupted`."""
        return self._catalogue.lines(suite, limit)

    def resolve(self, name: str) -> str:
        """The full id for an id, a unique prefix, or `last`. Raises InputError naming what there is."""
        return self._catalogue.resolve(name)

    def run(self, name: str) -> Run:
        """A run with its manifest; `name` as in `resolve`."""
        return self._catalogue.read(self.resolve(name))

    def case_raw(self, run: str) -> dict[str, Any]:
        """Case id -> the case as it was written when the run was made, its secrets covered."""
        with self._face.reading() as session:
            rows = session.execute(schema.READ_RAW, (self._index(run).number,)).fetchall()
        return {case: reread(raw) for case, raw in rows}

    # Trials; `run` is a full id

    def write_batch(self, run: str, batch: Sequence[tuple[TrialHead, bytes, Scorecard | None]]) -> Written:
        """Stores trials (the body as JSON, as `Door` gave it back) with their first grades, in one transaction.

        A key that is there already keeps its first record. Raises StoreError for a case or setup that the run does not have.
        """
        index = self._index(run)
        rows = [self._trial_row(index, head, body) for head, body, _ in batch]
        texts = iter(admit_cards(self.redactor, [card for _, _, card in batch if card is not None]))
        cards = [None if card is None else (card.verdict, card.grader, next(texts).decode()) for _, _, card in batch]
        span = schema.span_of(index.number)
        with self._face.writing() as session:
            first = (session.execute(schema.LAST_TRIAL, span).fetchone()[0] or span[0]) + 1
            made = session.executemany(schema.ADD_TRIAL, [(first + place, *row) for place, row in enumerate(rows)]).rowcount
            fresh = range(len(rows)) if made == len(rows) else _fresh(session, first, rows)
            graded = [(first + place, card) for place in fresh if (card := cards[place]) is not None]
            versions = {name: self._version(session, index.number, name) for name in {card[1] for _, card in graded}}
            session.executemany(schema.ADD_GRADE, [(number, 1, versions[name], verdict, text) for number, (verdict, name, text) in graded])
            passed, failed = (sum(card[0] is verdict for _, card in graded) for verdict in (Verdict.PASS, Verdict.FAIL))
            session.execute(schema.COUNT_RUN, (len(fresh), passed, failed, time.time_ns(), index.number))
        kept = set(fresh)
        return Written(len(kept), [head.key for place, (head, _, _) in enumerate(batch) if place not in kept])

    @staticmethod
    def _trial_row(index: RunIndex, head: TrialHead, body: bytes) -> tuple[Any, ...]:
        case, setup = index.numbers(head.key)
        return index.number, head.key.attempt, case, setup, head.ending.value, write_record(head).decode(), pack(body)

    @staticmethod
    def _version(session: schema.Session, run: int, name: str) -> int:
        found = session.execute(schema.VERSION_NUMBER, (run, name)).fetchone()
        if found is not None:
            return int(found[0])
        (number,) = session.execute(schema.NEXT_VERSION).fetchone()
        session.execute(schema.ADD_VERSION, (number, run, name))
        return int(number)

    def write_tries(self, run: str, batch: Sequence[tuple[TrialHead, bytes]]) -> None:
        """Keeps attempts that the harness had to repeat, as history; they count nowhere as trials."""
        index = self._index(run)
        rows = []
        for head, body in batch:
            case, setup = index.numbers(head.key)
            rows.append((index.number, case, setup, head.key.attempt, write_record(head).decode(), pack(body)))
        with self._face.writing() as session:
            (first,) = session.execute(schema.NEXT_TRY).fetchone()
            session.executemany(schema.ADD_TRY, [(first + place, *row) for place, row in enumerate(rows)])

    def set_aside(self, run: str, keys: Sequence[TrialKey]) -> int:
        """Moves stored trials into the history of tries, so that they can be run again; returns how many were there.

        For trials that the harness spoilt, when a run is resumed: their record is kept, but no longer as the trial.
        """
        index = self._index(run)
        moved = passed = failed = 0
        with self._face.writing() as session:
            for key in keys:
                case, setup = index.numbers(key)
                found = session.execute(schema.FIND_TRIAL, (index.number, key.attempt, case, setup)).fetchone()
                if found is None:
                    continue
                verdict = (session.execute(schema.LAST_GRADE, found).fetchone() or (0, ""))[1]
                moved, passed, failed = moved + 1, passed + (verdict == Verdict.PASS), failed + (verdict == Verdict.FAIL)
                session.execute(schema.KEEP_AS_TRY, (session.execute(schema.NEXT_TRY).fetchone()[0], found[0]))
                session.execute(schema.DROP_GRADES, found)
                session.execute(schema.DROP_TRIAL, found)
            session.execute(schema.COUNT_RUN, (-moved, -passed, -failed, time.time_ns(), index.number))
        return moved

    def keys_done(self, run: str, *, faulted: bool = True) -> set[TrialKey]:
        """Every stored key; with faulted=False without those that the harness spoilt or that were interrupted."""
        index = self._index(run)
        cases, setups = index.names()
        with self._face.reading() as session:
            return {
                TrialKey(cases[case], setups[setup], attempt)
                for case, setup, attempt, ending in session.execute(schema.READ_KEYS, schema.span_of(index.number))
                if faulted or ending not in _FAULTED
            }

    def rows(self, run: str) -> Iterator[tuple[TrialHead, Scorecard | None]]:
        """Heads with their newest scorecard, in the order they were stored, from one consistent view."""
        span = schema.span_of(self._index(run).number)
        head_of, card_of = _HEAD.decode, _CARD.decode
        with self._face.reading() as session:
            for head, card in session.execute(schema.READ_ROWS, span):
                yield head_of(head), None if card is None else card_of(card)

    def glances(self, run: str) -> Iterator[tuple[HeadGlance, CardGlance | None]]:
        """As `rows`, but only what a comparison looks at: some hundred rows are taken apart at once, and the rest is passed over."""
        span = schema.span_of(self._index(run).number)
        with self._face.reading() as session:
            found = session.execute(schema.READ_ROWS, span)
            while rows := found.fetchmany(GLANCED):
                heads = _HEADS.decode(f"[{','.join([head for head, _ in rows])}]")
                yield from zip(heads, _CARDS.decode(f"[{','.join([card or 'null' for _, card in rows])}]"), strict=True)

    def bodies(self, run: str) -> Iterator[tuple[TrialHead, TrialBody]]:
        """Heads and bodies, one at a time, from one consistent view."""
        span = schema.span_of(self._index(run).number)
        with self._face.reading() as session:
            for head, body in session.execute(schema.READ_BODIES, span):
                yield _HEAD.decode(head), read_body(unpack(body))

    def trial(self, run: str, key: TrialKey) -> Trial:
        """One whole trial. Raises InputError where it is not stored."""
        index = self._index(run)
        case, setup = index.numbers(key)
        with self._face.reading() as session:
            found = session.execute(schema.READ_TRIAL, (index.number, key.attempt, case, setup)).fetchone()
        if found is None:
            said = f"attempt {key.attempt} of case {key.case!r} in setup {key.setup!r}"
            raise InputError(f"the run has no {said}", place=run, mend="see what there is: fairtrial show RUN CASE")
        body = read_body(unpack(found[1]))
        return Trial(head=_HEAD.decode(found[0]), body=body, base=self.starts.base(run, body))

    def scorecard(self, run: str, key: TrialKey) -> Scorecard | None:
        """The newest scorecard of one trial; None where it was not graded, or is not stored."""
        index = self._index(run)
        case, setup = index.numbers(key)
        with self._face.reading() as session:
            found = session.execute(schema.READ_CARD, (index.number, key.attempt, case, setup)).fetchone()
        return None if found is None else _CARD.decode(found[0])

    def tries(self, run: str) -> Iterator[TrialHead]:
        """The history of repeated attempts, oldest first."""
        with self._face.reading() as session:
            for (head,) in session.execute(schema.READ_TRIES, (self._index(run).number,)):
                yield _HEAD.decode(head)

    # Grades

    def write_grades(self, run: str, version: str, batch: Sequence[tuple[TrialKey, Scorecard]]) -> int:
        """A newer grading, laid beside the older ones in one transaction; returns how many trials of the batch were there."""
        index = self._index(run)
        texts = admit_cards(self.redactor, [card for _, card in batch])
        rows = [(index.numbers(key), key.attempt, card.verdict, text.decode()) for (key, card), text in zip(batch, texts, strict=True)]
        written, delta = 0, {Verdict.PASS: 0, Verdict.FAIL: 0, Verdict.UNKNOWN: 0}
        with self._face.writing() as session:
            number = self._version(session, index.number, version)
            for (case, setup), attempt, verdict, card in rows:
                found = session.execute(schema.FIND_TRIAL, (index.number, attempt, case, setup)).fetchone()
                if found is None:
                    continue
                sequence, before = session.execute(schema.LAST_GRADE, found).fetchone() or (0, Verdict.UNKNOWN)
                session.execute(schema.ADD_GRADE, (found[0], sequence + 1, number, verdict.value, card))
                delta[Verdict(before)] -= 1
                delta[verdict] += 1
                written += 1
            session.execute(schema.COUNT_RUN, (0, delta[Verdict.PASS], delta[Verdict.FAIL], time.time_ns(), index.number))
        return written

    def versions(self, run: str) -> list[str]:
        """The grader versions that graded this run, oldest first."""
        with self._face.reading() as session:
            return [name for (name,) in session.execute(schema.READ_VERSIONS, (self._index(run).number,))]

    def _index(self, run: str) -> RunIndex:
        return self._catalogue.index(run)


def _fresh(session: schema.Session, first: int, rows: list[tuple[Any, ...]]) -> list[int]:
    """The places of a batch that were really stored."""
    fresh = []
    for place, row in enumerate(rows):
        found = session.execute(schema.FIND_TRIAL, row[:4]).fetchone()
        if found is None:
            raise StoreError("a trial was not stored", mend="this is a fault of the store; please report it")
        if found[0] == first + place:
            fresh.append(place)
    return fresh
