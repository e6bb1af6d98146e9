"""Which card goes with which moment, and which of the products on a card somebody means."""

import re
from typing import Any

CARDS = {
    "ask_order_id": "orders",
    "ask_reason": "reasons",
    "confirm": "confirm",
    "confirm_withdrawal": "confirm",
    "done": "ticket",
    "shown": "products",
    "in_cart": "cart",
}
PLACES = {0: r"\bfirst\b|第一", 1: r"\bsecond\b|第二", 2: r"\bthird\b|第三", -1: r"\blast one\b|最后"}
CHEAPER = re.compile(r"cheap|便宜")


def card_for(stage: str) -> str | None:
    """The card to show at a stage of the talk; most moments have none."""
    return CARDS.get(stage)


def names_one(text: str) -> bool:
    """Whether the words point at one of several things."""
    return CHEAPER.search(text.lower()) is not None or any(re.search(words, text.lower()) for words in PLACES.values())


def pick(text: str, shown: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The product that is meant: by its name, by its place on the card, or as the cheaper one. None where it is not among them."""
    said = text.lower()
    for product in shown:
        if product["name"].lower() in said:
            return product
    if shown and CHEAPER.search(said):
        return min(shown, key=lambda product: product["price_fen"])
    for place, words in PLACES.items():
        if re.search(words, said) and place < len(shown):
            return shown[place]
    return None
