"""The tiers on a run's page, in both languages; runs without tiers have no such table."""

from collections.abc import Callable

import pytest

from fairtrial.records.report import RunReport, Score, TierReport
from fairtrial.report.markdown import markdown
from fairtrial.report.numbers import mark
from fairtrial.report.run_view import run_sheet
from fairtrial.report.words import Words
from tests.report.conftest import Draw


def tier(name: str, **changes: object) -> TierReport:
    counts = dict.fromkeys(("fail", "unknown", "not_run", "not_applicable", "severe"), 0)
    fields = {"setup": "team", "cases": 2, "planned": 2, "passed": 2, **counts, "standard": "every trial passes", "state": "holds"}
    return TierReport(tier=name, **{**fields, **changes})  # type: ignore[arg-type]


SCORE = Score(mean=4.1, min=3.15, max=5.0, n=2, unknown=0)
GROUPS = {"tickets": {"cases": 2, "planned": 2, "pass": 2, "score": SCORE}}
NOBODY = {"cases": 0, "planned": 0, "passed": 0, "not_applicable": 37, "state": "open", "why": "no case was tried"}
TIERS = [
    tier("unit", setup="unit"),
    tier("agent", setup="single", **NOBODY),
    tier("e2e", state="fails", why="below 3.0: return-a-lamp", score=SCORE, groups=GROUPS),
]


def test_every_tier_is_shown_with_its_standard(make_report: Callable[..., RunReport], text_of: Draw) -> None:
    page = text_of(run_sheet(make_report(tiers=TIERS), Words("en")), 160)
    assert "Tiers" in page and "n/a cases" in page and "37" in page
    assert "team: e2e, fails: below 3.0: return-a-lamp" in page
    assert "4.10 (3.15–5.00)" in page and "tickets" in page
    assert "unit: every trial passes" in page


def test_it_speaks_chinese(make_report: Callable[..., RunReport], text_of: Draw) -> None:
    page = text_of(run_sheet(make_report(tiers=TIERS), Words("zh")), 160)
    assert "三层" in page and "不达标" in page and "低于 3.0：return-a-lamp" in page and "没有试过题目" in page


def test_markdown_has_the_same_rows(make_report: Callable[..., RunReport]) -> None:
    assert "| e2e | <code>team</code> | 2 |" in markdown(run_sheet(make_report(tiers=TIERS), Words("en")))


def test_whole_paths_alone_without_a_score_need_no_table(make_report: Callable[..., RunReport], text_of: Draw) -> None:
    bare = tier("e2e", state="open", why="no trial has a score")
    assert "Tiers" not in text_of(run_sheet(make_report(tiers=[bare]), Words("en")))
    asked = make_report(tiers=[bare], manifest={"seed": 7, "setups": {}, "settings": {"policy": "three-tiers"}})
    assert "Tiers" in text_of(run_sheet(asked, Words("en")))


@pytest.mark.parametrize("state", ["holds", "fails", "open"])
def test_every_state_has_its_word(state: str) -> None:
    assert Words("zh")(f"standard.{state}") != state


def test_a_score_below_the_bar_never_shows_as_the_bar() -> None:
    assert (mark(2.9999), mark(3.0), mark(3.15), mark(None)) == ("2.9999", "3.00", "3.15", "–")
