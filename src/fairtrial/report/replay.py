"""A trial walked step by step, with who did each, and the way of each fact below.

Reads what `study/factwalk.py` found. The steps where a fact was last present and first absent carry a mark. Kept out: what
the trial was worth (`case_view.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.report.case_view import answer
from fairtrial.report.excerpt import value_text
from fairtrial.report.numbers import MISSING, duration
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.report.words import Words
    from fairtrial.study.factwalk import FactWalk, Replay, Sighting

FATE_TONES = {"used": "good", "declared": "unsure", "not_used": "unsure", "lost": "bad", "never_seen": "bad"}
STEP = 100
"""Characters of what a step carried."""
LEFT_OUT = ("event", "from", "to", "parcel", "flags", "turn")
"""Attributes that a step's own columns tell already."""


def replay_sheet(run: str, walk: Replay, words: Words) -> Sheet:
    """The page of one walk."""
    sheet = Sheet()
    ending = words.known(f"ending.{walk.ending}", walk.ending)
    sheet.line(said(walk.case, "strong"), "  ", said(walk.setup), "  ", words("attempt", n=walk.attempt), "  ", ending)
    if walk.note:
        sheet.line(said(walk.note))
    _steps(sheet, walk, words)
    answer(sheet, walk.output, 500 if walk.answered else None, words)
    if walk.facts:
        sheet.head(words("facts.title"), words("facts.aside"))
    for fact in walk.facts:
        _fact(sheet, fact, words)
    sheet.next(words("next.grades"), f"fairtrial show {shell_word(f'{run}:{walk.setup}')} {shell_word(walk.case)} {walk.attempt}")
    return sheet


def _steps(sheet: Sheet, walk: Replay, words: Words) -> None:
    sheet.head(words("steps.title"))
    if not walk.steps:
        sheet.line(Part(words("steps.none"), "dim"), indent=2)
        return
    start = walk.steps[0]["start_ns"]
    timed = any(step["start_ns"] for step in walk.steps)
    marks = _marks(walk, words)
    rows: list[list[Text]] = []
    for step in walk.steps:
        kind = f"kind.{step['kind']}"
        whole = step["kind"] == "agent" and step["name"] == walk.setup  # named above already, and often long
        carried, tone = _carried(step)
        if step["step"] in marks:
            carried, tone = f"{carried}  ← {marks[step['step']]}".lstrip(), "bad"
        rows.append(
            [
                said(step["id"]),
                f"+{duration((step['start_ns'] - start) / 1e6)}" if timed else MISSING,
                said(step["role"] or (MISSING if whole else walk.setup)),
                said(f"{words.known(kind, step['kind'])} {'' if whole else step['name']}".rstrip()),
                said(carried, tone),
            ]
        )
    sides = zip(("span", "at", "role", "step", "carried"), "rrlll", strict=True)
    sheet.grid([(words(f"col.{key}"), side) for key, side in sides], rows)


def _carried(step: dict[str, Any]) -> tuple[str, str]:
    """What a step held, in one line, and its tone."""
    attributes = step["attributes"]
    if step["error"]:
        failed = value_text(step["error"], STEP)
        return (f"{value_text(attributes['args'], STEP)} → {failed}" if "args" in attributes else failed), "bad"
    if step["kind"] == "handoff":
        return f"{attributes.get('event', 'sent')} {value_text(attributes.get('facts'), STEP)}", ""
    if step["kind"] == "tool":
        outcome = attributes.get("outcome", "ok")
        answer = value_text(attributes["result"], STEP) if "result" in attributes else outcome
        return f"{value_text(attributes.get('args'), STEP)} → {answer}", "" if outcome == "ok" else "bad"
    held = {name: value for name, value in attributes.items() if name not in LEFT_OUT}
    return (value_text(held, STEP) if held else ""), ""


def _marks(walk: Replay, words: Words) -> dict[int, str]:
    """Step -> `last: fact` or `gone: fact`, for facts that were needed and lost."""
    marks: dict[int, list[str]] = {}
    for fact in walk.facts:
        if fact.fate != "lost" or not fact.needed or fact.first_absent is None or fact.last_present is None:
            continue
        marks.setdefault(fact.last_present.step, []).append(words("mark.last", fact=fact.fact))
        marks.setdefault(fact.first_absent.step, []).append(words("mark.gone", fact=fact.fact))
    return {step: "; ".join(found) for step, found in marks.items()}


def _fact(sheet: Sheet, fact: FactWalk, words: Words) -> None:
    idle = fact.fate == "lost" and not fact.needed
    tone = "" if not fact.needed else FATE_TONES.get(fact.fate, "")
    fate = Part(words("fate.not_handed_on") if idle else words.known(f"fate.{fact.fate}", fact.fate), tone)
    sheet.line(said(fact.fact, "strong"), "  ", fate, indent=2)
    if fact.sightings:
        seen = "  →  ".join(_sighting(sighting, words) for sighting in fact.sightings)
        sheet.line(Part(f"{words('fact.seen')}: ", "dim"), said(seen), indent=4)
    if fact.last_present and fact.first_absent:
        line = words("fact.ends", last=_sighting(fact.last_present, words), gone=_sighting(fact.first_absent, words))
        sheet.line(said(line), indent=4)
    sheet.line(said(_says(fact, words), tone), indent=4)


def _says(fact: FactWalk, words: Words) -> str:
    """The finding in one sentence; the walk's own in English."""
    if words.language == "en":
        return fact.says
    last, gone = fact.last_present, fact.first_absent
    if fact.fate != "lost" or last is None or gone is None:
        return words(f"fact.says.{fact.fate}", fact=fact.fact)
    key = "fact.says.transit" if gone.where == "received" else "fact.says.lost" if gone.where == "sent" else "fact.says.kept"
    by = fact.dropped_by or words("kind.agent")
    return words(key, fact=fact.fact, by=by, handoff=gone.name, last=_place(last, words), gone=_place(gone, words))


def _place(seen: Sighting, words: Words) -> str:
    if seen.span is not None:
        return words("place.span", span=seen.span)
    return words("place.brief" if seen.step == 0 else "place.end")


def _sighting(seen: Sighting, words: Words) -> str:
    where = words.known(f"where.{seen.where}", seen.where)
    if seen.where in {"sent", "received", "tool_result", "tool_call"} and seen.name:
        where = f"{where} {seen.name}"
    who = seen.role or (words("kind.agent") if seen.where == "use" else "")
    owner = f" {who}" if who and seen.where not in {"sent", "received"} else ""
    number = f" ({words('span')} {seen.span})" if seen.span is not None else ""
    return f"{where}{owner}{number}"
