"""How a team is changed for a question about it: one role removed, replaced or mended.

A changed team is one more setup of an ordinary run. The record says what to change and travels to the stage, which makes the
change when it opens the setup. It is never read from a suite: only a step of ours (credit, use) writes it.
"""

from __future__ import annotations

import msgspec

REMOVE, REPLACE, MEND = "remove", "replace", "mend"
SIGNS = {REMOVE: "-", REPLACE: "~", MEND: "+"}
"""How a changed setup is named: `team - cfo`, `team ~ cfo`, `team + cfo`."""


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One role of a team changed.

    `remove`: it does not act; what it may see, its tools and what reached it go on to `heirs`, whom it fed. `replace`: it
    only hands on what reached it and what it may see, or `stand_in` ("module:function") acts in its place. `mend`: every fact
    named in `receives` reaches it, and what it hands on holds every fact named in `hands`, each as it is in the case.
    """

    kind: str
    role: str
    heirs: tuple[str, ...] = ()
    stand_in: str | None = None
    receives: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()


class Changed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The setup that a changed one was made `of`, and what was done to it, in order."""

    of: str
    changes: tuple[Change, ...] = ()


def changed_name(setup: str, changes: tuple[Change, ...]) -> str:
    """What the changed setup is called."""
    return " ".join([setup, *(f"{SIGNS.get(change.kind, '*')} {change.role}" for change in changes)])
