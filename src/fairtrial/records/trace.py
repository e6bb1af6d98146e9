"""What happened in a trial, as a list of spans in the order they began.

One span is one act; its `attributes` depend on its kind:

========== =========================== ====================================================================
kind       name                        attributes
========== =========================== ====================================================================
agent      the setup or the role       {}
model      the model or ""             model, input_tokens, output_tokens, usd, latency_ms, purpose (each optional); of one that was
                                       asked at the desk also messages [], text, cached_tokens, cache_write_tokens,
                                       reasoning_tokens, waited_ms, tries (only where they are stated, or not 0 and not 1)
tool       the tool                    args {}, result (where it succeeded), outcome: ok | failed | refused | over_budget,
                                       flags (of outside, irreversible, approval, reads, writes, idempotent; only those that hold),
                                       wrote: true | false (did the call change the world; only where it was seen),
                                       fault (the planned fault that came to this call; only where one did)
handoff    "coo->ceo"                  event: sent | received, from, to, facts {name: value}, parcel (its number),
                                       altered: change | hide | contradict (what was done to a fact on its way; only where it was)
use        the fact                    proof: declared
adjustment its id                      whatever the agent stated (factor, ...)
conflict   its id                      event: raised | settled | escalated, positions {role: value} | value, why, cites []
message    "user" or a role            text, ui_card, products, turn
user       "user"                      text, turn, should_end (where the user wants to stop); model, input_tokens, output_tokens, usd (where
                                       a model plays the user); no text but an error of kind simulator_fault, where a turn was refused
approval   the tool                    decision: asked | granted | denied, args {}, by (user or nobody, where the case says ask)
decision   "decline", or what a role    why, to | of: intent, guard, plan, ...; and what was decided
           decided                      (the final answer is the trial's output, not a span)
retry      "retry"                     attempt (the one that ended), accepted (by the setup's own stop rule)
injection  its id                      event: shown | not_shown, in, at (where it was planted)
fault      the tool                    fault, call (its number; as planned where it never came), fired: true | false
========== =========================== ====================================================================

`error` is None or {"kind": ..., "message": ...}. Times are nanoseconds since the epoch; `end_ns` is None where the act never ended.
"""

from __future__ import annotations

from typing import Any

import msgspec

KINDS = (
    "agent",
    "model",
    "tool",
    "message",
    "handoff",
    "use",
    "adjustment",
    "conflict",
    "decision",
    "user",
    "fault",
    "retry",
    "approval",
    "injection",
)


SPOILED = ("empty", "malformed", "conflicting", "stale")
"""Planned faults that put another answer in place of the tool's."""
BROKEN = ("error", "timeout", "commit_then_timeout", "rollback")
"""Planned faults that the agent gets as a failure. The one fault beside both lists is `slow`, which only takes time."""


class Span(msgspec.Struct, array_like=True):
    """One act. `id` and `parent` are text, unique within the trial; `role` is who did it (None for a setup without roles)."""

    id: str
    parent: str | None
    kind: str
    name: str
    role: str | None
    start_ns: int
    end_ns: int | None
    attributes: dict[str, Any]
    error: dict[str, str] | None = None


def as_object(span: Span) -> dict[str, Any]:
    """The span as the JSON object of the public contract."""
    return {name: getattr(span, name) for name in Span.__struct_fields__}
