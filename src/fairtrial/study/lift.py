"""Is a team worth its cost? Single agent, single agent with retries and team in one table, at the same cases.

The team is held against its strongest rival, and against the cheaper of two equal ones: beating the weakest proves nothing.
What follows from it is one of six: keep the team, route some cases to it, drop a role, take the rival, cannot tell, invalid.
Keeps out which role earned it (credit), the sentences (liftwords.py), and how a rule for routing is found (routing.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.corrected import LABELS
from fairtrial.records.errors import InputError
from fairtrial.records.lift import Curve, Lift, LiftRow, Routing
from fairtrial.records.report import Comparison
from fairtrial.study.comparison import compare
from fairtrial.study.contrast import FEWEST, checked_margin
from fairtrial.study.correctedwords import withdrawn
from fairtrial.study.costs import read_costs
from fairtrial.study.curve import Field, field_of, read_curve
from fairtrial.study.liftrows import Looks, read_row
from fairtrial.study.liftwords import Standing, few_says, lift_says, next_step
from fairtrial.study.prices import OF_A_SLICE
from fairtrial.study.report import fairness_of
from fairtrial.study.routing import read_routing
from fairtrial.study.slices import rows_by_label
from fairtrial.study.tally import interval_caution
from fairtrial.study.tiers import compete

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from fairtrial.study.table import Table

KINDS = ("single", "retry", "team")
MARGIN = 0.05
"""The loss of success rate that counts as none, unless the user states another."""


def read_lift(table: Table, team: str | None = None, margin: float | Decimal | str | None = None) -> Lift:
    """The lift of a run's team over its other setups.

    The team is the one named, else the candidate where that is a team, else the last team there is. `margin` is a share, fixed
    before the data. Raises InputError where the run lacks a team or something to hold it against, and for a margin that is none.
    """
    stated = checked_margin(margin)
    share = MARGIN if stated is None else stated
    fit = compete(table.lanes)
    kinds = {name: kind_of(table, name) for name in fit}
    chosen, judged = _judged(table, kinds, team)
    looks = _looks(table, fit, kinds)
    read = {name: read_row(table.lanes[name], fit[name], looks[name]) for name in sorted(kinds, key=lambda name: KINDS.index(kinds[name]))}
    rows = [row for row, _ in read.values()]
    against = {row.setup: compare(table, row.setup, table, chosen, margin=share) for row in rows if row.setup != chosen}
    rivals = [row for row in rows if row.kind != "team"]
    if not rivals:
        raise InputError("lift needs something to hold the team against", mend="run a single agent, with and without retries")
    rival = min(rivals, key=_strength)
    field = field_of({name: table.lanes[name] for name in fit})
    refused = _refused(table, [against[row.setup] for row in rivals])
    routing = read_routing(field, (rival.setup, chosen), share, table.manifest.seed)
    standing = Standing(
        team=read[chosen][0],
        rival=rival,
        comparison=against[rival.setup],
        refused=refused,
        routing=_allowed(routing, against[rival.setup], refused),
        smaller=_smaller(table, read, (chosen, share)),
        alike=sum(row.kind == rival.kind for row in rivals) > 1,
    )
    verdict = _verdict(standing, share)
    curve = read_curve(field, (rival.setup, chosen))
    advice = _advice(standing, verdict)
    return Lift(
        run=table.run,
        rows=rows,
        differences=[_difference(standing.team, row, against[row.setup]) for row in rows if row.setup in against],
        fairness={**fairness_of(table.manifest), "refused": standing.refused},
        verdict=verdict,
        says=lift_says(standing, verdict, advice),
        next=next_step(standing, verdict, advice),
        slices=_slices(standing, field, (looks, curve)),
        reasons=_reasons(table, fit, {name: reasons for name, (_, reasons) in read.items()}),
        advice=advice,
        team=chosen,
        judged=judged,
        rival=rival.setup,
        suite_path=table.manifest.suite_path or None,
        notes=[*standing.comparison.notes, *([few_says(standing)] if verdict != "invalid" and standing.independent < FEWEST else [])],
        margin=share,
        curve=curve,
        routing=standing.routing,
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


def _judged(table: Table, kinds: dict[str, str], named: str | None) -> tuple[str, str]:
    """The team that is judged, and why that one."""
    if named is not None:
        if table.lane(named).setup not in kinds:
            raise InputError("this setup shares no case with the others", value=named, allowed=", ".join(kinds), mend="name one of these")
        kinds[named] = "team"
        return named, "it was named"
    teams = [name for name, kind in kinds.items() if kind == "team"]
    if not teams:
        raise InputError(f"this run has no team, only {', '.join(kinds)}", mend="add a setup with roles, and run the suite again")
    candidate = table.manifest.candidate
    if len(teams) == 1:
        return teams[0], "it is the only team"
    return (candidate, "it is the suite's candidate") if candidate in teams else (teams[-1], "it is listed last")


def _looks(table: Table, fit: dict[str, list[int]], kinds: dict[str, str]) -> dict[str, Looks]:
    stated = all(read_costs(table.lanes[name], fit[name]).latency_ms.stated for name in fit)
    return {name: Looks(kind=kinds[name], stated=stated) for name in fit}


def _strength(row: LiftRow) -> tuple[float, float, bool, float]:
    """Sorts the strongest first, undecided and unrun trials counted for it: a rival is not weak for what is not known of it. Of
    equal ones the one that passed more, then the one known to be cheapest."""
    rate, cost = row.success_rate, row.cost_mean
    most = max(rate.best or 0.0, (row.passed + row.unknown + row.not_run) / row.planned if row.not_run else 0.0)
    return -most, -(rate.value or 0.0), cost is None, float(cost or 0)


def _refused(table: Table, against: Sequence[Comparison]) -> list[str]:
    """Why the match may not be read, without repeats."""
    told = [reason for found in against for reason in found.comparable["refused"]]
    manifest = table.manifest
    if not manifest.fair and not manifest.settings.get("allow_unfair") and not manifest.seats:
        told += manifest.differences
    return list(dict.fromkeys(told))


def _smaller(table: Table, read: dict[str, tuple[LiftRow, dict[str, str]]], judged: tuple[str, float]) -> str:
    """A team of this run with some of the judged one's roles and no other, that is not worse at a lower cost; else empty."""
    chosen, margin = judged
    own, cost = _roles(table, chosen), read[chosen][0].cost_mean
    for name, (row, _) in read.items():
        if cost is None or row.cost_mean is None or row.cost_mean >= cost or not _roles(table, name) < own or not _roles(table, name):
            continue
        if compare(table, chosen, table, name, margin=margin).verdict in ("better", "not_worse"):
            return name
    return ""


