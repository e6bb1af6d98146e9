"""What words tell: an offer of further help waits for nothing, a question and an announcement do, and a user may ask for more."""

import time

import pytest

from fairtrial.worlds.manners import announces, asks, is_closing, requests, speaks_as_assistant, spoken

OFFERS = [
    "It is booked. If you need any further assistance, please let me know!",
    "Done. If you have any more questions or need help tracking your exchange, just let me know!",
    "If there's anything else you need, feel free to let me know!",
    "Let me know if there is anything else I can help you with!",
    "You're welcome! Feel free to reach out whenever you have the details, and I'll be here to assist you.",
    "You paid $10.84. If you ever run into any issues, feel free to come back here and I’ll be happy to help!",
]
WAITS = [
    "Let me know how you'd like to proceed.",
    "If you want to proceed, please let me know.",
    "Please let me know which item you need.",
    "If you need further assistance, I can transfer you. Would you like me to do that?",
    "If you have your order number, please let me know.",
]
WILL_ACT = ["One moment, I'll check that.", "Let me look that up.", "You are being transferred. Please hold on."]


@pytest.mark.parametrize("text", OFFERS)
def test_an_offer_of_further_help_waits_for_nothing(text: str) -> None:
    assert not asks(text) and not announces(text)


@pytest.mark.parametrize("text", WAITS)
def test_what_asks_for_a_decision_waits_for_it(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize("text", WILL_ACT)
def test_what_says_that_it_will_act_is_not_done(text: str) -> None:
    assert announces(text)


def test_a_user_may_ask_what_else_can_be_done_and_may_come_back() -> None:
    assert speaks_as_assistant("I don't have the number at hand. Anything else we can do?") is None
    assert speaks_as_assistant("Is there anything else I can help you with?") is not None
    assert not requests("I'll reach out if I need anything else.")
    assert requests("I need it changed.")


@pytest.mark.parametrize(
    "text", ["a " * 100_000, "if you need " * 20_000, "我还" * 50_000, "let me " * 30_000, "thanks " * 30_000, "<think>" * 30_000]
)
def test_long_words_without_an_end_are_read_in_time(text: str) -> None:
    began = time.process_time()
    asks(text), announces(text), requests(text), speaks_as_assistant(text), spoken(text), is_closing(text)
    assert time.process_time() - began < 4
