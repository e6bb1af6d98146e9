"""Several versions side by side: one line each, those marked that no other beats, and what each is against the base.

Reads the decided object and nothing else. Kept out: the page of a single comparison (`compare_view.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.compare_view import VERDICT_TONES, named
from fairtrial.report.numbers import MISSING, duration, money, percent, points, probability, whole
from fairtrial.report.run_tables import interval, money_interval
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from decimal import Decimal

    from fairtrial.records.versions import Version, Versions
    from fairtrial.report.words import Words

COUNTS = ("planned", "pass", "fail", "unknown", "not_run", "success", "interval", "severe")
AGAINST = ("points", "p", "p50", "p95", "cost_trial", "cost_success", "interval")


def versions_sheet(found: Versions, words: Words, *, last: bool = True) -> Sheet:
    """The table of all versions, over the cases that all share; `last`: with what to type next."""
    sheet = Sheet()
    sheet.head(words("versions.title"), words("versions.aside", n=whole(found.cases)))
    named_by = [("", "l"), (words("col.version"), "l")]
    sheet.grid([*named_by, *((words(f"col.{key}"), "r") for key in COUNTS)], [_counts(place) for place in found.places])
    sheet.head(words("versions.against"), words("versions.base", base=found.base))
    heads = [*((words(f"col.{key}"), "r") for key in AGAINST), (words("col.verdict"), "l")]
    sheet.grid([*named_by, *heads], [_against(place, words) for place in found.places])
    sheet.line(said(words.echo(found.says)))
    for note in found.notes:
        sheet.line(Part(f"{words('note')}: ", "dim"), said(words.echo(note), "dim"))
    if found.left_out:
        sheet.line(Part(f"{words('versions.left_out')} ({whole(len(found.left_out))}): ", "unsure"), said(named(found.left_out)))
    for place in found.places:
        if place.beaten_by:
            sheet.line(said(place.label), f": {words('versions.beaten')} ", said(", ".join(place.beaten_by)), indent=2)
    first = next((place.name for place in found.places[1:] if place.front), found.places[-1].name)
    if last:
        sheet.next(words("next.pair"), f"fairtrial compare {shell_word(found.base)} {shell_word(first)}")
    return sheet


def _named(place: Version) -> list[Text]:
    return ["●" if place.front else "", said(place.label, "strong")]


def _counts(place: Version) -> list[Text]:
    rate = place.success_rate
    counts = (place.planned, place.passed, place.fail, place.unknown, place.not_run)
    severe = Part(whole(place.severe), "bad" if place.severe else "")
    return [*_named(place), *map(whole, counts), percent(rate.value), interval(rate), severe]


def _against(place: Version, words: Words) -> list[Text]:
    verdict = MISSING if place.verdict is None else words.known(f"verdict.{place.verdict}", place.verdict)
    return [
        *_named(place),
        points(place.difference),
        MISSING if place.p_holm is None else probability(place.p_holm).removeprefix("= "),
        duration(place.latency_p50_ms),
        duration(place.latency_p95_ms),
        _money(place.cost_mean),
        _money(place.cost_per_success),
        money_interval(place.cost_per_success_low, place.cost_per_success_high),
        Part(verdict, VERDICT_TONES.get(place.verdict or "", "dim")),
    ]


def _money(value: Decimal | None) -> str:
    return MISSING if value is None else money(value)
