"""Credit from suite to decided object: which trials are there, which are run, in up to three rounds.

First every role alone, then pairs of those without an effect, then the coalitions that were asked for. Each round is an ordinary
run of changed setups, marked as one for credit; whatever was run before, by this verb or by `run`, is not run again. An
interruption keeps what is finished: the same command goes on from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.cases.suite import load_suite
from fairtrial.records.credit import Credit, Variant
from fairtrial.records.errors import InputError, unknown_name
from fairtrial.setups.ablate import unchangeable
from fairtrial.stats.shapley import MOST
from fairtrial.steps import variants
from fairtrial.steps.laboratory import Laboratory
from fairtrial.steps.options import CreditOptions, RunOptions
from fairtrial.steps.prepare import chosen_cases
from fairtrial.study.credit import Tried, read_credit, settled
from fairtrial.study.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.setup import Seat
    from fairtrial.records.suite import Suite
    from fairtrial.steps.options import Progress, Tell


def credit(path: str, options: CreditOptions, progress: Progress | None, tell: Tell) -> Credit:
    """What each role of a team earns. `tell(planned, reused, pairs_at_most)` is called before any trial is spent.

    Raises FairtrialError before any trial where the team cannot be changed, or a role, case or stand-in is not there.
    """
    suite = load_suite(path)
    name = _team(suite, options.setup)
    cases, notes = _cases(suite, options)
    with Laboratory(suite, cases, options, progress) as lab:
        ground = _ground(lab, name, cases)
        roles = _roles(ground, options.roles)
        players = _players(ground, roles) if options.shapley else []
        work = _Work(lab, ground, roles, path)
        work.notes += notes
        return work.all(options, players, tell)


REUSED = "trials were reused from earlier runs of the same suite version, seed, isolation and code; --fresh runs them anew"


class _Work:
    """The rounds of one credit, and what they came to."""

    def __init__(self, lab: Laboratory, ground: variants.Ground, roles: Sequence[str], path: str) -> None:
        self._lab, self._ground = lab, ground
        self.notes: list[str] = []
        self._tried = Tried(
            suite=lab.suite.name,
            path=path,
            setup=ground.setup,
            roles=tuple(roles),
            lead=ground.seat.lead,
            team=tuple(role.name for role in ground.seat.roles),
            singles=[],
            gated=lab.suite.policy is not None,
        )

    def all(self, options: CreditOptions, players: Sequence[str], tell: Tell) -> Credit:
        tried, lab, ground = self._tried, self._lab, self._ground
        tried.singles = variants.singles(ground, tried.roles, options.kinds)
        groups = variants.groups(ground, players) if players else {}
        tried.coalitions = {stay: one.setup if one else ground.setup for stay, one in groups.items()}
        coalitions = [one for one in groups.values() if one is not None]
        pairs = variants.pairs(ground, self._removable()) if options.pairs else []
        if ground.way == "changed":
            tried.singles = self._made(tried.singles)
        lab.open(ground.setup, [*tried.singles, *coalitions, *pairs])
        lab.plan([*tried.singles, *coalitions])
        planned, reused = lab.counts()
        tell(planned, reused, lab.size(pairs))
        if options.dry_run:
            return self._read("planned", lab.size(pairs))
        status = lab.run()
        if status == "complete":
            lab.plan(self._pairs(pairs))
            status = lab.run()
        return self._read(status)

    def _made(self, singles: Sequence[Variant]) -> list[Variant]:
        """Those for which the agent's own function gives an agent; the others are not tried, with its reason. Raises the first
        InputError where it gives none at all."""
        found, errors = [], []
        for one in singles:
            try:
                if not one.refused:
                    self._lab.open(self._ground.setup, [one])
                found.append(one)
            except InputError as error:
                errors.append(error)
                found.append(msgspec.structs.replace(one, refused=error.what))
        if errors and all(one.refused for one in found):
            raise errors[0]
        return found

    def _removable(self) -> list[str]:
        return [one.roles[0] for one in self._tried.singles if one.kind == "remove" and not one.refused]

    def _pairs(self, pairs: Sequence[Variant]) -> list[Variant]:
        """Of the pairs those of two roles without an effect of their own."""
        if pairs:
            alone = settled(self._lab.table(), self._ground.setup, self._tried.singles)
            self._tried.pairs = [one for one in pairs if set(one.roles) <= set(alone)]
        return self._tried.pairs

    def _looks(self) -> list[str]:
        """What else must be known of the looks, and of the trials that the whole team stands on."""
        tried, newer = self._tried, self._lab.newer() if self._tried.where[self._tried.setup] else []
        told = [_listed_before(kind, roles) for kind, roles in tried.before.items() if any(one.kind == kind for one in tried.singles)]
        if tried.where[tried.setup]:
            told.append(f"the whole team's trials are of {listed(tried.where[tried.setup])}")
        kept = "credit keeps to those that its changed teams were laid beside first; --fresh runs all anew"
        return [*told, f"newer trials of the whole team are in {listed(newer)}, and {kept}"] if newer else told

    def _read(self, status: str, pairs_at_most: int = 0) -> Credit:
        tried, lab = self._tried, self._lab
        planned, reused = lab.counts()
        left = lab.left()
        if self._ground.way != "team":
            called = lab.tools_called(self._ground.setup)
            tried.singles, tried.pairs = ([variants.with_tools(one, called) for one in some] for some in (tried.singles, tried.pairs))
        tried.status, tried.runs, tried.where = status, lab.runs, lab.where()
        asked = {kind: {one.roles[0] for one in tried.singles if one.kind == kind} for kind in ("remove", "replace", "mend")}
        seen = lab.looked_at().items()
        tried.before = {kind: others for kind, roles in seen if (others := [role for role in roles if role not in asked[kind]])}
        tried.notes = [*self.notes, *([REUSED] if reused else []), *self._looks()]
        tried.trials = {"planned": planned, "reused": reused, "run": planned - reused - left, "not_run": left}
        if pairs_at_most:
            tried.trials["pairs_at_most"] = pairs_at_most
        return read_credit(lab.table(), tried)


def _listed_before(kind: str, roles: Sequence[str]) -> str:
    return f"the correction counts roles that earlier credit runs tried as well ({kind}): {listed(roles)}"


def _team(suite: Suite, asked: str | None) -> str:
    """The setup whose roles are asked about: the one named, else the candidate, else the only one."""
    known = list(suite.setups)
    if asked is None and (suite.candidate or len(known) == 1):
        return suite.candidate or known[0]
    if asked is None:
        raise InputError("which team?", allowed=", ".join(known), mend="name it: --setup TEAM")
    if asked not in suite.setups:
        raise unknown_name("no such setup", asked, known)
    return asked


def _cases(suite: Suite, options: CreditOptions) -> tuple[list[Case], list[str]]:
    """The cases of the whole path, and what must be known of the others: a role that is tried alone has no team to be taken
    out of, and a team that is changed by what held-out cases show is tuned to them."""
    chosen = chosen_cases(suite, RunOptions(cases=options.cases, tags=options.tags))
    whole = [case for case in chosen if case.labels.tier == "e2e" and case.labels.split != "held_out"]
    if not whole:
        raise InputError("none of these cases tries a whole team (tier e2e) and is open", mend="choose others with --case or --tag")
    return whole, [f"held-out cases left out: {held}"] if (held := sum(case.labels.split == "held_out" for case in chosen)) else []


def _ground(lab: Laboratory, name: str, cases: Sequence[Case]) -> variants.Ground:
    """The team as it is seated."""
    setup = lab.suite.setups[name]
    way = "changed" if setup.changed else "graph" if setup.graph else "team"
    seat = lab.look({name: setup})[name]
    if not seat.roles and way == "team":
        raise unchangeable(f"setup {name!r}", setup.agent, lab.suite.places.get(f"setups.{name}"))
    if not seat.roles:
        raise InputError(f"setup {name!r} names no roles", mend="name them: roles: [coo, cfo, ceo], lead: ceo")
    ground = variants.ground_of(name, seat, way, cases, lab.suite.handoffs)
    return msgspec.structs.replace(ground, stand_ins=_stand_ins(seat, lab.options.stand_ins))


def _roles(ground: variants.Ground, asked: Sequence[str]) -> list[str]:
    known = [role.name for role in ground.seat.roles]
    for name in asked:
        if name not in known:
            raise _no_role(name, known)
    return [name for name in known if not asked or name in asked]


def _stand_ins(seat: Seat, given: dict[str, str]) -> dict[str, str]:
    known = [role.name for role in seat.roles]
    for name in given:
        if name not in known:
            raise _no_role(name, known)
    return given


def _no_role(name: str, known: Sequence[str]) -> InputError:
    return unknown_name("no such role in the team", name, known)


def _players(ground: variants.Ground, roles: Sequence[str]) -> list[str]:
    """The roles that form coalitions: all but the lead, without whom there is no answer."""
    players = [role for role in roles if role != ground.seat.lead]
    if len(players) > MOST:
        what = f"--shapley tries every coalition, so it takes {MOST} roles beside the lead at most, and these are {len(players)}"
        size = f"{2 ** len(players):,} coalitions would be tried"
        raise InputError(f"{what} ({size})", value=", ".join(players), mend="choose roles with --role, or leave --shapley out")
    if not players:
        raise InputError("--shapley needs a role beside the lead", value=", ".join(roles), mend="name other roles with --role")
    return players
