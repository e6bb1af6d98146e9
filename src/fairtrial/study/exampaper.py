"""From ratings to an exam paper: one truth and one word of the judge an item, as numbers; and what had to be set aside, counted.

A rater's last word on an item counts, as it does wherever labels are read; earlier ones are counted. Kept out: the figures (exam.py).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from fairtrial.records.errors import InputError, unknown_name
from fairtrial.records.exam import Aside
from fairtrial.records.person import HUMAN, human, rater_key
from fairtrial.study.examlabels import UNKNOWN, Labels, bare
from fairtrial.study.settled import worst

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from fairtrial.records.rating import Rating

    Codes = NDArray[np.intp]


class Said(NamedTuple):
    """All ratings of a file, the last word of each rater: by item, and what is stated of each item by whoever states it first."""

    words: dict[str, dict[str, str]]
    cluster: dict[str, str]
    severity: dict[str, str]
    slices: dict[str, dict[str, str]]
    raters: list[str]
    settled: dict[str, dict[str, str]]
    """By item what those who settle it say."""
    aside: dict[str, int]


class Paper(NamedTuple):
    """The items that have both a truth and a word of the judge. `judge` is the code of a label, or the number of labels for no verdict."""

    labels: Labels
    items: list[str]
    truth: Codes
    judge: Codes
    clusters: Codes
    aside: Aside


def gathered(ratings: Iterable[Rating], judge: str, version: str = "") -> Said:
    """`version`: lines of the judge that state another one are set aside. A rating without a label is a gap. A rater is called as
    the first line spells it: one person in two spellings is one person. What lines state of an item differently does not hang on
    their order: the worst severity counts, of all else the first by its letters."""
    words: dict[str, dict[str, str]] = {}
    cluster: dict[str, str] = {}
    severity: dict[str, str] = {}
    slices: dict[str, dict[str, str]] = {}
    raters: dict[str, None] = {}
    settled: dict[str, dict[str, str]] = {}
    names: dict[str, str] = {}
    aside = dict.fromkeys(("earlier", "changed", "gaps", "other_version"), 0)
    for rating in ratings:
        item, rater = rating.item, names.setdefault(rater_key(rating.rater), rating.rater)
        _state(rating, cluster, severity, slices)
        if version and rater == judge and rating.version not in (None, version):
            aside["other_version"] += 1
            continue
        raters[rater] = None
        own = words.setdefault(item, {})
        if rating.label is None:
            aside["gaps"] += 1
            continue
        if rating.settles:
            settled.setdefault(item, {})[rater] = rating.label
            continue
        before = own.get(rater)
        if before is not None:
            aside["earlier"] += 1
            aside["changed"] += bare(before) != bare(rating.label)
        own[rater] = rating.label
    return Said(words, cluster, severity, slices, list(raters), settled, aside)


def _state(rating: Rating, cluster: dict[str, str], severity: dict[str, str], slices: dict[str, dict[str, str]]) -> None:
    """What a line says of its item beside the label."""
    item = rating.item
    if rating.cluster is not None:
        cluster[item] = min(rating.cluster, cluster.get(item, rating.cluster))
    if rating.severity is not None:
        severity[item] = worst([rating.severity, severity.get(item, rating.severity)]) or rating.severity
    if rating.slice:
        own = slices.setdefault(item, {})
        for name, value in rating.slice.items():
            own[name] = min(value, own.get(name, value))


def settling(said: Said, judge: str, people: Collection[str]) -> tuple[dict[str, str], int]:
    """(by item the word that settled a difference of these people, how many such words settle nothing): one of the judge itself or of no
    person, of somebody who is part of the difference, or where there is none. Several that differ are none."""
    found: dict[str, str] = {}
    nothing = 0
    for item, words in said.settled.items():
        rated = {rater: bare(word) for rater, word in said.words.get(item, {}).items() if rater in people}
        apart = len(set(rated.values())) > 1 or not rated
        able = {rater: word for rater, word in words.items() if apart and human(rater) and rater != judge and rater not in rated}
        alike = {bare(word) for word in able.values()}
        nothing += len(words) - len(able) if len(alike) == 1 else len(words)
        if len(alike) == 1:
            found[item] = next(iter(able.values()))
    return found, nothing


def the_judge(said: Said, asked: str | None) -> str:
    """The judge that was asked for, else the only rater who is no person."""
    others = [rater for rater in said.raters if not human(rater)]
    if asked is not None and (rater := _known(said, asked)):
        return rater
    if asked is None and len(others) == 1:
        return others[0]
    if asked is None:
        raise InputError("whose exam? name the judge", allowed=", ".join(others) or None, mend="--judge NAME")
    raise unknown_name(f"no rating by {asked!r}", asked, said.raters, mend="name a rater of the file, or --suite for a judge to ask")


def truth_raters(said: Said, truth: str, judge: str) -> list[str]:
    """Whose word is the truth: all people, or one rater. Never the judge's own."""
    if rater_key(truth) == rater_key(judge):
        raise InputError("a judge cannot be its own truth", value=truth, mend="--truth human, or another rater")
    if rater := _known(said, truth):
        return [rater]
    people = [rater for rater in said.raters if human(rater) and rater != judge]
    if truth != HUMAN:
        raise unknown_name(f"no rating by {truth!r}", truth, said.raters)
    if not people:
        raise InputError("no rating by a person", mend='a person\'s rater is called "human:NAME"; or name the truth: --truth NAME')
    return people


