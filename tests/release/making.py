"""Sides and decisions from verdicts written as text, for the tests of the release (letters as in `tests/study/tables.py`)."""

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fairtrial.cases.policy import read_policy
from fairtrial.records.decision import Decision, GateResult
from fairtrial.records.policy import Policy
from fairtrial.records.strictjson import encode
from fairtrial.release.decide import decide
from fairtrial.release.ground import Past, Side
from fairtrial.study.watched import WatchedTable
from tests.study.tables import Change, results, run_of

Cases = Mapping[str, str]


def side(setup: str, setups: Mapping[str, Cases], change: Change | None = None, /, **fields: Any) -> Side:
    """A setup of a run with these verdicts."""
    table = WatchedTable(run_of(setups, **fields))
    table.watch(results(setups, change).values())
    return Side(table=table, setup=setup)


def policy(*gates: dict[str, Any], **more: Any) -> Policy:
    """Read as from a file, so that a test states nothing that a user could not."""
    with TemporaryDirectory() as folder:
        Path(folder, "release.json").write_bytes(encode({"gates": list(gates), **more}))
        return read_policy("release.json", os.fspath(folder))


def decided(gates: dict[str, Any] | list[dict[str, Any]], cases: Cases, base: Cases | None = None, /, **more: Any) -> Decision:
    """The decision on `cases` as the setup `new`, with `base` as its baseline in the same run."""
    asked = gates if isinstance(gates, list) else [gates]
    change, past = more.pop("change", None), more.pop("past", Past())
    rules = policy(*asked, **{key: more.pop(key) for key in ("confidence", "accepts") if key in more})
    setups = {"new": cases} if base is None else {"base": base, "new": cases}
    new = side("new", setups, change, **more)
    return decide(rules, new, None if base is None else Side(table=new.table, setup="base"), past)


def gate(gates: dict[str, Any], cases: Cases, base: Cases | None = None, /, **more: Any) -> GateResult:
    """What became of one gate."""
    return decided(gates, cases, base, **more).gates[0]


def many(letters: str, number: int) -> dict[str, str]:
    """So many cases with the same verdicts."""
    return {f"c{place:03}": letters for place in range(number)}
