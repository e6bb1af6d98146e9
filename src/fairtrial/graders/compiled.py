"""A compiled check: what to look for, and how what was found becomes a grade.

Every FAIL carries its evidence, what was expected, what was seen, its kind, and the next thing to mend. A turned check
(must_not) says what it found and that this must not be.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fairtrial.graders.finding import CODE, Finding, turned
from fairtrial.graders.ground import Ground
from fairtrial.graders.judge import judge_of, judges_in
from fairtrial.graders.kinds import compile_check
from fairtrial.graders.labels import label
from fairtrial.graders.rule_check import refuse_settled
from fairtrial.graders.rules import compile_rule
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check, group_card
from fairtrial.records.failure import FIX_BY_CARD, FIX_BY_KIND, FIX_COMMAND, FIX_OBEYED, kind_of
from fairtrial.records.grade import Evidence, Grade
from fairtrial.records.subjects import SUBJECTS
from fairtrial.records.text import cut_text, plain, shorten
from fairtrial.records.verdict import Verdict

LONGEST_VALUE = 2_000
LONGEST_WHY = 600
_FIXES: dict[str, str] = {str(kind): fix for kind, fix in FIX_BY_KIND.items()}

_FIX_BY_SUBJECT = {"injection": FIX_OBEYED, "command": FIX_COMMAND}


_ON_WORDS = ("output", "text", "question", "citations", "grounded")


class Labels(NamedTuple):
    """What a grade says of its check, whatever was found."""

    check: str
    card: str
    severity: str = "major"
    fix: str = ""
    why: str = ""
    dimension: str = ""


class Test:
    """`find(view)` looks; `grade(found)` writes down; `on_words`: it looks at what was said.

    PASS without more to say is one shared grade: graders never change it.
    """

    __slots__ = ("_never", "_probe", "labels", "needs_code", "on_words", "passed", "subject", "turned")

    needs_code: bool
    """A group that holds a judge: on some cards what passes it must pass it without the judge."""

    def __init__(self, labels: Labels, probe: Probe, *, subject: str = "", never: Any = None, on_words: bool = False) -> None:
        self.labels = labels
        self.subject = subject
        self._probe = probe
        self.on_words = on_words
        self.needs_code = False
        self.turned = never is not None
        self._never = never
        self.passed = Grade(
            check=labels.check, card=labels.card, verdict=Verdict.PASS, severity=labels.severity, dimension=labels.dimension
        )

    def find(self, view: View) -> Finding:
        return turned(self._probe(view)) if self.turned else self._probe(view)

    def card_of(self, found: Finding) -> str:
        """The card that a finding of this check belongs to."""
        return found.card or self.labels.card

    def grade(self, found: Finding) -> Grade:
        plain_pass = found.proof is None and found.card is None and found.severity is None and not found.why and found.source == CODE
        if found.verdict is Verdict.PASS and plain_pass:
            return self.passed
        labels = self.labels
        card = self.card_of(found)
        failed = found.verdict is Verdict.FAIL
        kind = None if found.kind is None else str(found.kind)
        shown = kind or str(kind_of(self.subject, card))
        return Grade(
            check=labels.check,
            card=card,
            verdict=found.verdict,
            severity=found.severity or labels.severity,
            kind=shown if failed else None,
            why=self._why(found),
            evidence=self._evidence(found),
            fix=(labels.fix or _FIX_BY_SUBJECT.get(self.subject) or _FIXES.get(kind or "") or FIX_BY_CARD[card]) if failed else "",
            excused=found.excused,
            fault=found.fault,
            aside=found.aside,
            proof=found.proof,
            dimension=labels.dimension,
            source=found.source,
        )

    def _why(self, found: Finding) -> str:
        why = found.why
        if found.verdict is Verdict.FAIL and self.turned and not why:
            where = " at ".join(filter(None, ["found", found.path or (found.span and f"span {found.span}")]))
            seen = "" if found.seen is None and found.path is None else f" {_brief(found.seen)}"
            why = f"{where}:{seen}, which must not be" if seen else f"{where}, which must not be"
        if found.verdict is Verdict.FAIL and self.labels.why:
            why = f"{why} ({self.labels.why})" if why else self.labels.why
        return cut_text(why, LONGEST_WHY)

    def _evidence(self, found: Finding) -> Evidence | None:
        if found.verdict is Verdict.PASS:
            return Evidence(span=found.span, path=found.path, seen=short(found.seen)) if found.why and (found.span or found.path) else None
        expected = found.expected
        if expected is None and self.turned and found.verdict is Verdict.FAIL:
            expected = {"not": self._never}
        path = found.path
        if found.span is None and path is None:
            if found.verdict is not Verdict.FAIL and expected is None and found.seen is None:
                return None
            path = "trace" if found.verdict is Verdict.FAIL else None  # what is missing there has no span to point at
        return Evidence(span=found.span, path=path, expected=short(expected), seen=short(found.seen))


def make_test(check: Check, ground: Ground) -> Test:
    """Compile one check of a case. Raises InputError where it cannot be read."""
    probe = compile_check(check, ground)
    refuse_settled(check)
    never = check.under == "must_not" and not SUBJECTS[check.subject].guard
    labels = Labels(label(check), check.card or _card_of(check, ground), _severity(check, ground), check.fix, check.why, check.dimension)
    wanted = (check.expect or check.target or "this") if never else None
    test = Test(labels, probe, subject=check.subject, never=wanted, on_words=_on_words(check))
    test.needs_code = bool(check.parts) and bool(judges_in([check]))
    return test


def _card_of(check: Check, ground: Ground) -> str:
    """That of the rubric, for the check of a judge; of a group with one that of its first part, or the strictest of its parts."""
    if not check.parts:
        return check.card or judge_of(check, ground.contract.judges).rubric.card
    return group_card([_card_of(part, ground) for part in check.parts])


def _on_words(check: Check) -> bool:
    """Whether a check looks at what was said. What a grader in Python looks at cannot be told."""
    if check.parts:
        return all(map(_on_words, check.parts))
    if check.subject == "rule":
        return "output" in compile_rule(str(check.target)).names
    return check.subject in _ON_WORDS


def _severity(check: Check, ground: Ground) -> str:
    """Losing a fact that the case calls critical is a severe failure."""
    note = ground.case.key.fact_notes.get(str(check.target)) if check.subject == "fact" else None
    return "critical" if note is not None and note.critical and check.severity == "major" else check.severity


def short(value: Any) -> Any:
    """A value as evidence: plain data of a size that can be read."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    made = plain(value)
    return made if isinstance(made, str) and len(made) < 400 else shorten(made, LONGEST_VALUE)[0]


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:99] + "…"