def _known(said: Said, asked: str) -> str | None:
    """The rater that is meant, as the file spells it."""
    return next((rater for rater in said.raters if rater_key(rater) == rater_key(asked)), None)


def paper_of(said: Said, judge: str, raters: Sequence[str]) -> Paper:
    """Lay the items out. Raises InputError where no item has both sides."""
    import numpy as np

    whose = frozenset(raters)
    decisive, nothing = settling(said, judge, whose)
    spelt = {word for own in said.words.values() for word in own.values()}
    given = {word for own in said.words.values() for rater, word in own.items() if rater in whose}
    labels = Labels(given | set(decisive.values()), spelt)
    aside = Counter(said.aside | {"settles_nothing": nothing})
    items, truth, word = [], [], []
    for item, own in said.words.items():
        decided = decisive.get(item)
        settled = _settled([decided] if decided else [given for rater, given in own.items() if rater in whose])
        mine = own.get(judge)
        if mine is None:
            aside["no_judge"] += 1
        if settled in ("no_truth", "ties", "unknown"):
            aside[settled] += 1
        elif mine is not None:
            items.append(item)
            truth.append(labels.code(settled.removeprefix("=")))
            word.append(len(labels.names) if (code := labels.code(mine)) is None else code)
    if not items:
        told = ", ".join(f"{name}: {count}" for name, count in aside.items() if count)
        raise InputError(
            f"no item has both a truth and a rating by {judge!r}", value=told or None, mend="rate the same items, by the same ids"
        )
    groups: dict[tuple[bool, str], int] = {}
    clusters = [groups.setdefault((item in said.cluster, said.cluster.get(item, item)), len(groups)) for item in items]
    sides = [np.array(codes, dtype=np.intp) for codes in (truth, word, clusters)]
    return Paper(labels, items, sides[0], sides[1], sides[2], Aside(**aside))


def _settled(given: list[str]) -> str:
    """The truth of one item as `=LABEL`, or why there is none: the label that most gave, where one leads."""
    if not given:
        return "no_truth"
    if all(word == given[0] for word in given):
        alike = bare(given[0])
        return "unknown" if alike == UNKNOWN else f"={alike}"
    votes = Counter(map(bare, given))
    most = max(votes.values())
    leading = [word for word, count in votes.items() if count == most]
    if len(leading) > 1:
        return "ties"
    return "unknown" if leading[0] == UNKNOWN else f"={leading[0]}"
