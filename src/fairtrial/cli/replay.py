"""`fairtrial replay RUN CASE ATTEMPT`: a trial step by step, and where each fact went."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import Count, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("replay")
@click.argument("run")
@click.argument("case")
@click.argument("attempt", type=Count(), default=1)
def replay(out: Out, run: str, case: str, attempt: int) -> int:
    """Walk one trial step by step, with who did what, and show where each required fact was last present and first absent.

    RUN:SETUP names one setup of a run that has several. ATTEMPT counts from 1.
    """
    from msgspec import structs

    from fairtrial import workflow
    from fairtrial.report.replay import replay_sheet

    name, walk = workflow.replay(out.store, run, case, attempt)
    out.tell({"run": name, **structs.asdict(walk)}, lambda: replay_sheet(name, walk, out.words))
    return 0
