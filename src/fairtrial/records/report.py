"""The decided objects: computed once, rendered by every output.

Field names are those of the public JSON contract. A number that cannot be had is None, with the reason in `reasons`
under the field's name; it is never 0 or NaN. Money is an exact decimal (text in JSON).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

from fairtrial.records.canary import CanaryReport
from fairtrial.records.chance import Attempts, Chain
from fairtrial.records.corrected import Corrected
from fairtrial.records.heldout import HeldOut
from fairtrial.records.judging import JudgingCost, RubricScore
from fairtrial.records.rate import Rate as Rate  # noqa: PLC0414 - it is found here with the other decided objects
from fairtrial.records.review import HumanScore
from fairtrial.records.standing import Standing
from fairtrial.records.until import UntilDecided


class CardCount(msgspec.Struct, kw_only=True):
    """Trials by the verdict of one card; trials without a check on that card are in none of the three."""

    passed: int = msgspec.field(name="pass", default=0)
    fail: int = 0
    unknown: int = 0


class Streak(msgspec.Struct, kw_only=True):
    min: int
    median: float
    max: int


class Shape(msgspec.Struct, kw_only=True):
    always: int = 0
    sometimes: int = 0
    never: int = 0


class Subtasks(msgspec.Struct, kw_only=True):
    rate: float | None = None
    by_id: dict[str, float | None] = {}


class Cost(msgspec.Struct, kw_only=True):
    """`complete` is False where some use has no price: `total` is then a lower bound ("at least")."""

    total: Decimal | None
    mean: Decimal | None
    per_success: Decimal | None
    complete: bool
    known: int
    """Trials whose cost is fully known."""


class Latency(msgspec.Struct, kw_only=True):
    """Milliseconds. `stated`: the agents' own figures, only where every trial states one; else measured wall time."""

    mean: float | None
    p50: float | None
    p95: float | None
    max: float | None
    stated: bool
    n: int


class Tokens(msgspec.Struct, kw_only=True):
    input: int | None
    output: int | None
    complete: bool


class ChainLink(msgspec.Struct, kw_only=True):
    """One hand-off: `kept` is the mean over cases of held ÷ decided, `n` the decided trials, `cases` those that have one."""

    handoff: str
    kept: float | None
    n: int
    unknown: int = 0
    low: float | None = None
    high: float | None = None
    cases: int = 0


class Noted(msgspec.Struct, kw_only=True):
    """A process finding: in how many trials, and how often in all."""

    trials: int
    times: int


class Recoveries(msgspec.Struct, kw_only=True):
    """Failures of tools that were met, by what came of them. `unfired` are planned faults that never came: they give no score."""

    met: int = 0
    retried: int = 0
    other_path: int = 0
    reported: int = 0
    came_right: int = 0
    went_on: int = 0
    claimed: int = 0
    left: int = 0
    unknown: int = 0
    unfired: int = 0


class Users(msgspec.Struct, kw_only=True):
    """The simulated users of a setup, counted apart from its agent. `repeated` are dialogues that the harness held again;
    `faults` are those of all in which the user broke its rules, `rejected` single replies that did; `ends` by reason."""

    dialogues: int
    repeated: int
    faults: int
    fault_rate: float
    rejected: int
    turns_mean: float | None
    turns_max: int
    ends: dict[str, int]
    calls: int
    tokens: Tokens


class SetupReport(msgspec.Struct, kw_only=True):
    """Every figure of one setup in one run. planned = pass + fail + unknown + not_run, always. A count is None where results
    from elsewhere do not tell it."""

    planned: int
    passed: int = msgspec.field(name="pass")
    fail: int
    unknown: int
    not_run: int
    errors: int
    ungraded: int = 0
    """Run trials that no grader has seen."""
    grader_faults: int = 0
    """Trials with a check whose grader could not do its work; they are not fully graded."""
    declined: int | None
    not_applicable: int
    severe: int | None
    severe_upper: float | None
    success_rate: Rate
    corrected: Corrected | None = None
    """The success rate with a judge's errors taken out; None where no verdict rests on a judge."""
    trial_success_rate: float | None
    cards: dict[str, CardCount]
    pass_at: dict[str, float]
    pass_hat: dict[str, float]
    first_try: float | None
    all_trials: float | None
    longest_streak: Streak | None
    stability: float | None
    shape: Shape
    subtasks: Subtasks
    rubrics: dict[str, RubricScore] = {}
    """By the name of a model judge what it said of the trials."""
    human_score: float | None = None
    human: HumanScore | None = None
    """What that rests on; None where no trial has a label of people."""
    cost_usd: Cost
    user_cost_usd: Cost | None = None
    """What the simulated user cost, apart from the agent's; None where there was none or it is not stated."""
    users: Users | None = None
    """None where nobody was simulated."""
    latency_ms: Latency
    measured_ms: Latency
    tokens: Tokens
    tool_calls: int | None
    tool_call_accuracy: float | None
    steps: int | None
    retries: int | None
    over_budget: int | None
    handover_rate: float | None
    recovery_rate: float | None
    recoveries: Recoveries = msgspec.field(default_factory=Recoveries)
    process: dict[str, Noted] = {}
    """Process findings by name (`records/remark.py`)."""
    step_efficiency: float | None
    chain: list[ChainLink]
    chain_product: float | None = None
    """Product of the links' rates: true only if the hand-offs fail independently."""
    chain_joint: float | None = None
    """Share of trials in which every hand-off held."""
    chain_whole: Chain | None = None
    """The two side by side, with intervals; None where no hand-off is under contract."""
    attempts: Attempts | None = None
    """pass@k and pass^k as counted, beside the line of independence; None where no case was tried twice."""
    endings: dict[str, int]
    failure_kinds: dict[str, int]
    slices: dict[str, dict[str, Rate]]
    """By label (tag, difficulty, source, kind, risk, user_group, library, tier) and value."""
    reasons: dict[str, str] = {}


