"""The page of a run, as people see it."""

from __future__ import annotations

import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairtrial.records.report import CardCount, CaseReport, Cost, Rate, RunReport, SetupReport, Shape
from fairtrial.report.markdown import markdown
from fairtrial.report.run_view import Detail, plan_sheet, run_sheet, shell_word
from fairtrial.report.words import Words

Text = Callable[..., str]
Make = Callable[..., Any]

ONE_SETUP = """\
stockout  run r7f3  complete
suite version sha256:1f2e3d4c5b6a  seed 7

Trials  95% interval: Wilson on the effective sample size
  setup   planned  = pass  + fail  + unknown  + not run  success rate  95% interval  trials / cases
  single        2       1       1          0          0         50.0%     9.4–90.6%           2 / 2

Scorecards  pass / fail / unknown
  setup     outcome   decision
  single  1 / 1 / 0  2 / 0 / 0

Reliability
  each case was tried once; --trials 5 shows how steady it is

Cost and use
  setup   a trial  a success  total  known for  tool calls  steps  retries  over budget
  single    $0.03      $0.06  $0.06      2 / 2           2      4        0            0

Latency a trial
  setup     mean     p50     p95   worst        by
  single  600 ms  600 ms  750 ms  900 ms    stated
  single    2 ms    2 ms    2 ms    2 ms  measured

Severe failures, declining, tools
  setup   severe  at most (95%)  declined  handed over  valid arguments  n/a
  single       0          77.6%         0         0.0%           100.0%    1

Failed checks  fact_unused 1
  single  stockout-hidden-demand  fact stockout_days used  attempt 1  [outcome · major · fact_unused]
    the answer does not rest on stockout_days
    span 5  output.demand  expected "unknown"  seen 20
    mend: have the deciding role state what follows from the fact before it decides

Why a figure is missing, or to be read with care
– tokens: no trial states its tokens
– recovered: no trial met a tool failure

next, see where it failed: fairtrial replay r7f3 stockout-hidden-demand 1
"""

ONE_SETUP_ZH = """\
stockout  运行 r7f3  已完成
题集版本 sha256:1f2e3d4c5b6a  种子 7

试验  95% 区间：Wilson on the effective sample size
  方案    计划  = 通过  + 失败  + 未知  + 未运行  成功率   95% 区间  次数 / 题数
  single     2       1       1       0         0   50.0%  9.4–90.6%        2 / 2

成绩单  通过 / 失败 / 未知
  方案         结果       决策
  single  1 / 1 / 0  2 / 0 / 0

可靠性
  每题只试了一次；加 --trials 5 可看出是否稳定

成本与用量
  方案    每次试验  每次成功   合计   已知  工具调用  步数  重试  超预算
  single     $0.03     $0.06  $0.06  2 / 2         2     4     0       0

每次试验的耗时
  方案      平均     p50     p95    最差  来源
  single  600 ms  600 ms  750 ms  900 ms  自报
  single    2 ms    2 ms    2 ms    2 ms  实测

严重失败、拒答与工具
  方案    严重  上限 (95%)  拒答  转人工  参数有效  不适用
  single     0       77.6%     0    0.0%    100.0%       1
"""


def test_the_page_of_a_run(make_report: Make, text_of: Text) -> None:
    assert text_of(run_sheet(make_report(), Words())) == ONE_SETUP


def test_the_same_page_in_chinese_lines_up(make_report: Make, text_of: Text) -> None:
    page = text_of(run_sheet(make_report(), Words("zh")))
    assert page.startswith(ONE_SETUP_ZH)
    assert page.endswith("下一步，看看败在哪里: fairtrial replay r7f3 stockout-hidden-demand 1\n")


