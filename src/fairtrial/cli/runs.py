"""`fairtrial runs`: the runs of a store, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.cli.options import verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("runs")
def runs(out: Out) -> int:
    """List the runs of the store, newest first. Times are UTC."""
    import msgspec

    from fairtrial import workflow
    from fairtrial.report.list_view import runs_sheet

    lines = [msgspec.to_builtins(line) for line in workflow.runs(out.store)]
    out.tell({"runs": lines}, lambda: runs_sheet(lines, out.words))
    return 0
