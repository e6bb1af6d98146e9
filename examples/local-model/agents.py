"""A clerk that is a language model with two tools, and one that is three lines of code.

The model answers with one JSON object a turn, either a call or its last word. Small models do not keep to a tool protocol, but an
engine can hold them to a schema; a model that is held to nothing may still answer with anything, so what it says is read with care.
"""

import json
import os
from typing import Any

import fairtrial as ft

MODEL = os.environ.get("CLERK_MODEL", "openai:local-model")
MOST_TURNS = 6

RULES = """You are the clerk of a shop. You answer one customer about one order.
Tools: get_order(order_id), create_refund(order_id, amount), ask(message) to ask the customer something.
Look at the order first. Refund only an order whose status is "delivered", its full amount, and only once.
Otherwise refund nothing. When you are done, finish with a short reply to the customer.
Answer with one JSON object: {"tool": "get_order", "args": {"order_id": "..."}},
{"tool": "create_refund", "args": {"order_id": "...", "amount": 0}}, {"tool": "ask", "args": {"message": "..."}} or
{"tool": "finish", "args": {"reply": "...", "refunded": true or false}}."""


def _call(name: str, **fields: dict[str, Any]) -> dict[str, Any]:
    args = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    properties = {"tool": {"const": name}, "args": args}
    return {"type": "object", "properties": properties, "required": ["tool", "args"], "additionalProperties": False}


_ORDER = {"type": "string", "maxLength": 12}
ACTION = {
    "anyOf": [
        _call("get_order", order_id=_ORDER),
        _call("create_refund", order_id=_ORDER, amount={"type": "number"}),
        _call("ask", message={"type": "string", "maxLength": 120}),
        _call("finish", reply={"type": "string", "maxLength": 200}, refunded={"type": "boolean"}),
    ]
}


async def clerk(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """Ask the model what to do next, do it, show it what came back, until it finishes or has had its turns."""
    messages = [{"role": "system", "content": RULES}, {"role": "user", "content": brief.task}]
    for _ in range(MOST_TURNS):
        said = await desk.model(MODEL, messages, schema=ACTION)
        messages.append({"role": "assistant", "content": said.text})
        action = read_action(said.text)
        if action is None:
            messages.append({"role": "user", "content": "That was no JSON object with `tool` and `args`. Try again."})
            continue
        name, args = action
        if name == "finish":
            return {"reply": str(args.get("reply", "")), "refunded": args.get("refunded") is True}
        messages.append({"role": "user", "content": f"{name} returned: {await called(desk, name, args)}"})
    return {"reply": "", "refunded": False}


def read_action(text: str) -> tuple[str, dict[str, Any]] | None:
    """The call in a reply; None where there is none."""
    try:
        action = json.loads(text)
        name, args = action["tool"], action["args"]
    except (ValueError, TypeError, KeyError):
        return None
    return (name, args) if isinstance(name, str) and isinstance(args, dict) else None


async def called(desk: ft.Desk, name: str, args: dict[str, Any]) -> str:
    """What a tool or the customer answered, as a text for the model; refusals as well."""
    try:
        if name == "ask":
            return str(await desk.say(str(args.get("message", ""))))
        return json.dumps(await desk.call(name, **args))
    except (ft.ToolFailed, ft.Refused, TypeError) as error:
        return f"error: {error}"


def by_code(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """The same work without a model: what it should have done."""
    try:
        order = desk.call("get_order", order_id=brief.facts["order_id"])
    except ft.ToolFailed:
        return {"reply": f"There is no order {brief.facts['order_id']}.", "refunded": False}
    if order["status"] != "delivered":
        return {"reply": "It has not been delivered yet, so there is nothing to refund.", "refunded": False}
    desk.call("create_refund", order_id=order["order_id"], amount=order["amount"])
    return {"reply": f"Your {order['amount']} is on its way back.", "refunded": True}
