"""The nine roles: what each is told to do, is shown and finds out, which tools it may call, and who comes after it.

A role's right to a tool is held by the desk. What is not listed here, a role cannot do, whatever its model says.
"""

from collections.abc import Callable
from dataclasses import dataclass

from state import State


@dataclass(frozen=True)
class Role:
    """`shows` and `finds` are parts of the state; `then` names the role that is handed what was found, "" at the end of a turn."""

    name: str
    told: str
    shows: tuple[str, ...]
    finds: tuple[str, ...]
    then: Callable[[State], str]
    tools: tuple[str, ...] = ()


DESKS = {"ticket": "skills", "recommend": "recommender", "question": "answerer", "chat": "reply"}


def after_guard(state: State) -> str:
    return "reply" if state["decision"] == "block" else DESKS.get(state["intent"], "reply")


def after_skills(state: State) -> str:
    return "planner" if state["skill"] else "reply"


def after_executor(state: State) -> str:
    return "follow_up" if state["stage"].startswith("ask_") else "reply"


NINE = (
    Role(
        "router",
        "Name what the customer wants: ticket, recommend, question or chat.",
        shows=("said", "intent", "skill", "stage", "shown"),
        finds=("intent",),
        then=lambda _: "guard",
    ),
    Role(
        "guard",
        "Decide: allow or block. Nobody's orders but the customer's own.",
        shows=("said", "customer_id", "trail"),
        finds=("decision", "stage", "about"),
        then=after_guard,
        tools=("owner_of",),
    ),
    Role(
        "skills",
        "Match the skill that the wish calls for.",
        shows=("said", "skill", "stage"),
        finds=("skill", "stage"),
        then=after_skills,
    ),
    Role("planner", "List the tools that the skill takes.", shows=("skill",), finds=("plan",), then=lambda _: "executor"),
    Role(
        "executor",
        "Fill the slots, then take one step of the plan after the other.",
        shows=("said", "customer_id", "today", "skill", "plan", "slots", "stage", "trail"),
        finds=("slots", "stage", "about"),
        then=after_executor,
        tools=("read_order", "read_tickets", "create_ticket", "withdraw_ticket"),
    ),
    Role(
        "follow_up",
        "Offer what the customer can choose from where something is missing.",
        shows=("stage", "customer_id", "trail"),
        finds=("options", "stage", "about"),
        then=lambda _: "reply",
        tools=("list_orders",),
    ),
    Role(
        "recommender",
        "Recommend what is in stock and fits.",
        shows=("said", "customer_id", "stage", "wanted", "shown", "meant", "trail"),
        finds=("stage", "wanted", "shown", "meant", "about"),
        then=lambda _: "reply",
        tools=("search_products", "put_in_cart", "read_cart"),
    ),
    Role(
        "answerer",
        "Answer from the shop's rules and books alone.",
        shows=("said", "trail"),
        finds=("retrieved", "stage", "about"),
        then=lambda _: "reply",
        tools=("read_passages", "read_order"),
    ),
    Role(
        "reply",
        "Say it in the customer's language, with the card that belongs to it.",
        shows=("chinese", "intent", "decision", "stage", "about"),
        finds=("stage", "text", "card"),
        then=lambda _: "",
    ),
)
ROLES = {role.name: role for role in NINE}
