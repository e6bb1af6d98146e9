"""The part of a library's page that tells how fit the suite is to measure with. Advice; it decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import MISSING, figure, percent, whole
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.health import Health
    from fairtrial.report.words import Words

TONES = {"saturated": "unsure", "dead": "bad", "flaky": "unsure", "steady": "good"}
MOST = 20


def health(sheet: Sheet, found: Health, words: Words, *, every: bool) -> None:
    """The sentence, the stage with what the next one asks for, and cases that need a look (`every`: all cases)."""
    sheet.head(words("health.title"), words("health.aside"))
    sheet.line(said(words.echo(found.says)), indent=2)
    for note in [*found.notes, *found.reasons.values()]:
        sheet.line(Part(f"{words('note')}: ", "dim"), said(words.echo(note), "dim"), indent=2)
    _stage(sheet, found, words)
    origin = found.origin
    real = words("health.real", real=whole(origin.real), n=whole(found.stage.cases), share=percent(origin.share))
    if origin.oldest_days is not None and round(origin.oldest_days) == 0:
        real += words("health.today")
    elif origin.oldest_days is not None:
        real += words("health.age", newest=_days(origin.newest_days), median=_days(origin.median_days), oldest=_days(origin.oldest_days))
    sheet.line(real, indent=2)
    _cases(sheet, found, words, every=every)
    _troubles(sheet, found, words)


def _days(days: float | None) -> str:
    return MISSING if days is None else figure(round(days, 1))


def _stage(sheet: Sheet, found: Health, words: Words) -> None:
    stage = found.stage
    named = words(f"stage.{stage.stage}")
    if stage.next is None:
        return  # the sentence names the stage
    sheet.line(words("health.stage.next", stage=named, next=words(f"stage.{stage.next}")), indent=2)
    for lack in stage.missing:
        sheet.line("- ", said(words.echo(lack)), indent=4)


def _cases(sheet: Sheet, found: Health, words: Words, *, every: bool) -> None:
    shown = [case for case in found.cases if every or case.state in ("saturated", "dead", "flaky") or case.tells is False]
    rows: list[list[Text]] = []
    for case in shown[: None if every else MOST]:
        tells = words(f"health.tells.{case.tells}".lower())
        state = Part(words(f"health.state.{case.state}"), TONES.get(case.state, "dim"))
        rows.append([said(case.case), state, tells, said(words.echo(case.why), "dim")])
    sheet.grid([(words(f"col.{key}"), "l") for key in ("case", "state", "tells", "why")], rows)
    left = len(shown) - len(rows)
    if left:
        sheet.line(Part(words("more", n=whole(left)), "dim"), said("--health", "dim"), indent=2)


def _troubles(sheet: Sheet, found: Health, words: Words) -> None:
    if found.spills:
        sheet.head(words("health.spills"), words("health.spills.aside", n=whole(found.walked)))
    for spill in found.spills[:MOST]:
        place = f"{spill.run}:{spill.setup} {spill.attempt}"
        at = f"{spill.act} ({words('span')} {spill.span})"
        sheet.line(
            said(spill.case, "strong"), "  ", said(words.echo(spill.what), "bad"), "  ", said(at), "  ", said(place, "dim"), indent=2
        )
    if found.ambiguous:
        sheet.head(words("health.ambiguous"), words("health.ambiguous.aside"))
    for one in found.ambiguous[:MOST]:
        given = ", ".join(f"{rater} {label}" for rater, label in one.labels.items())
        sheet.line(said(one.case, "strong"), "  ", said(given), indent=2)
