"""Single agent, single agent with retries, team: one table, the paired differences, and whether the team earns its cost.

Reads the decided lift and nothing else. Kept out: two-sided comparison in full (`compare_view.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.report.compare_view import DECIDED, VERDICT_TONES, bounds, signed
from fairtrial.report.numbers import MISSING, duration, money, percent, points, probability, whole
from fairtrial.report.run_tables import interval
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.lift import Lift, LiftRow
    from fairtrial.report.words import Words

LIFT_TONES = {**VERDICT_TONES, "earns_its_cost": "good", "does_not_beat": "unsure"}


def lift_sheet(found: Lift, words: Words, *, slices: bool = False) -> Sheet:
    """The page of one lift. `slices` shows every part of the suite, not only those where the two differ."""
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
    _slices(sheet, [part for part in found.slices if slices or part["verdict"] in DECIDED], words)
    _reasons(sheet, found, words)
    verdict = Part(words.known(f"verdict.{found.verdict}", found.verdict), LIFT_TONES.get(found.verdict, ""))
    sheet.head(words("lift.verdict"))
    sheet.line(verdict, ": ", said(words.echo(found.says)), indent=2)
    if found.next and found.next not in found.says:
        sheet.line(said(words.echo(found.next)), indent=2)
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
        moved = pair["difference"]
        rows.append(
            [
                said(f"{pair['versus']} → {pair['team']}"),
                points(moved["value"]),
                bounds(moved["low"], moved["high"]),
                probability(pair["p_value"]).removeprefix("= "),
                signed((pair["cost"] or {}).get("value"), money),
                signed((pair["latency_ms"] or {}).get("value"), duration),
                words.known(f"verdict.{pair['verdict']}", pair["verdict"]),
            ]
        )
    heads = [(words(f"col.{key}"), "r") for key in ("points", "interval", "p", "cost_trial", "latency")]
    sheet.grid([(words("col.pair"), "l"), *heads, (words("col.verdict"), "l")], rows)


def _slices(sheet: Sheet, slices: list[dict[str, Any]], words: Words) -> None:
    """For every part of the suite: the difference, what each side costs a trial, and which to send there."""
    rows: list[list[Text]] = []
    for part in slices:
        moved = part["difference"]
        tone = VERDICT_TONES.get(part["verdict"], "")
        rows.append(
            [
                words.known(f"label.{part['label']}", part["label"]),
                said(part["value"]),
                whole(part["pairs"]),
                points(moved["value"]),
                bounds(moved["low"], moved["high"]),
                Part(words.known(f"verdict.{part['verdict']}", part["verdict"]), "" if tone == "unsure" else tone),
                money(part["cost_rival"]),
                money(part["cost_team"]),
                said(part["take"]),
            ]
        )
    if not rows:
        return
    sheet.head(words("lift.slices"))
    heads = [("label", "l"), ("value", "l"), ("pairs", "r"), ("points", "r"), ("interval", "r"), ("verdict", "l")]
    sheet.grid([*((words(f"col.{key}"), side) for key, side in (*heads, ("rival", "r"), ("team", "r"), ("take", "l")))], rows)


def _reasons(sheet: Sheet, found: Lift, words: Words) -> None:
    """Why a figure of the table is missing; a reason is kept under SETUP.field."""
    for row in found.rows:
        for field, value in (("cost_usd.mean", row.cost_mean), ("cost_usd.per_success", row.cost_per_success)):
            reason = found.reasons.get(f"{row.setup}.{field}")
            if value is None and reason:
                sheet.line(
                    Part(f"{MISSING} {words(f'field.{field}')} (", "dim"),
                    said(row.setup, "dim"),
                    Part("): ", "dim"),
                    said(words.echo(reason), "dim"),
                )


def _next(sheet: Sheet, found: Lift, words: Words) -> None:
    rivals = [row.setup for row in found.rows if row.kind != "team"]
    teams = [row.setup for row in found.rows if row.kind == "team"]
    if rivals and teams:
        command = f"fairtrial compare {shell_word(f'{found.run}:{rivals[-1]}')} {shell_word(f'{found.run}:{teams[0]}')}"
        sheet.next(words("next.compare"), command)
    else:
        sheet.next(words("next.show"), f"fairtrial show {shell_word(found.run)}")
