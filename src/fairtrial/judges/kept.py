"""Answers that are kept: under which key, and that two threads do not ask for the same one at once.

Kept out: where they are kept. A store's table or a dict fits the Protocol.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

import msgspec

from fairtrial.judges.question import FORM
from fairtrial.models.model import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fairtrial.models.model import Model
    from fairtrial.records.opinion import Answer


class Cache(Protocol):
    """Where answers are kept. Safe to be used from several threads; the first answer put under a key stays."""

    def get(self, key: str) -> Answer | None: ...

    def put(self, key: str, answer: Answer) -> None: ...


class Kept:
    """A cache, asked by one thread at a time for each key. Only answers that can be used are kept."""

    def __init__(self, cache: Cache | None) -> None:
        self._cache = cache
        self._guard = threading.Lock()
        self._held: dict[str, tuple[threading.Lock, int]] = {}

    def answer(self, key: str, ask: Callable[[], Answer]) -> Answer:
        """The answer kept under that key, else the one that is asked for now."""
        if self._cache is None:
            return ask()
        with self._alone(key):
            found = self._cache.get(key)
            if found is not None:
                return msgspec.structs.replace(found, cached=True)
            answer = ask()
            if not answer.problem:
                self._cache.put(key, answer)
            return answer

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        """What another thread is asking for already is waited for, not asked twice."""
        with self._guard:
            lock, waiting = self._held.get(key, (threading.Lock(), 0))
            self._held[key] = lock, waiting + 1
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, waiting = self._held.pop(key)
                if waiting > 1:
                    self._held[key] = lock, waiting - 1


def answer_key(model: Model, rubric: str, shown: str, repeat: int) -> str:
    """The name of an answer: all that went into it, but for the nonce. `shown` is a digest of what was shown."""
    told = "\n".join((FORM, model.name, origin_of(model), rubric, shown, str(repeat)))
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
