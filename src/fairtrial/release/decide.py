"""The decision: every gate asked once, invalid before anything, then block, then not enough evidence, then ship.

One object is made here; the page, Markdown, JUnit, JSON and the exit code render it. Kept out: how a gate is read
(`counted.py`, `estimated.py`), and where the runs come from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.decision import EXITS, Decision, GateResult
from fairtrial.release import counted, estimated, people
from fairtrial.release.ground import Ground, Past, Side
from fairtrial.release.onward import onward
from fairtrial.release.scored import judge_score
from fairtrial.release.words import count, listed
from fairtrial.study.canaries import blind, doubts
from fairtrial.study.comparable import match
from fairtrial.study.until import stopped

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.records.canary import CanaryReport
    from fairtrial.records.policy import Gate, Policy
    from fairtrial.study.pairing import Pairing

READERS: dict[str, Callable[[Gate, Ground], GateResult]] = {
    "success_rate": estimated.success_rate,
    "regression": counted.regression,
    "severe": counted.severe,
    "latency_p95_ms": estimated.latency_p95,
    "latency_max_ms": counted.latency_max,
    "cost_per_success_usd": estimated.cost_per_success,
    "pass_hat": estimated.pass_hat,
    "tool_call_accuracy": estimated.tool_call_accuracy,
    "stability": estimated.stability,
    "recovery_rate": estimated.recovery_rate,
    "judge_score": judge_score,
    "human_score": people.human_score,
    "unknown_share": estimated.unknown_share,
    "over_budget": counted.over_budget,
    "coverage": counted.coverage,
}


def decide(
    policy: Policy, candidate: Side, baseline: Side | None = None, past: Past | None = None, canaries: CanaryReport | None = None
) -> Decision:
    """Whether the candidate may ship. `baseline` is needed only where a gate compares with it. A run whose graders missed one of
    its `canaries` cannot pass anything."""
    past = past or Past()
    baseline = baseline if policy.compares else None
    ground = Ground(candidate=candidate, baseline=baseline, confidence=float(policy.confidence))
    pairing = ground.pairing()
    notes, refused = _comparable(candidate, baseline, pairing)
    gates = [_unseen(gate, ground, past) or READERS[gate.name](gate, ground) for gate in policy.gates]
    gates += [] if any(gate.name == "coverage" and not gate.part for gate in policy.gates) else _unfinished(candidate)
    gates += _unheard(candidate)
    losses = [*past.losses, *_missing(candidate, pairing, past.losses)]
    accepted = [told for told in losses if _name(told) in policy.accepts]
    gates += _lost([told for told in losses if told not in accepted])
    why = refused or blind(canaries) or _dark(candidate, baseline)
    state = "invalid" if why else _state(gates)
    next_why, step = ("canaries", f"fairtrial check {candidate.table.manifest.suite_path}") if blind(canaries) else ("", "")
    if not step:
        next_why, step = onward(state, gates, candidate, baseline)
    return Decision(
        decision=state,
        says=_says(state, candidate.setup, gates, why, past),
        gates=gates,
        attempts_before=len(past.attempts),
        exit_code=EXITS[state],
        run=candidate.table.run,
        setup=candidate.setup,
        baseline=None if baseline is None else baseline.name,
        policy=policy.name,
        confidence=policy.confidence,
        suite={"name": candidate.table.manifest.suite, "version": candidate.table.manifest.suite_version},
        attempts=past.attempts,
        left_out=_left_out(pairing),
        next_why=next_why,
        next=step,
        canaries=canaries,
        notes=[
            *_notes(candidate),
            *_doubts(candidate, canaries),
            *notes,
            *past.notes,
            *(f"accepted by the policy: {told}" for told in accepted),
        ],
    )


def _unseen(gate: Gate, ground: Ground, past: Past) -> GateResult | None:
    """A gate on held-out cases is open where one of them was opened: their score is no longer that of unseen cases."""
    if gate.part.get("split") != "held_out":
        return None
    held = {part.lane.cases[row].id for part in ground.counted(gate) for row in part.rows}
    opened = [case for case in past.opened if case in held]
    why = f"somebody has opened {count(len(opened), 'held-out case')}: {listed(opened)}"
    return counted.result(gate, "open", "refused", "a score of cases that nobody has opened", why=why) if opened else None


def _state(gates: list[GateResult]) -> str:
    states = {gate.state for gate in gates}
    return "block" if "fails" in states else "not_enough_evidence" if "open" in states or not gates else "ship"


def _comparable(candidate: Side, baseline: Side | None, pairing: Pairing | None) -> tuple[list[str], str]:
    """(what must be told of the match, why it is invalid)."""
    if baseline is None or pairing is None:
        return [], ""
    if baseline.name == candidate.name:
        return [], f"{candidate.name} is its own baseline: name another one with --baseline RUN:SETUP"
    found = match((baseline.table, baseline.setup), (candidate.table, candidate.setup), pairing)
    notes = [f"unfair match, carried on request: {told}" for told in found.carried]
    why = f"{candidate.name} and {baseline.name} differ in what was to be held equal: {' | '.join(found.refused)}" if found.refused else ""
    return notes, why


def _dark(candidate: Side, baseline: Side | None) -> str:
    """The side of which nothing was graded."""
    for side in (candidate, baseline):
        if side is not None and not any(sum(lane.passed) + sum(lane.failed) for lane in side.lanes):
            return f"nothing was graded for {side.name}"
    return ""


def _unfinished(candidate: Side) -> list[GateResult]:
    """Where the policy asks no coverage, a run with work left undone is open by itself."""
    planned = sum(lane.planned for lane in candidate.lanes)
    run = sum(lane.run(row) for lane in candidate.lanes for row in range(len(lane.cases)))
    if run == planned:
        return []
    why = f"{count(planned - run, 'planned trial')} not run{candidate.mend}"
    return [_own("coverage", f"{run:,} of {count(planned, 'planned trial')} run", "every planned trial run", why)]


def _unheard(candidate: Side) -> list[GateResult]:
    """Rows of a table that were refused and are in no count: what they said of the candidate is not known."""
    number = candidate.table.manifest.settings.get("unheard", 0)
    if not number:
        return []
    why = "such a row names no trial or contradicts another one: mend the table and import it again"
    return [_own("rows_read", f"{count(number, 'row')} refused and in no count", "every row of the table in the plan", why)]


def _own(name: str, seen: str, needed: str, why: str) -> GateResult:
    """A gate that no policy has to ask for."""
    return GateResult(gate=name, asks=f"{name} (always)", hard=True, state="open", seen=seen, needed=needed, why=why)


def _missing(candidate: Side, pairing: Pairing | None, told: list[str]) -> list[str]:
    """Cases of the baseline that the candidate was not tried at, though it could have been."""
    if pairing is None:
        return []
    excused = {*candidate.table.manifest.unseated.get(candidate.setup, ()), *map(_name, told)}
    return [f"case {case}: the baseline had it" for case in pairing.only_base if case not in excused and f"case {case}" not in excused]


def _name(told: str) -> str:
    """What a policy has to name under `accepts`."""
    return told.partition(": the baseline had it")[0].partition(" — ")[0]


def _lost(losses: list[str]) -> list[GateResult]:
    """Less is asked than before, and nobody has said that this was meant."""
    if not losses:
        return []
    why = f"{listed(losses)}; bring it back, or have the policy accept it: accepts: [{', '.join(repr(_name(told)) for told in losses[:3])}]"
    return [_own("nothing_lost", f"{count(len(losses), 'thing')} asked before and not now", "all that was asked before", why)]


def _left_out(pairing: Pairing | None) -> dict[str, list[str]]:
    if pairing is None:
        return {}
    return {"only_base": pairing.only_base, "only_new": pairing.only_new, "changed": pairing.changed}


def _notes(candidate: Side) -> list[str]:
    table = candidate.table
    told = [] if table.status == "complete" else [f"the run is {table.status}"]
    if stopped(table):
        alone = f"what it shows of {candidate.setup} alone is read as if its end had been fixed before"
        told.append(f"the run stopped by its rule, and {alone}")
    if table.manifest.differences:
        told += [f"unfair match, carried on request: {one}" for one in table.manifest.differences]
    if apart := sum(lane.counts.not_applicable for lane in candidate.lanes):
        told.append(f"{count(apart, 'check')} about roles that {candidate.setup} does not have did not apply")
    if table.strays:
        told.append(f"stored results without a planned slot of their own, in no figure: {table.strays}")
    return told


def _doubts(candidate: Side, canaries: CanaryReport | None) -> list[str]:
    return doubts(canaries) if candidate.table.manifest.origin == "run" else []


def _says(state: str, setup: str, gates: list[GateResult], why: str, past: Past) -> str:
    fails, open_ = ([gate.gate for gate in gates if gate.state == one] for one in ("fails", "open"))
    if state == "invalid":
        told = f"No decision on {setup}: {why}"
    elif state == "block":
        told = f"Do not ship {setup}: {len(fails)} of {count(len(gates), 'gate')} failed ({_each(fails)})"
    elif state == "not_enough_evidence":
        told = f"Not enough evidence to ship {setup}: no gate failed, and {len(open_)} of {len(gates)} are open ({_each(open_)})"
    else:
        told = f"Ship {setup}: all gates hold ({len(gates)})"
    if past.attempts:
        told += f"; {_tries(past)}"
    return f"{told}."


def _each(names: list[str]) -> str:
    return listed(list(dict.fromkeys(names)))


def _tries(past: Past) -> str:
    number = len(past.attempts)
    return f"the same version was tried {number} times before" if number > 1 else "the same version was tried once before"
