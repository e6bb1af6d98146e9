"""Estimated gates: the one-sided bound decides, what is unknown counts both ways, and nothing is ever zero wide."""

import math
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import Ending, TrialHead
from fairtrial.records.verdict import Verdict
from fairtrial.stats.estimate import two_sided
from fairtrial.stats.interval import clustered_rate
from fairtrial.stats.paired import tango
from tests.release.making import decided, gate, many
from tests.study.tables import spent

Z = 1.6448536269514722


def _wilson(cases: int) -> float:
    return cases / (cases + Z * Z)


def test_a_rate_holds_when_its_lower_bound_meets_the_bar_and_not_before() -> None:
    found = gate({"success_rate": "overall", "min": "0.9"}, many("P", 25))
    assert found.state == "holds" and found.low == pytest.approx(_wilson(25))
    short = gate({"success_rate": "overall", "min": "0.9"}, many("P", 24))
    assert short.state == "open" and "25 cases could" in short.why


@pytest.mark.parametrize(
    ("asked", "base"),
    [
        ({"success_rate": "overall", "min": "0.85"}, None),
        ({"success_rate": "overall", "not_below": "baseline", "margin": "0.05"}, "PP"),
        ({"unknown_share": "overall", "max": "0.05"}, None),
    ],
)
def test_an_open_gate_says_how_many_cases_like_these_would_do_and_so_many_do(asked: dict[str, Any], base: str | None) -> None:
    def cases(times: int) -> tuple[dict[str, str], dict[str, str] | None]:
        kinds = ["PP"] * 19 + ["PF"]
        new = {f"c{n}": kinds[n % 20] for n in range(20 * times)}
        return new, None if base is None else dict.fromkeys(new, base)

    found = gate(asked, *cases(1))
    assert found.state == "open"
    told = re.search(r"about ([\d,]+) cases like these would do, here 20$", found.why)
    assert told is not None
    times = int(told[1].replace(",", "")) // 20
    assert (gate(asked, *cases(times)).state, gate(asked, *cases(times - 1)).state) == ("holds", "open")


def test_an_open_gate_whose_figure_is_on_the_wrong_side_asks_for_no_more_cases() -> None:
    found = gate({"success_rate": "overall", "min": "0.9"}, many("P", 26) | {f"f{n}": "F" for n in range(4)})
    assert found.state == "open" and "more cases like these would not do" in found.why
    undecided = gate({"success_rate": "overall", "min": "0.9"}, many("P", 40) | {f"u{n}": "U" for n in range(8)})
    assert undecided.state == "open" and undecided.why.endswith("decide the trials that are undecided first")


def test_repeats_of_a_case_do_not_stand_in_for_cases() -> None:
    assert gate({"success_rate": "overall", "min": "0.9"}, many("P" * 20, 10)).state == "open"


def test_a_rate_fails_only_when_even_the_upper_bound_misses() -> None:
    cases = many("F", 20) | {f"p{n}": "P" for n in range(20)}
    assert gate({"success_rate": "overall", "min": "0.9"}, cases).state == "fails"
    assert gate({"success_rate": "overall", "min": "0.6"}, cases).state == "open"


def test_a_bar_of_one_can_be_shown_by_no_sample_and_says_how_to_count() -> None:
    found = gate({"success_rate": "overall", "min": "1"}, many("P", 200))
    assert (found.state, "regression" in found.why) == ("open", True)


@pytest.mark.parametrize("letter", ["U", "-", "E"])
def test_what_is_not_known_keeps_a_gate_from_holding_and_from_failing(letter: str) -> None:
    asked = {"success_rate": "overall", "min": "0.5"}
    assert gate(asked, many("P", 30)).state == "holds"
    assert gate(asked, many("P", 30) | {f"u{n}": letter for n in range(60)}).state == "open"
    assert gate(asked, many("F", 30) | {f"u{n}": letter for n in range(60)}).state == "open"


def test_an_unknown_trial_that_makes_a_spread_known_closes_no_gate() -> None:
    """Thirteen cases that all went alike leave a loss of a fifth open; with one of them UNKNOWN they must do so as well."""
    asked = {"success_rate": "overall", "not_below": "baseline", "margin": "0.17"}
    alike = many("PP", 13)
    assert gate(asked, alike, baseline=alike).state == "open"
    assert gate(asked, alike | {next(iter(alike)): "PU"}, baseline=alike).state == "open"


