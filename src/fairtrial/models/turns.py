"""A number of calls at once that whoever asks sets himself, where the provider does not say what is too many.

Kept out: what a provider says (`limiter.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.models.model import TIMEOUT_S, origin_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from threading import Semaphore

    from fairtrial.models.model import Message, Model, Reply


class Queued:
    """A model that is asked by no more at once than have a turn. Waiting for one has no end of its own: each call before it has."""

    def __init__(self, model: Model, turns: Semaphore) -> None:
        self.name = model.name
        self.origin = origin_of(model)
        self._model = model
        self._turns = turns

    def reply(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, timeout_s: float = TIMEOUT_S) -> Reply:
        with self._turns:
            return self._model.reply(messages, schema=schema, timeout_s=timeout_s)
