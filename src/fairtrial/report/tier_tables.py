"""The tables of the three tiers on a run's page: each tier with its pass standard, and the scores of conversations by group.

They are left out of a run that has whole-path cases alone and no score. Kept out: the standards (`study/tiers.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import MISSING, mark, whole
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.report import RunReport, Score, TierReport
    from fairtrial.report.words import Words

POLICY = "three-tiers"
TONES = {"holds": "good", "fails": "bad", "open": "unsure"}


def tiers(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Every tier in every setup: what became of its trials, and whether its standard holds."""
    asked = report.manifest.get("settings", {}).get("policy") == POLICY
    if not asked and all(row.tier == "e2e" and row.score is None for row in report.tiers):
        return
    sheet.head(words("tiers.title"))
    keys = ("planned", "pass", "fail", "unknown", "not_run", "not_tried", "severe", "score")
    columns = [(words("col.tier"), "l"), (words("col.setup"), "l"), *((words(f"col.{key}"), "r") for key in keys)]
    sheet.grid([*columns, (words("col.standard"), "l")], [_row(row, words) for row in report.tiers])
    for row in report.tiers:
        if row.why:
            what = f"{words.known(f'tier.{row.tier}', row.tier)}, {words.known(f'standard.{row.state}', row.state)}: "
            sheet.line(said(row.setup), ": ", what, said(words.echo(row.why)), indent=2)
        if row.score is not None and row.score.failed_by_code:
            sheet.line(said(row.setup), ": ", words("tiers.failed_by_code", n=whole(row.score.failed_by_code)), indent=2)
    for tier in dict.fromkeys(row.tier for row in report.tiers):
        sheet.line(Part(words(f"standard.of.{tier}"), "dim"), indent=2)
    _groups(sheet, report, words)


def _row(row: TierReport, words: Words) -> list[Text]:
    counts = (row.passed, row.fail, row.unknown, row.not_run, row.not_applicable, row.severe)
    tones = ("good", "bad", "unsure", "unsure", "unsure", "bad")
    told: list[Text] = [Part(whole(number), tone if number else "dim") for number, tone in zip(counts, tones, strict=True)]
    state = Part(words.known(f"standard.{row.state}", row.state), TONES.get(row.state, ""))
    return [words.known(f"tier.{row.tier}", row.tier), said(row.setup, "strong"), whole(row.planned), *told, _range(row.score), state]


def _range(score: Score | None) -> str:
    """The mean score, and the lowest and the highest of a case."""
    if score is None or score.mean is None:
        return MISSING
    return f"{mark(score.mean)} ({mark(score.min)}–{mark(score.max)})"


def _groups(sheet: Sheet, report: RunReport, words: Words) -> None:
    rows: list[list[Text]] = []
    for row in report.tiers:
        for tag, group in row.groups.items() if row.score is not None else ():
            passed = f"{whole(group['pass'])} / {whole(group['planned'])}"
            rows.append([said(row.setup, "strong"), said(tag), whole(group["cases"]), passed, _range(group["score"])])
    if not rows:
        return
    judges = {row.score.judge for row in report.tiers if row.score is not None and row.score.judge}
    sheet.head(words("tiers.groups"), words("tiers.by_judge", judge=", ".join(sorted(judges))) if judges else words("tiers.by_code"))
    columns = [(words("col.setup"), "l"), (words("label.tag"), "l")]
    sheet.grid([*columns, *((words(f"col.{key}"), "r") for key in ("cases", "passed_of", "score"))], rows)
