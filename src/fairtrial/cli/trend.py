"""`fairtrial trend SUITE`: the figures of a suite over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import Count, as_path, needed_suite, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("trend")
@click.argument("suite", required=False, type=as_path)
@click.option("--setup", metavar="NAME", help="Only this setup.")
@click.option("--last", type=Count(), metavar="N", help="Show the newest N runs of each setup; what is said of them stays the same.")
def trend(out: Out, suite: str | None, setup: str | None, last: int | None) -> int:
    """Show SUITE run by run, oldest first: success, cost, time, severe failures, UNKNOWN, and what moved.

    SUITE is a suite.yaml or its folder, or the name that imported runs go by: fairtrial trend tau2-airline. A decline is called only
    where the paired interval says so, against the run before or the first since the last break; where suite, graders or isolation
    changed there is a break, and only cases that stayed the same are laid side by side. Times are UTC. Ends 0 whatever it shows.
    """
    suite = needed_suite(suite, ", or a suite that the store has runs of")
    from fairtrial import workflow
    from fairtrial.report.trend_view import trend_sheet

    found = workflow.trend(out.store, suite, setup, last)
    out.keep_store_of(suite)
    out.tell(found, lambda: trend_sheet(found, out.words, suite))
    return 0
