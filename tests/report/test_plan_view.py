"""The page of a plan, in both languages, from the decided plan alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

import msgspec
import pytest

from fairtrial.records.plan import Pilot, PilotSide, Plan, PlanRow, Today
from fairtrial.report.plan_view import plan_sheet
from fairtrial.report.words import Words
from fairtrial.study.planning import NO_REPEATS
from fairtrial.study.planwords import notes_of, plan_says

Text = Callable[..., str]

ROW = PlanRow(
    repeats=1, cases=703, low=300, high=1200, trials=1406, new_cases=643, price_usd=Decimal("168.72"), seconds=1406.0, cheapest=True,
    detectable=0.171, margin=0.152,
)  # fmt: skip
FIVE = PlanRow(repeats=5, cases=168, low=90, high=320, trials=1680, new_cases=108, price_usd=Decimal("201.6"), detectable=0.08, margin=0.07)


def side(**changes: object) -> PilotSide:
    made = PilotSide(
        run="r7", setup="single", planned=300, passed=200, fail=97, unknown=3, not_run=0, success=2 / 3, cost_mean_usd=Decimal("0.03"),
        latency_mean_ms=600.0,
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def plan(**changes: object) -> Plan:
    made = Plan(
        suite="s", detect=0.05, power=0.8, confidence=0.95, margin=None, source="pilot",
        pilot=Pilot(base=side(), new=side(setup="team", unknown=0, not_run=3), pairs=60, left_out=0, between=0.01, within=0.213),
        rows=[ROW, FIVE],
        today=Today(cases=60, repeats=5, detectable=0.08, margin=0.07, severe_upper=0.0487, severe_bar=0.03, severe_cases=99),
        says="",
    )  # fmt: skip
    found = msgspec.structs.replace(made, **changes)
    found.notes, found.says = list(notes_of(found)), plan_says(found, 34)
    return found


PAGE = """\
Plan  find 5.0 points, power 80.0%
To find a true difference of 5 points with power 80 %, the cheapest plan is 703 cases × 1 trial a side, 1406 trials in
  all for 168.72 USD; the pilot leaves 300 to 1200 cases open; the suite as it stands (60 cases × 5 trials) finds
  differences from 8 points on, and rules out losses from 7 points on; a clean run of it allows severe failures in up to
  4.9 % of cases, and 3 % takes 99 cases; the spread is that of r7:single and r7:team over 60 shared cases; 3 of 600
  trials of the pilot are UNKNOWN and count as not passed; 3 of 600 planned trials of the pilot were not run.

What finds it  both sides together; ● cheapest
  trials a case  cases  pilot leaves open  to add  trials    price  time, one by one
              1    703          300–1,200     643   1,406  $168.72       23 min 26 s  ●
              5    168             90–320     108   1,680  $201.60                 –

What today's cases show  60 cases
  trials a case   finds from  rules out a loss of
              1  17.1 points          15.2 points
              5   8.0 points           7.0 points
  severe failures: a clean run allows them in up to 4.9% of cases; below 3.0% it takes 99 clean cases

What it rests on
  setup      planned  = pass  + fail  + unknown  + not run  success rate  a trial  latency
  r7:single      300     200      97          3          0         66.7%    $0.03   600 ms
  r7:team        300     200      97          0          3         66.7%    $0.03   600 ms
  variance of a case's difference: 0.01 from case to case, 0.213 at one trial a side

add 643 cases, then run it: fairtrial run 'my suite' --trials 1
"""


def test_the_page_of_a_plan(text_of: Text) -> None:
    assert text_of(plan_sheet(plan(), Words("en"), "my suite")).strip() == PAGE.strip()


def test_what_todays_cases_can_do_is_what_to_type_next(text_of: Text) -> None:
    fits = msgspec.structs.replace(FIVE, cases=50, new_cases=0, enough=True)
    shown = text_of(plan_sheet(plan(rows=[ROW, fits]), Words("en"), "s"))
    assert shown.strip().endswith("run it: fairtrial run s --trials 5")
    assert "the 60 cases there are do with 50 cases × 5 trials a side" in " ".join(shown.split())


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"source": "assumed", "pilot": None},
        {"source": "one_side"},
        {"margin": 0.02, "rows": [msgspec.structs.replace(ROW, margin_cases=2000, price_usd=None), FIVE]},
        {"rows": [PlanRow(repeats=1, cases=None)], "reasons": {"rows.cases": NO_REPEATS}},
        {"pilot": Pilot(base=side(), new=side(), pairs=4, left_out=2, between=0.1, within=0.1, clusters=2.1)},
    ],
)  # fmt: skip
def test_the_sentence_comes_through_whole_in_chinese(text_of: Text, changes: dict[str, object]) -> None:
    found = plan(**changes)
    for told in [found.says, *found.notes, *found.reasons.values()]:
        left = re.sub(r"r7(:\w+)?|single|team|UNKNOWN|USD", "", Words("zh").echo(told))
        assert re.findall("[A-Za-z]{2,}", left) == [], told
    assert text_of(plan_sheet(found, Words("zh"), "s"))
