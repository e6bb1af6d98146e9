"""An exam that a judge has sat, and what it is worth today: may its verdicts count?

Kept out: how an exam is marked (`study/`), where its lines are kept (`store/exams.py`), and how a standing is decided
(`study/standing.py`).
"""

from __future__ import annotations

from typing import Any

import msgspec

STATES = ("passed", "failed", "stale", "none")


class Sitting(msgspec.Struct, frozen=True, kw_only=True):
    """One exam, as it is kept: never changed, and never taken back. `identity` is the hash of all that makes the judge what it is;
    `parts` names what went into it (model, rubric, repeats …), so that a later change can be called by its name.

    `figures` is the whole result of the exam, `bar` what it was held to then, and `passes` what that came to; None without a bar.
    """

    at_ns: int
    judge: str
    identity: str
    suite: str
    parts: dict[str, str] = {}
    figures: dict[str, Any] = {}
    bar: dict[str, str] = {}
    passes: bool | None = None
    who: str = ""
    paper: str = ""
    """A hash of the ratings that were marked, and how."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge's exams say of it today.

    `state`: passed; failed; stale (only another identity of it was examined); none. `bar` is what the suite asks of it; without one a
    judge's verdicts count, and `why` says what is known of it. `mend` is what to type. `examined` is the date of the exam that
    `state` rests on, of a stale one the last of another identity; `figures` are those of that exam.
    """

    judge: str = ""
    identity: str = ""
    state: str = "none"
    why: str = ""
    mend: str = ""
    bar: dict[str, str] = {}
    examined: str | None = None
    figures: dict[str, Any] = {}

    @property
    def counts(self) -> bool:
        """Whether its verdicts are verdicts: always where no bar is stated, else only with a passed exam."""
        return not self.bar or self.state == "passed"