@pytest.fixture
def two(make_report: Make, make_setup: Make, team_setup: SetupReport, make_failed: Make) -> RunReport:
    lost = make_failed(check="fact stockout_days received by lead", severity="critical", kind="handoff_loss", attempt=4)
    cases = [
        CaseReport(id="a", setup="single", verdicts=["FAIL"], failed=[make_failed()], unknown=[]),
        CaseReport(id="a", setup="team", verdicts=["PASS"] * 3 + ["FAIL", "UNKNOWN"], failed=[lost, {**lost, "attempt": 5}], unknown=[
            {"attempt": 5, "check": "question demand", "card": "outcome", "why": "no answer", "excused": True},
            {"attempt": 5, "check": "trace", "card": "process", "why": "the worker was lost", "excused": False},
        ]),
    ]  # fmt: skip
    report: RunReport = make_report(setups={"single": make_setup(), "team": team_setup}, cases=cases)
    return report


def test_every_setup_shows_planned_as_the_sum_of_its_ends(two: RunReport, text_of: Text) -> None:
    page = text_of(run_sheet(two, Words()))
    assert "  team         10       8       1          1          0         80.0%    46.0–95.0%          10 / 2" in page


def test_unknown_trials_put_the_worst_and_the_best_case_beside_the_rate(two: RunReport, text_of: Text) -> None:
    assert "team: 1 UNKNOWN: the success rate lies between 80.0% and 90.0%" in text_of(run_sheet(two, Words()))


def test_a_cost_that_is_not_complete_says_at_least_and_why(two: RunReport, text_of: Text) -> None:
    page = text_of(run_sheet(two, Words()))
    assert "at least $0.90" in page
    assert "total cost (team): at least: the cost is fully known for 9 of 10 run trials" in page


def test_endings_of_the_harness_are_named(two: RunReport, text_of: Text) -> None:
    assert "team: ended otherwise than by an answer: worker lost 1" in text_of(run_sheet(two, Words()))


def test_severe_failures_come_first_with_their_attempts(two: RunReport, text_of: Text) -> None:
    page = text_of(run_sheet(two, Words()))
    failed = page[page.index("Failed checks") :]
    assert failed.index("received by lead") < failed.index("stockout_days used")
    assert "fact stockout_days received by lead  attempts 4, 5  [outcome · critical · handoff_loss]" in failed


def test_attempts_are_listed_in_their_order_however_the_trials_ended(make_report: Make, make_failed: Make, text_of: Text) -> None:
    case = CaseReport(id="a", setup="single", verdicts=["FAIL"] * 3, failed=[make_failed(attempt=n) for n in (2, 3, 1)], unknown=[])
    assert "attempts 1, 2, 3" in text_of(run_sheet(make_report(cases=[case]), Words()))


def test_an_unknown_that_the_case_allows_is_only_counted(two: RunReport, text_of: Text) -> None:
    unknown = text_of(run_sheet(two, Words())).split("Left UNKNOWN")[1]
    assert "the worker was lost" in unknown
    assert "no answer" not in unknown
    assert "checks left UNKNOWN that their cases allow: 1" in unknown


def test_repeated_trials_show_reliability_and_the_chain(two: RunReport, text_of: Text) -> None:
    page = text_of(run_sheet(two, Words()), width=140)
    assert "team       100.0%  100.0% (k=5)  50.0% (k=5)       50.0%        0.6" in page
    assert "  team   coo->ceo                  90.0%" in page
    assert "  team   all together, as seen     90.0%    60.0–98.0%          10 / 2        1\n" in page
    assert "  team   product, if independent   90.0%   70.0–100.0%" in page
    assert "  three links that hold at 95 % each would all hold at 85.7 %, if they failed independently: an assumption" in page


def test_attempts_stand_beside_the_line_of_independence(two: RunReport, text_of: Text) -> None:
    page = text_of(run_sheet(two, Words()), width=140)
    assert "Several attempts, as counted / if independent  independence is an assumption, not a finding\n" in page
    assert "  team   3      80.0%  100.0% / 99.2%  65.0% / 51.2%\n" in page
    assert "cases differ, for some pass nearly always and others hardly ever" in " ".join(page.split())
    page = text_of(run_sheet(two, Words("zh")), width=140)
    assert "3 次尝试全部通过：计数为 65 %；若每次以 80 % 独立通过，则为 51.2 %；题目之间有差别" in page
    assert "全部 2 处交接在 10 次试验中同时成立 90 %" in page


