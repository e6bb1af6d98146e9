"""How the conversation of one trial went: why it ended, how long it was, what the simulated user took. Never part of the agent's.

Kept out: what was said, which stands in the trace (spans of the kinds `message` and `user`).
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

MOST_TURNS = 15
"""Turns of a dialogue whose case states no `max_turns`."""
SEES = ("reply", "card", "products")
"""What a user sees whose case states no `sees`."""
ENDS = ("equals", "not_equals", "in", "contains", "min", "max", "length", "exists")
"""What may be expected of the state that ends a dialogue."""


class Over(StrEnum):
    """Why a dialogue ended. Where the trial ended otherwise (a crash, a deadline), its ending's own name stands instead."""

    GOAL_REACHED = "goal_reached"
    USER_ENDED = "user_ended"
    TURN_LIMIT = "turn_limit"
    FAREWELL_LOOP = "farewell_loop"
    AGENT_ENDED = "agent_ended"
    OVER_BUDGET = "over_budget"
    SIMULATOR_FAULT = "simulator_fault"
    SIMULATOR_OUTAGE = "simulator_outage"


class Dialogue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`turns` are pairs of a user's message (the task is the first) and what the agent said to it. `rejected` are replies of
    the simulator that broke a rule, `calls` its model calls; tokens are None where no call states them."""

    ended: str
    why: str = ""
    turns: int = 0
    rejected: int = 0
    model: str = ""
    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    tokens_complete: bool = True
    waited_ms: float = 0.0
    """Time that passed while the simulator's model was asked; part of the trial's wall time and none of the agent's."""
