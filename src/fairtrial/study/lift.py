"""Is a team worth its cost? Single agent, single agent with retries and team in one table, at the same cases.

The team is held against its strongest rival, and against the cheaper of two equal ones: beating the weakest proves
nothing. Where it wins only in some parts of the suite, those parts are named. Keeps out which role earned it (credit).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.lift import Lift, LiftRow
from fairtrial.records.report import Comparison
from fairtrial.study.comparison import compare
from fairtrial.study.costs import Costs, read_costs
from fairtrial.study.liftwords import Standing, lift_says, next_step
from fairtrial.study.report import fairness_of
from fairtrial.study.slices import rows_by_label
from fairtrial.study.tally import interval_caution, success_rate
from fairtrial.study.tiers import compete

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

KINDS = ("single", "retry", "team")


def read_lift(table: Table, team: str | None = None) -> Lift:
    """The lift of a run's team over its other setups.

    The team is the one named, else the candidate where that is a team, else the last team there is. Raises InputError
    where the run lacks a team or something to hold it against.
    """
    fit = compete(table.lanes)
    kinds = {name: kind_of(table, name) for name in fit}
    chosen = _team(table, kinds, team)
    stated = all(read_costs(table.lanes[name], fit[name]).latency_ms.stated for name in fit)
    ranked = sorted(kinds, key=lambda name: KINDS.index(kinds[name]))
    rows = [_row(table.lanes[name], fit[name], (kinds[name], stated)) for name in ranked]
    against = {row.setup: compare(table, row.setup, table, chosen) for row in rows if row.kind != "team"}
    if not against:
        raise InputError("lift needs something to hold the team against", mend="run a single agent, with and without retries")
    own = next(row for row in rows if row.setup == chosen)
    rival = min((row for row in rows if row.setup in against), key=_strength)
    standing = Standing(team=own, rival=rival, comparison=against[rival.setup], refused=_refused(table, against))
    verdict = _verdict(standing)
    slices = _slices(table.lanes[rival.setup], table.lanes[chosen], standing.comparison)
    return Lift(
        run=table.run,
        rows=rows,
        differences=[_difference(table, own, row, against[row.setup]) for row in rows if row.setup in against],
        fairness={**fairness_of(table.manifest), "refused": standing.refused},
        verdict=verdict,
        says=lift_says(standing, verdict, slices),
        next=next_step(standing, verdict, slices),
        slices=slices,
        reasons=_reasons(table, fit),
    )


def kind_of(table: Table, setup: str) -> str:
    """single, retry or team: from the seat and the manifest; imported runs, which have neither, tell by the setup's name."""
    seat, entry = table.seat(setup), table.manifest.setups.get(setup, {})
    if (seat is not None and seat.roles) or entry.get("roles"):
        return "team"
    if entry.get("retry"):
        return "retry"
    if seat is None:
        return "retry" if "retr" in setup.lower() else "team" if "team" in setup.lower() else "single"
    return "single"


def _team(table: Table, kinds: dict[str, str], named: str | None) -> str:
    if named is not None:
        if table.lane(named).setup not in kinds:
            raise InputError("this setup shares no case with the others", value=named, allowed=", ".join(kinds), mend="name one of these")
        kinds[named] = "team"
        return named
    teams = [name for name, kind in kinds.items() if kind == "team"]
    if not teams:
        raise InputError(f"this run has no team, only {', '.join(kinds)}", mend="add a setup with roles, and run the suite again")
    candidate = table.manifest.candidate
    return candidate if candidate in teams else teams[-1]


