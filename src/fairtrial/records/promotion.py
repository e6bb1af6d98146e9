"""A failure that became a draft of a case: the decided object of `promote`."""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.finding import Finding


class Promotion(msgspec.Struct, kw_only=True):
    """`promote RUN CASE ATTEMPT --json`.

    `draft` is the case as it was, or would be, written to `file`; `pinned` says what holds the failure fast, `todo` what could
    not be derived and is left to a person, `findings` what `fairtrial check` says of the draft in its suite. `included`: the
    suite's `cases:` takes the file in; None where there is no suite, or nothing was written. `held_out`: the trial was one of
    a held-out case, which is no longer unseen.
    """

    run: str
    case: str
    setup: str
    attempt: int
    verdict: str
    id: str
    library: str
    file: str
    written: bool
    included: bool | None
    suite: str
    pinned: list[str]
    todo: list[str]
    findings: list[Finding]
    held_out: bool
    draft: dict[str, Any]
    says: str
