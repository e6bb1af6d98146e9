"""Single agent, single agent with retries, team: one table, success within a budget, routing, and the plain verdict.

Reads the decided lift and nothing else. Kept out: two-sided comparison in full (`compare_view.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.report.compare_view import DECIDED, VERDICT_TONES, bounds, signed
from fairtrial.report.lift_parts import budget_curve, routing
from fairtrial.report.numbers import MISSING, detect, duration, money, percent, points, probability, whole
from fairtrial.report.run_tables import interval, lean, money_interval
from fairtrial.report.run_view import shell_word, typed
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.lift import Lift, LiftRow
    from fairtrial.report.words import Words

LIFT_TONES = {**VERDICT_TONES, "earns_its_cost": "good", "does_not_beat": "unsure"}


def lift_sheet(found: Lift, words: Words, *, slices: bool = False) -> Sheet:
    """The page of one lift. `slices` shows every part of the suite, not only those where the two differ."""
    sheet = Sheet()
    sheet.head(words("lift.title"), found.run)
    _success(sheet, found.rows, words)
    _unfair(sheet, found, words)
    _judged(sheet, found, words)
    for note in found.notes:
        sheet.line(Part(f"{words('note')}: "), said(words.echo(note)))
    _takes(sheet, found, words)
    _differences(sheet, found, words)
    if found.curve is not None:
        budget_curve(sheet, found.curve, (found.rival, found.team), words)
    parts = [part for part in found.slices if slices or part["verdict"] in DECIDED]
    _slices(sheet, parts, words)
    if slices:
        _slice_rows(sheet, parts, words)
    if found.routing is not None:
        routing(sheet, found.routing, (found.rival, found.team), words)
    _verdict(sheet, found, words)
    _next(sheet, found, words)
    return sheet


def _success(sheet: Sheet, rows: list[LiftRow], words: Words) -> None:
    heads = ("planned", "passed", "unknown_plain", "not_run_plain", "success", "interval", "severe", "severe_upper")
    columns = [(words("col.setup"), "l"), (words("col.kind"), "l"), *((words(f"col.{key}"), "r") for key in heads)]
    lean(sheet, columns, [_row(row, words) for row in rows])


def _row(row: LiftRow, words: Words) -> list[Text]:
    return [
        said(row.setup, "strong"),
        words.known(f"setup_kind.{row.kind}", row.kind),
        whole(row.planned),
        whole(row.passed),
        Part(whole(row.unknown), "unsure" if row.unknown else "dim"),
        Part(whole(row.not_run), "unsure") if row.not_run else MISSING,
        Part(percent(row.success_rate.value), "strong"),
        interval(row.success_rate),
        Part(whole(row.severe), "bad" if row.severe else "dim"),
        percent(row.severe_upper),
    ]


def _unfair(sheet: Sheet, found: Lift, words: Words) -> None:
    if not found.fairness.get("fair", True):
        sheet.line(Part(words("unfair"), "bad"))
        for difference in found.fairness.get("differences") or []:
            sheet.line(said(difference, "bad"), indent=2)


def _judged(sheet: Sheet, found: Lift, words: Words) -> None:
    """Which team is judged, where there are several."""
    others = [row.setup for row in found.rows if row.kind == "team" and row.setup != found.team]
    if others:
        why = words.echo(found.judged)
        sheet.line(
            words("lift.judged"), ": ", said(found.team, "strong"), f" ({why}); ", words("lift.others"), ": ", said(", ".join(others))
        )


def _takes(sheet: Sheet, found: Lift, words: Words) -> None:
    """Money and time, with the interval of the cost per success and why a figure is missing."""
    heads = ("cost_mean", "cost_success", "interval", "p50", "p95", "over_budget")
    rows: list[list[Text]] = [
        [
            said(row.setup, "strong"),
            money(row.cost_mean),
            money(row.cost_per_success),
            money_interval(row.cost_per_success_low, row.cost_per_success_high),
            duration(row.latency_p50_ms),
            duration(row.latency_p95_ms),
            Part(whole(row.over_budget), "unsure" if row.over_budget else "dim"),
        ]
        for row in found.rows
    ]
    sheet.head(words("lift.takes"))
    sheet.grid([(words("col.setup"), "l"), *((words(f"col.{key}"), "r") for key in heads)], rows)
    _reasons(sheet, found, words)


def _reasons(sheet: Sheet, found: Lift, words: Words) -> None:
    """Why a figure of the tables is missing; a reason is kept under SETUP.field."""
    told: dict[tuple[str, str], list[str]] = {}
    for row in found.rows:
        missing = {
            "cost_usd.mean": row.cost_mean is None,
            "cost_usd.per_success": row.cost_per_success is None,
            "cost_per_success.interval": row.cost_per_success is not None and row.cost_per_success_high is None,
        }
        for field, absent in missing.items():
            reason = found.reasons.get(f"{row.setup}.{field}")
            if absent and reason:
                told.setdefault((field, reason), []).append(row.setup)
    for (field, reason), names in told.items():
        sheet.line(
            Part(f"{MISSING} {words(f'field.{field}')} (", "dim"),
            said(", ".join(names), "dim"),
            Part("): ", "dim"),
            said(words.echo(reason), "dim"),
        )


def _differences(sheet: Sheet, found: Lift, words: Words) -> None:
    if not found.differences:
        return
    margin = words("lift.margin", margin=points(found.margin).lstrip("+")) if found.margin is not None else ""
    sheet.head(words("lift.differences"), margin)
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
            ]
        )
    if not rows:
        return
    sheet.head(words("lift.slices"), words("lift.slices.aside"))
    heads = [("label", "l"), ("value", "l"), ("pairs", "r"), ("points", "r"), ("interval", "r"), ("verdict", "l")]
    sheet.grid([*((words(f"col.{key}"), side) for key, side in (*heads, ("rival", "r"), ("team", "r")))], rows)


def _slice_rows(sheet: Sheet, slices: list[dict[str, Any]], words: Words) -> None:
    """Every setup in every part of the suite."""
    rows: list[list[Text]] = [
        [
            said(f"{words.known('label.' + part['label'], part['label'])} = {part['value']}"),
            said(name, "strong"),
            f"{whole(row.passed)} / {whole(row.planned)}",
            percent(row.success_rate.value),
            interval(row.success_rate),
            money(row.cost_per_success),
            f"{duration(row.latency_p50_ms)} / {duration(row.latency_p95_ms)}",
            f"{whole(row.severe)} ({percent(row.severe_upper)})",
            f"{whole(row.unknown)} / {whole(row.over_budget)}",
        ]
        for part in slices
        for name, row in part.get("setups", {}).items()
    ]
    if not rows:
        return
    sheet.head(words("lift.by_slice"))
    heads = ("passed", "success", "interval", "cost_success", "p50_p95", "severe_most", "unknown_over")
    sheet.grid([(words("col.slice"), "l"), (words("col.setup"), "l"), *((words(f"col.{key}"), "r") for key in heads)], rows)


def _verdict(sheet: Sheet, found: Lift, words: Words) -> None:
    verdict = Part(words.known(f"verdict.{found.verdict}", found.verdict), LIFT_TONES.get(found.verdict, ""))
    sheet.head(words("lift.verdict"))
    sheet.line(verdict, ": ", said(words.echo(found.says)), indent=2)
    if found.advice:
        sheet.line(words("lift.advice"), ": ", Part(words.known(f"advice.{found.advice}", found.advice), "strong"), indent=2)
    if found.next and found.next not in found.says:
        sheet.line(said(words.echo(found.next)), indent=2)


def _next(sheet: Sheet, found: Lift, words: Words) -> None:
    """What the advice leads to: which role earns it, how much more would tell, what the rule sends, the rival at the gate."""
    suite = shell_word(typed(found.suite_path)) if found.suite_path else ""
    rival, team = (shell_word(f"{found.run}:{name}") for name in (found.rival, found.team))
    if suite and found.team and (found.advice in ("keep", "drop_a_role") or found.verdict == "worse"):
        sheet.next(words("next.roles"), f"fairtrial credit {suite} --setup {shell_word(found.team)}")
    elif found.advice == "cannot_tell" and found.verdict != "does_not_beat":
        sheet.next(words("next.plan"), f"fairtrial plan {suite or f'--run {rival} --run {team}'} --detect {detect(_seen(found))}")
    elif found.advice == "route":
        sheet.next(words("next.parts"), f"fairtrial lift {team} --slices")
    elif found.advice == "take_rival":
        sheet.next(words("next.gate_rival"), f"fairtrial gate {rival}")
    elif found.rival and found.team:
        sheet.next(words("next.compare"), f"fairtrial compare {rival} {team}")
    else:
        sheet.next(words("next.show"), f"fairtrial show {shell_word(found.run)}")


def _seen(found: Lift) -> float | None:
    """The difference of the team to its rival."""
    return next((pair["difference"]["value"] for pair in found.differences if pair["versus"] == found.rival), None)
