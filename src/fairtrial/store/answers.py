"""What models answered to judges, kept by the hash of everything that went into the question: the same question is paid once.

An answer is written once and never changed; a second one to the same key is left aside. Answers are gathered and written some at a
time, so that two hundred calls at once do not wait for each other's disk. Kept out: what is a key, and which answers are fit to be
kept (`judges/`).
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import StoreError
from fairtrial.records.opinion import Answer
from fairtrial.store import schema
from fairtrial.store.codec import pack, unpack, write_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.store.redact import Redactor

BATCH = 200
HELD_S = 0.5
"""An answer is durable after this long, or with the next one that comes."""

_ANSWER = msgspec.json.Decoder(Answer)


class Answers:
    """The answers of one store, through its face. Safe for many threads and many processes at once."""

    def __init__(self, face: Any, redactor: Callable[[], Redactor]) -> None:
        self._face = face
        self._redactor = redactor
        self._lock = threading.Lock()
        self._held: dict[str, Answer] = {}
        self._broken: set[str] = set()
        """Keys whose row is damaged; the next answer takes its place."""
        self._oldest = 0.0
        self._closed = False

    def get(self, key: str) -> Answer | None:
        """The answer that was given to this question, marked as one that costs nothing now; None where there is none."""
        with self._lock:
            held = self._held.get(key)
        if held is None:
            with self._face.reading() as session:
                found = session.execute(schema.READ_ANSWER, (key,)).fetchone()
            if found is None:
                return None
            held = _answer(found[0])
            if held is None:
                with self._lock:
                    self._broken.add(key)
                return None
        return msgspec.structs.replace(held, cached=True)

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer. It is durable soon, and at the latest when the store is closed."""
        with self._lock:
            if self._closed:
                return  # a call that outlived its run
            if not self._held:
                self._oldest = time.monotonic()
            self._held.setdefault(key, answer)
            due = len(self._held) >= BATCH or time.monotonic() - self._oldest > HELD_S
        if due:
            self.flush()

    def flush(self) -> None:
        """Make everything that was put so far durable."""
        with self._lock:
            held, self._held = self._held, {}
            if not held:
                return
            now, redactor = time.time_ns(), self._redactor()
            rows = [(key, now, pack(_written(answer, redactor))) for key, answer in held.items()]
            try:
                with self._face.writing() as session:
                    for key in self._broken.intersection(held):
                        session.execute(schema.DROP_ANSWER, (key,))
                    session.executemany(schema.ADD_ANSWER, rows)
            except BaseException:
                self._held = held  # they were paid for, and may be written with the next ones
                raise
            self._broken.difference_update(held)

    def close(self) -> None:
        """Nothing is kept any more."""
        self.flush()
        with self._lock:
            self._closed = True


def _written(answer: Answer, redactor: Redactor) -> bytes:
    data = write_record(answer)
    return write_record(redactor.redact_record(answer)) if redactor.suspects(data) else data


def _answer(blob: bytes) -> Answer | None:
    """The answer of a row; None where it is damaged, which counts as not there."""
    try:
        found = _ANSWER.decode(unpack(blob))
    except (StoreError, msgspec.MsgspecError, UnicodeDecodeError, TypeError, AttributeError):
        return None
    return None if found.problem or found.score is None else found
