"""What is known of one side of a comparison, field by field: what was declared of it and what it was really given.

The seat, found by opening the setup, goes before what the manifest says of it; the graders that stand on the scorecards
go before the one the run began with, for a run can be graded again. None is a field that is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial import fairness
from fairtrial.records.text import content_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.run import Manifest
    from fairtrial.study.table import Table

DECLARED = ("model", "prompt", "harness", "context", "memory")
GIVEN = ("facts", "tools", "rights", "budget")
MADE_OF = ("agent", "roles", "retry", "change")
"""What of a manifest's entry says how a setup is made: two versions of one setup keep its name."""
_NOT_OF_THE_SETUP = ("seed", "environment", "suite", "suite_version", "grader", "judges", "program", "start_state")
UNSAID = ("", "unknown", "import")
"""What stands for a field that nobody has stated; tables from elsewhere do not say who graded them."""


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
    made_of = {field: entry[field] for field in MADE_OF if entry.get(field)}
    tried_here = manifest.origin == "run"
    return {
        "setup": setup,
        "agent": made_of or None,
        "code": _known(manifest.settings.get("code")),
        **declared,
        "versions": {name: value for name, value in versions.items() if name not in DECLARED} or None,
        **given,
        "grader": _known(", ".join(sorted(table.lanes[setup].graders)) or manifest.grader),
        "judges": _judges(table, setup) or ("nobody" if tried_here else None),
        "simulator": _players(table.lanes[setup].users) or ("nobody" if tried_here else None),
        "isolation": _known(manifest.settings.get("isolate")),
        "suite": manifest.suite or None,
        "suite_version": manifest.suite_version or None,
        "seed": manifest.seed if tried_here else None,
        "environment": manifest.environment or None,
        "jobs": manifest.settings.get("jobs"),
        "program": manifest.harness or None,
    }


def setup_hash(side: tuple[Table, str]) -> str:
    """What a setup was, as one hash: the same in two runs where it was given and made of the same, whatever it was tried at."""
    return content_hash({name: value for name, value in identity(side).items() if name not in _NOT_OF_THE_SETUP})


def _judges(table: Table, setup: str) -> str:
    """Who judged, each with what it is: as the run began, but where the verdicts tell of another."""
    began = {name: one.get("identity", "") for name, one in (table.manifest.settings.get("judges") or {}).items()}
    told: dict[str, set[str]] = {name: {identity} for name, identity in began.items()}
    graded: dict[str, set[str]] = {}
    for name, identity in table.lanes[setup].judges:
        if identity:
            graded.setdefault(name, set()).add(identity)
    named = {**told, **graded}
    return ", ".join(f"{name} ({' and '.join(sorted(one.removeprefix('sha256:')[:12] for one in named[name]))})" for name in sorted(named))


def _players(users: Sequence[str]) -> str:
    return ", ".join(sorted({name for name in users if name}))


def _known(value: Any) -> Any:
    return None if value in UNSAID else value


def same_version(one: Manifest, two: Manifest, setup: str) -> bool:
    """Whether two runs tried the same version of a setup: what was declared of it, its code and its tools are equal.

    Budget, cases and machine may differ: who tries again with more of them has still tried again. A run that does not tell its
    code is taken as the same, so that no attempt is hidden by not telling.
    """
    return same_stated(one, two, setup) and len({run.settings["code"] for run in (one, two) if run.settings.get("code")}) < 2


def same_stated(one: Manifest, two: Manifest, setup: str) -> bool:
    """The same of a setup, its code left aside."""
    return _version(one, setup) == _version(two, setup)


def _version(manifest: Manifest, setup: str) -> dict[str, Any]:
    entry = manifest.setups.get(setup, {})
    seat = next((seat for seat in manifest.seats if seat.setup == setup), None)
    versions: dict[str, Any] = {**(entry.get("versions") or {}), **(seat.versions if seat else {})}
    declared = {field: _known(entry.get(field)) or _known(versions.pop(field, None)) for field in DECLARED}
    return declared | {"versions": versions, **{key: entry.get(key) for key in ("agent", "retry", "roles", "tools", "rights")}}
