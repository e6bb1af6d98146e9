"""Damage to what an answer rests on: a fact lost on its way, evidence exchanged for that of another case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.mutants.leaves import at, leaves, put, short, written
from fairtrial.mutants.passing import Mutant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.mutants.leaves import Way
    from fairtrial.mutants.passing import Passing
    from fairtrial.records.trace import Span

SOURCES = re.compile(r"(^|_)(evidence|evidence_used|sources?|citations?|cites|cited|refs?|references|quotes?|passages?|retrieved)(_|$)")
NOWHERE = "a-report-that-nobody-fetched"


def dropped_fact(passing: Passing) -> Iterator[Mutant]:
    """A fact that is needed is lost: no hand-off carries it, nobody uses it, the answer does not speak of it."""
    for fact in _needed(passing):
        words = [fact, *_found_as(passing, fact)]
        spans = [kept for span in passing.spans if (kept := _unfact(span, fact)) is not None]
        output = _silent(passing.output, words) if passing.answered else passing.output
        if spans != passing.spans or output != passing.output:
            yield Mutant(passing.with_(output=output, spans=spans), f"the fact {fact} was handed on by nobody and used by nobody")


def _needed(passing: Passing) -> list[str]:
    """Facts that a check, a hand-off's contract or the case itself says are needed."""
    key, facts = passing.case.key, passing.case.brief.facts
    named = [str(check.target) for check in passing.stated() if check.subject == "fact"]
    named += [name for name, note in key.fact_notes.items() if note.critical]
    named += sorted(passing.owed)
    return [name for name in dict.fromkeys(named) if name in facts]


def _found_as(passing: Passing, fact: str) -> tuple[str, ...]:
    note = passing.case.key.fact_notes.get(fact)
    return tuple(note.found_as) if note else ()


def _unfact(span: Span, fact: str) -> Span | None:
    """The span without the fact; None where it was about nothing else."""
    if span.kind == "use" and span.name == fact:
        return None
    facts = span.attributes.get("facts")
    if span.kind != "handoff" or not isinstance(facts, dict) or fact not in facts:
        return span
    return msgspec.structs.replace(
        span, attributes=span.attributes | {"facts": {name: value for name, value in facts.items() if name != fact}}
    )


def _silent(output: Any, words: list[str]) -> Any:
    """The answer without a word of the fact: entries that are its name go, its phrases are cut out of texts."""
    if isinstance(output, dict):
        return {key: _silent(value, words) for key, value in output.items() if key not in words}
    if isinstance(output, list):
        return [_silent(value, words) for value in output if value not in words]
    if isinstance(output, str):
        for word in words:
            output = re.sub(re.escape(word), "", output, flags=re.IGNORECASE)
    return output


def swapped_evidence(passing: Passing) -> Iterator[Mutant]:
    """Something that the answer rests on is exchanged for something of another case, or for something that nobody fetched."""
    known = {leaf.value for told in passing.told() for leaf in leaves(told) if isinstance(leaf.value, str)} | {
        step for told in passing.told() for leaf in leaves(told) for step in leaf.way if isinstance(step, str)
    }
    if passing.answered:
        for way in _cited(passing.output):
            was, now = at(passing.output, way), _foreign(passing, way, known)
            yield Mutant(passing.with_(output=put(passing.output, way, now)), f"{written(way)} is {short(now)} in place of {short(was)}")
    for place, span in enumerate(passing.spans):
        found = next((way for way in _cited(span.attributes)), None) if span.kind in ("decision", "conflict") else None
        if found is not None:
            told = put(span.attributes, found, NOWHERE)
            spans = [*passing.spans[:place], msgspec.structs.replace(span, attributes=told), *passing.spans[place + 1 :]]
            yield Mutant(passing.with_(spans=spans), f"span {span.id} ({span.kind} of {span.role or 'the agent'}) rests on {NOWHERE}")


def _cited(value: Any) -> Iterator[Way]:
    """Texts that stand under the name of a source."""
    for leaf in leaves(value):
        names = [str(step).lower() for step in leaf.way if isinstance(step, str)]
        if isinstance(leaf.value, str) and leaf.value and any(SOURCES.search(name) for name in names):
            yield leaf.way


def _foreign(passing: Passing, way: Way, known: set[str]) -> str:
    """What another case's answer has in this place or was told, and this case was not; else what nobody has."""
    for other in passing.others:
        told = [leaf.value for leaf in leaves(other.output) if leaf.way[:-1] == way[:-1] and isinstance(leaf.value, str)]
        names = list(other.facts) if at(passing.output, way) in passing.case.brief.facts else []
        fresh = next((one for one in [*told, *names] if one not in known and one not in passing.case.brief.facts), None)
        if fresh is not None:
            return fresh
    return NOWHERE
