"""`fairtrial plan SUITE`: how many cases and trials find a wanted effect, and at what price."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.options import as_path, suite_or_here, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("plan")
@click.argument("suite", required=False, type=as_path)
@click.option("--detect", default="0.05", metavar="SHARE", help="The difference that shall be found, as a share [default: 0.05].")
@click.option("--power", default="0.8", metavar="SHARE", help="With what chance it shall be found [default: 0.8].")
@click.option("--margin", metavar="SHARE", help="A loss that shall be ruled out as well: 0.02.")
@click.option("--run", "runs", multiple=True, metavar="RUN[:SETUP]", help="The pilot; twice: base and new side [default: the newest].")
@click.option("--case-usd", metavar="USD", help="What one new case costs to write; counted into the price.")
def plan(out: Out, suite: str | None, runs: tuple[str, ...], **chosen: Any) -> int:
    """Plan cases × trials for a difference that shall be found, from the spread of a pilot run, and say what today's suite can show.

    For example: fairtrial plan my-suite --detect 0.05 --power 0.8. Nothing is run and nothing is spent. Without a pilot the spread is
    assumed, and the plan says so. SUITE is the working folder where it is left out.
    """
    from fairtrial import workflow
    from fairtrial.report.plan_view import plan_sheet
    from fairtrial.study.planning import Wanted

    wanted = Wanted(
        detect=float(_share(chosen["detect"], "--detect")),
        power=float(_share(chosen["power"], "--power", least="0.5", below="1")),
        margin=None if chosen["margin"] is None else float(_share(chosen["margin"], "--margin")),
        case_usd=None if chosen["case_usd"] is None else _amount(chosen["case_usd"]),
    )
    place = suite_or_here(suite)
    found = workflow.plan(out.store, place, runs, wanted)
    out.tell(found, lambda: plan_sheet(found, out.words, place))
    return 0


def _share(text: str, option: str, *, least: str = "0", below: str = "") -> Decimal:
    """A share above `least` (or equal to it, where that is above 0) and up to 1, or below `below`."""
    share = _number(text)
    lowest = Decimal(least)
    good = share.is_finite() and (share > 0 if not lowest else share >= lowest) and (share < Decimal(below) if below else share <= 1)
    if not good:
        allowed = f"{least} to below {below}" if below else "above 0, up to 1"
        raise click.BadParameter(f"{text!r} is not a share ({allowed})", param_hint=option)
    return share


def _amount(text: str) -> Decimal:
    amount = _number(text)
    if not amount.is_finite() or amount < 0:
        raise click.BadParameter(f"{text!r} is not an amount of US dollars, 0 or more", param_hint="--case-usd")
    return amount


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("NaN")
