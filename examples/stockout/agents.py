"""One analyst and one team of five, with fixed answers: what is tried here is the trial itself, so no model is asked.

To try your own, keep the two signatures and put a model call where `desk.spend` stands.
"""

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import fairtrial as ft


def plan(demand: Any, order: int, facts: dict[str, Any], *evidence: str) -> dict[str, Any]:
    """The answer all of them give: what is believed, what is advised, and on which facts."""
    return {
        "demand": demand,
        "order_units": order,
        "spend": order * facts["unit_cost"],
        "shelf": facts["free_shelves"][0],
        "stock_counted": facts["stock"],
        "evidence_used": list(evidence),
    }


# One agent. Its first look is at the till alone; only a second attempt looks at the shelf as well.


def analyst(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    sku = brief.facts["sku"]
    sales = desk.call("read_sales", sku=sku)["sales"]
    desk.use("sales")
    if desk.attempt == 1:
        desk.spend(model="fixed", input_tokens=900, output_tokens=120, usd="0.03", latency_ms=600)
        return plan(sales, max(sales - brief.facts["stock"], 0), brief.facts, "sales")
    empty_days = desk.call("read_stock", sku=sku)["stockout_days"]
    desk.use("stockout_days")
    desk.spend(model="fixed", input_tokens=1100, output_tokens=120, usd="0.03", latency_ms=500 if empty_days else 450)
    if empty_days:
        return plan("unknown", 35, brief.facts, "sales", "stockout_days")
    return plan(sales, max(sales - brief.facts["stock"], 0), brief.facts, "sales", "stockout_days")


def looks_complete(brief: ft.Brief, answer: Any, trace: list[dict[str, Any]]) -> bool:
    """The retry's own stop rule. It knows no grade; it only wants the shelf to have been looked at."""
    return any(span["kind"] == "tool" and span["name"] == "read_stock" for span in trace)


# The team. Each role sees its own facts and hands them to the CEO, who sees none and decides.


def coo(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    found = desk.call("read_sales", sku=brief.facts["sku"]) | desk.call("read_stock", sku=brief.facts["sku"])
    desk.spend(model="fixed", input_tokens=400, output_tokens=60, usd="0.015", latency_ms=250)
    return {**found, "arriving": brief.facts["arriving"]}


def cmo(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    desk.spend(model="fixed", input_tokens=400, output_tokens=60, usd="0.015", latency_ms=200)
    sales, uplift = brief.facts["sales"], brief.facts.get("promo_uplift")
    if uplift is None:
        return {"expected_sales": sales}
    desk.adjust("promo_uplift", factor=uplift)
    return {"expected_sales": uplifted(sales, uplift), "promo_uplift": uplift}


def cfo(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    desk.spend(model="fixed", input_tokens=400, output_tokens=60, usd="0.015", latency_ms=200)
    return {"cash": brief.facts["cash"], "unit_cost": brief.facts["unit_cost"]}


def cpo(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    desk.spend(model="fixed", input_tokens=400, output_tokens=60, usd="0.015", latency_ms=200)
    return {"free_shelves": brief.facts["free_shelves"]}


def ceo(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return decide(desk.inbox, desk)


def decide(told: dict[str, Any], desk: ft.Desk) -> dict[str, Any]:
    """The CEO's judgement, from what the others handed over."""
    unclear = bool(told.get("stockout_days"))
    desk.spend(model="fixed", input_tokens=1200, output_tokens=160, usd="0.03", latency_ms=850 if unclear else 650)
    desk.use("sales")
    if unclear:
        desk.use("stockout_days")
        return plan("unknown", 45, told, "sales", "stockout_days")
    demand = told["expected_sales"]
    wanted, payable = max(demand - told["stock"], 0), told["cash"] // told["unit_cost"]
    if wanted > payable:
        desk.disagree("order_size", {"cmo": wanted, "cfo": payable})
        desk.settle("order_size", payable, why="there is no more cash", cites=["cash"])
    return plan(demand, min(wanted, payable), told, "sales", "stock", "cash")


def uplifted(sales: int, factor: str) -> int:
    """Sales under a promotion, to the nearest unit."""
    return int((sales * Decimal(factor)).quantize(Decimal(1), ROUND_HALF_UP))


def shop_team(**others: Any) -> ft.Team:
    """The five, with any of them replaced: `shop_team(ceo=another_ceo)`."""
    act = {"coo": coo, "cmo": cmo, "cfo": cfo, "cpo": cpo, "ceo": ceo, **others}
    look, buy = ["read_sales", "read_stock"], ["place_order"]
    return ft.Team(
        [
            ft.Role("coo", act["coo"], sees=["sku", "sales", "stockout_days", "stock", "arriving"], tools=look, hands_to=["ceo"]),
            ft.Role("cmo", act["cmo"], sees=["sku", "sales", "promo_uplift"], tools=[], hands_to=["ceo"]),
            ft.Role("cfo", act["cfo"], sees=["cash", "unit_cost"], tools=[], hands_to=["ceo"]),
            ft.Role("cpo", act["cpo"], sees=["sku", "free_shelves"], tools=[], hands_to=["ceo"]),
            ft.Role("ceo", act["ceo"], sees=[], tools=buy),
        ],
        lead="ceo",
    )


board = shop_team()
