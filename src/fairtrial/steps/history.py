"""The runs of a suite as it was, newest first. Kept out: runs that asked about parts of a team, and what is made of any."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.run import Run
    from fairtrial.store.sql import Store


def ordinary(store: Store, suite: str) -> Iterator[Run]:
    """Runs of a suite, or imports that go by its name, whose setups were not changed to ask about a part."""
    for line in store.runs(suite=suite):
        run = store.run(line.run)
        if run.manifest.ordinary:
            yield run
