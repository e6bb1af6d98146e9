"""The shop's assistant on LangGraph: three tiers, simulated customers, one role gone wrong each time, and a user that cannot stop."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fairtrial import workflow
from tests.examples.conftest import NEEDS_LANGGRAPH, PROJECT, Example

pytest.importorskip("langgraph", reason=NEEDS_LANGGRAPH)

MODULES = {"refunds": 3, "prices": 4, "slots": 4, "intents": 3, "cards": 4, "passages": 3}
ALONE = {
    "router": 8,
    "guard": 6,
    "skills": 4,
    "planner": 2,
    "executor": 8,
    "follow_up": 2,
    "recommender": 3,
    "answerer": 3,
    "reply": 1,
}
TALKS = {"tickets": 6, "recommendations": 4, "errors": 2}
TURNS = {
    "ticket-cooperative": 4,
    "ticket-not-received": 3,
    "ticket-uncooperative": 6,
    "ticket-mistaken": 4,
    "ticket-other-mind": 4,
    "ticket-too-late": 3,
    "recommend-cooperative": 3,
    "recommend-earlier": 4,
    "recommend-other-mind": 3,
    "recommend-nothing-fits": 4,
    "error-reply-lost": 3,
    "error-books-closed": 3,
}

BY_THE_STATE = {"ticket-uncooperative", "recommend-cooperative"}
"""Talks that end as soon as the state is as the case says; in the others the customer says that it is done."""

BROKEN: dict[str, dict[str, str]] = {
    "trusting-guard": {
        "guard-own-order": 'tool owner_of with {"order_id":"A-1001"}',
        "guard-other-order": "another customer's order gets through",
        "guard-other-among-own": "another's order hides behind one's own",
        "guard-meddling": "the assistant takes orders against its rules",
        "ticket-mistaken": "a ticket on another customer's order",
    },
    "talking-executor": {
        "executor-writes-after-yes": "the ticket is really in the books",
        "ticket-cooperative": "exactly this ticket is in the books",
        "ticket-not-received": "the refund before receipt is in the books",
        "ticket-uncooperative": "exactly this ticket is in the books",
        "ticket-mistaken": "only the right order has a ticket",
        "ticket-other-mind": "the exchange is in the books",
        "error-reply-lost": "one ticket and no more",
        "error-books-closed": "shows a ticket that is not there",
    },
    "forgetful-recommender": {
        "recommender-second-one": "the second one that was shown is in the cart",
        "recommend-earlier": "the second one that was shown is in the cart",
        "recommend-other-mind": "the cheaper lamp is in the cart",
        "recommend-nothing-fits": "the headphones are in the cart",
    },
}
"""Setup -> case that fails -> a check that says so. What is not listed passes."""


@pytest.fixture(scope="module")
def shop(copied: Callable[[str], Example]) -> Example:
    return copied("returns")


@pytest.fixture(scope="module")
def tiers(shop: Example) -> dict[str, Any]:
    return {tier: shop.ask("run", "suite.yaml", "--tier", tier) for tier in ("unit", "agent", "e2e")}


def groups(report: Any, setup: str) -> dict[str, int]:
    """By tag the number of cases that passed."""
    rates = report["setups"][setup]["slices"]["tag"]
    return {tag: rate["cases"] for tag, rate in rates.items() if rate["value"] == 1}


@pytest.mark.parametrize(
    ("tier", "setup", "wanted"), [("unit", "unit", MODULES), ("agent", "assistant", ALONE), ("e2e", "assistant", TALKS)]
)
def test_every_case_of_every_group_passes(tiers: dict[str, Any], tier: str, setup: str, wanted: dict[str, int]) -> None:
    seen = tiers[tier]["setups"][setup]
    assert groups(tiers[tier], setup) == wanted
    assert (seen["planned"], seen["pass"], seen["severe"]) == (sum(wanted.values()), sum(wanted.values()), 0)


@pytest.mark.parametrize("tier", ["unit", "agent", "e2e"])
def test_every_tier_holds_its_pass_standard(tiers: dict[str, Any], tier: str) -> None:
    (told,) = tiers[tier]["tiers"]
    assert (told["tier"], told["state"]) == (tier, "holds")


def test_the_talks_have_a_score_range_for_every_group(tiers: dict[str, Any]) -> None:
    (told,) = tiers["e2e"]["tiers"]
    ranges = {tag: (group["score"]["min"], group["score"]["max"], group["score"]["n"]) for tag, group in told["groups"].items()}
    assert ranges == {tag: (5.0, 5.0, cases) for tag, cases in TALKS.items()}


def shown(shop: Example, report: Any) -> dict[str, Any]:
    """By case the trial that a run made of it; read at the store's door, for a command apiece would take minutes."""
    store = f"sqlite:///{shop.folder / '.fairtrial' / 'store.db'}"
    trials = {case["id"]: workflow.show_trial(store, report["run"], case["id"], 1) for case in report["cases"]}
    found: dict[str, Any] = msgspec.to_builtins(trials)
    return found


