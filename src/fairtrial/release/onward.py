"""What helps most after a decision: one command that can be typed as it stands, and why.

It follows from what keeps the gates open: more cases help only where a bound rests on them. Kept out: the decision itself.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from fairtrial.release.enough import BETWEEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.decision import GateResult
    from fairtrial.release.ground import Side

LEAST = 0.001
"""The smallest difference that a plan is asked to find."""
SHARES = ("success_rate", "pass_hat", "stability", "recovery_rate", "tool_call_accuracy", "unknown_share")
COUNTED = ("independent case", "even if all passed", BETWEEN)
"""What the reason of a gate says that more cases would close."""


REVIEW = "fairtrial review "
UNSETTLED = "that nobody has settled"
"""What the reason of a gate says that people would close."""


def onward(state: str, gates: Sequence[GateResult], candidate: Side, baseline: Side | None) -> tuple[str, str]:
    """(why, command). Why: show, blocked, resume, lost, part, no_case, grade, review, undecided, lacks or plan."""
    shown = f"fairtrial show {shlex.quote(candidate.name)}"
    if state != "not_enough_evidence":
        return ("blocked" if state == "block" else "show"), shown
    suite = candidate.table.manifest.suite_path
    opened = [gate for gate in gates if gate.state == "open"]
    if any("--resume" in gate.why for gate in opened):
        return "resume", f"fairtrial run --resume {candidate.table.run}"
    lost = next((gate for gate in opened if gate.gate == "nothing_lost"), None)
    if lost is not None and suite:
        part = lost.why.startswith("part of the suite")
        return ("part", f"fairtrial run {shlex.quote(suite)}") if part else ("lost", f"fairtrial check {shlex.quote(suite)}")
    if any(gate.seen == "no case" for gate in opened):
        return "no_case", f"fairtrial check {shlex.quote(suite)}" if suite else shown
    if sum(map(sum, (candidate.table.watches[lane.setup].mendable for lane in candidate.lanes))):
        return "grade", f"fairtrial grade {candidate.table.run}"
    if asked := next((gate.why for gate in opened if gate.gate == "human_score" and (REVIEW in gate.why or UNSETTLED in gate.why)), ""):
        return "review", REVIEW + shlex.quote(asked.rpartition(REVIEW)[2] if REVIEW in asked else candidate.name)
    short = [gate for gate in opened if any(told in gate.why for told in COUNTED) and not _missed(gate)]
    if short and not any("undecided first" in gate.why for gate in short):
        return "plan", _plan(short[0], candidate, baseline)
    unknown = any(lane.sums().unknown for lane in candidate.lanes)
    return ("undecided" if unknown else "lacks"), shown


def _missed(gate: GateResult) -> bool:
    """Whether what was seen lies on the wrong side of the bar, and not just at it."""
    return "would not do" in gate.why and bool(_away(gate))


def _away(gate: GateResult) -> float | None:
    """How far a share or a difference of shares is from its bar; of a comparison from no difference."""
    if gate.value is None or gate.gate not in SHARES:
        return None
    return abs(float(gate.value) - float(gate.bar or 0))


def _plan(gate: GateResult, candidate: Side, baseline: Side | None) -> str:
    """A plan for the distance between what was seen and the bar."""
    away = _away(gate)
    sides = [side.name for side in (baseline, candidate) if side is not None]
    asked = "".join(f" --run {shlex.quote(side)}" for side in sides)
    return f"fairtrial plan{asked} --detect {max(away, LEAST):.2g}" if away else f"fairtrial plan{asked} --detect 0.05"
