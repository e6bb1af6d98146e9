"""What a trial's ending says by itself, before any check is asked."""

from __future__ import annotations

from fairtrial.records.failure import FIX_BY_KIND, KIND_BY_CARD, KIND_BY_ENDING, FailureKind
from fairtrial.records.grade import Evidence, Grade
from fairtrial.records.trial import FATES, TrialHead
from fairtrial.records.verdict import Verdict


def ending_grade(head: TrialHead) -> Grade | None:
    """FAIL or UNKNOWN for an ending that no check can mend; None where the checks decide."""
    verdict = FATES[head.ending].verdict
    if verdict is None:
        return None
    kind = KIND_BY_ENDING.get(head.ending) if verdict is Verdict.FAIL else None
    return Grade(
        check=f"ending: {head.ending}",
        card="outcome",
        verdict=verdict,
        kind=None if kind is None else str(kind),
        why=head.note or f"the trial ended: {head.ending}".replace("_", " "),
        evidence=Evidence(path="ending", expected="finished", seen=str(head.ending)),
        fix=FIX_BY_KIND[kind] if kind else "",
    )


def declined_grade(head: TrialHead, *, allowed: bool) -> Grade:
    """Declining is right where the case says so, and a failure where an answer could be had."""
    why = head.decline.why if head.decline else ""
    if allowed:
        return Grade(check="declined where that is right", card="outcome", verdict=Verdict.PASS, why=why)
    return Grade(
        check="declined",
        card="outcome",
        verdict=Verdict.FAIL,
        kind=str(FailureKind.PREMATURE_STOP),
        why=f"declined, though this can be answered: {why}" if why else "declined, though this can be answered",
        evidence=Evidence(path="decline", expected="an answer", seen=why or None),
        fix=FIX_BY_KIND[FailureKind.PREMATURE_STOP],
    )


def imported_grade(head: TrialHead, verdict: Verdict) -> Grade:
    """The verdict that a trial came with from elsewhere."""
    kind = KIND_BY_ENDING.get(head.ending, KIND_BY_CARD["outcome"]) if verdict is Verdict.FAIL else None
    return Grade(
        check="imported verdict",
        card="outcome",
        verdict=verdict,
        kind=None if kind is None else str(kind),
        why=head.note or "the verdict it came with",
        evidence=Evidence(path="verdict", expected="PASS", seen=str(verdict)) if verdict is Verdict.FAIL else None,
        fix=FIX_BY_KIND[kind] if kind else "",
        source="import",
    )