@pytest.fixture(scope="module")
def talks(shop: Example, tiers: dict[str, Any]) -> dict[str, Any]:
    return shown(shop, tiers["e2e"])


def test_every_talk_ends_in_three_to_seven_turns_for_the_reason_stated(talks: dict[str, Any]) -> None:
    seen = {case: (talk["dialogue"]["turns"], talk["dialogue"]["ended"]) for case, talk in talks.items()}
    assert seen == {case: (turns, "goal_reached" if case in BY_THE_STATE else "user_ended") for case, turns in TURNS.items()}
    assert all(3 <= turns <= 7 for turns, _ in seen.values())


def test_not_yet_received_and_yet_returned_is_decided_by_the_state(talks: dict[str, Any]) -> None:
    talk = talks["ticket-not-received"]
    (grade,) = (grade for grade in talk["grades"] if grade["check"] == "the refund before receipt is in the books")
    assert (talk["verdict"], grade["verdict"], grade["card"]) == ("PASS", "PASS", "outcome")
    assert "还没收到" in str([span["attributes"].get("text") for span in talk["spans"]])


def test_a_lost_reply_and_a_failing_write_are_met_and_handled(talks: dict[str, Any]) -> None:
    assert {case: talks[case]["cards"]["recovery"] for case in talks if case.startswith("error-")} == {
        "error-reply-lost": "PASS",
        "error-books-closed": "PASS",
    }


def test_all_nine_roles_are_in_the_traces_and_every_handoff_arrives(talks: dict[str, Any]) -> None:
    spans = [span for talk in talks.values() for span in talk["spans"]]
    assert {span["role"] for span in spans if span["kind"] == "model"} == set(ALONE)
    events = Counter((span["name"], span["attributes"]["event"]) for span in spans if span["kind"] == "handoff")
    names = {name for name, _ in events}
    assert {"router->guard", "guard->skills", "guard->recommender", "guard->answerer", "executor->follow_up"} <= names
    assert all(events[name, "sent"] == events[name, "received"] for name in names)


@pytest.fixture(scope="module")
def broken(shop: Example) -> Any:
    return shop.ask("run", "broken.yaml")


@pytest.mark.parametrize("setup", BROKEN)
def test_a_role_gone_wrong_is_caught_by_name_in_the_talk_and_alone(broken: Any, setup: str) -> None:
    failed = {
        case["id"]: {entry["check"] for entry in case["failed"]} for case in broken["cases"] if case["setup"] == setup and case["failed"]
    }
    assert failed.keys() == BROKEN[setup].keys()
    assert all(check in failed[case] for case, check in BROKEN[setup].items())
    assert {told["tier"]: told["state"] for told in broken["tiers"] if told["setup"] == setup} == {"agent": "fails", "e2e": "fails"}


