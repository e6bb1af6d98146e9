"""The conversation with a simulated user: one message each, a reason for every end, no stop before the agent has acted."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.case import Brief, Scene
from fairtrial.records.dialogue import Dialogue
from fairtrial.records.trial import Ending
from fairtrial.trials.desk import SyncDesk, TrialDesk
from fairtrial.trials.talk import Talk
from tests.trials.test_desk import floor_of


class Stand:
    """A desk at which a user listens. `say` gives the reply; `ended` how the dialogue ended so far."""

    def __init__(self, **user: Any) -> None:
        self.floor = floor_of(Scene(state={}))
        self.talk = Talk(user, self.floor.recorder, self.floor.meter)
        self.floor.talk = self.talk
        self.desk = SyncDesk(self.floor)

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


def test_only_what_the_user_may_see_decides() -> None:
    stand = Stand(sees=["reply"], script=[{"when": {"card": "orders"}, "message": "The first."}, "Which?"])
    assert stand.say("Here", ui_card="orders") == "Which?"


def test_a_dialogue_has_a_turn_limit_that_counts_pairs() -> None:
    stand = Stand(style="silent", max_turns=3)
    assert [stand.say("Hello?") for _ in range(4)] == ["", "", None, None]
    ended = stand.close()
    assert (ended.ended, ended.turns) == ("turn_limit", 3)


def test_an_agent_that_leaves_first_is_named() -> None:
    stand = Stand(script=["a", "b"])
    stand.say("Hello")
    assert stand.close().ended == "agent_ended"
    assert stand.close(Ending.AGENT_ERROR).ended == "agent_error"


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
    assert "assistant" in stand.talk.broken and stand.close().ended == "simulator_fault"
    assert not any("think" in text or "59.90" in text for text in stand.heard())
