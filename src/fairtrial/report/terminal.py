"""Sheets on a terminal, and in the plain text that a pipe or a log gets.

Columns line up by display width (Chinese text and emoji take two cells). Every piece of text passes `terminal_safe` here, so
control characters from agents are shown and not obeyed, and nothing is ever read as markup. Colours and NO_COLOR
are rich's business. Kept out: what to say (the views) and how tables fit (`columns.py`).
"""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from fairtrial.records.text import terminal_safe
from fairtrial.report.columns import table_lines
from fairtrial.report.sheet import Block, Grid, Heading, Line, Next, Part, Sheet, Verbatim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STYLES = {"good": "green", "bad": "bold red", "unsure": "yellow", "dim": "dim", "strong": "bold", "command": "bold cyan", "": ""}
WIDTH_OF_LOGS = 120
"""Columns where nothing tells the width: a pipe, a file, a log of CI."""


class Screen(Console):
    """A console whose reader may go away: that is told to whoever prints, and ends as the door says (rich would exit with 1)."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        raise BrokenPipeError


def console(file: IO[str], width: int | None = None) -> Console:
    """A console that prints what it is given: no markup, no highlighting, no emoji codes."""
    if width is None and not file.isatty() and "COLUMNS" not in os.environ:
        width = WIDTH_OF_LOGS
    return Screen(file=file, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def draw(sheet: Sheet, screen: Console) -> None:
    """Prints a sheet; an empty line stands before each heading and before the last line."""
    for place, block in enumerate(sheet.blocks):
        if place and isinstance(block, Heading | Next):
            screen.print()
        for line in _lines(block, screen):
            screen.print(line, soft_wrap=True)


def _lines(block: Block, screen: Console) -> Iterator[Text]:
    if isinstance(block, Grid):
        heads = [Text(terminal_safe(head, one_line=True), style="dim") for head in block.heads]
        rows = [heads, *([_text([cell]) for cell in row] for row in block.rows)]
        for line in table_lines(rows, block.align, screen, screen.width - 2):
            yield Text("  ") + line if line.plain else line
    elif isinstance(block, Verbatim):
        for written in block.text.split("\n"):
            yield from _wrapped(Text(terminal_safe(written, one_line=True)), block.indent, screen)
    elif isinstance(block, Line):
        yield from _wrapped(_text(block.parts), block.indent, screen)
    elif isinstance(block, Heading):
        aside = [Part(f"  {block.aside}", "dim")] if block.aside else []
        yield from _wrapped(_text([Part(block.text, "strong"), *aside]), 0, screen)
    else:
        # One line however long: a command is there to be copied.
        yield _text([Part(f"{block.lead}: ", "dim"), Part(block.command, "command")])


def _text(parts: Iterable[Part]) -> Text:
    made = Text()
    for part in parts:
        made.append(terminal_safe(part.text, one_line=True), style=STYLES[part.tone])
    return made


def _wrapped(text: Text, indent: int, screen: Console) -> Iterator[Text]:
    """The text in lines, indented alike; continued lines stand two deeper."""
    room = max(20, screen.width - indent - 2)
    for place, line in enumerate(text.wrap(screen, room, overflow="fold")):
        line.rstrip()
        yield Text(" " * (indent + (2 if place else 0))) + line
