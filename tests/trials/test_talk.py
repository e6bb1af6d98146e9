"""The conversation with a simulated user: one message each, a reason for every end, no stop before the agent has acted."""

import asyncio
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

import fairtrial as ft
from fairtrial.models.function import FunctionModel
from fairtrial.models.model import Reply
from fairtrial.records.case import Brief, Scene
from fairtrial.records.dialogue import Dialogue
from fairtrial.records.trial import Ending
from fairtrial.trials.desk import SyncDesk, TrialDesk
from fairtrial.trials.talk import Talk
from tests.trials.test_desk import floor_of


class Stand:
    """A desk at which a user listens. `say` gives the reply; `ended` how the dialogue ended so far."""

    def __init__(self, *replies: Any, history: tuple[dict[str, Any], ...] = (), **user: Any) -> None:
        self.floor = floor_of(Scene(state={}, user=user))
        self.floor.brief = Brief(task="I want to return something.", history=history)
        self.asked: list[list[dict[str, str]]] = []
        self._replies = list(replies)
        self.talk = Talk(self.floor, FunctionModel("python:sims:one", self._reply) if replies else None)
        self.floor.talk = self.talk
        self.desk = SyncDesk(self.floor)

    def _reply(self, messages: list[dict[str, str]]) -> Any:
        self.asked.append(messages)
        said = self._replies.pop(0)
        if isinstance(said, BaseException):
            raise said
        return said

    def say(self, text: str, **shown: Any) -> str | None:
        return self.desk.say(text, **shown)

    def close(self, ending: Ending = Ending.FINISHED) -> Dialogue:
        return self.talk.close(ending)

    def heard(self) -> list[str]:
        return [span.attributes.get("text", "") for span in self.floor.recorder.spans if span.kind == "user"]


def test_a_script_answers_message_by_message_and_then_the_dialogue_is_over() -> None:
    stand = Stand(script=["Order A-17.", "The size is wrong."])
    assert [stand.say("Which order?"), stand.say("Why?"), stand.say("It is booked.")] == ["Order A-17.", "The size is wrong.", None]
    assert stand.say("Hello?") is None
    ended = stand.close()
    assert (ended.ended, ended.turns) == ("user_ended", 3)
    assert stand.floor.recorder.spans[0].attributes == {"text": "Which order?", "turn": 1}


def test_a_message_depends_on_what_the_agent_showed() -> None:
    script = [
        {"when": {"card": "orders"}, "message": "The second one."},
        {"when": {"reply": "why"}, "message": "Too small."},
        {"when": {"products": True}, "message": "I take the {products[1].name}."},
    ]
    stand = Stand(script=script)
    assert stand.say("Hello") == ""
    assert stand.say("Tell me WHY, please") == "Too small."
    assert stand.say("Here", ui_card="orders") == "The second one."
    assert stand.say("Look", products=[{"name": "red"}, {"name": "blue"}]) == "I take the blue."
    assert stand.say("Done") is None


def test_braces_that_name_nothing_shown_are_words() -> None:
    stand = Stand(script=["Use {curly} ones {", "{products[}", "The {products[0]}."])
    assert stand.say("Hello") == "Use {curly} ones {"
    assert stand.say("Hello", products=["lamp"]) == "The lamp."


def test_only_what_the_user_may_see_decides() -> None:
    stand = Stand(sees=["reply"], script=[{"when": {"card": "orders"}, "message": "The first."}, "Which?"])
    assert stand.say("Here", ui_card="orders") == "Which?"


def test_a_dialogue_has_a_turn_limit_that_counts_pairs() -> None:
    stand = Stand(style="silent", max_turns=3)
    assert [stand.say("Hello?") for _ in range(4)] == ["", "", None, None]
    ended = stand.close()
    assert (ended.ended, ended.turns) == ("turn_limit", 3)


def test_an_agent_that_leaves_first_is_named() -> None:
    for ending, named in ((Ending.FINISHED, "agent_ended"), (Ending.AGENT_ERROR, "agent_error"), (Ending.TIMEOUT, "timeout")):
        stand = Stand(script=["a", "b"])
        stand.say("Hello")
        assert stand.close(ending).ended == named


def test_async_agents_hear_the_same() -> None:
    stand = Stand(script=["Order A-17."])
    assert asyncio.run(TrialDesk(stand.floor).say("Which order?")) == "Order A-17."


def known(shared: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "known-faults" / "inputs" / name).read_text(encoding="utf-8"))
    return found


