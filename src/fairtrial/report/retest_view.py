"""After a mend: whether the case turned, and what else moved, setup by setup.

Reads the decided retest and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import probability, whole
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.report.words import Words
    from fairtrial.study.retest import Move, Retest

TONES = {"fixed": "good", "improved": "good", "broken": "bad", "declined": "bad", "unknown": "unsure"}
MOST_VERDICTS = 8


def retest_sheet(found: Retest, words: Words) -> Sheet:
    """The page of one retest."""
    sheet = Sheet()
    sheet.line(said(found.case, "strong"), "  ", said(found.before), "  →  ", said(found.after))
    if words.language == "en":
        sheet.line(said(found.says))
    if len(found.setups) > 1:
        sheet.line(Part(words("retest.setups", n=whole(len(found.setups))), "dim"))
    if found.alone:
        sheet.head(words("retest.alone"))
        sheet.grid(
            [(words("col.setup"), "l"), (words("col.verdict"), "l")], [[said(name), _listed(seen)] for name, seen in found.alone.items()]
        )
    sheet.head(words("retest.target"))
    _moves(sheet, found.target, words)
    sheet.head(words("retest.rest"))
    if found.moved:
        _moves(sheet, found.moved, words)
    else:
        sheet.line(Part(words("retest.nothing"), "good"), indent=2)
    sheet.line(Part(words("retest.unchanged", n=whole(found.unchanged)), "dim"), indent=2)
    if found.changed:
        sheet.line(Part(f"{words('left_out.changed')}: ", "unsure"), said(", ".join(found.changed)), indent=2)
    lost = next((move for move in (*found.target, *found.moved) if move.move == "broken"), None)
    if lost:
        sheet.next(words("next.lost"), f"fairtrial show {shell_word(f'{found.after}:{lost.setup}')} {shell_word(lost.case)}")
    else:
        sheet.next(words("next.show"), f"fairtrial show {shell_word(found.after)}")
    return sheet


def _moves(sheet: Sheet, moves: Sequence[Move], words: Words) -> None:
    rows: list[list[Text]] = []
    for move in moves:
        kind = Part(words.known(f"flip.{move.move}", move.move), TONES.get(move.move, ""))
        doubt = Part(words("retest.chance", p=probability(move.p_value)), "unsure") if move.may_be_chance else Part("")
        rows.append([said(move.case), said(move.setup), kind, _listed(move.before), _listed(move.after), doubt])
    heads = [(words(f"col.{key}"), "l") for key in ("case", "setup", "change", "before", "after")]
    doubtful = any(move.may_be_chance for move in moves)
    sheet.grid([*heads, ("", "l")] if doubtful else heads, rows if doubtful else [row[:-1] for row in rows])


def _listed(verdicts: list[str]) -> str:
    """All verdicts where there are few, else how many passed."""
    if len(verdicts) <= MOST_VERDICTS:
        return " ".join(verdicts)
    return f"{verdicts.count('PASS')} / {len(verdicts)} PASS"
