"""The page of a credit, in both languages, from the decided object alone."""

import html
import re
from decimal import Decimal

import pytest

from fairtrial.records.credit import Credit, Effect, RoleCredit
from fairtrial.records.report import Difference, Rate
from fairtrial.report.credit_view import credit_sheet
from fairtrial.report.echoes import echo
from fairtrial.report.markdown import markdown
from fairtrial.report.words import Words
from fairtrial.study import creditwords

CHINESE = re.compile("[\u4e00-\u9fff]")


def _effect(role: str, reading: str, value: float, **more: object) -> Effect:
    moved = Difference(value=value, low=value - 0.1, high=value + 0.1, method="t", n=40)
    cost = {"value": Decimal("-0.02"), "low": -0.03, "high": -0.01, "method": "t", "n": 40}
    base = {"kind": "remove", "roles": role.split("+"), "setup": f"team - {role}", "tried": True, "information": "kept", "lost": []}
    figures = {"difference": moved, "p_value": 0.001, "p_holm": 0.004, "detectable": 0.12, "cost_usd": cost, "reading": reading}
    return Effect(**{**base, **figures, **more})  # type: ignore[arg-type]


def _refused(role: str) -> Effect:
    why = f"the lead {role} gives the answer: without it there is none; replace it by a stand-in, or mend it"
    return Effect(kind="remove", roles=[role], setup="", tried=False, information="kept", lost=[], reading="cannot_tell", why=why)


def _credit(gated: bool = True, **changes: object) -> Credit:
    lost = ["sum: a alone works it out, and chief is owed it"]
    needed = _effect("a", "essential", -0.4, information="removed", lost=lost)
    roles = [
        RoleCredit(role="a", lead=False, reading="essential", says="", removed=needed),
        RoleCredit(role="b", lead=False, reading="harmful", says="", removed=_effect("b", "harmful", 0.2)),
        RoleCredit(role="c", lead=False, reading="no_effect", says="", removed=_effect("c", "no_effect", 0.0), needed_with=["d"]),
        RoleCredit(role="chief", lead=True, reading="cannot_tell", says="", removed=_refused("chief")),
    ]  # fmt: skip
    rate = Rate(value=0.66, low=0.58, high=0.73, n=200, cases=40, method="Wilson", worst=0.66, best=0.66)
    made: dict[str, object] = {
        "suite": "planted", "setup": "team", "status": "complete", "verdict": "told", "cases": 40, "attempts": 5,
        "trials": {"planned": 400, "reused": 100, "run": 300, "not_run": 0}, "whole": {"success_rate": rate}, "roles": roles,
        "pairs": [_effect("c+d", "essential", -0.35)], "near": 0.25, "says": "", "next": "",
        "where": {"team": ["r1"], "team - b": ["r2"], "team - c": ["r2"]},
    }  # fmt: skip
    found = Credit(**{**made, **changes})  # type: ignore[arg-type]
    found.next, found.command = creditwords.next_step(found, "suite", gated)
    found.says = creditwords.says(found)
    return found


def _page(found: Credit, language: str = "en") -> str:
    return html.unescape(markdown(credit_sheet(found, Words(language))))


def test_the_page_shows_each_role_with_its_effect_interval_cost_and_reading_and_what_to_type_next() -> None:
    page = _page(_credit())
    for wanted in ("66.0%", "−40.0", "−50.0 … −30.0", "0.004", "12.0", "−$0.02", "essential", "harmful", "one of them is needed"):
        assert wanted in page, wanted
    assert "information removed" in page and "a alone works it out" in page
    assert "fairtrial gate 'r2:team - b' --baseline r1:team" in page
    assert "fairtrial compare r1:team 'r2:team - b'" in _page(_credit(gated=False))


def test_the_page_in_chinese_says_all_of_it() -> None:
    page = _page(_credit(), "zh")
    for wanted in ("不可缺少", "有害", "未见影响", "两者需留其一", "信息也被移除", "主导角色 chief 给出答案", "去掉 b，再过闸门"):
        assert wanted in page, wanted


@pytest.mark.parametrize("status", ["complete", "interrupted", "planned"])
@pytest.mark.parametrize("verdict", ["told", "invalid"])
def test_every_clause_of_the_sentence_has_its_chinese(status: str, verdict: str) -> None:
    trials = {"planned": 400, "reused": 100, "run": 200, "not_run": 100, "pairs_at_most": 40}
    for clause in _credit(status=status, verdict=verdict, trials=trials).says.split("; "):
        assert CHINESE.search(echo(clause)), clause


def test_a_plan_shows_its_size_and_no_figure() -> None:
    found = _credit(status="planned", trials={"planned": 400, "reused": 100, "run": 0, "not_run": 300, "pairs_at_most": 40})
    page = _page(found)
    assert "400 wanted" in page and "40 at most" in page and "66.0%" not in page


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("gated", [True, False])
def test_what_is_only_likely_is_named_with_its_cases_and_has_its_chinese(gated: bool, idle: bool) -> None:
    why = "likely needed, but it does not stand once corrected for the number of looks: about 51 cases would mostly show it"
    likely = _effect("a", "cannot_tell", -0.3, p_holm=1.0, leaning="needed", cases_needed=51, why=why)
    roles = [RoleCredit(role="a", lead=False, reading="cannot_tell", says="", removed=likely)]
    if idle:
        roles.append(RoleCredit(role="c", lead=False, reading="no_effect", says="", removed=_effect("c", "no_effect", 0.0)))
    pair = _effect("d+e", "cannot_tell", -0.2, leaning="needed")
    found = _credit(gated=gated, roles=roles, pairs=[pair])
    page = _page(found)
    assert "cannot tell, likely needed" in page and "< 1" not in page
    assert not idle or "no effect shown, loss up to 10 open" in page.replace("10.0", "10")
    assert found.next.startswith("drop c, keep a," if idle else "add cases, up to about 51")
    assert ("fairtrial gate" if gated else "fairtrial compare") in page if idle else "fairtrial plan suite --detect 0.3" in page
    for clause in [*found.says.split("; "), why]:
        assert CHINESE.search(echo(clause)), clause
    assert "可能需要" in _page(found, "zh")


@pytest.mark.parametrize(
    "note",
    [
        "the correction counts roles that earlier credit runs tried as well (remove): b, c",
        "the whole team's trials are of r1",
        "newer trials of the whole team are in r2, and credit keeps to those that its changed teams were laid beside first",
        "look at the other roles before one is dropped: b",
        "held-out cases left out: 1; --held-out opens them, and the look is written down",
        "its altered runs decided nothing that no control did",
        "too few altered runs to say of one case: none of 3 moved",
    ],
)
def test_every_note_has_its_chinese(note: str) -> None:
    assert all(CHINESE.search(echo(clause)) for clause in note.split("; "))
