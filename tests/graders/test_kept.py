"""What the store covered or cut can no longer be told: checks that lean on it are UNKNOWN, and all others decide."""

from typing import Any

import pytest

from fairtrial.graders.kept import dotted
from fairtrial.graders.paths import compile_path
from fairtrial.records.trace import Span
from tests.graders.making import FAIL, PASS, SINGLE, TEAM, UNKNOWN, Change, Tape, grade_of, make_trial

KEY = "[redacted:key]"
CUT = "cut from 2000000 bytes, sha256:0"


def _spans() -> list[Span]:
    tape = Tape().call("pay", {"card": KEY, "user": "u1"}, {"receipt": KEY}).call("pay", {"card": KEY, "user": "u1"}, flags=["outside"])
    parcel: dict[str, Any] = {"event": "received", "from": "coo", "to": "ceo", "facts": {"note": KEY}}
    tape.add("handoff", "coo->ceo", "ceo", **parcel)
    return tape.add("decision", "coo", "coo", intent=KEY).spans


ALTERED = {
    "output.token": KEY,
    "output.lines": CUT,
    "after.users.0.name": KEY,
    "after.orders": CUT,
    "spans.0.attributes.args.card": KEY,
    "spans.0.attributes.result.receipt": KEY,
    "spans.1.attributes.args.card": KEY,
    "spans.2.attributes.facts.note": KEY,
    "spans.3.attributes.intent": KEY,
}


def _trial(**more: Any) -> Any:
    state = {"users": [{"name": KEY, "age": 3}], "orders": [{"id": 1}, "… 9 items cut"], "done": True}
    output = {"token": KEY, "lines": [{"sku": "a"}, "… 9 items cut"], "total": 3}
    change = Change("done", "changed", False, True)
    return make_trial(output, _spans(), before={"done": False}, after=state, changes=[change], altered=ALTERED, **more)


UNTOLD: list[dict[str, Any]] = [
    {"output": "token", "equals": "sk-1"},
    {"output": "token", "matches": "^sk-"},
    {"output": "lines[3].sku", "equals": "d"},
    {"output": "lines[3]", "exists": True},
    {"output": "lines[-1].sku", "equals": "z"},
    {"output": "lines[*].sku", "length": 11},
    {"output": "$", "contains": "sk-1"},
    {"text": "token", "contains": "sk"},
    {"state": "users[0].name", "equals": "Ann"},
    {"state": "users[-1].name", "equals": "Ann"},
    {"state": "orders[5].id", "equals": 6},
    {"query": "SELECT count(*) FROM users WHERE name = 'Ann'", "equals": 1},
    {"rule": "output.token == 'sk-1'"},
    {"rule": "output.lines[-1].sku == 'z'"},
    {"rule": "state.users[0].name == 'Ann'"},
    {"rule": "len(state.orders) == 11"},
    {"tool": "pay", "with": {"card": "4111"}, "called": True},
    {"tool": "pay", "with": {"card": {"not_equals": "4111"}}, "called": True},
    {"tool": "pay", "result": {"receipt": "r-1"}, "called": True},
    {"fact": "cash", "used": True},
    {"fact": "cash", "received_by": "ceo"},
    {"role": "coo", "intent": "refund"},
    {"citations": "lines", "covers": ["cash"]},
    {"citations": "total", "fetched": True},
    {"command": ["true"]},
]


@pytest.mark.parametrize("check", UNTOLD)
@pytest.mark.parametrize("under", ["must", "must_not"])
def test_a_check_on_what_was_covered_or_cut_is_unknown(check: dict[str, Any], under: str) -> None:
    seat = TEAM if "fact" in check or "role" in check else SINGLE
    grade = grade_of(check, _trial(), under=under, seat=seat, facts={"cash": 10})
    assert str(grade.verdict) == UNKNOWN
    assert "changed before it was stored" in grade.why
    assert not grade.excused


@pytest.mark.parametrize(
    ("check", "more"),
    [
        ({"effect": "pay", "unique_by": ["card"]}, {}),
        ({"forbidden": {"commands": ["rm"]}}, {}),
        ({"leak": ["4[0-9]{3}"]}, {}),
        ({"leak": ["facts"]}, {"facts": {"plan": "sell all"}}),
    ],
)
def test_a_guard_that_found_nothing_in_what_was_covered_is_unknown(check: dict[str, Any], more: dict[str, Any]) -> None:
    assert str(grade_of(check, _trial(), **more).verdict) == UNKNOWN


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        ({"output": "total", "equals": 3}, PASS),
        ({"output": "total", "equals": 4}, FAIL),
        ({"state": "done", "equals": True}, PASS),
        ({"state": "users[0].age", "equals": 4}, FAIL),
        ({"rule": "output.total == 3"}, PASS),
        ({"tool": "pay", "with": {"user": "u1"}, "times": 2}, PASS),
        ({"tool": "pay", "with": {"user": "u2"}, "called": True}, FAIL),
        ({"tool": "pay", "times": 2}, PASS),
        ({"leak": ["secrets"]}, FAIL),
        ({"effect": "pay", "unique_by": ["user"]}, FAIL),
        ({"changes": {"allow": ["done"]}}, PASS),
    ],
)
def test_what_stands_beside_it_is_still_decided(check: dict[str, Any], verdict: str) -> None:
    assert str(grade_of(check, _trial()).verdict) == verdict


def test_the_end_that_was_not_kept_apart_is_the_start() -> None:
    trial = make_trial({"a": 1}, before={"users": [{"name": KEY}]}, altered={"before.users.0.name": KEY})
    assert str(grade_of({"state": "users[0].name", "equals": "Ann"}, trial).verdict) == UNKNOWN
    assert str(grade_of({"rule": "state.users[0].name == 'Ann'"}, trial).verdict) == UNKNOWN


def test_a_made_up_fact_is_not_claimed_of_covered_evidence() -> None:
    trial = make_trial({"evidence_used": [KEY]}, altered={"output.evidence_used.0": KEY})
    grade = grade_of({"output": "$", "exists": True}, trial)
    assert str(grade.verdict) == UNKNOWN


@pytest.mark.parametrize(("path", "noted"), [("a[0].b", ".a.0.b"), ("a[-1].b", ".a"), ("a[*].b", ".a"), ("$", ""), ('["a.b"]', ".a.b")])
def test_a_path_is_looked_up_as_the_store_notes_it(path: str, noted: str) -> None:
    assert dotted(compile_path(path)) == noted
