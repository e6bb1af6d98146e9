"""`citations: PATH`: what an answer cites was really fetched, says what it is cited for, and comes from where it may.

A citation is a text (an address or an id) or an object with `source`, `url` or `id`, and where stated `quote` and `date`.
Kept out: whether a passage bears out a claim in other words, which takes a judge.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from fairtrial.graders.compare import ABSENT
from fairtrial.graders.finding import Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import dotted, untold, untold_span
from fairtrial.graders.normalise import normaliser
from fairtrial.graders.paths import compile_path
from fairtrial.graders.signs import Signs
from fairtrial.graders.tools import arguments
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind

_FOLD = normaliser(("unicode", "width", "space"))
MADE_UP = FailureKind.HALLUCINATION


class Cited(NamedTuple):
    source: str
    quote: str | None
    day: date | None
    whole: Any


def compile_citations(check: Check, ground: Ground) -> Probe:
    path = compile_path(check.target, check.place)
    expect = check.expect
    fetched = bool({"fetched", "supports"} & expect.keys())
    covers = [Signs(name, ground) for name in expect.get("covers", [])]

    def probe(view: View) -> Finding:
        if not view.answered:
            return view.silence
        value = path.read(view.output)
        covered = untold(view, f"output{dotted(path)}", path.text) or untold_span(view, view.calls if fetched else [], "args", "result")
        if covered is not None:
            return covered
        if value is ABSENT:
            if view.declined and ground.unknown_ok:
                return unknown(path.why_absent(view.output), path=path.text, excused=True)
            return fails(path.why_absent(view.output), path=path.text, expected="citations", firm=True, kind=FailureKind.FORMAT_ERROR)
        entries = value if isinstance(value, list) else [value]
        if not entries:
            return fails("nothing is cited", path=path.text, expected="citations", seen=value, firm=True)
        for index, entry in enumerate(entries):
            found = _one(view, _read(entry), f"{path.text}[{index}]", expect)
            if found:
                return found
        gone = [sign.name for sign in covers if not sign.within(value)]
        if gone:
            return fails(f"no citation covers {', '.join(gone)}", path=path.text, expected={"covers": expect["covers"]}, seen=value)
        return holds(path=path.text, seen=value)

    return probe


def _read(entry: Any) -> Cited:
    if not isinstance(entry, dict):
        return Cited(str(entry), None, None, entry)
    source = next((str(entry[key]) for key in ("url", "source", "id", "doc", "title") if entry.get(key)), "")
    quote = next((str(entry[key]) for key in ("quote", "passage", "text") if entry.get(key)), None)
    stated = next((str(entry[key]) for key in ("date", "published") if entry.get(key)), "")
    try:
        day = date.fromisoformat(stated[:10])
    except ValueError:
        day = None
    return Cited(source, quote, day, entry)


def _one(view: View, cited: Cited, place: str, expect: dict[str, Any]) -> Finding | None:
    if not cited.source:
        return fails(f"{place} names no source", path=place, expected="a source", seen=cited.whole, kind=FailureKind.FORMAT_ERROR)
    sources = expect.get("sources")
    if sources is not None and not any(_comes_from(cited.source, source) for source in sources):
        return fails(f"{cited.source:.100} is not among the sources allowed", path=place, expected={"sources": sources}, seen=cited.source)
    if "fetched" in expect or "supports" in expect:
        found = _fetched(view, cited, place, quoted="supports" in expect)
        if found:
            return found
    return _age(view, cited, place, expect["max_age_days"]) if "max_age_days" in expect else None


def _comes_from(source: str, allowed: str) -> bool:
    """A prefix of the address, or its host or a host above it."""
    host = re.sub(r"^[a-z]+://", "", source).partition("/")[0].partition(":")[0].lower()
    return source.startswith(allowed) or host == allowed.lower() or host.endswith(f".{allowed.lower()}")


def _fetched(view: View, cited: Cited, place: str, *, quoted: bool) -> Finding | None:
    results = [
        (span, _FOLD(_text(span.attributes.get("result"))))
        for span in view.calls
        if "result" in span.attributes and (cited.source in _text(arguments(span)) or cited.source in _text(span.attributes["result"]))
    ]
    if not results:
        if not view.trace_whole:
            return unknown("the trace is missing or not whole")
        return fails(f"{cited.source:.100} was cited but never fetched", path=place, expected="fetched", seen=cited.source, kind=MADE_UP)
    if not quoted:
        return None
    if cited.quote is None:
        return fails(f"{place} quotes nothing that could be found", path=place, expected="a quote", seen=cited.whole)
    wanted = _FOLD(cited.quote)
    if any(wanted in text for _, text in results):
        return None
    span = results[0][0]
    return fails(
        f"the quote does not stand in {cited.source:.100}", span=span.id, path=place, expected="a passage", seen=cited.quote, kind=MADE_UP
    )


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(f"{key}\n{_text(inner)}" for key, inner in value.items())
    return "\n".join(map(_text, value)) if isinstance(value, list) else str(value)


def _age(view: View, cited: Cited, place: str, most: Any) -> Finding | None:
    """Against the day the trial began, so that grading again later comes to the same."""
    if cited.day is None:
        return fails(f"{place} has no date", path=place, expected={"max_age_days": most}, seen=cited.whole, kind=FailureKind.FORMAT_ERROR)
    if view.head.started_ns <= 0:
        return unknown("when the trial began is not known")
    began = datetime.fromtimestamp(view.head.started_ns / 1e9, UTC).date()
    days = (began - cited.day).days
    return (
        fails(f"{place} is {days} days old", path=place, expected={"max_age_days": most}, seen=str(cited.day))
        if days > float(most)
        else None
    )
