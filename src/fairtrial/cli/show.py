"""`fairtrial show RUN [CASE [ATTEMPT]]`: one run, one case, or one trial."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import Count, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("show")
@click.argument("run")
@click.argument("case", required=False)
@click.argument("attempt", required=False, type=Count())
@click.option("--all", "everything", is_flag=True, help="Show every failed check.")
@click.option("--slices", is_flag=True, help="Show the figures by label as well.")
def show(out: Out, run: str, case: str | None, attempt: int | None, everything: bool, slices: bool) -> int:
    """Show a run, one CASE of it, or one trial (ATTEMPT counts from 1).

    RUN is an id, the beginning of one, or: last. RUN:SETUP names one setup of a run that has several.
    """
    from fairtrial import workflow
    from fairtrial.cli.run import with_verdict
    from fairtrial.report.case_view import case_sheet, trial_sheet
    from fairtrial.report.run_view import Detail, run_sheet

    if case is None:
        report = workflow.show_run(out.store, run)
        detail = Detail(failures=None if everything else 8, slices=slices)
        out.tell(report, lambda: run_sheet(report, out.words, with_verdict(out, report, detail)))
    elif attempt is None:
        trials = workflow.show_case(out.store, run, case)
        out.tell({"run": run, "case": case, "trials": trials}, lambda: case_sheet(run, trials, out.words))
    else:
        trial = workflow.show_trial(out.store, run, case, attempt)
        out.tell(trial, lambda: trial_sheet(run, trial, out.words))
    return 0
