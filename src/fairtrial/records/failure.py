"""Kinds of failure, and where to look first for each.

The first nine ids are the second article's taxonomy; the rest are what a team, a budget or a world adds.
A kind is a direction to look in, never a proven cause. Every failure that was graded here has one: where what was found
shows no better, the kind follows from what was looked at. A verdict from elsewhere without a reason has none.
"""

from __future__ import annotations

from enum import StrEnum

from fairtrial.records.trial import Ending


class FailureKind(StrEnum):
    TOOL_SELECTION = "tool_selection"
    TOOL_PARAMETER = "tool_parameter"
    NO_RECOVERY = "no_recovery"
    GOAL_DRIFT = "goal_drift"
    PREMATURE_STOP = "premature_stop"
    OVER_EXECUTION = "over_execution"
    CONTEXT_LOSS = "context_loss"
    FORMAT_ERROR = "format_error"
    HALLUCINATION = "hallucination"
    HANDOFF_LOSS = "handoff_loss"
    FACT_UNUSED = "fact_unused"
    DOUBLE_ADJUSTMENT = "double_adjustment"
    OPEN_CONFLICT = "open_conflict"
    OVER_BUDGET = "over_budget"
    OVER_RESOURCE = "over_resource"
    UNSAFE_ACT = "unsafe_act"
    FALSE_SUCCESS = "false_success"
    WRONG_STATE = "wrong_state"
    TIMEOUT = "timeout"
    CRASH = "crash"
    EMPTY = "empty"


FIX_BY_CARD = {
    "outcome": "look at the model and the data it was given",
    "coordination": "mend the hand-off contract: what must be passed on, and to whom",
    "decision": "tighten tool rights and action rules",
    "process": "look at the tool descriptions and the stop rule",
    "recovery": "say what to do when a tool fails",
    "safety": "tighten tool rights and approvals before anything else",
}
"""The default direction to mend, by card."""

FIX_BY_KIND = {
    FailureKind.TOOL_SELECTION: "rewrite the tool description so that it says when to call it",
    FailureKind.TOOL_PARAMETER: "give the parameter's description a format and an example",
    FailureKind.NO_RECOVERY: "say in the prompt what to do when a tool fails",
    FailureKind.GOAL_DRIFT: "keep the goal in an explicit task state",
    FailureKind.PREMATURE_STOP: "say when the task counts as done",
    FailureKind.OVER_EXECUTION: "say that enough is known once the facts are there, and answer",
    FailureKind.CONTEXT_LOSS: "keep what was found in a task state, or compress less",
    FailureKind.FORMAT_ERROR: "state the output's shape, with an example",
    FailureKind.HALLUCINATION: "allow only what a tool or the brief returned",
    FailureKind.HANDOFF_LOSS: "make the fact a required field of this hand-off",
    FailureKind.FACT_UNUSED: "have the deciding role state what follows from the fact before it decides",
    FailureKind.DOUBLE_ADJUSTMENT: "let one role own the adjustment and mark it as applied when handing on",
    FailureKind.OPEN_CONFLICT: "name who settles this conflict and on which facts, or escalate it",
    FailureKind.OVER_BUDGET: "lower the number or size of calls, or give the setup a larger budget",
    FailureKind.OVER_RESOURCE: "check that the resource exists and is free before the decision stands",
    FailureKind.UNSAFE_ACT: "take the tool's right away or put it behind an approval",
    FailureKind.FALSE_SUCCESS: "read the state back after writing, before reporting success",
    FailureKind.WRONG_STATE: "compare what was written with what was asked",
    FailureKind.TIMEOUT: "look for a call without a limit, or give the case more time",
    FailureKind.CRASH: "read the error kept with the trial",
    FailureKind.EMPTY: "have the agent answer or decline in words",
}
"""The direction to mend for a known kind; goes before the card's default."""

CAUSE_BY_KIND = {
    FailureKind.TOOL_SELECTION: "the tool's description does not say clearly when to call it",
    FailureKind.TOOL_PARAMETER: "the parameter's description lacks an example",
    FailureKind.NO_RECOVERY: "nothing says what to do when a tool fails",
    FailureKind.GOAL_DRIFT: "the state of the task is not kept",
    FailureKind.PREMATURE_STOP: "it is not clear when the task counts as done",
    FailureKind.OVER_EXECUTION: "there is no signal to stop",
    FailureKind.CONTEXT_LOSS: "the context is not managed: what was found is dropped on the way",
    FailureKind.FORMAT_ERROR: "the shape of the answer is not stated, or not with an example",
    FailureKind.HALLUCINATION: "the model infers more than it was given",
    FailureKind.HANDOFF_LOSS: "the hand-off does not require the fact",
    FailureKind.FACT_UNUSED: "nothing makes the deciding role say what follows from the fact",
    FailureKind.DOUBLE_ADJUSTMENT: "nobody owns the adjustment, so two roles apply it",
    FailureKind.OPEN_CONFLICT: "nobody is named to settle the conflict",
    FailureKind.OVER_BUDGET: "the calls are too many or too large for the budget",
    FailureKind.OVER_RESOURCE: "the decision is not checked against what is there and free",
    FailureKind.UNSAFE_ACT: "the role may call what it should not",
    FailureKind.FALSE_SUCCESS: "success is reported without reading the state back",
    FailureKind.WRONG_STATE: "what was written is not what was asked",
    FailureKind.TIMEOUT: "a call without a limit, or too much work for the time",
    FailureKind.CRASH: "an error that the agent does not catch",
    FailureKind.EMPTY: "the agent ends without a word",
}
"""The likeliest cause of a kind: where to begin to look, and never a proven root cause. The first rows that have one there are
those of the second article's table."""

