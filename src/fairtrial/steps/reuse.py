"""Trials that are in the store already and as good as new ones, and the plan of those that are missing.

Good are trials of the same suite version, seed, program, machine, isolation and graders, of a setup that was given the same and
is made of the same. A trial that the harness spoilt is run again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.run import Planned
from fairtrial.records.trial import TrialKey

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from fairtrial.records.run import Manifest
    from fairtrial.records.setup import Seat
    from fairtrial.store.sql import Store

SAME = ("suite", "suite_version", "seed", "harness", "grader", "environment", "origin")


def reusable(store: Store, wanted: Manifest, first: Collection[str] = ()) -> dict[TrialKey, str]:
    """Which of the wanted trials are there, each with the id of the run that holds it: those `first`, then the newest."""
    keys = set(wanted.trial_keys())
    found: dict[TrialKey, str] = {}
    for line in sorted(store.runs(suite=wanted.suite), key=lambda line: line.run not in first):
        manifest = store.run(line.run).manifest
        same = {seat.setup for seat in wanted.seats if _same(manifest, wanted, seat)}
        if not same:
            continue
        for key in store.keys_done(line.run, faulted=False):
            if key.setup in same and key in keys:
                found.setdefault(key, line.run)
    return found


def _same(manifest: Manifest, wanted: Manifest, seat: Seat) -> bool:
    """Whether a run tried this setup as it is to be tried now."""
    if any(getattr(manifest, field) != getattr(wanted, field) for field in SAME) or seat not in manifest.seats:
        return False
    if manifest.settings.get("isolation") != wanted.settings.get("isolation"):
        return False
    name = seat.change.of if seat.change else seat.setup
    made, making = (one.settings.get("made_of", {}).get(name) for one in (manifest, wanted))
    return made is not None and made == making


def missing(planned: Iterable[Planned], have: Collection[TrialKey] | Mapping[TrialKey, str]) -> tuple[Planned, ...]:
    """What is still to be run. Attempts of a case are planned from the first that is missing to the last."""
    left: list[Planned] = []
    for plan in planned:
        numbers = [number for number in plan.numbers() if TrialKey(plan.case, plan.setup, number) not in have]
        if numbers:
            left.append(Planned(plan.case, plan.setup, numbers[-1] - numbers[0] + 1, numbers[0] - 1))
    return tuple(left)


def sources(have: Mapping[TrialKey, str], setups: Sequence[str]) -> dict[str, list[str]]:
    """By setup the runs that hold its trials."""
    found: dict[str, dict[str, None]] = {setup: {} for setup in setups}
    for key, run in have.items():
        if key.setup in found:
            found[key.setup][run] = None
    return {setup: sorted(runs) for setup, runs in found.items()}
