"""What differs between the world before and after, as a list of paths."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from fairtrial.records.trial import Change
from fairtrial.records.way import stepped

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 1000
FAR = LIMIT + 1000
"""So many are looked for: enough to say that there are more than are listed."""


def diff(before: Any, after: Any) -> list[Change]:
    """Differences by path, mappings by key and lists by position; at most `LIMIT`, then one that says so.

    A list that only grew or shrank at its end shows exactly the added or removed entries.
    """
    found: list[Change] = []
    walk("", before, after, found)
    return limited(found)


def limited(found: list[Change]) -> list[Change]:
    """At most `LIMIT` changes, then one that says how many are not listed."""
    if len(found) <= LIMIT:
        return found
    rest = len(found) - LIMIT
    return [*found[:LIMIT], Change("$", "changed", None, f"{rest} more changes are not listed")]


def walk(path: str, before: Any, after: Any, found: list[Change]) -> None:
    """Add what differs at a path and below it."""
    if len(found) > FAR:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            here = stepped(path, str(key))
            step(here, (key in before, key in after), (before.get(key), after.get(key)), found)
    elif isinstance(before, list) and isinstance(after, list):
        both = min(len(before), len(after))
        for index in range(both):
            walk(f"{path}[{index}]", before[index], after[index], found)
        ends(path, (len(before), len(after)), (iter(before[both:]), iter(after[both:])), found)
    elif type(before) is not type(after) or before != after:  # True is not 1
        found.append(Change(path or "$", "changed", before, after))


def step(path: str, there: tuple[bool, bool], values: tuple[Any, Any], found: list[Change]) -> None:
    """The same for an entry that may be there (before, after) or not."""
    before, after = values
    if all(there):
        walk(path, before, after, found)
    elif there[1]:
        found.append(Change(path, "added", None, after))
    else:
        found.append(Change(path, "removed", before, None))


def ends(path: str, lengths: tuple[int, int], rest: tuple[Iterator[Any], Iterator[Any]], found: list[Change]) -> None:
    """What one of two lists has beyond the end of the other. All of it counts; only as much as is listed is read."""
    had, has = lengths
    first, room = min(had, has), max(0, LIMIT - len(found))
    for index, entry in enumerate(islice(rest[0] if had > has else rest[1], min(abs(had - has), room)), first):
        step(f"{path}[{index}]", (had > has, has > had), (entry, entry), found)
    left = abs(had - has) - min(abs(had - has), room)
    found += [Change(path, "removed" if had > has else "added")] * left
