"""Secrets are covered before anything is stored: those known by value, by the name they stand under, by their shape.

What is covered is replaced by a mark that says why ([redacted:known], [redacted:key], [redacted:secret]), and its path is
noted, so that a check on it can say that it does not know. Kept out: where in a trial to look (`door.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from fairtrial.records.text import dumps, encode, reread
from fairtrial.store.secrets import BY_NAME, cover_shapes, secret_name, secret_scalar
from fairtrial.store.suspicion import holds_any, named_or_shaped

if TYPE_CHECKING:
    from collections.abc import Iterable

KNOWN = "[redacted:known]"
LEAST_KNOWN = 6
"""Known values shorter than this would be found everywhere."""

_NAME_KEYS = ("name", "key", "header", "Name", "Key")
_VALUE_KEYS = ("value", "Value")


class Redactor:
    """Covers secrets in text, in plain data and in encoded JSON. Has no state of its own: safe under threads."""

    def __init__(self, known_values: Iterable[str] = ()) -> None:
        """`known_values`: the secrets of cases, the values of named environment variables; those under 6 characters are left out."""
        self.known = tuple(sorted({value for value in known_values if len(value) >= LEAST_KNOWN}, key=len, reverse=True))
        forms = [form for value in self.known for form in _forms(value)]
        self._needles = tuple(dict.fromkeys(form.encode("utf-8", "surrogatepass") for form in forms))
        longest_first = sorted(set(forms), key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if forms else None

    def suspects(self, data: bytes) -> bool:
        """Whether encoded JSON may hold a secret. False is certain; True asks for a closer look."""
        return named_or_shaped(data) or holds_any(data, self._needles)

    def redact_text(self, text: str) -> str:
        """Running text (a note, an error, a log line) with its secrets covered."""
        if self._known is not None:
            text = self._known.sub(KNOWN, text)
        return cover_shapes(text) if named_or_shaped(text.encode("utf-8", "surrogatepass")) else text

    def redact(self, value: Any, notes: dict[str, str] | None = None, path: str = "") -> Any:
        """Plain data with its secrets covered; what holds none is the same object.

        `notes`, where given, gets path -> mark for each value that was covered; `path` is where `value` stands.
        """
        return _Walk(self, {} if notes is None else notes).cover(value, path, "")

    def redact_record(self, record: Any) -> Any:
        """One of our own records with every text in it covered, whatever it is called: its names are ours, and no secrets."""
        if type(record) is str:
            return self.redact_text(record)
        if isinstance(record, msgspec.Struct):
            return msgspec.structs.replace(record, **{name: self.redact_record(getattr(record, name)) for name in record.__struct_fields__})
        if isinstance(record, dict):
            return {self.redact_record(name): self.redact_record(value) for name, value in record.items()}
        return type(record)(map(self.redact_record, record)) if isinstance(record, (list, tuple)) else record

    def redact_json(self, data: bytes) -> bytes:
        """Encoded JSON with its secrets covered; the same bytes where there is none."""
        if not self.suspects(data):
            return data
        value = reread(data)
        covered = self.redact(value)
        return data if covered is value else encode(covered)


def _forms(value: str) -> set[str]:
    """A value as it may be written: bare, in a URL, in JSON up to three deep (in UTF-8 and in ASCII)."""
    forms = {value, quote(value, safe="", errors="replace")}
    for written in (dumps(value)[1:-1], _ascii(dumps(value)[1:-1])):
        deep = written
        for _ in range(3):
            forms.add(deep)
            deep = dumps(deep)[1:-1]
    return forms


def _ascii(text: str) -> str:
    """The inside of a JSON text with all that is not ASCII as escapes."""
    units = text.encode("utf-16-be", "surrogatepass")
    codes = [int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2)]
    return "".join(chr(code) if code < 0x80 else f"\\u{code:04x}" for code in codes)


class _Walk:
    """One walk through one value."""

    def __init__(self, redactor: Redactor, notes: dict[str, str]) -> None:
        self.redactor = redactor
        self.notes = notes

    def cover(self, value: Any, path: str, name: str) -> Any:
        """`name` is the secret name that the value stands under, or nothing."""
        if isinstance(value, dict):
            return self._mapping(value, path, name)
        if isinstance(value, list):
            return self._list(value, path, name)
        if name and secret_scalar(name, value):
            return self._noted(path, BY_NAME)
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and str(value) in self.redactor.known:
            return self._noted(path, KNOWN)
        return value

    def _text(self, text: str, path: str) -> str:
        covered = self.redactor.redact_text(text)
        if covered == text:
            return text
        self.notes[path or "$"] = "a secret in the text was covered"
        return covered

    def _noted(self, path: str, mark: str) -> str:
        self.notes[path or "$"] = mark
        return mark

    def _mapping(self, value: dict[str, Any], path: str, name: str) -> dict[str, Any]:
        many = name if secret_name(name) == "many" else ""
        pair = self._named_value(value)
        made: dict[str, Any] = {}
        changed = False
        for key, item in value.items():
            here = f"{path}.{key}" if path else key
            under = pair if pair and key in _VALUE_KEYS else key if secret_name(key) else many
            covered = self.cover(item, here, under)
            shown = self.redactor.redact_text(key)
            changed = changed or covered is not item or shown != key
            made[shown if shown not in made else key] = covered
        return made if changed else value

    @staticmethod
    def _named_value(value: dict[str, Any]) -> str:
        """The secret name in {"name": "Authorization", "value": "…"}, or nothing."""
        if not any(key in value for key in _VALUE_KEYS):
            return ""
        names = [value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)]
        return next((name for name in names if secret_name(name)), "")

    def _list(self, value: list[Any], path: str, name: str) -> list[Any]:
        under = name if secret_name(name) == "many" else ""
        first = value[0] if len(value) == 2 else None
        if isinstance(first, str) and secret_name(first):
            under = first  # a header or a query as a pair: ["Authorization", "…"]
        made = [self.cover(item, f"{path}.{place}" if path else str(place), under) for place, item in enumerate(value)]
        if under is first and first is not None:
            made[0] = self.cover(first, f"{path}.0" if path else "0", "")
        return made if any(new is not old for new, old in zip(made, value, strict=True)) else value


def known_values(names: Iterable[str], environment: dict[str, str]) -> list[str]:
    """The values of the named environment variables that are set: what an agent may hold, and must never be stored."""
    return [environment[name] for name in names if environment.get(name)]
