"""Numbers written in English words: two hundred and fifty, five thousand, twenty-five, fifty percent.

Kept out: single words (three, a dozen, one), which are words more often than figures, sayings (one hundred percent), and digits
with a word behind them (5 thousand: `figures.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

_FIRST = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_NEXT = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = {word: value for value, word in enumerate(_FIRST.split())}
_TENS = {word: 10 * value for value, word in enumerate(_NEXT.split(), 2)}
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ANY = "|".join([*_ONES, *_TENS, *_LARGE, "hundred"])
_RUN = re.compile(rf"\b(?:{_ANY})(?:(?:-|\s(?:and\s)?)(?:{_ANY})){{0,12}}\b(?P<share>\s(?:percent|per\scent)\b)?", re.IGNORECASE)
MAY_STAND = rf"\b(?:{'|'.join([*_LARGE, *_TENS, 'hundred'])})\b"
"""A pattern without which a text has no such number in it. To be matched whatever the capitals."""
_MAY_STAND = re.compile(MAY_STAND, re.IGNORECASE)


def numbers_in_words(text: str) -> Iterator[tuple[int, int, Decimal, bool]]:
    """(start, end, value, whether it is a share in percent) of every number in words."""
    if not _MAY_STAND.search(text):
        return
    for found in _RUN.finditer(text):
        end = found.start("share") if found["share"] else found.end()
        words = [word for word in re.split(r"[\s-]+", text[found.start() : end].lower()) if word != "and"]
        value = _value(words) if len(words) > 1 or found["share"] else None
        if value is not None and not (found["share"] and value == 100):
            yield found.start(), end, Decimal(value), bool(found["share"])


def _value(words: list[str]) -> int | None:
    """The number that words make, the largest first; None where they make none (nineteen ninety-eight)."""
    total, part, last, bound = 0, 0, 10**15, 10**15
    for word in words:
        if word in _LARGE:
            if not part or _LARGE[word] >= bound:
                return None
            total, part, last, bound = total + part * _LARGE[word], 0, _LARGE[word], _LARGE[word]
        elif word == "hundred":
            if not 0 < part < 100:
                return None
            part, last = part * 100, 100
        else:
            size = _TENS.get(word, _ONES.get(word, 0))
            if last < 20 or (last < 100 and size >= 10):
                return None
            part, last = part + size, 20 if size >= 20 else 1
    return total + part