def _roles(table: Table, setup: str) -> frozenset[str]:
    seat = table.seat(setup)
    return frozenset(role.name for role in seat.roles) if seat is not None else frozenset()


def _verdict(standing: Standing, margin: float) -> str:
    """invalid, worse, earns_its_cost, does_not_beat or cannot_tell, of the team against its strongest rival.

    The team earns its cost where it is better at a known cost, and where it is not worse than the margin and costs less.
    "Does not beat" is said of these cases alone: the team did not pass more, or by less than the margin at a higher cost, and
    no undecided trial hides that it did; nor, where judges decided, may their errors.
    """
    found = standing.comparison
    moved = found.difference.value
    if standing.refused or found.verdict == "invalid" or moved is None:
        return "invalid"
    if found.verdict == "worse":
        return "worse"
    if found.verdict == "better":
        return "earns_its_cost" if standing.costs_known else "cannot_tell"
    if found.verdict == "not_worse" and standing.cheaper == "team":
        return "earns_its_cost"
    if found.unknown or standing.cheaper == "team":
        return "cannot_tell"
    return "does_not_beat" if _no_more(found, moved, margin if standing.cheaper == "rival" else None) else "cannot_tell"


def _no_more(found: Comparison, moved: float, margin: float | None) -> bool:
    """Whether the team passed no more, or by less than the margin: as the verdicts have it and, where they rest on judges, as labels
    of people have it. Without labels on both sides a judge may just see less of what the team does well."""
    ways: list[tuple[float | None, float | None]] = [(moved, found.difference.high)]
    mended = found.corrected
    if mended is not None:
        ways += [(mended.value, mended.high)] if mended.by == LABELS else [(None, None)]
    if all(value is not None and value <= 0 for value, _ in ways):
        return True
    return margin is not None and all(high is not None and high < margin for _, high in ways)


