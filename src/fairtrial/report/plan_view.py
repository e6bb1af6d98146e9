"""The page of a plan: what finds the wanted effect at each number of repeats, what today's cases show, and what that rests on.

Reads the decided plan and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import MISSING, duration, figure, money, percent, points, whole
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.plan import PilotSide, Plan, PlanRow
    from fairtrial.report.words import Words


def plan_sheet(found: Plan, words: Words, place: str | None = None) -> Sheet:
    """The page of one plan; `place` is the suite as it was named, for the command that follows."""
    sheet = Sheet()
    sheet.head(words("planning.title"), words("planning.wanted", detect=points(found.detect).lstrip("+"), power=percent(found.power)))
    sheet.line(said(words.echo(found.says)))
    for note in found.notes:
        sheet.line(Part(f"{words('note')}: ", "unsure"), said(words.echo(note)))
    _rows(sheet, found, words)
    _today(sheet, found, words)
    _rests_on(sheet, found, words)
    for field, reason in found.reasons.items():
        sheet.line(Part(f"{MISSING} {words.known(f'field.{field}', field)}: ", "dim"), said(words.echo(reason), "dim"))
    _next(sheet, found, words, place)
    return sheet


def _rows(sheet: Sheet, found: Plan, words: Words) -> None:
    known = [row for row in found.rows if row.cases is not None]
    if not known:
        return
    priced = any(row.price_usd is not None for row in known)
    sheet.head(words("planning.rows"), words("planning.rows.aside" if priced else "planning.rows.trials"))
    heads = ["repeats", "cases_needed", "cases_range", "new_cases", "trials_all", "price", "time"]
    with_margin = found.margin is not None
    columns = [(words(f"col.{key}"), "r") for key in [*heads, *(["margin_cases"] if with_margin else [])]]
    sheet.grid([*columns, ("", "l")], [_row(row, with_margin=with_margin) for row in known])


def _row(row: PlanRow, *, with_margin: bool) -> list[Text]:
    spanned = MISSING if row.low is None or row.high is None else f"{whole(row.low)}–{whole(row.high)}"
    return [
        Part(whole(row.repeats), "strong"),
        Part(whole(row.cases), "strong"),
        spanned,
        whole(row.new_cases),
        whole(row.trials),
        money(row.price_usd),
        duration(None if row.seconds is None else row.seconds * 1000),
        *([whole(row.margin_cases)] if with_margin else []),
        Part("●", "good") if row.cheapest else "",
    ]


def _today(sheet: Sheet, found: Plan, words: Words) -> None:
    today = found.today
    sheet.head(words("planning.today"), words("planning.cases", n=whole(today.cases)))
    rows: list[list[Text]] = [
        [Part(whole(row.repeats), "strong"), _points(row.detectable, words), _points(row.margin, words)]
        for row in found.rows
        if row.cases is not None
    ]
    sheet.grid([(words(f"col.{key}"), "r") for key in ("repeats", "detects", "margin_shown")], rows)
    upper, bar = percent(today.severe_upper), percent(today.severe_bar)
    sheet.line(words("planning.severe", upper=upper, bar=bar, cases=whole(today.severe_cases)), indent=2)


def _points(share: float | None, words: Words) -> str:
    return MISSING if share is None else words("planning.points", value=points(share).lstrip("+"))


def _rests_on(sheet: Sheet, found: Plan, words: Words) -> None:
    sheet.head(words("planning.pilot"), "" if found.pilot is not None else words("planning.assumed"))
    pilot = found.pilot
    if pilot is not None:
        sides = [pilot.base] if found.source == "one_side" else [pilot.base, pilot.new]
        heads = ("planned", "pass", "fail", "unknown", "not_run", "success", "cost_mean", "latency")
        columns = [(words("col.setup"), "l"), *((words(f"col.{key}"), "r") for key in heads)]
        sheet.grid(columns, [_side(side) for side in sides])
    between = found.assumed.get("between") if pilot is None or pilot.between is None else pilot.between
    within = found.assumed.get("within") if pilot is None or pilot.within is None else pilot.within
    if between is not None and within is not None:
        sheet.line(Part(words("planning.spread", between=figure(between, 4), within=figure(within, 4)), "dim"), indent=2)


def _side(side: PilotSide) -> list[Text]:
    return [
        said(f"{side.run}:{side.setup}", "strong"),
        whole(side.planned),
        whole(side.passed),
        whole(side.fail),
        Part(whole(side.unknown), "unsure" if side.unknown else "dim"),
        Part(whole(side.not_run), "unsure" if side.not_run else "dim"),
        percent(side.success),
        money(side.cost_mean_usd),
        duration(side.latency_mean_ms),
    ]


def _next(sheet: Sheet, found: Plan, words: Words, place: str | None) -> None:
    best = next((row for row in found.rows if row.cheapest), None)
    suite = shell_word(place or ".")
    if place is None and found.source == "one_side" and found.pilot is not None:
        sheet.next(words("next.show"), f"fairtrial show {shell_word(found.pilot.base.run)}")
    elif place is None and found.pilot is not None:
        sides = [shell_word(f"{side.run}:{side.setup}") for side in (found.pilot.base, found.pilot.new)]
        sheet.next(words("next.compare"), f"fairtrial compare {sides[0]} {sides[1]}")
    elif found.pilot is None or best is None:
        sheet.next(words("next.plan_pilot"), f"fairtrial run {suite} --trials 5")
    else:
        row = next((row for row in found.rows if row.enough), best)
        lead = words("next.plan_run") if row.enough else words("next.plan_add", n=whole(row.new_cases))
        sheet.next(lead, f"fairtrial run {suite} --trials {row.repeats}")