def test_slices_are_shown_on_request_only(two: RunReport, text_of: Text) -> None:
    assert "Slices" not in text_of(run_sheet(two, Words()))
    assert "  team   tag    stockout         60.0%     9.4–90.6%           2 / 2" in text_of(run_sheet(two, Words(), Detail(slices=True)))


def test_a_run_from_elsewhere_claims_no_fair_match(two: RunReport, text_of: Text) -> None:
    told = "whether the match was fair is not known"
    assert "a fair match: same cases" in text_of(run_sheet(two, Words())) and told not in text_of(run_sheet(two, Words()))
    page = text_of(run_sheet(msgspec.structs.replace(two, manifest=two.manifest | {"origin": "import:csv"}), Words()))
    assert told in page and "a fair match" not in page


def test_an_unfair_match_names_every_difference_once(make_report: Make, text_of: Text) -> None:
    differences = ["tools: place_order in team only", "budget: usd 0.12 in team; none in single"]
    report = make_report(
        fairness={"fair": False, "differences": differences, "carried": True},
        notes=["unfair match (carried on request): " + "; ".join(differences), "another note"],
    )
    page = text_of(run_sheet(report, Words()))
    assert [page.count(difference) for difference in differences] == [1, 1]
    assert "not a fair match; what differs:" in page
    assert "note: another note" in page


def test_one_failure_in_ten_thousand_never_reads_100_percent(make_report: Make, make_setup: Make, make_rate: Make, text_of: Text) -> None:
    setup = make_setup(success_rate=make_rate(9999 / 10_000, low=0.9994, high=0.99999999, n=10_000), planned=10_000, passed=9999)
    page = text_of(run_sheet(make_report(setups={"single": setup}), Words()))
    assert "99.99%" in page
    assert "<100%" in page
    assert "100.0%" not in page.split("Scorecards")[0]


def test_a_run_with_trials_left_says_how_to_finish_it(make_report: Make, make_setup: Make, text_of: Text) -> None:
    report = make_report(status="interrupted", setups={"single": make_setup(planned=5, not_run=3)})
    page = text_of(run_sheet(report, Words(), Detail(suite="my suite/suite.yaml")))
    assert "single: 3 of 5 planned trials have not been run" in page
    assert page.endswith("next, finish the run: fairtrial run --resume r7f3\n")


def test_a_run_without_failures_says_what_to_do_next(make_report: Make, make_setup: Make, text_of: Text) -> None:
    passed = make_setup(passed=2, fail=0)
    cases = [CaseReport(id="a", setup="single", verdicts=["PASS", "PASS"], failed=[], unknown=[])]
    page = text_of(run_sheet(make_report(setups={"single": passed}, cases=cases), Words()))
    assert page.splitlines()[-1] == "next, see how steady it is: fairtrial run SUITE --trials 5"
    page = text_of(run_sheet(make_report(setups={"a b": passed, "team": passed}, cases=cases), Words()))
    assert page.splitlines()[-1] == "next, compare two setups: fairtrial compare 'r7f3:a b' r7f3:team"


def test_many_failures_are_cut_with_the_way_to_all_of_them(make_report: Make, make_failed: Make, text_of: Text) -> None:
    cases = [CaseReport(id=f"c{n}", setup="single", verdicts=["FAIL"], failed=[make_failed()], unknown=[]) for n in range(20)]
    report = make_report(cases=cases)
    assert "12 more: fairtrial show r7f3 --all" in text_of(run_sheet(report, Words()))
    whole_page = text_of(run_sheet(report, Words(), Detail(failures=None)))
    assert "c19" in whole_page
    assert "more:" not in whole_page


