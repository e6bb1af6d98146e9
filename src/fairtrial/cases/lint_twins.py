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
SIGNS = 2
"""Characters of a group, in alphabets and in Chinese, where each says more."""
MANY = 1000
ENOUGH_WORDS = 8
"""Above so many cases in one situation, tasks of so many words are compared by whole words, and at the higher bar only."""
ALIKE = 0.9
ALIKE_WITH_SAME_KEY = 0.75
"""Shares of common letter groups (Jaccard) at which two wordings count as one; less is needed where the answers agree too."""

_ANSWERS = ("must", "must_not", "limits", "subtasks", "unknown_ok", "expect_state", "reference", "solution")
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


def _groups(text: str, coarse: bool = False) -> frozenset[str]:
    words = text.split()
    if coarse and len(words) >= ENOUGH_WORDS:
        return frozenset(words)
    size = LETTERS if sum(map(str.isascii, text)) * 2 > len(text) else SIGNS
    return frozenset(text[start : start + size] for start in range(max(1, len(text) - size + 1)))


def _twins(group: list[Case]) -> Iterator[Finding]:
    """Pairs at the higher bar among all, at the lower bar among those whose answers agree; of several, the most alike."""
    coarse = len(group) > MANY
    sets = [_groups(_plain(case.brief.task), coarse) for case in group]
    by_key: dict[str, list[int]] = defaultdict(list)
    for place, case in enumerate(group):
        by_key[content_hash([case.raw.get(name) for name in _ANSWERS])].append(place)
    found = dict(_pairs(sets, range(len(sets)), ALIKE))
    for places in by_key.values():
        if 1 < len(places) <= MANY:
            found |= dict(_pairs(sets, places, ALIKE_WITH_SAME_KEY))
    for later, earlier in sorted(found.items()):
        share = _share(sets[later], sets[earlier])
        what = "the same as" if share == 1 else f"nearly the same ({share:.0%} alike) as"
        message = f"asks {what} {group[earlier].id!r} ({group[earlier].place})"
        yield found_in(group[later], "near_duplicate", message, "make it differ in what is asked or known, or remove one of them")


def _share(one: frozenset[str], two: frozenset[str]) -> float:
    same = len(one & two)
    return same / (len(one) + len(two) - same)


def _pairs(sets: list[frozenset[str]], places: Sequence[int], bar: float) -> Iterator[tuple[int, int]]:
    """Each place that has an earlier one at least `bar` alike, with the most alike of them.

    Sets that alike share one of their rarest groups, and enough of them lie behind it (the prefix and position filters).
    """
    often = Counter(part for place in places for part in sets[place])
    index: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for later in places:
        size = len(sets[later])
        prefix = sorted(sets[later], key=lambda part: (often[part], part))[: size - ceil(bar * size) + 1]
        may_be: set[int] = set()
        for behind, part in enumerate(prefix):
            for earlier, before in index[part]:
                other = len(sets[earlier])
                needed = bar / (1 + bar) * (size + other) - 1e-9
                if min(size, other) >= bar * max(size, other) and min(size - behind, other - before) >= needed:
                    may_be.add(earlier)
        shares = [(_share(sets[later], sets[earlier]), -earlier) for earlier in may_be]
        best, place = max(shares, default=(0.0, 0))
        if best >= bar:
            yield later, -place
        for behind, part in enumerate(prefix):
            index[part].append((later, behind))
