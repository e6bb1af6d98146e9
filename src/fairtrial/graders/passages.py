"""Whether a quotation stands in a text, word for word: after the one normaliser, at the edges of words, ellipses allowed for.

Kept out: where the text comes from, and whether it bears out what it is quoted for.
"""

from __future__ import annotations

import re
from typing import Any

from fairtrial.graders.normalise import normaliser
from fairtrial.graders.texts import all_written

FOLD = normaliser(("unicode", "width", "marks", "space"))
_ELLIPSIS = re.compile(r"\[?(?:…+|\.{3,})\]?")
_ENDS = " .,;:!?。，；：！？、\"'“”‘’「」『』"
_LETTERS = re.compile(r"[A-Za-zÀ-ɏ0-9]|[\u3400-\u9fff]{1}")
SHORTEST = 6
"""A quotation with fewer letters and digits stands anywhere by chance; a Chinese character counts two."""


def written(value: Any) -> str:
    """All that is written in a value, normalised, as one text in which a quotation can be looked for."""
    if isinstance(value, str):
        return str(FOLD(value))
    return str(FOLD("\n".join(text for _, text in all_written(value))))


def telling(quote: str) -> bool:
    """Whether a quotation, or one of the parts that an ellipsis leaves of it, is long enough to show anything."""
    return any(sum(1 if char.isascii() else 2 for char in part if char.isalnum()) >= SHORTEST for part in _ELLIPSIS.split(quote))


def stands_in(quote: str, text: str) -> bool:
    """Whether all parts of a quotation stand in a normalised text, in their order, each from the edge of a word to another. Where
    it begins a sentence it may begin with a capital."""
    at = 0
    parts = [part for part in (str(FOLD(part)).strip(_ENDS) for part in _ELLIPSIS.split(quote)) if part]
    for number, part in enumerate(parts):
        found = find_whole(text, part, at)
        if found < 0 and number == 0:
            found = find_whole(text, part[0].swapcase() + part[1:], at)
        if found < 0:
            return False
        at = found + len(part)
    return bool(parts)


def find_whole(text: str, part: str, at: int = 0, end: int | None = None) -> int:
    """Where a part stands in a text without cutting a word or a number; -1 where it does not."""
    end = len(text) if end is None else end
    while (at := text.find(part, at, end)) >= 0:
        if not (_cuts(text, at - 1, at, -1) or _cuts(text, at + len(part), at + len(part) - 1, 1)):
            return at
        at += 1
    return -1


def _cuts(text: str, outside: int, inside: int, way: int) -> bool:
    """Whether an edge goes through a word or a number: 20 ends inside 20.5, 2 inside 20."""
    if not 0 <= outside < len(text):
        return False
    out, own = text[outside], text[inside]
    if out.isascii() and own.isascii() and (out.isalnum() or out == "_") and own.isalnum():
        return True
    beyond = text[outside + way : outside + way + 1] if outside + way >= 0 else ""
    return own.isdigit() and out in ".," and beyond.isdigit()
