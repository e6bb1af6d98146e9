"""Runs from elsewhere into the store, and stored runs out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.exchange.formats import exporter, importer
from fairtrial.exchange.tablecolumns import columns_of
from fairtrial.graders.assess import notice
from fairtrial.records.errors import FairtrialError, InputError
from fairtrial.records.trial import Trial
from fairtrial.steps.looks import reported
from fairtrial.steps.reading import read_table, split_reference
from fairtrial.steps.running import new_run_id
from fairtrial.steps.withdrawn import Today
from fairtrial.store.door import Door

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.exchange.formats import Imported
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.trial import TrialHead
    from fairtrial.store.sql import Store

BATCH = 500
TABLES = ("csv", "jsonl")


class ImportReport(msgspec.Struct, kw_only=True):
    """`import --json`. `run` is set where exactly one run was imported; `files` tells which run each file became, and its setups."""

    runs: list[str]
    run: str | None
    rows: int
    files: list[dict[str, Any]]
    refused: list[dict[str, Any]]


def import_files(store: Store, name: str, files: Sequence[str], options: dict[str, Any]) -> ImportReport:
    """Each file becomes a run. A file that cannot be read is refused with its reason; its neighbours are imported."""
    reader = importer(name)
    options = {key: value for key, value in options.items() if value}
    renamed, ignored = options.pop("renamed", ()), options.pop("ignored", ())
    if (renamed or ignored) and name not in TABLES:
        raise InputError(f"{name} files have no columns of their own", mend="leave --map and --ignore out")
    if renamed or ignored:
        options["columns"] = columns_of(renamed, ignored)
    brought: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    for file in files:
        try:
            found = reader(file, **options)
            run = _store(store, found)
        except FairtrialError as error:
            refused.append({"file": file, "line": None, "why": str(error)})
            continue
        setups = list(dict.fromkeys(plan.setup for plan in found.manifest.planned))
        brought.append({"file": file, "run": run, "rows": found.rows, "setups": setups})
        refused += [{"file": file, "line": entry.line, "why": entry.why} for entry in found.refused]
    if not brought:
        raise InputError("nothing could be imported:\n  " + "\n  ".join(str(entry["why"]) for entry in refused))
    runs = [str(one["run"]) for one in brought]
    rows = sum(int(one["rows"]) for one in brought)
    return ImportReport(runs=runs, run=runs[0] if len(runs) == 1 else None, rows=rows, files=brought, refused=refused)


def _store(store: Store, found: Imported) -> str:
    run = new_run_id()
    store.create_run(run, found.manifest, found.cases)
    door = Door(store.redactor)
    status = "incomplete"
    batch: list[tuple[TrialHead, bytes, Scorecard | None]] = []
    try:
        for trial, card in found.trials:
            batch.append(_admitted(door, trial, card))
            if len(batch) >= BATCH:
                store.write_batch(run, batch)
                batch = []
        store.write_batch(run, batch)
        store.write_tries(run, [(head, b"{}") for head in found.tries])
        status = "complete"
    finally:
        store.finish_run(run, status)
    return run


def _admitted(door: Door, trial: Trial, card: Scorecard | None) -> tuple[TrialHead, bytes, Scorecard | None]:
    """As the store keeps it; what is noticed about its way stands in the scorecard as for a trial that was run here."""
    kept, body = door.admit(trial)
    if card is not None:
        notice(kept, card)
    return kept.head, body, card


def export_run(store: Store, reference: str, name: str) -> str:
    """A run in another format, as text."""
    run, setup = split_reference(reference)
    table = read_table(store, run)
    report = reported(store, table)
    if setup is not None:
        report.setups = {setup: report.setups[table.lane(setup).setup]}
        report.cases = [case for case in report.cases if case.setup == setup]
    today = Today(store, table.run, table.manifest)
    rows = [row for row in today.rows(store.rows(table.run)) if setup is None or row[0].key.setup == setup]
    return exporter(name)(report, rows, table.manifest.cases)
