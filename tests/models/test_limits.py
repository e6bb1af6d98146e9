"""One limiter for an address, one layer that asks again: what a busy or broken service does to calls, and to their times."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from multiprocessing import get_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.models import limiter as limits
from fairtrial.models import persist as persisting
from fairtrial.models.limiter import Busy, Limiter, NoTurn, limiter_of
from fairtrial.models.model import MalformedReply, Model, Reply
from fairtrial.models.open import open_model
from fairtrial.models.service import seconds
from fairtrial.records.errors import ProviderOutage
from tests.modelserver import Answer, Asked, ModelServer, completion, hang_up, once_together, refusal

ASKED = [{"role": "user", "content": "hi"}]


def opened(server: ModelServer, name: str = "m-1") -> Model:
    return open_model(server.name(name), lambda target: target)


def at_once(model: Model, number: int, timeout_s: float = 30.0) -> list[Reply]:
    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(lambda _: model.reply(ASKED, timeout_s=timeout_s), range(number)))


def crowded(most: int, retry_after: str | None) -> Callable[[Asked], Awaitable[Answer]]:
    """A service that answers no more than so many at once."""
    now = 0

    async def answer(asked: Asked) -> Answer:
        nonlocal now
        if now >= most:
            return refusal(429, retry_after=retry_after)
        now += 1
        try:
            await asyncio.sleep(0.03)
        finally:
            now -= 1
        return completion()

    return answer


def test_two_hundred_calls_go_at_once(model_server: ModelServer) -> None:
    model_server.script = once_together(200)
    at_once(opened(model_server), 200, timeout_s=60)
    assert model_server.most_at_once == 200


@pytest.mark.parametrize("retry_after", ["0.2", None])
def test_a_crowded_service_answers_everybody_in_the_end_and_is_asked_by_fewer(model_server: ModelServer, retry_after: str | None) -> None:
    model_server.script = crowded(4, retry_after)
    model = opened(model_server)
    replies = at_once(model, 40)
    assert all(reply.text == "hello" for reply in replies)
    assert limiter_of(model_server.url.split("/")[2]).width < 20
    refused = len(model_server.calls) - 40
    assert 0 < refused < 150


def test_waiting_for_a_turn_and_pauses_are_no_latency(model_server: ModelServer) -> None:
    model_server.script = [refusal(429, retry_after="0.4"), completion().later(0.05)]
    reply = opened(model_server).reply(ASKED)
    assert reply.ms is not None and 50 <= reply.ms < 300
    assert 400 <= reply.waited_ms < 1500 and reply.tries == 2


def test_what_a_provider_asks_to_wait_holds_for_all_models_at_its_address(model_server: ModelServer) -> None:
    model_server.script = [refusal(503, retry_after="0.5"), completion()]
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(opened(model_server, "m-1").reply, ASKED)
        while not model_server.calls:
            time.sleep(0.005)
        time.sleep(0.1)
        second = pool.submit(opened(model_server, "m-2").reply, ASKED)
        assert {first.result().text, second.result().text} == {"hello"}
    moments = [asked.at for asked in model_server.calls]
    assert len(moments) == 3 and moments[1] - moments[0] >= 0.5


def test_another_address_is_not_kept_back(model_server: ModelServer) -> None:
    model_server.script = refusal(429, retry_after="30")
    with pytest.raises(ProviderOutage, match="429"):
        opened(model_server).reply(ASKED, timeout_s=1)
    with ModelServer() as other:
        assert opened(other).reply(ASKED, timeout_s=1).text == "hello"


def test_nobody_asks_within_the_time_that_the_service_asked_for(model_server: ModelServer) -> None:
    model_server.script = refusal(429, retry_after="30")
    model = opened(model_server)
    for _ in range(3):
        began = time.monotonic()
        with pytest.raises(ProviderOutage, match=r"429.*nobody is to ask again"):
            model.reply(ASKED, timeout_s=2)
        assert time.monotonic() - began < 1
    assert len(model_server.calls) == 1


def test_a_service_that_refuses_everybody_for_long_is_away(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PATIENCE_S", 0.5)
    model_server.script = refusal(429)
    began = time.monotonic()
    with pytest.raises(ProviderOutage, match="answered 429"):
        opened(model_server).reply(ASKED, timeout_s=30)
    assert time.monotonic() - began < 3 and len(model_server.calls) <= 4


def test_a_service_that_says_at_once_and_refuses_again_is_not_pestered(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PATIENCE_S", 1.0)
    model_server.script = refusal(429, retry_after="0")
    with pytest.raises(ProviderOutage, match="answered 429"):
        opened(model_server).reply(ASKED, timeout_s=30)
    assert 3 <= len(model_server.calls) <= 6


@pytest.mark.parametrize("broken", [refusal(500), refusal(502), hang_up()])
def test_a_broken_service_is_asked_three_times(model_server: ModelServer, broken: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(persisting, "FIRST_PAUSE_S", 0.02)
    model_server.script = broken
    with pytest.raises(ProviderOutage):
        opened(model_server).reply(ASKED)
    assert len(model_server.calls) == 3


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 413, 422])
def test_what_the_caller_got_wrong_is_asked_once(model_server: ModelServer, status: int) -> None:
    model_server.script = refusal(status, "no")
    with pytest.raises(ProviderOutage, match=str(status)):
        opened(model_server).reply(ASKED)
    assert len(model_server.calls) == 1


def test_the_deadline_bounds_turn_pauses_and_calls_together(model_server: ModelServer) -> None:
    model_server.script = [refusal(500, retry_after="0.3"), completion().later(5)]
    began = time.monotonic()
    with pytest.raises(ProviderOutage, match="in time"):
        opened(model_server).reply(ASKED, timeout_s=0.8)
    assert time.monotonic() - began < 1.5


def test_a_burst_that_is_refused_cuts_once_and_a_later_call_cuts_again() -> None:
    limiter, inside, go = Limiter(), threading.Barrier(9), threading.Event()

    def refused() -> None:
        with pytest.raises(Busy), limiter.turn(time.monotonic() + 5):
            inside.wait(5)
            go.wait(5)
            raise Busy("busy", 0.0)

    threads = [threading.Thread(target=refused) for _ in range(8)]
    for thread in threads:
        thread.start()
    inside.wait(5)
    go.set()
    for thread in threads:
        thread.join()
    assert limiter.width == 4 and limiter.under_way == 0
    with pytest.raises(Busy), limiter.turn(time.monotonic() + 5):
        raise Busy("busy", 0.0)
    assert limiter.width == 1


def test_it_widens_slowly_and_never_beyond_its_start() -> None:
    limiter = Limiter(8)
    limiter.width = 2.0
    for _ in range(2):
        limiter.served()
    assert 2.8 < limiter.width < 3
    for _ in range(1000):
        limiter.served()
    assert limiter.width == 8


def test_whoever_gets_no_turn_in_time_is_told_so() -> None:
    limiter = Limiter(1)
    with limiter.turn(time.monotonic() + 5), pytest.raises(NoTurn, match="1 calls are under way"), limiter.turn(time.monotonic() + 0.05):
        pass
    assert limiter.under_way == 0


def test_a_malformed_reply_gives_its_turn_back(model_server: ModelServer) -> None:
    model_server.script = completion(None)
    with pytest.raises(MalformedReply):
        opened(model_server).reply(ASKED)
    assert limiter_of(model_server.url.split("/")[2]).under_way == 0


def asks_in_a_child(name: str) -> str:
    return open_model(name, lambda target: target).reply(ASKED, timeout_s=5).text


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a fork beside threads is what is tried here
def test_a_forked_process_begins_anew(model_server: ModelServer) -> None:
    """Also one that was forked while another thread of its parent waited for an answer."""
    model_server.script = completion().later(0.3)
    with ThreadPoolExecutor(2) as pool:
        waits = [pool.submit(asks_in_a_child, model_server.name()) for _ in range(2)]
        time.sleep(0.1)
        with get_context("fork").Pool(2) as children:
            assert children.map(asks_in_a_child, [model_server.name()] * 2) == ["hello"] * 2
        assert [wait.result() for wait in waits] == ["hello"] * 2


@given(st.floats(0, 1e6, allow_nan=False).map(lambda s: round(s, 2)))
def test_seconds_are_read_as_stated(stated: float) -> None:
    assert seconds(str(stated), 0.0) == pytest.approx(stated) or "e" in str(stated)


@given(st.integers(0, 4_000_000_000), st.integers(0, 10_000))
def test_a_date_is_read_as_the_seconds_until_then(now: int, ahead: int) -> None:
    assert seconds(formatdate(now + ahead, usegmt=True), float(now)) == ahead
    assert seconds(formatdate(max(now - ahead, 0), usegmt=True), float(now)) == 0


@given(st.text(max_size=40))
def test_any_other_words_say_nothing_and_break_nothing(stated: str) -> None:
    found = seconds(stated, 0.0)
    assert found is None or found >= 0
