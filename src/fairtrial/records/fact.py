"""What a case says about one of its facts, beside its value."""

from __future__ import annotations

import msgspec


class FactNote(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """`found_as`: phrases that show the fact in running text. `visible_to`: the roles of a team that may see it
    (a setup without roles sees all). `critical`: losing it is a severe failure."""

    found_as: tuple[str, ...] = ()
    visible_to: tuple[str, ...] | None = None
    critical: bool = False
