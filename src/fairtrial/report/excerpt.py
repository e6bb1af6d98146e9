"""Short pieces of long values, for lines and cells; every cut says how much is gone. The whole stands with the trial."""

from __future__ import annotations

from typing import Any

from fairtrial.records.text import dumps

SHORT = 160
"""Characters of a value or sentence on a page of a whole run."""


def excerpt(text: str, most: int = SHORT) -> str:
    """The text, or its beginning with the number of characters left out."""
    return text if len(text) <= most else f"{text[:most]}… (+{len(text) - most:,})"


def value_text(value: Any, most: int = SHORT) -> str:
    """A value as one line of JSON, so that "4" and 4, null and nothing can be told apart."""
    return excerpt(dumps(value), most)
