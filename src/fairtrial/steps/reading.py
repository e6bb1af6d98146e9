"""From the store to decided objects: tables, reports, comparisons. Nothing here runs or grades anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.load import case_from_raw
from fairtrial.records.errors import InputError, nearest, unknown_name
from fairtrial.records.remark import HANDLED
from fairtrial.records.trace import as_object
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.steps.calibrating import calibrate
from fairtrial.steps.looks import reported
from fairtrial.steps.withdrawn import Today
from fairtrial.store.location import find_store
from fairtrial.store.sql import Store
from fairtrial.study.comparable import VARY
from fairtrial.study.comparison import examine, told
from fairtrial.study.factsigns import wanted_facts
from fairtrial.study.factwalk import Replay, replay
from fairtrial.study.lift import read_lift
from fairtrial.study.table import Table
from fairtrial.study.versions import read_versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.lift import Lift
    from fairtrial.records.report import Comparison, RunReport
    from fairtrial.records.run import Run
    from fairtrial.records.trial import Trial, TrialHead
    from fairtrial.records.versions import Versions
    from fairtrial.store.redact import Redactor
    from fairtrial.study.comparable import Side


def open_store(start: str, given: str | None, *, redactor: Redactor | None = None, create: bool = True) -> Store:
    """The store for a suite's folder (or the working directory), as --store and FAIRTRIAL_STORE say."""
    return Store.open(find_store(start, given), redactor=redactor, create=create)


def read_table(store: Store, name: str, *, details: bool = True) -> Table:
    """A run's table, filled as a stream."""
    run = store.run(name)
    table, today = Table(run, details=details), Today(store, run.id, run.manifest)
    table.fill(today.rows(store.rows(run.id)))
    table.withdrawn = today.withdrawn
    table.note_repeats(store.tries(run.id))
    calibrate(store, table)
    return table


def glance_table(store: Store, name: str) -> Table:
    """A run's table with its columns only, which is all that comparing needs; several times quicker to fill."""
    run = store.run(name)
    table, today = Table(run, details=False), Today(store, run.id, run.manifest)
    table.fill(today.rows(store.glances(run.id)))
    table.withdrawn = today.withdrawn
    table.note_repeats(store.tries(run.id))
    calibrate(store, table)
    return table


def exit_code(report: RunReport) -> int:
    """0 where every trial was run and graded that the plan, or its rule, asked for; 3 where work remains; 4 where nothing was graded."""
    setups = report.setups.values()
    stopped = report.until_decided is not None and report.until_decided.stopped
    if not stopped and any(setup.not_run for setup in setups):
        return 3
    if setups and all(setup.passed + setup.fail == 0 and setup.errors == setup.unknown for setup in setups):
        return 4
    return 3 if any(setup.errors or setup.ungraded or setup.grader_faults for setup in setups) else 0


def split_reference(reference: str) -> tuple[str, str | None]:
    """RUN or RUN:SETUP taken apart."""
    run, _, setup = reference.partition(":")
    return run, setup or None


def show_run(store: Store, reference: str) -> RunReport:
    """The report of a run; with RUN:SETUP only that setup's part of it."""
    name, setup = split_reference(reference)
    report = reported(store, read_table(store, name))
    if setup is None:
        return report
    if setup not in report.setups:
        raise unknown_name("no such setup in this run", setup, report.setups)
    report.setups = {setup: report.setups[setup]}
    report.cases = [case for case in report.cases if case.setup == setup]
    if report.held_out is not None:
        report.held_out.setups = {setup: report.held_out.setups[setup]}
    return report


def compare_runs(store: Store, base: str, new: str, vary: Sequence[str], margin: Any) -> Comparison:
    """Two runs or setups, paired case by case. Where a run has several setups, RUN:SETUP names one."""
    one, two = _sides(store, [base, new])
    found = told(examine(one, two, tuple(vary) or VARY, margin))
    found.notes += _withdrawn(one, two)
    return found


