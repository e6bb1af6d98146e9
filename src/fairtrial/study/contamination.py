"""Answers that reached an agent while it was tried: a reference, a solution or the case's own file in what a tool or a user told it.

Only long texts count, word for word: an answer of one number turns up by right in what an agent looks at. A text that the case itself
shows (its task, its facts, its world) is no spill. Kept out: answers that are visible before any trial, which `check` finds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.case import Case
    from fairtrial.records.trace import Span

SHORTEST = 24
"""Characters of an answer that are looked for; half as many where a script writes without spaces."""
ANSWER_KEYS = ("must_not", "known_bad", "unknown_ok", "expect_state", "fact_notes")
"""Keys that only a case's own file has; two of them in one result are that file."""


class Answers:
    """What would give a case away, by what it is."""

    def __init__(self, case: Case) -> None:
        given = _folded(" \n ".join(_texts([case.brief.task, case.brief.facts, case.brief.history, case.scene.state])))
        found = dict(_answers(case))
        self.texts = {text: what for text, what in found.items() if text not in given}

    def spilt(self, value: Any) -> str | None:
        """What of the answers is in a value; None where nothing is."""
        told = _folded(" \n ".join(_texts(value)))
        keys = [key for key in ANSWER_KEYS if re.search(rf"(?<!\w){key}(?!\w)", told)]
        if len(keys) > 1:
            return f"the case's own file ({', '.join(keys)})"
        return next((what for text, what in self.texts.items() if text in told), None)


def spills(spans: list[Span], answers: Answers) -> Iterator[tuple[Span, str]]:
    """The spans in which somebody else than the agent told it an answer, with what was told."""
    for span in spans:
        told = span.attributes.get("result") if span.kind == "tool" else span.attributes.get("text") if span.kind == "user" else None
        what = answers.spilt(told) if told is not None else None
        if what is not None and not _own_words(span, answers):
            yield span, what


def _own_words(span: Span, answers: Answers) -> bool:
    """Whether the agent said it first: a tool that echoes its arguments tells nothing new."""
    return span.kind == "tool" and answers.spilt(span.attributes.get("args")) is not None


def _answers(case: Case) -> Iterator[tuple[str, str]]:
    parts = {"reference": case.key.reference, "expected": case.expected, "solution": case.key.solution}
    for what, part in parts.items():
        if part is msgspec.UNSET:
            continue
        for text in _texts(part):
            folded = _folded(text)
            if len(folded) >= (SHORTEST if folded.isascii() else SHORTEST // 2):
                yield folded, what


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(key)
            yield from _texts(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
