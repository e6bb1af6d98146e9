"""What differs between the world before and after, as a list of paths."""

from __future__ import annotations

from typing import Any

from fairtrial.records.trial import Change

LIMIT = 1000


def diff(before: Any, after: Any) -> list[Change]:
    """Differences by path, mappings by key and lists by position; at most `LIMIT`, then one that says so.

    A list that only grew or shrank at its end shows exactly the added or removed entries.
    """
    found: list[Change] = []
    _walk("", before, after, found)
    if len(found) > LIMIT:
        rest = len(found) - LIMIT
        found = [*found[:LIMIT], Change("$", "changed", None, f"{rest} more changes are not listed")]
    return found


def _walk(path: str, before: Any, after: Any, found: list[Change]) -> None:
    if len(found) > LIMIT + 1000:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            here = f"{path}.{key}" if path else str(key)
            _step(here, key in before, key in after, (before.get(key), after.get(key)), found)
    elif isinstance(before, list) and isinstance(after, list):
        for index in range(max(len(before), len(after))):
            had, has = index < len(before), index < len(after)
            _step(f"{path}[{index}]", had, has, (before[index] if had else None, after[index] if has else None), found)
    elif type(before) is not type(after) or before != after:  # True is not 1
        found.append(Change(path or "$", "changed", before, after))


def _step(path: str, had: bool, has: bool, values: tuple[Any, Any], found: list[Change]) -> None:
    before, after = values
    if had and has:
        _walk(path, before, after, found)
    elif has:
        found.append(Change(path, "added", None, after))
    else:
        found.append(Change(path, "removed", before, None))