def _row(lane: Lane, rows: Sequence[int], what: tuple[str, bool]) -> LiftRow:
    """`what`: the kind, and whether every setup states its own times; else all are shown as measured, for only like stands
    beside like."""
    kind, stated = what
    costs: Costs = read_costs(lane, rows)
    times = costs.latency_ms if stated else costs.measured_ms
    return LiftRow(
        setup=lane.setup,
        kind=kind,
        planned=sum(lane.first[row + 1] - lane.first[row] for row in rows),
        passed=sum(lane.passed[row] for row in rows),
        success_rate=success_rate(lane, rows),
        cost_mean=costs.cost_usd.mean,
        cost_per_success=costs.cost_usd.per_success,
        cost_complete=costs.cost_usd.complete,
        latency_stated=stated,
        latency_mean_ms=times.mean,
        latency_p95_ms=times.p95,
        severe=sum(lane.severe.get(row, 0) for row in rows),
        unknown=sum(lane.unknown[row] for row in rows),
    )


def _strength(row: LiftRow) -> tuple[float, bool, float]:
    """Sorts the strongest first; of equal ones the one known to be cheapest."""
    value, cost = row.success_rate.value, row.cost_mean
    return (-1.0 if value is None else value) * -1, cost is None, float(cost or 0)


def _refused(table: Table, against: dict[str, Comparison]) -> list[str]:
    """Why the match may not be read, without repeats."""
    told = [reason for found in against.values() for reason in found.comparable["refused"]]
    manifest = table.manifest
    if not manifest.fair and not manifest.settings.get("allow_unfair") and not manifest.seats:
        told += manifest.differences
    return list(dict.fromkeys(told))


def _verdict(standing: Standing) -> str:
    """invalid, worse, earns_its_cost, does_not_beat or cannot_tell, of the team against its strongest rival.

    "Does not beat" is said of these cases alone: the team did not pass more, and no undecided trial hides that it did.
    """
    found = standing.comparison
    moved = found.difference.value
    if standing.refused or found.verdict == "invalid" or moved is None:
        return "invalid"
    if found.verdict == "worse":
        return "worse"
    if found.verdict == "better":
        return "earns_its_cost" if standing.costs_known else "cannot_tell"
    if moved > 0 or found.unknown or standing.cheaper == "team":
        return "cannot_tell"
    return "does_not_beat"


def _difference(table: Table, team: LiftRow, other: LiftRow, found: Comparison) -> dict[str, Any]:
    return {
        "team": team.setup,
        "versus": other.setup,
        "kind": other.kind,
        "pairs": found.pairs,
        "fixed": found.fixed,
        "broken": found.broken,
        "unknown": found.unknown,
        "new_severe": found.new_severe,
        "difference": msgspec.structs.asdict(found.difference),
        "p_value": found.p_value,
        "test": found.test,
        "cost": found.cost["difference"],
        "latency_ms": found.latency["difference"],
        "verdict": found.verdict,
        "says": found.says,
    }


def _slices(rival: Lane, team: Lane, found: Comparison) -> list[dict[str, Any]]:
    """For every part of the suite which of the two to send there, and what that costs a trial."""
    rows = {"rival": rows_by_label(rival.cases), "team": rows_by_label(team.cases)}
    told = []
    for part in found.slices:
        own, other = (
            read_costs(lane, rows[side].get(part["label"], {}).get(part["value"], ())).cost_usd
            for side, lane in (("team", team), ("rival", rival))
        )
        saved = other.mean - own.mean if own.mean is not None and other.mean is not None else None
        take = team.setup if part["verdict"] == "better" else rival.setup
        told.append({**part, "cost_team": own.mean, "cost_rival": other.mean, "saved": saved, "take": take})
    return told


def _reasons(table: Table, fit: dict[str, list[int]]) -> dict[str, str]:
    """Why a figure of a row is missing or less sure than it looks, by `SETUP.field`."""
    lanes = {name: table.lanes[name] for name in fit}
    reasons = {f"{name}.{field}": why for name, lane in lanes.items() for field, why in read_costs(lane, fit[name]).reasons.items()}
    cautions = {f"{name}.success_rate.interval": interval_caution(lane, fit[name]) for name, lane in lanes.items()}
    return reasons | {field: caution for field, caution in cautions.items() if caution}
