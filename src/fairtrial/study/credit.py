"""What each role of a team earns: the changed team laid beside the whole one, change by change, over the same cases.

Each effect is a paired difference with its interval and test (contrast), corrected for the number of roles looked at (Holm);
pairs and coalitions are read from the same table. Which changes are tried is decided above; the sentences are in creditwords.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.change import MEND, REMOVE, REPLACE
from fairtrial.records.corrected import LABELS
from fairtrial.records.credit import (
    CANNOT_TELL,
    ESSENTIAL,
    HARMFUL,
    HARMS,
    HELPS,
    HURTS,
    NEEDED,
    NO_EFFECT,
    Credit,
    Effect,
    RoleCredit,
    Variant,
)
from fairtrial.stats import power
from fairtrial.stats.correction import holm
from fairtrial.stats.shapley import shapley_intervals
from fairtrial.study import creditwords, spending
from fairtrial.study.backing import backed, backing
from fairtrial.study.contrast import ALPHA, Contrast, contrast
from fairtrial.study.correctedwords import withdrawn
from fairtrial.study.costs import read_costs
from fairtrial.study.pairing import pair
from fairtrial.study.tally import success_rate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairtrial.study.backing import Backing
    from fairtrial.study.lane import Lane
    from fairtrial.study.pairing import Pairing
    from fairtrial.study.table import Table

NEAR = 0.25
"""An interval that holds 0 and reaches no further says `no effect shown`; one that reaches further says nothing yet."""

UNCORRECTED = "it does not stand once corrected for the number of looks"

CLAIM_OF = {ESSENTIAL: "worse", HURTS: "worse", HARMFUL: "better", HELPS: "better"}
"""What a reading claims of the changed team beside the whole one."""


class Tried(msgspec.Struct, kw_only=True):
    """What was tried: the whole team by its setup, the changed ones, and by coalition (the roles that stay) the setup."""

    suite: str
    path: str
    setup: str
    roles: tuple[str, ...]
    lead: str | None
    singles: list[Variant]
    pairs: list[Variant] = []
    coalitions: dict[frozenset[str], str] = {}
    status: str = "complete"
    trials: dict[str, int] = {}
    runs: list[str] = []
    where: dict[str, list[str]] = {}
    notes: list[str] = []
    team: tuple[str, ...] = ()
    """All roles of the team."""
    before: dict[str, list[str]] = {}
    """By kind of change the roles that were tried in earlier credit runs of this team and are not asked for here."""
    gated: bool = False
    """The suite has a policy."""


def read_credit(table: Table, tried: Tried) -> Credit:
    """The decided object. The table holds every trial of the whole team and of the changed ones, whichever run they lie in."""
    whole = table.lane(tried.setup)
    singles = _effects(table, whole, tried.singles, tried.before)
    pairs = _effects(table, whole, tried.pairs)
    shares = _shares(table, tried, whole)
    needed = _needed_with(pairs)
    roles = [_role(role, tried, singles, needed, shares) for role in tried.roles]
    found = Credit(
        suite=tried.suite,
        setup=tried.setup,
        status=tried.status,
        verdict="told" if sum(whole.passed) + sum(whole.failed) else "invalid",
        cases=len(whole.cases),
        attempts=max(map(whole.slots, range(len(whole.cases))), default=0),
        trials=tried.trials,
        whole=_whole(whole),
        roles=roles,
        pairs=pairs,
        coalitions=_coalitions(tried, shares, table),
        runs=tried.runs,
        where=tried.where,
        near=NEAR,
        says="",
        next="",
        notes=tried.notes,
        looked_at_before=tried.before,
        not_looked_at=[role for role in tried.team if role not in tried.roles and role != tried.lead],
    )
    mean, left = found.whole["cost_usd"], tried.trials.get("not_run", 0)
    if mean is None:
        found.reasons["price_usd"] = "no trial of the whole team tells yet what one costs"
    else:
        found.price_usd = mean * left
    found.next, found.command = creditwords.next_step(found, tried.path, tried.gated)
    found.says = creditwords.says(found)
    return found


def settled(table: Table, setup: str, variants: Sequence[Variant]) -> list[str]:
    """The roles whose removal shows no effect, or none yet: among these a pair may hide what either alone does not show."""
    effects = _effects(table, table.lane(setup), variants)
    return [effect.roles[0] for effect in effects if effect.tried and effect.kind == REMOVE and _holds_zero(effect)]


def _holds_zero(effect: Effect) -> bool:
    found = effect.difference
    return found is not None and found.low is not None and found.high is not None and found.low <= 0.0 <= found.high


def _effects(
    table: Table, whole: Lane, variants: Sequence[Variant], before: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> list[Effect]:
    """Every change with its effect; p-values are corrected among the changes of one kind, those `before` counted as if they had
    shown nothing: this is never less than Holm's correction over all of them."""
    laid = [_laid(table, whole, variant) for variant in variants]
    found = []
    for kind in dict.fromkeys(variant.kind for variant in variants):
        chosen = [place for place, variant in enumerate(variants) if variant.kind == kind]
        contrasts = [laid[place] for place in chosen]
        p_values = [None if one is None else one[0].p_value for one in contrasts]
        corrected = holm([*p_values, *[1.0 for _ in before.get(kind, ())]])[: len(chosen)]
        looks = sum(p is not None for p in p_values) + len(before.get(kind, ()))
        effects = [_effect(table, whole, variants[place], laid[place], (p, looks)) for place, p in zip(chosen, corrected, strict=True)]
        for effect, place in zip(effects, chosen, strict=True):
            _lean(effect, whole, table, laid[place], looks)
        found += effects
    return found


