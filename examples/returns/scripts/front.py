"""The three that see every sentence: the router and the guard before all others, and who speaks after them."""

from rules import cards, intents, slots
from words import say

from scripts.trail import Told, ask

MEDDLING = ("ignore your", "ignore all", "all customers", "other customers", "system prompt", "忽略", "所有客户", "其他客户")
CHOOSING = ("ask_kind", "shown", "told_about", "nothing")


def router(seen: Told) -> Told:
    """What was under way goes on, also after a sentence that the guard has stopped."""
    stopped = seen["intent"] if seen["stage"] == "blocked" else ""
    under_way = "ticket" if seen["skill"] else "recommend" if seen["stage"] in CHOOSING else stopped
    return {"intent": intents.intent(seen["said"], under_way, len(seen["shown"]))}


def guard(seen: Told) -> Told:
    """Nobody's orders but the customer's own, and no orders to the assistant itself. Where the books are silent, nothing is allowed."""
    if any(words in seen["said"].lower() for words in MEDDLING):
        return {"decision": "block", "stage": "blocked"}
    for order in slots.orders_in(seen["said"]):
        owner, move = ask(seen["trail"], "owner_of", order_id=order)
        if move:
            return {"decision": "block", **move} if "stage" in move else move
        if owner not in (None, seen["customer_id"]):
            return {"decision": "block", "stage": "blocked"}
    return {"decision": "allow"}


def reply(seen: Told) -> Told:
    stage = seen["stage"] if seen["intent"] != "chat" or seen["decision"] == "block" else "chat"
    return {"stage": stage, "text": say(stage, seen["about"], seen["chinese"]), "card": cards.card_for(stage)}
