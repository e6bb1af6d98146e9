"""`fairtrial plan SUITE`: how many cases and trials find a wanted effect, and at what price."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.options import Exact, as_path, suite_or_here, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


DIFFERENCE = Exact("a share", "above 0, up to 1", lambda share: 0 < share <= 1)
LOSS = Exact("a share", "above 0, below 1", lambda share: 0 < share < 1)
CHANCE = Exact("a share", "from 0.5 to below 1", lambda share: Decimal("0.5") <= share < 1)
PRICE = Exact("an amount of US dollars", "0 or more", lambda usd: usd >= 0)


@verb("plan")
@click.argument("suite", required=False, type=as_path)
@click.option("--detect", type=DIFFERENCE, default="0.05", metavar="SHARE", help="The difference that shall be found [default: 0.05].")
@click.option("--power", type=CHANCE, default="0.8", metavar="SHARE", help="With what chance it shall be found [default: 0.8].")
@click.option("--margin", type=LOSS, metavar="SHARE", help="A loss that shall be ruled out as well: 0.02.")
@click.option("--run", "runs", multiple=True, metavar="RUN[:SETUP]", help="The pilot; twice: base and new side [default: the newest].")
@click.option("--case-usd", type=PRICE, metavar="USD", help="What one new case costs to write; counted into the price.")
def plan(out: Out, suite: str | None, runs: tuple[str, ...], **chosen: Any) -> int:
    """Plan cases × trials for a difference that shall be found, from the spread of a pilot run, and say what today's suite can show.

    For example: fairtrial plan my-suite --detect 0.05 --power 0.8. Nothing is run and nothing is spent. Without a pilot the spread is
    assumed, and the plan says so. SUITE is the working folder where it is left out.
    """
    from fairtrial import workflow
    from fairtrial.report.plan_view import plan_sheet
    from fairtrial.study.planning import Wanted

    margin = chosen["margin"]
    wanted = Wanted(
        detect=float(chosen["detect"]),
        power=float(chosen["power"]),
        margin=None if margin is None else float(margin),
        case_usd=chosen["case_usd"],
    )
    place = suite_or_here(suite)
    found = workflow.plan(out.store, place, runs, wanted)
    out.tell(found, lambda: plan_sheet(found, out.words, place))
    return 0
