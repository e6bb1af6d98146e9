"""A fair match: the same facts, tools, rights and budget, whoever holds them."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.fairness import audit, concerns, notes
from fairtrial.records.budget import Budget
from fairtrial.records.setup import RoleSeat, Seat


def seat(setup: str, **fields: Any) -> Seat:
    return Seat(setup=setup, **{"tools": {"read": "1", "order": "2"}, "budget": Budget(usd=Decimal("0.12")), **fields})


def role(name: str, **fields: Any) -> RoleSeat:
    return RoleSeat(name=name, **fields)


def test_equal_seats_are_a_fair_match() -> None:
    assert audit([seat("single"), seat("retry"), seat("team", roles=(role("coo"), role("ceo")))], ["sales", "stock"]) == []


def test_what_one_role_lacks_another_may_have() -> None:
    roles = (role("coo", sees=("sales", "stock"), tools=("read",)), role("cfo", sees=("cash",), tools=("order",)))
    assert audit([seat("single"), seat("team", roles=roles)], ["sales", "stock", "cash"]) == []


def test_a_fact_that_no_role_sees_is_named_with_both_sides() -> None:
    roles = (role("coo", sees=("sales",)), role("ceo", sees=()))
    found = audit([seat("single"), seat("team", roles=roles)], ["sales", "stock"])
    assert found == ["facts: [single] sees stock; [team] does not see stock"]


def test_a_fact_bound_to_a_role_is_seen_where_that_role_sees_it() -> None:
    facts = {"stock": ["coo"], "sales": []}
    blind = seat("team", roles=(role("coo", sees=("sales",)), role("ceo")))
    assert audit([seat("single"), blind], facts) == ["facts: [single] sees stock; [team] does not see stock"]
    assert audit([seat("single"), seat("team", roles=(role("coo"), role("ceo", sees=())))], facts) == []
    assert audit([seat("single"), seat("team", roles=(role("cmo", sees=("stock", "sales")),))], facts) == []


def test_a_setup_narrowed_to_some_facts_is_unfair_even_where_the_names_are_not_known() -> None:
    assert audit([seat("single"), seat("poor", facts=("sales",))], ["sales", "stock"]) == [
        "facts: [single] sees stock; [poor] does not see stock"
    ]
    assert audit([seat("single"), seat("poor", facts=("sales",))]) == ["facts: [single] sees facts (all); [poor] sees facts (sales)"]


def test_a_missing_tool_and_another_schema_are_two_differences() -> None:
    found = audit([seat("single"), seat("team", tools={"read": "9"})])
    assert found == ["tools: [single] has order (2); [team] does not have order", "tools: [single] has read (1); [team] has read (9)"]


def test_a_tool_that_no_role_may_call_is_missing() -> None:
    found = audit([seat("single"), seat("team", roles=(role("coo", tools=("read",)),))])
    assert found == ["tools: [single] has order (2); [team] does not have order"]


def test_rights_are_the_flags_and_not_who_of_a_team_holds_them() -> None:
    same = seat("team", roles=(role("coo"), role("ceo")), rights={"order": ("irreversible", "ceo"), "read": ("coo", "ceo")})
    assert audit([seat("single", rights={"order": ("irreversible",), "read": ()}), same]) == []
    found = audit([seat("single", rights={"order": ("approval",)}), seat("team", rights={"order": ()})])
    assert found == ["rights: [single] may call order (approval); [team] may call order (no mark)"]


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (Budget(usd=Decimal("0.24")), "budget: [single] has usd (0.12); [team] has usd (0.24)"),
        (Budget(), "budget: [single] has usd (0.12); [team] has no usd"),
    ],
)
def test_another_budget_is_named_with_both_values(budget: Budget, told: str) -> None:
    assert audit([seat("single"), seat("team", budget=budget)]) == [told]


def test_one_amount_written_in_two_ways_is_one_budget() -> None:
    one, two = Budget(usd=Decimal("0.12"), seconds=60), Budget(usd=Decimal("0.120"), seconds=60.0)
    assert audit([seat("single", budget=one), seat("team", budget=two)]) == []


def test_setups_that_hold_the_same_stand_together() -> None:
    found = audit([seat("single"), seat("team", budget=Budget()), seat("retry")])
    assert found == ["budget: [single, retry] has usd (0.12); [team] has no usd"]
    assert concerns(found[0], "single", "team")
    assert concerns(found[0], "team", "retry")
    assert not concerns(found[0], "single", "retry")
    assert not concerns(found[0], "single", "other")


def test_another_model_is_a_note_and_no_unfairness() -> None:
    pair = [seat("single", versions={"model": "m-1"}), seat("team", versions={"model": "m-2", "prompt": "p1"})]
    assert audit(pair) == []
    assert notes(pair) == [
        "versions: [single] states model (m-1); [team] states model (m-2)",
        "versions: [single] does not state prompt; [team] states prompt (p1)",
    ]


NAMES = st.frozensets(st.sampled_from("abcd"), max_size=4)


@given(NAMES, NAMES, NAMES, NAMES)
def test_a_match_is_fair_exactly_when_both_hold_the_same(
    facts_1: frozenset[str], facts_2: frozenset[str], tools_1: frozenset[str], tools_2: frozenset[str]
) -> None:
    one = seat("one", facts=tuple(facts_1), tools=dict.fromkeys(tools_1, "s"))
    two = seat("two", roles=(role("x", sees=tuple(facts_2)),), tools=dict.fromkeys(tools_2, "s"))
    found = audit([one, two], "abcd")
    assert (found == []) == (facts_1 == facts_2 and tools_1 == tools_2)
    assert len(found) == len(facts_1 ^ facts_2) + len(tools_1 ^ tools_2)
    assert all(concerns(told, "one", "two") for told in found)
