"""What a call costs: by the suite's own table first, else by the public one of genai-prices, else unknown and never guessed.

The public table is asked only about services that it knows by their address or name: a model of the same name on one's own machine
has another price. Kept out: reading the suite's table, and adding calls up.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.models.model import TIMEOUT_S, MalformedReply, origin_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fairtrial.models.model import Message, Model, Reply
    from fairtrial.models.usage import Usage
    from fairtrial.records.prices import Price, Prices

MILLION = Decimal(10**6)


class PricedModel:
    """A model whose replies tell what they cost, where that is known. A price that a reply states itself stands.

    `names` are the names that the table may know the model by, beside the one that a reply states; `service` is the provider's
    address or name, for the public table; without one that is not asked.
    """

    def __init__(self, model: Model, names: Iterable[str], prices: Prices | None, service: str = "") -> None:
        self.name = model.name
        self.origin = origin_of(model)
        self._model = model
        self._names = tuple(dict.fromkeys((model.name, *names)))
        self._prices = prices
        self._service = service

    def reply(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, timeout_s: float = TIMEOUT_S) -> Reply:
        try:
            return self._priced(self._model.reply(messages, schema=schema, timeout_s=timeout_s))
        except MalformedReply as error:
            if error.reply is None:
                raise
            raise MalformedReply(str(error), self._priced(error.reply)) from None

    def _priced(self, reply: Reply) -> Reply:
        return reply if reply.usd is not None else msgspec.structs.replace(reply, usd=self._usd(reply))

    def _usd(self, reply: Reply) -> Decimal | None:
        named = (self._names[0], reply.model, *self._names[1:])
        price = stated_price(self._prices, named)
        if price is not None:
            return cost(price, reply)
        return public_cost(reply.model, reply, self._service) if self._service else None


def stated_price(prices: Prices | None, names: Iterable[str]) -> Price | None:
    """The price of the first of these names that the table holds."""
    return None if prices is None else next((prices.models[name] for name in names if name in prices.models), None)


def cost(price: Price, use: Usage | Reply) -> Decimal | None:
    """US dollars of a call: cached input within the input, reasoning within the output, each once. None where a count is unknown."""
    given, made = use.input_tokens, use.output_tokens
    if given is None or made is None:
        return None
    cached, written = use.cached_tokens or 0, use.cache_write_tokens or 0
    parts = (
        (given - cached - written) * price.input,
        cached * (price.input if price.cached is None else price.cached),
        written * (price.input if price.cache_write is None else price.cache_write),
        made * price.output,
    )
    return sum(parts, Decimal(0)) / MILLION


def public_cost(model: str, use: Usage | Reply, service: str) -> Decimal | None:
    """What the public table says of today's price; None where it is not installed, or does not know the service or the model."""
    if use.input_tokens is None or use.output_tokens is None:
        return None
    try:
        import genai_prices  # slow to load, and for services alone
    except ImportError:
        return None
    where: dict[str, Any] = {"provider_api_url" if "://" in service else "provider_id": service}
    counted = genai_prices.Usage(
        input_tokens=use.input_tokens,
        output_tokens=use.output_tokens,
        cache_read_tokens=use.cached_tokens or 0,
        cache_write_tokens=use.cache_write_tokens or 0,
    )
    try:
        return Decimal(genai_prices.calc_price(counted, model, **where).total_price)
    except (LookupError, ValueError):
        return None
