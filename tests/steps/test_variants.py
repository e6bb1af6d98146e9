"""Which changed teams are tried: what is refused, what is handed on to whom, and what a change takes away all the same."""

from typing import Any

import pytest

from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.suite import HandoffContract
from fairtrial.steps import variants
from fairtrial.steps.variants import Ground, groups, pairs, removal, singles, with_tools


def _role(name: str, hands_to: str = "", sees: str = "", tools: str | None = "") -> RoleSeat:
    held = None if tools is None else tuple(tools.split())
    return RoleSeat(name=name, hands_to=tuple(hands_to.split()), sees=tuple(sees.split()), tools=held)


ROLES = (_role("a", "b", "x", "look"), _role("b", "lead", "y"), _role("c", "lead"), _role("lead", "", "", "act"))


def _ground(*contracts: tuple[str, str, str], way: str = "team", **more: Any) -> Ground:
    owed = tuple(HandoffContract(source=source, target=target, requires=tuple(facts.split())) for source, target, facts in contracts)
    seat = Seat(setup="team", roles=more.pop("roles", ROLES), lead="lead", state=more.pop("state", ()))
    return Ground(setup="team", seat=seat, way=way, contracts=owed, facts=("x", "y", "z"), **more)


def test_each_role_is_removed_replaced_and_mended_and_the_lead_only_mended() -> None:
    made = singles(_ground(), ["a", "lead"], ("remove", "replace", "mend"))
    assert [one.setup for one in made if not one.refused] == ["team - a", "team ~ a", "team + a", "team + lead"]
    assert [one.setup for one in made if one.refused] == ["team - lead", "team ~ lead"]
    with_stand_in = singles(_ground(stand_ins={"lead": "agents:other"}), ["lead"], ("replace",))
    assert [one.changes[0].stand_in for one in with_stand_in if not one.refused] == ["agents:other"]


def test_a_removed_role_leaves_what_it_knows_to_whom_it_hands_and_owes() -> None:
    assert removal(_ground(("a", "c", "x")), ["a"]).changes[0].heirs == ("b", "c")


@pytest.mark.parametrize(
    ("contracts", "gone", "lost"),
    [
        ([("a", "b", "x")], ["a"], []),  # a fact of the cases: its heir sees it
        ([("a", "b", "sum")], ["a"], ["sum: a alone works it out, and b is owed it"]),
        ([("a", "b", "sum"), ("c", "b", "sum")], ["a"], []),  # another owes it to the same reader
        ([("a", "b", "sum"), ("c", "b", "sum")], ["a", "c"], ["sum: a alone works it out, and b is owed it"] * 2),
        ([("a", "b", "sum")], ["a", "b"], []),  # the reader is gone as well
    ],
)
def test_what_only_one_role_works_out_and_another_is_owed_is_information_removed(
    contracts: list[tuple[str, str, str]], gone: list[str], lost: list[str]
) -> None:
    made = removal(_ground(*contracts), gone)
    assert [told.replace("c alone", "a alone") for told in made.lost] == lost
    assert made.information == ("removed" if lost else "kept")


def test_a_role_that_hands_to_nobody_by_name_takes_what_it_sees_with_it() -> None:
    made = removal(_ground(roles=(_role("a", "", "x"), _role("lead"))), ["a"])
    assert made.information == "removed" and "hands to nobody" in made.lost[0]
    assert removal(_ground(roles=(_role("a"), _role("lead"))), ["a"]).information == "kept"  # it has nothing to hand on


def test_a_pass_through_calls_no_tool_so_what_only_it_may_call_is_removed() -> None:
    replaced = singles(_ground(), ["a", "c"], ("replace",))
    assert [one.information for one in replaced] == ["removed", "kept"] and "look" in replaced[0].lost[0]


def test_a_mend_gives_what_the_contracts_owe_and_without_them_what_those_before_may_see() -> None:
    owed = singles(_ground(("a", "b", "z sum"), ("b", "lead", "y")), ["b"], ("mend",))[0].changes[0]
    assert (owed.receives, owed.hands) == (("z",), ("y",))
    free = singles(_ground(), ["b", "lead"], ("mend",))
    assert [(one.changes[0].receives, one.changes[0].hands) for one in free] == [(("x",), ("y",)), (("x", "y"), ())]
    assert singles(_ground(), ["c"], ("mend",))[0].refused.endswith("nothing to put right")


def test_in_a_graph_only_facts_that_are_keys_of_its_state_can_be_mended_and_a_pass_through_is_a_removal() -> None:
    ground = _ground(way="graph", state=("x", "other"))
    made = {one.kind: one for one in singles(ground, ["b"], ("remove", "replace", "mend"))}
    assert made["mend"].changes[0].receives == ("x",) and made["replace"].refused and not made["remove"].refused
    assert singles(_ground(way="graph"), ["b"], ("mend",))[0].refused


def test_what_only_the_removed_node_called_goes_with_it() -> None:
    made = removal(_ground(way="graph"), ["b"])
    assert with_tools(made, {"b": {"book", "look"}, "a": {"look"}}).lost == ("what book would tell or do: only b called it",)
    assert with_tools(made, {"a": {"look"}}) == made


def test_pairs_and_coalitions_are_every_one_of_them() -> None:
    assert [one.setup for one in pairs(_ground(), ["a", "b", "c"])] == ["team - a - b", "team - a - c", "team - b - c"]
    made = groups(_ground(), ["a", "b"])
    assert {"".join(sorted(stay)): one.setup if one else "team" for stay, one in made.items()} == {
        "": "team - a - b",
        "a": "team - b",
        "b": "team - a",
        "ab": "team",
    }
    assert removal(_ground(), ["c"]).information == variants.KEPT
