"""Regular expressions from case files, with a limit of time: a pattern and a text may be made for each other to take for ever.

Kept out: who asks, and what a match means.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from fairtrial.records.errors import InputError

SECONDS = 1.0
_PROBES = ("", "\x00", "§ 9z")


class PatternTimeout(Exception):
    """The search took longer than SECONDS, so it is not known whether the text matches."""


class Pattern:
    """`found(text)`: the first match, anywhere in the text, or None; anchor with ^ and $. Raises PatternTimeout."""

    __slots__ = ("_compiled", "text")

    def __init__(self, text: str, compiled: Any) -> None:
        self.text = text
        self._compiled = compiled

    def found(self, text: str) -> str | None:
        try:
            match = self._compiled.search(text, timeout=SECONDS, concurrent=False)
        except TimeoutError:
            raise PatternTimeout(f"the pattern took longer than {SECONDS:g} s on this text") from None
        return None if match is None else str(match.group())


def compile_pattern(text: str, place: str | None = None) -> Pattern:
    """Read a pattern; raises InputError where it is none, or where it matches everything."""
    try:
        return _compiled(text)
    except ValueError as error:
        raise InputError(
            f"not a pattern: {error}", place=place, value=text, mend="escape signs that are meant as they are: \\. \\( \\["
        ) from None


@lru_cache(maxsize=1024)
def _compiled(text: str) -> Pattern:
    regex: Any = import_module("regex")  # heavy, and only some cases have patterns

    try:
        compiled = regex.compile(text)
        if all(compiled.search(probe, timeout=SECONDS) for probe in _PROBES):
            raise ValueError("it matches everything, the empty text too")
    except regex.error as error:
        raise ValueError(str(error)) from None
    except (TimeoutError, RecursionError, OverflowError, MemoryError) as error:
        raise ValueError(f"it cannot be run ({type(error).__name__})") from None
    return Pattern(text, compiled)
