"""Results from elsewhere: what they do not tell is None with a reason, and counts of what they name say that it is no more."""

from typing import Any

import pytest

from fairtrial.records.budget import Spend
from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import TrialHead
from fairtrial.study.report import fairness_of, read_run
from tests.release.making import gate
from tests.study.tables import table

TABLE: dict[str, Any] = {"origin": "import:csv", "untold": ("severe", "tool_calls", "declined", "over_budget")}


def _timed(head: TrialHead, _: Scorecard) -> None:
    head.wall_ms, head.spend = 1500.0, Spend(tool_calls=0)


def test_what_is_not_told_is_none_with_its_reason() -> None:
    setup = read_run(table({"one": {"a": "PF"}}, _timed, **TABLE)).setups["one"]
    assert (setup.tool_calls, setup.severe, setup.declined, setup.over_budget) == (None, 0, 0, 0)
    assert {"severe", "severe_upper", "tool_calls", "declined", "over_budget"} <= setup.reasons.keys()
    assert setup.steps == 0


def test_times_of_a_table_are_stated_and_not_measured() -> None:
    setup = read_run(table({"one": {"a": "PF"}}, _timed, **TABLE)).setups["one"]
    assert (setup.latency_ms.p50, setup.latency_ms.stated, setup.measured_ms.n, setup.measured_ms.p50) == (1500.0, True, 0, None)


def test_severe_failures_that_are_named_are_counted_with_the_reason_beside() -> None:
    def severe(_: TrialHead, card: Scorecard) -> None:
        card.severe = 1

    setup = read_run(table({"one": {"a": "F"}}, severe, **TABLE)).setups["one"]
    assert setup.severe == 1 and "only what they name" in setup.reasons["severe"] and setup.severe_upper is not None


def test_what_setups_were_given_elsewhere_is_unknown() -> None:
    run = table({"one": {"a": "P"}, "two": {"a": "P"}}, **TABLE).manifest
    assert fairness_of(run)["unknown"] == ["facts", "tools", "rights", "budget"]


@pytest.mark.parametrize("asked", [{"severe": 0}, {"severe": 0, "upper_bound": "0.5"}, {"over_budget": 0}])
def test_a_count_of_what_is_named_holds_and_says_that_not_all_is_told(asked: dict[str, object]) -> None:
    cases = {f"c{place}": "PP" for place in range(120)}
    found = gate(asked, cases, **TABLE)
    assert found.state == "holds" and "do not tell it of every trial" in found.why
    told = gate(asked, cases, **TABLE | {"untold": ()})
    assert (told.state, told.why) == ("holds", "")


def test_a_severe_failure_that_is_told_blocks_whatever_else_is_not() -> None:
    def severe(_: TrialHead, card: Scorecard) -> None:
        card.severe = 1

    assert gate({"severe": 0}, {"a": "F"}, change=severe, **TABLE).state == "fails"
