"""The recommending role: what fits is searched for, and "the second one" is the second one of what was shown."""

import re

from rules import cards, prices

from scripts.trail import Told, ask, since_write

KINDS = {
    "kettle": re.compile(r"\bkettle|水壶"),
    "fan": re.compile(r"\bfans?\b|风扇|电扇"),
    "lamp": re.compile(r"\blamp|灯"),
    "cooker": re.compile(r"\bcooker|电饭煲"),
    "headphones": re.compile(r"\bheadphones|耳机"),
}
TAKES = re.compile(r"\btake|\bbuy|\bcart\b|^yes|要|买|加入")


def recommender(seen: Told) -> Told:
    said = seen["said"].lower()
    meant = cards.pick(said, seen["shown"]) or (seen["meant"] if seen["stage"] == "told_about" else None)
    if meant and TAKES.search(said):
        return taking(seen, meant)
    if meant:
        return {"stage": "told_about", "meant": meant, "about": described(meant)}
    return searching(seen, said)


def taking(seen: Told, meant: Told) -> Told:
    """It is in the cart once the cart shows it."""
    written, after = since_write(seen["trail"])
    in_cart, move = ask(after, "read_cart", customer_id=seen["customer_id"])
    if move:
        return {"stage": "unsure", "about": {"what": "the cart"}} if written and "stage" in move else move
    if meant["product_id"] in in_cart:
        return {"stage": "in_cart", "meant": meant, "about": described(meant)}
    put = ("put_in_cart", {"customer_id": seen["customer_id"], "product_id": meant["product_id"]})
    if [(step["tool"], step["args"]) for step in seen["trail"]].count(put) == 2:
        return {"stage": "failed", "about": {"what": "the cart"}}
    return {"calls": [put]}


def searching(seen: Told, said: str) -> Told:
    """A limit holds until another is named; of two kinds in a sentence the last one is meant."""
    wanted = dict(seen["wanted"])
    named = {found.start(): kind for kind, words in KINDS.items() for found in words.finditer(said)}
    if named:
        wanted["kind"] = named[max(named)]
    if (limit := prices.ceiling(said)) is not None:
        wanted["at_most_fen"] = limit
    if "kind" not in wanted:
        return {"stage": "ask_kind", "wanted": wanted, "about": {}}
    found, move = ask(seen["trail"], "search_products", kind=wanted["kind"], at_most_fen=wanted.get("at_most_fen"))
    if move:
        return move
    names = ", ".join(f"{product['name']} {prices.written(product['price_fen'])}" for product in found[:3])
    return {"stage": "shown" if found else "nothing", "wanted": wanted, "shown": found[:3], "about": {"products": names}}


def described(product: Told) -> Told:
    return {"name": product["name"], "blurb": product["blurb"], "price": prices.written(product["price_fen"])}
