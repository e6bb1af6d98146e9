"""The label `library` of a case written into its file, and nothing else in the file touched.

The place is found by the marks of a parser, the text is changed there alone, and before anything is written the changed text
is read again: every case must be what it was, but for that label. Where that cannot be had (CSV, an alias, two cases that are
one text) the move is refused with its mend. Kept out: which cases move (`study/library.py`).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from fairtrial.cases.rows import shown
from fairtrial.cases.sources import parse_rows
from fairtrial.cases.yamlrows import disguise
from fairtrial.records.errors import InputError
from fairtrial.records.text import read_text, write_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from fairtrial.cases.rows import Row
    from fairtrial.records.case import Case

KEY = "library"
_MARK = b"\xef\xbb\xbf"


class _Spot(NamedTuple):
    """Where the label of a mapping stands, or where it can be put: before the key at `start`; `end` is above it where it stands."""

    start: int
    end: int
    flow: bool


def relabel(path: str, labels: Mapping[str, tuple[Case, str]]) -> str:
    """The new text of a file of cases: by the id of a case the case and its new library. Raises InputError, nothing written."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in (".jsonl", ".json", ".yaml", ".yml"):
        case, library = next(iter(labels.values()))
        raise _refusal(case, library, f"a label cannot be put into {suffix or 'this file'} without touching other cells")
    text = read_text(path)
    rows = parse_rows(text, shown(path))
    by_line: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        by_line.setdefault(row.place(), []).append(number)
    places = {_place(rows, by_line, pair): pair for pair in labels.values()}
    spots = _in_lines(text, {place: rows[place].line for place in places}) if suffix == ".jsonl" else _in_document(text, places)
    changed = text
    for place, (case, library) in sorted(places.items(), key=lambda entry: entry[0], reverse=True):
        spot = spots.get(place)
        if spot is None:
            raise _refusal(case, library, "its place in the file cannot be told for sure")
        changed = _written(changed, spot, library)
    _prove(rows, changed, path, places)
    return changed


def write(path: str, text: str) -> None:
    """Writes a relabelled file whole, with the byte-order mark it had. Raises InputError where it cannot be written."""
    try:
        with open(path, "rb") as file:
            mark = "\ufeff" if file.read(len(_MARK)) == _MARK else ""
        write_text(path, mark + text)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", place=shown(path), mend="make the file and its folder writable") from None


def _refusal(case: Case, library: str, why: str) -> InputError:
    return InputError(f"the label of {case.id!r} was not written: {why}", place=case.place, mend=f"write {KEY}: {library} there by hand")


def _place(rows: list[Row], by_line: Mapping[str, list[int]], pair: tuple[Case, str]) -> int:
    """The row that a case was read from: the same line and the same content."""
    found = [place for place in by_line.get(pair[0].place, ()) if rows[place].value == pair[0].raw]
    if len(found) != 1:
        raise _refusal(*pair, "it is not where it was read" if not found else "two cases there are the same text")
    return found[0]


def _in_lines(text: str, lines: Mapping[int, int]) -> dict[int, _Spot | None]:
    """By the place of a row, which stands on a line of its own, where its label stands in the whole text."""
    starts = [0]
    while (found := text.find("\n", starts[-1])) >= 0:
        starts.append(found + 1)
    spots: dict[int, _Spot | None] = {}
    for place, line in lines.items():
        start = starts[line - 1]
        spot = _in_document(text[start : starts[line] - 1 if line < len(starts) else len(text)], (0,)).get(0)
        spots[place] = spot and _Spot(start + spot.start, start + spot.end if spot.end else 0, spot.flow)
    return spots


def _in_document(text: str, places: Collection[int]) -> dict[int, _Spot | None]:
    """The labels' places in the mapping that is the document (place 0), or in the items of its list; none where it cannot be read."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    spots: dict[int, _Spot | None] = {}
    try:
        events = YAML(typ="safe", pure=True).parse(text.translate(disguise(text)))
        first = next(event for event in events if type(event).__name__ not in ("StreamStartEvent", "DocumentStartEvent"))
        if type(first).__name__ == "MappingStartEvent":
            return {0: _in_mapping(first, events)}
        for number, event in enumerate(_items(events)):
            if number in places and type(event).__name__ == "MappingStartEvent":
                spots[number] = _in_mapping(event, events)
            else:
                _skip(event, events)
    except (YAMLError, RecursionError):
        return {}
    return spots


def _items(events: Iterator[Any]) -> Iterator[Any]:
    for event in events:
        if type(event).__name__ in ("SequenceEndEvent", "MappingEndEvent"):
            return
        yield event


def _in_mapping(opened: Any, events: Iterator[Any]) -> _Spot | None:
    """Where the label stands, else before the second key, so that an id stays first; a case has two keys at least."""
    keys: list[int] = []
    stated: list[_Spot | None] = []
    for key in _items(events):
        value = next(events)
        if key.value == KEY:
            whole = type(value).__name__ == "ScalarEvent" and not value.anchor
            stated.append(_Spot(value.start_mark.index, value.end_mark.index, bool(opened.flow_style)) if whole else None)
        keys.append(key.start_mark.index)
        _skip(value, events)
    if stated:
        return stated[0]
    return _Spot(keys[min(1, len(keys) - 1)], 0, bool(opened.flow_style)) if keys else None


def _skip(event: Any, events: Iterator[Any]) -> None:
    """Past everything that an event opens."""
    depth = 0
    while True:
        kind = type(event).__name__
        depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
        if depth <= 0:
            return
        event = next(events)


def _written(text: str, spot: _Spot, library: str) -> str:
    if spot.end:
        quote = text[spot.start] if text[spot.start] in "\"'" else ""
        return text[: spot.start] + quote + library + quote + text[spot.end :]
    line = text.rfind("\n", 0, spot.start) + 1
    before = text[line : spot.start]
    stated = f'"{KEY}": "{library}",' if spot.flow else f"{KEY}: {library}"
    if before.strip(" -" if not spot.flow else " \t"):
        return f"{text[: spot.start]}{stated} {text[spot.start :]}"
    ends = "\r\n" if "\r\n" in text else "\n"
    return f"{text[: spot.start]}{stated}{ends}{' ' * len(before) if not spot.flow else before}{text[spot.start :]}"


def _prove(rows: list[Row], changed: str, path: str, places: Mapping[int, tuple[Case, str]]) -> None:
    """The changed text says of every case what the old one said, but for the labels."""
    try:
        told = [row.value for row in parse_rows(changed, shown(path))]
    except InputError:
        told = []
    wanted = [row.value | {KEY: places[place][1]} if place in places else row.value for place, row in enumerate(rows)]
    if told != wanted:
        raise _refusal(*next(iter(places.values())), "the file would not have said the same of every other case")
