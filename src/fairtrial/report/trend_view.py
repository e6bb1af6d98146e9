"""A suite over time on one page: a small chart a setup, the figures run by run, the breaks, what moved and how sure.

Reads the decided trend and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.compare_view import bounds
from fairtrial.report.excerpt import excerpt
from fairtrial.report.numbers import MISSING, duration, money, percent, points, probability, whole
from fairtrial.report.run_tables import interval
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.trend import Trend, TrendRow
    from fairtrial.report.words import Words

STEPS = "▁▂▃▄▅▆▇█"
GONE, BREAK = "·", "│"
TONES = {"decline": "bad", "rise": "good", "cannot_tell": "unsure", "no_change_shown": "dim", "first": "dim"}
WIDEST = 24
"""Letters of one version in a table."""
CALLED = ("decline", "rise")
MOST_CHART = 40
"""Runs in a chart; the newest ones."""


def trend_sheet(found: Trend, words: Words, suite: str) -> Sheet:
    """The page of one trend. `suite` is what was typed."""
    sheet = Sheet()
    sheet.line(said(found.suite, "strong"), "  ", said(words.echo(found.says)))
    if found.rows:
        _charts(sheet, found.rows, words)
        _rows(sheet, found.rows, words)
        if found.older:
            sheet.line(Part(words("trend.older", n=whole(found.older)), "dim"), indent=2)
        _moved(sheet, found.rows, words)
        _breaks(sheet, found.rows, words)
    _left_out(sheet, found, words)
    _next(sheet, found, words, suite)
    return sheet


def chart(rows: Sequence[TrendRow]) -> str:
    """The success rates of one setup as bars of eight heights, always from 0 to 100 %, a line where there was a break."""
    drawn: list[str] = []
    for row in rows[-MOST_CHART:]:
        rate = row.success_rate.value
        bar = GONE if rate is None else STEPS[min(len(STEPS) - 1, int(rate * len(STEPS)))]
        drawn.append((BREAK if row.breaks and drawn else "") + bar)
    return "".join(drawn)


def _series(rows: Sequence[TrendRow]) -> dict[tuple[str, str], list[TrendRow]]:
    found: dict[tuple[str, str], list[TrendRow]] = {}
    for row in rows:
        found.setdefault((row.setup, row.selection), []).append(row)
    return found


def _charts(sheet: Sheet, rows: Sequence[TrendRow], words: Words) -> None:
    sheet.head(words("trend.chart"), words("trend.chart.aside"))
    lines: list[list[Text]] = []
    for (setup, selection), own in _series(rows).items():
        last = own[-1]
        reading = Part(words.known(f"moved.{last.reading}", last.reading), TONES.get(last.reading, ""))
        part = said(selection) if selection else Part(words("trend.whole"), "dim")
        lines.append([said(setup, "strong"), part, chart(own), percent(last.success_rate.value), interval(last.success_rate), reading])
    heads = (("setup", "l"), ("part", "l"), ("chart", "l"), ("latest", "r"), ("interval", "r"), ("said", "l"))
    sheet.grid([(words(f"col.{key}"), side) for key, side in heads], lines)


def _rows(sheet: Sheet, rows: Sequence[TrendRow], words: Words) -> None:
    """Columns that would be empty are left out; of the versions those are shown that were not always the same."""
    sheet.head(words("trend.rows"), words("trend.rows.aside"))
    stated, broken = _moving(rows), any(row.breaks for row in rows)
    lines: list[list[Text]] = []
    for row in rows:
        rate = row.success_rate
        some: list[Text] = [said(" ".join(excerpt(row.versions.get(name, MISSING), WIDEST) for name in stated))] if stated else []
        some += [Part(", ".join(dict.fromkeys(_kind(one.kind, words) for one in row.breaks)), "unsure")] if broken else []
        lines.append(
            [
                said(row.run, "strong"),
                said(row.setup),
                *some,
                Part(percent(rate.value), "strong"),
                interval(rate),
                Part(words.known(f"moved.{row.reading}", row.reading), TONES.get(row.reading, "")),
                f"{whole(row.trials)} / {whole(row.cases)}",
                Part(percent(row.unknown_share), "unsure" if row.unknown else "dim"),
                Part(whole(row.severe), "bad" if row.severe else "dim"),
                money(row.cost_per_success_usd),
                duration(row.latency_p95_ms),
            ]
        )
    heads = [("run", "l"), ("setup", "l"), *([("versions", "l")] if stated else []), *([("break", "l")] if broken else [])]
    heads += [("success", "r"), ("interval", "r"), ("said", "l"), ("trials_cases", "r"), ("unknown_share", "r"), ("severe", "r")]
    heads += [("a_success", "r"), ("p95", "r")]
    sheet.grid([(words(f"col.{key}"), side) for key, side in heads], lines)
    for row in rows:
        if "reading" in row.reasons:
            sheet.line(Part(f"{MISSING} ", "dim"), said(f"{row.run} {row.setup}: {words.echo(row.reasons['reading'])}", "dim"), indent=2)


def _moving(rows: Sequence[TrendRow]) -> list[str]:
    """The versions that some setup changed from one run to another."""
    names = dict.fromkeys(name for row in rows for name in row.versions)
    return [name for name in names if any(len({row.versions.get(name) for row in own}) > 1 for own in _series(rows).values())]


def _kind(kind: str, words: Words) -> str:
    return words.known(f"break.{kind}", kind)


def _moved(sheet: Sheet, rows: Sequence[TrendRow], words: Words) -> None:
    """What was called in any run, and all that is said of the newest; the others stand in the table's last column."""
    series = _series(rows)
    newest = [own[-1] for own in series.values()]
    shown = [(row, move) for row in rows for move in row.moves if move.reading in CALLED or row in newest]
    lines: list[list[Text]] = [
        [
            said(f"{row.run} {row.setup}" if len(series) > 1 else row.run),
            Part(words.known(f"moved.{move.reading}", move.reading), TONES.get(move.reading, "")),
            said(move.run),
            words.known(f"against.{move.against}", move.against),
            points(move.difference.value),
            bounds(move.difference.low, move.difference.high),
            probability(move.p_holm).removeprefix("= "),
            whole(move.pairs),
        ]
        for row, move in shown
    ]
    if not lines:
        return
    sheet.head(words("trend.called"), words("trend.called.aside"))
    heads = [("run", "l"), ("said", "l"), ("against", "l"), ("which", "l"), ("points", "r"), ("interval", "r"), ("p", "r"), ("pairs", "r")]
    sheet.grid([(words(f"col.{key}"), side) for key, side in heads], lines)
    for row, move in shown:
        if move.why or move.across:
            why = words.echo(move.why) if move.why else words("trend.across", kinds=", ".join(_kind(kind, words) for kind in move.across))
            sheet.line(Part(f"{MISSING} ", "dim"), said(f"{row.run} {row.setup}: {why}", "dim"), indent=2)
        if move.changed:
            told = words("trend.changed", what=", ".join(move.changed))
            sheet.line(Part(f"{MISSING} ", "dim"), said(f"{move.run} → {row.run} {row.setup}: {told}", "dim"), indent=2)


