"""The graders on trial, on one page: the share of damaged trials that was caught, by what, and each survivor.

Reads the decided object and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import percent, whole
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.mutation import MutantResult, MutationReport, OperatorLine, Share
    from fairtrial.report.words import Words

MOST = 12
"""Checks and survivors that a page lists unasked."""


def mutants_sheet(found: MutationReport, words: Words, *, every: bool = False) -> Sheet:
    """The page of one mutation report; `every` lists all checks and all survivors."""
    sheet = Sheet()
    sheet.line(Part(words.echo(found.says), "strong" if found.share.value == 1 else "bad" if found.survived else "unsure"))
    sheet.line(Part(_from(found, words), "dim"))
    if found.share.value is not None:
        sheet.line(words("mutants.share", share=_interval(found.share), n=whole(found.mutants), cases=whole(found.cases)))
    _operators(sheet, found, words)
    _catchers(sheet, found, words, every=every)
    _told(sheet, ("mutants.survivors", found.survivors), words, every=every)
    _told(sheet, ("mutants.unsure", found.unsures), words, every=every)
    if found.judges:
        sheet.line(Part(words(f"mutants.judges.{found.judges}", n=whole(found.opinions)), "dim"))
    for note in found.notes:
        sheet.line(Part(words.echo(note), "dim"))
    _next(sheet, found, words)
    return sheet


def _from(found: MutationReport, words: Words) -> str:
    told = words("mutants.from", run=found.run or "", trials=whole(found.trials), cases=whole(found.cases))
    left = [words("mutants.left", n=whole(number), why=words.echo(why)) for why, number in found.left_out.items()]
    return "; ".join([told, *left])


def _interval(share: Share) -> str:
    if share.value is None:
        return "–"
    return f"{percent(share.value)} [{percent(share.low)}, {percent(share.high)}]"


def _operators(sheet: Sheet, found: MutationReport, words: Words) -> None:
    sheet.head(words("mutants.operators"), words("mutants.operators.aside"))
    rows = [_row(line, words) for line in found.operators if line.mutants]
    columns = [("damage", "l"), ("caught", "r"), ("passed", "r"), ("neither", "r"), ("share", "r"), ("what", "l")]
    sheet.grid([(words(f"col.mutants.{key}"), side) for key, side in columns], rows)
    idle = [line.name for line in found.operators if not line.mutants]
    if idle:
        sheet.line(Part(words("mutants.idle", names=", ".join(idle)), "dim"), indent=2)


def _row(line: OperatorLine, words: Words) -> list[Text]:
    tone = "bad" if line.survived else "unsure" if line.unsure else "good"
    survived, unsure = (whole(number) if number else "·" for number in (line.survived, line.unsure))
    return [
        line.name,
        whole(line.caught),
        Part(survived, tone),
        unsure,
        percent(line.share.value),
        Part(words(f"mutants.op.{line.name}"), "dim"),
    ]


def _catchers(sheet: Sheet, found: MutationReport, words: Words, *, every: bool) -> None:
    if not found.catchers:
        return
    sheet.head(words("mutants.catchers"), words("mutants.catchers.aside"))
    shown = found.catchers if every else found.catchers[:MOST]
    rows: list[list[Text]] = [
        [
            said(line.check),
            words.known(f"card.{line.card}", line.card),
            words.known(f"mutants.source.{line.source}", line.source),
            whole(line.caught),
        ]
        for line in shown
    ]
    sheet.grid(
        [(words(f"col.mutants.{key}"), side) for key, side in (("check", "l"), ("card", "l"), ("source", "l"), ("first", "r"))], rows
    )
    _more(sheet, len(found.catchers) - len(shown), words)


def _told(sheet: Sheet, part: tuple[str, Sequence[MutantResult]], words: Words, *, every: bool) -> None:
    key, results = part
    if not results:
        return
    sheet.head(words(key), words(f"{key}.aside"))
    shown = results if every else results[:MOST]
    for one in shown:
        sheet.line(said(one.case, "strong"), "  ", said(one.setup, "dim"), f"  {one.operator}", indent=2)
        sheet.line(said(one.what), indent=4)
        if one.why:
            sheet.line(said(one.why, "unsure"), indent=4)
        sheet.line(Part(words("mutants.catch"), "dim"), one.catch, indent=4)
    _more(sheet, len(results) - len(shown), words)


def _more(sheet: Sheet, number: int, words: Words) -> None:
    if number > 0:
        sheet.line(Part(words("mutants.more", n=whole(number)), "dim"), indent=2)


def _next(sheet: Sheet, found: MutationReport, words: Words) -> None:
    suite = shell_word(found.path)
    if not found.trials:
        sheet.next(words("next.mutants.run"), f"fairtrial run {suite}")
    elif found.survivors or found.unsures:
        sheet.next(words("next.mutants.mend"), f"fairtrial check {suite} && fairtrial judge mutants {suite}")
    else:
        sheet.next(words("next.mutants.gate"), f"fairtrial run {suite}")
