"""Whether each statement of an answer leads to one of its citations.

A statement leads there by a mark that stands in it or right behind it ([2], [doc-1], the address itself), by a list beside it in
its object ({says: …, cites: [2]}), or because a citation names it as its claim. Questions, headings and what is marked as an
opinion need none. Kept out: whether the source says so (`citations.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fairtrial.graders.addresses import same_source
from fairtrial.graders.opinions import Opinions, is_marked_field
from fairtrial.graders.passages import FOLD
from fairtrial.graders.paths import Path
from fairtrial.graders.statements import Statement, statements_of
from fairtrial.graders.values import join

CITES = ("cites", "cite", "citations", "citation", "sources", "source", "refs", "ref", "rests_on", "evidence", "url")
_ASIDE = frozenset(("title", "question", "topic", "method", "note", "notes", "quote", "passage", "query"))
_MARK = re.compile(r"\[\^?([^\[\]\n]{1,80})\](?:\(([^()\s]+)\))?|【([^【】\n]{1,80})】|(https?://[^\s<>\"'）)\]，。；]+)")
_ONLY_MARKS = re.compile(r"(?:\s*(?:\[\^?[^\[\]\n]{1,80}\]|【[^【】\n]{1,80}】))+[.。]?\s*")


class Known(NamedTuple):
    """What marks may name: the sources with their numbers, and the claims that citations state."""

    names: Sequence[frozenset[str]]
    claims: Sequence[str]

    def leads(self, mark: str) -> bool:
        """Whether a mark names a citation: its number in the list (from 1), its id, its address."""
        mark = mark.strip().rstrip(".,;")
        return any(mark in names or (len(mark) > 3 and any(same_source(mark, name) for name in names)) for names in self.names)


class Loose(NamedTuple):
    """A statement that leads nowhere, or a mark that does: where, and what."""

    path: str
    statement: str
    mark: str = ""


def known_of(entries: Sequence[Any], claims: Sequence[str]) -> Known:
    """What the entries of a list of citations can be called."""
    names = []
    for number, entry in enumerate(entries, 1):
        own = {str(number)}
        parts = entry.items() if isinstance(entry, dict) else [("source", entry)]
        own |= {str(value).strip() for key, value in parts if key in ("id", "url", "source", "doc", "ref", "key") and value}
        names.append(frozenset(own))
    return Known(names, [str(FOLD(claim)) for claim in claims if claim])


def loose_ends(output: Any, path: Path, known: Known, opinions: Opinions) -> Iterator[Loose]:
    """Every statement of the answer, outside the list of citations itself, that leads to none of them."""
    yield from _within(output, "$", tuple(path.steps), known, opinions)


def _within(value: Any, here: str, way: tuple[Any, ...] | None, known: Known, opinions: Opinions) -> Iterator[Loose]:
    """`way`: what of the path to the citations is still ahead; None off it. The citations themselves are not looked at."""
    if way == ():
        return
    if isinstance(value, dict):
        beside = [str(mark) for key in CITES if way is None or way[0] != key for mark in _several(value.get(key))]
        yield from (Loose(here, mark, mark) for mark in beside if not known.leads(mark))
        led = any(map(known.leads, beside))
        for key, inner in value.items():
            if key in CITES and (way is None or way[0] != key):
                continue
            if key in _ASIDE or is_marked_field(str(key)) or (led and isinstance(inner, str)):
                continue
            yield from _within(inner, join(here, str(key)), _onward(way, key), known, opinions)
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from _within(inner, join(here, f"[{index}]"), _onward(way, index), known, opinions)
    elif isinstance(value, str):
        yield from _of_text(value, here, known, opinions)


def _onward(way: tuple[Any, ...] | None, step: Any) -> tuple[Any, ...] | None:
    return way[1:] if way and way[0] == step else None


def _several(value: Any) -> list[Any]:
    return [] if value in (None, "", [], {}) else list(value) if isinstance(value, (list, tuple)) else [value]


def _of_text(text: str, path: str, known: Known, opinions: Opinions) -> Iterator[Loose]:
    parts = statements_of(text)
    for number, part in enumerate(parts):
        said = text[part.start : _end(text, parts, number)]
        marks = [next(filter(None, (found[2], found[1], found[3], found[4]))) for found in _MARK.finditer(said)]
        named = [mark for whole in marks for mark in re.split(r"\s*[,，;；]\s*", whole)]
        shown = " ".join(said.split())[:300]
        yield from (Loose(path, shown, mark) for mark in named if not known.leads(mark) and (mark.isdigit() or "://" in mark))
        if part.asks or any(known.leads(mark) for mark in named) or opinions.is_opinion(said):
            continue
        folded = str(FOLD(text[part.start : part.end])).rstrip(".。!！ ")
        if not any(folded in claim or (len(claim) > 12 and claim.rstrip(".。 ") in folded) for claim in known.claims):
            yield Loose(path, shown)


def _end(text: str, parts: Sequence[Statement], number: int) -> int:
    """Where a statement ends together with the marks that stand behind its point."""
    following = parts[number + 1] if number + 1 < len(parts) else None
    if following is not None and _ONLY_MARKS.fullmatch(text, following.start, following.end):
        return following.end
    behind = _ONLY_MARKS.match(text, parts[number].end)
    return behind.end() if behind else parts[number].end
