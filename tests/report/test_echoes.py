"""The sentences of the reading in Chinese: every template is used right, and real sentences come through whole."""

from __future__ import annotations

import ast
import re
import string
from decimal import Decimal
from pathlib import Path

import pytest

import fairtrial
from fairtrial.records.lift import Lift, LiftRow, Policy, Routing
from fairtrial.records.report import Comparison, Difference
from fairtrial.report.echoes import ECHOES, echo
from fairtrial.report.words import Words
from fairtrial.study.liftwords import NOUNS, Standing, lift_says

CHINESE = re.compile("[\u4e00-\u9fff]")
FILES = ("report.py", "reliability.py", "costs.py", "spending.py", "contrast.py")
STUDY = Path(fairtrial.__file__).parent / "study"


def _places(phrase: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(phrase) if name)


def test_every_template_has_the_same_places_in_both_languages() -> None:
    assert [english for english, chinese in ECHOES if _places(english) != _places(chinese)] == []
    assert [english for english, chinese in ECHOES if not CHINESE.search(chinese.replace("{", ""))] == []


def test_every_template_is_found_by_itself() -> None:
    filled = [(english.format_map(dict.fromkeys(_places(english), "7")), chinese) for english, chinese in ECHOES]
    assert [english for english, _ in filled if not CHINESE.search(echo(english))] == []


def test_every_reason_for_a_missing_figure_of_a_run_is_known() -> None:
    """Each plain text that the reading files under `reasons` has its template."""
    asks = re.compile(r"no (trial|case|tool|first|passed|wall)\b.* [a-z-]+$")
    nodes = [node for name in FILES for node in ast.walk(ast.parse((STUDY / name).read_text()))]
    found = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str) and asks.match(node.value)]
    assert len(found) > 10
    unknown = {text for text in found if not CHINESE.search(echo(text))}
    assert unknown <= {"no trial was reviewed by people"}, unknown


def _row(setup: str, kind: str, lift: Lift, **changes: object) -> LiftRow:
    row = next(row for row in lift.rows if row.kind == kind)
    return LiftRow(**{**{name: getattr(row, name) for name in row.__struct_fields__}, "setup": setup, **changes})


MOVED = Difference(value=0.1, low=-0.05, high=0.2, method="t", n=50)
ROUTED = Routing(
    state="holds", why="", cases=50, clusters=50, rule="risk = high", send="board", rest="again", measure="usd",
    routed=Policy(success=0.9, use=Decimal("0.05")), versus_team=MOVED, versus_rival=MOVED, saved=0.4, saved_low=0.3, saved_high=0.5,
)  # fmt: skip


@pytest.mark.parametrize(
    ("verdict", "advice"),
    [
        ("does_not_beat", "take_rival"), ("worse", "take_rival"), ("earns_its_cost", "keep"), ("cannot_tell", "cannot_tell"),
        ("invalid", "invalid"), ("worse", "route"), ("earns_its_cost", "route"), ("cannot_tell", "drop_a_role"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("priced", [True, False])
def test_the_sentence_of_a_lift_comes_through_whole(lift: Lift, make_comparison: object, verdict: str, advice: str, priced: bool) -> None:
    assert callable(make_comparison)
    comparison: Comparison = make_comparison(
        says="They share no case.", comparable={"carried": ["budget: 1"], "refused": []}, unknown=["c"]
    )
    costs = {"cost_complete": priced, "cost_per_success": Decimal("0.09") if priced else None}
    standing = Standing(
        team=_row("board", "team", lift, unknown=1, **costs), rival=_row("again", "retry", lift, **costs),
        comparison=comparison, refused=[],
        routing=ROUTED, smaller="board",
    )  # fmt: skip
    told = echo(lift_says(standing, verdict, advice))
    left = re.sub(r"board|again|UNKNOWN|USD|They share no case|budget: 1|p = [\d.]+|\bc\b|risk = high|fairtrial credit", "", told)
    assert re.findall("[A-Za-z]{2,}", left) == []


def test_every_kind_of_rival_has_its_word() -> None:
    assert all(CHINESE.search(echo(noun)) for kind, noun in NOUNS.items() if kind != "team")


def test_english_is_left_alone() -> None:
    assert Words("en").echo("no trial passed") == "no trial passed"


def test_what_is_not_known_stays_as_it_is() -> None:
    assert echo("the moon is full") == "the moon is full"
    assert echo("") == ""
    assert echo(".") == "."


def test_braces_in_a_sentence_are_only_text() -> None:
    assert echo("worse in {0} {x}") == "在 {0} {x} 上更差"


def test_a_part_of_a_whole_is_read_as_such_only_where_the_whole_is_a_figure() -> None:
    assert echo("6 of 8") == "8 次中 6 次"
    names = "an empty text before the judge quality of delivered came to PASS"
    assert echo(names) == names
    assert echo(f"its graders missed 2 of 19 canaries: {names}") == f"它的评分者漏过了 19 只金丝雀中的 2 只：{names}"
    seen = "the lowest case has 4.85 by the judge quality, over 4 of 4 planned trials of 4 cases"
    assert echo(seen) == "最低的一题由裁判 quality 评为 4.85，4 题、4 次计划试验中 4 次有评分"
