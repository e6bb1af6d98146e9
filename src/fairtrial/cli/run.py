"""`fairtrial run SUITE`: every setup at every case, graded and reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from fairtrial.cli.codes import FOUND
from fairtrial.cli.files import exported, save
from fairtrial.cli.options import MARGIN, Count, OneOf, as_path, needed_suite, verb
from fairtrial.cli.progress import Progress

if TYPE_CHECKING:
    from fairtrial.cli.out import Out
    from fairtrial.records.decision import Decision
    from fairtrial.records.report import RunReport
    from fairtrial.report.run_view import Detail
    from fairtrial.steps.options import RunOutcome


@verb("run")
@click.argument("suite", required=False, type=as_path)
@click.option("--setup", "setups", multiple=True, metavar="NAME", help="Only this setup; may be given again.")
@click.option("--case", "cases", multiple=True, metavar="ID", help="Only this case; may be given again.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag; may be given again.")
@click.option("--tier", metavar="TIER", help="Only cases of this tier: unit, agent or e2e.")
@click.option("--library", metavar="NAME", help="Only cases of this library: capability or regression.")
@click.option("-k", "expression", metavar="EXPR", help="Only cases whose id or tags match, as in pytest: 'stock and not slow'.")
@click.option("--lf", "last_failed", is_flag=True, help="Only cases that failed in the last run.")
@click.option("--trials", type=Count(), metavar="N", help="Trials a case and setup, in place of the suite's.")
@click.option("--seed", type=int, metavar="N", help="Another seed than the suite's.")
@click.option("--jobs", type=Count(), default=10, show_default=True, metavar="N", help="Trials under way at once.")
@click.option("--isolate", type=OneOf(["shared", "fork", "process", "sandbox"]), help="How far trials are kept apart.")
@click.option("--until-decided", is_flag=True, help="Stop once baseline and candidate are told apart, by a rule valid at every look.")
@click.option("--margin", type=MARGIN, metavar="SHARE", help="With --until-decided: a loss that still counts as not worse: 0.02.")
@click.option("--allow-unfair", is_flag=True, help="Go on with an unfair match, and say so in every report.")
@click.option("--dry-run", is_flag=True, help="Show what would be run, and run nothing.")
@click.option("-x", "fail_fast", is_flag=True, help="Stop at the first FAIL.")
@click.option("--resume", metavar="RUN", help="Finish a run that was interrupted; nothing is run twice.")
@click.option("--fail-on", multiple=True, type=OneOf(["fail", "unknown", "severe"]), help="End 1 if there is one; repeatable.")
@click.option("--junit", type=as_path, metavar="FILE", help="Write JUnit XML as well.")
@click.option("--markdown", type=as_path, metavar="FILE", help="Write the page as Markdown as well.")
@click.option("--all", "everything", is_flag=True, help="Show every failed check.")
@click.option("--slices", is_flag=True, help="Show the figures by label as well.")
def run(out: Out, suite: str | None, **chosen: Any) -> int:
    """Run every setup at every case of SUITE, grade the trials, and show one page.

    SUITE is a suite.yaml or the folder of one; it may be left out in that folder, and with --resume. With --until-decided the run
    is between baseline and candidate and stops once they are told apart: fairtrial run . --until-decided --margin 0.02. Ends 0 when
    every planned trial was run and graded, whatever the verdicts; --fail-on makes a verdict count. Where the suite names a policy, the
    decision follows the page, and the command ends as `fairtrial gate` does: 0 ship, 1 block, 3 not enough evidence (a candidate that
    was not tried among it), 4 invalid.
    """
    if not chosen["resume"]:
        suite = needed_suite(suite, ", or a run to --resume")
    from fairtrial import workflow
    from fairtrial.report.run_view import Detail, plan_sheet, run_sheet

    fail_on, junit, markdown = chosen.pop("fail_on"), chosen.pop("junit"), chosen.pop("markdown")
    detail = Detail(failures=None if chosen.pop("everything") else 8, slices=chosen.pop("slices"), suite=suite or "")
    options = workflow.RunOptions(**chosen, store=out.store)
    out.keep_store_of(suite or ".")
    with Progress(out.words, quiet=out.quiet) as progress:
        outcome = workflow.run(suite, options, progress=progress)
    code = worse(outcome.exit_code, blocked(outcome.report, fail_on))
    code = save(out, "junit", junit, lambda: _junit(out, outcome), code)
    code = save(out, "markdown", markdown, lambda: _markdown(out, outcome), code)
    if outcome.decision is not None:
        _tell_decision(out, outcome.report, outcome.decision, detail)
        return code
    page = plan_sheet if outcome.status == "planned" else run_sheet
    out.tell(outcome.report, lambda: page(outcome.report, out.words, with_verdict(out, outcome.report, detail)))
    return code


def _junit(out: Out, outcome: RunOutcome) -> str:
    """The run, and the decision on it where there is one."""
    from fairtrial.exchange.junit_gate import added

    told = exported(out, outcome.report.run, "junit")
    return told if outcome.decision is None else added(told, outcome.decision)


def _markdown(out: Out, outcome: RunOutcome) -> str:
    """The run's page, and below it the decision where there is one."""
    from fairtrial.report.gate_view import gate_sheet
    from fairtrial.report.markdown import markdown

    told = exported(out, outcome.report.run, "markdown")
    return told if outcome.decision is None else f"{told}\n{markdown(gate_sheet(outcome.decision, out.words))}"


def with_verdict(out: Out, report: RunReport, detail: Detail) -> Detail:
    """The detail with the candidate against the baseline, where the finished run has both."""
    from fairtrial import workflow
    from fairtrial.report.run_view import compared

    sides = compared(report)
    if sides is None:
        return detail
    return msgspec.structs.replace(detail, found=workflow.compare(out.store, sides[0], [sides[1]], start=detail.suite or ".")[0])


def _tell_decision(out: Out, report: RunReport, decision: Decision, detail: Detail) -> None:
    """The page of the run, and below it what the suite's policy makes of it."""
    from fairtrial.report.gate_view import gate_sheet
    from fairtrial.report.run_view import run_sheet

    document = {**msgspec.structs.asdict(report), "decision": decision}
    upper = msgspec.structs.replace(detail, last=False, decision=decision)
    out.tell(document, lambda: run_sheet(report, out.words, with_verdict(out, report, upper)), lambda: gate_sheet(decision, out.words))


def blocked(report: RunReport, fail_on: tuple[str, ...]) -> bool:
    """Whether a verdict is there that --fail-on names."""
    return any(getattr(setup, name) > 0 for setup in report.setups.values() for name in fail_on)


def worse(code: int, fails: bool) -> int:
    """A verdict that fails decides over work left undone (3), never over an invalid experiment or an interruption."""
    return FOUND if fails and code in {0, 3} else code
