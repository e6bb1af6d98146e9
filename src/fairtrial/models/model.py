"""What a language model is to the house: messages in; text, use of tokens and the model's name out.

What can go wrong has two classes: ProviderOutage (nothing wrong with what was asked: try later) and MalformedReply (it answered,
and not so that it can be used). No price is guessed: a call that states none has an unknown cost. Kept out: every way in which a
model is reached.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

Message = dict[str, str]
"""{"role": "system" | "user" | "assistant", "content": text}"""

TIMEOUT_S = 60.0


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What a model said. Tokens and price are None where nobody states them.

    `input_tokens` are all that went in, those read from a cache (`cached_tokens`) and written to one (`cache_write_tokens`) among
    them; `output_tokens` all that came out, private reasoning (`reasoning_tokens`) among them. `ms` is the time of the call that
    answered, `waited_ms` what passed before it: waiting for a turn, pauses, calls that failed. `tries` counts all calls.
    """

    text: str
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: Decimal | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    ms: float | None = None
    waited_ms: float = 0.0
    tries: int = 1


class MalformedReply(Exception):
    """The model answered, and what it said cannot be used. `reply` is what it took all the same, where that is stated."""

    def __init__(self, message: str, reply: Reply | None = None) -> None:
        super().__init__(message)
        self.reply = reply


class Model(Protocol):
    """Safe to be asked from several threads at once."""

    name: str

    def reply(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, timeout_s: float = TIMEOUT_S) -> Reply:
        """Ask and wait. `schema` is the JSON Schema that the text is to fit; whoever asks checks it all the same.

        Raises ProviderOutage or MalformedReply.
        """


def origin_of(model: Model) -> str:
    """Who answers under the model's name, as far as it is known: the hash of a function's file, the address of a service. Never a key.
    An answer of another origin is another model's."""
    return str(getattr(model, "origin", ""))