def _breaks(sheet: Sheet, rows: Sequence[TrendRow], words: Words) -> None:
    broken = [(row, one) for row in rows for one in row.breaks]
    if broken:
        sheet.head(words("trend.breaks"))
    for row, one in broken:
        sheet.line(said(f"{row.run} {row.setup}", "strong"), "  ", _kind(one.kind, words), ": ", said(words.echo(one.what)), indent=2)


def _left_out(sheet: Sheet, found: Trend, words: Words) -> None:
    setups: dict[tuple[str, str], list[str]] = {}
    for left in found.left_out:
        setups.setdefault((left.run, left.why), []).append(left.setup)
    for (run, why), names in setups.items():
        sheet.line(Part(f"{words('trend.left_out')}: ", "dim"), said(f"{run} {', '.join(names)}: {words.echo(why)}", "dim"))


def _next(sheet: Sheet, found: Trend, words: Words, suite: str) -> None:
    """The newest decline to look at, an older run to grade again, or another run."""
    newest = [own[-1] for own in _series(found.rows).values()]
    for row in newest:
        move = next((one for one in row.moves if one.reading == "decline"), None)
        if move is not None:
            sides = (shell_word(f"{run}:{row.setup}") for run in (move.run, row.run))
            sheet.next(words("next.trend_lost"), f"fairtrial compare {' '.join(sides)}")
            return
    for row in newest:
        if any(one.kind == "graders" for one in row.breaks):
            sheet.next(words("next.regrade"), f"fairtrial grade {shell_word(row.moves[0].run)}")
            return
    moved = next((row for row in newest if row.origin != "run" and row.moves), None)
    if moved is not None:
        sides = (shell_word(f"{run}:{moved.setup}") for run in (moved.moves[0].run, moved.run))
        sheet.next(words("next.trend_pair"), f"fairtrial compare {' '.join(sides)}")
        return
    if newest and all(row.origin != "run" for row in newest):
        sheet.next(words("next.show"), f"fairtrial show {shell_word(newest[-1].run)}")
        return
    key = "next.trend_run" if found.rows else "next.first"
    sheet.next(words(key), f"fairtrial run {shell_word(suite)}")