def _advice(standing: Standing, verdict: str) -> str:
    """keep, route, drop_a_role, take_rival, cannot_tell or invalid. What so few cases show is said of them alone: nothing follows."""
    if verdict == "invalid":
        return "invalid"
    if standing.independent < FEWEST:
        return "cannot_tell"
    if standing.routing.state == "holds":
        return "route"
    if verdict in ("worse", "does_not_beat"):
        return "take_rival"
    if standing.smaller:
        return "drop_a_role"
    return "keep" if verdict == "earns_its_cost" else "cannot_tell"


def _allowed(found: Routing, whole: Comparison, refused: list[str]) -> Routing:
    """Nothing is advised from a match that may not be read, nor from verdicts of judges that no labels bear out on both sides."""
    why = "the match is invalid" if refused or whole.verdict == "invalid" or whole.difference.value is None else ""
    if not why and whole.corrected is not None and (whole.withdrawn or whole.corrected.by != LABELS):
        why = withdrawn(whole.corrected)
    return found if not why else Routing(state="blocked", why=why, cases=found.cases, clusters=found.clusters, measure=found.measure)


def _difference(team: LiftRow, other: LiftRow, found: Comparison) -> dict[str, Any]:
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
        "corrected": found.corrected,
        "p_value": found.p_value,
        "test": found.test,
        "cost": found.cost["difference"],
        "latency_ms": found.latency["difference"],
        "verdict": found.verdict,
        "says": found.says,
    }


def _slices(standing: Standing, field: Field, whole: tuple[dict[str, Looks], Curve]) -> list[dict[str, Any]]:
    """For every part of the suite the rows of all setups, the difference, which of the two does better there, and the curve at
    every second budget of the whole one's: there may be many parts."""
    looks, curve = whole
    rival, team = standing.rival.setup, standing.team.setup
    lane, rows = field.lanes[team]
    places = rows_by_label([lane.cases[row] for row in rows])
    budgets = [at.budget for at in curve.budgets][::-2][::-1]
    told = []
    for part in standing.comparison.slices:
        inside = field.part(places.get(part["label"], {}).get(part["value"], []))
        few = {name: msgspec.structs.replace(look, draws=OF_A_SLICE) for name, look in looks.items()}
        setups = {name: read_row(*side, few[name])[0] for name, side in inside.lanes.items()}
        own, other = setups[team].cost_mean, setups[rival].cost_mean
        told.append(
            {
                **part,
                "cost_team": own,
                "cost_rival": other,
                "saved": other - own if own is not None and other is not None else None,
                "take": team if part["verdict"] == "better" else rival,
                "setups": setups,
                "curve": read_curve(inside, (rival, team), budgets),
            }
        )
    return told


def _reasons(table: Table, fit: dict[str, list[int]], of_rows: dict[str, dict[str, str]]) -> dict[str, str]:
    """Why a figure of a row is missing or less sure than it looks, by `SETUP.field`."""
    lanes = {name: table.lanes[name] for name in fit}
    reasons = {f"{name}.{field}": why for name, told in of_rows.items() for field, why in told.items()}
    cautions = {f"{name}.success_rate.interval": interval_caution(lane, fit[name]) for name, lane in lanes.items()}
    return reasons | {field: caution for field, caution in cautions.items() if caution}
