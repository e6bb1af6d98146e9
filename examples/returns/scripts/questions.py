"""The answering role: from the shop's own rules and books, or not at all."""

from rules import passages, slots

from scripts.trail import Told, ask


def answerer(seen: Told) -> Told:
    named = slots.orders_in(seen["said"])
    return whereabouts(seen, named[0]) if named else from_rules(seen)


def whereabouts(seen: Told, order_id: str) -> Told:
    order, move = ask(seen["trail"], "read_order", order_id=order_id)
    if move:
        return move
    return {"stage": "where" if order else "no_such_order", "about": {"order_id": order_id, "status": order and order["status"]}}


def from_rules(seen: Told) -> Told:
    found, move = ask(seen["trail"], "read_passages")
    if move:
        return move
    best = passages.rank(seen["said"], found)
    texts = {passage["id"]: passage for passage in found}
    return {"retrieved": best, "stage": "answered" if best else "unknown", "about": texts[best[0]] if best else {}}
