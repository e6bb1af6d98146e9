"""A text taken apart into its statements, in English and in Chinese: sentences, lines, the points of a list.

A question states nothing, and neither does a heading or a greeting of a word or two. Kept out: what a statement says.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Statement(NamedTuple):
    """`start` and `end` are its place in the text; `asks`: it states nothing by itself (a question, a heading, a bare label)."""

    start: int
    end: int
    asks: bool


_END = re.compile(r"""[.!?]+[)\]"'”’*_]*(?=\s|$)|[。！？；…]+[”」』）】*_]*|\n+""")
_SHORT = re.compile(
    r"(?:^|[\s(])(?:[A-Za-z]|e\.g|i\.e|[ap]\.m|vs|cf|approx|ca|nos?|mrs?|ms|dr|prof|st|fig|vol"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.$",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"\s*\(?[0-9]{1,3}[.)]")
_WORD = re.compile(r"[A-Za-z0-9]+|[\u3400-\u9fff]")
_FEWEST_WORDS = 3


def statements_of(text: str) -> list[Statement]:
    """All statements of a text in order; together they cover it but for the space between them."""
    found: list[Statement] = []
    start = 0
    for end in _END.finditer(text):
        mark = end.group()
        if mark[0] == "." and _goes_on(text, start, end.start() + 1):
            continue
        start = _add(found, text, start, end.end())
    _add(found, text, start, len(text))
    return found


def _goes_on(text: str, start: int, point: int) -> bool:
    """Whether a point ends no sentence: that of an abbreviation, of an initial, of a number in a list."""
    return bool(_SHORT.search(text, max(start, point - 8), point) or _NUMBERING.fullmatch(text, start, point))


def _add(found: list[Statement], text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    stop = end
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if stop > start:
        said = text[start:stop]
        found.append(Statement(start, stop, _asks(said)))
    return end


def _asks(said: str) -> bool:
    bare = said.rstrip("*_)\"'”’」』 ")
    if bare.endswith(("?", "？")):
        return True
    if said.startswith("#") or bare.endswith((":", "：")):
        return True
    return sum(1 for _, _ in zip(_WORD.finditer(said), range(_FEWEST_WORDS), strict=False)) < _FEWEST_WORDS
