"""The page of a diagnosis: kinds by weight, where each began, what to mend first and what to run again.

Reads the decided object. What came from agents and case files is shown as theirs. Kept out: one trial in full (`case_view.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.excerpt import SHORT, excerpt
from fairtrial.report.numbers import MISSING, figure, money, percent, whole
from fairtrial.report.phrases_diagnose import CAUSES
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.diagnosis import Diagnosis, Group, Place
    from fairtrial.report.words import Words

MOST_RERUN = 10
NOT_KNOWN = "not_known"


def diagnosis_sheet(found: Diagnosis, words: Words, most: int | None = 12) -> Sheet:
    """The page; `most` is how many cases are shown that failed (None: all)."""
    sheet = Sheet()
    sheet.line(said(found.run, "strong"), "  ", said(", ".join(found.setups)))
    sheet.line(said(words.echo(found.says)))
    for note in found.notes:
        sheet.line(Part(f"{words('note')}: ", "unsure"), said(words.echo(note)))
    for reason in found.reasons.values():
        sheet.line(Part(f"{words('note')}: ", "unsure"), said(words.echo(reason)))
    _kinds(sheet, found, words)
    _mends(sheet, found, words)
    _places(sheet, found, words, most)
    _cards(sheet, found, words)
    _rerun(sheet, found, words)
    return sheet


def _kinds(sheet: Sheet, found: Diagnosis, words: Words) -> None:
    if not found.kinds:
        return
    sheet.head(words("diagnose.kinds"), words("diagnose.kinds.aside"))
    rows: list[list[Text]] = [
        [
            Part(words(f"kind_of.{line.kind or NOT_KNOWN}"), "bad" if line.severe else ""),
            whole(line.trials) if line.trials else Part("0", "dim"),
            percent(line.share),
            whole(line.also),
            whole(line.cases),
            Part(whole(line.severe), "bad" if line.severe else "dim"),
            money(line.cost_usd) if line.cost_known == line.trials and line.trials else MISSING,
            figure(line.weight),
        ]
        for line in found.kinds
    ]
    columns = ("kind", "trials", "share", "also", "cases", "severe", "cost_total", "weight")
    sheet.grid([(words(f"col.{key}"), "l" if key == "kind" else "r") for key in columns], rows)


def _mends(sheet: Sheet, found: Diagnosis, words: Words) -> None:
    lines = [line for line in found.kinds if line.trials and line.mend]
    if not lines:
        return
    sheet.head(words("diagnose.mends"), words("diagnose.mends.aside"))
    rows: list[list[Text]] = []
    for line in lines:
        cause = line.cause if words.language == "en" else CAUSES.get(line.cause, line.cause)
        rows.append([words(f"kind_of.{line.kind}"), cause, words.mend(line.mend)])
    sheet.grid([(words("col.kind"), "l"), (words("col.cause"), "l"), (words("col.mend"), "l")], rows)


def _places(sheet: Sheet, found: Diagnosis, words: Words, most: int | None) -> None:
    if not found.groups:
        return
    sheet.head(words("diagnose.places"))
    for group in found.groups[:most]:
        _group(sheet, group, words)
    if most is not None and len(found.groups) > most:
        sheet.line(
            Part(words("more", n=whole(len(found.groups) - most)), "dim"), said(f"fairtrial diagnose {found.run} --all", "dim"), indent=2
        )


def _group(sheet: Sheet, group: Group, words: Words) -> None:
    kind = Part(words(f"kind_of.{group.kind or NOT_KNOWN}"), "bad" if group.severe else "unsure")
    attempts = f"  ×{whole(len(group.attempts))}"
    alike = "" if group.alike == group.looked else f"  ({words('diagnose.alike', alike=group.alike, looked=group.looked)})"
    sheet.line(said(group.setup, "strong"), "  ", said(group.case), "  ", kind, Part(attempts + alike, "dim"), indent=2)
    sheet.line(*_where(group.place, words), indent=4)
    if group.place.evidence:
        sheet.line(said(excerpt(group.place.evidence, 2 * SHORT)), indent=4)


def _where(place: Place, words: Words) -> list[Text]:
    span = f"  ({words('span')} {place.span})" if place.span is not None else ""
    at = said(": ".join(part for part in (place.agent or "", place.at) if part) + span)
    if place.decidable:
        return [at]
    told: list[Text] = [Part(words("diagnose.undecidable"), "unsure"), said(f" ({words.echo(place.why)})", "dim")]
    return [*told, f"  {words('diagnose.shows')} ", at] if place.at else told


def _cards(sheet: Sheet, found: Diagnosis, words: Words) -> None:
    rows: list[list[Text]] = [[words(f"card.{line.card}"), whole(line.trials), words.mend(line.mend)] for line in found.cards]
    if rows:
        sheet.head(words("diagnose.cards"))
        sheet.grid([(words("col.scorecard"), "l"), (words("col.trials"), "r"), (words("col.mend"), "l")], rows)


def _rerun(sheet: Sheet, found: Diagnosis, words: Words) -> None:
    if found.rerun and found.ours:
        _commands(sheet, found, words)
    if found.groups:
        _next(sheet, found, words)


def _commands(sheet: Sheet, found: Diagnosis, words: Words) -> None:
    sheet.head(words("diagnose.rerun"))
    for entry in found.rerun[:MOST_RERUN]:
        setups = words("diagnose.setups", n=entry["trials"], setups=", ".join(entry["setups"]))
        sheet.line(said(f"fairtrial retest {found.run} {shell_word(entry['case'])}"), Part(f"  {setups}", "dim"), indent=2)
    if len(found.rerun) > MOST_RERUN:
        sheet.line(Part(words("more", n=whole(len(found.rerun) - MOST_RERUN)), "dim"), said("--json", "dim"), indent=2)


def _next(sheet: Sheet, found: Diagnosis, words: Words) -> None:
    """The first failure step by step; without a trace two setups side by side, or a case made of the failure."""
    group = found.groups[0]
    run = shell_word(f"{found.run}:{group.setup}")
    if not found.traced and len(found.setups) > 1:
        first, last = (shell_word(f"{found.run}:{setup}") for setup in (found.setups[0], found.setups[-1]))
        sheet.next(words("next.compare"), f"fairtrial compare {first} {last}")
        return
    if not found.traced:
        sheet.next(words("next.promote"), f"fairtrial promote {run} {shell_word(group.case)} {group.attempts[0]}")
        return
    sheet.next(words("next.diagnose"), f"fairtrial replay {run} {shell_word(group.case)} {group.attempts[0]}")
