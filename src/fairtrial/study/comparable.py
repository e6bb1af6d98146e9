"""Are two sides comparable? What was held equal between them, what differs, and whether it was meant to.

A comparison is about the fields it varies; another difference makes it invalid, because nobody could say what moved the
result. A field that one side does not know is shown and forbids nothing. Shown too are the code, the suite's version (cases that changed
with it are left out one by one, pairing.py), the seed (another draw of the same chance), and the machine, of which the page
warns. What is known of a side is in identity.py.
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
"""What two runs may differ in unless the user says otherwise. `versions` covers every declared version, context and memory too;
`setup` covers how it is made (agent, roles, retries)."""

HELD = (*GIVEN, "start_state", "simulator", "isolation", "judges", "grader")
"""What must be equal unless it is named in `vary`."""

SHOWN = ("code", "suite", "suite_version", "seed", "environment", "jobs", "program")
"""What is listed and never forbids a comparison. Code is what a new version changes, and any edit in the folder changes its hash."""

_OVER_ALL_CASES = ("start_state",)
"""Known as one value over all cases of a run, so that two runs of different cases differ in it whatever they share."""

_COVERED = {"context": "versions", "memory": "versions", "agent": "setup", "judges": "grader"}
"""Fields that a wider word of `vary` allows as well."""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Field names by finding; `values` holds both sides of each field that differs or is unknown.

    `refused` are the differences that forbid the comparison, `carried` those the user chose to go on with, as sentences.
    `paired_by` is case, and seed where both sides gave each attempt of a case the same one.
    """

    same: list[str]
    differs: list[str]
    unknown: list[str]
    values: dict[str, dict[str, Any]]
    refused: list[str]
    carried: list[str]
    paired_by: list[str]


def match(base: Side, new: Side, pairing: Pairing, vary: Sequence[str] = VARY) -> Match:
    """Lay two sides, each a table and a setup of it, side by side. Raises InputError for a field that does not exist."""
    _check(vary)
    ours, theirs = identity(base), identity(new)
    told = _told(base, new, pairing)
    found = Match(same=[], differs=[], unknown=[], values={}, refused=[], carried=[], paired_by=["case"])
    for field in ("setup", "agent", *DECLARED, "versions", *HELD, *SHOWN):
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
    if "seed" in found.same:
        found.paired_by.append("seed")
    return _carry(found, base, new)


def _told(base: Side, new: Side, pairing: Pairing) -> dict[str, list[str]]:
    """For each field that was looked at closely the differences found, as sentences; no entry where that was not possible."""
    told = dict(_unfair(base, new))
    one, two = base[0].lanes[base[1]], new[0].lanes[new[1]]
    for field, what, columns in (
        ("start_state", "started from another world", (one.starts, two.starts)),
        ("simulator", "had their user played by another", (one.users, two.users)),
    ):
        found = _by_case(f"{field}: {{}} of {{}} shared cases {what} ({{}})", columns, pairing)
        if found is not None:
            told[field] = found
    return told


def _check(vary: Sequence[str]) -> None:
    allowed = (*VARY, *_COVERED, *HELD)
    for field in vary:
        if field not in allowed:
            near = nearest(field, allowed)
            mend = f"did you mean {near!r}?" if near else "name a field of the manifest"
            raise InputError("no such field to vary", value=field, allowed=", ".join(allowed), mend=mend)


def _allowed(field: str, vary: Sequence[str]) -> bool:
    return field in SHOWN or field in vary or _COVERED.get(field) in vary


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


def _by_case(sentence: str, columns: tuple[list[str], list[str]], pairing: Pairing) -> list[str] | None:
    """Where trials of shared cases tell that the sides differ; None where none tells. A case that varies on one side says nothing."""
    rows = zip(pairing.cases, pairing.base_rows, pairing.new_rows, strict=True)
    seen = ((case, columns[0][a], columns[1][b]) for case, a, b in rows)
    looked = [told for told in seen if told[1] and told[2] and UNSTEADY not in told[1:]]
    if not looked:
        return None
    apart = [case for case, one, two in looked if one != two]
    return [sentence.format(len(apart), len(looked), listed(apart, 5))] if apart else []


def _carry(found: Match, base: Side, new: Side) -> Match:
    """An unfair match within one run that the user allowed goes on, and says so."""
    if base[0].run != new[0].run or not base[0].manifest.settings.get("allow_unfair"):
        return found
    given = [told for told in found.refused if told.partition(":")[0] in GIVEN]
    return msgspec.structs.replace(found, refused=[told for told in found.refused if told not in given], carried=given)
