"""All trials of one command: what was planned, with what, and how far it came.

The manifest is written before the first trial. It names all that a later comparison must hold equal or declare.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from fairtrial.records.case import Labels
from fairtrial.records.setup import Seat
from fairtrial.records.trial import TrialKey

MOST_ATTEMPTS = 1_000_000
"""Trials of one case in one setup, at most: a number that nobody meant must not become a plan that nobody can read."""
MOST_TRIALS = 10_000_000
"""Trials of one run, at most."""


class CaseInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a run remembers of a case for reading and pairing. `raw` is kept apart, in the store's table of cases."""

    id: str
    hash: str
    brief_hash: str
    labels: Labels = Labels()
    place: str = ""
    cluster: str | None = None
    """Cases of one cluster (one user, one incident, one document) are not independent."""


class Planned(msgspec.Struct, frozen=True, array_like=True):
    """`attempts` trials of one setup at one case, the first of them attempt number `after` + 1.

    `after` is above 0 where earlier attempts of the same experiment lie in another run and are not run again.
    """

    case: str
    setup: str
    attempts: int
    after: int = 0

    def numbers(self) -> range:
        """The numbers of its attempts."""
        return range(self.after + 1, self.after + self.attempts + 1)


def too_many(planned: Iterable[Planned]) -> str:
    """What is wrong with the size of a plan, in words; nothing where it can be run and read."""
    total = 0
    for plan in planned:
        if plan.attempts > MOST_ATTEMPTS:
            return f"{plan.attempts:,} trials of the case {plan.case!r:.80} are more than the {MOST_ATTEMPTS:,} that one case can have"
        total += plan.attempts
    return f"{total:,} trials are more than the {MOST_TRIALS:,} that one run can have" if total > MOST_TRIALS else ""


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Written first. `setups` holds, by setup, what `run --json` shows: model, prompt, tools, rights, context, memory, start_state, budget.

    `fairness` is the audit's finding; `settings` what the command was asked (jobs, isolation, filters).
    """

    harness: str
    grader: str
    suite: str
    suite_version: str
    suite_path: str = ""
    seed: int = 0
    environment: dict[str, Any] = {}
    setups: dict[str, dict[str, Any]] = {}
    seats: tuple[Seat, ...] = ()
    cases: tuple[CaseInfo, ...] = ()
    planned: tuple[Planned, ...] = ()
    baseline: str | None = None
    candidate: str | None = None
    fair: bool = True
    differences: tuple[str, ...] = ()
    settings: dict[str, Any] = {}
    origin: str = "run"
    """run, or import:FORMAT."""
    untold: tuple[str, ...] = ()
    """Figures of a report that results from elsewhere cannot give, for nothing in them says it: they are unknown, not 0."""
    notes: tuple[str, ...] = ()
    unseated: dict[str, tuple[str, ...]] = {}
    """By setup the cases of tier agent that it was not tried at, for it cannot play their role alone."""
    frame: str = ""
    """A hash of what surrounded the cases: the world, the checks of all, hand-offs and budget."""

    @property
    def purpose(self) -> str:
        """The verb that the trials were run for: `run`; or `credit`, `use`, whose setups were changed to ask about a part."""
        return str(self.settings.get("purpose", "run"))

    @property
    def ordinary(self) -> bool:
        """Whether the setups were tried as they are in the suite."""
        return self.purpose == "run"

    def trial_keys(self) -> list[TrialKey]:
        """Every planned trial, case by case."""
        return [TrialKey(plan.case, plan.setup, n) for plan in self.planned for n in plan.numbers()]


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One run as the store lists it. `status` is running, complete, interrupted or incomplete."""

    id: str
    started_ns: int
    ended_ns: int | None
    status: str
    manifest: Manifest
