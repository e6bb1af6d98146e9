"""Whether facts are used: how far the decision moves with them, and the three grades of evidence side by side.

Reads the decided object and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.compare_view import bounds
from fairtrial.report.excerpt import value_text
from fairtrial.report.numbers import MISSING, money, percent, points, probability, whole
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said
from fairtrial.study.wording import listed

if TYPE_CHECKING:
    from fairtrial.records.use import UseCase, UseProof, UseReport, UseShift
    from fairtrial.report.words import Words

TONES = {
    "used": "good",
    "confirmed": "good",
    "not_used": "",
    "used_undeclared": "unsure",
    "declared_not_used": "bad",
    "not_received": "bad",
    "cannot_tell": "unsure",
}


def use_sheet(found: UseReport, words: Words, suite: str) -> Sheet:
    """The page of one look at the use of facts."""
    sheet = Sheet()
    sheet.head(words("uses.title", to=found.to), found.run or found.recorded)
    sheet.line(_replayed(found, words))
    _shifts(sheet, found.shifts, words)
    _proofs(sheet, found, words)
    _left_out(sheet, found, words)
    for note in found.notes:
        sheet.line(said(words.echo(note), "dim"))
    if found.run is not None:
        sheet.line(Part(words("uses.trials", n=found.trials, planned=found.planned, cost=money(found.cost_usd)), "dim"))
    sheet.head(words("uses.verdict"))
    sheet.line(said(words.echo(found.says)), indent=2)
    _next(sheet, found, words, suite)
    return sheet


def _replayed(found: UseReport, words: Words) -> Part:
    if found.replay == "whole":
        return Part(words("uses.whole", recorded=found.recorded), "dim")
    told = {"replayed": ", ".join(found.replayed), "acted": ", ".join(found.acted), "recorded": found.recorded}
    return said(words("uses.downstream", **told), "dim")


def _shifts(sheet: Sheet, rows: list[UseShift], words: Words) -> None:
    heads = [("fact", "l"), ("altered", "l"), ("shift", "r"), ("interval", "r"), ("noise", "r"), ("p", "r"), ("cases", "r"), ("runs", "r")]
    grid: list[list[Text]] = [
        [
            said(row.fact, "strong"),
            words.known(f"altered.{row.how}", row.how),
            Part(points(row.value), "strong"),
            bounds(row.low, row.high),
            percent(row.noise),
            probability(row.p_adjusted).removeprefix("= "),
            whole(row.n),
            whole(row.runs),
            _reading(row.reading, words),
        ]
        for row in rows
    ]
    sheet.grid([*((words(f"col.{key}"), side) for key, side in heads), (words("col.reading"), "l")], grid)


def _reading(reading: str, words: Words) -> Part:
    return Part(words.known(f"reading.{reading}", reading), TONES.get(reading, ""))


def _proofs(sheet: Sheet, found: UseReport, words: Words) -> None:
    """For each fact and case: declared, found, shown."""
    if not found.proofs:
        return
    sheet.head(words("uses.proofs"))
    heads = [("case", "l"), ("fact", "l"), ("put_in", "l"), ("declared", "r"), ("found", "r"), ("moved", "r"), ("reading", "l")]
    rows = [
        _proof(proof, [one for one in found.cases if (one.case, one.fact) == (proof.case, proof.fact)], words) for proof in found.proofs
    ]
    sheet.grid([(words(f"col.{key}"), side) for key, side in heads], rows)
    _whys(sheet, found, words)


def _whys(sheet: Sheet, found: UseReport, words: Words) -> None:
    """Why nothing can be told of a case, those with the same reason in one line."""
    unsure = {(proof.case, proof.fact) for proof in found.proofs if proof.reading == "cannot_tell"}
    whys: dict[tuple[str, str], list[str]] = {}
    for one in found.cases:
        if one.why and (one.case, one.fact) in unsure:
            whys.setdefault((one.fact, one.why), []).append(one.case)
    for (fact, why), cases in whys.items():
        named = f"{fact}, {listed(list(dict.fromkeys(cases)))}: "
        sheet.line(Part(f"{words('reading.cannot_tell')} ", "unsure"), said(named, "dim"), said(words.echo(why), "dim"), indent=2)


def _proof(proof: UseProof, cases: list[UseCase], words: Words) -> list[Text]:
    return [
        said(proof.case),
        said(proof.fact),
        said("; ".join(dict.fromkeys(_put_in(one, words) for one in cases))),
        _of(proof.declared, proof.of),
        _of(proof.found, proof.of),
        "; ".join(_of(one.moved, one.runs) for one in cases),
        _reading(proof.reading, words),
    ]


def _of(some: int, of: int) -> str:
    return f"{some}/{of}" if of else MISSING


def _put_in(one: UseCase, words: Words) -> str:
    was, put_in = value_text(one.was, 24), value_text(one.put_in, 24)
    return f"{was} → {put_in}" if one.how == "changed" else words(f"uses.{one.how}", was=was, put_in=put_in)


def _left_out(sheet: Sheet, found: UseReport, words: Words) -> None:
    if not found.left_out:
        return
    sheet.head(words("uses.left_out"))
    for left in found.left_out:
        sheet.line(said(f"{left.case}, {left.fact}: "), said(words.echo(left.why), "dim"), indent=2)


def _next(sheet: Sheet, found: UseReport, words: Words, suite: str) -> None:
    asked = " ".join([f"--setup {shell_word(found.setup)}", *(f"--fact {shell_word(fact)}" for fact in found.facts)])
    if found.run is None and any(left.kind == "not_replayable" for left in found.left_out) and found.replay == "downstream":
        sheet.next(words("next.whole"), f"fairtrial use {shell_word(suite)} {asked} --whole")
    elif found.run is None:
        case = found.left_out[0].case if found.left_out else ""
        sheet.next(words("next.replay"), f"fairtrial replay {shell_word(f'{found.recorded}:{found.setup}')} {shell_word(case)} 1")
    elif found.trials < found.planned:
        sheet.next(words("next.resume"), f"fairtrial use {shell_word(suite)} {asked} --resume {shell_word(found.run)}")
    else:
        best = max(found.cases, key=lambda one: one.moved)
        setup = next(row.setup for row in found.shifts if (row.fact, row.how) == (best.fact, best.how))
        sheet.next(words("next.altered"), f"fairtrial replay {shell_word(f'{found.run}:{setup}')} {shell_word(best.case)} 1")
