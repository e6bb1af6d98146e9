"""The decided object of a lift: single, single with retries and team, at equal total budget.

A number that cannot be had is None, with its reason in `reasons`; money is an exact decimal. Kept out: how it is reckoned.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

from fairtrial.records.corrected import Corrected
from fairtrial.records.report import Difference, Rate


class LiftRow(msgspec.Struct, kw_only=True):
    """One setup in the lift table, over all its cases or those of one slice.

    The bounds of the cost per success are those of its 95 % interval over cases, rounded outwards.
    """

    setup: str
    kind: str
    """single, retry or team."""
    planned: int
    passed: int = msgspec.field(name="pass")
    success_rate: Rate
    corrected: Corrected | None = None
    """The rate with a judge's errors taken out; None where no verdict rests on a judge."""
    cost_mean: Decimal | None
    cost_per_success: Decimal | None
    cost_complete: bool
    latency_mean_ms: float | None
    latency_p95_ms: float | None
    severe: int
    unknown: int
    latency_stated: bool = False
    """Whether the times are the agents' own; so in every row of the table or in none."""
    not_run: int = 0
    cost_per_success_low: Decimal | None = None
    cost_per_success_high: Decimal | None = None
    latency_p50_ms: float | None = None
    severe_upper: float | None = None
    """The highest rate of severe failures, by case, that these cases leave possible at 95 %."""
    over_budget: int = 0


class Reach(msgspec.Struct, kw_only=True):
    """How many trials of a setup passed within a budget. `value` is the mean over cases of passed within ÷ planned.

    `unknown` trials might have: their verdict or their use is not known. `best` counts them as passed within.
    """

    passed: int
    planned: int
    unknown: int
    value: float | None
    low: float | None
    high: float | None
    best: float | None


class AtBudget(msgspec.Struct, kw_only=True):
    """All setups at one budget a trial. `difference`: team − rival."""

    budget: Decimal
    setups: dict[str, Reach]
    difference: Difference | None = None


class Turn(msgspec.Struct, kw_only=True):
    """From this budget on `ahead` has passed more of the shared cases, up to the next turn; empty where both end even."""

    budget: Decimal
    ahead: str


class Curve(msgspec.Struct, kw_only=True):
    """Success within a budget. `measure`: usd, tokens or steps; None where nothing is known of the use, with the `reason`.

    `turns` are exact: every budget at which the order of team and rival changes. They leave out trials of unknown use.
    """

    measure: str | None
    cases: int
    budgets: list[AtBudget] = []
    turns: list[Turn] = []
    reason: str | None = None


class Policy(msgspec.Struct, kw_only=True):
    """A way to send cases: its success (mean over cases) and its mean use a trial, in the measure of the curve."""

    success: float
    use: Decimal | None


class Routing(msgspec.Struct, kw_only=True):
    """A rule that sends some cases to one setup and the rest to another, and how it did on cases not used to choose it.

    `state`: holds, none (no rule held), too_few (cases to choose and to check one), or blocked with the reason in `why`.
    `rule` is the one chosen on all cases; `folds` names those chosen while one part of the cases was held back. All other
    figures are of the held-back cases: routed, and everything to the one or the other.
    """

    state: str
    why: str
    cases: int
    clusters: int
    rule: str | None = None
    send: str | None = None
    rest: str | None = None
    """The rule's cases go to the dearer setup `send`, all others to `rest`."""
    send_team: bool = True
    """Whether `send` is the team; a team may be the cheaper one."""
    folds: list[str] = []
    sent: int = 0
    """Cases that the rule sends away from the cheaper setup."""
    measure: str | None = None
    routed: Policy | None = None
    all_team: Policy | None = None
    all_rival: Policy | None = None
    versus_team: Difference | None = None
    versus_rival: Difference | None = None
    p_value: float | None = None
    """Of the difference to the setup that gets the rest."""
    label_p: float | None = None
    """Whether any label makes a difference to the gain, corrected for all rules looked at."""
    saved: float | None = None
    """The share of the dearer setup's use that routing saves, with its 95 % interval."""
    saved_low: float | None = None
    saved_high: float | None = None


class Lift(msgspec.Struct, kw_only=True):
    """`lift --json`: single, single with retries and team in one table, with paired differences against the team."""

    run: str
    rows: list[LiftRow]
    differences: list[dict[str, Any]]
    fairness: dict[str, Any]
    verdict: str
    """earns_its_cost, does_not_beat, worse, cannot_tell or invalid."""
    says: str
    next: str
    slices: list[dict[str, Any]] = []
    reasons: dict[str, str] = {}
    advice: str = ""
    """keep, route, drop_a_role, take_rival, cannot_tell or invalid."""
    team: str = ""
    """The team that is judged; `judged` says why this one, where the run has several."""
    judged: str = ""
    rival: str = ""
    suite_path: str | None = None
    """The suite that was run; None for an imported run."""
    notes: list[str] = []
    """What must be known beside the difference to the rival, as `compare` notes it."""
    margin: float | None = None
    """The loss of success rate, as a share, up to which a side counts as not worse."""
    curve: Curve | None = None
    routing: Routing | None = None
