"""The pages of a comparison, a lift and a retest."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec

from fairtrial.records.lift import Lift, Policy, Routing
from fairtrial.records.report import Comparison, Difference
from fairtrial.report.compare_view import comparison_sheet, named
from fairtrial.report.lift_view import lift_sheet
from fairtrial.report.retest_view import retest_sheet
from fairtrial.report.words import Words
from fairtrial.study.retest import Move, Retest

Text = Callable[..., str]
Make = Callable[..., Comparison]

COMPARISON = """\
r1:single  →  r1:team   50 paired cases
cannot tell: 50 cases cannot tell the two apart.
differs: prompt "p12" → "p13"
not known on both sides: model null → "m-1"

Case by case
                       cases  which
  fixed                    2  a, b
  broken                   1  c
  improved                 0
  declined                 0
  unknown                  0
  new severe failures      0
  unchanged, pass         40
  unchanged, fail          7

Paired difference  t over cases
  +2.0 points  (95%: −5.0 … +9.0)  over 50 pairs   p = 0.508   sign-flip permutation over cases
  exact test on the flips: 2 fixed, 1 broken, p = 1
  this many cases would show a difference of 14.0 points or more (power 80%)

What it takes, a trial
                     base       new  difference       95% interval
  cost a trial      $0.03         –           –                  –
  latency          600 ms  1,100 ms     +500 ms  +100 ms … +900 ms
  tool calls            2       5.5        +3.5                  –
  tokens in / out  10 / 2         –           –                  –
  – cost a trial: the cost of new is not fully known

next, see how many cases would tell: fairtrial plan --run r1:single --run r1:team --detect 0.02
"""


def test_the_page_of_a_comparison(make_comparison: Make, text_of: Text) -> None:
    assert text_of(comparison_sheet(make_comparison(), Words())) == COMPARISON


def test_the_verdict_in_chinese_is_made_of_the_same_figures(make_comparison: Make, text_of: Text) -> None:
    says = (
        "From these trials we cannot tell whether team is better or worse than single: 90 % success against 88 % on 50 shared cases "
        "(+2 points, 95 % interval -5 to +9, p = 0.508), 2 fixed, 1 broken; undecided trials: 0 of 50 of base, 3 of 50 of new; "
        "a sentence nobody knows."
    )
    page = text_of(comparison_sheet(make_comparison(says=says), Words("zh")), width=300)
    assert (
        "无法判断: 凭这些试验无法判断 team 比 single 更好还是更差：成功率 90 % 对 88 %，50 道共同题目（+2 个百分点，95% 区间 -5 至 +9，"
        "p = 0.508），修好 2，弄坏 1；未判定的试验：基准 50 次中 0 次，新方 50 次中 3 次；a sentence nobody knows."
    ) in page
    assert "  修好             2  a, b" in page


def test_an_invalid_comparison_says_why_before_all_else(make_comparison: Make, text_of: Text) -> None:
    nothing = Difference(value=None, low=None, high=None, method="", n=0)
    found = make_comparison(
        verdict="invalid", says="They differ in tools.", difference=nothing, p_value=None, detectable=None, mcnemar={},
        comparable={"refused": ["tools: place_order in team only"], "differs": ["tools"]}, reasons={"difference": "no shared case"},
    )  # fmt: skip
    page = text_of(comparison_sheet(found, Words()))
    assert (
        page.index("invalid: They differ in tools.")
        < page.index("not comparable: tools: place_order in team only")
        < page.index("Case by case")
    )
    assert "– points  (95%: –)  over 0 pairs" in page
    assert "– difference: no shared case" in page
    assert "They differ in tools." in text_of(comparison_sheet(found, Words("zh")))


def test_cases_left_out_are_named(make_comparison: Make, text_of: Text) -> None:
    page = text_of(comparison_sheet(make_comparison(only_base=["x"], only_new=["y"], changed=["z"]), Words()))
    assert "left out, only in the base (1): x" in page
    assert "left out, the case itself changed (1): z" in page


def test_what_pairs_cover_and_why_use_is_missing_is_told_once(make_comparison: Make, text_of: Text) -> None:
    missing = {"difference": None, "reason": "no case was run on both sides"}
    note = "one rate covers cases of several tiers (agent 1, e2e 2), which --slices keeps apart"
    found = make_comparison(cost=missing | {"reason": "the cost of base and new is not fully known"}, latency=missing, tokens=missing)
    page = text_of(comparison_sheet(msgspec.structs.replace(found, notes=[note]), Words()))
    assert f"\nnote: {note}\n" in page
    assert "– latency, tokens in / out: no case was run on both sides\n" in page
    page = text_of(comparison_sheet(msgspec.structs.replace(found, notes=[note]), Words("zh")))
    assert "双方的成本都不完全已知\n" in page
    assert "注意: 同一成功率包含多层题目（agent 1, e2e 2），--slices 把它们分开\n" in page


def test_a_long_list_of_cases_says_how_many_are_not_shown() -> None:
    assert named([f"c{n}" for n in range(20)], 3) == "c0, c1, c2 … (+17)"


def test_a_part_of_the_suite_that_moved_is_shown_with_the_corrected_p(make_comparison: Make, text_of: Text) -> None:
    part = {
        "label": "risk",
        "value": "high",
        "pairs": 9,
        "base": 0.5,
        "new": 0.9,
        "difference": {"value": 0.4, "low": 0.1, "high": 0.7},
        "p_holm": 0.03,
    }
    part["verdict"] = "better"
    open_one = {**part, "value": "undecided-part", "verdict": "cannot_tell"}
    found = make_comparison(slices=[part, open_one])
    page = text_of(comparison_sheet(found, Words()))
    assert "undecided-part" not in page
    assert "undecided-part" in text_of(comparison_sheet(found, Words(), slices=True))
    assert "  risk   high       9  50.0%  90.0%   +40.0  +10.0 … +70.0  0.03" in page


def test_what_to_type_next_follows_the_verdict(make_comparison: Make, text_of: Text) -> None:
    def last(**changes: Any) -> str:
        return text_of(comparison_sheet(make_comparison(broken=[], **changes), Words())).splitlines()[-1]

    assert last() == "next, see how many cases would tell: fairtrial plan --run r1:single --run r1:team --detect 0.02"
    assert last(verdict="better") == "next, see it in full: fairtrial show r1:team"
    page = text_of(comparison_sheet(make_comparison(), Words(), last=False))
    assert "next" not in page.splitlines()[-1]


LIFT = """\
One agent, one agent with retries, team  r7f3
  setup   kind    planned  passed  unknown  success rate  95% interval  severe  at most (95%)
  single  single        2       1        0         50.0%     9.4–90.6%       0          77.6%
  retry   retry         2       2        0         50.0%     9.4–90.6%       0          77.6%
  team    team          2       2        0        100.0%    9.4–100.0%       0          77.6%