def compare_versions(store: Store, base: str, news: Sequence[str], vary: Sequence[str], margin: Any) -> Versions:
    """Several runs or setups against one, each paired with it case by case, in one table."""
    one, *others = _sides(store, [base, *news])
    found = read_versions(one, others, tuple(vary) or VARY, margin)
    found.notes += _withdrawn(one, *others)
    return found


def _withdrawn(*sides: Side) -> list[str]:
    """What must be told of judges whose verdicts in these runs count no longer, each once."""
    return list(dict.fromkeys(why for table, _ in sides for why in table.withdrawn.values()))


def _sides(store: Store, references: Sequence[str]) -> list[Side]:
    """Each reference as a table and a setup of it; a run that is named twice is read once."""
    tables: dict[str, Table] = {}
    sides = []
    for reference in references:
        name, setup = split_reference(reference)
        run = store.resolve(name)
        if run not in tables:
            tables[run] = glance_table(store, run)
        sides.append((tables[run], tables[run].lane(setup).setup))
    return sides


def lift_of(store: Store, reference: str, margin: Any = None) -> Lift:
    """Single, retry and team of one run in one table. `margin` is the loss that counts as none, the usual one where not stated."""
    name, setup = split_reference(reference)
    table = read_table(store, name, details=False)
    found = read_lift(table, setup, margin)
    found.notes += table.withdrawn.values()
    return found


def chosen_setup(run: Run, setup: str | None, case: str) -> str:
    """The setup that RUN:SETUP names, or the only one that was tried at the case. Raises InputError naming the nearest case."""
    known = [info.id for info in run.manifest.cases]
    if case not in known:
        near = nearest(case, known)
        mend = f"did you mean {near!r}?" if near else f"fairtrial show {run.id} lists its cases"
        if any(plan.setup == case for plan in run.manifest.planned):
            mend = f"that is a setup, which stands behind a colon: fairtrial show {run.id}:{case}"
        raise InputError(f"the run has no case {case!r}", place=run.id, value=case, mend=mend)
    names = [seat.setup for seat in run.manifest.seats] or sorted({plan.setup for plan in run.manifest.planned})
    tried = list(dict.fromkeys(plan.setup for plan in run.manifest.planned if plan.case == case))
    if setup is None and len(tried) == 1:
        return tried[0]
    if setup is None and len(names) == 1:
        return names[0]
    if setup is None:
        raise InputError("the run has several setups", value=run.id, allowed=", ".join(names), mend=f"name one, as in {run.id}:{names[0]}")
    if setup not in names:
        raise unknown_name("no such setup in this run", setup, names)
    return setup


def find_trial(store: Store, reference: str, case: str, attempt: int) -> tuple[Run, Trial, Scorecard | None]:
    """One stored trial with its newest scorecard. Raises InputError naming the nearest case."""
    name, setup = split_reference(reference)
    run = store.run(name)
    key = TrialKey(case, chosen_setup(run, setup, case), attempt)
    card = store.scorecard(run.id, key)
    return run, store.trial(run.id, key), None if card is None else Today(store, run.id, run.manifest).card(key, card)


