"""Runs with a planted truth: how good each setup really is at easy and at hard cases. Everything is drawn from a seed.

`labels` beside the difficulty have nothing to do with the truth, so that a rule found on them is a false one.
"""

import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from fairtrial.records.budget import Budget
from fairtrial.records.grade import Scorecard
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.trial import TrialHead
from fairtrial.study.table import Table
from tests.study.tables import info, spent, table

SETUPS = {"single": "0.03", "single-retry": "0.06", "team": "0.09"}
GIVEN: dict[str, Any] = {"tools": {"read_stock": "1"}, "budget": Budget(usd=Decimal("0.12"))}
Rate = Callable[[str, str], float]
"""The rate of a setup at cases of a difficulty."""


def better_on_hard(setup: str, difficulty: str) -> float:
    return 0.4 if difficulty == "hard" and setup != "team" else 0.95


def better_everywhere(setup: str, difficulty: str) -> float:
    return 0.9 if setup == "team" else 0.6


def all_alike(setup: str, difficulty: str) -> float:
    return 0.8


def worse_everywhere(setup: str, difficulty: str) -> float:
    return 0.5 if setup == "team" else 0.8


def planted(rate: Rate, cases: int = 100, trials: int = 5, seed: int = 1, priced: bool = True) -> Table:
    """A run of single, single-retry and team, each trial priced within a third of its setup's price."""
    draw = random.Random(seed)
    infos = {
        f"c{place}": info(
            f"c{place}",
            difficulty="hard" if place % 5 < 2 else "easy",
            risk=draw.choice(["low", "medium", "high"]),
            source=draw.choice(["real", "edge", "incident"]),
            tags=tuple(tag for tag in "abc" if draw.random() < 0.3),
        )
        for place in range(cases)
    }
    verdicts = {
        setup: {
            case: "".join("P" if draw.random() < rate(setup, str(of.labels.difficulty)) else "F" for _ in range(trials))
            for case, of in infos.items()
        }
        for setup in SETUPS
    }

    def change(trial: TrialHead, graded: Scorecard) -> None:
        price = Decimal(SETUPS[trial.key.setup]) * draw.randint(70, 130) / 100
        trial.spend = spent(str(price) if priced else None, steps=draw.randint(3, 9))

    return table(verdicts, change, seats=seats(), setups={"single-retry": {"retry": {"attempts": 3}}}, infos=infos, candidate="team")


def seats() -> tuple[Seat, ...]:
    """The same facts, tools and budget for all."""
    solo = [Seat(setup=name, **GIVEN) for name in ("single", "single-retry")]
    return (*solo, Seat(setup="team", roles=(RoleSeat(name="coo"), RoleSeat(name="ceo")), lead="ceo", **GIVEN))
