"""The comparison of the two sides of a run until decided claims what its rule does, and no more."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.records.grade import Scorecard
from fairtrial.records.report import Comparison
from fairtrial.records.trial import TrialHead
from fairtrial.study.comparison import compare
from fairtrial.study.until import read_until
from tests.study.tables import Change, table

RULE = {"base": "old", "new": "new", "level": 0.95, "margin": None, "unit": "case"}


def _cases(letters: str, run: int, planned: int) -> dict[str, str]:
    return {f"c{n}": letters if n < run else "-" * len(letters) for n in range(planned)}


def _compared(old: dict[str, str], new: dict[str, str], *, turned: bool = False, change: Change | None = None) -> Comparison:
    made = table({"old": old, "new": new}, change, settings={"until_decided": RULE})
    sides = ("new", "old") if turned else ("old", "new")
    return compare(made, sides[0], made, sides[1])


def test_it_has_the_verdict_of_the_rule_with_the_interval_of_every_look_and_no_p_value() -> None:
    found = _compared(_cases("PPP", 20, 50), _cases("FFF", 20, 50))
    assert (found.verdict, found.pairs, found.p_value, found.mcnemar["p_value"]) == ("worse", 7, None, None)
    assert found.difference.method.startswith("betting confidence sequence")
    assert found.difference.high is not None
    assert found.difference.high < 0
    assert {"p_value", "detectable"} <= set(found.reasons)
    assert "holds at every look" in found.says
    assert found.slices == []
    assert not any("do not hold" in note for note in found.notes)


def test_turned_round_it_says_the_same_of_the_other_side() -> None:
    one = _compared(_cases("PPP", 20, 50), _cases("FFF", 20, 50))
    two = _compared(_cases("PPP", 20, 50), _cases("FFF", 20, 50), turned=True)
    assert two.verdict == "better"
    assert (two.difference.low, two.difference.high) == (-(one.difference.high or 0), -(one.difference.low or 0))


def test_a_new_severe_failure_is_not_called_better() -> None:
    def change(head: TrialHead, card: Scorecard) -> None:
        card.severe = head.key.setup == "new" and head.key.case == "c2"

    assert _compared(_cases("FFF", 20, 50), _cases("PPP", 20, 50), change=change).verdict == "cannot_tell"


def test_before_the_first_look_nothing_can_be_told() -> None:
    assert _compared(_cases("PP", 0, 9), _cases("PP", 0, 9)).verdict in ("cannot_tell", "invalid")
    early = {**_cases("PPP", 9, 9), "c0": "PP-"}
    assert _compared(early, _cases("FFF", 9, 9)).verdict == "cannot_tell"


def test_against_another_run_a_stopped_one_is_told_to_be_so() -> None:
    made = table({"old": _cases("PPP", 20, 50), "new": _cases("FFF", 20, 50)}, settings={"until_decided": RULE})
    other = table({"new": _cases("PPP", 50, 50)}, run="r2")
    assert any("do not hold" in note for note in compare(made, "new", other, "new").notes)
    whole = table({"old": _cases("PF", 9, 9), "new": _cases("FP", 9, 9)}, settings={"until_decided": RULE})
    assert not any("do not hold" in note for note in compare(whole, "new", other, "new").notes)


letters = st.text("PFU", min_size=2, max_size=2)


@settings(max_examples=60)
@given(st.lists(st.tuples(letters, letters), min_size=1, max_size=40))
def test_it_never_claims_what_the_sequence_does_not(pairs: list[tuple[str, str]]) -> None:
    old, new = ({f"c{n}": pair[side] for n, pair in enumerate(pairs)} for side in (0, 1))
    found = _compared(old, new)
    until = read_until(table({"old": old, "new": new}, settings={"until_decided": RULE}))
    assert until is not None
    if found.verdict in ("better", "worse"):
        assert found.verdict == until.decision
    else:
        assert until.decision == "cannot_tell" or found.verdict == "invalid"


@pytest.mark.parametrize(("margin", "verdict"), [(None, "not_worse"), (0.1, "not_worse"), (0.05, "cannot_tell")])
def test_a_margin_is_read_from_the_same_interval_and_is_else_that_of_the_rule(margin: float | None, verdict: str) -> None:
    made = table({"old": _cases("PPP", 200, 400), "new": _cases("PPP", 200, 400)}, settings={"until_decided": {**RULE, "margin": 0.1}})
    assert compare(made, "old", made, "new", margin=margin).verdict == verdict
    assert compare(made, "new", made, "old").verdict == "cannot_tell"