def test_evidence_that_was_never_there_is_told_from_null(make_report: Make, make_failed: Make, text_of: Text) -> None:
    def shown(**evidence: Any) -> str:
        nothing = {"span": None, "path": None, "expected": None, "seen": None}
        failed = [make_failed(evidence={**nothing, **evidence})]
        return text_of(
            run_sheet(make_report(cases=[CaseReport(id="a", setup="single", verdicts=["FAIL"], failed=failed, unknown=[])]), Words())
        )

    assert "expected" not in shown(path="output.x")
    assert "output.x  expected 5  seen null" in shown(path="output.x", expected=5)
    assert 'seen "5"' in shown(path="output.x", expected=5, seen="5")


def test_a_huge_value_is_cut_and_says_how_much_is_gone(make_report: Make, make_failed: Make, text_of: Text) -> None:
    failed = [make_failed(evidence={"path": "$", "expected": 1, "seen": "x" * 20_000})]
    page = text_of(run_sheet(make_report(cases=[CaseReport(id="a", setup="s", verdicts=["FAIL"], failed=failed, unknown=[])]), Words()))
    assert "… (+19,842)" in page
    assert len(page) < 5_000


def test_a_run_where_nothing_was_run_shows_no_figure_as_zero(make_report: Make, make_setup: Make, text_of: Text) -> None:
    empty = Rate(value=None, low=None, high=None, n=0, cases=0, method="", worst=None, best=None)
    nothing = make_setup(
        planned=2, passed=0, fail=0, not_run=2, success_rate=empty, severe_upper=None, handover_rate=None, tool_call_accuracy=None,
        first_try=None, all_trials=None, pass_at={}, pass_hat={}, longest_streak=None, shape=Shape(), cards={"outcome": CardCount()},
        reasons={"success_rate": "no trial has been run"},
    )  # fmt: skip
    page = text_of(run_sheet(make_report(setups={"single": nothing}, cases=[]), Words()))
    assert "– success rate: no trial has been run" in page
    assert "0.0%" not in page
    assert "Scorecards" not in page


def test_what_must_be_known_beside_a_figure_is_told(make_report: Make, make_setup: Make, text_of: Text) -> None:
    reasons = {
        "success_rate.interval": "few cases: lean on it lightly",
        "latency_ms.n": "known for 1 of the 2 trials that answered, of 2 run",
    }
    page = text_of(run_sheet(make_report(setups={"a": make_setup(reasons=reasons), "b": make_setup(reasons=reasons)}), Words()))
    assert "! 95% interval: few cases: lean on it lightly\n" in page
    assert page.count("known for 1 of the 2 trials") == 1


def test_figures_that_are_missing_for_one_reason_share_a_line_that_names_setups_only_where_some_have_them(
    make_report: Make, make_setup: Make, text_of: Text
) -> None:
    spent = Cost(total=None, mean=None, per_success=None, complete=False, known=0)
    every = {"recovery_rate": "no trial met a tool failure", "tokens": "no trial states its tokens"}
    free = {"cost_usd": "no trial states a cost"}
    setups = {"a": make_setup(reasons=every | free, cost_usd=spent), "b": make_setup(reasons=every)}
    found = run_sheet(make_report(setups=setups), Words())
    lines = [line for line in text_of(found).splitlines() if line.startswith("–")]
    assert lines == [
        "– cost a trial, cost a success, total cost (a): no trial states a cost",
        "– tokens: no trial states its tokens",
        "– recovered: no trial met a tool failure",
    ]
    page = text_of(run_sheet(make_report(setups=setups), Words("zh")))
    assert "– 每次试验成本, 每次成功成本, 总成本 (a): " in page
    assert "cost a trial, cost a success, total cost (<code>a</code>): <code>no trial" in markdown(found)


def test_a_planned_run_shows_its_plan(make_report: Make, text_of: Text) -> None:
    page = text_of(plan_sheet(make_report(status="planned"), Words(), Detail(suite="s")))
    assert "single      2        2  stockout-hidden-demand, ordinary-week" in page
    assert page.endswith("next, run it: fairtrial run s\n")


