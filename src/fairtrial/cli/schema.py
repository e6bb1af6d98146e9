"""`fairtrial schema KIND`: the JSON Schema of what people write and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out


@verb("schema")
@click.argument("kind")
def schema(out: Out, kind: str) -> int:
    """Print the JSON Schema of KIND: case, suite, policy, rubric, report, or what a verb answers with --json (gate, lift, …)."""
    from fairtrial import workflow
    from fairtrial.records.text import dumps

    found = workflow.schema(kind)
    if out.as_json:
        out.document(found)
    else:
        out.text(dumps(found, indent=2))
    return 0