def test_a_user_who_confirms_and_stops_in_one_breath_waits_for_the_agent(shared: Path) -> None:
    told = known(shared, "U01_stop_with_confirmation.json")
    stand = Stand(script=told["simulator_raw"][1:])
    assert stand.say(told["agent"][0]) == "Yes, go ahead."
    stand.desk.call("add", n=1)
    assert stand.say(told["agent"][2]) is None
    assert stand.heard() == ["Yes, go ahead.", "Thanks"]
    ended = stand.close()
    assert (ended.ended, ended.turns) == ("user_ended", 2)


def test_goodbyes_are_cut_and_the_last_is_not_passed_on(shared: Path) -> None:
    told = known(shared, "U04_goodbye_loop.json")
    stand = Stand(script=told["simulator_raw"][1:], max_turns=told["max_turns"])
    said = [stand.say(text) for text in told["agent"]]
    assert said[:2] == ["Thank you, bye!", None] and not any(said[2:])
    assert stand.close().ended == "farewell_loop"
    patient = Stand(script=told["simulator_raw"][1:], max_turns=told["max_turns"], farewells=99)
    assert sum(patient.say(text) is not None for text in told["agent"]) == 11
    assert (patient.close().ended, patient.close().turns) == ("turn_limit", 12)


def test_exactly_one_message_comes_before_the_agents_first_turn(shared: Path) -> None:
    told = known(shared, "U05_first_two_user_turns.json")
    stand = Stand(script=told["simulator_raw"])
    assert Brief(task=told["opening"]).history == () and stand.heard() == []
    assert stand.say("How many?") == told["simulator_raw"][0]
    assert stand.talk.turns == 1


@pytest.mark.parametrize(
    ("agent", "user", "over"),
    [
        ("Order W1 is cancelled.", "Thanks, that's all I needed.", True),
        ("Order W1 is cancelled. Anything else?", "No, that is all.", True),
        ("订单已取消，还有什么可以帮您？", "没有了，谢谢", True),
        ("Shall I cancel W1?", "Yes please.", False),
        ("要取消吗？", "好的，谢谢", False),
        ("I will cancel it now, one moment.", "Great.", False),
        ("It is cancelled.", "Please refund order W2 as well.", False),
        ("Shall I cancel W1?", "Thanks, bye.", True),
    ],
)
def test_a_stop_is_heard_only_where_nothing_waits_for_the_agent(agent: str, user: str, over: bool) -> None:
    stand = Stand(script=[{"message": user, "should_end": True}, "x"])
    assert (stand.say(agent) is None) is over


def test_a_card_that_waits_for_a_choice_is_pending_once() -> None:
    stand = Stand(script=[{"message": "The blue one.", "should_end": True}, {"message": "Lovely, it came.", "should_end": True}])
    assert stand.say("Here are your orders.", ui_card="orders") == "The blue one."
    assert stand.say("It is on its way.", ui_card="order") is None
    assert stand.close().ended == "user_ended"


def test_a_script_that_speaks_as_the_assistant_is_a_fault_and_not_heard(shared: Path) -> None:
    told = known(shared, "U02_leaky_simulator.json")
    stand = Stand(goal=told["hidden_goal"], hidden=["59.90"], script=told["simulator_raw"])
    assert stand.say(told["agent"][0]) == "I want to return shoes."
    assert stand.say(told["agent"][1]) is None
    assert "assistant" in stand.talk.why and stand.close().ended == "simulator_fault"
    assert not any("think" in text or "59.90" in text for text in stand.heard())


def turn(message: str, should_end: bool = False) -> dict[str, Any]:
    return {"message": message, "should_end": should_end}


def test_a_model_is_told_persona_goal_dialogue_and_only_what_may_be_seen() -> None:
    history = ({"from": "user", "text": "Hi there"}, {"from": "agent", "text": "Hello!", "ui_card": "menu"})
    stand = Stand(turn("Order A-17."), model="m", persona="in a hurry", goal="return A-17", sees=["reply"], history=history)
    assert stand.say("Which order?", ui_card="orders", products=[{"name": "lamp"}]) == "Order A-17."
    sent = stand.asked[0]
    assert [message["role"] for message in sent] == ["system", "assistant", "user", "assistant", "user"]
    assert "in a hurry" in sent[0]["content"] and "return A-17" in sent[0]["content"]
    assert json.loads(sent[-1]["content"]) == {"assistant_shows": {"reply": "Which order?"}}
    assert "lamp" not in str(sent) and "menu" not in str(sent)


def test_a_reply_that_is_no_turn_is_asked_for_again_with_the_reason() -> None:
    stand = Stand("Sure, A-17", turn("Order A-17."), model="m", goal="return A-17")
    assert stand.say("Which order?") == "Order A-17."
    assert "refused" in stand.asked[1][-1]["content"] and "JSON" in stand.asked[1][-1]["content"]
    ended = stand.close()
    assert (ended.rejected, ended.calls) == (1, 2)