def test_without_a_paired_difference_the_bound_is_tangos_over_cases() -> None:
    asked = {"success_rate": "overall", "not_below": "baseline", "margin": "0.02"}
    for cases, state in ((132, "open"), (133, "holds")):
        found = gate(asked, many("PPP", cases), many("PPP", cases))
        assert (found.state, found.value) == (state, 0)
        assert found.low == pytest.approx(tango(0, 0, cases, two_sided(0.95)).low)
        assert found.low is not None
        assert found.high is not None
        assert found.low < 0 < found.high


def test_better_needs_more_than_no_difference() -> None:
    asked = {"success_rate": "overall", "better_than": "baseline"}
    assert gate(asked, many("P", 500), many("P", 500)).state == "open"
    assert gate(asked, many("P", 40), many("F", 20) | dict(list(many("P", 40).items())[20:])).state == "holds"
    assert gate(asked, many("F", 40), many("P", 40)).state == "fails"


def test_clearly_below_the_baseline_fails() -> None:
    asked = {"success_rate": "overall", "not_below": "baseline", "margin": "0.02"}
    found = decided([asked], many("F", 15) | {f"p{n}": "P" for n in range(45)}, many("P", 15) | {f"p{n}": "P" for n in range(45)})
    assert (found.decision, found.gates[0].state) == ("block", "fails")


def test_unknown_trials_count_against_the_candidate_on_either_side() -> None:
    asked = {"success_rate": "overall", "not_below": "baseline", "margin": "0.02"}
    assert gate(asked, many("PPP", 200), many("PPP", 200)).state == "holds"
    for new, base in (("PPU", "PPP"), ("PPF", "PPU")):
        found = gate(asked, many(new, 200), many(base, 200))
        assert (found.state, "200 undecided counted both ways" in found.seen) == ("open", True)
    assert gate(asked, many("PPP", 200), many("PPU", 200)).state == "holds"


def test_pass_hat_needs_as_many_trials_of_every_case() -> None:
    asked = {"pass_hat": {"k": 3, "min": "0.9"}}
    assert gate(asked, many("PPP", 25)).state == "holds"
    found = gate(asked, many("PPP", 25) | {"short": "PP"})
    assert (found.state, "1 of 26 have fewer" in found.why) == ("open", True)
    assert gate(asked, many("PPF", 25)).state == "fails"


def test_a_steady_failure_is_stable_and_an_unknown_trial_may_spoil_it() -> None:
    asked = {"stability": "overall", "min": "0.8"}
    assert gate(asked, many("FFFF", 30)).state == "holds"
    assert gate(asked, many("FFFU", 30)).state == "open"
    assert gate(asked, many("PPFF", 30)).state == "fails"
    assert gate(asked, many("P", 30)).why == "no case has two trials or more"


def test_unknown_share_is_bounded_from_above() -> None:
    asked = {"unknown_share": "overall", "max": "0.05"}
    assert gate(asked, many("P", 52)).state == "holds"
    assert gate(asked, many("P", 51)).state == "open"
    assert gate(asked, many("PU", 52)).state == "fails"
    assert gate(asked, many("P-", 52)).state == "open"


def _timed(head: TrialHead, card: Scorecard) -> None:
    head.wall_ms = 100.0
    if card.verdict is Verdict.FAIL:
        head.ending = Ending.TIMEOUT


def test_p95_has_an_upper_bound_from_59_independent_cases_on() -> None:
    assert 1 - 0.95**59 >= 0.95 > 1 - 0.95**58
    found = gate({"latency_p95_ms": 100}, many("PP", 59), change=_timed)
    assert (found.state, found.high) == ("holds", 100.0)
    short = gate({"latency_p95_ms": 100}, many("PP", 58), change=_timed)
    assert (short.state, "59" in short.why) == ("open", True)


def test_trials_that_ran_out_of_time_are_slower_than_all_others() -> None:
    slow = many("P", 50) | {f"t{n}": "F" for n in range(20)}
    assert gate({"latency_p95_ms": 30000}, slow, change=_timed).state == "fails"
    few = many("P", 200) | {"t": "F"}
    assert gate({"latency_p95_ms": 30000}, few, change=_timed).state == "holds"


