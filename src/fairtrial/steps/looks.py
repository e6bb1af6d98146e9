"""What is a look at a held-out case: being shown what one of its trials said, did or failed at.

Whatever shows that calls `note` first, and shows nothing where the line cannot be written. Figures and verdicts by case show no
content and are no look; the report of a run therefore withholds the evidence of held-out cases.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from fairtrial.records.ledger import Look
from fairtrial.steps import standings
from fairtrial.steps.truths import scored
from fairtrial.study.heldout import HELD_OUT, read_held_out
from fairtrial.study.humanscore import add_score
from fairtrial.study.report import read_run

if TYPE_CHECKING:
    from fairtrial.records.heldout import HeldOut
    from fairtrial.records.report import RunReport
    from fairtrial.records.run import Run
    from fairtrial.store.sql import Store
    from fairtrial.study.table import Table

LONGEST = 200


def note(store: Store, run: Run, case: str, verb: str, place: tuple[str, int] = ("", 0)) -> bool:
    """Writes a look at `case` of `run` into the ledger; returns whether the case is held out (else nothing is written).

    `place` is (setup, attempt) where one trial is shown. Raises StoreError where the line cannot be written.
    """
    info = next((info for info in run.manifest.cases if info.id == case), None)
    if info is None or info.labels.split != HELD_OUT:
        return False
    store.ledger.add_look(
        Look(
            at_ns=time.time_ns(), who=who(), verb=verb, suite=run.manifest.suite, case=case, hash=info.hash, brief_hash=info.brief_hash,
            run=run.id, setup=place[0], attempt=place[1],
        )
    )  # fmt: skip
    return True


def who() -> str:
    """The user of this computer; with FAIRTRIAL_USER that name, and the user of the computer behind it."""
    named, user = os.environ.get("FAIRTRIAL_USER", "").strip()[:LONGEST], _user()
    return user if named in ("", user) else f"{named} ({user})"


def _user() -> str:
    """By the system's own table, which an environment variable does not change."""
    try:
        import pwd
    except ImportError:  # not on every system
        return os.environ.get("USERNAME") or "unknown"
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"user {os.getuid()}"


def reported(store: Store, table: Table) -> RunReport:
    """The report of a stored run, with its held-out cases apart and measured against the ledger."""
    report = read_run(table)
    report.held_out = held_out(store, table)
    for name, people in scored(store, table).items():
        add_score(report.setups[name], people, table.lanes[name])
    report.canaries = store.canaries.newest(table.run)
    report.judges = standings.of_run(store, table)
    report.notes += standings.since(table, report.judges)
    return report


def held_out(store: Store, table: Table) -> HeldOut | None:
    """The held-out cases of a run, with what is known of looks at them: a case that was an open one before was seen as well."""
    held = [case for case in table.manifest.cases if case.labels.split == HELD_OUT]
    if not held:
        return None
    seen = [*store.ledger.once_open(table.manifest.suite, held), *store.ledger.looks()]
    return read_held_out(table, seen, store.run(table.run).ended_ns)