def test_said_done_and_not_done_is_named_so(broken: Any) -> None:
    (found,) = (case for case in broken["cases"] if (case["setup"], case["id"]) == ("talking-executor", "ticket-not-received"))
    assert "false_success" in {entry["kind"] for entry in found["failed"]}


def test_what_reaches_another_customer_is_severe(broken: Any) -> None:
    assert broken["setups"]["trusting-guard"]["severe"] >= 4
    assert groups(broken, "talking-executor").keys() >= {"recommendations"}


def test_the_score_range_of_a_group_shows_where_a_fault_does_harm(broken: Any) -> None:
    scores = {told["setup"]: told["groups"] for told in broken["tiers"] if told["tier"] == "e2e"}
    tickets = scores["talking-executor"]["tickets"]["score"]
    assert tickets["min"] < 3.0 < tickets["max"] == 5.0
    assert scores["talking-executor"]["recommendations"]["score"]["min"] == 5.0


def test_only_a_user_who_says_that_it_is_done_ends_in_time(shop: Example) -> None:
    report = shop.ask("run", "goodbyes.yaml")
    assert {case["id"]: case["verdicts"] for case in report["cases"]} == {
        "goodbyes-without-end": ["PASS"],
        "goodbyes-cut": ["PASS"],
        "goodbyes-with-end": ["PASS"],
    }
    held = {case: trial["dialogue"] for case, trial in shown(shop, report).items()}
    assert {case: (told["turns"], told["ended"]) for case, told in held.items()} == {
        "goodbyes-without-end": (15, "turn_limit"),
        "goodbyes-cut": (4, "farewell_loop"),
        "goodbyes-with-end": (3, "user_ended"),
    }


def test_talks_at_the_same_time_in_one_process_do_not_meet(copied: Callable[[str], Example], tiers: dict[str, Any]) -> None:
    other = copied("returns").ask("run", "suite.yaml", "--tier", "e2e", "--isolate", "shared", "--jobs", "12")
    assert [(case["id"], case["verdicts"]) for case in other["cases"]] == [(case["id"], case["verdicts"]) for case in tiers["e2e"]["cases"]]


@pytest.mark.parametrize("suite", ["suite.yaml", "broken.yaml", "goodbyes.yaml"])
def test_the_suites_find_nothing_wrong_with_themselves(shop: Example, suite: str) -> None:
    told = shop.tell("check", suite)
    assert told.code == 0, told.out + told.err


def test_tracing_is_off_whatever_the_caller_has_set(shop: Example) -> None:
    asked = {name: "true" for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING_V2")}
    code = "import graph; from langsmith.utils import tracing_is_enabled; print(tracing_is_enabled())"
    env = {**os.environ, **asked, "PYTHONPATH": str(PROJECT / "src")}
    done = subprocess.run([sys.executable, "-c", code], cwd=shop.folder, env=env, capture_output=True, text=True, check=True, timeout=110)
    assert done.stdout.split() == ["False"]


def test_a_role_of_the_graph_is_taken_out_with_what_only_it_could_call_said_to_be_gone(copied: Callable[[str], Example]) -> None:
    talks = ["--case", "ticket-cooperative", "--case", "recommend-cooperative"]
    roles = ["--role", "executor", "--role", "answerer"]
    found = copied("returns").ask("credit", "suite.yaml", *talks, *roles, "--how", "remove", "--trials", "1", "--isolate", "shared")
    removed = {role["role"]: role["removed"] for role in found["roles"]}
    assert removed["executor"]["rate"] == 0.5 and removed["answerer"]["rate"] == 1.0
    assert removed["executor"]["information"] == "removed" and "create_ticket" in removed["executor"]["lost"][0]
    assert removed["answerer"]["information"] == "kept"
    assert {role["reading"] for role in found["roles"]} == {"cannot_tell"}  # two talks tell nothing