def _laid(table: Table, whole: Lane, variant: Variant) -> tuple[Contrast, Pairing] | None:
    lane = table.lanes.get(variant.setup)
    if variant.refused or lane is None:
        return None
    pairing = pair(whole, lane)
    return contrast(whole, lane, (pairing.base_rows, pairing.new_rows)), pairing


def _effect(table: Table, whole: Lane, variant: Variant, laid: tuple[Contrast, Pairing] | None, among: tuple[float | None, int]) -> Effect:
    effect = Effect(
        kind=variant.kind,
        roles=list(variant.roles),
        setup=variant.setup,
        tried=laid is not None,
        information=variant.information,
        lost=list(variant.lost),
        reading=CANNOT_TELL,
        why=variant.refused or ("" if laid else "it was not tried"),
    )
    if laid is None:
        return effect
    (found, pairing), (p_holm, looks) = laid, among
    lane, rows = table.lanes[variant.setup], (pairing.base_rows, pairing.new_rows)
    effect.reading, effect.why = _borne_out(_reading(found, p_holm, variant.kind), backing(whole, lane, rows, found), looks)
    effect.rate, effect.difference, effect.p_value, effect.p_holm = found.new, found.difference, found.p_value, p_holm
    effect.test, effect.least, effect.most = found.test, found.least, found.most
    effect.detectable = found.detectable if found.detectable is None or found.detectable <= 1.0 else None
    effect.undecided = list(found.undecided)
    effect.new_severe = [case for case, a, b in zip(pairing.cases, *rows, strict=True) if lane.severe.get(b) and not whole.severe.get(a)]
    took = spending.spending(whole, lane, rows)
    cost, time = took["cost"], took["latency"]
    effect.cost_usd, effect.latency_ms = cost["difference"], time["difference"]
    effect.not_applicable = max(0, lane.counts.not_applicable - whole.counts.not_applicable)
    hidden = "so few cases would mostly hide even the largest effect" if effect.detectable != found.detectable else None
    told = {"cost_usd": cost["reason"], "latency_ms": time["reason"], "detectable": hidden}
    effect.reasons = {**found.reasons, **{name: reason for name, reason in told.items() if reason}}
    return effect


