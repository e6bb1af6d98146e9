"""`fairtrial use SUITE --setup TEAM --fact ID`: does the decision move when the fact does?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.codes import INTERRUPTED, UNFINISHED
from fairtrial.cli.options import Count, OneOf, as_path, needed_suite, verb
from fairtrial.cli.progress import Progress

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("use")
@click.argument("suite", required=False, type=as_path)
@click.option("--setup", required=True, metavar="TEAM", help="The team: a setup with roles.")
@click.option("--fact", "facts", multiple=True, required=True, metavar="ID", help="The fact to alter; may be given again.")
@click.option("--to", metavar="ROLE", help="The role that receives it (else the deciding one).")
@click.option(
    "--how",
    "ways",
    multiple=True,
    type=OneOf(["change", "hide", "contradict"]),
    help="Put another value in its place, leave it out, or let a second parcel say otherwise; may be given again. [default: change]",
)
@click.option("--value", metavar="JSON", help="The value to put in, in place of one that another case states.")
@click.option("--run", metavar="RUN", help="Whose trials are replayed (else the newest of the setup; without any, it is run first).")
@click.option("--trials", type=Count(), metavar="N", help="Altered runs of a case, and as many controls (else the suite's, 5 at least).")
@click.option("--case", "cases", multiple=True, metavar="ID", help="Only this case; may be given again.")
@click.option("--decision", multiple=True, metavar="PATH", help="A part of the answer that decides (else what the checks look at).")
@click.option("--whole", is_flag=True, help="Let every role act again, where the recorded upstream cannot be replayed.")
@click.option("--held-out", is_flag=True, help="Take held-out cases as well; the look at them is written down.")
@click.option("--jobs", type=Count(), default=10, show_default=True, metavar="N", help="Trials under way at once.")
@click.option("--isolate", type=OneOf(["shared", "fork", "process", "sandbox"]), help="How far trials are kept apart.")
@click.option("--resume", metavar="RUN", help="Finish altered runs that were interrupted; nothing is run twice.")
def use(out: Out, suite: str | None, value: str | None, **chosen: Any) -> int:
    """Alter a fact where a role receives it, run only what follows again, and say whether the decision moves beyond its noise.

    Example: fairtrial use examples/stockout --setup team --fact stockout_days

    What the roles before it did is replayed from stored trials. The fact's three grades of evidence stand side by side: declared
    by the agent, found in what it said, shown by intervention.
    """
    import msgspec

    from fairtrial import workflow
    from fairtrial.records.text import loads
    from fairtrial.report.use_view import use_sheet

    suite = needed_suite(suite)
    chosen["ways"] = chosen["ways"] or ("change",)
    put_in = msgspec.UNSET if value is None else loads(value, source="--value")
    options = workflow.UseOptions(**chosen, value=put_in, store=out.store)
    out.keep_store_of(suite)
    with Progress(out.words, quiet=out.quiet) as progress:
        found = workflow.use(suite, options, progress=progress)
    out.tell(found, lambda: use_sheet(found, out.words, suite))
    if found.status == "interrupted":
        return INTERRUPTED
    return UNFINISHED if found.trials < found.planned else 0
