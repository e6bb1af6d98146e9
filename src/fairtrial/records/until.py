"""How a run that may stop early was to decide, and what it came to.

The rule stands in the manifest's settings before the first trial. What it came to is read from the stored trials each time, so
that nothing but them decides. Kept out: the bets themselves.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

SETTING = "until_decided"
"""The key of the rule in `Manifest.settings`; a run without one was to be run to its end."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """Set before the first trial. `base` and `new` are setups; `margin` is the loss of success rate, as a share, that still counts
    as not worse. One look is taken after each case that is whole on both sides, in the order of the plan."""

    base: str
    new: str
    level: float = 0.95
    margin: float | None = None
    unit: str = "case"


class UntilDecided(msgspec.Struct, kw_only=True):
    """What a run until decided came to.

    `decision` on new against base: better, worse, not_worse; cannot_tell where the plan was run to its end, open where it was not.
    `stopped`: by the rule, so that what was not run was not to be run. `looks` of at most `most_looks` (one a case) led to it, over
    `trials`; `later` trials were run beside or after it and are in the figures of the setups, never in the decision. `value` is the
    mean case difference with bounds that hold at every look; `unknown` are the undecided trials in it, of base and of new.
    `saved` trials were planned and not run. `least` is the smallest difference, the same in every case, that the whole plan would
    decide; None where it can decide nothing. `new_severe` are cases with a severe failure of new alone: the rule looks at success.
    """

    rule: Rule
    decision: str
    stopped: bool
    looks: int
    most_looks: int
    trials: int
    later: int
    value: float | None
    low: float
    high: float
    method: str
    unknown: tuple[int, int]
    planned: int
    saved: int
    saved_usd: Decimal | None
    least: float | None
    new_severe: list[str]
    says: str
    reasons: dict[str, str] = {}


def rule_of(settings: dict[str, Any]) -> Rule | None:
    """The rule in a manifest's settings; None for a run that was to be run to its end."""
    told = settings.get(SETTING)
    return msgspec.convert(told, Rule) if told else None
