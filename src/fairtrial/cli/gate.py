"""`fairtrial gate RUN`: may this version ship?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.files import save
from fairtrial.cli.options import as_path, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("gate")
@click.argument("run")
@click.option("--policy", metavar="FILE", type=as_path, help="The rules: a file, or three-tiers [default: the suite's policy].")
@click.option("--baseline", metavar="RUN[:SETUP]", help="What to compare with [default: the suite's baseline in the same run].")
@click.option("--junit", type=as_path, metavar="FILE", help="Write the decision as JUnit XML as well, a gate a test.")
@click.option("--markdown", type=as_path, metavar="FILE", help="Add the page as Markdown to the end of FILE, as CI step summaries want it.")
def gate(out: Out, run: str, policy: str | None, baseline: str | None, junit: str | None, markdown: str | None) -> int:
    """Hold a setup of RUN to a policy, gate by gate: ship, block, or not enough evidence.

    RUN:SETUP names the candidate; else it is the suite's, or the last one listed. Ends 0 ship, 1 block, 3 not enough evidence,
    4 invalid (nothing graded, or no fair comparison).

    \b
    fairtrial gate last
    fairtrial gate last:team --policy release.yaml --baseline 20260101:team
    fairtrial gate last --junit gate.xml --markdown "$GITHUB_STEP_SUMMARY"
    """
    from fairtrial import workflow
    from fairtrial.exchange.junit_gate import write
    from fairtrial.report.gate_view import gate_sheet
    from fairtrial.report.markdown import markdown as drawn

    found = workflow.gate(out.store, run, policy, baseline)
    code = found.exit_code
    code = save(out, "junit", junit, lambda: write(found), code)
    code = save(out, "markdown", markdown, lambda: drawn(gate_sheet(found, out.words)), code, add=True)
    out.tell(found, lambda: gate_sheet(found, out.words))
    return code
