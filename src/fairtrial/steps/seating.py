"""Which setups are tried at which cases: the three tiers, each staged its own way.

A whole-path case (e2e) goes to every setup. A case of tier agent goes to the setups that can play its role alone; the others
are counted as not tried at it. A case of tier unit does not depend on who is tried, so it is tried once, under a setup
named `unit`: it is then in no rate of a setup, and in no pair of a comparison.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import InputError, nearest, unknown_name
from fairtrial.records.run import Planned, too_many
from fairtrial.records.setup import UNIT
from fairtrial.trials.order import Called

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.setup import Seat, Setup
    from fairtrial.records.suite import Suite


class Casting(msgspec.Struct, frozen=True, kw_only=True):
    """Who is tried at what. `unseated`: by setup the cases of tier agent whose role it cannot play alone; `notes` say why."""

    cases: tuple[Case, ...]
    planned: tuple[Planned, ...]
    unseated: dict[str, tuple[str, ...]] = {}
    notes: tuple[str, ...] = ()


def chosen_setups(suite: Suite, names: Sequence[str]) -> dict[str, Setup]:
    """The setups to try, in the suite's order; `unit` is none of them. Raises InputError naming the nearest for an unknown one."""
    units = calls(suite.cases)
    known = [*suite.setups, *([UNIT] if units else [])]
    if not known:
        raise InputError("the suite names no setup to try", place=suite.path, mend="add setups: {single: {agent: …}}")
    for name in names:
        if name not in known:
            raise unknown_name("no such setup", name, known)
    return {name: setup for name, setup in suite.setups.items() if not names or name in names}


def setups_of(suite: Suite, seats: Iterable[Seat]) -> dict[str, Setup]:
    """The setups of a run as they were: those of the suite, and those of them whose team a step of ours had changed."""
    found = {}
    for seat in seats:
        written = suite.setups.get(seat.setup if seat.change is None else seat.change.of)
        if written is not None:
            found[seat.setup] = written if seat.change is None else msgspec.structs.replace(written, change=seat.change)
    return found


def tried(cases: Sequence[Case], setups: Mapping[str, Setup], names: Sequence[str]) -> tuple[list[Case], dict[str, Setup]]:
    """The cases that the chosen setups can be asked, and the setups that any of them asks: what nobody needs is not opened."""
    unit = not names or UNIT in names
    kept = [case for case in cases if (unit if case.labels.tier == "unit" else setups)]
    if not kept and cases[0].labels.tier == "unit":
        what = f"cases of tier unit are tried once, under the setup {UNIT!r}, whatever setups there are"
        raise InputError(what, value=", ".join(names), mend="leave --setup out")
    if not kept:
        mend = f"name another setup than {UNIT!r}, or leave --setup out" if names else "add setups: {single: {agent: …}}"
        raise InputError("no setup is there to try these cases with", mend=mend)
    return kept, dict(setups) if any(case.labels.tier != "unit" for case in kept) else {}


def calls(cases: Iterable[Case]) -> tuple[Called, ...]:
    """The functions that cases of tier unit name, once for each set of arguments that they are given."""
    found: dict[tuple[str, tuple[str, ...]], Called] = {}
    for case in cases:
        if case.scene.call is not None:
            given = tuple(sorted(case.scene.args))
            found.setdefault((case.scene.call, given), Called(case.scene.call, given, case.place))
    return tuple(found.values())


def cast(suite: Suite, cases: Sequence[Case], seats: Sequence[Seat], trials: int | None, *, all_setups: bool) -> Casting:
    """The plan: the number of trials asked for, else the case's own, else the suite's.

    Raises InputError for a role that no setup can play alone, where no setup was left out, and where nothing is left to run.
    """
    if trials is not None and trials < 1:
        raise InputError("at least one trial a case is needed", value=trials)
    planned: list[Planned] = []
    missing: dict[str, list[Case]] = {}
    for case in cases:
        for seat in seats:
            if seats_case(seat, case):
                planned.append(Planned(case.id, seat.setup, trials or case.trials or suite.trials))
            elif case.labels.tier == "agent" and seat.setup != UNIT:
                missing.setdefault(seat.setup, []).append(case)
    lost = {case.id for case in cases} - {plan.case for plan in planned}
    if lost and (all_setups or not planned):
        raise nobody(next(case for case in cases if case.id in lost), seats)
    if why := too_many(planned):
        raise InputError(why, mend="ask for fewer trials")
    return Casting(
        cases=tuple(cases),
        planned=tuple(planned),
        unseated={setup: tuple(case.id for case in unseated) for setup, unseated in missing.items()},
        notes=tuple(_note(seat, missing[seat.setup]) for seat in seats if seat.setup in missing),
    )


def seats_case(seat: Seat, case: Case) -> bool:
    """Whether a setup is tried at a case."""
    if case.labels.tier == "agent":
        return any(role.alone and role.name == case.scene.role for role in seat.roles)
    return (case.labels.tier == "unit") == (seat.setup == UNIT)


def rivals(casting: Casting) -> dict[tuple[str, ...], list[Case]]:
    """The cases by the setups that are tried at them, where these are several: only those compete."""
    by_id = {case.id: case for case in casting.cases}
    setups: dict[str, list[str]] = {}
    for plan in casting.planned:
        setups.setdefault(plan.case, []).append(plan.setup)
    found: dict[tuple[str, ...], list[Case]] = {}
    for case, names in setups.items():
        if len(names) > 1:
            found.setdefault(tuple(names), []).append(by_id[case])
    return found


def nobody(case: Case, seats: Sequence[Seat]) -> InputError:
    """That no setup can play the case's role alone, and what mends it."""
    alone = [role.name for seat in seats for role in seat.roles if role.alone]
    named = {role.name for seat in seats for role in seat.roles}
    role = str(case.scene.role)
    near = nearest(role, alone)
    mend = f"did you mean {near!r}?" if near else "add the role to a Team, or to the roles of a setup with parts: {ROLE: module:function}"
    if role in named:
        mend = f"name the function that plays it alone: parts: {{{role}: module:function}} in the setup"
    what = f"no setup can play the role {role!r} alone, which case {case.id!r} tries"
    return InputError(what, place=case.place, allowed=", ".join(dict.fromkeys(alone)) or None, mend=mend)


def _note(seat: Seat, cases: Sequence[Case]) -> str:
    """Why a setup was not tried at some cases: by role, whether it lacks the role or only the function that plays it alone."""
    roles = dict.fromkeys(str(case.scene.role) for case in cases)
    named = {role.name for role in seat.roles}
    lacks = [role for role in roles if role not in named]
    whole = [role for role in roles if role in named]
    why = [f"it has no role {', '.join(lacks)}"] if lacks else []
    why += [f"no parts tell how to play {', '.join(whole)} alone"] if whole else []
    return f"{seat.setup}: not applicable, and not tried, at cases of tier agent: {len(cases)} ({', '.join(why)})"
