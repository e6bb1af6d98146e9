"""One state told by what differs from another: a short list of edits in place of a second copy.

An edit puts a value at a key, takes a key away, or replaces some entries of a list. What is not edited is shared between the
two states, so neither may be changed in place. Kept out: how a difference is found without reading both states (the worlds).
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PUT, GONE, ROWS = "put", "gone", "rows"


class Edit(msgspec.Struct, frozen=True, array_like=True):
    """`steps` are the keys that lead to what is edited; [] is the whole. `kind` is one of three:

    put: `value` stands there now. gone: the key is there no more. rows: in the list there, the `gone` entries from position
    `at` on are replaced by those of `value`; positions are those before any edit.
    """

    steps: list[str]
    kind: str
    value: Any = None
    at: int = 0
    gone: int = 0


def applied(before: Any, edits: Sequence[Edit]) -> Any:
    """The state after the edits. Raises KeyError, IndexError or TypeError where they do not fit it."""
    top = [before]
    fresh: dict[int, Any] = {}
    for edit in [*(edit for edit in edits if edit.kind != ROWS), *reversed([edit for edit in edits if edit.kind == ROWS])]:
        holder, key = top, 0
        for step in edit.steps:
            holder, key = _own(holder, key, fresh), step  # type: ignore[assignment]
        if edit.kind == ROWS:
            _own(holder, key, fresh)[edit.at : edit.at + edit.gone] = edit.value
        elif edit.kind == GONE:
            del holder[key]
        else:
            holder[key] = edit.value
    return top[0]


def _own(holder: Any, key: Any, fresh: dict[int, Any]) -> Any:
    """The mapping or list at a key, as a copy of our own."""
    found = holder[key]
    if id(found) not in fresh:
        found = holder[key] = dict(found) if isinstance(found, dict) else list(found)
        fresh[id(found)] = found
    return found


def between(before: Any, after: Any) -> list[Edit]:
    """The edits that lead from one state of plain data to another; none where they are the same."""
    return list(_between([], before, after))


def _between(steps: list[str], before: Any, after: Any) -> Iterator[Edit]:
    if before is after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from (Edit([*steps, key], GONE) for key in before if key not in after)
        for key, value in after.items():
            if key in before:
                yield from _between([*steps, key], before[key], value)
            else:
                yield Edit([*steps, key], PUT, value)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _rows(steps, before, after)
    elif _text(before) != _text(after):
        yield Edit(steps, PUT, after)


def _rows(steps: list[str], before: list[Any], after: list[Any]) -> Iterator[Edit]:
    old, new = [_text(row) for row in before], [_text(row) for row in after]
    if len(old) == len(new):
        for same, run in groupby(range(len(old)), key=lambda at: old[at] == new[at]):
            if not same:
                places = list(run)
                yield Edit(steps, ROWS, after[places[0] : places[-1] + 1], places[0], len(places))
        return
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    end = next((at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start)
    yield Edit(steps, ROWS, after[start : len(after) - end], start, len(old) - end - start)


_ENCODER = msgspec.json.Encoder()


def _text(value: Any) -> bytes:
    """As JSON: true is not 1, and 1 is not 1.0."""
    return _ENCODER.encode(value)


def moved_notes(notes: dict[str, str], edits: Sequence[Edit]) -> dict[str, str]:
    """Notes on places of a state (orders.3.amount) as they stand after the edits; those on what was edited away are left out."""
    if not edits:
        return dict(notes)
    places = [(".".join(edit.steps), edit) for edit in edits]
    moved = ((_moved(path, places), how) for path, how in notes.items())
    return {path: how for path, how in moved if path is not None}


def _moved(path: str, edits: Iterable[tuple[str, Edit]]) -> str | None:
    shift, shifted, tail = 0, "", ""
    for place, edit in edits:
        below = path[len(place) + 1 :] if place and path.startswith(f"{place}.") else path if not place else ""
        if not below and path != place:
            continue
        index, _, rest = below.partition(".")
        if edit.kind != ROWS:
            return None
        if not index.isdigit() or int(index) < edit.at:
            continue
        if int(index) < edit.at + edit.gone:
            return None
        shift += len(edit.value) - edit.gone
        shifted, tail = f"{place}." if place else "", f".{rest}" if rest else ""
    if not shift:
        return path
    index = path[len(shifted) :].partition(".")[0]
    return f"{shifted}{int(index) + shift}{tail}"


def notes_of(notes: dict[str, str], under: str, edits: Sequence[Edit]) -> dict[str, str]:
    """Notes on the values of the edits themselves (`under`.NUMBER.KEY…, as the store's door writes them) as places of the end."""
    found: dict[str, str] = {}
    for path, how in notes.items():
        if not path.startswith(f"{under}."):
            continue
        number, _, rest = path[len(under) + 1 :].partition(".")
        edit = edits[int(number)]
        below = rest[len(edit.steps[-1]) :] if edit.steps else f".{rest}" if rest else ""
        if edit.kind == ROWS:
            index, _, tail = below[1:].partition(".")
            earlier = (other for other in edits[: int(number)] if other.kind == ROWS and other.steps == edit.steps)
            here = edit.at + int(index or 0) + sum(len(other.value) - other.gone for other in earlier)
            below = f".{here}.{tail}" if tail else f".{here}"
        found[(".".join(edit.steps) + below).lstrip(".")] = how
    return found
