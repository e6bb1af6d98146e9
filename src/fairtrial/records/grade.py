"""What was decided about a trial, by whom, on which evidence."""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.opinion import Opinion
from fairtrial.records.remark import Met, Remark
from fairtrial.records.verdict import Verdict

CARDS = ("outcome", "coordination", "decision", "process", "recovery", "safety")
SEVERITIES = ("minor", "major", "critical")
DIMENSIONS = {"correctness": 0.5, "groundedness": 0.35, "card_usage": 0.15}
"""The sides from which a conversation is scored, with their weights (the rubric `dialogue`)."""


class Evidence(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Where to look: a span, a path, or both; what was expected and what was seen there."""

    span: str | None = None
    path: str | None = None
    expected: Any = None
    seen: Any = None


class Grade(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One decided check. `why` says in words what was found; `fix` is the next thing to mend (FAIL only).

    `excused` marks an UNKNOWN that the case allows, `fault` one because the grader could not do its work. `source` is code,
    judge, both (a group in which neither decided alone), human or import.
    `aside` marks an UNKNOWN that leaves its card open and the trial's verdict as it is: there was nothing to decide.
    `proof` is declared, found or intervention, for checks on the use of a fact. `dimension` is the side of a conversation
    that the check's label puts it to.
    """

    check: str
    card: str
    verdict: Verdict
    severity: str = "major"
    kind: str | None = None
    why: str = ""
    evidence: Evidence | None = None
    fix: str = ""
    excused: bool = False
    fault: bool = False
    aside: bool = False
    source: str = "code"
    proof: str | None = None
    dimension: str = ""


class CardGlance(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a comparison looks at of a scorecard."""

    verdict: Verdict
    severe: int = 0
    grader: str = ""
    judged: dict[str, str] = {}
    """Name -> identity of the model judges that the verdict rests on: no code failed the trial, and they passed or failed it."""


class Scorecard(CardGlance, kw_only=True, omit_defaults=True):
    """All grades of one trial by one version of the graders, and what follows from them.

    `cards` holds the verdict of each card that had a check; `not_applicable` counts checks about roles that the setup
    lacks. `subtasks` and `handoffs` hold a verdict each. `tool_args` is (valid calls, all calls); None without calls.
    """

    cards: dict[str, Verdict] = {}
    grades: list[Grade] = []
    not_applicable: int = 0
    subtasks: dict[str, Verdict] = {}
    handoffs: dict[str, Verdict] = {}
    remarks: list[Remark] = []
    """Process findings; none of them decides anything."""
    met: list[Met] = []
    """The failures of tools that the trial met, with what came of each."""
    unfired: int = 0
    """Planned faults that never came: they give no recovery score."""
    opinions: list[Opinion] = []
    """What model judges said, also where a check makes nothing of it."""
    unasked: dict[str, str] = {}
    """Judges that were not asked, and why: code had decided, or there was nothing to mark."""
    unfit: dict[str, str] = {}
    """Judges that were asked and whose verdicts do not count, and why: they have not passed the exam that the suite asks for."""
    unheard: list[str] = []
    """Judges that were to be asked and have not been heard yet."""
    tool_args: tuple[int, int] | None = None
    required_tools: int | None = None
