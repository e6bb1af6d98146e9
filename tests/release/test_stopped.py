"""A gate on a run that its rule stopped reads the interval that holds at every look, or is open."""

from typing import Any

import pytest

from fairtrial.records.decision import GateResult
from fairtrial.release.decide import decide
from fairtrial.release.ground import Side
from fairtrial.stats.estimate import two_sided
from fairtrial.study.until import every_look, read_until
from tests.release.making import policy, side
from tests.study.tables import info

RULE = {"base": "old", "new": "new", "level": 0.95, "margin": None, "unit": "case"}
NOT_BELOW = {"success_rate": "overall", "not_below": "baseline", "margin": "0.02"}
BETTER = {"success_rate": "overall", "better_than": "baseline"}
PLANNED, RUN = 50, 20


def _cases(letters: str) -> dict[str, str]:
    return {f"c{n}": letters if n < RUN else "-" * len(letters) for n in range(PLANNED)}


def _stopped(old: str, new: str, setup: str = "new") -> Side:
    infos = {f"c{n}": info(f"c{n}", tags=("odd",) if n % 2 else ()) for n in range(PLANNED)}
    return side(setup, {"old": _cases(old), "new": _cases(new)}, settings={"until_decided": RULE}, infos=infos)


def _gate(asked: dict[str, Any], candidate: Side, baseline: Side) -> GateResult:
    return decide(policy(asked, {"coverage": "0.1"}), candidate, baseline).gates[0]


@pytest.mark.parametrize(("setup", "state"), [("new", "holds"), ("old", "fails")])
def test_between_its_two_sides_the_bounds_hold_at_every_look(setup: str, state: str) -> None:
    candidate = _stopped("FFF", "PPP", setup)
    baseline = Side(table=candidate.table, setup="old" if setup == "new" else "new")
    until = read_until(candidate.table)
    assert until is not None
    assert until.stopped
    low, high = every_look(candidate.table, until.rule, two_sided(0.95))
    for asked in (NOT_BELOW, BETTER):
        found = _gate(asked, candidate, baseline)
        assert (found.state, found.cases, found.n) == (state, until.looks, 3 * until.looks)
        assert (found.low, found.high) == ((low, high) if setup == "new" else (-high, -low))


def test_no_part_of_it_is_told() -> None:
    candidate = _stopped("FFF", "PPP")
    found = _gate({**BETTER, "success_rate": {"tag": "odd"}}, candidate, Side(table=candidate.table, setup="old"))
    assert (found.state, found.low, found.high) == ("open", None, None)
    assert "no part of it" in found.why


def test_against_another_run_it_stays_open() -> None:
    candidate = _stopped("FFF", "PPP")
    other = side("old", {"old": {f"c{n}": "FFF" for n in range(PLANNED)}}, run="r0")
    for asked in (NOT_BELOW, BETTER):
        found = _gate(asked, candidate, other)
        assert (found.state, found.low) == ("open", None)
        assert "run the suite to its end" in found.why
    assert any("stopped by its rule" in note for note in decide(policy(BETTER), candidate, other).notes)
