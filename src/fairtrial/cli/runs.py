"""`fairtrial runs`: the runs of a store, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.cli.options import verb
from fairtrial.records.moment import moment

if TYPE_CHECKING:
    from fairtrial.cli.out import Out
    from fairtrial.store.sql import RunLine


@verb("runs")
def runs(out: Out) -> int:
    """List the runs of the store, newest first. Times are UTC."""
    from fairtrial import workflow
    from fairtrial.report.list_view import runs_sheet

    lines = [_told(line) for line in workflow.runs(out.store)]
    out.tell({"runs": lines}, lambda: runs_sheet(lines, out.words))
    return 0


def _told(line: RunLine) -> dict[str, Any]:
    """A run as the contract lists it."""
    started = moment(line.started_ns) if line.started_ns else None
    counts = {"planned": line.planned, "pass": line.passed, "fail": line.fail, "unknown": line.unknown, "not_run": line.not_run}
    return {"run": line.run, "suite": line.suite, "status": line.status, "started": started, **counts}
