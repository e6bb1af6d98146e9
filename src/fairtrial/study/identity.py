"""What is known of one side of a comparison, field by field: what was declared of it and what it was really given.

The seat, found by opening the setup, goes before what the manifest says of it; the graders that stand on the scorecards
go before the one the run began with, for a run can be graded again. None is a field that is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial import fairness

if TYPE_CHECKING:
    from fairtrial.study.table import Table

DECLARED = ("model", "prompt", "harness", "context", "memory")
GIVEN = ("facts", "tools", "rights", "budget")


def identity(side: tuple[Table, str]) -> dict[str, Any]:
    """Every field of a side: a table and the name of a setup in it."""
    table, setup = side
    manifest, seat = table.manifest, table.seat(setup)
    entry = manifest.setups.get(setup, {})
    versions: dict[str, Any] = {**(entry.get("versions") or {}), **(seat.versions if seat else {})}
    declared = {field: _known(entry.get(field)) or _known(versions.get(field)) for field in DECLARED}
    given = {field: _known(entry.get(field)) for field in (*GIVEN, "start_state")}
    if seat is not None:
        given |= {"tools": fairness.effective_tools(seat), "rights": fairness.rights(seat), "facts": seat.facts or "all"}
        given["budget"] = fairness.ceilings(seat.budget)
    return {
        "setup": setup,
        **declared,
        "versions": {name: value for name, value in versions.items() if name not in DECLARED} or None,
        **given,
        "grader": ", ".join(sorted(table.lanes[setup].graders)) or manifest.grader or None,
        "suite": manifest.suite or None,
        "suite_version": manifest.suite_version or None,
        "seed": manifest.seed,
        "environment": manifest.environment or None,
        "program": manifest.harness or None,
    }


def _known(value: Any) -> Any:
    return None if value in ("", "unknown") else value
