"""Lines of the two logs that only grow: who opened a held-out case, and which case moved between the libraries.

Kept out: what follows from them (`study/heldout.py`, `study/library.py`).
"""

from __future__ import annotations

from typing import Any

import msgspec


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody was shown what a trial of a held-out case did. `attempt` is 0 where all of the case's trials were shown.

    The case is known by its id and by what it asks: `hash` covers the whole of it, `brief_hash` what an agent can see.
    """

    at_ns: int
    who: str
    verb: str
    suite: str
    case: str
    hash: str
    brief_hash: str
    run: str
    setup: str = ""
    attempt: int = 0


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A case was moved. `move` is graduated, demoted, quarantined or released, or graduating or demoting for one that is meant and
    whose file comes next; `evidence` holds the rule, the runs and the scores."""

    at_ns: int
    who: str
    suite: str
    case: str
    hash: str
    move: str
    evidence: dict[str, Any] = {}