What it takes
  setup   a trial  a success  95% interval     p50       p95  over budget
  single    $0.03      $0.06       $0.05–∞  600 ms    600 ms            0
  retry     $0.03      $0.06       $0.05–∞  600 ms    600 ms            0
  team      $0.09      $0.09       $0.05–∞  600 ms  1,700 ms            0

Paired differences  a loss below 5.0 points counts as none
  base → new    points   95% interval  p  cost a trial  latency  verdict
  retry → team     0.0  −70.0 … +70.0  1        +$0.06        –  cannot tell

Success within a budget  share of the planned trials passed at this cost or less; 2 shared cases
  a trial  retry               team  points   95% interval
  ≤ $0.03  50.0%  0.0% (+1 unknown)   −50.0  −90.0 … +10.0
  ≤ $0.09  50.0%             100.0%   +50.0  −90.0 … +10.0
  points: team − retry
  the order changes at $0.085: from there on team is ahead, before it retry

Where the two differ  looked at, not advised: that is for the rule below
  label  value  pairs  points  95% interval  verdict      rival costs  team costs
  tag    easy       1     0.0             –  cannot tell        $0.03       $0.09

Every setup by slice
  slice       setup  passed  success rate  95% interval  a success        p50 / p95  severe (at most)     unknown / over
                                                                                                                  budget
  tag = easy  team    1 / 2         50.0%     9.4–90.6%      $0.06  600 ms / 600 ms         0 (77.6%)              0 / 0

Routing  a rule on labels, checked on cases not used to choose it
  no rule was found that held on cases not used to choose it

Verdict
  the team does not beat its rival: On these cases the team does not beat the cheaper retry.
  advice: take the rival
  Add cases that need several roles, or take the retry.

