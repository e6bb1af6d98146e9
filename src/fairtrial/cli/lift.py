"""`fairtrial lift RUN`: single agent, single agent with retries, team; and whether the team earns its cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import OneOf, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out

INVALID = 4


@verb("lift")
@click.argument("run")
@click.option("--fail-on", multiple=True, type=OneOf(["worse", "cannot_tell"]), help="End 1 on this verdict; may be given again.")
@click.option("--slices", is_flag=True, help="Show every part of the suite, not only those where the two differ.")
def lift(out: Out, run: str, fail_on: tuple[str, ...], slices: bool) -> int:
    """Lay single, retry and team of RUN side by side: success, cost, latency, paired differences, and a plain verdict.

    RUN:SETUP names the team, where a run has several. Ends 0 whatever is found, 4 when the match is invalid.
    """
    from fairtrial import workflow
    from fairtrial.report.lift_view import lift_sheet

    found = workflow.lift(out.store, run)
    out.tell(found, lambda: lift_sheet(found, out.words, slices=slices))
    if found.verdict == "invalid":
        return INVALID
    return 1 if found.verdict in fail_on else 0
