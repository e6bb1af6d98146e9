"""Which cases two sides share, and into which class each shared case falls.

Cases pair by id where their content is the same; a case that changed, or that one side lacks, is left out and named. The
sums over the pairs are in contrast.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from fairtrial.records.run import CaseInfo
    from fairtrial.study.lane import Lane

CLASSES = ("fixed", "broken", "improved", "declined", "unchanged_pass", "unchanged_fail", "unknown")


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """The shared cases in the order of the base, with their rows on each side; the others by name."""

    cases: list[str]
    base_rows: list[int]
    new_rows: list[int]
    only_base: list[str]
    only_new: list[str]
    changed: list[str]


def pair(base: Lane, new: Lane) -> Pairing:
    """Pair the cases of two lanes."""
    shared = [case for case in base.rows if case in new.rows]
    same = [case for case in shared if _same_content(base.cases[base.rows[case]], new.cases[new.rows[case]])]
    kept = set(same)
    return Pairing(
        cases=same,
        base_rows=[base.rows[case] for case in same],
        new_rows=[new.rows[case] for case in same],
        only_base=[case for case in base.rows if case not in new.rows],
        only_new=[case for case in new.rows if case not in base.rows],
        changed=[case for case in shared if case not in kept],
    )


def _same_content(one: CaseInfo, two: CaseInfo) -> bool:
    """Cases without a hash (some imported ones) pair by their id alone."""
    return not one.hash or not two.hash or one.hash == two.hash


def classes(base: Lane, new: Lane, pairing: Pairing) -> dict[str, list[str]]:
    """The shared cases by class, every class present; their sizes add up to the number of pairs."""
    found: dict[str, list[str]] = {name: [] for name in CLASSES}
    for case, a, b in zip(pairing.cases, pairing.base_rows, pairing.new_rows, strict=True):
        found[_class(_range(base, a), _range(new, b))].append(case)
    return found


def _range(lane: Lane, row: int) -> tuple[int, int, int]:
    """(fewest, most, planned): how many trials of the case pass at least, and at most were the undecided ones to pass."""
    planned = lane.slots(row)
    return lane.passed[row], planned - lane.failed[row], planned


def _class(base: tuple[int, int, int], new: tuple[int, int, int]) -> str:
    """The class that holds however the undecided trials come out, or unknown.

    The four extreme outcomes are enough: each class is a statement about rates that holds between its extremes.
    """
    extremes = {_settled((a, base[2]), (b, new[2])) for a in set(base[:2]) for b in set(new[:2])}
    return extremes.pop() if len(extremes) == 1 else "unknown"


def _settled(base: tuple[int, int], new: tuple[int, int]) -> str:
    """The class of (passed, planned) of both sides, all decided. Rates are compared as whole numbers."""
    base_all, new_all = base[0] == base[1], new[0] == new[1]
    if base_all or new_all:
        return "unchanged_pass" if base_all and new_all else "broken" if base_all else "fixed"
    moved = new[0] * base[1] - base[0] * new[1]
    return "improved" if moved > 0 else "declined" if moved < 0 else "unchanged_fail"
