"""What a model judge was shown, what it said each time it was asked, and what that comes to.

Kept out: how it is asked (`judges/`), and what a check makes of an opinion (`graders/judge.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

from fairtrial.records.verdict import Verdict


class Matter(msgspec.Struct, frozen=True, kw_only=True):
    """What is put before a judge: the task, the truth that it must use (None: there is none, or the rubric wants none), and the
    evidence that the rubric names, by its name. All of it is data of others, and none of it is trusted."""

    task: str
    reference: str | None = None
    parts: dict[str, Any] = {}


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One repeat of one model. `problem` says why its reply cannot be used; empty where it can, and then `score` is there.

    `replies` are the raw replies, oldest first: the second is there where the first could not be used. `ms` is the time of the
    calls without any waiting for a turn; tokens and price are those of all its calls, None where they are not known. `cached`:
    nothing was asked now, and the price was paid when it was.
    """

    model: str
    repeat: int
    problem: str = ""
    outage: bool = False
    """The model could not be reached: nothing is wrong with what was asked."""
    score: float | None = None
    passed: bool | None = None
    marks: dict[str, float] = {}
    reason: str = ""
    replies: tuple[str, ...] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: Decimal | None = None
    ms: float | None = None
    cached: bool = False


class Opinion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one judge (one model or several, each asked `repeats` times) says of one trial.

    `verdict` is PASS or FAIL by the mean score against the rubric's bar, and UNKNOWN where too few answers can be used, where
    they disagree beyond the limit, or where several models are split; `why` says which. `score` and `by_dimension` are on the
    rubric's scale, means over the usable answers; `spread` is the largest less the smallest score. `identity` is the hash of
    all that makes the judge what it is: its models, rubric, repeats, limits and the form of the question.
    """

    judge: str
    identity: str
    rubric: str
    """The rubric's hash."""
    scale: tuple[float, float]
    verdict: Verdict
    score: float | None = None
    by_dimension: dict[str, float] = {}
    spread: float | None = None
    limit: Decimal = Decimal("0.25")
    """How far repeats might lie apart, as a share of the scale, and how many of its models had to agree (None: more than half): so that
    the answers can be held to another bar by the same rules."""
    quorum: int | None = None
    why: str = ""
    answers: tuple[Answer, ...] = ()
