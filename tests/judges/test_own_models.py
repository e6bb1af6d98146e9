"""A judge whose model is the suite's own function: who answers is part of what it is, and nothing that it does ends a run."""

import asyncio
import threading
import time
from decimal import Decimal
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest

from fairtrial.judges.judge import Judge
from fairtrial.judges.kept import answer_key
from fairtrial.judges.opinion import Terms
from fairtrial.models.function import FunctionModel
from fairtrial.models.model import Message, Reply, origin_of
from fairtrial.models.open import open_model
from fairtrial.models.turns import Queued
from fairtrial.records.opinion import Opinion
from fairtrial.records.verdict import Verdict
from tests.judges.asked import one_sided, saying, shown


class Unsayable(Exception):
    """Raises another where it is told."""

    def __str__(self) -> str:
        raise ValueError("no")


def opinion_of(said: Any) -> Opinion:
    return Judge("q", one_sided(), [saying(said)]).opinion(shown())


def test_a_function_in_another_file_answers_anew_and_has_to_be_examined_again(tmp_path: Path) -> None:
    def judge(text: str) -> Judge:
        file = tmp_path / "own.py"
        file.write_text(text)
        names: dict[str, Any] = {}
        exec(compile(text, str(file), "exec"), names)  # noqa: S102 - as an import would, without its cache
        return Judge("q", one_sided(), [FunctionModel("python:own:mark", names["mark"])])

    passes = "def mark(messages):\n    return {'pass': True, 'score': 1}\n"
    fails = passes.replace("True", "False").replace("1", "0")
    one, again, other = judge(fails), judge(fails), judge(passes)
    assert one.identity == again.identity != other.identity
    keys = [answer_key(each.models[0], "r", "shown", 1) for each in (one, again, other)]
    assert keys[0] == keys[1] != keys[2]


def test_a_service_at_another_address_is_another_judge_and_no_key_is_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(url: str, key: str) -> Judge:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", key)
        return Judge("q", one_sided(), [open_model("openai:m-1", lambda _: None)])

    one, again = judge("http://127.0.0.1:1/v1", "a"), judge("http://127.0.0.1:1/v1?key=secret", "b")
    slash = judge("http://127.0.0.1:1/v1/", "c")
    other = judge("http://127.0.0.1:2/v1", "a")
    assert one.identity == again.identity == slash.identity != other.identity
    assert answer_key(one.models[0], "r", "s", 1) == answer_key(again.models[0], "r", "s", 1) != answer_key(other.models[0], "r", "s", 1)
    assert origin_of(again.models[0]) == origin_of(Queued(again.models[0], Semaphore(1))) == "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    "error", [asyncio.CancelledError(), GeneratorExit(), SystemExit(1), KeyboardInterrupt(), BaseException("b"), Unsayable(), MemoryError()]
)
def test_whatever_a_python_judge_raises_is_an_answer_that_cannot_be_used(error: BaseException) -> None:
    assert opinion_of(error).verdict is Verdict.UNKNOWN


def test_a_python_judge_that_hangs_is_left_behind_when_its_time_is_up() -> None:
    free = threading.Event()

    def hangs(_: list[Message]) -> str:
        free.wait(20)
        return "too late"

    async def hangs_within(_: list[Message]) -> str:
        return hangs(_)

    began = time.monotonic()
    for act in (hangs, hangs_within):
        found = Judge("q", one_sided(), [FunctionModel("f", act)], Terms(timeout_s=0.1)).opinion(shown())
        assert found.answers[0].outage and "in its time" in found.why
    assert time.monotonic() - began < 5
    free.set()


def test_a_decimal_of_a_python_judge_is_a_number() -> None:
    assert opinion_of({"quality": Decimal("0.9"), "pass": True}).score == 0.9
    assert opinion_of({"quality": Decimal("0.49999999999999999999"), "pass": True}).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("text", [None, 5])
def test_a_reply_of_a_python_judge_without_text_cannot_be_used(text: Any) -> None:
    assert opinion_of(Reply(text=text)).verdict is Verdict.UNKNOWN


def test_a_price_or_a_count_that_is_none_is_not_known() -> None:
    said = {"text": '{"pass": true, "score": 1}', "usd": "NaN", "input_tokens": -7, "ms": -1.0}
    (answer,) = opinion_of(said).answers
    assert (answer.usd, answer.input_tokens) == (None, None) and (answer.ms or 0) >= 0
