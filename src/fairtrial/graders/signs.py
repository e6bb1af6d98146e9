"""How a fact shows in a value: by its name, by one of its known phrases, by a text value long enough not to be chance.

A bare number proves nothing, and a name that carries null carries nothing. Kept out: where to look (`facts.py`, `trail.py`).
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from fairtrial.graders.ground import Ground

SHORTEST_TEXT = 4
"""A text value this long or longer is a sign of its fact; shorter ones turn up by chance."""


class Signs:
    """The signs of one fact of a case. `name` is its id; `value` is UNSET for a fact the case does not state."""

    __slots__ = ("_pattern", "name", "value")

    def __init__(self, name: str, ground: Ground) -> None:
        self.name = name
        self.value = ground.case.brief.facts.get(name, msgspec.UNSET)
        note = ground.case.key.fact_notes.get(name)
        phrases = [*(note.found_as if note else ())]
        if isinstance(self.value, str) and len(self.value) >= SHORTEST_TEXT:
            phrases.append(self.value)
        words = [_whole_word(re.sub(r"[_\s-]+", r"[_\\s-]+", re.escape(name).replace(r"\_", "_").replace(r"\-", "-")))]
        self._pattern = re.compile("|".join([*words, *map(_phrase, filter(None, phrases))]), re.IGNORECASE)

    def within(self, value: Any) -> bool:
        """Whether the fact shows anywhere in plain data, in keys as well."""
        if isinstance(value, str):
            return self._pattern.search(value) is not None
        if isinstance(value, dict):
            return any(self._entry(key, inner) for key, inner in value.items())
        return isinstance(value, (list, tuple)) and any(map(self.within, value))

    def _entry(self, key: Any, inner: Any) -> bool:
        if key == self.name:
            return inner is not None or self.value is None
        return self.within(inner) or (isinstance(key, str) and inner not in (None, False) and self._pattern.search(key) is not None)


def _whole_word(pattern: str) -> str:
    return rf"(?<!\w){pattern}(?!\w)"


def _phrase(text: str) -> str:
    """A phrase as whole words in scripts that part them; anywhere in those that do not."""
    return _whole_word(re.escape(text)) if text.isascii() else re.escape(text)
