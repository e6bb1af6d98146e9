"""Text normalisation in named steps, each taken only where a check asks for it, on both sides alike.

Wording is never relaxed, and no step may change a number: signs between digits stay, ② and x² stay what they are. Kept
out: reading numbers (`numbers.py`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

_WIDE = {"<wide>", "<narrow>"}
_SPACES = re.compile(r"\s+")
_NOT_WORD = re.compile(r"(?:[^\w\s]|_)+")
_LOOSE_SPACE = re.compile(r"(?<![0-9])\s+|\s+(?![0-9])")


def _width(text: str) -> str:
    """Full- and half-width forms of one character as one; circled, raised and other forms stay apart."""
    return text if text.isascii() else "".join(map(_narrow, text))


def _narrow(char: str) -> str:
    kind, _, code = unicodedata.decomposition(char).partition(" ")
    return chr(int(code, 16)) if kind in _WIDE and " " not in code else " " if char == "\u3000" else char


def _punctuation(text: str) -> str:
    """Without punctuation, except where it is part of a number (8.540, 3,200, -5, $5, 5%) or keeps two numbers apart."""
    return _NOT_WORD.sub(lambda run: _kept(run.group(), text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]), text)


def _kept(run: str, before: str, after: str) -> str:
    if before.isdigit() and after.isdigit() and len(run) == 1:
        return run
    behind = run[: len(run) - len(run.lstrip("%‰°"))] if before.isdigit() else ""
    ahead = run[len(behind) :]
    ahead = ahead[len(ahead.rstrip("+-−.$€£¥₹₩")) :] if after.isdigit() else ""
    return f"{behind} {ahead}" if before.isdigit() and after.isdigit() else behind + ahead


_MARKS = str.maketrans(dict.fromkeys("‘’‚‛", "'") | dict.fromkeys("“”„‟", '"'))

STEPS: dict[str, Callable[[str], str]] = {
    "unicode": lambda text: unicodedata.normalize("NFC", text),
    "width": _width,
    "marks": lambda text: text.translate(_MARKS),
    "case": str.casefold,
    "punctuation": _punctuation,
    "space": lambda text: _SPACES.sub(" ", text).strip(),
    "no_space": lambda text: _LOOSE_SPACE.sub("", _SPACES.sub(" ", text)),
}
"""`unicode`: composed and decomposed letters are one. `width`: full- and half-width are one. `marks`: curly and straight
quotation marks and apostrophes are one. `case`: capitals do not count (ß is ss). `punctuation`: none, but in numbers. `space`:
runs of space are one space, none at the ends. `no_space`: no space at all, but between the digits of two numbers."""

ORDER = tuple(STEPS)
"""Steps are always taken in this order, however they were listed."""


def normaliser(names: list[str] | tuple[str, ...]) -> Callable[[Any], Any]:
    """One function for the named steps. Texts inside lists and mappings (keys excepted) are normalised; the rest is kept."""
    steps = [STEPS[name] for name in ORDER if name in names]

    def text_form(text: str) -> str:
        for step in steps:
            text = step(text)
        return text

    def apply(value: Any) -> Any:
        if isinstance(value, str):
            return text_form(value)
        if isinstance(value, (list, tuple)):
            return [apply(entry) for entry in value]
        if isinstance(value, dict):
            return {key: apply(entry) for key, entry in value.items()}
        return value

    return apply
