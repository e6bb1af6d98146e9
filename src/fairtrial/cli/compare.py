"""`fairtrial compare BASE NEW…`: runs or setups paired case by case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.codes import FOUND, INVALID
from fairtrial.cli.options import MARGIN, OneOf, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("compare")
@click.argument("base")
@click.argument("news", nargs=-1, required=True, metavar="NEW…")
@click.option("--vary", multiple=True, metavar="FIELD", help="What the two may differ in [default: model prompt setup harness versions].")
@click.option("--margin", type=MARGIN, metavar="SHARE", help="A loss of success rate that still counts as not worse, as a share: 0.02.")
@click.option("--slices", is_flag=True, help="Show every part of the suite, not only those that differ.")
@click.option("--pairs", is_flag=True, help="With several NEW: each pair in full below the table.")
@click.option("--fail-on", multiple=True, type=OneOf(["worse", "cannot_tell"]), help="End 1 on this verdict; may be given again.")
def compare(out: Out, base: str, news: tuple[str, ...], vary: tuple[str, ...], **chosen: Any) -> int:
    """Pair BASE with each NEW case by case: fixed, broken, unchanged, unknown; how large the difference is, and how sure.

    Each side is RUN, or RUN:SETUP where a run has several setups. Several NEW are laid side by side in one table, those marked
    that no other beats, as in `fairtrial compare last:A last:B last:C`; `--pairs` adds each pair in full. With `--margin 0.02` a
    loss of two points would still do; with `--vary model` nothing but the model may differ. Ends 0 whatever is found, 4 when the
    two may not be compared.
    """
    from fairtrial import workflow
    from fairtrial.report.compare_view import comparison_sheet
    from fairtrial.report.versions_view import versions_sheet

    if len(news) == 1:
        found = workflow.compare(out.store, base, list(news), vary=vary, margin=chosen["margin"])
        out.tell(found[0], lambda: comparison_sheet(found[0], out.words, slices=chosen["slices"]))
    else:
        several = workflow.compare_versions(out.store, base, list(news), vary=vary, margin=chosen["margin"])
        found = several.comparisons
        pairs = found if chosen["pairs"] or chosen["slices"] else []
        pages = [lambda one=one: comparison_sheet(one, out.words, slices=chosen["slices"], last=one is pairs[-1]) for one in pairs]
        out.tell(several, lambda: versions_sheet(several, out.words, last=not pairs), *pages)
    if any(one.verdict == "invalid" for one in found):
        return INVALID
    return FOUND if any(one.verdict in chosen["fail_on"] for one in found) else 0
