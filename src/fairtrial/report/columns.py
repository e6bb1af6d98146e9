"""Tables of text that fit the screen: columns by display width, heads that wrap, and wide tables cut into stacked ones.

Numbers are never broken over lines. Where a table is too wide its heads wrap first, then columns of words, then it is cut
into tables one below the other that each repeat the first column. Kept out: colours and what stands in a cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

GAP = 2
WORDS_AT_LEAST = 24
"""Display cells that a column of words keeps when room is short."""
SMALLEST = 8

Row = list[Text]


def table_lines(rows: Sequence[Row], align: str, screen: Console, room: int) -> Iterator[Text]:
    """The lines of a table whose first row holds the heads; `align` has l or r for each column."""
    natural = [max(cell_len(row[column].plain) for row in rows) for column in range(len(align))]
    if _total(natural) <= room:
        yield from _lines(rows, align, screen, dict(enumerate(natural)))
        return
    floors = [_floor(rows, column, align) for column in range(len(align))]
    for place, group in enumerate(_groups(floors, room)):
        if place:
            yield Text()
        yield from _lines(rows, align, screen, _shares(group, floors, natural, room))


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _floor(rows: Sequence[Row], column: int, align: str) -> int:
    """The least width: numbers whole, heads broken at spaces, columns of words down to a readable strip."""
    head = max((cell_len(word) for word in rows[0][column].plain.split()), default=0)
    cells = max((cell_len(row[column].plain) for row in rows[1:]), default=0)
    return max(head, cells if align[column] == "r" else min(cells, WORDS_AT_LEAST))


def _groups(floors: list[int], room: int) -> list[list[int]]:
    """Columns in stacked tables, each with the first column in front."""
    groups = [[0]]
    for column in range(1, len(floors)):
        wider = [*groups[-1], column]
        if len(groups[-1]) > 1 and _total([floors[one] for one in wider]) > room:
            groups.append([0, column])
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
