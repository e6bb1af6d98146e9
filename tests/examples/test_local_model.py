"""A real model on loopback as agent, user and judge: whatever it says, each trial comes to a verdict for a reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.examples.conftest import Example
from tests.examples.localmodel import served

SLOW = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.fixture
def example(copied: Callable[[str], Example], address: str, monkeypatch: pytest.MonkeyPatch) -> Example:
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    return copied("local-model")


def trial(example: Example, setup: str, case: str) -> Any:
    return example.ask("show", f"last:{setup}", case, "1")


def run(example: Example, *more: str) -> Any:
    """One run; it ends 3 where the judge gave no reply that could be used, for that trial is left ungraded."""
    told = example.tell("run", "suite.yaml", "--json", *more)
    assert told.code in (0, 3), told.err
    return json.loads(told.out)


@SLOW
def test_a_real_model_runs_the_clerk_plays_the_customer_and_judges(example: Example) -> None:
    told = run(example)
    for name, setup in told["setups"].items():
        assert setup["planned"] == setup["pass"] + setup["fail"] + setup["unknown"] == 5, name
    assert told["setups"]["clerk"]["tokens"]["input"] > 0
    assert told["judging"]["calls"] + told["judging"]["cached"] >= 10, "by_code passes by code, so all of it is judged, twice"
    talk = trial(example, "clerk", "asks-which")
    assert talk["ending"] in ("finished", "timeout", "simulator_error", "over_budget", "too_many_steps", "provider_outage")
    for case in ("delivered", "not-shipped", "no-such-order", "delivered-zh"):
        shown = trial(example, "by_code", case)
        (opinion,) = shown["opinions"]
        assert len(opinion["answers"]) == 2, "two repeats are two"
        for answer in opinion["answers"]:
            assert answer.get("replies"), "the raw reply is kept"
            assert answer.get("problem") or 1 <= answer["score"] <= 5
        graded = {grade["verdict"] for grade in shown["grades"] if grade.get("source") == "judge"}
        assert graded == {opinion["verdict"]}


@SLOW
def test_what_a_real_judge_said_is_not_asked_again(example: Example) -> None:
    first = run(example, "--setup", "by_code", "--case", "delivered")
    usable = [answer for answer in trial(example, "by_code", "delivered")["opinions"][0]["answers"] if not answer.get("problem")]
    again = json.loads(example.tell("grade", "last", "--suite", "suite.yaml", "--json").out)
    assert first["judging"]["calls"] >= 2
    assert again["judging"]["cached"] >= len(usable)
