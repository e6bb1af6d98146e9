"""Are two sides comparable? What was held equal between them, what differs, and whether it was meant to.

A comparison is about the fields it varies; another difference makes it invalid, because nobody could say what moved the
result. A field that one side does not know is shown and forbids nothing. Seed, machine and suite version are shown too:
cases that changed with the suite are left out one by one (pairing.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial import fairness
from fairtrial.records.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.study.table import Table

VARY = ("model", "prompt", "setup", "harness", "versions")
"""What two runs may differ in unless the user says otherwise. `versions` covers every declared version, context and memory too."""

HELD = ("tools", "rights", "facts", "budget", "start_state", "grader")
"""What must be equal unless it is named in `vary`."""

SHOWN = ("suite", "suite_version", "seed", "environment", "program")
"""What is listed and never forbids a comparison."""

_DECLARED = ("model", "prompt", "harness", "context", "memory")
_GIVEN = ("facts", "tools", "rights", "budget")


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Field names by finding; `values` holds both sides of each field that differs or is unknown.

    `refused` are the differences that forbid the comparison, `carried` those the user chose to go on with, as sentences.
    """

    same: list[str]
    differs: list[str]
    unknown: list[str]
    values: dict[str, dict[str, Any]]
    refused: list[str]
    carried: list[str]


def match(base: tuple[Table, str], new: tuple[Table, str], vary: Sequence[str] = VARY) -> Match:
    """Lay two sides, each a table and a setup of it, side by side. Raises InputError for a field that does not exist."""
    _check(vary)
    ours, theirs = _identity(*base), _identity(*new)
    unfair = _unfair(base, new)
    found = Match(same=[], differs=[], unknown=[], values={}, refused=[], carried=[])
    for field in ("setup", *_DECLARED, "versions", *HELD, *SHOWN):
        one, two = ours.get(field), theirs.get(field)
        told = [difference for difference in unfair if difference.startswith(field + ":")]
        if told or (one is not None and two is not None and one != two and not _audited(field, base, new)):
            found.differs.append(field)
            if field in HELD and field not in vary:
                found.refused.extend(told or [f"{field}: {one} in {base[1]}; {two} in {new[1]}"])
            elif field not in HELD and not _allowed(field, vary):
                found.refused.append(f"{field}: {one} in {base[1]}; {two} in {new[1]}")
        elif (one is None or two is None) and not _audited(field, base, new):
            found.unknown.append(field)
        else:
            found.same.append(field)
            continue
        found.values[field] = {"base": one, "new": two}
    return _carry(found, base[0], new[0])


def _check(vary: Sequence[str]) -> None:
    allowed = (*VARY, "context", "memory", *HELD)
    for field in vary:
        if field not in allowed:
            near = nearest(field, allowed)
            mend = f"did you mean {near!r}?" if near else "name a field of the manifest"
            raise InputError("no such field to vary", value=field, allowed=", ".join(allowed), mend=mend)


def _allowed(field: str, vary: Sequence[str]) -> bool:
    return field in SHOWN or field in vary or (field in ("context", "memory") and "versions" in vary)


def _audited(field: str, base: tuple[Table, str], new: tuple[Table, str]) -> bool:
    """Whether the fairness audit speaks for this field: what was really given is known on both sides."""
    return field in _GIVEN and all(table.seat(setup) is not None for table, setup in (base, new))


def _unfair(base: tuple[Table, str], new: tuple[Table, str]) -> list[str]:
    """The audit's sentences about these two; within one run also those found when it was planned."""
    seats = base[0].seat(base[1]), new[0].seat(new[1])
    if seats[0] is None or seats[1] is None:
        return []
    names = (base[1], new[1]) if base[1] != new[1] else ("base", "new")
    laid = [msgspec.structs.replace(seat, setup=name) for seat, name in zip(seats, names, strict=True) if seat]
    found = fairness.audit(laid)
    if base[0].run == new[0].run:
        earlier = (told for told in base[0].manifest.differences if fairness.concerns(told, *names))
        known = {told.partition(":")[0] for told in found}
        found += [told for told in earlier if told.partition(":")[0] not in known]
    return found


def _carry(found: Match, base: Table, new: Table) -> Match:
    """An unfair match within one run that the user allowed goes on, and says so."""
    if base.run != new.run or not base.manifest.settings.get("allow_unfair"):
        return found
    given = [told for told in found.refused if told.partition(":")[0] in _GIVEN]
    refused = [told for told in found.refused if told not in given]
    return msgspec.structs.replace(found, refused=refused, carried=given)


def _identity(table: Table, setup: str) -> dict[str, Any]:
    """What is known of a side, by field; None for what is not."""
    manifest, seat = table.manifest, table.seat(setup)
    entry = manifest.setups.get(setup, {})
    versions: dict[str, Any] = {**(entry.get("versions") or {}), **(seat.versions if seat else {})}
    declared = {field: _known(entry.get(field)) or _known(versions.get(field)) for field in _DECLARED}
    given = {field: _known(entry.get(field)) for field in (*_GIVEN, "start_state")}
    if seat is not None:
        given |= {"tools": fairness.effective_tools(seat), "rights": fairness.rights(seat), "facts": seat.facts or "all"}
        given["budget"] = fairness.ceilings(seat.budget)
    return {
        "setup": setup,
        **declared,
        "versions": {name: value for name, value in versions.items() if name not in _DECLARED} or None,
        **given,
        "grader": manifest.grader or None,
        "suite": manifest.suite or None,
        "suite_version": manifest.suite_version or None,
        "seed": manifest.seed,
        "environment": manifest.environment or None,
        "program": manifest.harness or None,
    }


def _known(value: Any) -> Any:
    return None if value in ("", "unknown") else value
