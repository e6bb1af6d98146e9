"""A release decision on one page: the answer, every gate with what was seen and needed, and what was tried before.

Reads the decided object and nothing else. Kept out: the run's own page (`run_view.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.canary_view import canaries
from fairtrial.report.compare_view import named
from fairtrial.report.numbers import MISSING, whole
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.decision import Attempt, Decision, GateResult
    from fairtrial.report.words import Words

TONES = {"ship": "good", "block": "bad", "not_enough_evidence": "unsure", "invalid": "bad"}
STATE_TONES = {"holds": "good", "fails": "bad", "open": "unsure"}
MOST_ATTEMPTS = 10


def gate_sheet(found: Decision, words: Words) -> Sheet:
    """The page of one decision; hard gates first, as they alone are enough to block."""
    sheet = Sheet()
    sheet.head(words("gate.title"), f"{found.run}:{found.setup}")
    answer = Part(words.known(f"decision.{found.decision}", found.decision), TONES.get(found.decision, ""))
    sheet.line(answer, ": ", said(words.echo(found.says)))
    aside = words("gate.policy", policy=found.policy, confidence=found.confidence, baseline=found.baseline or MISSING)
    sheet.line(Part(aside, "dim"))
    canaries(sheet, found.canaries, words)
    _gates(sheet, found, words)
    for note in found.notes:
        sheet.line(Part(f"{words('note')}: ", "unsure"), said(words.echo(note)))
    for side, cases in found.left_out.items():
        if cases:
            sheet.line(Part(f"{words(f'left_out.{side}')} ({whole(len(cases))}): ", "unsure"), said(named(cases)))
    _attempts(sheet, found, words)
    if found.next:
        sheet.next(words(f"next.gate.{found.next_why}"), found.next)
    return sheet


def _gates(sheet: Sheet, found: Decision, words: Words) -> None:
    ordered = sorted(found.gates, key=lambda gate: not gate.hard)
    heads = ("gate", "hard", "state", "seen", "needed")
    sheet.grid([(words(f"col.{key}"), "l") for key in heads], [_row(gate, words) for gate in ordered])
    for gate in ordered:
        if gate.why:
            state = Part(words.known(f"gate.{gate.state}", gate.state), STATE_TONES.get(gate.state, ""))
            sheet.line(said(gate.asks), ": ", state, ": ", said(words.echo(gate.why)), indent=2)


def _row(gate: GateResult, words: Words) -> list[Text]:
    state = Part(words.known(f"gate.{gate.state}", gate.state), STATE_TONES.get(gate.state, ""))
    hard = words("gate.hard" if gate.hard else "gate.soft")
    return [said(gate.asks, "strong"), hard, state, said(words.echo(gate.seen)), said(words.echo(gate.needed))]


def _attempts(sheet: Sheet, found: Decision, words: Words) -> None:
    """Earlier runs of the same version, so that running again until it is green shows."""
    if not found.attempts:
        return
    sheet.head(words("gate.attempts", n=whole(found.attempts_before)), words("gate.attempts.aside"))
    heads = [("run", "l"), ("started", "l"), ("status", "l"), *((key, "r") for key in ("planned", "pass", "fail", "unknown", "severe"))]
    sheet.grid([(words(f"col.{key}"), side) for key, side in heads], [_attempt(one, words) for one in found.attempts[:MOST_ATTEMPTS]])
    if (rest := found.attempts_before - MOST_ATTEMPTS) > 0:
        sheet.line(Part(words("gate.attempts.more", n=whole(rest)), "dim"), indent=2)


def _attempt(one: Attempt, words: Words) -> list[Text]:
    counts = [whole(number) for number in (one.planned, one.passed, one.fail, one.unknown, one.severe)]
    return [said(one.run), one.started or MISSING, words.known(f"status.{one.status}", one.status), *counts]
