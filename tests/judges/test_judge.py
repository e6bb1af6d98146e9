"""A judge asks each repeat apart, once more after a reply that is no verdict, and is never lenient about what is missing."""

import threading
import time
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.rubric import read_rubric
from fairtrial.judges.judge import Judge
from fairtrial.judges.kept import answer_key
from fairtrial.judges.opinion import Terms
from fairtrial.judges.question import Part, digest
from fairtrial.models.model import MalformedReply, Message, Reply
from fairtrial.records import votes
from fairtrial.records.errors import InputError, ProviderOutage
from fairtrial.records.opinion import Answer, Matter
from fairtrial.records.text import encode
from fairtrial.records.verdict import Verdict
from tests.judges.asked import model, nonce_of, one_sided, saying, shown

GOOD: dict[str, Any] = {"quality": 0.9, "pass": True, "reason": "good"}
BAD: dict[str, Any] = {"quality": 0.1, "pass": False, "reason": "bad"}


class Shelf:
    """A cache in memory that counts what is put."""

    def __init__(self) -> None:
        self.held: dict[str, Answer] = {}
        self.puts: Counter[str] = Counter()

    def get(self, key: str) -> Answer | None:
        return self.held.get(key)

    def put(self, key: str, answer: Answer) -> None:
        self.puts[key] += 1
        self.held.setdefault(key, answer)


def mark(quality: float) -> dict[str, Any]:
    return {"quality": quality, "pass": quality >= 0.5}


def opinion(*replies: Any, **terms: Any) -> Any:
    return Judge("q", one_sided(), [saying(*replies)], Terms(**terms)).opinion(shown())


def test_an_opinion_holds_the_score_the_marks_and_the_raw_reply() -> None:
    found = opinion(GOOD)
    assert (found.verdict, found.score, found.by_dimension, found.spread, found.why) == (Verdict.PASS, 0.9, {"quality": 0.9}, 0.0, "")
    assert (found.scale, found.rubric, found.judge) == ((0.0, 1.0), "sha256:one", "q")
    (answer,) = found.answers
    assert (answer.reason, answer.problem, len(answer.replies)) == ("good", "", 1)
    assert '"quality":0.9' in answer.replies[0]
    encode(found)


def test_a_malformed_reply_is_asked_for_once_more_with_the_reason() -> None:
    asked: list[str] = []

    def act(messages: list[Message]) -> Any:
        asked.append(messages[-1]["content"])
        return {"nonce": nonce_of(messages), "quality": 7 if len(asked) == 1 else 0.9, "pass": True}

    found = Judge("q", one_sided(), [model(act)]).opinion(shown())
    assert found.verdict is Verdict.PASS
    assert "could not be used" not in asked[0]
    assert "could not be used: 'quality' is out of range 0 to 1." in asked[1]
    assert len(found.answers[0].replies) == 2, "both raw replies are kept"


def test_after_the_second_malformed_reply_it_is_unknown_and_says_why() -> None:
    found = opinion("PASS", '{"pass": true, "sc', GOOD)
    assert found.verdict is Verdict.UNKNOWN
    assert found.score is None
    assert found.why == "its answer cannot be used: it is cut off (max_tokens reached?)"
    assert found.answers[0].replies == ("PASS", '{"pass": true, "sc')


def test_a_model_that_raises_is_unusable_and_what_it_said_is_not_put_to_it_again() -> None:
    asked: list[str] = []

    def act(messages: list[Message]) -> Any:
        asked.append(messages[-1]["content"])
        raise ValueError('secret words of the answer: {"pass": true}')

    found = Judge("q", one_sided(), [model(act)]).opinion(shown())
    assert (found.verdict, len(asked)) == (Verdict.UNKNOWN, 2)
    assert "raised ValueError" in found.why
    assert "secret words" not in asked[1]