def trial_object(trial: Trial, card: Scorecard | None) -> dict[str, Any]:
    """`show RUN CASE ATTEMPT --json`."""
    head, body, spend = trial.head, trial.body, trial.head.spend
    measured = head.own_ms if head.own_ms > 0 else None
    reasons = {} if card is not None else {"recoveries": "the trial has not been graded"}
    if measured is None:
        reasons |= {"measured_ms": "no wall time is known"} | ({"latency_ms": "no wall time is known"} if head.stated_ms is None else {})
    failed = [] if card is None else [grade for grade in card.grades if grade.verdict == "FAIL"]
    return {
        "case": head.key.case,
        "setup": head.key.setup,
        "attempt": head.key.attempt,
        "ending": head.ending.value,
        "verdict": card.verdict.value if card else (head.imported.value if head.imported else "UNKNOWN"),
        "failure_reason": (failed[0].why or failed[0].check) if failed else (head.note or None),
        "note": head.note,
        "steps": spend.steps,
        "tools_called": [span.name for span in body.spans if span.kind == "tool" and span.attributes.get("outcome") in ("ok", "failed")],
        "tool_failures": head.tool_failures,
        "refusals": head.refusals,
        "recoveries": None if card is None else recoveries(card),
        "process": [] if card is None else [msgspec.to_builtins(remark) for remark in card.remarks],
        "subtasks": {} if card is None else dict(card.subtasks),
        "latency_ms": measured if head.stated_ms is None else head.stated_ms,
        "measured_ms": measured,
        "stated_ms": head.stated_ms,
        "tokens": {"input": spend.input_tokens, "output": spend.output_tokens, "complete": spend.tokens_complete},
        "cost_usd": spend.usd,
        "cost_complete": spend.usd_complete,
        "dialogue": _dialogue(head),
        "output": None if body.output is msgspec.UNSET else body.output,
        "answered": body.output is not msgspec.UNSET,
        "changes": [{"path": c.path, "kind": c.kind, "before": c.before, "after": c.after} for c in body.changes],
        "patch": body.patch or None,
        "world_note": body.world_note or None,
        "cards": {} if card is None else dict(card.cards),
        "grades": [] if card is None else [msgspec.to_builtins(grade) for grade in card.grades],
        "opinions": [] if card is None else msgspec.to_builtins(card.opinions),
        "unasked": {} if card is None else dict(card.unasked),
        "spans": [as_object(span) for span in body.spans],
        "error": body.error,
        "tries": head.tries,
        "seed": head.seed,
        "reasons": reasons,
    }


def recoveries(card: Scorecard) -> dict[str, Any]:
    """Failures of tools that a trial met and handled, with what came of each; `unfired` planned ones never came."""
    told = [met for met in card.met if met.how in HANDLED]
    return {"met": len(card.met), "handled": len(told), "how": [msgspec.to_builtins(met) for met in card.met], "unfired": card.unfired}


def _dialogue(head: TrialHead) -> dict[str, Any] | None:
    """How the conversation went; None where nobody was simulated."""
    held = head.dialogue
    if held is None:
        return None
    return {
        "ended": held.ended,
        "why": held.why,
        "turns": held.turns,
        "rejected": held.rejected,
        "model": held.model or None,
        "calls": held.calls,
        "tokens": {"input": held.input_tokens, "output": held.output_tokens, "complete": held.tokens_complete},
        "cost_usd": head.user_usd,
        "waited_ms": held.waited_ms,
    }


def stored_case(store: Store, run: Run, case: str) -> Case | None:
    """The case as it was when the run was made; None for imported runs that brought none."""
    raw = store.case_raw(run.id).get(case)
    return None if not raw or "task" not in raw else case_from_raw(raw, case)


def replay_trial(store: Store, reference: str, case: str, attempt: int) -> tuple[str, Replay]:
    """A trial step by step, with where each fact was last present and who dropped it."""
    run, trial, card = find_trial(store, reference, case, attempt)
    found = stored_case(store, run, case)
    seat = next((seat for seat in run.manifest.seats if seat.setup == trial.head.key.setup), None)
    if seat is not None and found is not None and found.scene.role is not None:
        alone = tuple(role for role in seat.roles if role.name == found.scene.role)
        seat = msgspec.structs.replace(seat, roles=alone, lead=found.scene.role)
    walk = replay(trial, wanted_facts(found) if found else [], seat)
    broken = {name for name, verdict in card.handoffs.items() if verdict is Verdict.FAIL} if card else set()
    facts = [msgspec.structs.replace(fact, needed=fact.needed or any(drop.handoff in broken for drop in fact.drops)) for fact in walk.facts]
    return run.id, msgspec.structs.replace(walk, facts=facts)
