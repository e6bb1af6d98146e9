"""The runs of a suite, read one by one for its trend. Kept out: what is made of them (`study/trend.py`)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import InputError, nearest, unknown_name
from fairtrial.steps.history import ordinary
from fairtrial.steps.reading import open_store, read_table
from fairtrial.study.trend import read_trend

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.trend import Trend
    from fairtrial.store.sql import Store
    from fairtrial.study.table import Table


def trend_of(store: str | None, suite: str, setup: str | None = None, last: int | None = None, *, start: str = ".") -> Trend:
    """The trend of a suite: its folder or file, or the name that imported runs go by. Raises InputError for what is neither, and
    for a setup that no run has."""
    there = os.path.exists(suite)
    loaded = load_suite(suite) if there else None
    name = suite if loaded is None else loaded.name
    with open_store(start if loaded is None else loaded.folder, store, create=False) as opened:
        runs = [(run.started_ns, run.id) for run in ordinary(opened, name)]
        if not runs and loaded is None:
            names = sorted({line.suite for line in opened.runs()})
            near = nearest(suite, names)
            mend = f"did you mean {near!r}?" if near else "name a suite's folder, or a suite that the store has runs of"
            raise InputError("neither a suite nor the name of one in the store", value=suite, allowed=", ".join(names[:5]), mend=mend)
        known: dict[str, None] = {}
        found = read_trend(name, _tables(opened, runs[::-1], known), setup, last)
    if setup is not None and known and setup not in known:
        raise unknown_name("no run has such a setup", setup, known)
    return found


def _tables(store: Store, runs: list[tuple[int, str]], known: dict[str, None]) -> Iterator[tuple[int, Table]]:
    """One table at a time, oldest run first; `known` gathers the names of the setups."""
    for started_ns, run in runs:
        table = read_table(store, run, details=False)
        known |= dict.fromkeys(table.lanes)
        yield started_ns, table