def test_ids_that_the_shell_would_read_are_quoted() -> None:
    assert shell_word("a b; rm -rf $HOME") == "'a b; rm -rf $HOME'"
    assert shell_word("plain-1") == "plain-1"


def test_the_last_line_takes_one_more_option(make_report: Make, text_of: Text) -> None:
    sheet = run_sheet(make_report(), Words())
    sheet.add_to_next("--store sqlite:///x.db")
    assert text_of(sheet).endswith(" 1 --store sqlite:///x.db\n")


def test_the_page_is_a_reading_of_the_report_and_leaves_it_alone(two: RunReport) -> None:
    before = msgspec.json.encode(two)
    run_sheet(two, Words(), Detail(slices=True))
    assert msgspec.json.encode(two) == before


@pytest.mark.parametrize(("complete", "english", "chinese"), [(True, "$0.50", "$0.50"), (False, "at least $0.50", "至少 $0.50")])
def test_the_simulated_user_stands_beside_the_cost_with_its_n(
    make_report: Make, make_setup: Make, text_of: Text, complete: bool, english: str, chinese: str
) -> None:
    why = {} if complete else {"user_cost_usd.total": "at least: the simulated user's cost is known for 1 of 2 run trials"}
    spent = Cost(total=Decimal("0.5"), mean=None, per_success=None, complete=complete, known=2 if complete else 1)
    report = make_report(setups={"single": make_setup(user_cost_usd=spent, reasons=why)})
    known = 2 if complete else 1
    page = text_of(run_sheet(report, Words()))
    assert f"  single: the simulated user cost {english} beside that, known for {known} of 2 trials\n" in page
    why_told = "– the simulated user's cost: at least: the simulated user's cost is known for 1 of 2 run trials"
    assert (why_told in page) is not complete
    page = text_of(run_sheet(report, Words("zh")))
    assert f"  single: 另计模拟用户 {chinese}，2 次试验中有 {known} 次已知\n" in page
    assert ("已运行的 2 次试验中有 1 次模拟用户的成本已知" in page) is not complete


def test_without_a_simulated_user_nothing_is_said_of_one(make_report: Make, text_of: Text) -> None:
    assert "simulated" not in text_of(run_sheet(make_report(), Words()))


CAUTION = (
    "this interval covers less than it states: with 2 independent cases of 1 trial each, a 95 % interval held the truth in as "
    "little as 80 % of simulated tables; more cases mend that, more trials of the same cases do not"
)


def test_how_far_to_lean_on_an_interval_stands_below_the_tables(make_report: Make, make_setup: Make, text_of: Text) -> None:
    report = make_report(setups={"single": make_setup(reasons={"success_rate.interval": CAUTION})})
    assert "! 95% interval: this interval covers less than it states" in " ".join(text_of(run_sheet(report, Words())).split())
    page = text_of(run_sheet(report, Words("zh")))
    assert "这个区间的覆盖率低于它的名义值" in page
    assert "this interval" not in page


def test_the_last_line_names_the_suite_that_was_run(make_report: Make, make_setup: Make, text_of: Text, tmp_path: Path) -> None:
    passed = {"setups": {"single": make_setup(passed=2, fail=0)}, "cases": []}
    assert text_of(run_sheet(make_report(manifest={}, **passed), Words())).endswith("fairtrial run SUITE --trials 5\n")
    far = str(tmp_path / "a b" / "suite.yaml")
    assert text_of(run_sheet(make_report(manifest={"suite_path": far}, **passed), Words())).endswith(f"fairtrial run '{far}' --trials 5\n")
    near = os.path.join(os.getcwd(), "mine", "suite.yaml")
    assert text_of(run_sheet(make_report(manifest={"suite_path": near}, **passed), Words())).endswith(
        "fairtrial run mine/suite.yaml --trials 5\n"
    )
    given = text_of(run_sheet(make_report(manifest={"suite_path": near}, **passed), Words(), Detail(suite="other.yaml")))
    assert given.endswith("fairtrial run other.yaml --trials 5\n")