next, put the rival before the gate: fairtrial gate r7f3:retry
"""


def test_the_page_of_a_lift(lift: Lift, text_of: Text) -> None:
    assert text_of(lift_sheet(lift, Words(), slices=True)) == LIFT
    assert "Where the two differ" not in text_of(lift_sheet(lift, Words()))


def test_a_rule_that_held_is_shown_with_what_it_was_held_against(lift: Lift, text_of: Text) -> None:
    moved = Difference(value=0.1, low=0.02, high=0.2, method="t", n=60)
    rule = Routing(
        state="holds", why="", cases=60, clusters=60, rule="risk = high", send="team", rest="retry", sent=24, measure="usd",
        routed=Policy(success=0.9, use=Decimal("0.05")), all_team=Policy(success=0.92, use=Decimal("0.09")),
        all_rival=Policy(success=0.8, use=Decimal("0.03")), versus_team=msgspec.structs.replace(moved, value=-0.02, low=-0.04, high=0.01),
        versus_rival=moved, p_value=0.01, label_p=0.002, saved=0.41, saved_low=0.35, saved_high=0.47,
    )  # fmt: skip
    page = text_of(lift_sheet(msgspec.structs.replace(lift, routing=rule, advice="route"), Words()))
    assert "  team only where risk = high, the rest to retry\n" in page
    assert "all to team 92.0% $0.09 −2.0 −4.0 … +1.0" in " ".join(page.split())
    assert "  saves 41.0% of what team takes everywhere (95%: 35.0%–47.0%)\n" in page
    assert "the rule sends 24 of them to team" in page
    assert "  advice: route: only some cases to the team\n" in page
    assert "只在 risk = high 时交给 team，其余交给 retry" in text_of(lift_sheet(msgspec.structs.replace(lift, routing=rule), Words("zh")))


def test_a_curve_in_steps_counts_whole_steps_and_says_why(lift: Lift, text_of: Text) -> None:
    assert lift.curve is not None
    told = "money and tokens not known for most trials that passed"
    budgets = [msgspec.structs.replace(at, budget=at.budget * 100) for at in lift.curve.budgets]
    steps = msgspec.structs.replace(lift.curve, measure="steps", budgets=budgets, turns=[], reason=told)
    page = text_of(lift_sheet(msgspec.structs.replace(lift, curve=steps), Words()))
    assert "   ≤ 3  50.0%" in page
    assert "neither is ahead at any budget\n  money and tokens not known for most trials that passed\n" in page


def test_of_several_teams_the_page_says_which_is_judged(lift: Lift, text_of: Text) -> None:
    other = msgspec.structs.replace(lift.rows[2], setup="board")
    page = text_of(lift_sheet(msgspec.structs.replace(lift, rows=[*lift.rows, other], judged="it was named"), Words()))
    assert "\njudged: team (it was named); other teams: board\n" in page


def test_a_lift_with_an_unknown_price_says_so(lift: Lift, text_of: Text) -> None:
    row = msgspec.structs.replace(lift.rows[2], cost_mean=None, cost_per_success=None, cost_complete=False)
    reasons = {"team.cost_usd.mean": "the cost is fully known for 1 of 2 run trials", "single.cost_usd.mean": "never shown"}
    found = msgspec.structs.replace(lift, rows=[lift.rows[0], row], reasons=reasons, verdict="cannot_tell")
    page = text_of(lift_sheet(found, Words()))
    assert "– cost a trial (team): the cost is fully known for 1 of 2 run trials" in page
    assert "never shown" not in page
    assert "cannot tell: " in page


def test_an_unfair_lift_names_the_difference(lift: Lift, text_of: Text) -> None:
    found = msgspec.structs.replace(lift, fairness={"fair": False, "differences": ["budget: 1 in team; 2 in single"]}, verdict="invalid")
    page = text_of(lift_sheet(found, Words()))
    assert "not a fair match; what differs:\n  budget: 1 in team; 2 in single" in page
    assert "团队" not in page


RETEST = """\
lossy-handoff  r1  →  r3
lossy-handoff: team fixed (FAIL → PASS); nothing else moved.

The case alone
  setup  verdict
  team   PASS

The case in the suite
  case           setup  change  before  after
  lossy-handoff  team   fixed   FAIL    PASS

What else moved
  nothing
  3 others as before

next, see it in full: fairtrial show r3
"""


def _retest(**changes: Any) -> Retest:
    target = [Move(case="lossy-handoff", setup="team", move="fixed", before=["FAIL"], after=["PASS"])]
    made = Retest(
        case="lossy-handoff", before="r1", after="r3", target=target, moved=[], alone={"team": ["PASS"]}, broken=0, unchanged=3, changed=[],
        says="lossy-handoff: team fixed (FAIL → PASS); nothing else moved.",
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def test_the_page_of_a_retest(text_of: Text) -> None:
    assert text_of(retest_sheet(_retest(), Words())) == RETEST


def test_a_retest_that_broke_something_points_at_it(text_of: Text) -> None:
    moved = [Move(case="other case", setup="team", move="broken", before=["PASS"] * 9, after=["PASS"] * 4 + ["FAIL"] * 5)]
    page = text_of(retest_sheet(_retest(moved=moved, broken=1, changed=["new wording"]), Words("zh")))
    assert "other case  team  弄坏  9 / 9 PASS  4 / 9 PASS" in page
    assert "new wording" in page
    assert page.endswith("fairtrial show r3:team 'other case'\n")
