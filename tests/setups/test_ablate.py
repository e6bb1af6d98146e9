"""A changed team: what a removed role knew goes on to whom it fed, a replaced one hands on, a mended one has the right facts."""

from typing import Any

import pytest

from fairtrial.records.case import Scene
from fairtrial.records.change import Change, Changed, changed_name
from fairtrial.records.errors import InputError
from fairtrial.records.setup import Setup
from tests.trials.bench import Ran, run_agents

FACTS = {"a": 1, "b": 2, "c": 3}


def _run(agent: str, *changes: Change, **more: Any) -> Ran:
    setup = Setup(agent=f"changed_teams:{agent}", change=Changed(of="whole", changes=changes))
    return run_agents([], "fork", setups={"changed": setup}, facts=FACTS, **more)


def _output(agent: str, *changes: Change, **more: Any) -> dict[str, Any]:
    ran = _run(agent, *changes, **more)
    found: dict[str, Any] = ran.body("changed").output
    assert isinstance(found, dict), ran.head("changed").note
    return found


def _remove(role: str) -> Change:
    return Change(kind="remove", role=role)


def test_what_a_removed_role_sees_and_got_goes_on_to_whom_it_fed() -> None:
    found = _output("team", _remove("middle"))
    assert found["inbox"] == {"a": 1, "found": 2, "b": 2} and found["sees"] == {"b": 2}
    assert found["from"] == ["finder", "case"]


def test_the_tools_of_a_removed_role_may_be_called_by_whom_it_fed() -> None:
    found = _output("counting", _remove("finder"), _remove("middle"))
    assert found["sum"] == 2 and found["inbox"] == {"a": 1, "b": 2}
    assert _run("counting").head("changed").note.startswith("Refused")  # the whole team's chief may not


def test_a_fact_that_only_the_removed_role_may_see_reaches_its_heir_and_nobody_else() -> None:
    scene = Scene(state={"total": 0}, visible_to={"a": ("finder",), "c": ("nobody",)})
    found = _output("team", _remove("finder"), scene=scene)
    assert found["inbox"]["middle_got"] == ["a"] and "a" not in found["sees"] and "c" not in found["sees"]


def test_the_seat_tells_the_change_and_what_the_heirs_were_given() -> None:
    ran = _run("team", _remove("finder"))
    (seat,) = ran.seats
    assert seat.change == Changed(of="whole", changes=(_remove("finder"),))
    assert [(role.name, role.sees, role.tools) for role in seat.roles] == [("middle", ("b", "a"), ("add",)), ("chief", (), ())]


def test_a_role_replaced_by_a_pass_through_hands_on_what_reached_it_and_what_it_may_see() -> None:
    found = _output("team", Change(kind="replace", role="middle"))
    assert found["inbox"] == {"a": 1, "found": 2, "b": 2} and found["sees"] == {} and found["from"] == ["middle"]


def test_a_stand_in_acts_in_the_place_of_the_role() -> None:
    found = _output("team", Change(kind="replace", role="middle", stand_in="changed_teams:stand_in"))
    assert found["inbox"] == {"b": 99}


def test_a_mended_role_gets_the_right_facts_and_hands_them_on() -> None:
    found = _output("losing", Change(kind="mend", role="finder", hands=("a", "missing")), _remove("middle"))
    assert found["inbox"]["a"] == 1
    found = _output("losing", Change(kind="mend", role="chief", receives=("a", "c")))
    assert found["inbox"]["a"] == 1 and found["sees"] == {"a": 1, "c": 3}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_remove("chief"), "cannot be taken out|not be taken out"),
        (Change(kind="replace", role="chief"), "not be taken out"),
        (_remove("midle"), "no such role"),
        (Change(kind="vanish", role="middle"), "cannot be changed so"),
    ],
)
def test_what_cannot_be_changed_is_told_before_any_trial(change: Change, told: str) -> None:
    with pytest.raises(InputError, match=told):
        _run("team", change)


def test_a_changed_setup_is_named_after_what_was_done() -> None:
    changes = (_remove("coo"), Change(kind="replace", role="cmo"), Change(kind="mend", role="cfo"))
    assert changed_name("team", changes) == "team - coo ~ cmo + cfo"