def test_an_outage_is_not_asked_again_and_is_told_as_one() -> None:
    asked = []

    def act(messages: list[Message]) -> Any:
        asked.append(messages)
        raise ProviderOutage("the service answered 503")

    found = Judge("q", one_sided(), [model(act)]).opinion(shown())
    assert (found.verdict, len(asked)) == (Verdict.UNKNOWN, 1)
    assert found.answers[0].outage
    assert "could not be reached: the service answered 503" in found.why


@pytest.mark.parametrize(
    ("marks", "terms", "verdict", "words"),
    [
        ([0.9, 0.9, 0.9], {}, "PASS", ""),
        ([0.1, 0.2, 0.3], {}, "FAIL", ""),
        ([0.9, 0.9, 0.6], {}, "UNKNOWN", "from 0.6 to 0.9, and 0.25 apart is the limit"),
        ([0.9, 0.9, 0.65], {}, "PASS", ""),
        ([0.9, 0.9, 0.6], {"spread": Decimal("0.3")}, "PASS", ""),
        ([0.3, 0.98, 0.98], {"spread": Decimal(1)}, "PASS", ""),
        ([0.45, 0.55, 0.55], {}, "UNKNOWN", "1 of 3 repeats do not pass as their mean does"),
        ([0.45, 0.55, 0.55], {"spread": Decimal("0.34")}, "PASS", ""),
        ([0.45, 0.55], {"spread": Decimal(1)}, "UNKNOWN", "1 of 2 repeats"),
        ([0.49, 0.55, 0.55, 0.55, 0.55], {}, "PASS", ""),
        ([0.2, 0.51, 0.51], {"spread": Decimal(1)}, "UNKNOWN", "2 of 3 repeats do not pass as their mean does"),
        (["x", 0.9, 0.9], {}, "PASS", ""),
        (["x", 0.7, 0.7], {}, "UNKNOWN", "1 of 3 repeats cannot be used, and what they might have said decides"),
        (["x", 0.3, 0.3], {}, "UNKNOWN", "what they might have said decides"),
        (["x", 0.1, 0.1], {}, "FAIL", ""),
        (["x", "x", 0.9], {}, "UNKNOWN", "2 of 3 answers cannot be used"),
        (["x", 0.9], {}, "UNKNOWN", "1 of 2 answers cannot be used"),
    ],
)
def test_repeats_decide_only_where_they_agree_and_none_that_is_missing_could_turn_it(
    marks: list[Any], terms: dict[str, Any], verdict: str, words: str
) -> None:
    replies = [piece for one in marks for piece in (["x", "x"] if one == "x" else [mark(one)])]
    found = opinion(*replies, repeats=len(marks), **terms)
    assert found.verdict == verdict, found.why
    assert words in found.why
    assert len(found.answers) == len(marks)


@given(st.lists(st.floats(0, 1).map(lambda part: round(part, 2)) | st.none(), min_size=1, max_size=7), st.decimals("0.05", "1", places=2))
def test_a_pass_survives_every_reply_that_a_missing_repeat_could_have_been(marks: list[float | None], spread: Decimal) -> None:
    rubric = one_sided()

    def answers(numbers: Sequence[float | None]) -> list[Answer]:
        return [
            Answer(model="m", repeat=place, problem="torn")
            if one is None
            else Answer(model="m", repeat=place, score=one, passed=one >= 0.5)
            for place, one in enumerate(numbers, 1)
        ]

    terms = votes.Terms(rubric.scale, rubric.passes, spread, 1)
    found = votes.vote(answers(marks), terms).verdict
    if found is Verdict.UNKNOWN:
        return
    opposite = Verdict.FAIL if found is Verdict.PASS else Verdict.PASS
    for other in (0.0, 0.5, 1.0):
        filled = [other if one is None else one for one in marks]
        assert votes.vote(answers(filled), terms).verdict is not opposite


