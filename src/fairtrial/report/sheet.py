"""A page before it is drawn: lines, grids and blocks of text, without colour, width or markup.

Views turn a decided object into a sheet; `terminal.py` and `markdown.py` draw it. So every output tells the same, and each
drawer has one door at which hostile text is made harmless. `said` marks text that is not ours: ids, agent output, evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence


class Part(msgspec.Struct, frozen=True):
    """A piece of a line. `tone` is good, bad, unsure, dim, strong or nothing; `said`: the text is not ours."""

    text: str
    tone: str = ""
    said: bool = False


class Heading(msgspec.Struct, frozen=True):
    text: str
    aside: str = ""


class Line(msgspec.Struct, frozen=True):
    parts: tuple[Part, ...]
    indent: int = 0


class Grid(msgspec.Struct, frozen=True):
    """`align` has one letter a column, l or r. Every row has as many parts as there are heads."""

    heads: tuple[str, ...]
    align: str
    rows: tuple[tuple[Part, ...], ...]


class Verbatim(msgspec.Struct, frozen=True):
    """Text of somebody else over many lines, shown as it stands."""

    text: str
    indent: int = 0


class Next(msgspec.Struct, frozen=True):
    """The last line: what to type, and what for."""

    lead: str
    command: str


Block = Heading | Line | Grid | Verbatim | Next
Text = str | Part


def said(text: object, tone: str = "") -> Part:
    """Text that is not ours."""
    return Part(str(text), tone, said=True)


class Sheet:
    """A page in the making: blocks in reading order."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []

    def head(self, text: str, aside: str = "") -> None:
        self.blocks.append(Heading(text, aside))

    def line(self, *parts: Text, indent: int = 0) -> None:
        self.blocks.append(Line(tuple(_part(part) for part in parts), indent))

    def grid(self, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Text]]) -> None:
        """`columns` are (head, align); a grid without rows is left out."""
        if not rows:
            return
        heads, align = tuple(head for head, _ in columns), "".join(side for _, side in columns)
        made = tuple(tuple(_part(cell) for cell in row) for row in rows)
        if any(len(row) != len(heads) for row in made):
            raise ValueError("a row with another number of cells than there are heads")
        self.blocks.append(Grid(heads, align, made))

    def verbatim(self, text: str, indent: int = 0) -> None:
        self.blocks.append(Verbatim(text, indent))

    def add_to_next(self, option: str) -> None:
        """Puts an option behind the command of the last line, where there is one."""
        self.blocks = [Next(block.lead, f"{block.command} {option}") if isinstance(block, Next) else block for block in self.blocks]

    def next(self, lead: str, command: str) -> None:
        self.blocks.append(Next(lead, command))


def _part(text: Text) -> Part:
    return text if isinstance(text, Part) else Part(text)
