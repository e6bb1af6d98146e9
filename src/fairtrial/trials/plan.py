"""What will be run, in which order, with which seeds: a function of the plan alone.

Setups are interleaved, so that a slow hour hurts all alike; cases are shuffled by the run's seed within each round of
attempts, so that no case always comes first. Nothing is held in memory per trial.
"""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

from fairtrial.records.trial import TrialKey

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from fairtrial.records.run import Planned


def in_order(planned: Sequence[Planned], seed: int, done: Container[TrialKey] = ()) -> Iterator[TrialKey]:
    """Every planned trial that is not `done`: round by round of attempts, cases shuffled, setups side by side."""
    by_case: dict[str, list[Planned]] = {}
    for plan in planned:
        by_case.setdefault(plan.case, []).append(plan)
    cases = list(by_case)
    rounds = max((plan.after + plan.attempts for plan in planned), default=0)
    for attempt in range(1, rounds + 1):
        random.Random(f"{seed}:{attempt}").shuffle(cases)
        for turn, case in enumerate(cases):
            plans = by_case[case]
            first = (turn + attempt) % len(plans)
            for plan in plans[first:] + plans[:first]:
                key = TrialKey(case, plan.setup, attempt)
                if attempt in plan.numbers() and key not in done:
                    yield key


def case_by_case(planned: Sequence[Planned], done: Container[TrialKey] = ()) -> Iterator[TrialKey]:
    """Every planned trial that is not `done`, case by case in the order of the plan, setups side by side and in turn the first.

    For runs that may stop early: the cases tried so far are whole, and any of them as good as another.
    """
    by_case: dict[str, list[Planned]] = {}
    for plan in planned:
        by_case.setdefault(plan.case, []).append(plan)
    for turn, (case, plans) in enumerate(by_case.items()):
        for attempt in range(1, max(plan.attempts for plan in plans) + 1):
            first = (turn + attempt) % len(plans)
            for plan in plans[first:] + plans[:first]:
                key = TrialKey(case, plan.setup, attempt)
                if attempt <= plan.attempts and key not in done:
                    yield key


def trial_seed(seed: int, key: TrialKey) -> int:
    """A trial's own seed: the same for every setup at the same case and attempt, so that pairs share their chance."""
    digest = hashlib.blake2b(f"{seed}\0{key.case}\0{key.attempt}".encode("utf-8", "surrogatepass"), digest_size=6).digest()
    return int.from_bytes(digest, "big")
