"""What `use` will run: for each case a recorded trial that can be replayed, and for each fact what is put in its place.

Kept out: the running, and what may be replayed at all (`upstream.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fairtrial.graders.compare import equal
from fairtrial.records.errors import InputError, nearest
from fairtrial.records.tamper import WAYS, Replay, Tamper
from fairtrial.records.trial import TrialKey
from fairtrial.records.use import LeftOut, UsePlan
from fairtrial.steps import upstream
from fairtrial.steps.decisions import looked_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.run import Run
    from fairtrial.records.setup import Seat
    from fairtrial.records.suite import Suite
    from fairtrial.records.trial import Trial
    from fairtrial.store.sql import Store


class UseOptions(msgspec.Struct, frozen=True, kw_only=True):
    """As the command line's options of `use`. `ways`: change, hide, contradict. `value`: put in for the fact in every case.
    `decision`: paths of the answer that make up the decision. `whole`: every role acts again. `run`: whose trials are replayed.
    `held_out`: held-out cases are taken as well, which is a look at them."""

    setup: str
    facts: tuple[str, ...]
    to: str | None = None
    ways: tuple[str, ...] = ("change",)
    value: Any = msgspec.UNSET
    run: str | None = None
    trials: int | None = None
    cases: tuple[str, ...] = ()
    decision: tuple[str, ...] = ()
    whole: bool = False
    held_out: bool = False
    jobs: int = 10
    isolate: str | None = None
    resume: str | None = None
    store: str | None = None


def make_plan(store: Store, suite: Suite, cases: Sequence[Case], run: Run, options: UseOptions) -> UsePlan:
    """What will be run. Raises InputError for a fact that nobody states and nobody hands on."""
    seat = next(seat for seat in run.manifest.seats if seat.setup == options.setup)
    place = upstream.place_of(seat, consumer(seat, options), whole=options.whole, seated=_seated(suite, seat))
    asked = _Asked(suite, seat, place, options)
    left_out: list[LeftOut] = []
    values: dict[str, dict[str, tuple[Any, Any]]] = {}
    attempts: dict[str, int] = {}
    notes: dict[str, None] = {}
    by_parcel: list[tuple[str, str]] = []
    for case in cases:
        facts = [fact for fact in options.facts if fact in case.brief.facts or _stated_nowhere(suite, fact)]
        trial, why = _best(store, run, case, place, facts)
        if trial is None:
            left_out += [LeftOut(case=case.id, fact=fact, kind="not_replayable", why=why) for fact in facts]
            continue
        for fact in facts:
            found = asked.values(case, trial, fact)
            if isinstance(found, LeftOut):
                left_out.append(found)
                continue
            values.setdefault(fact, {})[case.id] = found
            attempts[case.id] = trial.head.key.attempt
            if upstream.received(trial, fact, place.to) is not msgspec.UNSET:
                by_parcel.append((fact, case.id))
            if source := upstream.own_source(trial, fact, place.to):
                notes[f"{place.to} also gets {fact} from the tool {source}, which was not altered"] = None
            if not place.seated and not seat.state and fact in case.brief.facts:
                notes[f"the function that plays all roles has the whole brief, in which {fact} was not altered"] = None
    _refuse_unknown(suite, [fact for fact in options.facts if fact not in values])
    decides = {case.id: looked_at(case, suite.checks, options.decision) for case in cases if case.id in attempts}
    plan = _named(options, place, run, values)
    told = {"left_out": tuple(left_out), "notes": tuple(notes), "looked_at": decides, "attempts": attempts, "by_parcel": tuple(by_parcel)}
    return msgspec.structs.replace(plan, **told)


class _Asked(NamedTuple):
    """What every case is asked for."""

    suite: Suite
    seat: Seat
    place: upstream.Place
    options: UseOptions

    def values(self, case: Case, trial: Trial, fact: str) -> tuple[Any, Any] | LeftOut:
        """The fact as the role got it, and what is put in its place; or why there is no such pair."""
        own, to = upstream.received(trial, fact, self.place.to), self.place.to
        if own is msgspec.UNSET:
            own = upstream.seen_itself(case, self.seat, self.place, fact)
            if own is msgspec.UNSET:
                return upstream.not_received(trial, case, fact, to)
            if "contradict" in self.options.ways:
                return LeftOut(case=case.id, fact=fact, kind="not_replayable", why=f"{to} {_OWN_BRIEF}")
        other = self._other(fact, own)
        return (own, other) if other is not msgspec.UNSET else LeftOut(case=case.id, fact=fact, kind="no_value", why=_NO_VALUE)

    def _other(self, fact: str, own: Any) -> Any:
        """UNSET where nothing else can be had, None where nothing need be."""
        value = self.options.value
        if set(self.options.ways) == {"hide"}:
            return None
        if value is not msgspec.UNSET:
            return msgspec.UNSET if equal(own, value) else value
        return upstream.another(own, upstream.stated(self.suite.cases, fact))


def _refuse_unknown(suite: Suite, lost: Sequence[str]) -> None:
    """A fact that no case states and that reached nobody is a slip of the pen."""
    for fact in lost:
        if _stated_nowhere(suite, fact):
            known = dict.fromkeys(name for case in suite.cases for name in case.brief.facts)
            near = nearest(fact, known)
            mend = f"did you mean {near!r}?" if near else "name a fact of the cases, or one that a role hands on"
            raise InputError("no case states this fact and no parcel names it", value=fact, allowed=", ".join(known), mend=mend)


_OWN_BRIEF = "has it in its own brief or state, where nothing can contradict it; change or hide it"
_NO_VALUE = "there is no other value to put in: no case states one of the same kind; give --value"


def _named(options: UseOptions, place: upstream.Place, run: Run, values: dict[str, dict[str, tuple[Any, Any]]]) -> UsePlan:
    lead = next(seat.lead for seat in run.manifest.seats if seat.setup == options.setup)
    at = "" if place.to == lead else f" at {place.to}"
    ways = [(fact, way, f"{options.setup} ? {fact} {WAYS[way]}{at}") for fact in values for way in dict.fromkeys(options.ways)]
    return UsePlan(
        setup=options.setup,
        to=place.to,
        recorded=run.id,
        control=f"{options.setup} ? unaltered",
        replayed=place.replayed,
        acted=place.acted,
        ways=tuple(ways),
        values=values,
    )


def consumer(seat: Seat, options: UseOptions) -> str:
    """The role that receives the fact. Raises InputError where the setup has none."""
    names = [role.name for role in seat.roles]
    if not names:
        what = f"the setup {seat.setup!r} has no roles, so there is no hand-off at which a fact could be altered"
        raise InputError(what, mend="name a team, or list its roles: in suite.yaml")
    to = seat.lead if options.to in (None, "lead") else options.to
    if to not in names:
        near = nearest(str(to), names)
        raise InputError("no such role", value=to, allowed=", ".join(names), mend=f"did you mean {near!r}?" if near else None)
    return str(to)


def _seated(suite: Suite, seat: Seat) -> bool:
    """Whether the harness seats the roles one by one (a Team without retries), so that some can be replayed."""
    setup = suite.setups[seat.setup]
    return not setup.parts and setup.retry is None and all(role.alone for role in seat.roles)


def _stated_nowhere(suite: Suite, fact: str) -> bool:
    """A name that no case states as a fact may still be one that roles hand on."""
    return not any(fact in case.brief.facts for case in suite.cases)


def _best(store: Store, run: Run, case: Case, place: upstream.Place, facts: Sequence[str]) -> tuple[Trial | None, str]:
    """The first recorded trial that can be replayed and in which most of the facts arrive; else why there is none."""
    planned = next((plan for plan in run.manifest.planned if plan.case == case.id and plan.setup == place.setup), None)
    done = store.keys_done(run.id, faulted=False)
    best: Trial | None = None
    most, why = -1, "no trial of it is stored"
    for attempt in planned.numbers() if planned else ():
        key = TrialKey(case.id, place.setup, attempt)
        if key not in done:
            continue
        trial = store.trial(run.id, key)
        if hindered := upstream.obstacle(trial, place):
            why = hindered
            continue
        arrived = sum(upstream.received(trial, fact, place.to) is not msgspec.UNSET for fact in facts)
        if arrived > most:
            best, most = trial, arrived
    return best, why


def replays(store: Store, plan: UsePlan) -> dict[tuple[str, str], Replay]:
    """By setup and case what every trial of a plan is run from."""
    place = upstream.Place(setup=plan.setup, to=plan.to, acted=plan.acted, replayed=plan.replayed)
    keys = {case: TrialKey(case, plan.setup, attempt) for case, attempt in plan.attempts.items()}
    acts = {case: upstream.recorded_acts(store.trial(plan.recorded, key), place) for case, key in keys.items()}
    found = {(plan.control, case): Replay(recorded=recorded) for case, recorded in acts.items()}
    for fact, way, setup in plan.ways:
        for case, (_, put_in) in plan.values[fact].items():
            found[setup, case] = Replay(recorded=acts[case], tamper=Tamper(fact=fact, to=plan.to, way=way, value=put_in))
    return found
