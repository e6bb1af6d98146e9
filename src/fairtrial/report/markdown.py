"""Sheets as Markdown, ready for a CI step summary.

Hostile text stays text: every character that Markdown, HTML, or the host's own extensions (mentions, issue numbers, links,
formulas) could act on is written as a character reference, and text that is not ours stands in `<code>`. Kept out: what to
say (the views).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fairtrial.records.text import terminal_safe
from fairtrial.report.sheet import Block, Grid, Heading, Line, Part, Sheet, Verbatim

if TYPE_CHECKING:
    from collections.abc import Iterable

_ACTIVE = re.compile(r"[&<>`*\[\]#|~@\\$]|(?<![^\W_])_|_(?![^\W_])|:(?=\S)|(?<=[wW]{3})\.")
_OPENING = re.compile(r"[-+=\d]")
"""What would open a list, a heading or a rule, were it the first of a line."""
_FENCE = re.compile("`{3,}")


def markdown(sheet: Sheet) -> str:
    """The whole page as Markdown, ending in a line feed."""
    parts: list[str] = []
    before: type[Block] | None = None
    for block in sheet.blocks:
        if parts and not (isinstance(block, Line) and before is Line):
            parts.append("")
        parts.extend(_lines(block))
        before = type(block)
    return "\n".join(parts) + "\n"


def _lines(block: Block) -> list[str]:
    if isinstance(block, Heading):
        aside = f" <sub>{inert(block.aside)}</sub>" if block.aside else ""
        return [f"### {inert(block.text)}{aside}"]
    if isinstance(block, Line):
        text = f"{'&nbsp;' * block.indent}{_joined(block.parts)}"
        return [f"{_OPENING.sub(_reference, text[:1])}{text[1:]}<br>"]
    if isinstance(block, Grid):
        return _table(block)
    if isinstance(block, Verbatim):
        return _fenced(block.text)
    return [f"<b>{inert(block.lead)}</b> {_code(block.command)}"]


def inert(text: str) -> str:
    """The text on one line, with everything that could act written as a character reference."""
    return _ACTIVE.sub(_reference, terminal_safe(text, one_line=True))


def _reference(found: re.Match[str]) -> str:
    return f"&#{ord(found.group())};"


def _code(text: str) -> str:
    return f"<code>{inert(text)}</code>" if text.strip() else inert(text)


def _joined(parts: Iterable[Part]) -> str:
    return "".join(_one(part) for part in parts)


def _one(part: Part) -> str:
    text = _code(part.text) if part.said else inert(part.text)
    bold = part.tone in {"strong", "bad"} and part.text.strip() and not part.said
    return f"<b>{text}</b>" if bold else text


def _table(grid: Grid) -> list[str]:
    rule = ["---:" if side == "r" else ":---" for side in grid.align]
    rows = [[inert(head) for head in grid.heads], rule, *([_one(cell) for cell in row] for row in grid.rows)]
    return [f"| {' | '.join(row)} |" for row in rows]


def _fenced(text: str) -> list[str]:
    """A fenced block whose fence is longer than any in the text."""
    lines = [terminal_safe(line, one_line=True) for line in text.split("\n")]
    longest = max((len(found) for line in lines for found in _FENCE.findall(line)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}text", *lines, fence]
