"""The page of pairs, and why a judge has no verdict, in both languages."""

import re
from decimal import Decimal
from typing import Any

import pytest

from fairtrial.judges.judge import Judge
from fairtrial.judges.opinion import Terms
from fairtrial.records.opinion import Matter
from fairtrial.records.pairs import Double, PairsReport, SideBySide
from fairtrial.records.standing import Standing
from fairtrial.report.echoes import echo
from fairtrial.report.pairs_view import pairs_sheet
from fairtrial.report.sheet import Grid, Heading, Line, Next
from fairtrial.report.words import Words
from fairtrial.study.judgedpairs import empty_report, read_pairs
from tests.judges.asked import one_sided, saying, shown

SAID = {
    "base": ("first", "second", ""),
    "new": ("second", "first", ""),
    "tie": ("second", "second", "second"),
    "unknown": ("error", "tie", ""),
}
SILENT = "the judge has no answer: 0 for base, 0 for new, 0 ties, 1 without an answer in both orders; it is empty"
ENGLISH = re.compile(r"[A-Za-z]{4,} [A-Za-z]{2,} [A-Za-z]{2,}")


def report(cases: dict[str, str], standing: Standing | None = None) -> PairsReport:
    made = empty_report("r1:old", "r1:young", "quality", "sha256:i", "sha256:r")
    made.standing = standing or Standing(judge="quality", why="")
    return read_pairs(made, {name: [pair(word) for word in words.split()] for name, words in cases.items()})


def pair(word: str) -> SideBySide:
    ab, ba, flag = SAID[word]
    double = Double(model="m", repeat=1, ab=ab, ba=ba, outcome=word, flag=flag)
    return SideBySide(outcome=word, why=SILENT if word == "unknown" else "", doubles=(double,))


def text_of(found: PairsReport, language: str, **more: Any) -> str:
    told = []
    for block in pairs_sheet(found, Words(language), **more).blocks:
        if isinstance(block, Heading):
            told.append(f"{block.text} {block.aside}")
        elif isinstance(block, Line):
            told.append("".join(part.text for part in block.parts))
        elif isinstance(block, Grid):
            told += [" | ".join(block.heads), *(" | ".join(part.text for part in row) for row in block.rows)]
        elif isinstance(block, Next):
            told.append(f"{block.lead}: {block.command}")
    return "\n".join(told)


def test_the_page_names_the_cases_that_lean_and_counts_the_even_ones() -> None:
    found = report({"won": "new new", "lost": "base", "even": "new base", "mute": "unknown"})
    page = text_of(found, "en")
    assert "young wins 1 case, old 1, 1 even, 1 unknown" in page
    assert "6 pairs, each in both orders: 3 for new, 2 for base, 0 ties, 1 unknown" in page
    assert "won | 2 | · | · | · | ·" in page and "\neven |" not in page
    assert "and 1 more case that is even" in page
    assert "\neven | 1 | 1 |" in text_of(found, "en", every=True)
    assert page.splitlines()[-1].endswith("fairtrial compare r1:old r1:young")


@pytest.mark.parametrize(
    "found",
    [
        report({f"c{place}": "new" for place in range(9)}),
        report({f"c{place}": "base" for place in range(9)}),
        report({f"c{place}": "new" for place in range(8)} | {f"u{place}": "unknown" for place in range(4)}),
        report({"won": "new", "even": "tie", "mute": "unknown"}),
        report({}),
        report({"won": "new"}, Standing(judge="quality", state="none", bar={"kappa": "0.6"})),
    ],
)
def test_the_page_is_chinese_throughout(found: PairsReport) -> None:
    page = text_of(found, "zh", every=True)
    strays = [line for line in page.splitlines()[:-1] if ENGLISH.search(line)]
    assert strays == []


REPLIES = [
    *("", "PASS", "{}", '{"pass": true, "sc', "{'pass': True}", '{"pass": true,}', '{"pass": true, "pass": true}', "<think>"),
    " " * 200_001,
    *('{"score": NaN, "pass": true}', '{"score": 1e999, "pass": true}', '[{"pass": true, "score": 1}]'),
    *('{"pass": true, "score": 1}{"pass": true, "score": 1}', '{"nonce": "x", "pass": true, "score": 1}', '{"pass": "yes", "score": 1}'),
    *('{"pass": true, "score": "1"}', '{"pass": true, "score": 7}', '{"score": 1}', '{"pass": true, "score": 0}'),
    *('{"quality": 1, "total": 0.2}', '{"quality": 1, "verdict": "fail"}', '{"quality": 1, "more": 1}'),
    *('{"quality": 1, "marks": {"quality": 0}}', '{"marks": 1, "pass": true}', '{"marks": {"quality": 1, "x": 1}}'),
    '{"pass": ' * 5000 + "1" + "}" * 5000,
]


@pytest.mark.parametrize("reply", REPLIES)
def test_why_a_reply_is_no_verdict_is_told_in_chinese(reply: str) -> None:
    why = Judge("q", one_sided(), [saying(reply)]).opinion(shown()).why
    assert why and not ENGLISH.search(echo(why)), echo(why)


def test_why_answers_come_to_nothing_is_told_in_chinese() -> None:
    def why(*replies: Any, **terms: Any) -> str:
        return Judge("q", one_sided(), [saying(*replies)], Terms(**terms)).opinion(shown()).why

    def mark(quality: float) -> dict[str, Any]:
        return {"quality": quality}

    several = [saying(mark(0.9), name="python:a:a"), saying(mark(0.1), name="python:b:b")]
    votes = [saying(mark(number), name=f"python:{number}:m") for number in (0.5, 0.55, 0.0)]
    found = [
        why(mark(0.9), mark(0.1), repeats=2),
        why(mark(0.45), mark(0.55), mark(0.55), repeats=3),
        why("x", "x", mark(0.7), repeats=3),
        why("x", "x", "x", "x", mark(0.7), repeats=3, spread=Decimal(1)),
        Judge("q", one_sided(), several).opinion(shown()).why,
        Judge("q", one_sided(), votes).opinion(shown()).why,
        Judge("q", one_sided(), several, Terms(room=5)).opinion(shown()).why,
        Judge("q", one_sided(), several).opinion(Matter(task="t")).why,
    ]
    assert [one for one in found if not one or ENGLISH.search(echo(one))] == []