def test_the_rank_of_the_bound_on_p95_is_the_binomials() -> None:
    """With n cases of one trial and r slow ones the bound meets the bar as long as P(at most r of n beyond p95) is 5 % at most."""
    for n in (59, 93, 124, 200):
        slow = max(r for r in range(n) if binom.cdf(r, n, 0.05) <= 0.05)
        for more, state in ((0, "holds"), (1, "open")):
            cases = {f"c{place}": "P" for place in range(n)}
            late = {f"c{place}" for place in range(slow + more)}

            def change(head: TrialHead, _: Scorecard, late: set[str] = late) -> None:
                head.wall_ms = 900.0 if head.key.case in late else 100.0

            assert gate({"latency_p95_ms": 500}, cases, change=change).state == state, (n, slow, more)


def _priced(usd: str, *, complete: bool = True) -> Any:
    def change(head: TrialHead, _: Scorecard) -> None:
        head.spend = spent(usd, complete=complete)

    return change


def test_cost_per_success_is_never_zero_wide() -> None:
    asked = {"cost_per_success_usd": "0.08"}
    found = gate(asked, many("P", 100), change=_priced("0.075"))
    assert (found.state, found.value) == ("holds", Decimal("0.075"))
    assert found.high == pytest.approx(0.075 / _wilson(100))
    assert gate(asked, many("P", 10), change=_priced("0.075")).state == "open"
    assert gate(asked, many("P", 10), change=_priced("0.081")).state == "fails"


def test_a_cost_that_is_not_fully_known_can_fail_and_never_hold() -> None:
    asked = {"cost_per_success_usd": "0.08"}
    assert gate(asked, many("P", 100), change=_priced("0.01", complete=False)).state == "open"
    assert gate(asked, many("P", 100), change=_priced("0.5", complete=False)).state == "fails"
    assert gate(asked, many("P", 100) | {"z": "-"}, change=_priced("0.01")).state == "open"


def test_without_a_success_there_is_no_cost_of_one() -> None:
    found = gate({"cost_per_success_usd": "0.5"}, many("F", 30), change=_priced("0.01"))
    assert (found.state, found.why) == ("open", "no trial passed")
    assert gate({"cost_per_success_usd": "0.08"}, many("F", 30), change=_priced("0.01")).state == "fails"


def _called(valid: int, calls: int) -> Any:
    def change(head: TrialHead, card: Scorecard) -> None:
        card.tool_args = (valid if head.key.case == "c000" else calls, calls)

    return change


@pytest.mark.parametrize(("valid", "bar", "state"), [(4, "1.0", "holds"), (3, "1.0", "fails"), (3, "0.99", "open"), (4, "0.9", "holds")])
def test_every_tool_call_is_counted_where_the_bar_is_one(valid: int, bar: str, state: str) -> None:
    assert gate({"tool_call_accuracy": "overall", "min": bar}, many("P", 30), change=_called(valid, 4)).state == state


def test_no_tool_call_is_no_accuracy() -> None:
    assert gate({"tool_call_accuracy": "overall", "min": "1.0"}, many("P", 30)).state == "open"


@settings(max_examples=80)
@given(
    st.lists(st.text("PFU-", min_size=1, max_size=5), min_size=1, max_size=25),
    st.integers(1, 99),
    st.sampled_from(["0.8", "0.9", "0.95", "0.99"]),
)
def test_no_unknown_and_no_unrun_trial_could_turn_a_decided_gate(letters: list[str], percent: int, confidence: str) -> None:
    """However the open ones turn out, the bound of the finished table stays on the side that was told."""
    bar = Decimal(percent) / 100
    cases = {f"c{place}": text for place, text in enumerate(letters)}
    found = gate({"success_rate": "overall", "min": str(bar)}, cases, confidence=confidence)
    for filler in "PF":
        counts = [(text.replace("U", filler).replace("-", filler).count("P"), len(text)) for text in letters]
        whole = clustered_rate(counts, two_sided(float(confidence)), few="widen")
        assert whole.low is not None and whole.high is not None
        if found.state == "holds":
            assert whole.low >= bar or math.isclose(whole.low, float(bar))
        if found.state == "fails":
            assert whole.high < bar
