"""Cases that ask nearly the same: they cost twice, count twice and hide how small a suite is.

Two cases are near-duplicates where everything but the wording is the same (facts, start state, planned trouble, user) and
the wordings, numbers equal, share nearly all their letter groups. The search is exact and near-linear: only the rarest
groups of each text are compared (Bayardo, Ma and Srikant 2007, "Scaling up all pairs similarity search").
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from math import ceil
from typing import TYPE_CHECKING

import msgspec

from fairtrial.cases.walk import found_in
from fairtrial.records.text import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.finding import Finding

LETTERS = 4
ALIKE = 0.9
ALIKE_WITH_SAME_KEY = 0.75
"""Shares of common letter groups (Jaccard) at which two wordings count as one; less is needed where the answers agree too."""

_DIGITS = re.compile(r"\d+")
_GAP = re.compile(r"[\W_]+")


def near_duplicates(cases: Sequence[Case]) -> list[Finding]:
    """One finding for each case that repeats an earlier one."""
    groups: dict[tuple[str, tuple[str, ...]], list[Case]] = defaultdict(list)
    for case in cases:
        groups[_situation(case), tuple(_DIGITS.findall(_plain(case.brief.task)))].append(case)
    return [finding for group in groups.values() if len(group) > 1 for finding in _twins(group)]


def _situation(case: Case) -> str:
    return content_hash([msgspec.structs.replace(case.brief, task=""), case.scene])


def _plain(text: str) -> str:
    return _GAP.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def _groups(text: str) -> frozenset[str]:
    return frozenset(text[start : start + LETTERS] for start in range(max(1, len(text) - LETTERS + 1)))


def _twins(group: list[Case]) -> Iterator[Finding]:
    sets = [_groups(_plain(case.brief.task)) for case in group]
    keys = [content_hash(case.key) for case in group]
    for later, earlier in _pairs(sets):
        same = len(sets[later] & sets[earlier])
        share = same / (len(sets[later]) + len(sets[earlier]) - same)
        if share >= (ALIKE_WITH_SAME_KEY if keys[later] == keys[earlier] else ALIKE):
            first, case = group[earlier], group[later]
            what = "the same as" if share == 1 else f"nearly the same ({share:.0%} alike) as"
            mend = "make it differ in what is asked or known, or remove one of them"
            yield found_in(case, "near_duplicate", f"asks {what} {first.id!r} ({first.place})", mend)


def _pairs(sets: list[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Each later set with the most alike earlier one that may reach the lower bar, at most once."""
    often = Counter(part for one in sets for part in one)
    index: dict[str, list[int]] = defaultdict(list)
    for later, one in enumerate(sets):
        parts = sorted(one, key=lambda part: (often[part], part))[: len(one) - ceil(ALIKE_WITH_SAME_KEY * len(one)) + 1]
        near = {earlier for part in parts for earlier in index[part]}
        if near:
            yield later, max(near, key=lambda earlier: (len(one & sets[earlier]) / len(one | sets[earlier]), -earlier))
        for part in parts:
            index[part].append(later)
