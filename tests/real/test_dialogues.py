"""Recorded dialogues played again, the user's side as a script: nobody is cut short, and a stop waits for what is pending."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fairtrial.records.case import Scene
from fairtrial.records.strictjson import loads
from fairtrial.records.text import read_text
from fairtrial.records.trial import Ending
from fairtrial.trials.talk import Talk
from tests.real.tau2_replay import STOP, recorded_words
from tests.trials.test_desk import floor_of

AGREES = re.compile(r"(?:yes|sure)\b", re.IGNORECASE)


class Played(NamedTuple):
    """The words of a recorded dialogue by side, and how it went here: what was heard, how it ended, whether its stop was put off."""

    agent: list[str]
    user: list[str]
    heard: list[str]
    ended: str
    put_off: bool

    @property
    def stops(self) -> bool:
        return STOP.search(self.user[-1]) is not None


def play(messages: list[dict[str, Any]]) -> Played:
    """What goes with a call is said to nobody. The user's first message is the task, the others are the script."""
    said = [m for m in messages if m["role"] in ("user", "assistant") and m["content"] and not m.get("tool_calls")]
    first = next(place for place, message in enumerate(said) if message["role"] == "user")
    user, agent = ([m["content"] for m in said[first:] if m["role"] == role] for role in ("user", "assistant"))
    talk = Talk(floor_of(Scene(user={"script": user[1:], "max_turns": len(said)})), None)
    replies = [talk.hear({"text": text}, None) for text in agent]
    heard = [recorded_words(reply) for reply in replies if isinstance(reply, str)]
    ended = talk.close(Ending.FINISHED).ended
    return Played(agent, user, heard, ended, put_off=ended == "agent_ended" and bool(STOP.search(user[-1])))


def dialogues(shared: Path) -> Iterator[list[dict[str, Any]]]:
    for file in sorted((shared / "data" / "tau2_versions" / "runs").glob("*.json")):
        yield from (simulation["messages"] for simulation in loads(read_text(file))["simulations"])
    for file in sorted((shared / "data" / "taubench_airline_gpt4o").glob("*.json")):
        yield from (run["traj"] for run in loads(read_text(file)))


@pytest.fixture(scope="module")
def played(shared: Path) -> list[Played]:
    found = [play(messages) for messages in dialogues(shared)]
    if not found:
        pytest.skip("needs recorded dialogues, and the shared data has none")
    return found


def test_no_recorded_user_is_taken_for_anybody_else(played: list[Played]) -> None:
    assert sum(one.ended == "simulator_fault" for one in played) <= 0.01 * len(played)


def test_what_a_user_said_before_the_end_is_heard_word_for_word(played: list[Played]) -> None:
    whole = [[recorded_words(text) for text in one.user[1:]] for one in played]
    cut = [one for one, said in zip(played, whole, strict=True) if one.heard[: len(said) - 1] != said[:-1]]
    assert len(cut) <= 0.01 * len(played)


def test_most_stops_are_heard_at_once(played: list[Played]) -> None:
    stops = [one for one in played if one.stops]
    assert sum(one.put_off for one in stops) <= 0.15 * len(stops)


def test_a_yes_and_a_stop_in_one_breath_wait_for_the_agent(played: list[Played]) -> None:
    hasty = [one for one in played if one.stops and AGREES.match(one.user[-1]) and "?" in one.agent[-1][-200:]]
    assert hasty
    assert all(one.put_off for one in hasty)
