"""How much less than it states the interval on a rate covers when the cases are few: measured, not derived.

The figures were counted on tables drawn from known truths; docs/statistics.md says how, and tests/stats/test_coverage.py
counts them again. Keeps out the interval itself (interval.py).
"""

from __future__ import annotations

FEW = 10
"""Below this many independent cases the design effect is a guess made from a handful of values."""

FEW_FAILURES = 5
"""Below this many cases that went otherwise than all the rest, one case more or less would change what is known of the spread."""

_LOWEST: dict[int, tuple[int, int, int]] = {
    2: (82, 68, 61),
    3: (83, 75, 66),
    4: (84, 78, 69),
    5: (86, 78, 71),
    6: (86, 80, 71),
    7: (88, 80, 71),
    8: (89, 79, 72),
    9: (90, 81, 72),
}
"""By independent cases the lowest per cent of tables whose 95 % interval held the truth: to 5, to 20, to 100 trials a case."""


def lowest_coverage(cases: int, trials: float) -> int | None:
    """The lowest coverage measured for a 95 % interval, in whole per cent rounded down; None from `FEW` cases on.

    `trials` is the number of trials behind each independent case. One case alone has none either: its interval is always
    the one of a single trial.
    """
    found = _LOWEST.get(cases)
    return None if found is None else found[0 if trials <= 5 else 1 if trials <= 20 else 2]


def few_cases(cases: int, trials: float) -> str:
    """The warning in words, empty where there is nothing to warn of."""
    lowest = lowest_coverage(cases, trials)
    if lowest is None:
        return ""
    each = "up to 5 trials" if trials <= 5 else "up to 20 trials" if trials <= 20 else "about 100 trials"
    return (
        f"this interval covers less than it states: with {cases} independent cases of {each} each, a 95 % interval held the truth "
        f"in as little as {lowest} % of simulated tables; more cases mend that, more trials of the same cases do not"
    )


def few_failures(unlike: int, cases: int) -> str:
    """The warning where all but `unlike` of the independent cases always passed (or never did), empty from `FEW_FAILURES` on."""
    if not 0 < unlike < FEW_FAILURES:
        return ""
    return (
        f"few failures: all but {unlike} of {cases} independent cases went alike in every trial, so how much cases differ is a guess "
        "made from those; a kind of case that fails and was not asked cannot show here"
    )
