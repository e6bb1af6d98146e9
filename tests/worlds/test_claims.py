"""What a simulated user may not make up: orders, numbers and things that nobody told or showed it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.worlds.claims import invented

KNOWN: list[Any] = [
    "Return the blue shoes of order #A-17, bought on 2026-05-20 for 59.90",
    {"card": "orders", "products": [{"name": "鞋子", "price": 1200, "sku": "LMP_400"}]},
]


@pytest.mark.parametrize(
    ("message", "what"),
    [
        ("I want to return the blue fan.", "blue fan"),
        ("The fan I bought is broken.", "fan"),
        ("It's the red lamp.", "red lamp"),
        ("我要退蓝色风扇", "蓝色风扇"),
        ("我买的是那个蓝色风扇。", "蓝色风扇"),
        ("是「蓝色风扇」", "蓝色风扇"),
        ("My order is W99123.", "w99123"),
        ("订单号是88231。", "88231"),
        ("It was 61.90.", "61.90"),
        ("Deliver it on the 24th.", "24th"),
        ("It costs 1,300.", "1,300"),
    ],
)
def test_what_was_made_up_is_named(message: str, what: str) -> None:
    assert invented(message, KNOWN) == what


@pytest.mark.parametrize(
    "message",
    [
        "I want to return the shoes.",
        "Please return my blue shoes from order A-17, they cost 59.9.",
        "The shoe I bought is too small.",
        "It was 1,200 on the 20th.",
        "我要退鞋子，尺码不合适。",
        "我要退货",
        "我要退款到原来的账户。",
        "订单A-17，谢谢",
        "I need 2 of them, by 9:30, at 100% please. It's the 1st time.",
        "Could you cancel the order and refund the price difference?",
        "I'd like to return the whole thing right now, sku lmp_400.",
        "Yes, go ahead.",
        "",
    ],
)
def test_what_was_told_or_is_common_speech_is_no_invention(message: str) -> None:
    assert invented(message, KNOWN) is None


def test_what_it_may_claim_is_known() -> None:
    assert invented("I want to return the blue fan, 88231.", [*KNOWN, {"order_item": "blue fan", "order": 88231}]) is None


@given(st.text(max_size=200))
def test_whatever_was_told_word_for_word_is_never_an_invention(text: str) -> None:
    assert invented(text, [text]) is None
