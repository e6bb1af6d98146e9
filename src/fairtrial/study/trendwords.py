"""The sentence of a trend: for every setup what its newest run shows against those before it. Kept out: the deciding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.study.wording import chance, count, listed, percent, points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.trend import Moved, TrendRow

AGAINST = {"previous": "the run before", "first": "the first run since the last break"}


def trend_says(suite: str, rows: Sequence[TrendRow]) -> str:
    """One clause a setup; those that ran the whole suite, where there are such."""
    newest = {(row.setup, row.selection): row for row in rows}
    whole = [row for row in newest.values() if not row.selection]
    told = [_clause(row) for row in whole or newest.values()]
    return "; ".join(told) + "." if told else f"No run of {suite} is in the store."


def _clause(row: TrendRow) -> str:
    name = row.setup + (f" ({row.selection})" if row.selection else "")
    if "reading" in row.reasons:
        return f"{name}: cannot tell, for its newest run was {row.reasons['reading']}"
    if not row.moves:
        rate = row.success_rate.value
        return f"{name}: nothing to compare with yet" + ("" if rate is None else f", success {percent(rate)}")
    move = next((one for one in row.moves if one.reading == row.reading), row.moves[0])
    against = f"{AGAINST[move.against]} ({move.run})"
    if move.reading == "cannot_tell":
        return f"{name}: cannot tell against {against}, for {move.why}"
    word = {"decline": "declined", "rise": "rose"}.get(move.reading, "no change shown")
    changed = f"; {row.setup} changed in between: {listed(move.changed)}" if move.changed else ""
    return f"{name}: {word} against {against}: {_grounds(move)}{_otherwise(row, move)}{changed}"


def _otherwise(row: TrendRow, told: Moved) -> str:
    """What the other comparison shows, where a move against one run is none against the other."""
    other = next((one for one in row.moves if one.against != told.against and one.reading == "no_change_shown"), None)
    if other is None or told.reading not in ("decline", "rise"):
        return ""
    return f"; {row.setup} shows no change against {AGAINST[other.against]} ({other.run})"


def _grounds(move: Moved) -> str:
    moved = move.difference
    told = count(move.pairs, "unchanged case")
    if moved.value is None or moved.low is None or moved.high is None:
        return told
    sure = f", {chance(move.p_holm)}" if move.p_holm is not None else ""
    return f"{points(moved.value)} points, 95 % interval {points(moved.low)} to {points(moved.high)}{sure}, {told}"
