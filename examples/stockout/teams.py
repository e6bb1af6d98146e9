"""Teams that go wrong, each in one way, beside two careful ones. All else is the sound team of `agents.py`.

Each fault is one that a final answer can hide: these teams talk well, agree, and look finished.
"""

from typing import Any

from agents import coo, decide, plan, shop_team, uplifted

import fairtrial as ft

# Lossy hand-off: the COO looks at the shelf, finds the empty days, and hands on what it thinks matters.

HANDED_ON = ("sales", "stock", "arriving")  # to mend it, add "stockout_days"


def coo_that_drops(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    found = coo(brief, desk)
    return {name: found[name] for name in HANDED_ON}


lossy = shop_team(coo=coo_that_drops)


# Unanimous: all five agree to 60 lamps, the CFO too. Nobody multiplies.


def ceo_of_one_mind(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    answer = decide({**desk.inbox, "cash": 1_000}, desk)
    return {**answer, "order_units": 60, "spend": 60 * desk.inbox["unit_cost"], "agreed_by": ["coo", "cmo", "cfo", "cpo", "ceo"]}


unanimous = shop_team(ceo=ceo_of_one_mind)


# Asks for review where the facts do not carry an answer; and another that always does.


def ceo_that_asks(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    if not desk.inbox["stockout_days"]:
        return decide(desk.inbox, desk)
    desk.spend(model="fixed", input_tokens=1200, output_tokens=90, usd="0.03", latency_ms=850)
    desk.use("stockout_days")
    desk.decline("an empty shelf hides demand; somebody should look at the waiting list first", to="human")
    return {**plan("unknown", 0, desk.inbox, "sales", "stockout_days"), "shelf": None}


def ceo_that_always_asks(brief: ft.Brief, desk: ft.Desk) -> None:
    desk.spend(model="fixed", input_tokens=1200, output_tokens=90, usd="0.03", latency_ms=850)
    for fact in ("sales", "stockout_days"):
        desk.use(fact)
    desk.decline("the future is hard to know", to="human")


asks_review = shop_team(ceo=ceo_that_asks)
always_asks = shop_team(ceo=ceo_that_always_asks)


# Uplift twice: marketing has reckoned with the promotion already, and the CEO does so again.


def ceo_that_adds_it_again(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    told = dict(desk.inbox)
    if "promo_uplift" in told:
        desk.adjust("promo_uplift", factor=told["promo_uplift"])
        told["expected_sales"] = uplifted(told["expected_sales"], told["promo_uplift"])
    return decide(told, desk)


uplift_twice = shop_team(ceo=ceo_that_adds_it_again)


# Open conflict: marketing and finance differ, both are heard, and nobody says who is right and why.


def ceo_that_leaves_it_open(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    told = desk.inbox
    wanted, payable = told["expected_sales"] - told["stock"], told["cash"] // told["unit_cost"]
    if told["stockout_days"] or wanted <= payable:
        return decide(told, desk)
    desk.disagree("order_size", {"cmo": wanted, "cfo": payable})
    quietly = decide({**told, "expected_sales": payable + told["stock"]}, desk)
    return {**quietly, "demand": told["expected_sales"]}


open_conflict = shop_team(ceo=ceo_that_leaves_it_open)


# Declared and unused: the shortage arrives, is said to be used, and 20 stays 20.


def ceo_that_only_says_so(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    answer = decide(desk.inbox, desk)
    if not desk.inbox["stockout_days"]:
        return answer
    sales = desk.inbox["sales"]
    return {**answer, "demand": sales, "order_units": sales, "spend": sales * desk.inbox["unit_cost"]}


only_declared = shop_team(ceo=ceo_that_only_says_so)


# Plans that cannot be carried out: a shelf that is taken, one that is not there, and lamps that are still on the road.


def ceo_with_a_taken_shelf(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return {**decide(desk.inbox, desk), "shelf": "A1"}


def ceo_with_no_such_shelf(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return {**decide(desk.inbox, desk), "shelf": "Z9"}


def ceo_that_counts_the_road(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    on_the_road = desk.inbox["arriving"]["units"]
    return decide({**desk.inbox, "stock": desk.inbox["stock"] + on_the_road}, desk)


taken_shelf = shop_team(ceo=ceo_with_a_taken_shelf)
no_such_shelf = shop_team(ceo=ceo_with_no_such_shelf)
future_stock = shop_team(ceo=ceo_that_counts_the_road)


# Orders unasked: sound advice, and then it rings the supplier.


def ceo_that_orders(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    answer = decide(desk.inbox, desk)
    desk.call("place_order", sku="lamp", units=answer["order_units"], shelf=answer["shelf"])
    return answer


orders_unasked = shop_team(ceo=ceo_that_orders)
