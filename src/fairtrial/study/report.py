"""The report of a run: every figure of every setup, put together once; all outputs render this object.

Nothing is computed here but what belongs to no other stage. What a reader must know beside the figures (trials that could
not be scored, an unfair match, results without a planned slot) goes into the notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.grade import Evidence, Grade
from fairtrial.records.report import CaseReport, Noted, Recoveries, RunReport, SetupReport
from fairtrial.study import chain, tally
from fairtrial.study.attempts import read_attempts
from fairtrial.study.codes import NAMES
from fairtrial.study.corrected import read_corrected
from fairtrial.study.costs import read_costs
from fairtrial.study.foreign import UNSEEN, foreign
from fairtrial.study.heldout import HELD_OUT
from fairtrial.study.opinions import read_judging
from fairtrial.study.reliability import read_reliability
from fairtrial.study.slices import read_slices
from fairtrial.study.tiers import TIERS, read_tiers, rows_of
from fairtrial.study.until import read_until
from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fairtrial.records.remark import Remark
    from fairtrial.records.run import Manifest
    from fairtrial.records.until import UntilDecided
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

STOPPED = "stopped by rule: the comparison was decided before they were needed"


def read_run(table: Table) -> RunReport:
    """Everything there is to say about one run."""
    manifest = table.manifest
    until = read_until(table)
    return RunReport(
        run=table.run,
        status=table.status,
        suite={"name": manifest.suite, "version": manifest.suite_version},
        manifest=shown_manifest(manifest),
        fairness=fairness_of(manifest),
        setups=_setups(table, until),
        cases=list(_cases(table)) if table.details else [],
        notes=[*manifest.notes, *_notes(table, stopped=until is not None and until.stopped)],
        tiers=read_tiers(table),
        judging=read_judging(lane.opinions for lane in table.lanes.values()),
        until_decided=until,
    )


def _setups(table: Table, until: UntilDecided | None) -> dict[str, SetupReport]:
    """Every setup's figures; trials that a rule made needless are not run for a reason."""
    found = {name: read_setup(lane) for name, lane in table.lanes.items()}
    for setup in found.values() if until is not None and until.stopped else ():
        if setup.not_run:
            setup.reasons["not_run"] = STOPPED
    if table.manifest.origin != "run":
        for setup in found.values():
            foreign(setup, table.manifest)
    return found


def read_setup(lane: Lane) -> SetupReport:
    """Every figure of one setup."""
    counts, costs, steady = lane.counts, read_costs(lane), read_reliability(lane)
    rate, links = tally.success_rate(lane), chain.links(lane)
    passed, failed, unknown = sum(lane.passed), sum(lane.failed), sum(lane.unknown)
    run = passed + failed + unknown
    own: dict[str, Any] = {
        "severe_upper": tally.severe_upper(lane),
        "trial_success_rate": tally.trial_success_rate(lane),
        "tool_call_accuracy": _share(*counts.tool_args),
        "handover_rate": _share(counts.handed_over, run),
        "recovery_rate": _recovery(counts.met, counts.recovered),
        "step_efficiency": counts.efficiency / counts.efficiency_of if counts.efficiency_of else None,
        "chain_product": chain.product(links),
        "chain_joint": chain.joint(lane),
    }
    return SetupReport(
        planned=lane.planned, passed=passed, fail=failed, unknown=unknown, not_run=lane.planned - run,
        errors=counts.errors, ungraded=counts.ungraded, grader_faults=counts.grader_faults,
        declined=counts.declined, not_applicable=counts.not_applicable, severe=sum(lane.severe.values()),
        success_rate=rate, corrected=read_corrected(lane), cards=tally.cards(lane), subtasks=tally.subtasks(lane),
        pass_at=steady.pass_at, pass_hat=steady.pass_hat, first_try=steady.first_try, all_trials=steady.all_trials,
        rubrics={name: one.read() for name, one in sorted(lane.opinions.judges.items())},
        longest_streak=steady.longest_streak, stability=steady.stability, shape=steady.shape,
        cost_usd=costs.cost_usd, user_cost_usd=costs.user_cost_usd, users=lane.talks.read(),
        latency_ms=costs.latency_ms, measured_ms=costs.measured_ms, tokens=costs.tokens,
        tool_calls=sum(lane.tool_calls), steps=counts.steps, retries=counts.retries, over_budget=counts.over_budget.total(),
        recoveries=Recoveries(met=counts.came_of_it.total(), unfired=counts.unfired, **counts.came_of_it),
        process={name: Noted(trials=trials, times=times) for name, (trials, times) in sorted(counts.remarks.items())},
        chain=links, chain_whole=chain.whole(lane, links), attempts=read_attempts(lane),
        endings=dict(counts.endings), failure_kinds=dict(counts.failure_kinds.most_common()),
        slices=read_slices(lane, rate), reasons={**steady.reasons, **costs.reasons, **_reasons(lane, own, run)}, **own,
    )  # fmt: skip


def shown_manifest(manifest: Manifest) -> dict[str, Any]:
    """What was tried, with what: the manifest without its long lists."""
    return {
        "harness": manifest.harness,
        "grader": manifest.grader,
        "seed": manifest.seed,
        "environment": manifest.environment,
        "setups": manifest.setups,
        "baseline": manifest.baseline,
        "candidate": manifest.candidate,
        "settings": manifest.settings,
        "origin": manifest.origin,
        "suite_path": manifest.suite_path or None,
    }


