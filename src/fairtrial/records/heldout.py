"""What a run says of cases that were kept apart, and which of them had been opened: the decided object.

A held-out score stands only while nobody has looked: once a case was opened, its results are shown as `opened`, never as unseen.
"""

from __future__ import annotations

import msgspec

from fairtrial.records.rate import Rate


class Opened(msgspec.Struct, kw_only=True):
    """A held-out case that was opened: how often, first when (UTC), by whom and with which verb. `after_run`: only after the run
    had ended, so that its result was unseen when it was made, and no later one will be."""

    case: str
    looks: int
    first: str
    who: str
    verb: str
    after_run: bool = False


class SplitRates(msgspec.Struct, kw_only=True):
    """The success rates of one setup. `held_out` covers every held-out case, and is None once one of them was opened;
    `unopened` covers those that nobody has looked at, `opened` the others."""

    open: Rate | None
    held_out: Rate | None
    unopened: Rate | None
    opened: Rate | None
    reasons: dict[str, str] = {}


class HeldOut(msgspec.Struct, kw_only=True):
    """`state`: unseen, or opened. `cases` are all held-out ones of the run."""

    state: str
    cases: list[str]
    opened: list[Opened]
    setups: dict[str, SplitRates]
    says: str