def test_of_several_models_a_quorum_must_agree_and_one_survivor_decides_nothing() -> None:
    def several(*replies: Any, quorum: int | None = None) -> Any:
        models = [saying(reply, name=f"python:m:{place}") for place, reply in enumerate(replies)]
        return Judge("q", one_sided(), models, Terms(quorum=quorum)).opinion(shown())

    broken = RuntimeError("down")
    lone = several(GOOD, broken, broken, quorum=3)
    assert lone.verdict is Verdict.UNKNOWN
    assert "of 3 models 1 say PASS, 0 say FAIL, 2 have no verdict; 3 must agree" in lone.why
    split = several(GOOD, BAD, broken, quorum=2)
    assert split.verdict is Verdict.UNKNOWN
    assert "1 say PASS, 1 say FAIL, 1 have no verdict; 2 must agree" in split.why
    assert several(GOOD, broken, broken).verdict is Verdict.UNKNOWN
    assert several(GOOD, GOOD, broken).verdict is Verdict.PASS
    assert several(GOOD, GOOD, broken, quorum=3).verdict is Verdict.UNKNOWN
    assert several(GOOD, BAD, BAD).verdict is Verdict.FAIL
    assert several(GOOD, BAD).verdict is Verdict.UNKNOWN
    assert several(GOOD, broken, quorum=1).verdict is Verdict.PASS
    against = several(mark(0.5), mark(0.5), mark(0.0))
    assert against.verdict is Verdict.UNKNOWN
    assert "the votes say PASS, and the mean score, 0.333, says the opposite" in against.why
    assert len(several(GOOD, GOOD, GOOD).answers) == 3


def test_a_judge_that_could_never_decide_is_refused() -> None:
    with pytest.raises(InputError, match="asks one model twice"):
        Judge("q", one_sided(), [saying(GOOD), saying(GOOD)])
    with pytest.raises(InputError, match="quorum that its models cannot reach"):
        Judge("q", one_sided(), [saying(GOOD)], Terms(quorum=2))


def test_answers_are_kept_by_all_that_went_in_and_two_repeats_are_never_one() -> None:
    calls: list[int] = []

    def act(messages: list[Message]) -> Any:
        calls.append(1)
        return {"nonce": nonce_of(messages), **mark(round(0.80 + len(calls) / 100, 2))}

    shelf = Shelf()
    judge = Judge("q", one_sided(), [model(act)], Terms(repeats=3), shelf)
    first = judge.opinion(shown())
    assert (len(calls), len(shelf.held)) == (3, 3)
    assert sorted(answer.score or 0 for answer in first.answers) == [0.81, 0.82, 0.83]
    again = judge.opinion(shown())
    assert len(calls) == 3
    assert [answer.score for answer in again.answers] == [answer.score for answer in first.answers]
    assert all(answer.cached for answer in again.answers) and not any(answer.cached for answer in first.answers)
    assert msgspec.structs.replace(again, answers=()) == msgspec.structs.replace(first, answers=())
    judge.opinion(Matter(task="do it", parts={"output": "a plain answer", "state": "not named by the rubric"}))
    assert len(calls) == 3, "what is not shown is no part of the key"
    for other in (shown("another answer"), shown(task="do that")):
        judge.opinion(other)
    assert len(calls) == 9
    Judge("q", msgspec.structs.replace(one_sided(), hash="sha256:two"), [model(act)], Terms(), shelf).opinion(shown())
    Judge("q", one_sided(), [model(act, "python:other:model")], Terms(), shelf).opinion(shown())
    assert len(calls) == 11


def test_only_answers_that_can_be_used_are_kept() -> None:
    shelf = Shelf()
    judge = Judge("q", one_sided(), [saying("x", "x", GOOD)], Terms(), shelf)
    assert judge.opinion(shown()).verdict is Verdict.UNKNOWN
    assert not shelf.held
    assert judge.opinion(shown()).verdict is Verdict.PASS
    assert len(shelf.held) == 1


