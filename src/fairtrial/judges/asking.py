"""One answer of one model: asked, asked once more with the reason where the reply is no verdict, and all of it written down.

An outage is not asked again: a model has its own patience. Kept out: what is asked, and what a reply must hold.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from fairtrial.judges.objects import Unusable
from fairtrial.models.model import MalformedReply
from fairtrial.records.errors import ProviderOutage
from fairtrial.records.opinion import Answer
from fairtrial.records.text import content_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairtrial.models.model import Message, Model, Reply

TRIES = 2
UNREAD = "it did not arrive as text that could be read, or was cut off"
"""What a model is told of a reply that its service could not hand over. The service's own words may hold what was graded."""

KEPT = 20_000
"""Characters of a reply that are kept; a verdict is a few hundred."""

N = TypeVar("N", int, float, Decimal)
T = TypeVar("T")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Whom to ask, for what, and how long to wait."""

    model: Model
    repeat: int
    schema: dict[str, Any]
    timeout_s: float

    def signed(self, nonce: str) -> Asked:
        """The same with the nonce of one call in the schema: a service that holds its model to the schema writes it for a model
        too small to copy it. The verdict is the judge's all the same, for nothing of what is graded can know the nonce."""
        properties = self.schema["properties"] | {"nonce": {"type": "string", "enum": [nonce]}}
        return msgspec.structs.replace(self, schema=self.schema | {"properties": properties})


def ask(asked: Asked, put: Callable[[str], list[Message]], read: Callable[[str], T]) -> tuple[T | None, Answer]:
    """What was read, and the answer with its raw replies, tokens, price and time; None where it cannot be used.

    `put` makes the question; it is given what was wrong with the reply before. `read` raises Unusable. Never raises for what a
    model does.
    """
    replies: list[Reply | None] = []
    problem = said = ""
    for _ in range(TRIES):
        replies.append(None)
        try:
            replies[-1] = reply = asked.model.reply(put(said), schema=asked.schema, timeout_s=asked.timeout_s)
            return read(reply.text), _told(asked, replies)
        except ProviderOutage as error:
            return None, msgspec.structs.replace(_told(asked, replies, str(error)), outage=True)
        except MalformedReply as error:
            replies[-1] = error.reply
            problem, said = str(error) or UNREAD, UNREAD
        except Unusable as error:
            problem = said = error.reason
    return None, _told(asked, replies, problem)


def _told(asked: Asked, replies: Sequence[Reply | None], problem: str = "") -> Answer:
    """The answer so far. What one of its calls does not tell, the sum does not tell."""
    known = [reply for reply in replies if reply is not None]
    whole = len(known) == len(replies)
    return Answer(
        model=asked.model.name,
        repeat=asked.repeat,
        problem=problem,
        replies=tuple(_kept(reply.text) for reply in known),
        input_tokens=_sum([reply.input_tokens for reply in known]) if whole else None,
        output_tokens=_sum([reply.output_tokens for reply in known]) if whole else None,
        usd=_sum([reply.usd for reply in known]) if whole else None,
        ms=_sum([reply.ms for reply in known]) if whole else None,
    )


def _kept(text: str) -> str:
    """A reply as it is written down: a long one cut, with its length and hash, which a later one can be held to."""
    if len(text) <= KEPT:
        return text
    return f"{text[:KEPT]}… [cut from {len(text)} characters, {content_hash(text)}]"


def _sum(numbers: Sequence[N | None]) -> N | None:
    known = [number for number in numbers if number is not None]
    return sum(known[1:], known[0]) if known and len(known) == len(numbers) else None