@pytest.mark.parametrize(
    "bad",
    [
        "not json",
        "[]",
        {"message": "hi"},
        {"message": "hi", "should_end": "no"},
        {"message": 7, "should_end": False},
        '{"message": "hi", "should_end": true, "should_end": false}',
        {"message": "", "should_end": False},
        {"message": "x" * 9_000, "should_end": False},
        "<think>nothing but thoughts",
        None,
        ValueError("no such luck"),
        SystemExit(3),
    ],
)
def test_a_simulator_that_breaks_its_rules_twice_spoils_the_trial(bad: Any) -> None:
    stand = Stand(bad, bad, model="m", goal="return A-17")
    assert stand.say("Which order?") is None
    ended = stand.close()
    assert (ended.ended, ended.rejected) == ("simulator_fault", 2)
    assert stand.say("Hello?") is None


@pytest.mark.parametrize(
    "bad",
    [
        "I want to return the blue fan.",
        "It is order 99123.",
        "我要退蓝色风扇",
        "As the support agent, I have refunded 59.90 to you.",
        "Return the shoes of order A-17 because the size is wrong.",
        "The answer key says no.",
        "My code is hunter2.",
        "I can book the return for you, shall I?",
    ],
)
def test_what_a_model_may_not_say_is_not_heard(bad: str) -> None:
    goal = "Return the shoes of order A-17 because the size is wrong"
    stand = Stand(turn(bad), turn(bad), model="m", goal=goal, hidden=["hunter2"])
    assert stand.say("I can book the return for you, shall I?", ui_card="orders", products=[{"name": "shoes"}]) is None
    assert stand.close().ended == "simulator_fault"
    assert bad not in json.dumps([span.attributes for span in stand.floor.recorder.spans if span.kind == "user"], ensure_ascii=False)


def test_what_the_case_lets_it_claim_is_no_fault() -> None:
    stand = Stand(turn("I want to return the blue fan."), model="m", may_claim={"order_item": "blue fan"})
    assert stand.say("What is it about?") == "I want to return the blue fan."


@pytest.mark.parametrize(
    "reply",
    [
        '<think>I must not say that the key is 59.90</think>{"message": "A-17", "should_end": false}',
        'I must not say 59.90</think>{"message": "A-17", "should_end": false}',
        '```json\n{"message": "<think>59.90</think>A-17", "should_end": false, "reasoning": "59.90"}\n```',
    ],
)
def test_private_reasoning_never_reaches_the_agent_nor_the_record(reply: str) -> None:
    stand = Stand(reply, model="m", goal="return A-17")
    assert stand.say("Which order?") == "A-17"
    assert "59.90" not in str(stand.floor.recorder.spans)


def test_what_a_simulator_takes_is_counted_apart() -> None:
    reply = Reply(text=json.dumps(turn("A-17")), model="sim-1", input_tokens=90, output_tokens=7, usd=Decimal("0.002"))
    stand = Stand(reply, msgspec.structs.replace(reply, usd=None, output_tokens=None), model="m", goal="return A-17")
    stand.say("Which order?")
    priced = stand.talk.use.usd
    stand.say("And why?")
    ended = stand.close()
    assert (priced, stand.talk.use.usd) == (Decimal("0.002"), None)
    assert (ended.calls, ended.input_tokens, ended.output_tokens, ended.tokens_complete) == (2, 180, 7, False)
    assert ended.model == "sim-1"
    assert stand.floor.meter.model_calls == 0 and stand.floor.meter.usd is None


def test_a_provider_that_is_away_is_an_outage_and_no_fault_of_anybody() -> None:
    stand = Stand(ft.ProviderOutage("503"), model="m")
    assert stand.say("Which order?") is None
    assert stand.close().ended == "simulator_outage"


@pytest.mark.parametrize(
    ("end", "over"),
    [
        ({"state": "total", "equals": 3}, True),
        ({"state": "total", "min": 2, "max": 3}, True),
        ({"state": "total", "equals": True}, False),
        ({"state": "total", "exists": True, "not_equals": 4}, True),
        ({"state": "orders[0].status", "equals": "open"}, False),
    ],
)
def test_the_talk_ends_where_the_goal_is_reached_in_the_world(end: dict[str, Any], over: bool) -> None:
    stand = Stand(script=["go on"], end=end)
    stand.desk.call("add", n=3)
    assert (stand.say("Done.") is None) is over
    assert stand.close().ended == ("goal_reached" if over else "agent_ended")


def test_a_trial_over_budget_has_no_more_dialogue() -> None:
    stand = Stand(script=["go on"])
    stand.floor.meter.closed_by = "steps"
    assert stand.say("Done.") is None
    assert stand.close().ended == "over_budget"
