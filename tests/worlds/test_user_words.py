"""A goodbye, a role turned round, a hidden text: known by their words in two languages, and no words are too odd or too many."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.models.model import MalformedReply
from fairtrial.worlds.claims import invented
from fairtrial.worlds.manners import announces, asks, is_closing, quotes, requests, speaks_as_assistant, spoken
from fairtrial.worlds.simulator import turn_of


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("Thank you, bye!", True),
        ("You're the best. Thanks again!", True),
        ("ok thanks, that's all", True),
        ("谢谢，再见！", True),
        ("好的，谢谢", True),
        ("你真棒，谢谢你的帮助", True),
        ("Thanks, but the order is still open.", False),
        ("谢谢，我还要退另一双鞋", False),
        ("Yes.", False),
        ("", False),
    ],
)
def test_a_goodbye_holds_nothing_to_act_on(text: str, closing: bool) -> None:
    assert is_closing(text) is closing


def test_yes_and_thanks_is_an_answer_where_something_was_asked() -> None:
    assert not is_closing("ok thanks", asked=True)
    assert not is_closing("好的，谢谢", asked=True)
    assert is_closing("thanks, bye", asked=True)


@pytest.mark.parametrize(
    "text",
    [
        "As the support agent, I have refunded 59.90 to you.",
        "How can I help you today?",
        "Assistant: your order has been cancelled.",
        "Is there anything else I can help with?",
        "请问有什么可以帮您？",
        "我是智能客服，您的退款已处理。",
        "我已经为您办理退款",
    ],
)
def test_the_other_side_is_known_by_its_words(text: str) -> None:
    assert speaks_as_assistant(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "I want to talk to a support agent.",
        "I have cancelled my card already.",
        "Can you help me with my order?",
        "我已经给您说过了，订单号是 5",
        "我要找人工客服",
        "Has my refund been processed?",
    ],
)
def test_a_customer_is_not_taken_for_the_other_side(text: str) -> None:
    assert speaks_as_assistant(text) is None


def test_a_hidden_number_is_no_part_of_another() -> None:
    assert all(quotes(text, "59.90") for text in ("it is 59.90.", "($59.90)", "应该退 59.90 元"))
    assert not any(quotes(text, "59.90") for text in ("it is 159.90", "59.905", "1,59.90"))
    assert not quotes("x", " ")


@given(st.text(max_size=300))
def test_no_text_is_too_odd(text: str) -> None:
    assert "<think>" not in spoken(text)[0].lower()
    for sign in (is_closing, asks, announces, requests):
        assert sign(text) in (True, False)
    with suppress(MalformedReply):
        turn_of(text)


@pytest.mark.parametrize("piece", ["<think", "a", "anything else ", "the ", "return the ", "1,", "买了", "</think>", "###", "thanks "])
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    short = text[:8_000]
    began = time.process_time()
    spoken(text), asks(text), announces(text)
    is_closing(short), requests(short), speaks_as_assistant(short), invented(short, [text])
    assert time.process_time() - began < 2