def test_what_two_threads_ask_at_once_is_stored_once() -> None:
    calls: Counter[str] = Counter()

    def act(messages: list[Message]) -> Any:
        calls["all"] += 1
        time.sleep(0.05)
        return {"nonce": nonce_of(messages), **GOOD}

    shelf = Shelf()
    judge = Judge("q", one_sided(), [model(act)], Terms(repeats=2), shelf)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(judge.opinion(shown()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls["all"] == 2
    assert set(shelf.puts.values()) == {1}
    assert {one.verdict for one in found} == {Verdict.PASS}


def test_tokens_price_and_time_are_those_of_both_calls_and_unknown_where_one_is() -> None:
    def reply(text: str, **more: Any) -> Any:
        return Reply(text=text, input_tokens=100, output_tokens=10, ms=3.0, **more)

    verdict = '{"quality": 0.9, "pass": true}'
    both = opinion(reply("x", usd=Decimal("0.01")), reply(verdict, usd=Decimal("0.02"))).answers[0]
    assert (both.input_tokens, both.output_tokens, both.usd, both.ms) == (200, 20, Decimal("0.03"), 6.0)
    cut = opinion(MalformedReply("was cut off", reply('{"quality": 0.9, "pa')), reply(verdict)).answers[0]
    assert (cut.replies, cut.input_tokens) == (('{"quality": 0.9, "pa', verdict), 200)
    lost = opinion(MalformedReply("cut"), reply(verdict, usd=Decimal("0.02"))).answers[0]
    assert (lost.problem, lost.usd, lost.input_tokens, lost.ms) == ("", None, None, None)
    assert opinion(reply(verdict)).answers[0].usd is None


def test_the_identity_is_of_all_that_makes_a_judge_what_it_is() -> None:
    def identity(hash_: str = "sha256:one", name: str = "python:m:a", **terms: Any) -> str:
        return Judge("q", msgspec.structs.replace(one_sided(), hash=hash_), [saying(GOOD, name=name)], Terms(**terms)).identity

    base = identity()
    assert identity(timeout_s=5.0) == base, "how long one waits makes no other judge"
    others = [identity("sha256:two"), identity(name="python:m:b"), identity(repeats=2), identity(spread=Decimal("0.1")), identity(room=10)]
    assert len({base, *others}) == 6


def test_the_key_tells_apart_what_could_run_together() -> None:
    one, two = digest([Part("task", "ab"), Part("output", "c")]), digest([Part("task", "a"), Part("output", "bc")])
    assert one != two
    assert digest([Part("task", "a\noutput 1\nb")]) != digest([Part("task", "a"), Part("output", "b")])
    scripted = saying(GOOD, name="m")
    assert answer_key(scripted, "r", one, 1) != answer_key(scripted, "r", one, 2)
    assert answer_key(scripted, "r", one, 11) != answer_key(scripted, "r1", one, 1)


def test_what_cannot_be_shown_whole_is_not_judged_and_costs_no_call() -> None:
    def act(messages: list[Message]) -> Any:
        raise AssertionError("it was asked")

    judge = Judge("q", one_sided(), [model(act)], Terms(room=1000))
    padded = judge.opinion(shown("All done. " * 200))
    assert (padded.verdict, padded.answers) == (Verdict.UNKNOWN, ())
    assert "has 2005 characters (output alone 2000), and a judge is shown 1000 at most" in padded.why
    missing = judge.opinion(Matter(task="t", parts={"trace": []}))
    assert "the rubric names output, and this trial has none" in missing.why
    for name in ("trace", "tools", "state"):
        rubric = read_rubric("dialogue")
        parts: dict[str, Any] = {one: "x" for one in rubric.evidence if one != name}
        assert name in Judge("q", rubric, [model(act)]).opinion(Matter(task="t", parts=parts)).why


def test_an_opinion_comes_of_whatever_an_agent_left_behind() -> None:
    deep: Any = "x"
    for _ in range(3000):
        deep = [deep]
    odd = ["\ud800", float("nan"), 10**5000, b"\xff", {1: {2}}, deep, "", None, "\x00\x1b[2J", {"a": object()}]
    for output in odd:
        found = Judge("q", one_sided(), [saying(GOOD)]).opinion(shown(output, task="\udfff"))
        assert found.verdict is Verdict.PASS, output
        encode(found)
