"""What a suite or its policy has lost since an earlier run: a gate must not turn green because less is asked.

A loss has a short name (`case a`, `checks of a`, `regression a`, `suite handoffs`, `gate severe: 0`); a policy that names it under
`accepts` takes it as meant. Kept out: where the runs come from.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.policy import Gate, Policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ASKED = ("must", "must_not", "limits", "injections", "faults", "secrets", "required_tools", "known_bad")
"""Keys of a case that hold a list of what is asked of an agent, or of its graders."""
BOUNDS = ("expect_state", "max_steps", "timeout_s", "budget", "solution")
"""Keys that ask something by being there."""
AT_MOST = ("latency_p95_ms", "latency_max_ms", "cost_per_success_usd", "unknown_share", "over_budget", "severe")
"""Gates whose bar is a ceiling: a higher one asks less."""


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """What one run held: its cases by id with their hash, those of library regression, how many things the suite around them
    states, the roles of its setups, and its policy."""

    run: str
    cases: dict[str, str]
    regression: frozenset[str] = frozenset()
    states: dict[str, int] = {}
    roles: dict[str, tuple[str, ...]] = {}
    """By setup."""
    policy: Policy | None = None


def lost_cases(now: Held, earlier: Iterable[Held]) -> Iterator[tuple[str, str]]:
    """(name, words) of each case that an earlier run had and this one has not, newest run first."""
    told = set(now.cases)
    for held in earlier:
        for case in held.cases:
            if case not in told:
                told.add(case)
                yield f"case {case}", f"run {held.run} had it"


def lost_regressions(now: Held, earlier: Iterable[Held]) -> Iterator[tuple[str, str]]:
    """Cases that are still there, and no longer of the library that gates a release."""
    told = set(now.regression)
    for held in earlier:
        for case in sorted(held.regression - told):
            told.add(case)
            if case in now.cases:
                yield f"regression {case}", f"run {held.run} had it in library regression"


def changed_roles(now: Held, earlier: Iterable[Held]) -> Iterator[str]:
    """Setups that had other roles: checks about a role do not apply without it."""
    told: set[str] = set()
    for held in earlier:
        for setup, roles in held.roles.items():
            ours = now.roles.get(setup)
            if setup not in told and ours is not None and set(roles) - set(ours):
                told.add(setup)
                yield f"{setup} had roles in run {held.run} that it has no more: {', '.join(role for role in roles if role not in ours)}"


def lost_checks(case: str, now: Mapping[str, Any], before: Mapping[str, Any], run: str) -> Iterator[tuple[str, str]]:
    """What a case as it was written asks less than it did in an earlier run."""
    ours, theirs = _asked(now), _asked(before)
    fewer = [f"{key} {number} → {ours.get(key, 0)}" for key, number in theirs.items() if ours.get(key, 0) < number]
    if fewer:
        yield f"checks of {case}", f"since run {run}: {', '.join(fewer)}"


def _asked(raw: Mapping[str, Any]) -> dict[str, int]:
    found = {key: len(raw[key]) for key in ASKED if isinstance(raw.get(key), list)}
    found |= {key: 1 for key in BOUNDS if raw.get(key) not in (None, {}, [])}
    subtasks = raw.get("subtasks")
    if isinstance(subtasks, list):
        found["subtasks"] = sum(len(one.get("checks") or ()) for one in subtasks if isinstance(one, dict))
    return found


def lost_around(now: Held, earlier: Iterable[Held]) -> Iterator[tuple[str, str]]:
    """What the suite states less beside its cases: checks of every case, contracts of hand-offs."""
    told: set[str] = set()
    for held in earlier:
        for key, number in held.states.items():
            if key not in told and now.states.get(key, 0) < number:
                told.add(key)
                yield f"suite {key}", f"{number} in run {held.run}, now {now.states.get(key, 0)}"


def lost_gates(now: Policy, earlier: Iterable[Held]) -> Iterator[tuple[str, str]]:
    """Gates of the same policy that are gone or ask less than they did."""
    told: set[str] = set()
    for held in earlier:
        before = held.policy
        if before is None or _file(before.name) != _file(now.name):
            continue
        for gate in before.gates:
            if gate.asks not in told and not any(_as_strict(one, gate) for one in now.gates):
                told.add(gate.asks)
                yield f"gate {gate.asks}", f"run {held.run} was held to it"
        if now.confidence < before.confidence and "" not in told:
            told.add("")
            yield f"confidence {before.confidence}", f"run {held.run} was held to it, now {now.confidence}"


def _file(name: str) -> str:
    """A policy is the same one from whatever folder it is named."""
    return name.replace("\\", "/").rpartition("/")[2]


def _as_strict(now: Gate, before: Gate) -> bool:
    """Whether a gate asks all that another one asked."""
    if (now.name, now.part, now.versus, now.k, now.target) != (before.name, before.part, before.versus, before.k, before.target):
        return False
    if before.hard and not now.hard:
        return False
    if before.upper_bound is not None and (now.upper_bound is None or now.upper_bound > before.upper_bound):
        return False
    if before.versus:
        return now.margin <= before.margin if before.versus == "not_below" else now.margin >= before.margin
    ours, theirs = now.bar or Decimal(0), before.bar or Decimal(0)
    return ours <= theirs if before.name in AT_MOST else ours >= theirs
