"""Results from elsewhere: what they do not tell is unknown in the report, never 0, and never put down to an audit of ours.

Kept out: which figures an origin cannot give (`Manifest.untold`; whoever read the file knows).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from fairtrial.records.report import SetupReport
    from fairtrial.records.run import Manifest

TABLES = ("import:csv", "import:jsonl")
"""Origins whose trials have a verdict and no trace."""
UNSEEN = ("facts", "tools", "rights", "budget")
"""What setups were given, which only a run of our own can tell of both."""
NOT_TOLD = "results from elsewhere do not tell it"
NAMED = ("severe", "over_budget", "declined")
"""Counts of what a row has to name: a failure that no one calls severe is not one, as everywhere else."""
ONLY_NAMED = "results from elsewhere do not tell it of every trial, so only what they name is counted"


def traced(manifest: Manifest) -> bool:
    """Whether trials of this run may have a trace."""
    return manifest.origin not in TABLES


def foreign(setup: SetupReport, manifest: Manifest) -> None:
    """Say of what nobody told: figures become None with a reason, and counts of what a row would have had to name stay what was named.

    Times of a table are what it states.
    """
    for name in manifest.untold:
        if name in NAMED:
            setup.reasons |= {name: ONLY_NAMED, **({"severe_upper": ONLY_NAMED} if name == "severe" else {})}
            continue
        setattr(setup, name, None)
        setup.reasons[name] = NOT_TOLD
    if not traced(manifest):
        setup.latency_ms = msgspec.structs.replace(setup.latency_ms, stated=True)
        setup.measured_ms = msgspec.structs.replace(setup.measured_ms, mean=None, p50=None, p95=None, max=None, n=0)
        setup.reasons["measured_ms"] = "a table states its times, and nothing was measured here"
