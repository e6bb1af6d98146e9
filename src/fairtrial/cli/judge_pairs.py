"""`fairtrial judge pairs BASE NEW`: two setups side by side before a judge, always in both orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import as_path, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("pairs")
@click.argument("base")
@click.argument("new")
@click.option("--judge", metavar="NAME", help="Which judge of the suite (else its only one).")
@click.option("--suite", metavar="SUITE", type=as_path, help="The suite that names the judge (else the one NEW was run from).")
@click.option("--all", "every", is_flag=True, help="List the cases that are even too.")
def pairs(out: Out, base: str, new: str, judge: str | None, suite: str | None, every: bool) -> int:
    """Put the answers of BASE and NEW side by side before a judge, each pair in both orders: a judge that names a place, whoever
    stands there, has decided nothing.

    \b
      fairtrial judge pairs last:single last:team --judge quality

    Each side is RUN, or RUN:SETUP where a run has several setups; attempts of the cases that both have are paired by number. Wins, ties
    and what is unknown are told by case, with how often the place decided, and a sign test over cases. Ends 0 whatever is found.
    """
    from fairtrial import workflow
    from fairtrial.cli.progress import Progress
    from fairtrial.report.pairs_view import pairs_sheet

    options = workflow.PairOptions(judge=judge, suite=suite)
    with Progress(out.words, quiet=out.quiet) as progress:
        found = workflow.judge_pairs(out.store, base, new, options, progress)
    out.tell(found, lambda: pairs_sheet(found, out.words, every=every))
    return 0
