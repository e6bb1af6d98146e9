"""Recorded retail trials done again with the user at the desk: the recorded words are a script, and the agent hears them."""

from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from fairtrial.records.trial import TrialKey
from fairtrial.steps.reading import open_store
from tests.real.conftest import MakeSuite
from tests.real.tau2_replay import Recording


def with_user(case: dict[str, Any], recording: Recording) -> dict[str, Any]:
    """The case with the recorded user: the first message is the task, what the agent said before it is the conversation so far."""
    before, spoken = recording.talk(case["id"])
    user = [message["content"] for message in spoken if message["role"] == "user"]
    history = [{"from": "agent", "text": message["content"]} for message in before]
    return case | {"task": user[0], "history": history, "user": {"goal": case["task"], "script": user[1:], "max_turns": len(spoken)}}


@pytest.fixture(scope="module", params=["fork", "shared"])
def level(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def test_with_the_user_at_the_desk_every_verdict_is_as_published(
    recorded: list[Recording], retail_suite: MakeSuite, tmp_path: Path, level: str
) -> None:
    agree, heard, ended = [], [], set()
    for recording in recorded:
        tasks = list(recording.tasks.values())
        setups = {"talking": f"talking({str(recording.file)!r})"}
        folder = retail_suite(tmp_path / recording.name, tasks, setups, lambda case, recording=recording: with_user(case, recording))
        report = ft.run(folder, isolate=level)
        agree += [(case.verdicts == ["PASS"]) is (recording.simulations[case.id]["reward_info"]["reward"] == 1.0) for case in report.cases]
        with open_store(str(folder), None, create=False) as store:
            trials = [store.trial(report.run, TrialKey(task, "talking", 1)) for task in recording.simulations]
        ended |= {trial.head.dialogue.ended for trial in trials if trial.head.dialogue}
        heard += [trial.body.output["heard_all"] for trial in trials]
    assert sum(agree) >= 78 / 80 * len(agree)
    assert sum(heard) >= 0.99 * len(heard)
    assert ended <= {"user_ended", "agent_ended"}
