"""Values that are too long to keep whole, shortened so that they stay readable, valid and marked.

A size limit shortens values, it never drops the span that carries them. Text is cut between characters; text that is
itself JSON stays JSON; every cut says how many bytes are gone and the hash of the whole. Kept out: what the limits are.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from fairtrial.records.strictjson import encode

SMALLEST = 160
"""Bytes that the least useful piece needs with its mark; below a fair share of this, whole entries are left out instead."""


class Cut(NamedTuple):
    """One value that was shortened: its path ("$" = the whole), the bytes it had, and the hash of all of them."""

    path: str
    bytes: int
    sha256: str


def shorten(value: Any, limit: int) -> tuple[Any, list[Cut]]:
    """Plain data within about `limit` bytes of JSON, and what was cut of it (an empty list: nothing, and the value is the same).

    The largest parts give way first; small ones stay whole. The result is valid plain data; marks may add some bytes
    where the limit is below a few hundred.
    """
    if len(encode(value)) <= limit:
        return value, []
    cuts: list[Cut] = []
    return _fit(value, limit, "", cuts), cuts


def cut_text(text: str, limit: int) -> str:
    """The text within `limit` bytes of UTF-8, never splitting a character, ending in a mark where it was cut."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= limit:
        return text
    kept = max(0, limit - len(_mark(data, len(data))))
    head = data[:kept]
    while head and kept < len(data) and data[kept] & 0xC0 == 0x80:
        kept -= 1
        head = data[:kept]
    return head.decode("utf-8", "surrogatepass") + _mark(data, len(data) - len(head))


def _mark(data: bytes, gone: int) -> str:
    return f"… [{gone} bytes cut, sha256:{sha256(data).hexdigest()}]"


def _fit(value: Any, room: int, path: str, cuts: list[Cut]) -> Any:
    if isinstance(value, str):
        return _fit_text(value, room, path, cuts)
    if isinstance(value, dict):
        names = [len(encode(key)) + 2 for key in value]
        shares = _shares([name + len(encode(item)) for name, item in zip(names, value.values(), strict=True)], room - 2)
        kept = {
            key: item if share is None else _fit(item, share - name, f"{path}.{key}", cuts)
            for (key, item), name, share in zip(value.items(), names, shares, strict=False)
        }
        if len(kept) < len(value):
            rest = dict(list(value.items())[len(kept) :])
            kept[f"… {len(rest)} keys cut"] = _gone(rest, path, cuts)
        return kept
    if isinstance(value, list):
        shares = _shares([len(encode(item)) + 1 for item in value], room - 2)
        items = [
            item if share is None else _fit(item, share, f"{path}.{place}", cuts)
            for place, (item, share) in enumerate(zip(value, shares, strict=False))
        ]
        if len(items) < len(value):
            rest_items = value[len(items) :]
            items.append(f"… {len(rest_items)} items cut: {_gone(rest_items, path, cuts)}")
        return items
    return value


def _gone(rest: Any, path: str, cuts: list[Cut]) -> str:
    data = encode(rest)
    cuts.append(Cut(path.lstrip(".") or "$", len(data), sha256(data).hexdigest()))
    return _mark(data, len(data))[2:]


def _fit_text(text: str, room: int, path: str, cuts: list[Cut]) -> str:
    data = text.encode("utf-8", "surrogatepass")
    written = len(encode(text))
    if written <= room:
        return text
    room = (room - 2) * len(data) // written  # what is escaped when written takes more room than it shows
    cuts.append(Cut(path.lstrip(".") or "$", len(data), sha256(data).hexdigest()))
    if text[:1] in ("{", "["):
        try:
            inner = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return cut_text(text, room)
        return encode(_fit(inner, room, path, cuts)).decode()
    return cut_text(text, room)


def _shares(sizes: list[int], room: int) -> list[int | None]:
    """How many bytes each entry may have (None: it stays whole), small ones first served; shorter than `sizes` where the
    last entries find no place at all."""
    kept = sizes if sum(min(size, SMALLEST) for size in sizes) <= room else _leading(sizes, room - SMALLEST)
    left, waiting = room, len(kept)
    shares: list[int | None] = [None] * len(kept)
    for place in sorted(range(len(kept)), key=kept.__getitem__):
        fair = left // waiting
        if kept[place] > fair:
            shares[place] = max(fair, SMALLEST)
        left -= min(kept[place], fair)
        waiting -= 1
    return shares


def _leading(sizes: list[int], room: int) -> list[int]:
    kept: list[int] = []
    for size in sizes:
        room -= min(size, SMALLEST)
        if room < 0:
            break
        kept.append(size)
    return kept
