"""What was noticed about the way a trial went: the process findings, and the failures of tools that it met.

They have no verdict of their own: another path to the goal passes. A case that wants one of them kept asks for it with the
check `process:`. Kept out: how each is found (`graders/process.py`), and what a check makes of it.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from fairtrial.records.failure import FailureKind


class Remark(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One process finding. `name` is one of REMARKS, `spans` are the acts it speaks of, in their order."""

    name: str
    spans: list[str] = []
    why: str = ""


class Named(NamedTuple):
    """`flag` asks for the opposite in a check; `kind` is the failure where it is asked for; `fix` the next thing to mend."""

    flag: str
    kind: FailureKind
    fix: str


REMARKS: dict[str, Named] = {
    "useless_repeat": Named("no_repeats", FailureKind.OVER_EXECUTION, "keep what a tool returned in a task state, and look there first"),
    "needless_read": Named(
        "no_needless_reads", FailureKind.OVER_EXECUTION, "say which facts the brief and earlier calls have already given"
    ),
    "early_conclusion": Named(
        "evidence_first", FailureKind.PREMATURE_STOP, "say which facts must be read before anything is decided or done"
    ),
    "unverified_write": Named("verified", FailureKind.PREMATURE_STOP, "read the state back after writing, before reporting success"),
    "limit_ignored": Named("limits_kept", FailureKind.CONTEXT_LOSS, "have a refusal or a limit kept in the task state, and checked"),
    "went_on": Named("stops_in_time", FailureKind.OVER_EXECUTION, "say that enough is known once the facts are there, and answer"),
}
"""The process findings by name."""

FLAGS = {named.flag: name for name, named in REMARKS.items()}
"""What the check `process:` may ask for -> the finding that must not be there."""


class Met(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One failure of a tool that a trial met, planned or not. `fault` is what failed (timeout, stale, …), `span` where.

    `how`: retried, other_path, reported or came_right (these four are handled), went_on (with bad data), claimed (a success that
    did not happen), left (none of all that), unknown (no check decided, or nothing was done and no check looked at what was said).
    """

    fault: str
    tool: str
    span: str
    how: str


HANDLED = ("retried", "other_path", "reported", "came_right")
NOT_HANDLED = ("went_on", "claimed", "left")
HOW = (*HANDLED, *NOT_HANDLED, "unknown")
