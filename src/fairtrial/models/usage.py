"""What a provider states of tokens, in any of the known dialects, as one account in which nothing is counted twice.

Some put cached input inside the input count and some beside it, and the same with reasoning and output. The names tell which; where
a total is stated as well, it has the last word. A figure that is no count, and one that contradicts another, is unknown. Kept out:
what tokens cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST = 10**12


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one call; the parts lie within `input_tokens` and `output_tokens`. None is not stated."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None


INPUT = ("prompt_tokens", "input_tokens", "promptTokenCount")
OUTPUT = ("completion_tokens", "output_tokens", "candidatesTokenCount")
TOTAL = ("total_tokens", "totalTokenCount")
CACHED_INSIDE = ("cached_tokens", "cached_input_tokens", "prompt_cache_hit_tokens", "cachedContentTokenCount")
CACHED = "cache_read_input_tokens"
WRITTEN = "cache_creation_input_tokens"
REASONED_INSIDE = ("reasoning_tokens", "reasoning_output_tokens")
THOUGHTS = "thoughtsTokenCount"
DETAILS = ("prompt_tokens_details", "input_tokens_details", "completion_tokens_details", "output_tokens_details")


def read_usage(stated: Any) -> Usage:
    """The account of a `usage` object; what is no such object states nothing."""
    if not isinstance(stated, dict):
        return Usage()
    flat = {**{key: value for name in DETAILS if isinstance(stated.get(name), dict) for key, value in stated[name].items()}, **stated}
    given, made, total = _first(flat, INPUT), _first(flat, OUTPUT), _first(flat, TOTAL)
    cached, written = _first(flat, (*CACHED_INSIDE, CACHED)), count(flat.get(WRITTEN))
    reasoned = _first(flat, (*REASONED_INSIDE, THOUGHTS))
    # Beside: `input_tokens` with cache_read_input_tokens, or thoughts beside candidates. `prompt_tokens` holds them in every dialect.
    beside_in = "prompt_tokens" not in flat and (CACHED in flat or WRITTEN in flat)
    beside_out = THOUGHTS in flat
    for apart_in, apart_out in ((beside_in, beside_out), (beside_in, not beside_out), (not beside_in, beside_out)):
        whole_in = _with(given, (cached, written) if apart_in else ())
        whole_out = _with(made, (reasoned,) if apart_out else ())
        if total is None or whole_in is None or whole_out is None or whole_in + whole_out == total:
            break
    else:
        whole_in, whole_out = _with(given, (cached, written) if beside_in else ()), _with(made, (reasoned,) if beside_out else ())
    return _agreed(whole_in, whole_out, (cached, written, reasoned))


def _agreed(given: int | None, made: int | None, parts: tuple[int | None, int | None, int | None]) -> Usage:
    """The account; a whole that is smaller than its parts is no count."""
    cached, written, reasoned = parts
    if given is not None and given < (cached or 0) + (written or 0):
        given = cached = written = None
    if made is not None and made < (reasoned or 0):
        made = reasoned = None
    return Usage(input_tokens=given, output_tokens=made, cached_tokens=cached, cache_write_tokens=written, reasoning_tokens=reasoned)


def _with(whole: int | None, parts: tuple[int | None, ...]) -> int | None:
    return None if whole is None else whole + sum(part or 0 for part in parts)


def _first(flat: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    return next((found for name in names if (found := count(flat.get(name))) is not None), None)


def count(stated: Any) -> int | None:
    """A number of tokens; what is no count is unknown."""
    return stated if isinstance(stated, int) and not isinstance(stated, bool) and 0 <= stated < MOST else None
