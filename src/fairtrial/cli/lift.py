"""`fairtrial lift RUN`: single agent, single agent with retries, team; and whether the team earns its cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.codes import FOUND, INVALID
from fairtrial.cli.options import MARGIN, OneOf, verb

if TYPE_CHECKING:
    from decimal import Decimal

    from fairtrial.cli.out import Out


@verb("lift")
@click.argument("run")
@click.option("--margin", type=MARGIN, metavar="SHARE", help="A loss of success rate that counts as none, as a share [default: 0.05].")
@click.option("--fail-on", multiple=True, type=OneOf(["worse", "cannot_tell"]), help="End 1 on this verdict; may be given again.")
@click.option("--slices", is_flag=True, help="Show every part of the suite, not only those where the two differ.")
def lift(out: Out, run: str, margin: Decimal | None, fail_on: tuple[str, ...], slices: bool) -> int:
    """Lay single, retry and team of RUN side by side: success, cost, latency, success within a budget, and a plain verdict.

    The advice is one of: keep the team, route some cases to it, drop a role, take the rival, cannot tell, invalid. A rule for
    routing is given only where it held on cases that had no part in choosing it.

    RUN:SETUP names the team, where a run has several: fairtrial lift last:team. Ends 0 whatever is found, 4 when the match is invalid.
    """
    from fairtrial import workflow
    from fairtrial.report.lift_view import lift_sheet

    found = workflow.lift(out.store, run, margin)
    out.tell(found, lambda: lift_sheet(found, out.words, slices=slices))
    if found.verdict == "invalid":
        return INVALID
    return FOUND if found.verdict in fail_on else 0
