"""What check finds, in Chinese: the suite's own words stay as they are, and what is not known stays whole."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest

import fairtrial
from fairtrial.records.finding import Finding
from fairtrial.report.findings import FINDINGS, finding
from fairtrial.report.list_view import findings_sheet
from fairtrial.report.words import Words

CHINESE = re.compile("[\u4e00-\u9fff]")
CASES = Path(fairtrial.__file__).parent / "cases"


def _places(phrase: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(phrase) if name)


def test_every_template_has_the_same_places_in_both_languages_and_is_found_by_itself() -> None:
    assert [english for english, chinese in FINDINGS if _places(english) != _places(chinese)] == []
    assert [english for english, chinese in FINDINGS if not CHINESE.search(chinese)] == []
    for place, (english, chinese) in enumerate(FINDINGS):
        filled = dict.fromkeys(_places(english), "7")
        assert finding(english.format_map(filled)) == chinese.format_map(filled), place


def test_every_plain_text_of_the_checks_of_one_case_is_known() -> None:
    files = [*CASES.glob("lint*.py"), CASES / "user.py"]
    calls = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    found = [node for node in calls if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "found_in"]
    texts = {arg.value for call in found for arg in call.args[2:] if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    assert len(texts) > 10
    assert {text for text in texts if not CHINESE.search(finding(text))} == set()


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ('the query cannot be answered (near "x"; no): SELECT 1; --', '查询无法回答（near "x"; no）：SELECT 1; --'),
        ("the fault error of pay can never come: every call of pay is denied", "pay 的故障 error 永远不会出现：pay 的每次调用都被拒绝"),
        ("tool pay: min 3 is above max 2, so nothing can pass", "tool pay：min 3 大于 max 2，因此什么都不会通过"),
        ("facts.key tells the agent the answer: nothing can pass", "facts.key 把答案告诉了智能体：nothing can pass"),
        ("no check asks the judge 'kind'", "没有检查问过裁判 'kind'"),
        ("add {judge: kind} to a case, or remove it", "在某一题里加上 {judge: kind}，或去掉它"),
        ("ask with question: PATH, and say unknown_ok: true", "用 question: PATH 提问，并写上 unknown_ok: true"),
        ("a sentence nobody knows", "a sentence nobody knows"),
    ],
)
def test_the_suites_own_words_stay_as_they_are(english: str, chinese: str) -> None:
    assert finding(english) == chinese


def test_the_page_of_a_check_in_chinese(text_of: Callable[..., str]) -> None:
    one = Finding(code="no_must", message="an agent that does nothing meets it", mend="say under must what has to hold", case="c", file="f")
    assert text_of(findings_sheet("s", [one], 2, Words("zh"))).startswith(
        "f  c  什么都不做的智能体也能满足  [no_must]\n    修: 在 must 下写明必须成立的内容\n2 题中发现 1 处问题\n"
    )