def _lean(effect: Effect, whole: Lane, table: Table, laid: tuple[Contrast, Pairing] | None, looks: int) -> None:
    """Marks an effect that only the correction keeps from being told, with the cases that would mostly show it (as `plan` does,
    at the level that so many looks leave to one)."""
    moved = effect.difference
    if laid is None or effect.why != UNCORRECTED or effect.kind == MEND or moved is None or not moved.value:
        return
    effect.leaning = NEEDED if moved.value < 0.0 else HARMS
    rows, lane = (laid[1].base_rows, laid[1].new_rows), table.lanes[effect.setup]
    counts = whole.passes(rows[0]), lane.passes(rows[1])
    spread = power.observed_spread(*counts)
    if spread is not None:
        trials = min((tried for side in counts for _, tried in side if tried), default=1)
        aim = power.Aim(confidence=1.0 - ALPHA / max(looks, 1))
        effect.cases_needed = max(power.cases_needed(spread, trials, moved.value, aim), moved.n + 1)
    more = f"about {effect.cases_needed} cases would mostly show it" if effect.cases_needed else "more cases would show"
    word = "needed" if effect.leaning == NEEDED else "harmful"
    effect.why = f"likely {word}, but {UNCORRECTED}: {more}"


def _reading(found: Contrast, p_holm: float | None, kind: str) -> tuple[str, str]:
    """The word for an effect, and why it cannot be told where it cannot.

    A word for a loss or a gain needs an interval on one side of 0, a corrected p below the level, and a sign that no undecided
    trial could turn. `no_effect` needs an interval about 0 that reaches no further than NEAR, and undecided trials within it.
    """
    low, high = found.difference.low, found.difference.high
    if not all(found.decided) or low is None or high is None or found.least is None or found.most is None:
        return CANNOT_TELL, "a side has no decided trial"
    loss, gain = (HURTS, HELPS) if kind == MEND else (ESSENTIAL, HARMFUL)
    if low > 0.0 or high < 0.0:
        if (found.most >= 0.0) if high < 0.0 else (found.least <= 0.0):
            return CANNOT_TELL, "undecided trials could turn it"
        if p_holm is None or p_holm >= ALPHA:
            return CANNOT_TELL, UNCORRECTED
        return (loss if high < 0.0 else gain), ""
    if any(found.undecided) and (found.least < low or found.most > high):
        return CANNOT_TELL, "undecided trials could hide an effect"
    if max(-low, high) > NEAR:
        return CANNOT_TELL, "too few cases or trials to rule out a large effect"
    return NO_EFFECT, ""


def _borne_out(read: tuple[str, str], behind: Backing, looks: int) -> tuple[str, str]:
    """The same, where it rests on judges only as far as labels of people or code alone show it as well."""
    mended, said = behind.corrected, CLAIM_OF.get(read[0])
    if mended is None or read[0] == CANNOT_TELL or (said is not None and backed(said, behind, None, looks) == said):
        return read
    low, high = mended.low, mended.high
    if read[0] == NO_EFFECT and mended.by == LABELS and low is not None and high is not None and max(-low, high) <= NEAR:
        return read
    return CANNOT_TELL, withdrawn(mended)


def _needed_with(pairs: Sequence[Effect]) -> dict[str, list[str]]:
    """By role those of which one can go, but not both."""
    found: dict[str, list[str]] = {}
    for effect in pairs:
        if effect.reading == ESSENTIAL:
            one, two = effect.roles
            found.setdefault(one, []).append(two)
            found.setdefault(two, []).append(one)
    return found


