"""Which facts of a case to follow through a trial, and how a fact shows in a value.

A fact is *present* in a value where its name stands there as a key or a whole word, where one of its known phrases does, or
where its value is a text of four characters or more that does; a bare number proves nothing, and a name that carries null
carries nothing. Kept out: the walk itself (`factwalk.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.suite import HandoffContract

SHORTEST_TEXT = 4
"""A text value this long or longer is a sign of its fact; shorter ones turn up by chance."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fact to follow. `visible_to`: the roles of a team that see it in their brief (None: all). `needed`: a check, a hand-off
    contract or its mark as critical asks for it, so that its loss matters."""

    name: str
    value: Any = msgspec.UNSET
    found_as: tuple[str, ...] = ()
    visible_to: tuple[str, ...] | None = None
    needed: bool = True


def wanted_facts(case: Case, handoffs: Iterable[HandoffContract] = ()) -> list[Wanted]:
    """The facts a case cares for: those that it singles out, and all of them where it does not."""
    return singled_out(case, handoffs) or [_wanted(case, fact, needed=False) for fact in case.brief.facts]


def singled_out(case: Case, handoffs: Iterable[HandoffContract] = ()) -> list[Wanted]:
    """The facts that are named by a check, owed by a hand-off, or critical."""
    key = case.key
    checks = [*key.must, *key.must_not, *key.limits, *(check for part in key.subtasks for check in part.checks)]
    named = dict.fromkeys(str(check.target) for check in _flat(checks) if check.subject == "fact")
    named |= dict.fromkeys(fact for contract in handoffs for fact in contract.requires if fact in case.brief.facts)
    named |= dict.fromkeys(fact for fact, note in key.fact_notes.items() if note.critical)
    return [_wanted(case, fact) for fact in named]


def _wanted(case: Case, fact: str, *, needed: bool = True) -> Wanted:
    note = case.key.fact_notes.get(fact)
    return Wanted(
        name=fact,
        value=case.brief.facts.get(fact, msgspec.UNSET),
        found_as=note.found_as if note else (),
        visible_to=case.scene.visible_to.get(fact),
        needed=needed,
    )


def _flat(checks: Iterable[Check]) -> Iterator[Check]:
    for check in checks:
        yield check
        yield from _flat(check.parts)


class Signs:
    """How one fact shows in a value."""

    def __init__(self, fact: Wanted) -> None:
        self.fact = fact
        value = fact.value
        texts = [*fact.found_as, *([value] if isinstance(value, str) and len(value) >= SHORTEST_TEXT else [])]
        words = [rf"(?<!\w){re.escape(fact.name)}(?!\w)", *(_phrase(text) for text in texts if text)]
        self.pattern = re.compile("|".join(words), re.IGNORECASE)

    def found(self, value: Any) -> tuple[bool, Any]:
        """Whether the fact is in `value`, and the value it has there (None where only words show it)."""
        if isinstance(value, dict):
            if self.fact.name in value:
                here = value[self.fact.name]
                return (here is not None or self.fact.value is None), here
            value = list(value.items())
        if isinstance(value, (list, tuple)):
            return next((hit for hit in map(self.found, value) if hit[0]), (False, None))
        return (isinstance(value, str) and self.pattern.search(value) is not None), None


def _phrase(text: str) -> str:
    """A phrase as whole words in scripts that part them; anywhere in those that do not."""
    quoted = re.escape(text)
    return rf"(?<!\w){quoted}(?!\w)" if text.isascii() else quoted
