"""One attempt of one setup at one case: how it ended, what was said, what changed, what it cost.

A trial is written once. How each ending is treated stands in one table, `FATES`: whose fault, retried or not, and the
verdict where no check can decide.
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Any

import msgspec

from fairtrial.records.budget import Spend
from fairtrial.records.dialogue import Dialogue
from fairtrial.records.edits import Edit
from fairtrial.records.start import Base, Start
from fairtrial.records.trace import Span
from fairtrial.records.verdict import Verdict


class Ending(StrEnum):
    FINISHED = "finished"
    DECLINED = "declined"
    EMPTY = "empty"
    MALFORMED = "malformed"
    TIMEOUT = "timeout"
    OVER_BUDGET = "over_budget"
    TOO_MANY_STEPS = "too_many_steps"
    AGENT_ERROR = "agent_error"
    SIMULATOR_FAULT = "simulator_fault"
    PROVIDER_OUTAGE = "provider_outage"
    WORKER_LOST = "worker_lost"
    HARNESS_ERROR = "harness_error"
    INTERRUPTED = "interrupted"


class Fate(msgspec.Struct, frozen=True):
    """`fault`: agent, harness or nobody. `retries`: how often the harness tries again. `verdict`: None means as graded."""

    fault: str
    retries: int
    verdict: Verdict | None


FATES: dict[Ending, Fate] = {
    Ending.FINISHED: Fate("nobody", 0, None),
    Ending.DECLINED: Fate("nobody", 0, None),
    Ending.EMPTY: Fate("agent", 0, Verdict.FAIL),
    Ending.MALFORMED: Fate("agent", 0, Verdict.FAIL),
    Ending.TIMEOUT: Fate("agent", 0, Verdict.FAIL),
    Ending.OVER_BUDGET: Fate("agent", 0, Verdict.FAIL),
    Ending.TOO_MANY_STEPS: Fate("agent", 0, Verdict.FAIL),
    Ending.AGENT_ERROR: Fate("agent", 0, Verdict.FAIL),
    Ending.SIMULATOR_FAULT: Fate("harness", 1, Verdict.UNKNOWN),
    Ending.PROVIDER_OUTAGE: Fate("harness", 2, Verdict.UNKNOWN),
    Ending.WORKER_LOST: Fate("harness", 2, Verdict.UNKNOWN),
    Ending.HARNESS_ERROR: Fate("harness", 1, Verdict.UNKNOWN),
    Ending.INTERRUPTED: Fate("nobody", 0, Verdict.UNKNOWN),
}


class TrialKey(msgspec.Struct, frozen=True, order=True):
    """The one identity of a trial within a run. `attempt` counts from 1."""

    case: str
    setup: str
    attempt: int


class Decline(msgspec.Struct, frozen=True, omit_defaults=True):
    """The agent said that it cannot or should not decide, and to whom it hands the matter (None: to nobody)."""

    why: str
    to: str | None = None


class Change(msgspec.Struct, frozen=True, array_like=True):
    """One difference between the world before and after. `kind` is added, removed or changed."""

    path: str
    kind: str
    before: Any = None
    after: Any = None


class HeadGlance(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a comparison looks at of a head. Whoever needs no more reads no more: taking records apart is what reading takes."""

    key: TrialKey
    ending: Ending
    wall_ms: float = 0.0
    stated_ms: float | None = None
    """The sum of the latencies the agent stated, where it stated one."""
    spend: Spend = Spend()
    user_usd: Decimal | None = None
    """What the simulated user cost, apart from the agent's own spend; None where it is not known."""
    dialogue: Dialogue | None = None
    """How the conversation went, where the case has a simulated user."""
    start_state: str = ""
    """Hash of the world before the trial."""
    imported: Verdict | None = None
    """The verdict that came with an imported trial; None for trials run here and for imported ones without a verdict."""

    @property
    def own_ms(self) -> float:
        """The wall time that was the agent's: without what its simulated user took to answer. 0 where it is not known."""
        return self.wall_ms if self.dialogue is None else max(self.wall_ms - self.dialogue.waited_ms, 0.0)


class TrialHead(HeadGlance, kw_only=True, omit_defaults=True):
    """The part of a trial that every reading needs; small, and kept beside the body."""

    seed: int
    note: str = ""
    """Why it ended so, in words (the error, the limit that was passed)."""
    started_ns: int = 0
    decline: Decline | None = None
    case_hash: str = ""
    over_budget: str = ""
    """The ceiling that was reached, or nothing."""
    tool_failures: int = 0
    refusals: int = 0
    lost_spans: int = 0
    tries: int = 1
    """How often the harness had to start this trial (harness faults only)."""
    isolation: str = ""


class TrialBody(msgspec.Struct, kw_only=True, omit_defaults=True):
    """All evidence of a trial. `output` is what was answered (UNSET where nothing was).

    The world's states stand in `before` and `after` (None where nothing changed), or, where the start is large, are told by
    `start` and `end`: the start that many trials share, and what differs from it at the end.
    """

    output: Any = msgspec.UNSET
    before: Any = None
    after: Any = None
    start: Start | None = None
    end: list[Edit] = []
    changes: list[Change] = []
    kind: str = ""
    """How `before` and `after` are to be read: "files" for {path: content} (`records/tree.py`), else as they are."""
    patch: str = ""
    """For a world of files: its changes as a unified diff."""
    world_note: str = ""
    """What a reader must know of how the world was kept apart or read: that it was copied, and why."""
    spans: list[Span] = []
    error: str = ""
    """Traceback or standard error, kept as evidence."""
    altered: dict[str, str] = {}
    """Path -> how the stored value differs from what was there (redacted, cut, not encodable). A check that rests on such a
    value cannot be sure of it."""


class Trial(msgspec.Struct, kw_only=True):
    """`base` is what `body.start` names."""

    head: TrialHead
    body: TrialBody
    base: Base | None = None
