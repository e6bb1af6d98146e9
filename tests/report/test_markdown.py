"""Markdown for a CI summary: the same page, and hostile text that stays text under a parser of its own."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fairtrial.records.report import CaseReport
from fairtrial.records.text import terminal_safe
from fairtrial.report.markdown import markdown
from fairtrial.report.run_view import run_sheet
from fairtrial.report.sheet import Part, Sheet, said
from fairtrial.report.words import Words

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = {"code", "b", "br", "sub", "strong", "table", "thead", "tbody", "tr", "th", "td", "p", "h3", "pre"}
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://evil.example/pixel)",
    "[click](javascript:alert(1))",
    "| a | b |",
    "\\| x",
    "`code` ``` fence",
    "# heading\n- list\n1. one",
    "@everyone #123 http://evil.example www.evil.example a@b.example",
    "**bold** _em_ ~~gone~~ $x^2$ :rocket:",
    "&lt;b&gt; &amp; &#60;",
    "</code></td></table><h1>x",
    "\x1b[31mred\x07 \u202e \ud800",
    "---",
    "   ",
]


def _rendered(text: str) -> str:
    return str(PARSER.render(text))


def _tags(rendered: str) -> set[str]:
    return {name.lower() for name in re.findall(r"</?([a-zA-Z][a-zA-Z0-9-]*)", rendered)}


def _words(rendered: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", rendered))


def _every_block(text: str) -> Sheet:
    sheet = Sheet()
    sheet.head(text, text)
    sheet.line(said(text), " ", Part(text, "bad"))
    sheet.line(text, indent=2)
    sheet.grid([(text, "l"), ("n", "r")], [[said(text), text], [Part(text, "strong"), "1"]])
    sheet.verbatim(text)
    sheet.next(text, text)
    return sheet


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    rendered = _rendered(markdown(_every_block(text)))
    assert _tags(rendered) <= OURS
    assert "href" not in rendered and "src=" not in re.sub(r">[^<]*<", "><", rendered)
    assert rendered.count("<tr>") == 3
    assert rendered.count("<td") == 4
    shown = re.sub(r"\s+", " ", terminal_safe(text, one_line=True)).strip()
    assert re.sub(r"\s+", " ", _words(rendered)).count(shown) >= 8


@given(st.text(max_size=40))
def test_no_text_at_all_makes_a_tag_or_another_cell(text: str) -> None:
    rendered = _rendered(markdown(_every_block(text)))
    assert _tags(rendered) <= OURS
    assert rendered.count("<td") == 4


def test_what_a_host_would_link_is_written_as_references() -> None:
    sheet = Sheet()
    sheet.line("@everyone #12 http://evil.example www.evil.example :rocket: WWW.evil.example")
    raw = markdown(sheet)
    assert not re.search(r"@|(?<!&)#\d|://|[wW]{3}\.|:rocket:", raw)


def test_verbatim_text_cannot_close_its_fence() -> None:
    sheet = Sheet()
    sheet.verbatim("```\n````\n<b>out</b>")
    rendered = _rendered(markdown(sheet))
    assert _tags(rendered) == {"pre", "code"}
    assert "````" in _words(rendered)


def test_the_page_of_a_run_in_markdown(make_report: Callable[..., Any]) -> None:
    raw = markdown(run_sheet(make_report(), Words()))
    assert raw.startswith("<code>stockout</code>  run <code>r7f3</code>  complete<br>\n")
    assert "| setup | planned | = pass | + fail | + unknown | + not run | success rate | 95% interval | trials / cases |\n" in raw
    assert "| <code>single</code> | 2 | 1 | <b>1</b> | 0 | 0 | <b>50.0%</b> | 9.4–90.6% | 2 / 2 |\n" in raw
    assert raw.endswith("<b>next, see where it failed</b> <code>fairtrial replay r7f3 stockout-hidden-demand 1</code>\n")


def test_both_drawings_tell_the_same(make_report: Callable[..., Any], make_failed: Callable[..., Any], text_of: Callable[..., str]) -> None:
    failed = [make_failed(why="saw <b>20</b> | 30", evidence={"path": "output[`x`]", "expected": "*", "seen": "@a"})]
    report = make_report(cases=[CaseReport(id="c|1", setup="single", verdicts=["FAIL"], failed=failed, unknown=[])])
    for language in ("en", "zh"):
        page = text_of(run_sheet(report, Words(language)), width=500)
        rendered = _words(_rendered(markdown(run_sheet(report, Words(language)))))
        assert re.sub(r"[\s:]+", "", page) == re.sub(r"[\s:]+", "", rendered)
