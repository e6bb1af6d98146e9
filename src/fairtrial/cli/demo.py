"""`fairtrial demo`: the built-in five-role team beside its baselines, offline, with the verdict at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.cli.options import verb
from fairtrial.cli.progress import Progress

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("demo")
def demo(out: Out) -> int:
    """Run the built-in shop team beside a single agent and a single agent with retries, and say whether it earns its cost.

    Needs no key and no network; one trial a case.
    """
    from fairtrial import workflow
    from fairtrial.report.lift_view import lift_sheet
    from fairtrial.report.run_view import Detail, run_sheet

    with Progress(out.words, quiet=out.quiet) as progress:
        outcome = workflow.demo(out.store, progress=progress)
    if out.as_json:
        out.document(outcome.report)
        return 0
    found = workflow.lift(out.store, outcome.report.run)
    out.show(run_sheet(outcome.report, out.words, Detail(failures=3, last=False)), lift_sheet(found, out.words))
    return 0
