"""Are two sides comparable? What was held equal between them, what differs, and whether it was meant to.

A comparison is about the fields it varies; another difference makes it invalid, because nobody could say what moved the
result. A field that one side does not know is shown and forbids nothing. Seed, machine and suite version are shown too:
cases that changed with the suite are left out one by one (pairing.py). What is known of a side is in identity.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial import fairness
from fairtrial.records.errors import InputError, nearest
from fairtrial.study.identity import DECLARED, GIVEN, identity
from fairtrial.study.lane import UNSTEADY
from fairtrial.study.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.study.pairing import Pairing
    from fairtrial.study.table import Table

    Side = tuple[Table, str]

VARY = ("model", "prompt", "setup", "harness", "versions")
"""What two runs may differ in unless the user says otherwise. `versions` covers every declared version, context and memory too."""

HELD = (*GIVEN, "start_state", "grader")
"""What must be equal unless it is named in `vary`."""

SHOWN = ("suite", "suite_version", "seed", "environment", "program")
"""What is listed and never forbids a comparison."""

_OVER_ALL_CASES = ("start_state", "grader")
"""Known as one value over all cases of a run, so that two runs of different cases differ in it whatever they share."""


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


def match(base: Side, new: Side, pairing: Pairing, vary: Sequence[str] = VARY) -> Match:
    """Lay two sides, each a table and a setup of it, side by side. Raises InputError for a field that does not exist."""
    _check(vary)
    ours, theirs = identity(base), identity(new)
    told = _told(base, new, pairing)
    found = Match(same=[], differs=[], unknown=[], values={}, refused=[], carried=[])
    for field in ("setup", *DECLARED, "versions", *HELD, *SHOWN):
        one, two = ours[field], theirs[field]
        sentences = told.get(field)
        if sentences is None and (one is None or two is None or (field in _OVER_ALL_CASES and one != two and not _same_cases(base, new))):
            found.unknown.append(field)
        elif sentences or (sentences is None and one != two):
            found.differs.append(field)
            if not _allowed(field, vary):
                found.refused.extend(sentences or [f"{field}: {one} in {base[1]}; {two} in {new[1]}"])
        else:
            found.same.append(field)
            continue
        found.values[field] = {"base": one, "new": two}
    return _carry(found, base, new)


def _told(base: Side, new: Side, pairing: Pairing) -> dict[str, list[str]]:
    """For each field that was looked at closely the differences found, as sentences; no entry where that was not possible."""
    told = dict(_unfair(base, new))
    started = _started(base, new, pairing)
    if started is not None:
        told["start_state"] = started
    return told


def _check(vary: Sequence[str]) -> None:
    allowed = (*VARY, "context", "memory", *HELD)
    for field in vary:
        if field not in allowed:
            near = nearest(field, allowed)
            mend = f"did you mean {near!r}?" if near else "name a field of the manifest"
            raise InputError("no such field to vary", value=field, allowed=", ".join(allowed), mend=mend)


def _allowed(field: str, vary: Sequence[str]) -> bool:
    return field in SHOWN or field in vary or (field in ("context", "memory") and "versions" in vary)


def _same_cases(base: Side, new: Side) -> bool:
    one, two = ({(case.id, case.hash) for case in table.lanes[setup].cases} for table, setup in (base, new))
    return one == two


def _unfair(base: Side, new: Side) -> Iterator[tuple[str, list[str]]]:
    """The audit of what both were really given, by field; within one run also what it found when that was planned."""
    seats = base[0].seat(base[1]), new[0].seat(new[1])
    if seats[0] is None or seats[1] is None:
        return
    names = (base[1], new[1]) if base[1] != new[1] else ("base", "new")
    found = fairness.audit([msgspec.structs.replace(seat, setup=name) for seat, name in zip(seats, names, strict=True) if seat])
    earlier = [told for told in base[0].manifest.differences if fairness.concerns(told, *names)] if base[0].run == new[0].run else []
    for field in GIVEN:
        now = [told for told in found if told.startswith(f"{field}:")]
        yield field, now or [told for told in earlier if told.startswith(f"{field}:")]


def _started(base: Side, new: Side, pairing: Pairing) -> list[str] | None:
    """Where shared cases started from different worlds; None where no trial tells. A case that never starts alike tells nothing."""
    one, two = base[0].lanes[base[1]].starts, new[0].lanes[new[1]].starts
    rows = zip(pairing.cases, pairing.base_rows, pairing.new_rows, strict=True)
    looked = [(case, one[a], two[b]) for case, a, b in rows if one[a] and two[b] and UNSTEADY not in (one[a], two[b])]
    if not looked:
        return None
    apart = [case for case, started, other in looked if started != other]
    return [f"start_state: {len(apart)} of {len(looked)} shared cases started from another world ({listed(apart, 5)})"] if apart else []


def _carry(found: Match, base: Side, new: Side) -> Match:
    """An unfair match within one run that the user allowed goes on, and says so."""
    if base[0].run != new[0].run or not base[0].manifest.settings.get("allow_unfair"):
        return found
    given = [told for told in found.refused if told.partition(":")[0] in GIVEN]
    return msgspec.structs.replace(found, refused=[told for told in found.refused if told not in given], carried=given)
