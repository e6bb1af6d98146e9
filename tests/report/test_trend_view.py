"""The page of a trend: the chart keeps its scale, breaks show, every sentence has its Chinese, and hostile names do no harm."""

import re

import pytest

from fairtrial.records.trend import Trend
from fairtrial.report.markdown import markdown
from fairtrial.report.sheet import Grid, Line, Next
from fairtrial.report.trend_view import chart, trend_sheet
from fairtrial.report.words import Words
from fairtrial.study.trend import read_trend
from tests.study.tables import table

GOOD = {f"c{n}": "PPPP" for n in range(30)}
POOR = {f"c{n}": "PFFF" if n < 15 else "PPPP" for n in range(30)}
CHINESE = re.compile("[\u4e00-\u9fff]")
LATIN = re.compile(r"[A-Za-z]{4,}")


@pytest.fixture
def found() -> Trend:
    runs = [
        table({"team": GOOD}, run="r1", settings={"isolate": "fork"}),
        table({"team": POOR}, run="r2", settings={"isolate": "fork"}),
        table({"team": POOR}, run="r3", grader="g2", settings={"isolate": "process"}),
        table({"team": GOOD}, run="r4", settings={"selection": {"cases": ["c1"]}}),
        table({"team": POOR}, run="r5", grader="g2", settings={"isolate": "process"}),
        table({"队": GOOD}, run="r6"),
    ]
    return read_trend("s", [(10**18 + n * 10**9, one) for n, one in enumerate(runs)])


def test_the_chart_is_drawn_from_nothing_to_all_and_marks_the_break(found: Trend) -> None:
    rows = [row for row in found.rows if row.setup == "team"]
    assert chart(rows) == "█▆│▆▆"
    for rate, bar in ((0.0, "▁"), (0.124, "▁"), (0.126, "▂"), (0.999, "█"), (1.0, "█"), (None, "·")):
        rows[0].success_rate.value = rate
        assert chart(rows[:1]) == bar


def test_the_page_shows_rows_breaks_what_moved_and_what_was_left_out(found: Trend) -> None:
    page = markdown(trend_sheet(found, Words("en"), "."))
    for told in ("decline", "graders", "isolation", "fork before, process now", "left out", "named one by one", "fairtrial grade RUN"):
        assert told in page, told


def test_what_moved_stands_under_its_heads(found: Trend) -> None:
    grids = [block for block in trend_sheet(found, Words("en"), ".").blocks if isinstance(block, Grid)]
    rows, moved = grids[1], grids[2]
    for grid, reading in ((rows, "first"), (moved, "decline")):
        place = grid.heads.index("reading")
        assert grid.rows[0][place].text == reading
    first = dict(zip(moved.heads, (part.text for part in moved.rows[0]), strict=True))
    assert (first["run"], first["against"], first["which"], first["pairs"]) == ("r2 team", "r1", "the run before", "30")
    assert first["points"].startswith("−37.5")


def test_of_the_versions_those_are_shown_that_changed() -> None:
    runs = [table({"team": GOOD}, run=f"r{n}", setups={"team": {"model": f"m-{n}", "prompt": "p1"}}) for n in range(2)]
    page = markdown(trend_sheet(read_trend("s", [(0, one) for one in runs]), Words("en"), "."))
    assert "m-1" in page
    assert "p1" not in page


def test_runs_from_elsewhere_are_compared_next_and_not_run_again() -> None:
    runs = [table({"team": GOOD}, run=f"r{n}", origin="import:csv") for n in range(2)]
    last = trend_sheet(read_trend("s", [(0, one) for one in runs]), Words("en"), "s").blocks[-1]
    assert isinstance(last, Next)
    assert last.command == "fairtrial compare r0:team r1:team"


def test_a_decline_of_the_newest_run_is_what_to_look_at_next(found: Trend) -> None:
    found.rows = [row for row in found.rows if row.run in ("r1", "r2")]
    last = trend_sheet(found, Words("en"), ".").blocks[-1]
    assert isinstance(last, Next)
    assert last.command == "fairtrial compare r1:team r2:team"


def test_without_a_run_the_page_says_what_to_type() -> None:
    last = trend_sheet(read_trend("s", []), Words("en"), "my suite").blocks[-1]
    assert isinstance(last, Next)
    assert last.command == "fairtrial run 'my suite'"


def test_every_sentence_of_the_page_is_in_chinese(found: Trend) -> None:
    """What is left in Latin letters are ids, setups, commands and the names of isolations."""
    sheet = trend_sheet(found, Words("zh"), ".")
    texts = [part.text for block in sheet.blocks if isinstance(block, Line) for part in block.parts]
    texts += [part.text for block in sheet.blocks if isinstance(block, Grid) for row in block.rows for part in row]
    allowed = re.compile(r"fairtrial grade RUN|team|fork|process|UNKNOWN|Holm")
    strays = [text for text in texts if LATIN.search(allowed.sub("", text))]
    assert strays == []
    assert any(CHINESE.search(text) for text in texts)
