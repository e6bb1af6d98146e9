"""What is known during one talk. It goes from role to role and from turn to turn, and ends with the trial."""

from typing import Any, TypedDict

from words import is_chinese


class State(TypedDict, total=False):
    """`stage` is where the talk stands, `about` what the stage is about; `trail` are the calls made so far."""

    customer_id: str
    today: str
    said: str
    chinese: bool
    intent: str
    decision: str
    skill: str
    plan: list[str]
    slots: dict[str, Any]
    stage: str
    about: dict[str, Any]
    options: list[dict[str, Any]]
    calls: list[dict[str, Any]]
    trail: list[dict[str, Any]]
    wanted: dict[str, Any]
    shown: list[dict[str, Any]]
    meant: dict[str, Any] | None
    retrieved: list[str]
    text: str
    card: str | None


OVER = ("done", "already_open", "withdrawn", "dropped", "too_late", "no_ticket", "failed", "unsure")
"""Stages at which a ticket's business is over."""


def first(said: str, facts: dict[str, Any], slots: dict[str, Any]) -> State:
    """The state at the first sentence; the facts and slots of a case may set it in the midst of a talk."""
    empty: State = {
        "intent": "",
        "decision": "",
        "skill": "",
        "plan": [],
        "stage": "",
        "about": {},
        "options": [],
        "calls": [],
        "trail": [],
        "wanted": {},
        "shown": [],
        "meant": None,
        "retrieved": [],
        "card": None,
    }
    return {**empty, "said": said, "chinese": is_chinese(said), "slots": dict(slots), **facts}  # type: ignore[typeddict-item]


def heard(state: State, said: str) -> State:
    """The state as the next sentence finds it: what is over is put away, and failed calls may be tried again.

    Who has once written Chinese is answered in Chinese.
    """
    over = state["stage"] in OVER
    trail = [step for step in state["trail"] if "result" in step and not (over and "ticket" in step["tool"])]
    business: State = {"skill": "", "slots": {}} if over else {}
    chinese = state["chinese"] or is_chinese(said)
    fresh: State = {"said": said, "chinese": chinese, "calls": [], "about": {}, "options": [], "retrieved": []}
    return {**state, **business, **fresh, "trail": trail}
