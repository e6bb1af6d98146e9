"""A case written as YAML that every reader understands alike, whatever it holds.

Keys of the case stand one a line, entries of its lists too; whatever stands below is JSON, which is YAML as well, with every
character escaped that is not plainly visible. So no text of a trial can begin a key, a tag or a comment of its own. The text is
read again before it is handed out. Kept out: where it is written.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from fairtrial.cases.yamlrows import yaml_document
from fairtrial.records.errors import InputError
from fairtrial.records.text import dumps

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))
"""What some reader of YAML takes for something else than text."""
_SPACE = re.compile(r"[ \t]")


def yaml_text(value: dict[str, Any], comment: str = "") -> str:
    """The object as a document. Raises InputError where YAML cannot hold it (nested too deep, a key too long)."""
    with suppress(RecursionError):
        for block in (True, False):
            text = _said(value, comment, block=block)
            if _same(text, value):
                return text
    raise InputError("the case cannot be written as YAML", place="the draft", mend="name a file that ends in .json: --into FILE.json")


def _entry(key: str, item: Any, block: bool) -> list[str]:
    name = _key(key)
    if block and isinstance(item, str) and _is_block(item):
        return [f"{name}: |-", *(f"  {line}" if line else "" for line in item.split("\n"))]
    if isinstance(item, list) and item:
        return [f"{name}:", *(f"  - {_json(entry)}" for entry in item)]
    return [f"{name}: {_json(item)}"]


def _is_block(text: str) -> bool:
    """Several lines that may stand as they are: all visible, the first not indented, nothing at the end that would be lost."""
    lines = text.split("\n")
    shown = all(line.isprintable() and line == line.rstrip() for line in lines)
    return len(lines) > 1 and shown and bool(lines[0]) and bool(lines[-1]) and not _SPACE.match(lines[0])


def _json(value: Any) -> str:
    """Flow style, with the spaces that people want; a key stands bare where no reader takes it for anything but text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(str(key))}: {_json(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_json, value)) + "]"
    return "".join(char if char.isprintable() else _escape(char) for char in dumps(value))


def _key(key: str) -> str:
    return key if _PLAIN.fullmatch(key) and key.lower() not in _WORDS else _json(key)


def _escape(char: str) -> str:
    """Only within quotes can such a character stand in JSON, so that an escape is always right."""
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _said(value: dict[str, Any], comment: str, *, block: bool) -> str:
    lines = [f"# {line}" for line in comment.splitlines()]
    for key, item in value.items():
        lines += _entry(key, item, block)
    return "\n".join(lines) + "\n"


def _same(text: str, value: dict[str, Any]) -> bool:
    try:
        read = yaml_document(text, "the draft")
    except InputError:
        return False
    return read is not None and dumps(read.value) == dumps(value)
