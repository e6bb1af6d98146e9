"""Patience: a time-out bounds a call under way, and slow or strict services answer everybody in the end."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore

import pytest

from fairtrial.models import limiter as limits
from fairtrial.models.limiter import Limiter, Slow, limiter_of
from fairtrial.models.model import Model, Reply
from fairtrial.models.open import open_model
from fairtrial.models.turns import Queued
from fairtrial.records.errors import ProviderOutage
from tests.modelserver import Answer, Asked, ModelServer, completion, refusal

ASKED = [{"role": "user", "content": "hi"}]


def patient(server: ModelServer) -> Model:
    return open_model(server.name(), lambda target: target, patient=True)


def all_of(model: Model, number: int, timeout_s: float) -> list[Reply]:
    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(lambda _: model.reply(ASKED, timeout_s=timeout_s), range(number)))


def one_by_one(seconds: float) -> Callable[[Asked], Awaitable[Answer]]:
    """A service with one slot. It goes on with what nobody waits for any more."""
    slot = asyncio.Lock()

    async def answer(asked: Asked) -> Answer:
        async with slot:
            await asyncio.sleep(seconds)
        return completion()

    return answer


def strict(each_second: int) -> Callable[[Asked], Answer]:
    """A service that refuses calls above a rate."""
    came: list[float] = []

    def answer(asked: Asked) -> Answer:
        now = time.monotonic()
        came[:] = [at for at in came if now - at < 1]
        if len(came) >= each_second:
            return refusal(429, f"{each_second} a second")
        came.append(now)
        return completion()

    return answer


def test_a_service_with_one_slot_answers_everybody_though_one_call_has_not_the_time_of_all(model_server: ModelServer) -> None:
    model_server.script = one_by_one(0.05)
    assert len(all_of(patient(model_server), 60, timeout_s=0.6)) == 60
    assert limiter_of(model_server.url.split("/")[2]).width < 30


def test_with_one_at_a_time_nothing_is_asked_twice(model_server: ModelServer) -> None:
    model_server.script = one_by_one(0.03)
    all_of(Queued(patient(model_server), Semaphore(1)), 30, timeout_s=0.5)
    assert len(model_server.calls) == 30 and model_server.most_at_once == 1


def test_a_limit_of_calls_in_a_second_loses_no_call(model_server: ModelServer) -> None:
    model_server.script = strict(8)
    assert len(all_of(patient(model_server), 24, timeout_s=1)) == 24


def test_who_is_refused_three_times_in_four_is_answered_within_the_patience(model_server: ModelServer) -> None:
    model_server.script = lambda asked: completion() if asked.number % 4 == 0 else refusal(429, retry_after="0")
    assert len(all_of(patient(model_server), 8, timeout_s=0.5)) == 8


def test_a_service_that_never_answers_is_away_after_some_time_outs(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.models.service.patience_of", lambda timeout_s: 1.0)
    model_server.script = completion().later(30)
    began = time.monotonic()
    with pytest.raises(ProviderOutage, match=r"did not answer in time 0.2 s, asked [345] times"):
        patient(model_server).reply(ASKED, timeout_s=0.2)
    assert time.monotonic() - began < 3


def test_the_patience_bounds_the_whole(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.models.service.patience_of", lambda timeout_s: 1.0)
    model_server.script = lambda asked: refusal(429, retry_after="0.3")
    began = time.monotonic()
    with pytest.raises(ProviderOutage, match="429"):
        patient(model_server).reply(ASKED, timeout_s=20)
    assert time.monotonic() - began < 3


def test_an_hour_that_is_asked_for_is_told_and_a_patient_call_asks_again_once_that_may_be(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LONGEST_ASKED_S", 0.6)
    monkeypatch.setattr(limits, "PATIENCE_S", 0.2)
    model_server.script = [refusal(429, "come back later", retry_after="3600"), completion()]
    with pytest.raises(ProviderOutage, match=r"429.*come back later.*asks everybody to wait 3600 s"):
        open_model(model_server.name(), lambda target: target).reply(ASKED, timeout_s=0.1)
    assert patient(model_server).reply(ASKED, timeout_s=5).text == "hello"


def test_calls_that_ran_out_of_time_cut_to_half_of_what_was_answered() -> None:
    limiter = Limiter(64)
    with pytest.raises(Slow), limiter.turn(time.monotonic() + 1):
        raise Slow("late")
    assert limiter.width == 1 and limiter.is_silent(0) and not limiter.is_silent(5)
    limiter.served()
    assert not limiter.is_silent(0)