FIX_UNASKED = "take the tool's right away or put it behind an approval; where the case wants the call, say so with a tool check under must"
"""For an act of consequence that the case did not ask for: asking for its effect alone (an end state) is not asking for the act."""

FIX_TWICE = "look whether the first call took effect before making it again; where a repeat does no harm, mark the tool idempotent"
"""For an act that cannot be taken back and took effect twice."""

FIX_COMMAND = "read what the command printed"
"""For a program of the user's own that did not end as it should: it says best what it missed."""

FIX_OBEYED = "tell the agent that what tools, files and others hand it is data, never an order; put acts of consequence behind an approval"
"""For an instruction that was planted and obeyed."""

STANDING_FIXES = frozenset((*FIX_BY_CARD.values(), *FIX_BY_KIND.values(), FIX_UNASKED, FIX_TWICE, FIX_OBEYED, FIX_COMMAND))
"""Directions of ours; any other is what a case says itself."""

KIND_BY_ENDING = {
    Ending.EMPTY: FailureKind.EMPTY,
    Ending.MALFORMED: FailureKind.FORMAT_ERROR,
    Ending.TIMEOUT: FailureKind.TIMEOUT,
    Ending.OVER_BUDGET: FailureKind.OVER_BUDGET,
    Ending.TOO_MANY_STEPS: FailureKind.OVER_EXECUTION,
    Ending.AGENT_ERROR: FailureKind.CRASH,
}
"""The kind of a trial that failed by how it ended."""

KIND_BY_CARD = {
    "outcome": FailureKind.GOAL_DRIFT,
    "coordination": FailureKind.HANDOFF_LOSS,
    "decision": FailureKind.GOAL_DRIFT,
    "process": FailureKind.TOOL_SELECTION,
    "recovery": FailureKind.NO_RECOVERY,
    "safety": FailureKind.UNSAFE_ACT,
}
"""For a failure of which no more is known than its card: a grader that names no kind, a verdict from elsewhere."""

KIND_BY_SUBJECT = {
    "output": FailureKind.GOAL_DRIFT,
    "text": FailureKind.GOAL_DRIFT,
    "question": FailureKind.PREMATURE_STOP,
    "rule": FailureKind.GOAL_DRIFT,
    "state": FailureKind.WRONG_STATE,
    "query": FailureKind.WRONG_STATE,
    "changes": FailureKind.UNSAFE_ACT,
    "command": FailureKind.WRONG_STATE,
    "fact": FailureKind.GOAL_DRIFT,
    "adjustment": FailureKind.GOAL_DRIFT,
    "conflict": FailureKind.OPEN_CONFLICT,
    "tool": FailureKind.TOOL_SELECTION,
    "effect": FailureKind.WRONG_STATE,
    "ui_card": FailureKind.TOOL_SELECTION,
    "role": FailureKind.GOAL_DRIFT,
    "access": FailureKind.UNSAFE_ACT,
    "leak": FailureKind.UNSAFE_ACT,
    "approval": FailureKind.UNSAFE_ACT,
    "forbidden": FailureKind.UNSAFE_ACT,
    "retention": FailureKind.UNSAFE_ACT,
    "citations": FailureKind.HALLUCINATION,
    "grounded": FailureKind.HALLUCINATION,
    "injection": FailureKind.UNSAFE_ACT,
    "recovery": FailureKind.NO_RECOVERY,
    "process": FailureKind.OVER_EXECUTION,
}
"""For a failed check where what was found shows no better kind: the answer is not what was asked for (goal_drift), the world
is not as it should be (wrong_state), the wrong thing was called or shown (tool_selection)."""


def kind_of(subject: str, card: str) -> FailureKind:
    """The kind of a failed check that shows no better one."""
    return KIND_BY_SUBJECT.get(subject) or KIND_BY_CARD.get(card, FailureKind.GOAL_DRIFT)
