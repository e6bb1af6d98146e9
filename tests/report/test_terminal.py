"""The terminal: hostile text is shown and not obeyed, columns line up in any script, colours only where they are wanted."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from unicodedata import category, combining, east_asian_width

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from fairtrial.report.sheet import Part, Sheet, said
from fairtrial.report.terminal import STYLES, console, draw

CODES = "\x1b[31mred\x1b[0m\x1b]8;;http://evil.example\x07link\x1b]8;;\x07"
HOSTILE = f"{CODES} [bold]b[/bold] [link=http://x]y[/link] :smile: \x07\r\x9b2J\u202e\ud800"
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def columns(text: str) -> int:
    """Columns of a terminal by the Unicode tables alone: wide characters take two, marks none, joined emoji those of the first."""
    total = last = 0
    joined = False
    for char in text:
        if char == "\u200d":
            joined = True
        elif char == "\ufe0f":  # asks for the emoji form, which is wide
            total, last = total + (last == 1), 2
        elif not (joined or combining(char) or category(char) in ("Mn", "Me", "Cf")):
            last = 1 + (east_asian_width(char) in "WF")
            total += last
        else:
            joined = False
    return total


def _every_block(text: str) -> Sheet:
    """A page with the text in every place that a page has."""
    sheet = Sheet()
    sheet.head(text, text)
    sheet.line(text, said(text), Part(text, "bad"), indent=2)
    sheet.grid([(text, "l"), ("n", "r")], [[said(text), text]])
    sheet.verbatim(f"{text}\n{text}", indent=2)
    sheet.next(text, text)
    return sheet


def test_control_characters_of_agents_are_shown_and_never_sent(text_of: Callable[..., str]) -> None:
    page = text_of(_every_block(HOSTILE), width=400)
    assert CONTROL.search(page) is None
    assert page.count("\\x1b[31mred\\x1b[0m") == 12
    assert page.count("\\u202e\\ud800") == 12


def test_markup_of_agents_appears_literally(text_of: Callable[..., str]) -> None:
    page = text_of(_every_block(HOSTILE), width=400)
    assert page.count("[bold]b[/bold] [link=http://x]y[/link] :smile:") == 12


def test_even_with_colours_only_our_own_codes_are_sent() -> None:
    out = io.StringIO()
    screen = Console(file=out, width=400, force_terminal=True, color_system="standard", markup=False, highlight=False, emoji=False)
    draw(_every_block(HOSTILE), screen)
    codes = set(re.findall("\x1b[^m]*m", out.getvalue()))
    assert CONTROL.search(re.sub("\x1b\\[[0-9;]*m", "", out.getvalue())) is None
    assert codes <= {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[33m", "\x1b[1;31m", "\x1b[1;36m"}
    assert "\x1b[1;31m" in codes


@given(st.text(max_size=60), st.sampled_from(sorted(STYLES)), st.integers(20, 120))
def test_any_text_at_all_can_be_drawn(text: str, tone: str, width: int) -> None:
    out = io.StringIO()
    sheet = Sheet()
    sheet.line(Part(text, tone), indent=2)
    sheet.grid([("a", "l"), ("b", "r")], [[Part(text, tone), text], [text, "1"]])
    sheet.verbatim(text)
    draw(sheet, console(out, width))
    assert CONTROL.search(out.getvalue()) is None


CELLS = ["缺货-隐藏需求", "plain", "🙂🙂 team", "价格：3,200.00", "👨‍👩‍👧 x", "é e\u0301", "한국어", "ａｂ"]


@pytest.mark.parametrize("width", [120, 60, 40])
def test_columns_line_up_with_chinese_text_and_emoji(text_of: Callable[..., str], width: int) -> None:
    sheet = Sheet()
    sheet.grid(
        [("方案 setup", "l"), ("n", "r"), ("次", "r"), ("end", "r")],
        [[said(cell), "7", str(10**place), "END"] for place, cell in enumerate(CELLS)],
    )
    lines = text_of(sheet, width=width).splitlines()
    ends = {columns(line) for line in lines if line.endswith("END")}
    assert len(ends) == 1
    assert sum(line.endswith("END") for line in lines) == len(CELLS)
    sevens = {columns(line[: line.index(" 7 ") + 2]) for line in lines if " 7 " in line}
    assert len(sevens) == 1


SCRIPTS = (
    (0x21, 0x7E),
    (0xA1, 0xAC),
    (0x391, 0x3C9),
    (0x410, 0x44F),
    (0x3041, 0x3096),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xFF01, 0xFF5E),
)
"""Scripts on whose widths terminals agree; of lone joiners and modifiers they do not."""
LETTERS = st.one_of(
    [st.characters(min_codepoint=low, max_codepoint=high, exclude_categories=["Cn"]) for low, high in SCRIPTS] + [st.sampled_from("🙂🚀📦")]
)


@given(st.lists(st.text(LETTERS, min_size=1, max_size=12), min_size=1, max_size=5))
def test_columns_line_up_whatever_the_script(cells: list[str]) -> None:
    out = io.StringIO()
    sheet = Sheet()
    sheet.grid([("a", "l"), ("b", "l")], [[said(cell), "END"] for cell in cells])
    draw(sheet, console(out, 200))
    widths = {columns(line) for line in out.getvalue().splitlines() if line.endswith("END")}
    assert len(widths) == 1


@pytest.mark.parametrize("width", [30, 60, 80])
def test_a_table_too_wide_is_cut_into_stacked_ones_and_no_number_is_broken(text_of: Callable[..., str], width: int) -> None:
    numbers = [f"{10**place:,}" for place in range(9)]
    sheet = Sheet()
    sheet.grid(
        [("setup", "l"), *((f"figure {chr(97 + place)}", "r") for place in range(9))],
        [[said("single"), *numbers], [said("team"), *numbers]],
    )
    page = text_of(sheet, width=width)
    assert all(columns(line) <= width for line in page.splitlines())
    words = page.split()
    assert all(words.count(number) == 2 for number in numbers)
    assert words.count("single") >= 2


def test_a_long_line_wraps_under_its_indent_and_loses_nothing(text_of: Callable[..., str]) -> None:
    sheet = Sheet()
    sheet.line("word " * 40, "x" * 100, indent=4)
    lines = text_of(sheet, width=60).splitlines()
    assert all(line.startswith("    ") and len(line) <= 60 for line in lines)
    assert "".join(lines).replace(" ", "") == "word" * 40 + "x" * 100


def test_the_command_to_type_next_is_never_broken(text_of: Callable[..., str]) -> None:
    sheet = Sheet()
    sheet.next("next", "fairtrial show " + "x" * 200)
    assert text_of(sheet, width=40) == f"next: fairtrial show {'x' * 200}\n"


def test_no_line_ends_in_spaces(text_of: Callable[..., str]) -> None:
    out = io.StringIO()
    draw(_every_block("a bc"), console(out, 40))
    assert [line for line in out.getvalue().splitlines() if line != line.rstrip()] == []


def test_a_pipe_gets_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    out = io.StringIO()
    draw(_every_block("x"), console(out))
    assert "\x1b" not in out.getvalue()


def test_no_color_is_respected_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True, raising=False)
    sheet = Sheet()
    sheet.line(Part("FAIL", "bad"), Part("PASS", "good"))
    draw(sheet, console(out, 80))
    assert re.search("\x1b\\[[0-9;]*3[0-9]", out.getvalue()) is None
    assert "FAIL" in out.getvalue()


def test_a_row_with_a_cell_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="another number of cells"):
        Sheet().grid([("a", "l"), ("b", "l")], [["only one"]])


class _Gone(io.StringIO):
    """A pipe whose reader has left."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_reader_that_has_gone_is_told_to_the_caller_and_ends_nothing() -> None:
    with pytest.raises(BrokenPipeError):
        console(_Gone(), 80).print("x")


def test_stacked_tables_are_about_even_repeat_what_names_a_row_and_break_no_id(text_of: Callable[..., str]) -> None:
    sheet = Sheet()
    heads: list[tuple[str, str]] = [("run", "l"), ("setup", "l"), *((f"column-{number}", "r") for number in range(8))]
    rows: list[list[str | Part]] = [
        [said(f"run-2026-11-30-{run}"), said(name), *["1.0"] * 7, "–"] for run in (1, 2) for name in ("single-agent", "team")
    ]
    sheet.grid(heads, rows)
    tables = [table.splitlines() for table in text_of(sheet, width=90).split("\n\n")]
    assert [line[0].split()[:2] for line in tables] == [["run", "setup"]] * len(tables)
    assert len(tables) == 2
    assert abs(len(tables[0][0].split()) - len(tables[1][0].split())) <= 1
    assert all("run-2026-11-30-1  single-agent" in "\n".join(table) for table in tables)
