"""Single agent, single agent with retries, team: one table, the paired differences, and whether the team earns its cost.

Reads the decided lift and nothing else. Kept out: two-sided comparison in full (`compare_view.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.report.compare_view import VERDICT_TONES, signed
from fairtrial.report.excerpt import value_text
from fairtrial.report.numbers import MISSING, duration, money, percent, points, probability, whole
from fairtrial.report.run_tables import interval
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.report import Lift, LiftRow
    from fairtrial.report.words import Words

LIFT_TONES = {**VERDICT_TONES, "earns_its_cost": "good", "does_not_beat": "unsure"}


def lift_sheet(found: Lift, words: Words) -> Sheet:
    """The page of one lift."""
    sheet = Sheet()
    sheet.head(words("lift.title"), found.run)
    heads = ("planned", "pass", "unknown", "success", "interval", "cost_mean", "cost_success", "latency", "p95", "severe")
    columns = [(words("col.setup"), "l"), (words("col.kind"), "l"), *((words(f"col.{key}"), "r") for key in heads)]
    sheet.grid(columns, [_row(row, words) for row in found.rows])
    if not found.fairness.get("fair", True):
        sheet.line(Part(words("unfair"), "bad"))
        for difference in found.fairness.get("differences") or []:
            sheet.line(said(difference, "bad"), indent=2)
    _differences(sheet, found, words)
    _slices(sheet, found.slices, words)
    for name, reason in found.reasons.items():
        sheet.line(Part(f"{MISSING} {words.known(f'field.{name}', name)}: ", "dim"), said(reason, "dim"))
    verdict = Part(words.known(f"verdict.{found.verdict}", found.verdict), LIFT_TONES.get(found.verdict, ""))
    sheet.head(words("lift.verdict"))
    sheet.line(verdict, ": ", said(found.says), indent=2)
    if found.next:
        sheet.line(said(found.next), indent=2)
    _next(sheet, found, words)
    return sheet


def _row(row: LiftRow, words: Words) -> list[Text]:
    return [
        said(row.setup, "strong"),
        words.known(f"setup_kind.{row.kind}", row.kind),
        whole(row.planned),
        whole(row.passed),
        Part(whole(row.unknown), "unsure" if row.unknown else "dim"),
        Part(percent(row.success_rate.value), "strong"),
        interval(row.success_rate),
        money(row.cost_mean),
        money(row.cost_per_success),
        duration(row.latency_mean_ms),
        duration(row.latency_p95_ms),
        Part(whole(row.severe), "bad" if row.severe else "dim"),
    ]


def _differences(sheet: Sheet, found: Lift, words: Words) -> None:
    if not found.differences:
        return
    sheet.head(words("lift.differences"))
    rows: list[list[Text]] = []
    for pair in found.differences:
        moved = pair.get("difference") or pair.get("success") or {}
        low, high = moved.get("low"), moved.get("high")
        rows.append(
            [
                said(f"{pair.get('base', '')} → {pair.get('new', '')}"),
                points(moved.get("value")),
                MISSING if low is None or high is None else f"{points(low)} … {points(high)}",
                probability(pair.get("p_value")).removeprefix("= "),
                signed(_value(pair.get("cost")), money),
                signed(_value(pair.get("latency")), duration),
                words.known(f"verdict.{pair.get('verdict')}", str(pair.get("verdict", ""))),
            ]
        )
    heads = [(words(f"col.{key}"), "r") for key in ("points", "interval", "p", "cost_trial", "latency")]
    sheet.grid([(words("col.pair"), "l"), *heads, (words("col.verdict"), "l")], rows)


def _value(field: Any) -> Any:
    """The difference in a field of a comparison: {"difference": {"value"}}, {"value"}, or the value itself."""
    while isinstance(field, dict):
        field = field.get("difference", field.get("value"))
    return field


def _slices(sheet: Sheet, slices: list[dict[str, Any]], words: Words) -> None:
    """Where the team wins, as the routing advice reads it."""
    if not slices:
        return
    sheet.head(words("lift.slices"))
    for part in slices:
        label = str(part.get("label", part.get("by", "")))
        text = part.get("says") or value_text({name: value for name, value in part.items() if name not in {"label", "by", "value"}})
        sheet.line(words.known(f"label.{label}", label), " ", said(part.get("value", "")), ": ", said(text), indent=2)


def _next(sheet: Sheet, found: Lift, words: Words) -> None:
    rivals = [row.setup for row in found.rows if row.kind != "team"]
    teams = [row.setup for row in found.rows if row.kind == "team"]
    if rivals and teams:
        command = f"fairtrial compare {shell_word(f'{found.run}:{rivals[-1]}')} {shell_word(f'{found.run}:{teams[0]}')}"
        sheet.next(words("next.compare"), command)
    else:
        sheet.next(words("next.show"), f"fairtrial show {shell_word(found.run)}")
