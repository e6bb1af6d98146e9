"""`fairtrial judge labels FILE…`: labels from elsewhere as the file that an exam reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.options import as_path, verb
from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairtrial.cli.out import Out

NOTHING = 2


@verb("labels")
@click.argument("files", nargs=-1, required=True, type=as_path, metavar="FILE…")
@click.option("--as", "form", metavar="FORMAT", help="csv, jsonl, json, devai or pandalm (else by the end of the file's name).")
@click.option("-o", "--output", metavar="FILE", type=as_path, help="Where the ratings go (else standard output).")
@click.option("--item", metavar="COLUMN,…", help="The columns that tell one item from another.")
@click.option("--cluster", metavar="COLUMN,…", help="The columns that say what belongs together: a case, a task.")
@click.option("--severity", metavar="COLUMN", help="How bad it is to get the item wrong.")
@click.option("--slice", "slices", multiple=True, metavar="COLUMN", help="A column to look at the figures by.")
@click.option("--rater", "raters", multiple=True, metavar="NAME=COLUMN", help="Whose labels a column holds: --rater human:1=annotator1.")
@click.option("--rater-column", "rater", metavar="COLUMN", help="With one rating a row: the column of the rater …")
@click.option("--label-column", "label", metavar="COLUMN", help="… and that of the label.")
@click.option("--relabel", "renamed", multiple=True, metavar="THEIRS=OURS", help="A label under another name: --relabel 1=PASS.")
def labels(out: Out, files: tuple[str, ...], form: str | None, output: str | None, **named: Any) -> int:
    """Make the file of ratings that an exam reads of labels from elsewhere: tables (csv, jsonl, json) by their columns, or the
    published sets devai and pandalm as they are.

    \b
      fairtrial judge labels checked.csv --item task,step --cluster task \\
        --rater human:1=person --rater quality=judge -o labels.jsonl

    Ends 0 when anything was taken; what was refused is listed with its line. 2 when nothing could be.
    """
    from fairtrial.report.labels_view import labels_sheet
    from fairtrial.steps.examining import label_file

    columns = {
        "item": _several(named["item"]),
        "cluster": _several(named["cluster"]),
        "severity": named["severity"],
        "slices": named["slices"],
        "raters": _paired(named["raters"], "--rater"),
        "rater": named["rater"],
        "label": named["label"],
        "renamed": _paired(named["renamed"], "--relabel"),
    }
    made = label_file(form, files, columns, output)
    if output is None and not out.as_json:
        out.text(made.text)
        for one in made.refused:
            out.warn(f"{one.file}:{one.line}: {one.why}")
    else:
        out.tell(made, lambda: labels_sheet(made, out.words))
    return 0 if made.ratings else NOTHING


def _several(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text else ()


def _paired(texts: Iterable[str], option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, sign, column = text.rpartition("=") if option == "--rater" else text.partition("=")
        if not sign or not name or not column:
            raise InputError(f"{option} takes two names with = between them", value=text)
        found[name] = column
    return found
