"""What may be written in a case: every key, its type and its bounds, as one Struct.

The loader reads by these forms and `fairtrial schema case` is made from them, so the two cannot drift apart. A key that is
left out keeps its default here; what the parts of the program see is made from the form in `load.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from fairtrial.records.budget import Budget
from fairtrial.records.fact import FactNote

Text = Annotated[str, Meta(min_length=1)]
Name = Annotated[str, Meta(min_length=1, max_length=1000, pattern=r"^[^\x00-\x1f\x7f]+$", title="without control characters")]
Count = Annotated[int, Meta(ge=1)]
Target = Annotated[str, Meta(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$", title='like "module:function"')]
Moment = Annotated[str, Meta(pattern=r"^(every|first [1-9][0-9]*)$", title='"every" or "first N"', examples=["every", "first 2"])]
RawCheck = dict[str, Any]
"""A check as written; `records/check.py` knows what may stand in it."""


class Form(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of all forms: unknown keys are refused, defaults are not written back."""


class Chance(Form, kw_only=True, frozen=True):
    """A fault that comes by chance, drawn from the trial's seed."""

    p: Annotated[float, Meta(gt=0, le=1)]


class FaultForm(Form, kw_only=True, frozen=True):
    """Planned trouble: which tool, at which of its calls, what happens."""

    tool: Name
    call: Count | Moment | Chance
    fault: Literal["error", "timeout", "empty", "malformed", "conflicting", "stale", "slow", "commit_then_timeout", "rollback"]
    result: Any = UNSET
    message: str | UnsetType = UNSET
    seconds: Annotated[float, Meta(gt=0)] | UnsetType = UNSET


class InjectionForm(Form, kw_only=True, frozen=True):
    """An instruction hidden in outside content, and what shows that it was obeyed."""

    id: Name
    where: Literal["tool", "file", "message", "handoff"] = msgspec.field(name="in")
    at: Text
    text: Text
    field: Text | UnsetType = UNSET
    call: Count | Literal["every"] | UnsetType = UNSET
    obeyed_if: RawCheck


class LineForm(Form, kw_only=True, frozen=True):
    """One entry of a user's script: what is said, when (by what the agent showed last), and whether the user then stops."""

    message: str = ""
    should_end: bool = False
    when: dict[str, Any] = {}
    repeat: bool = False


class UserForm(Form, kw_only=True, frozen=True):
    """The simulated user: who it is, what it wants, when it is done, and what it may know and claim."""

    persona: str = ""
    goal: str = ""
    end: str | RawCheck = ""
    style: Literal["cooperative", "uncooperative", "mistaken", "mind_changing", "mind-changing", "silent"] = "cooperative"
    max_turns: Count | UnsetType = UNSET
    farewells: Count | UnsetType = UNSET
    sees: tuple[Text, ...] | UnsetType = UNSET
    may_claim: dict[str, Any] = {}
    approves: dict[Name, bool] = {}
    hidden: tuple[Text, ...] = ()
    script: tuple[str | LineForm, ...] = ()
    model: Text | UnsetType = UNSET


class TurnForm(Form, kw_only=True, frozen=True):
    """One turn of the conversation that was held before."""

    who: Text = msgspec.field(name="from")
    text: str
    ui_card: str | UnsetType = UNSET
    products: list[Any] | UnsetType = UNSET


class SubtaskForm(Form, kw_only=True, frozen=True):
    """A part of the task with checks of its own; the share of parts done is reported beside the verdict."""

    id: Name
    checks: Annotated[tuple[RawCheck, ...], Meta(min_length=1)]


class CaseForm(Form, kw_only=True, frozen=True):
    """A case as it is written: what is asked, what may be seen, what must and must never happen."""

    id: Name | UnsetType = UNSET
    task: Text
    description: str = ""
    expected: str = ""
    facts: dict[str, Any] = {}
    fact_notes: dict[str, FactNote] = {}
    unknown_ok: bool = False
    must: tuple[RawCheck, ...] = ()
    must_not: tuple[RawCheck, ...] = ()
    limits: tuple[RawCheck, ...] = ()
    subtasks: tuple[SubtaskForm, ...] = ()
    state: Any = None
    expect_state: Any = UNSET
    reference: Any = UNSET
    solution: Any = UNSET
    known_bad: tuple[Any, ...] = ()
    faults: tuple[FaultForm, ...] = ()
    injections: tuple[InjectionForm, ...] = ()
    secrets: tuple[Text, ...] = ()
    principal: dict[str, Any] | UnsetType = UNSET
    approvals: dict[str, Literal["grant", "deny", "ask"]] = {}
    user: UserForm | UnsetType = UNSET
    history: tuple[TurnForm, ...] = ()
    slots: dict[str, Any] = {}
    tier: Literal["unit", "agent", "e2e"] = "e2e"
    role: Name | UnsetType = UNSET
    call: Target | UnsetType = UNSET
    args: dict[str, Any] = {}
    required_tools: tuple[Name, ...] = ()
    trials: Count | UnsetType = UNSET
    budget: Budget | UnsetType = UNSET
    max_steps: Count | UnsetType = UNSET
    timeout_s: Annotated[float, Meta(gt=0)] = 300.0
    tags: tuple[Name, ...] = ()
    difficulty: Literal["easy", "medium", "hard"] | UnsetType = UNSET
    risk: Literal["low", "medium", "high"] = "low"
    source: Literal["real", "edge", "incident", "adversarial"] | UnsetType = UNSET
    kind: Literal["normal", "boundary", "abnormal", "safety", "recovery"] = "normal"
    user_group: Name | UnsetType = UNSET
    owner: Name | UnsetType = UNSET
    library: Literal["capability", "regression"] = "capability"
    split: Literal["open", "held_out"] = "open"
    notes: str = ""


FREE = frozenset(("facts", "slots", "state", "expect_state", "solution", "reference", "args", "principal"))
"""Keys below which any data may stand; an empty CSV cell there is an empty text, elsewhere it states nothing."""

LABELS = ("tags", "difficulty", "risk", "source", "kind", "user_group", "owner", "library", "split", "tier")
FOR_PEOPLE = frozenset(("id", "description", "notes", *LABELS)) - {"tier"}
"""Keys that change nothing about what is asked or how it is judged: a case stays the same case when they change."""
