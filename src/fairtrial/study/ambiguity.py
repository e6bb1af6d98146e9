"""Cases of which people disagree what is right: no agent can be held to a question that its owners answer in two ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.health import Ambiguity

if TYPE_CHECKING:
    from collections.abc import Iterable

    Said = tuple[str, str, str]
    """Case, rater, label."""


def ambiguous(said: Iterable[Said], cases: Iterable[str]) -> list[Ambiguity]:
    """The cases with two different labels from two raters, in the order of `cases`. A rater's last word counts."""
    labels: dict[str, dict[str, str]] = {case: {} for case in cases}
    for case, rater, label in said:
        if case in labels:
            labels[case][rater] = label
    return [Ambiguity(case=case, labels=given) for case, given in labels.items() if len(set(given.values())) > 1]


def merged(found: Iterable[Ambiguity]) -> list[Ambiguity]:
    """Each case once, as it was found first."""
    return list({one.case: one for one in reversed(list(found))}.values())[::-1]