class CaseReport(msgspec.Struct, kw_only=True):
    """One case in one setup. `verdicts` in attempt order; "NOT_RUN" where a planned trial has not been run."""

    id: str
    setup: str
    verdicts: list[str]
    failed: list[dict[str, Any]]
    unknown: list[dict[str, Any]]
    process: list[dict[str, Any]] = []
    """Process findings: attempt, name, why, spans."""
    withheld: int = 0
    """Of a held-out case: how many failed and unknown checks and findings are not shown here."""


class Score(msgspec.Struct, kw_only=True):
    """Weighted scores from 1 to 5, by case (the mean of its trials): their mean, lowest and highest, over the `n` trials that have one.

    `unknown` trials have none. `source`: code (labelled checks) or judge; of a judge's `failed_by_code` trials were failed before it
    was asked, and have the lowest score.
    """

    mean: float | None
    min: float | None
    max: float | None
    n: int
    unknown: int
    by_dimension: dict[str, float] = {}
    source: str = "code"
    judge: str | None = None
    failed_by_code: int = 0


class TierReport(msgspec.Struct, kw_only=True):
    """One tier in one setup, with its pass standard. `state`: holds, fails or open; `why` says what keeps it from holding.

    `not_applicable` are the cases of the tier that the setup was not tried at, for it cannot play their role alone.
    `groups`: by tag of its cases, the trials passed and planned, and the scores.
    """

    tier: str
    setup: str
    cases: int
    planned: int
    passed: int = msgspec.field(name="pass")
    fail: int
    unknown: int
    not_run: int
    not_applicable: int
    severe: int
    standard: str
    state: str
    why: str = ""
    score: Score | None = None
    groups: dict[str, dict[str, Any]] = {}


class RunReport(msgspec.Struct, kw_only=True):
    """`run --json`, `demo --json`, `show RUN --json`."""

    run: str
    status: str
    suite: dict[str, str]
    manifest: dict[str, Any]
    fairness: dict[str, Any]
    setups: dict[str, SetupReport]
    cases: list[CaseReport]
    notes: list[str] = []
    tiers: list[TierReport] = []
    held_out: HeldOut | None = None
    """Open and held-out cases apart; None where the run has no held-out case."""
    judges: dict[str, Standing] = {}
    """How the judges that it heard stand today."""
    judging: JudgingCost | None = None
    """What asking model judges took, apart from the agents; None where the run has none."""
    until_decided: UntilDecided | None = None
    """What the rule of a run until decided came to; None for a run that was to be run to its end."""
    canaries: CanaryReport | None = None
    """What became of the known answers that were put to its graders; None where none were."""


class Difference(msgspec.Struct, kw_only=True):
    """A paired difference (new - base) with its interval. `n` is the number of pairs.

    `worst` and `best` bound it were every UNKNOWN and unrun trial to count against the new side, or for it.
    """

    value: float | None
    low: float | None
    high: float | None
    method: str
    n: int
    worst: float | None = None
    best: float | None = None


class Comparison(msgspec.Struct, kw_only=True):
    """`compare --json`. `verdict`: better, not_worse, worse, cannot_tell, invalid; `says` is one plain sentence, `next` its last clause.

    `sides` counts both over the shared cases; `margin` is the loss up to which new counts as not worse; `p_holm` is the p-value
    that decides where several candidates are held against one base.
    """

    base: str
    new: str
    comparable: dict[str, Any]
    pairs: int
    fixed: list[str]
    broken: list[str]
    improved: list[str]
    declined: list[str]
    unchanged_pass: int
    unchanged_fail: int
    unknown: list[str]
    new_severe: list[str]
    only_base: list[str] = []
    only_new: list[str] = []
    changed: list[str] = []
    difference: Difference
    corrected: Corrected | None = None
    """The difference with the judges' errors taken out; None where no verdict of either side rests on a judge."""
    withdrawn: bool = False
    """The verdicts of judges would decide, and only what is known of their errors keeps them from it."""
    p_value: float | None
    p_holm: float | None = None
    test: str
    margin: float | None = None
    mcnemar: dict[str, Any]
    detectable: float | None
    sides: dict[str, Any] = {}
    cost: dict[str, Any]
    latency: dict[str, Any]
    tool_calls: dict[str, Any]
    tokens: dict[str, Any]
    verdict: str
    says: str
    next: str = ""
    slices: list[dict[str, Any]] = []
    reasons: dict[str, str] = {}
    notes: list[str] = []
    """What must be known beside the figures: what they cover, how they pair, and what they do not hold for."""
