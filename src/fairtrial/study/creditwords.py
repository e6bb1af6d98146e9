"""The sentences of a credit table: one for each role, one for the team, and the step that follows.

A figure is said with its interval or not at all, and "no effect shown" never without the largest effect that is left open.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from fairtrial.records.credit import CANNOT_TELL, ESSENTIAL, HARMFUL, HARMS, HELPS, NEEDED, NO_EFFECT, Credit, Effect, RoleCredit
from fairtrial.study.wording import chance, count, listed, points

if TYPE_CHECKING:
    from collections.abc import Iterator


FEW = 20
"""Cases below which more trials of the same ones are no help worth advising."""


def role_says(found: RoleCredit) -> str:
    """One role in a sentence."""
    removed = found.removed
    if found.reading == NO_EFFECT and found.needed_with:
        return f"no effect shown alone, but it or {' or '.join(found.needed_with)} is needed"
    if found.lead and not (found.replaced and found.replaced.tried):
        return "the lead gives the answer and cannot be taken out"
    ruling = removed if removed is not None and removed.tried else found.replaced
    if ruling is None or not ruling.tried:
        return f"not tried: {ruling.why}" if ruling else "not tried"
    named = {ESSENTIAL: "essential", HARMFUL: "harmful", NO_EFFECT: "no effect shown"}.get(ruling.reading)
    told = f"{named}: {_moved(ruling)}" if named else f"cannot tell: {ruling.why} ({_moved(ruling)})"
    told = f"with its stand-in {told}" if found.lead else told
    return f"{told} [information removed]" if ruling.information == "removed" else told


def says(found: Credit) -> str:
    """The team in a sentence, ending with the next step."""
    if found.status == "planned":
        return f"Planned: {_size(found)}; next: {found.next}."
    if found.verdict == "invalid":
        return f"Nothing of the whole team {found.setup} could be decided, so no role's credit can be told; next: {found.next}."
    lead = f"{_stopped(found)}Over these {count(found.cases, 'case')}, what the roles of {found.setup} earn"
    return "; ".join([f"{lead}: {'; '.join(_grounds(found))}", f"next: {found.next}."])


def next_step(found: Credit, path: str, gated: bool) -> tuple[str, str]:
    """What to do, and what to type for it. `gated`: the suite has a policy, so that a gate can decide."""
    waiting = {
        "planned": "run it without --dry-run",
        "interrupted": "the same command, without --fresh, goes on where it stopped",
        "incomplete": "the same command, without --fresh, goes on where it stopped",
    }
    if found.status in waiting:
        return waiting[found.status], ""
    if found.verdict == "invalid":
        return "see why its trials could not be graded", _show(found)
    return _mending(found, gated) or _keeping(found, path, gated)


def _mending(found: Credit, gated: bool) -> tuple[str, str] | None:
    """Where a role does harm, or would do better with the right facts."""
    harmful = [role for role in found.roles if role.reading == HARMFUL and not role.lead]
    if harmful:
        worst = max(harmful, key=lambda role: _value(role.removed))
        return f"drop {worst.role}{_keep(found, worst)}{_then(gated)}", _without(found, worst.removed, gated)
    mended = [role for role in found.roles if role.mended is not None and role.mended.reading == HELPS]
    if mended:
        best = max(mended, key=lambda role: _value(role.mended))
        return f"mend what {best.role} gets and hands on: with the right facts the team does better", _without(found, best.mended, False)
    return None


def _keeping(found: Credit, path: str, gated: bool) -> tuple[str, str]:
    """Where nothing is to be mended: what may go, what cannot be told yet, or that all are to stay."""
    if found.not_looked_at and any(role.reading in (NO_EFFECT, ESSENTIAL) for role in found.roles):
        asked = f"fairtrial credit {path} --setup {_word(found.setup)}"
        return f"look at the other roles before one is dropped: {listed(found.not_looked_at)}", asked
    hangs = {role for effect in found.pairs if effect.leaning == NEEDED for role in effect.roles}
    idle = [role for role in found.roles if role.reading == NO_EFFECT and not role.lead and role.removed is not None and role.removed.tried]
    idle = [role for role in idle if role.role not in hangs]
    if idle:
        dearest = max(idle, key=lambda role: (not role.needed_with, float(role.costs_usd or 0)))
        return f"drop {dearest.role}{_keep(found, dearest)}{_then(gated)}", _without(found, dearest.removed, gated)
    likely = [effect for effect in _leaning(found, NEEDED) if effect.difference is not None and effect.difference.value]
    if likely:
        most = max(likely, key=lambda effect: effect.cases_needed or 0)
        more = f", up to about {most.cases_needed}" if most.cases_needed else ""
        return f"add cases{more}: they would show what is likely needed", f"fairtrial plan {path} --detect {abs(_value(most)):.2g}"
    if all(role.reading != CANNOT_TELL or role.lead for role in found.roles):
        return "keep every role", ""
    if found.cases < FEW:
        return "add cases: so few can tell little of a role, however often they are tried", f"fairtrial plan {path} --detect 0.1"
    again = f"fairtrial credit {path} --setup {_word(found.setup)} --trials {2 * max(found.attempts, 1)}"
    return "add cases, or trials to the cases there are", again


def _leaning(found: Credit, way: str) -> list[Effect]:
    """Effects that only the correction keeps from being told, of roles and of pairs."""
    singles = [effect for role in found.roles if not role.lead and (effect := _ruling(role)) is not None]
    return [effect for effect in [*singles, *found.pairs] if effect.leaning == way]


def _keep(found: Credit, dropped: RoleCredit) -> str:
    """Whom to keep where a role is dropped: those it stands in for, and those that are likely needed."""
    likely = [effect.roles[0] for effect in _leaning(found, NEEDED) if len(effect.roles) == 1 and effect.roles != [dropped.role]]
    kept = list(dict.fromkeys([*dropped.needed_with, *likely]))
    return f", keep {' and '.join(kept)}," if kept else ""


def _then(gated: bool) -> str:
    """What decides on the change."""
    return " and run the gate" if gated else " if the comparison allows it"


def _grounds(found: Credit) -> Iterator[str]:
    """What is known, the strongest first."""
    for reading, told in ((HARMFUL, "{} is harmful: without it success rises"), (ESSENTIAL, "{} is essential: without it success falls")):
        for role in found.roles:
            if role.reading == reading and not role.lead:
                yield f"{told.format(role.role)} ({_moved(_ruling(role))})"
    for effect in found.pairs:
        if effect.reading == ESSENTIAL:
            yield f"one of {effect.roles[0]} and {effect.roles[1]} is needed, not both: without the two success falls ({_moved(effect)})"
    for way, told in ((NEEDED, "needed"), (HARMS, "harmful")):
        for effect in _leaning(found, way):
            who = f"one of {' and '.join(effect.roles)}" if len(effect.roles) > 1 else effect.roles[0]
            more = f"about {count(effect.cases_needed, 'case')} would mostly show it" if effect.cases_needed else "more cases would show"
            yield f"{who} is likely {told}, which does not stand once corrected for the number of looks: {more} ({_moved(effect)})"
    for role in found.roles:
        if role.lead and role.reading in (HARMFUL, ESSENTIAL):
            moves = "rises" if role.reading == HARMFUL else "falls"
            yield f"success {moves} with the stand-in for {role.role} ({_moved(role.replaced)})"
    idle = [role for role in found.roles if role.reading == NO_EFFECT and not role.lead]
    if idle:
        alone = listed([role.role for role in idle])
        yield f"no effect shown of {alone} alone (a loss of up to {_left_open(idle)} points is not ruled out)"
    for role in found.roles:
        if role.mended is not None and role.mended.reading == HELPS:
            yield f"{role.role} given the right facts, success rises ({_moved(role.mended)})"
    likely = {effect.roles[0] for way in (NEEDED, HARMS) for effect in _leaning(found, way) if len(effect.roles) == 1}
    unsure = [role.role for role in found.roles if role.reading == CANNOT_TELL and not role.lead and role.role not in likely]
    if unsure:
        yield f"cannot tell of {listed(unsure)}"
    labelled = [role.role for role in found.roles if role.removed is not None and role.removed.information == "removed"]
    if labelled:
        yield f"information was removed with {listed(labelled)}"


def _left_open(roles: list[RoleCredit]) -> str:
    """The largest loss that the intervals of these roles leave open, in points."""
    lows = [effect.difference.low for role in roles if (effect := _ruling(role)) is not None and effect.difference is not None]
    return points(max(-low for low in lows if low is not None)).lstrip("+")


def _ruling(role: RoleCredit) -> Effect | None:
    return role.removed if role.removed is not None and role.removed.tried else role.replaced


def _moved(effect: Effect | None) -> str:
    change = None if effect is None else effect.difference
    if effect is None or change is None or change.value is None or change.low is None or change.high is None:
        return "not known"
    test = f", {chance(effect.p_holm)}" if effect.p_holm is not None else ""
    return f"{points(change.value)} points, 95 % interval {points(change.low)} to {points(change.high)}{test}"


def _value(effect: Effect | None) -> float:
    return effect.difference.value or 0.0 if effect is not None and effect.difference is not None else 0.0


def _stopped(found: Credit) -> str:
    left = found.trials.get("not_run", 0)
    return f"{count(left, 'trial')} of {found.trials.get('planned', 0)} are still to be run. " if left else ""


def _size(found: Credit) -> str:
    pairs = found.trials.get("pairs_at_most", 0)
    more = f", and {pairs} more at most for pairs" if pairs else ""
    return f"{count(found.trials['planned'], 'trial')}, of which {found.trials['reused']} are there already{more}"


def _place(found: Credit, setup: str) -> str | None:
    """RUN:SETUP where one run holds all trials of a setup."""
    runs = found.where.get(setup, [])
    return f"{runs[0]}:{setup}" if len(runs) == 1 else None


def _without(found: Credit, effect: Effect | None, gated: bool) -> str:
    """The command that lays the changed team beside the whole one; nothing where their trials lie in several runs."""
    base, new = _place(found, found.setup), _place(found, effect.setup) if effect else None
    if base is None or new is None:
        return ""
    return f"fairtrial gate {_word(new)} --baseline {_word(base)}" if gated else f"fairtrial compare {_word(base)} {_word(new)}"


def _show(found: Credit) -> str:
    runs = found.where.get(found.setup, [])
    return f"fairtrial show {runs[-1]}" if runs else ""


def _word(text: str) -> str:
    """The text as one word of a shell line."""
    return shlex.quote(text)
