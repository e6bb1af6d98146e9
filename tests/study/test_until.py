"""A run until decided, read from its stored trials: what it claims, what it leaves open, and what it never drops."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import TrialHead
from fairtrial.records.until import UntilDecided
from fairtrial.study.report import read_run
from fairtrial.study.until import read_until
from tests.study.tables import spent, table

RULE = {"base": "old", "new": "new", "level": 0.95, "margin": None, "unit": "case"}


def _read(old: dict[str, str], new: dict[str, str], **rule: Any) -> UntilDecided:
    found = read_until(table({"old": old, "new": new}, settings={"until_decided": {**RULE, **rule}}))
    assert found is not None
    return found


def _cases(letters: str, run: int, planned: int) -> dict[str, str]:
    return {f"c{n}": letters if n < run else "-" * len(letters) for n in range(planned)}


def test_it_is_decided_at_the_first_look_that_allows_it_and_the_rest_is_saved() -> None:
    found = _read(_cases("PPP", 20, 50), _cases("FFF", 20, 50))
    assert (found.decision, found.stopped, found.looks) == ("worse", True, 7)
    assert (found.trials, found.later, found.planned, found.saved) == (42, 78, 300, 180)
    assert found.high < 0
    assert found.value == -1.0
    assert found.says.startswith("new is worse than old: after 7 cases of 50 the difference lies between -100 and ")


def test_the_other_way_round_it_is_better() -> None:
    found = _read(_cases("FFF", 20, 50), _cases("PPP", 20, 50))
    assert (found.decision, found.looks) == ("better", 7)
    assert found.low > 0


def test_a_plan_run_to_its_end_without_a_decision_cannot_tell_and_saves_nothing() -> None:
    found = _read(_cases("PF", 12, 12), _cases("FP", 12, 12))
    assert (found.decision, found.stopped, found.saved, found.saved_usd) == ("cannot_tell", False, 0, Decimal(0))
    assert found.low < 0 < found.high
    assert "we cannot tell" in found.says


def test_before_the_plan_is_at_its_end_it_is_open() -> None:
    found = _read(_cases("PF", 4, 12), _cases("FP", 4, 12))
    assert (found.decision, found.stopped, found.saved) == ("open", False, 0)


def test_a_case_that_is_not_whole_ends_the_looking_though_later_ones_are_whole() -> None:
    old = {**_cases("PPP", 30, 30), "c3": "PP-"}
    found = _read(old, _cases("FFF", 30, 30))
    assert (found.decision, found.looks, found.later) == ("open", 3, 179 - 18)


def test_nothing_looked_at_yet_has_no_figure_and_a_reason() -> None:
    found = _read(_cases("P", 0, 5), _cases("P", 0, 5))
    assert (found.value, found.looks, found.low, found.high) == (None, 0, -1.0, 1.0)
    assert "value" in found.reasons


def test_equal_sides_are_not_worse_than_a_margin_once_that_is_shown() -> None:
    found = _read(_cases("PPP", 200, 400), _cases("PPP", 200, 400), margin=0.1)
    assert (found.decision, found.stopped) == ("not_worse", True)
    assert found.low > -0.1
    assert "new is not worse than old by 10 points or more" in found.says


def test_undecided_trials_are_counted_both_ways() -> None:
    sure = _read(_cases("PPP", 20, 50), _cases("FFF", 20, 50))
    unsure = _read(_cases("PPU", 20, 50), _cases("FFE", 20, 50))
    assert sure.looks < unsure.looks
    assert unsure.unknown == (unsure.looks, unsure.looks)
    assert "undecided trials counted both ways" in unsure.says
    none = _read(_cases("UUU", 50, 50), _cases("FFF", 50, 50))
    assert none.decision == "cannot_tell"


def test_a_severe_failure_of_new_is_told_beside_the_decision() -> None:
    def change(head: TrialHead, card: Scorecard) -> None:
        card.severe = head.key.setup == "new" and head.key.case == "c2"

    found = read_until(table({"old": _cases("FFF", 20, 50), "new": _cases("PPP", 20, 50)}, change, settings={"until_decided": RULE}))
    assert found is not None
    assert (found.decision, found.new_severe) == ("better", ["c2"])
    assert "new severe failures in c2" in found.says


def test_what_was_saved_is_priced_at_the_mean_of_what_was_run() -> None:
    def change(head: TrialHead, card: Scorecard) -> None:
        del card
        head.spend = spent("0.30" if head.key.setup == "new" else "0.10")

    found = read_until(table({"old": _cases("PPP", 20, 50), "new": _cases("FFF", 20, 50)}, change, settings={"until_decided": RULE}))
    assert found is not None
    assert found.saved_usd == Decimal("0.4") * 90
    bare = _read(_cases("PPP", 20, 50), _cases("FFF", 20, 50))
    assert bare.saved_usd is None
    assert "saved_usd" in bare.reasons


def test_the_report_gives_the_reason_for_what_was_not_run_and_claims_no_missing_case() -> None:
    report = read_run(table({"old": _cases("PPP", 20, 50), "new": _cases("FFF", 20, 50)}, settings={"until_decided": RULE}))
    assert all(setup.reasons["not_run"].startswith("stopped by rule") for setup in report.setups.values())
    assert not any("could be scored" in note for note in report.notes)
    plain = read_run(table({"old": _cases("PPP", 20, 50), "new": _cases("FFF", 20, 50)}))
    assert plain.until_decided is None
    assert "not_run" not in plain.setups["old"].reasons


letters = st.text("PFU", min_size=2, max_size=2)


@given(st.lists(st.tuples(letters, letters), min_size=7, max_size=40), st.integers(0, 39), st.booleans())
def test_turning_a_scored_trial_into_unknown_never_brings_a_favourable_decision(
    pairs: list[tuple[str, str]], place: int, new: bool
) -> None:
    def read(told: list[tuple[str, str]]) -> UntilDecided:
        old, other = ({f"c{n}": pair[side] for n, pair in enumerate(told)} for side in (0, 1))
        return _read(old, other)

    blurred = list(pairs)
    at = place % len(pairs)
    base, other = pairs[at]
    blurred[at] = (base, "U" + other[1:]) if new else ("U" + base[1:], other)
    before, after = read(pairs), read(blurred)
    if after.decision == "better":
        assert before.decision in ("better", "worse")
        assert before.looks <= after.looks


@pytest.mark.parametrize("settings", [{}, {"until_decided": {**RULE, "base": "gone"}}])
def test_a_run_without_a_rule_of_its_own_sides_has_none(settings: dict[str, Any]) -> None:
    assert read_until(table({"old": {"a": "P"}, "new": {"a": "P"}}, settings=settings)) is None
