"""Tables of text that fit the screen: columns by display width, heads that wrap, and wide tables cut into stacked ones.

Numbers are never broken over lines. Where a table is too wide its heads wrap first, then columns of words, then it is cut
into tables of about one width, one below the other, that each repeat what names the row; rows with nothing in them are left out
there. Kept out: colours and what stands in a cell.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

GAP = 2
STRIPS = (24, 16, 12)
"""Display cells that a column of words keeps when room is short; fewer where that saves cutting the table."""
LONGEST = 40
"""Up to so many letters an id or a word is never broken."""
_WORD = re.compile("[!-~]+")
SMALLEST = 8

Row = list[Text]


def table_lines(rows: Sequence[Row], align: str, screen: Console, room: int) -> Iterator[Text]:
    """The lines of a table whose first row holds the heads; `align` has l or r for each column."""
    natural = [max(cell_len(row[column].plain) for row in rows) for column in range(len(align))]
    if _total(natural) <= room:
        yield from _lines(rows, align, screen, dict(enumerate(natural)))
        return
    for strip in STRIPS:
        floors = [_floor(rows, column, align, strip) for column in range(len(align))]
        if _total(floors) <= room:
            yield from _lines(rows, align, screen, _shares(list(range(len(align))), floors, natural, room))
            return
    floors = [_floor(rows, column, align, STRIPS[0]) for column in range(len(align))]
    lead = _lead(rows, floors, room)
    for place, group in enumerate(_groups(floors, room, lead)):
        if place:
            yield Text()
        told = [row for number, row in enumerate(rows) if not place or not number or any(_tells(row[column]) for column in group[lead:])]
        yield from _lines(told, align, screen, _shares(group, floors, natural, room))


def _tells(cell: Text) -> bool:
    return cell.plain not in ("", "–")


def _lead(rows: Sequence[Row], floors: Sequence[int], room: int) -> int:
    """How many columns each stacked table repeats: the first, and the second where it tells apart rows that the first does not."""
    if len(floors) < 4 or _total(floors[:2]) > room // 2:
        return 1
    first = {row[0].plain for row in rows[1:]}
    both = {(row[0].plain, row[1].plain) for row in rows[1:]}
    return 2 if len(both) > len(first) else 1


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _floor(rows: Sequence[Row], column: int, align: str, strip: int) -> int:
    """The least width: numbers and ids whole, heads broken at spaces, columns of words down to a readable strip."""
    head = max((cell_len(word) for word in rows[0][column].plain.split()), default=0)
    cells = max((cell_len(row[column].plain) for row in rows[1:]), default=0)
    if align[column] == "r":
        return max(head, cells)
    word = max((len(word) for row in rows[1:] for word in _WORD.findall(row[column].plain)), default=0)
    return max(head, min(cells, strip), word if word <= LONGEST else 0)


def _groups(floors: list[int], room: int, lead: int) -> list[list[int]]:
    """Columns in stacked tables, each with the leading columns in front: as few tables as it takes, and these about even."""
    packed = _packed(floors, room, lead)
    if len(packed) == 1:
        return packed
    least, most = _total(floors[:lead]), room
    while least + 1 < most:  # the narrowest room that still makes do with as many tables
        middle = (least + most) // 2
        least, most = (least, middle) if len(_packed(floors, middle, lead)) <= len(packed) else (middle, most)
    return _packed(floors, most, lead)


def _packed(floors: list[int], room: int, lead: int) -> list[list[int]]:
    front = list(range(lead))
    groups = [[*front]]
    for column in range(lead, len(floors)):
        wider = [*groups[-1], column]
        if len(groups[-1]) > lead and _total([floors[one] for one in wider]) > room:
            groups.append([*front, column])
        else:
            groups[-1] = wider
    return groups


def _shares(group: list[int], floors: list[int], natural: list[int], room: int) -> dict[int, int]:
    """The width of each column of a group: its floor, and what is left over to those that could use it, from the left."""
    widths = {column: floors[column] for column in group}
    left = room - _total(list(widths.values()))
    for column in group:
        more = min(max(left, 0), natural[column] - widths[column])
        widths[column] += more
        left -= more
    if left < 0:
        widest = max(group, key=lambda column: widths[column])
        widths[widest] = max(SMALLEST, widths[widest] + left)
    return widths


def _lines(rows: Sequence[Row], align: str, screen: Console, widths: dict[int, int]) -> Iterator[Text]:
    for row in rows:
        cells = {column: _wrapped(row[column], screen, width) for column, width in widths.items()}
        for number in range(max(len(lines) for lines in cells.values())):
            line = Text(no_wrap=True)
            for column, width in widths.items():
                piece = cells[column][number] if number < len(cells[column]) else Text()
                space = " " * max(0, width - cell_len(piece.plain))
                line.append_text(Text(space) + piece if align[column] == "r" else piece + Text(space))
                line.append(" " * GAP)
            line.rstrip()
            yield line


def _wrapped(text: Text, screen: Console, width: int) -> list[Text]:
    if cell_len(text.plain) <= width:
        return [text]
    lines = list(text.wrap(screen, max(1, width), overflow="fold"))
    for line in lines:
        line.rstrip()
    return lines
