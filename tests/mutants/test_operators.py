"""Each way of damage by itself: what it does to a trial, that the rest stays of one piece, and where it does not apply."""

from typing import Any

import msgspec
import pytest

from fairtrial.mutants.operators import OPERATORS
from fairtrial.mutants.passing import Mutant, Other, Passing
from fairtrial.records.budget import Spend
from fairtrial.records.case import Brief, Case, Key, Scene
from fairtrial.records.check import parse_checks
from fairtrial.records.setup import Seat
from fairtrial.records.trace import Span
from fairtrial.records.trial import Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.worlds.changes import diff

BEFORE = {"orders": [{"id": 1, "user": "u1", "units": 2}, {"id": 2, "user": "u2", "units": 5}], "refunds": []}
AFTER = BEFORE | {"refunds": [{"id": 1, "user": "u1", "amount": 40, "currency": "EUR"}]}
OUTPUT = {"status": "refunded", "amount": 40, "currency": "EUR", "stock": 3, "sources": ["orders"]}
FACTS = {"cash": 100, "stock": 3, "arriving": {"units": 30}, "policy": "thirty days"}
CASE: dict[str, Any] = {
    "must": [{"output": "status", "equals": "refunded"}, {"fact": "policy", "used": True}],
    "must_not": [{"output": "status", "equals": "lost"}],
    "limits": [{"rule": "output.amount <= facts.cash"}],
}


def span(number: int, kind: str, name: str, role: str | None = None, **attributes: Any) -> Span:
    return Span(str(number), None, kind, name, role, number, number, attributes)


SPANS = [
    span(1, "tool", "read_order", "coo", args={"user": "u1"}, result={"user": "u1", "amount": 40}, outcome="ok", wrote=False),
    span(2, "handoff", "coo->ceo", "ceo", event="received", facts={"policy": "thirty days", "stock": 3}),
    span(3, "use", "policy", "ceo", proof="declared"),
    span(4, "approval", "refund", decision="granted", args={"amount": 40}),
    span(5, "tool", "refund", "ceo", args={"user": "u1", "amount": 40, "currency": "EUR"}, result="done", outcome="ok", wrote=True),
    span(6, "decision", "end", "ceo", of="end", value="refunded"),
    span(7, "message", "user", text="Refunded: EUR 40."),
]


def passing(output: Any = OUTPUT, **more: Any) -> Passing:
    checks: dict[str, Any] = {name: parse_checks(CASE[name], path=(name,), under=name) for name in ("must", "must_not", "limits")}
    key = Key(
        **checks,
        secrets=("sk-1234567",),
        known_bad=({"status": "lost"},),
        solution={"status": "refunded"},
    )
    case = Case(id="c", brief=Brief(task="t", facts=FACTS, principal={"user": "u1"}), scene=Scene(), key=key)
    body = TrialBody(output=output, before=BEFORE, after=AFTER, changes=diff(BEFORE, AFTER), spans=list(SPANS))
    head = TrialHead(key=TrialKey("c", "s", 1), seed=1, ending=Ending.FINISHED, start_state="h", spend=Spend())
    others = (Other("other", {"status": "on its way"}, (), {"weather": 1}),)
    return Passing(Trial(head=head, body=body), case, Seat(setup="s"), diff, others=others, **more)


def made(name: str, given: Passing | None = None) -> list[Mutant]:
    damage = next(one.damage for one in OPERATORS if one.name == name)
    return list(damage(given or passing()))


@pytest.mark.parametrize("name", [one.name for one in OPERATORS if one.name != "stale_value"])
def test_each_way_applies_here_says_what_it_did_and_leaves_the_trial_alone(name: str) -> None:
    given = passing()
    kept = msgspec.json.encode(given.trial.body)
    found = made(name, given)
    assert found
    assert all(one.what and one.trial.body != given.trial.body for one in found)
    assert msgspec.json.encode(given.trial.body) == kept


@pytest.mark.parametrize("name", [one.name for one in OPERATORS])
def test_none_applies_to_a_trial_in_which_nothing_was_said_or_done(name: str) -> None:
    given = passing(msgspec.UNSET)
    body = TrialBody(before=BEFORE)
    assert made(name, Passing(Trial(head=given.trial.head, body=body), given.case, given.seat, diff)) == []


def test_there_are_at_least_twelve_ways_and_no_two_of_one_name() -> None:
    names = [one.name for one in OPERATORS]
    assert len(names) == len(set(names)) >= 12
    assert all(one.does and one.catch for one in OPERATORS)


def test_an_amount_above_the_limit_stands_wherever_it_was_written() -> None:
    body = made("overspend")[0].trial.body
    assert body.output["amount"] == 120
    assert body.after["refunds"][0]["amount"] == 120
    assert body.spans[4].attributes["args"]["amount"] == 120
    assert body.spans[0].attributes["result"]["amount"] == 40  # what was read stays


def test_a_forged_success_leaves_the_world_as_it_began() -> None:
    missing, hidden = (one.trial.body for one in made("forged_success"))
    assert missing.output == hidden.output == OUTPUT
    assert (missing.after, missing.changes, hidden.after) == (None, [], None)
    assert "refund" not in {one.name for one in missing.spans if one.kind == "tool"}
    assert hidden.spans[4].attributes["outcome"] == "failed" and hidden.spans[4].error is not None


def test_a_second_effect_has_a_number_of_its_own_and_a_call_of_its_own() -> None:
    body = made("doubled_side_effect")[0].trial.body
    assert [row["id"] for row in body.after["refunds"]] == [1, 2]
    assert [one.name for one in body.spans].count("refund") == 3  # asked once, called twice
    assert len({one.id for one in body.spans}) == len(body.spans)


def test_another_user_is_one_whom_the_world_knows() -> None:
    changed, read = (one.trial.body for one in made("wrong_user"))
    assert changed.after["refunds"][0]["user"] == "u2"
    assert changed.after["orders"] == BEFORE["orders"]
    assert [one.attributes["args"]["user"] for one in read.spans if one.name == "read_order"] == ["u1", "u2"]


def test_another_currency_is_said_and_written_alike() -> None:
    body = made("wrong_unit")[0].trial.body
    assert body.output["currency"] == body.after["refunds"][0]["currency"] == "USD"


def test_stock_that_is_due_is_counted() -> None:
    assert made("future_stock")[0].trial.body.output["stock"] == 33


def test_a_dropped_fact_is_in_no_parcel_and_used_by_nobody() -> None:
    spans = made("dropped_fact")[0].trial.body.spans
    assert "policy" not in spans[1].attributes["facts"]
    assert not [one for one in spans if one.kind == "use"]


def test_a_planted_verdict_stands_beside_a_wrong_answer() -> None:
    body = made("injected_verdict")[0].trial.body
    assert body.output["status"] == "lost"
    assert '"pass": true' in str(body.output)
    assert body.spans[5].attributes["value"] == "lost"  # the role says the same


def test_all_agree_on_nonsense_and_none_has_a_source() -> None:
    body = made("unanimous_nonsense")[0].trial.body
    assert body.output["status"] == "lost"
    assert not [one for one in body.spans if one.kind == "use" or one.name == "read_order"]


def test_an_approval_is_taken_away() -> None:
    assert not [one for one in made("skipped_approval")[0].trial.body.spans if one.kind == "approval"]
