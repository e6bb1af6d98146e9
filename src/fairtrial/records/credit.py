"""The decided object of `credit`: what each role of a team earns, found by taking it out, replacing it and mending it.

Every effect is the changed team minus the whole team over the same cases. Kept out: how a team is changed (`change.py`), and
the figures' making (`study/credit.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

from fairtrial.records.change import Change
from fairtrial.records.report import Difference

ESSENTIAL, HARMFUL, NO_EFFECT, CANNOT_TELL = "essential", "harmful", "no_effect", "cannot_tell"
HELPS, HURTS = "helps", "hurts"
NEEDED, HARMS = "needed", "harms"
"""Where an effect leans that cannot be told once it is corrected."""


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """A team with one role or several changed. `lost`: what the change takes away besides the role, in words; `refused`: why it
    is not tried, nothing where it is. `information`: kept, removed, or unknown where only the agent's own function could tell."""

    setup: str
    kind: str
    changes: tuple[Change, ...]
    information: str = "kept"
    lost: tuple[str, ...] = ()
    refused: str = ""

    @property
    def roles(self) -> tuple[str, ...]:
        return tuple(change.role for change in self.changes)


class Effect(msgspec.Struct, kw_only=True):
    """What one change did to the team's success: changed minus whole, over the same cases.

    `reading` of a removal or a replacement: essential (success falls), harmful (it rises), no_effect, cannot_tell; of a mend:
    helps, hurts, no_effect, cannot_tell. `p_holm` is corrected for the number of roles (or pairs) looked at in this way.
    `detectable` is the smallest effect that these cases would mostly show. `least` and `most` bound the difference were every
    undecided trial counted against the changed team, or for it. `undecided` are their numbers, whole and changed. `cost_usd`
    and `latency_ms` a trial: changed minus whole. `not_applicable` counts checks that no longer apply. `why` says why it was
    not tried, or why it cannot be told. `leaning`: needed or harms, where the interval lies on one side of 0 and only the
    correction keeps it from being told; `cases_needed` would mostly show it at so many looks.
    """

    kind: str
    roles: list[str]
    setup: str
    tried: bool
    information: str
    lost: list[str]
    reading: str
    why: str = ""
    leaning: str = ""
    cases_needed: int | None = None
    rate: float | None = None
    difference: Difference | None = None
    p_value: float | None = None
    p_holm: float | None = None
    test: str = ""
    detectable: float | None = None
    least: float | None = None
    most: float | None = None
    undecided: list[int] = []
    new_severe: list[str] = []
    cost_usd: dict[str, Any] | None = None
    latency_ms: dict[str, Any] | None = None
    not_applicable: int = 0
    reasons: dict[str, str] = {}


class RoleCredit(msgspec.Struct, kw_only=True):
    """One role. `reading` is that of its removal (of its replacement by a stand-in for the lead). `costs_usd` and `costs_ms` a
    trial: what the team saves without it. `share` is its Shapley value where that was asked for."""

    role: str
    lead: bool
    reading: str
    says: str
    removed: Effect | None = None
    replaced: Effect | None = None
    mended: Effect | None = None
    needed_with: list[str] = []
    """Roles of which one can go, but not both."""
    costs_usd: Decimal | None = None
    costs_ms: float | None = None
    share: dict[str, Any] | None = None
    reasons: dict[str, str] = {}


class Credit(msgspec.Struct, kw_only=True):
    """`credit --json`. `status`: complete, interrupted, incomplete, planned. `trials`: planned, reused, run, not_run; pairs come
    on top and are known once every role was tried: `pairs_at_most`. `where` names by setup the runs that hold its trials."""

    suite: str
    setup: str
    status: str
    verdict: str
    """told, or invalid where nothing of the whole team could be decided."""
    cases: int
    attempts: int
    trials: dict[str, int]
    whole: dict[str, Any]
    roles: list[RoleCredit]
    pairs: list[Effect] = []
    coalitions: dict[str, Any] | None = None
    """With --shapley: how many, the worth of none and of all, and the method."""
    price_usd: Decimal | None = None
    """What the trials still to be run would cost, at what the whole team cost a trial so far."""
    runs: list[str] = []
    where: dict[str, list[str]] = {}
    near: float
    """The largest effect that `no_effect` leaves open, as a share: where the interval reaches further, it cannot be told."""
    says: str
    next: str
    looked_at_before: dict[str, list[str]] = {}
    """By kind of change the roles that stored credit runs of the same team tried and that are not asked for here. The correction
    counts them."""
    not_looked_at: list[str] = []
    """Roles of the team that are not asked for here."""
    command: str = ""
    """What to type for it, where there is a command."""
    notes: list[str] = []
    reasons: dict[str, str] = {}
