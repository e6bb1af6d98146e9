"""`fairtrial diagnose RUN`: what failed, how often and how badly, where it first went wrong, what to mend and what to run again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("diagnose")
@click.argument("run")
@click.option("--all", "everything", is_flag=True, help="Show every case that failed.")
@click.option("--open-only", is_flag=True, help="Leave out held-out cases; to show their failures is a look, and is written down.")
def diagnose(out: Out, run: str, everything: bool, open_only: bool) -> int:
    """Sort the failures of RUN by kind: frequency × cost × severity, the first wrong act, what to mend, what to run again.

    RUN:SETUP looks at one setup, as in: fairtrial diagnose last:team. A cause is where to begin to look, never a proven one.
    Ends 0 whatever is found.
    """
    from fairtrial import workflow
    from fairtrial.report.diagnose_view import diagnosis_sheet

    found = workflow.diagnose(out.store, run, held_out=not open_only)
    out.tell(found, lambda: diagnosis_sheet(found, out.words, most=None if everything else 12))
    return 0
