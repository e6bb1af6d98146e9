"""Whether facts are used, as `fairtrial use` decides it: by intervention, beside what was declared and what was found.

Readings: `used`, `not_used`, `cannot_tell`, `not_received`. A number that cannot be had is None, with why in `reasons`.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec


class UseShift(msgspec.Struct, kw_only=True):
    """One fact altered in one way, over all cases: `value` is how much more often the altered runs differ from the controls than
    these differ among themselves (`noise`), with its interval over cases. `p_adjusted` is Holm's over all rows.

    `unseen`: a use in up to this share of decisions leaves room in the interval. `setup` names the altered trials in the run.
    `undecided`: altered runs and controls that came to no decision.
    """

    fact: str
    how: str
    setup: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    noise: float | None
    unseen: float | None
    p_value: float | None
    p_adjusted: float | None
    test: str
    runs: int
    controls: int
    undecided: tuple[int, int]
    reading: str
    says: str
    reasons: dict[str, str] = {}


class UseCase(msgspec.Struct, kw_only=True):
    """One fact altered in one way in one case. `was` and `put_in` are the value as received and in its place; `moved` of `runs`
    altered runs decided otherwise than any control did; `shift` and `noise` are shares of pairs of runs."""

    case: str
    fact: str
    how: str
    was: Any
    put_in: Any
    runs: int
    moved: int
    shift: float | None
    noise: float | None
    p_value: float | None
    reading: str
    why: str = ""


class UseProof(msgspec.Struct, kw_only=True):
    """The three grades of evidence for one fact in one case: in how many of the `of` controls the role declared it, in how many
    it shows in what it said, and what the intervention showed. `reading`: confirmed, declared_not_used, used_undeclared,
    not_used, cannot_tell or not_received."""

    case: str
    fact: str
    to: str
    declared: int
    found: int
    of: int
    shown: str
    reading: str


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A case in which a fact could not be altered, and why. `kind`: not_received, not_replayable or no_value."""

    case: str
    fact: str
    kind: str
    why: str


class UseReport(msgspec.Struct, kw_only=True):
    """`run` holds the altered trials and the controls (None: there was nothing to run), `trials` of `planned` ones of which were run;
    `recorded` is the run whose trials were replayed. `replay` is `downstream` (only `acted` act again) or `whole` (every role does).
    `facts` gives the reading of each."""

    says: str
    suite: str
    setup: str
    to: str
    run: str | None
    recorded: str
    replay: str
    replayed: list[str]
    acted: list[str]
    facts: dict[str, str]
    shifts: list[UseShift] = []
    proofs: list[UseProof] = []
    cases: list[UseCase] = []
    left_out: list[LeftOut] = []
    status: str = "complete"
    planned: int = 0
    trials: int = 0
    cost_usd: Decimal | None = None
    notes: list[str] = []
    reasons: dict[str, str] = {}


class Decides(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What of a trial decides: paths of the answer ($: the whole), and by tool the arguments of its calls that count."""

    answer: tuple[str, ...] = ()
    acts: dict[str, tuple[str, ...]] = {}


class UsePlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a run of altered trials was planned as; it stands in the manifest's settings under `use`, so that the run can be read
    again by itself. `ways` are (fact, how, setup); `values` maps a fact and a case to what was received and what was put in."""

    setup: str
    to: str
    recorded: str
    control: str
    replayed: tuple[str, ...] = ()
    acted: tuple[str, ...] = ()
    ways: tuple[tuple[str, str, str], ...] = ()
    values: dict[str, dict[str, tuple[Any, Any]]] = {}
    left_out: tuple[LeftOut, ...] = ()
    by_parcel: tuple[tuple[str, str], ...] = ()
    """(fact, case) where the role gets the fact in a parcel; elsewhere it has it in its own brief or state."""
    attempts: dict[str, int] = {}
    """By case which attempt of the recorded run is replayed."""
    looked_at: dict[str, Decides] = {}
    """By case what decides."""
    notes: tuple[str, ...] = ()
