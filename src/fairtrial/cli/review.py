"""`fairtrial review RUN`, `review status|export|import`: the queue of trials that people look at, and their labels."""

from __future__ import annotations

import sys
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.options import Count, OneOf, as_path, verb
from fairtrial.records.errors import InputError
from fairtrial.records.review import REASONS, TRIAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.cli.out import Out

FLAGS = ("--json", "-q", "--quiet")


class Sample(click.ParamType[int | Decimal]):
    """A number of trials, or a share of them: 20, 10%, 0.1."""

    name = "number or share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | Decimal:
        if not isinstance(value, str):
            return int(value)
        text = value.strip()
        try:
            number = Decimal(text.removesuffix("%"))
        except InvalidOperation:
            number = Decimal("NaN")
        share = number / 100 if text.endswith("%") else number
        if number.is_finite() and (text.endswith("%") or "." in text) and 0 < share <= 1:
            return share
        if text.isascii() and text.isdigit() and len(text) < 10:
            return int(text)
        allowed = "a whole number of trials of each setup, or a share of them"
        raise InputError("--sample is neither", value=value, allowed=allowed, mend="write it as 20, 10% or 0.1")


class Review(click.Command):
    """The queue, or what its first word names beside it."""

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        at = next((place for place, word in enumerate(args) if word not in FLAGS), len(args))
        other = BESIDE.get(args[at]) if at < len(args) else None
        if other is None:
            return super().make_context(info_name, args, parent, **extra)
        return other.make_context(f"{info_name} {args[at]}", [*args[:at], *args[at + 1 :]], parent, **extra)


def _asked(function: Callable[..., int]) -> Callable[..., int]:
    for option in (
        click.option("--question", default=TRIAL, show_default=True, help="trial (did it do what was asked?), or judge:NAME."),
        click.option(
            "--as", "rater", metavar="NAME", help="Who you are; what others said stays hidden from you until two people are done."
        ),
    ):
        function = option(function)
    return function


@verb("review")
@click.argument("run")
@_asked
@click.option("--reason", "reasons", multiple=True, type=OneOf(REASONS), help="Only trials queued for this reason; may be repeated.")
@click.option("--sample", type=Sample(), default=10, show_default=True, help="Also draw so many trials of each setup, or a share: 20, 10%.")
@click.option("--seed", type=int, help="The seed of the draw (else that of the run).")
@click.option("--case", help="Only trials of this case.")
@click.option("--limit", type=Count(), help="Show no more items than this.")
@click.option("--again", is_flag=True, help="Open items that are done as another round; what was said stays as history.")
@click.option("--adjudicate", is_flag=True, help="Settle what two people see differently; both labels are shown.")
def queue(out: Out, run: str, adjudicate: bool, **options: Any) -> int:
    """Work through the trials of RUN that people should look at, most at stake first; elsewhere than on a terminal, list them.

    \b
      fairtrial review last --as ann
      fairtrial review status last | export last labels.csv --as ben | import labels.csv

    Queued are severe failures and cases of high risk, trials that judge and code or judges among themselves see differently,
    UNKNOWN ones, and a random sample. Two people label each item blindly; a third settles what they see differently.
    """
    from fairtrial import workflow
    from fairtrial.report.review_view import review_sheet
    from fairtrial.steps.reviewing import Asked

    asked = Asked(reference=run, **options)
    if not out.as_json and sys.stdin is not None and sys.stdin.isatty():
        from fairtrial.cli.reviewtalk import talk

        return talk(out, asked, adjudicate=adjudicate)
    found = workflow.review(out.store, asked)
    out.tell(found, lambda: review_sheet(found, run, out.words, asked.rater))
    return 0


@verb("status")
@click.argument("run")
@_asked
def status(out: Out, run: str, **options: Any) -> int:
    """Show how far the review of RUN is: who labelled how many, what is open, how far people agree.

    Nothing is added to the queue.
    """
    from fairtrial import workflow
    from fairtrial.report.review_view import review_sheet
    from fairtrial.steps.reviewing import Asked

    asked = Asked(reference=run, **options)
    found = workflow.review(out.store, asked, add=False)
    out.tell(found, lambda: review_sheet(found, run, out.words, asked.rater))
    return 0


@verb("export")
@click.argument("run")
@click.argument("file", required=False, type=as_path)
@_asked
@click.option("--format", "form", type=OneOf(["jsonl", "csv"]), help="jsonl or csv (else as FILE is called, else jsonl).")
@click.option("--held-out", is_flag=True, help="Held-out cases as well: that is a look at each, and is written down.")
def export(out: Out, run: str, file: str | None, form: str | None, held_out: bool, **options: Any) -> int:
    """Write the queue of RUN as JSONL or CSV, to FILE or to standard output.

    With --as NAME for one person: what it takes to judge each item, and neither a verdict nor a word of others. Fill in
    `label` (PASS, FAIL, UNKNOWN), and if you like `severity`, `score` (1-5) and `note`; then: fairtrial review import FILE

    Without it the records: every label, and what judges said beside them, fit for `fairtrial judge exam`.
    """
    from fairtrial import workflow
    from fairtrial.cli.files import write
    from fairtrial.report.review_view import sent_sheet
    from fairtrial.steps.labelling import form_of
    from fairtrial.steps.reviewing import Asked

    asked = Asked(reference=run, **options)
    form = form_of(file, form)
    sent = workflow.review_export(out.store, asked, form, held_out=held_out)
    if file is not None:
        write(file, sent.text)
    if out.as_json:
        place = {"file": file} if file else {"text": sent.text}
        out.document({"run": run, "format": form, **place, "rows": sent.rows, "items": sent.items, "held_out": sent.held_out})
    elif file is None:
        out.text(sent.text)
    else:
        out.show(sent_sheet(sent, (run, file, asked.rater), out.words))
    return 0


@verb("import")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=as_path)
@click.option("--format", "form", type=OneOf(["jsonl", "csv"]), help="jsonl or csv (else as FILE is called, else jsonl).")
@click.option("--replace", is_flag=True, help="Take a label that differs from what its rater said before as a correction of it.")
def bring_in(out: Out, files: tuple[str, ...], form: str | None, replace: bool) -> int:
    """Take labels from FILE, as `review export` wrote it: JSONL or CSV with item, rater (human:NAME) and label.

    Labels are added, nothing is overwritten. A line that cannot be taken is named with its reason and keeps no other out.
    Ends 2 where nothing could be taken.
    """
    from fairtrial import workflow
    from fairtrial.cli.codes import REFUSED
    from fairtrial.report.review_view import taken_sheet

    taken = workflow.review_import(out.store, files, form, replace=replace)
    out.tell(taken, lambda: taken_sheet(taken, out.words))
    return REFUSED if (taken.refused or taken.asks) and not (taken.kept or taken.there) else 0


BESIDE = {"status": status, "export": export, "import": bring_in}
review = Review(name="review", params=queue.params, callback=queue.callback, help=queue.help)
