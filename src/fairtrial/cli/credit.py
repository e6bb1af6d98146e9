"""`fairtrial credit SUITE`: each role of a team removed, replaced and mended; what it earns and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.codes import INTERRUPTED, INVALID, UNFINISHED
from fairtrial.cli.options import Count, OneOf, as_path, needed_suite, verb
from fairtrial.cli.progress import Progress
from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from fairtrial.cli.out import Out
    from fairtrial.records.credit import Credit


@verb("credit")
@click.argument("suite", required=False, type=as_path)
@click.option("--setup", metavar="NAME", help="The team (else the suite's candidate).")
@click.option("--role", "roles", multiple=True, metavar="ROLE", help="Only this role; may be given again.")
@click.option("--case", "cases", multiple=True, metavar="ID", help="Only this case; may be given again.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag; may be given again.")
@click.option("--trials", type=Count(), metavar="N", help="Trials a case and team, in place of the suite's.")
@click.option("--seed", type=int, metavar="N", help="Another seed than the suite's.")
@click.option("--how", "kinds", multiple=True, type=OneOf(["remove", "replace", "mend"]), help="Only this change; may be given again.")
@click.option("--stand-in", "stand_ins", multiple=True, metavar="ROLE=MODULE:FUNCTION", help="Who acts in the place of a replaced role.")
@click.option("--no-pairs", is_flag=True, help="Try no pairs of roles.")
@click.option("--shapley", is_flag=True, help="Try every coalition of up to six roles beside the lead: 2^r teams.")
@click.option("--jobs", type=Count(), default=10, show_default=True, metavar="N", help="Trials under way at once.")
@click.option("--isolate", type=OneOf(["shared", "fork", "process", "sandbox"]), help="How far trials are kept apart.")
@click.option("--fresh", is_flag=True, help="Run every trial anew, even where one is in the store.")
@click.option("--dry-run", is_flag=True, help="Show how many trials it takes, and run nothing.")
def credit(out: Out, suite: str | None, stand_ins: tuple[str, ...], no_pairs: bool, **chosen: Any) -> int:
    """Take each role of a team out, replace it, mend it: does success fall, rise, or stay, and what does the role cost?

    What a removed role may see, its tools and its mail go on to whoever it fed. Two roles without an effect of their own are
    then removed together. Trials that are in the store are not run again, so after an interruption the same command goes on.

    \b
    fairtrial credit examples/stockout --setup team --trials 5
    fairtrial credit . --role cfo --role cpo --how remove
    fairtrial credit . --shapley --dry-run

    Ends 0 whatever is found, 3 where trials are still to be run, 4 where nothing of the whole team could be decided.
    """
    suite = needed_suite(suite)
    from fairtrial import workflow
    from fairtrial.report.credit_view import credit_sheet

    kinds = tuple(dict.fromkeys(chosen.pop("kinds"))) or ("remove", "replace", "mend")
    options = workflow.CreditOptions(**chosen, kinds=kinds, stand_ins=dict(map(_named, stand_ins)), pairs=not no_pairs, store=out.store)
    out.keep_store_of(suite)

    def tell(planned: int, reused: int, pairs: int) -> None:
        out.aside(out.words("credit.size", planned=f"{planned:,}", reused=f"{reused:,}", pairs=f"{pairs:,}"))

    with Progress(out.words, quiet=out.quiet) as progress:
        found = workflow.credit(suite, options, progress, tell)
    out.tell(found, lambda: credit_sheet(found, out.words))
    return _code(found)


def _named(given: str) -> tuple[str, str]:
    role, _, target = given.partition("=")
    if not role or ":" not in target:
        mend = "write the role, =, and the function, as in cfo=stand_ins:plain_cfo"
        raise InputError("--stand-in names no role and function", value=given, allowed="ROLE=module:function", mend=mend)
    return role, target


def _code(found: Credit) -> int:
    if found.status == "interrupted":
        return INTERRUPTED
    if found.status == "planned":
        return 0
    if found.verdict == "invalid":
        return INVALID
    return UNFINISHED if found.trials["not_run"] else 0
