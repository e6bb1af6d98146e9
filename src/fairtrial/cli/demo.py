"""`fairtrial demo`: the built-in five-role team beside its baselines, offline, with the verdict at the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fairtrial.cli.options import verb
from fairtrial.cli.progress import Progress
from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("demo")
def demo(out: Out) -> int:
    """Run the built-in shop team beside a single agent and a single agent with retries, and say whether it earns its cost.

    Needs no key and no network; one trial a case.
    """
    from fairtrial import workflow
    from fairtrial.report.lift_view import lift_sheet
    from fairtrial.report.run_view import Detail, run_sheet
    from fairtrial.store.location import find_store

    with Progress(out.words, quiet=out.quiet) as progress:
        options = workflow.RunOptions(trials=1, store=find_store(".", out.store))
        outcome = workflow.run(str(demo_suite()), options, progress=progress)
    if out.as_json:
        out.document(outcome.report)
        return 0
    found = workflow.lift(options.store, outcome.report.run)
    out.show(run_sheet(outcome.report, out.words, Detail(failures=3, brief=True, last=False)), lift_sheet(found, out.words))
    return 0


def demo_suite() -> Path:
    """The built-in suite: in an installed package it lies in it, in a checkout it is the first example.

    Raises InputError where it is in neither place.
    """
    package = Path(__file__).resolve().parent.parent
    for place in (package / "demo", package.parent.parent / "examples" / "stockout"):
        if (place / "suite.yaml").is_file():
            return place / "suite.yaml"
    raise InputError("the built-in suite is missing from this installation", place=str(package / "demo"), mend="install fairtrial again")