def _role(
    role: str, tried: Tried, effects: Sequence[Effect], needed: Mapping[str, list[str]], shares: Mapping[str, dict[str, Any]]
) -> RoleCredit:
    own = {effect.kind: effect for effect in effects if effect.roles == [role]}
    ruling = own.get(REMOVE) if own.get(REMOVE) and own[REMOVE].tried else own.get(REPLACE)
    found = RoleCredit(
        role=role,
        lead=role == tried.lead,
        reading=ruling.reading if ruling is not None and ruling.tried else CANNOT_TELL,
        says="",
        removed=own.get(REMOVE),
        replaced=own.get(REPLACE),
        mended=own.get(MEND),
        needed_with=needed.get(role, []),
        share=shares.get(role),
    )
    removed = own.get(REMOVE)
    if removed is None or not removed.tried:
        found.reasons = dict.fromkeys(("costs_usd", "costs_ms"), removed.why if removed else "its removal was not tried")
    else:
        found.costs_usd = -removed.cost_usd["value"] if removed.cost_usd else None
        found.costs_ms = -removed.latency_ms["value"] if removed.latency_ms else None
        pairs = (("costs_usd", "cost_usd"), ("costs_ms", "latency_ms"))
        found.reasons = {name: removed.reasons[of] for name, of in pairs if of in removed.reasons}
    found.says = creditwords.role_says(found)
    return found


def _whole(lane: Lane) -> dict[str, Any]:
    """The whole team's own figures, over all its cases."""
    costs = read_costs(lane)
    return {
        "pass": sum(lane.passed),
        "fail": sum(lane.failed),
        "unknown": sum(lane.unknown),
        "not_run": lane.planned - sum(lane.run(row) for row in range(len(lane.cases))),
        "severe": sum(lane.severe.values()),
        "success_rate": success_rate(lane),
        "cost_usd": costs.cost_usd.mean,
        "latency_ms": costs.latency_ms.mean,
    }


def _shares(table: Table, tried: Tried, whole: Lane) -> dict[str, dict[str, Any]]:
    """Each role's Shapley value over the cases at which every coalition was tried; nothing where none was asked for."""
    worths = _worths(table, tried, whole)
    if not worths:
        return {}
    members = sorted(frozenset[str]().union(*worths))
    clusters = whole.clusters(_shared_rows(table, tried, whole))
    return {role: msgspec.structs.asdict(share) for role, share in shapley_intervals(worths, members, clusters).items()}


def _shared_rows(table: Table, tried: Tried, whole: Lane) -> list[int]:
    """The rows of the whole team's cases that every coalition was tried at."""
    lanes = [table.lanes[setup] for setup in tried.coalitions.values() if setup in table.lanes]
    if len(lanes) < len(tried.coalitions):
        return []
    return [row for row, case in enumerate(whole.cases) if all(case.id in lane.rows and lane.run(lane.rows[case.id]) for lane in lanes)]


def _worths(table: Table, tried: Tried, whole: Lane) -> dict[frozenset[str], list[float]]:
    cases = [whole.cases[row].id for row in _shared_rows(table, tried, whole)]
    if not tried.coalitions or not cases:
        return {}
    found = {}
    for stay, setup in tried.coalitions.items():
        lane = table.lanes[setup]
        found[stay] = [lane.passed[row] / lane.run(row) for row in (lane.rows[case] for case in cases)]
    return found


def _coalitions(tried: Tried, shares: Mapping[str, dict[str, Any]], table: Table) -> dict[str, Any] | None:
    if not tried.coalitions:
        return None
    worths = _worths(table, tried, table.lane(tried.setup))
    mean = {stay: math.fsum(row) / len(row) for stay, row in worths.items()}
    everybody = frozenset[str]().union(*tried.coalitions)
    return {
        "n": len(tried.coalitions),
        "cases": len(next(iter(worths.values()), [])),
        "members": sorted(everybody),
        "none": mean.get(frozenset()),
        "all": mean.get(everybody),
        "shares": {role: share["value"] for role, share in shares.items()},
        "reason": None if worths else "not every coalition was tried",
    }
