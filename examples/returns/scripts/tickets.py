"""The ticket desk: which skill is wanted, by which steps, what the executor does next, and what is asked for."""

from rules import intents, prices, refunds, slots

from scripts.trail import Told, ask, since_write

PLANS = {
    "return_goods": ["read_order", "read_tickets", "create_ticket"],
    "exchange_goods": ["read_order", "read_tickets", "create_ticket"],
    "withdraw_ticket": ["read_tickets", "withdraw_ticket"],
}
NEEDS = {"return_goods": ["order_id", "reason"], "exchange_goods": ["order_id", "wish"], "withdraw_ticket": ["order_id"]}


def skills(seen: Told) -> Told:
    found = intents.skill(seen["said"], seen["skill"])
    said_no = seen["stage"].startswith("confirm") and slots.refuses(seen["said"]) and found == seen["skill"]
    return {"skill": "", "stage": "dropped"} if said_no or found == "drop" else {"skill": found}


def planner(seen: Told) -> Told:
    return {"plan": PLANS[seen["skill"]]}


def executor(seen: Told) -> Told:
    """Fill the slots, then take the next step. That something is done is only said once the books show it."""
    told = {**seen["slots"], **slots.read(seen["said"], seen["stage"])}
    missing = next((need for need in NEEDS[seen["skill"]] if need not in told), None)
    if missing:
        return {"slots": told, "stage": f"ask_{missing}", "about": {}}
    confirmed = told.pop("confirmed", False)
    move = (withdrawing if seen["skill"] == "withdraw_ticket" else opening)(seen, told, confirmed)
    if any(tool not in seen["plan"] for tool, _ in move.get("calls", [])):
        move = {"stage": "failed", "about": {"what": "the plan is not enough"}}
    return {"slots": told, **move}


def opening(seen: Told, told: Told, confirmed: bool) -> Told:
    """The order is read first: whether it can be returned at all, and what there is to pay back."""
    order, move = ask(seen["trail"], "read_order", order_id=told["order_id"])
    if move:
        return move
    kind = "exchange" if seen["skill"] == "exchange_goods" else "refund"
    about: Told = {"order_id": told["order_id"], "kind": kind}
    if order is None:
        return {"stage": "no_such_order", "about": about}
    if refunds.standing(order["status"], order["delivered_on"], seen["today"]) == "too_late":
        return {"stage": "too_late", "about": about}
    amount = prices.total(order["items"]) if kind == "refund" else 0
    reason = told["reason"] if kind == "refund" else told["wish"]
    ticket = {"customer_id": seen["customer_id"], **about, "reason": reason, "amount_fen": amount}
    detail = prices.written(amount) if kind == "refund" else reason
    return booking(seen["trail"], ticket, {**about, "detail": detail}, confirmed)


def booking(trail: list[Told], ticket: Told, about: Told, confirmed: bool) -> Told:
    """Open tickets are looked for, one is opened after a yes, and then it is looked for again. Two tries are enough."""
    written, after = since_write(trail)
    found, move = ask(after, "read_tickets", customer_id=ticket["customer_id"], order_id=ticket["order_id"])
    if move:
        return {"stage": "unsure", "about": {"what": ticket["order_id"]}} if written and "stage" in move else move
    ours = [one["ticket"] for one in found if one["kind"] == ticket["kind"]]
    if ours:
        return {"stage": "done" if written else "already_open", "about": {**about, "ticket": ours[0]}}
    if [step["tool"] for step in trail].count("create_ticket") == 2:
        return {"stage": "failed", "about": {"what": "the ticket"}}
    return {"calls": [("create_ticket", ticket)]} if confirmed else {"stage": "confirm", "about": about}


def withdrawing(seen: Told, told: Told, confirmed: bool) -> Told:
    """The ticket is looked for, withdrawn after a yes, and looked for again."""
    _, after = since_write(seen["trail"])
    found, move = ask(after, "read_tickets", customer_id=seen["customer_id"], order_id=told["order_id"])
    if move:
        return move
    gone = [step["args"]["ticket"] for step in seen["trail"] if step["tool"] == "withdraw_ticket"]
    if gone and gone[-1] not in [ticket["ticket"] for ticket in found]:
        return {"stage": "withdrawn", "about": {"ticket": gone[-1]}}
    if not found:
        return {"stage": "no_ticket", "about": {"order_id": told["order_id"]}}
    ticket = found[0]["ticket"]
    if gone.count(ticket) == 2:
        return {"stage": "failed", "about": {"what": "the ticket"}}
    if not confirmed:
        return {"stage": "confirm_withdrawal", "about": {"ticket": ticket}}
    return {"calls": [("withdraw_ticket", {"ticket": ticket})]}


def follow_up(seen: Told) -> Told:
    """Where the order is missing, the customer's own are shown to choose from."""
    if seen["stage"] != "ask_order_id":
        return {"options": []}
    orders, move = ask(seen["trail"], "list_orders", customer_id=seen["customer_id"])
    return move or {"options": orders}