def fairness_of(manifest: Manifest) -> dict[str, Any]:
    """The audit's finding. `carried` says that the user chose to go on with an unfair match; `unknown` is what nobody could audit."""
    return {
        "fair": manifest.fair,
        "differences": list(manifest.differences),
        "carried": not manifest.fair and bool(manifest.settings.get("allow_unfair")),
        **({} if manifest.origin == "run" else {"unknown": list(UNSEEN)}),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _never_met(unfired: int) -> str:
    never = f"; {count(unfired, 'planned fault')} never came, which gives no score" if unfired else ""
    return f"no trial met a tool failure{never}"


def _recovery(met: Mapping[int, int], recovered: Mapping[int, int]) -> float | None:
    """The mean over cases that met a tool failure of failures handled ÷ failures met."""
    return sum(recovered.get(row, 0) / times for row, times in met.items()) / len(met) if met else None


def _reasons(lane: Lane, own: Mapping[str, Any], run: int) -> dict[str, str]:
    counts = lane.counts
    none_run = "no trial has been run"
    undecided = f"{count(counts.met_undecided, 'trial')} met a tool failure, and it is not known what came of it"
    why = {
        "severe_upper": "no case has a decided trial",
        "trial_success_rate": none_run,
        "tool_call_accuracy": "no tool call was checked for its arguments",
        "handover_rate": none_run,
        "recovery_rate": undecided if counts.met_undecided else _never_met(counts.unfired),
        "step_efficiency": "no trial that passed and was safe has both steps and required tools",
        "chain_product": "a hand-off was never decided" if counts.handoffs else "no hand-off is under contract",
        "chain_joint": "a hand-off was never decided" if counts.handoffs else "no hand-off is under contract",
    }
    reasons = {name: why[name] for name, value in own.items() if value is None}
    if not run:
        reasons["success_rate"] = none_run
    caution = tally.interval_caution(lane)
    if caution:
        reasons["success_rate.interval"] = caution
    if not counts.subtasks:
        reasons["subtasks.rate"] = "no case has sub-tasks"
    reasons["human_score"] = "no trial was reviewed by people"
    return reasons


def _notes(table: Table, *, stopped: bool) -> Iterator[str]:
    fairness = fairness_of(table.manifest)
    if not fairness["fair"]:
        told = "carried on request" if fairness["carried"] else "the setups may not be compared"
        yield f"unfair match ({told}): " + "; ".join(fairness["differences"])
    if table.strays:
        yield f"stored results without a planned slot of their own, in no figure: {table.strays}"
    for name, lane in table.lanes.items():
        tiers = [f"{tier} {len(rows)}" for tier in TIERS if (rows := rows_of(lane, tier))]
        if len(tiers) > 1:
            yield f"{name}: its figures cover cases of several tiers ({', '.join(tiers)}), which the table of tiers keeps apart"
        yield from _coverage(name, lane, stopped=stopped)


def _coverage(name: str, lane: Lane, *, stopped: bool) -> Iterator[str]:
    """What the figures of a setup do not cover. What a rule made needless is told with its decision."""
    if lane.counts.grader_faults:
        yield f"{name}: trials with a check whose grader could not do its work: {lane.counts.grader_faults}"
    scored = sum(lane.passed) + sum(lane.failed)
    wanted = scored + sum(lane.unknown) if stopped else lane.planned
    if scored == wanted:
        return
    dark = [
        case.id for row, case in enumerate(lane.cases) if not lane.passed[row] and not lane.failed[row] and (lane.run(row) or not stopped)
    ]
    cases = f"; no trial of {count(len(dark), 'case')} could be scored: {listed(dark)}" if dark else ""
    yield f"{name}: {scored} of {wanted} {'run' if stopped else 'planned'} trials scored{cases}"
    if lane.counts.ungraded:
        yield f"{name}: run trials that have not been graded yet: {lane.counts.ungraded}"


def _cases(table: Table) -> Iterator[CaseReport]:
    """Case by case in planned order, each with its setups."""
    order = dict.fromkeys(case.id for lane in table.lanes.values() for case in lane.cases)
    for case in order:
        for setup, lane in table.lanes.items():
            row = lane.rows.get(case)
            if row is not None:
                told = CaseReport(id=case, setup=setup, verdicts=[NAMES[code] for code in lane.attempts(row)], failed=[], unknown=[])
                yield _told(told, lane, row)


def _told(case: CaseReport, lane: Lane, row: int) -> CaseReport:
    """With what failed and what stayed open; of a held-out case only how much that is, for seeing it would be a look."""
    failed, unknown, remarked = lane.fail_grades.get(row, ()), lane.unknown_grades.get(row, ()), lane.remarked.get(row, ())
    if lane.cases[row].labels.split == HELD_OUT:
        case.withheld = len(failed) + len(unknown) + len(remarked)
        return case
    case.failed = [_failed(attempt, grade) for attempt, grade in failed]
    case.unknown = [_unknown(attempt, grade) for attempt, grade in unknown]
    case.process = _remarks(remarked)
    return case


def _remarks(found: Iterable[tuple[int, Remark]]) -> list[dict[str, Any]]:
    """By attempt, whichever trial was over first."""
    return [{"attempt": attempt, **msgspec.to_builtins(remark)} for attempt, remark in sorted(found, key=lambda entry: entry[0])]


def _failed(attempt: int, grade: Grade) -> dict[str, Any]:
    seen = grade.evidence or Evidence()
    return {
        "attempt": attempt,
        "check": grade.check,
        "card": grade.card,
        "severity": grade.severity,
        "kind": grade.kind,
        "why": grade.why,
        "evidence": {"span": seen.span, "path": seen.path, "expected": seen.expected, "seen": seen.seen},
        "fix": grade.fix,
    }


def _unknown(attempt: int, grade: Grade) -> dict[str, Any]:
    return {"attempt": attempt, "check": grade.check, "card": grade.card, "why": grade.why, "excused": grade.excused}
