"""`fairtrial judge mutants SUITE`: how much of the damage done to passing trials the graders of a suite catch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import Count, Exact, as_path, needed_suite, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out

SHARE = Exact("a share", "above 0, up to 1", lambda share: 0 < share <= 1)


@verb("mutants")
@click.argument("suite", required=False, type=as_path)
@click.option("--run", metavar="RUN[:SETUP]", help="The run whose passing trials are damaged [default: the suite's newest].")
@click.option("--setup", help="Only the trials of this setup.")
@click.option("--limit", type=Count(), metavar="N", help="Damage at most so many trials.")
@click.option("--with-judges", is_flag=True, help="Ask the suite's judges of what code lets through; the calls are told first.")
@click.option("--all", "every", is_flag=True, help="List every check and every survivor.")
@click.option("--fail-under", type=SHARE, metavar="SHARE", help="End 1 where a smaller share is caught: 0.95.")
def mutants(out: Out, suite: str | None, every: bool, fail_under: object, **asked: object) -> int:
    """Damage trials of SUITE that passed, in eighteen ways, and see which its own graders catch: overspend, a dropped fact, forged
    success, a doubled side effect, the wrong user, the wrong unit, swapped evidence, a planted verdict and more.

    For example: fairtrial judge mutants my-suite --fail-under 0.95. Nothing is run and nothing is stored. A survivor is a damaged
    trial that passed: its case lacks a check, which is named. Ends 0 unless --fail-under says otherwise.
    """
    from fairtrial import workflow
    from fairtrial.cli.progress import Progress
    from fairtrial.report.mutants_view import mutants_sheet
    from fairtrial.steps.mutating import MutateOptions

    named = needed_suite(suite)
    options = MutateOptions(store=out.store, **asked)  # type: ignore[arg-type]
    with Progress(out.words, quiet=out.quiet) as progress:
        found = workflow.mutants(
            named, options, progress, lambda n, calls: out.aside(out.words("mutants.asking", n=f"{n:,}", calls=f"{calls:,}"))
        )
    out.tell(found, lambda: mutants_sheet(found, out.words, every=every))
    short = fail_under is not None and (found.share.value is None or found.share.value < fail_under)  # type: ignore[operator]
    return 1 if short else 0
