"""What is run after a mend: the case that failed by itself, and the whole suite as it was run before.

Kept out: running it (`running.py`), and what it came to (`study/retest.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.steps import looks, reading
from fairtrial.steps.options import RunOptions

if TYPE_CHECKING:
    from fairtrial.records.run import Manifest
    from fairtrial.store.sql import Store


class Before(NamedTuple):
    """A run that is made again: its id, its suite's file, how it was asked for, and its trials of the case."""

    run: str
    suite: str
    options: RunOptions
    trials: int


def wanted(store: Store, reference: str, case: str) -> Before:
    """What `retest RUN[:SETUP] CASE` is to make again. Raises InputError where the run was imported or has no such case."""
    name, setup = reading.split_reference(reference)
    stored = store.run(name)
    manifest = stored.manifest
    if not manifest.suite_path:
        raise InputError("an imported run cannot be run again", value=stored.id)
    if case not in {info.id for info in manifest.cases}:
        reading.find_trial(store, reference, case, 1)
    looks.note(store, stored, case, "retest", (setup or "", 0))
    most = max(plan.attempts for plan in manifest.planned if plan.case == case)
    return Before(stored.id, manifest.suite_path, _as_before(manifest, setup, store.url), most)


def alone(before: Before, case: str) -> RunOptions:
    """The same for one case, as often as it was tried."""
    return msgspec.structs.replace(before.options, cases=(case,), trials=before.trials)


def _as_before(manifest: Manifest, setup: str | None, url: str) -> RunOptions:
    return RunOptions(
        setups=(setup,) if setup else tuple(seat.setup for seat in manifest.seats),
        cases=tuple(info.id for info in manifest.cases),
        store=url,
        isolate=manifest.settings.get("isolate"),
        allow_unfair=bool(manifest.settings.get("allow_unfair")) or setup is not None,
        seed=manifest.seed,
    )
