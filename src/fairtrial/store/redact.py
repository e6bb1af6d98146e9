"""SKELETON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.trial import Trial, TrialHead


class Redactor:
    """Finds and covers secrets: by key name, by pattern, by known value."""

    def __init__(self, known_values: Sequence[str] = ()) -> None:
        """`known_values`: secrets of cases, values of named environment variables; those under 6 characters are left out."""
        raise NotImplementedError

    def redact(self, value: Any) -> Any:
        """Plain data with every secret covered; the same object where there is none."""
        raise NotImplementedError

    def redact_json(self, data: bytes) -> bytes:
        """The same over encoded JSON; the same bytes where there is none (about 5 µs for 1.5 KB)."""
        raise NotImplementedError

    def redact_text(self, text: str) -> str:
        """The same over running text: notes, errors, log lines."""
        raise NotImplementedError
