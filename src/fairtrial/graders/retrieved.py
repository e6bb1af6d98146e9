"""Whether the expected passages are among what a role fetched: in the results of its tool calls, or in what it noted.

A passage is named by its id, or by its words. An id has to be the whole of a value (doc-1 is not doc-12); words have to
stand in a text, whatever the spaces and the case of letters. Kept out: who fetched (`role.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairtrial.graders.finding import Finding, fails, holds

DEEPEST = 6
"""How far into an entry one looks for its id or its words."""
SHOWN = 10

Fetched = tuple[Any, str | None]
"""What came back, and the span of the call or the note."""


def find_passages(role: str, wanted: list[str], fetched: list[Fetched]) -> Finding:
    """PASS with the rank of each wanted passage (1 is the first of what came with it), or FAIL with what came instead."""
    ranks: dict[str, tuple[int, str | None]] = {}
    for value, span in fetched:
        for rank, entry in enumerate(_entries(value), 1):
            for passage in wanted:
                if passage not in ranks and _is(passage, entry):
                    ranks[passage] = rank, span
    gone = [passage for passage in wanted if passage not in ranks]
    if gone:
        value, span = fetched[-1]
        came = [_name(entry) for entry in _entries(value)][:SHOWN]
        return fails(f"{role} did not fetch {', '.join(gone)}", span=span, path="retrieved", expected=wanted, seen=came)
    told = ", ".join(f"{passage!r:.60} came at rank {rank}" for passage, (rank, _) in ranks.items())
    first = ranks[wanted[0]][1] if wanted else None
    return holds(why=told, span=first, path="retrieved", seen={passage: rank for passage, (rank, _) in ranks.items()})


def _entries(value: Any) -> list[Any]:
    """What came back, one by one: a list itself, or the lists that an object holds ({passages: [...]})."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        lists = [entry for part in value.values() if isinstance(part, list) for entry in part]
        return lists or [value]
    return [value]


def _is(passage: str, entry: Any) -> bool:
    return any(text == passage or (_is_words(passage) and _plain(passage) in _plain(text)) for text in _texts(entry, DEEPEST))


def _is_words(passage: str) -> bool:
    """Words, and no id: it has a space, or more than one sign of a script that is written without spaces."""
    return " " in passage.strip() or sum(not char.isascii() for char in passage) > 1


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _texts(entry: Any, deep: int) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, int) and not isinstance(entry, bool):
        yield str(entry)
    elif isinstance(entry, (list, dict)) and deep:
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from _texts(part, deep - 1)


def _name(entry: Any) -> Any:
    """An entry as evidence: its id where it has one."""
    if isinstance(entry, dict):
        return next((entry[key] for key in ("id", "name", "title") if key in entry), entry)
    return entry
