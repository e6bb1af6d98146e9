"""The assistant as the harness seats it, three that go wrong in one way each, and every role alone.

The graph is the same for all. What differs is the model that speaks for the roles.
"""

from collections.abc import Mapping
from typing import Any

from graph import ALONE, NOTED, SHOP, Counter
from model import Script, ScriptedModel
from roles import ROLES
from rules import cards
from scripts import SCRIPTS
from scripts.shopping import recommender
from scripts.tickets import executor
from state import first, heard

import fairtrial as ft


def staffed(**changed: Script) -> tuple[Any, Any]:
    """An assistant for a whole talk, and one that plays a single role; `changed` are the roles that go by another script."""
    model = ScriptedModel(scripts={**SCRIPTS, **changed})

    def serve(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
        state, counter, said = first(brief.task, brief.facts, brief.slots), Counter(desk, model), brief.task
        done = []
        while said is not None:
            state = SHOP.invoke(heard(state, said), context=counter)
            if state["stage"] in ("done", "withdrawn", "in_cart"):
                done.append({"stage": state["stage"], **state["about"]})
            said = desk.say(state["text"], ui_card=state["card"], by="reply", **seen_by_user(state))
        return {"done": done, "stage": state["stage"], "text": state["text"]}

    def play(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
        role = ROLES[desk.role]
        state = ALONE[role.name].invoke(first(brief.task, brief.facts, brief.slots), context=Counter(desk, model))
        return {NOTED.get(key, key): state[key] for key in role.finds}

    return serve, play


def seen_by_user(state: Mapping[str, Any]) -> dict[str, Any]:
    """What goes along with a card."""
    shown = {"products": state["shown"] if state["card"] == "products" else None, "orders": state["options"]}
    return {name: value for name, value in shown.items() if value}


assistant, role = staffed()


# A guard that trusts everybody.

trusting, trusting_role = staffed(guard=lambda _: {"decision": "allow"})


# An executor that says "done" where it should have written.


def all_talk(seen: dict[str, Any]) -> dict[str, Any]:
    move = executor(seen)
    for tool, args in move.get("calls", []):
        if tool == "create_ticket":
            about = {"order_id": args["order_id"], "kind": args["kind"], "detail": args["reason"], "ticket": 1}
            return {"slots": move["slots"], "stage": "done", "about": about}
    return move


talking, talking_role = staffed(executor=all_talk)


# A recommender with no memory: "the second one" is the second one of the catalogue.


def forgetful(seen: dict[str, Any]) -> dict[str, Any]:
    if not cards.names_one(seen["said"]):
        return recommender(seen)
    catalogue = [
        {"product_id": "P-11", "name": "Heron kettle", "price_fen": 15900, "blurb": "one litre, quiet"},
        {"product_id": "P-12", "name": "Otter kettle", "price_fen": 12900, "blurb": "one and a half litres"},
    ]
    return recommender({**seen, "shown": catalogue})


forgetting, forgetting_role = staffed(recommender=forgetful)
