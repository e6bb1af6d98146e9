"""The queue of what people are to look at, and what their labels come to: decided once, rendered by every output.

Kept out: which trials are queued and why (`study/review.py`), and how a person is asked (`steps/reviewing.py`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.trial import TrialKey

TRIAL = "trial"
"""The question whether a trial did what was asked. The other ones are `judge:NAME`: what the rubric of a judge asks."""
JUDGE = "judge:"
REASONS = ("severe", "risk", "judge_code", "judges", "unknown", "sample")
"""Why a trial is queued, by stakes: a severe failure; a case of high risk; judge and code disagree; judges, or the repeats of one,
disagree; the verdict is UNKNOWN; it was drawn at random."""
BLIND = ("risk", "sample")
"""Reasons that tell of no verdict."""
OPEN, SPLIT, SETTLED = "open", "split", "settled"
"""An item waits for people, for somebody to settle their difference, or for nobody."""


class Queued(msgspec.Struct, frozen=True, kw_only=True):
    """One trial that is to be looked at, for one reason. `item` says what is to be judged, whatever run it is in; `asks` is the part
    of it that comes from the case."""

    item: str
    asks: str
    question: str
    reason: str
    run: str
    key: TrialKey
    why: str = ""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the queue as the store has it."""

    item: str
    round: int
    asks: str
    question: str
    reason: str
    why: str
    run: str
    key: TrialKey
    at_ns: int
    who: str


class Added(msgspec.Struct, frozen=True, kw_only=True):
    """What adding to the queue came to, in items: new ones, those open already, those that are done and stay so, those opened again."""

    added: int = 0
    open: int = 0
    done: int = 0
    reopened: int = 0


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What a person sees of an item. All of it is text of others."""

    task: str
    facts: str
    history: str
    reference: str
    expected: str
    answer: str
    ending: str
    done: str


class ReviewItem(msgspec.Struct, kw_only=True):
    """One item of a run's queue. `trials` of this run are this very content; `case`, `setup` and `attempt` name the first of them.

    `people` have labelled it in this `round`; what they said is not told here. `reasons` are left out where the list is made for a
    person who has not labelled it yet, for they tell of verdicts.
    """

    item: str
    question: str
    round: int
    state: str
    people: int
    case: str
    setup: str
    attempt: int
    trials: int
    reasons: list[str]
    why: list[str] = []
    risk: str = "low"
    held_out: bool = False
    yours: bool = False
    """Whether the person that the list is made for has labelled it."""


class Agreement(msgspec.Struct, kw_only=True):
    """How far people agree where they labelled blindly. `pairs`: by two raters, `{n, agreement, kappa, low, high, reason}`."""

    items: int
    """Items that two people or more labelled blindly."""
    agree: int
    alpha: float | None = None
    alpha_low: float | None = None
    alpha_high: float | None = None
    pairs: dict[str, dict[str, Any]] = {}
    reasons: dict[str, str] = {}


class Review(msgspec.Struct, kw_only=True):
    """`review RUN --json`: the queue of one question over a run, most at stake first, and how far it is.

    `not_reviewable` are planned trials with nothing to look at: not run, spoilt by the harness, or imported without content; None where
    nobody looked, for the queue was only read. `by_reason` is left out where the list is made for a person.
    """

    run: str
    question: str
    asked: str
    """The question as a person reads it."""
    items: list[ReviewItem]
    added: Added
    planned: int
    not_reviewable: int | None
    open: int
    split: int
    settled: int
    by_reason: dict[str, int]
    raters: dict[str, int]
    """Rater -> items labelled in their present round."""
    rubric: list[str] = []
    """What the rubric of a judge asks, a line a dimension, where it is known."""
    agreement: Agreement | None = None
    pending: int = 0
    """Labels that wait in a file for a store that can be written, or for a word on which of two stands."""
    unopened: bool = False
    """Whether items were to be opened again, and none was, for none of what was asked for is done."""
    older: int = 0
    """Items of this run's queue that are about an earlier rubric of the judge, and so none of those above."""
    says: str = ""


class HumanScore(msgspec.Struct, kw_only=True, omit_defaults=True):
    """People's score of a setup from 1 to 5: the mean over cases, with an interval over cases that counts what is open both ways.

    `basis`: all (every trial that can be reviewed is settled), sample (trials that were drawn at random, and no others) or chosen
    (trials that were queued for a reason: that is no estimate, and there is no interval). `n` settled trials of `of` in the basis,
    of `cases`; `planned` is the setup's.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    basis: str = "chosen"
    n: int = 0
    of: int = 0
    cases: int = 0
    reviewed: int = 0
    """Trials with a settled label, on whatever basis."""
    planned: int = 0
    reason: str = ""
