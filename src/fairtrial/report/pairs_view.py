"""The page of two sides before a judge: what it says, by case, how often the place decided, and what judging took.

Reads the decided object and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import MISSING, money, percent, whole
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.pairs import PairCase, PairsReport
    from fairtrial.report.words import Words


def pairs_sheet(found: PairsReport, words: Words, *, every: bool = False) -> Sheet:
    """The page of one report; `every` lists the cases that are even too."""
    sheet = Sheet()
    sheet.head(words("pairs.title"), words("pairs.sides", base=found.base, new=found.new, judge=found.judge))
    sheet.line(said(words.echo(found.says), "strong" if found.verdict != "cannot_tell" else "unsure"))
    counts = {"new": found.new_wins, "base": found.base_wins, "ties": found.ties, "unknown": found.unknown}
    sheet.line(words("pairs.sum", pairs=whole(found.pairs), **{name: whole(number) for name, number in counts.items()}))
    _bias(sheet, found, words)
    for note in found.notes:
        sheet.line(Part(f"{words('note')}: ", "unsure"), said(words.echo(note)))
    if found.left_out:
        sheet.line(Part(words("pairs.left_out", names=", ".join(found.left_out[:10])), "dim", said=True))
    _cases(sheet, found, words, every=every)
    _asking(sheet, found, words)
    for field, reason in found.reasons.items():
        sheet.line(Part(f"{MISSING} {words.known(f'field.{field}', field)}: ", "dim"), said(words.echo(reason), "dim"))
    sheet.next(words("next.pairs.compare"), f"fairtrial compare {shell_word(found.base)} {shell_word(found.new)}")
    return sheet


def _bias(sheet: Sheet, found: PairsReport, words: Words) -> None:
    bias = found.bias
    if bias.value is not None:
        interval = f"[{percent(bias.low)}, {percent(bias.high)}]"
        told = {"value": percent(bias.value), "interval": interval, "first": whole(bias.first), "second": whole(bias.second)}
        sheet.line(Part(words("pairs.bias", n=whole(bias.n), **told), "unsure" if bias.first + bias.second else ""))
    if found.unsteady:
        sheet.line(Part(words("pairs.unsteady", n=found.unsteady), "unsure"))


def _cases(sheet: Sheet, found: PairsReport, words: Words, *, every: bool) -> None:
    shown = [case for case in found.cases if every or case.new != case.base or case.unknown]
    if found.cases:
        sheet.head(words("pairs.cases"), words("pairs.cases.aside"))
    columns = [("case", "l"), ("new", "r"), ("base", "r"), ("tie", "r"), ("unknown", "r"), ("biased", "r"), ("why", "l")]
    sheet.grid([(words(f"col.pairs.{key}"), side) for key, side in columns], [_row(case, words) for case in shown])
    if len(shown) < len(found.cases):
        sheet.line(Part(words("pairs.more", n=len(found.cases) - len(shown)), "dim"), indent=2)


def _row(case: PairCase, words: Words) -> list[Text]:
    numbers = [
        (case.new, "good" if case.new > case.base else ""),
        (case.base, "bad" if case.base > case.new else ""),
        (case.tie, ""),
        (case.unknown, "unsure"),
        (case.biased, "unsure"),
    ]
    return [said(case.id), *(Part(whole(number), tone) if number else "·" for number, tone in numbers), said(words.echo(case.why), "dim")]


def _asking(sheet: Sheet, found: PairsReport, words: Words) -> None:
    took = found.asking
    tokens = MISSING
    if took.input_tokens is not None and took.output_tokens is not None:
        tokens = words("pairs.tokens", input=whole(took.input_tokens), output=whole(took.output_tokens))
    told = {"cached": whole(took.cached), "usd": money(took.usd), "tokens": tokens}
    sheet.line(Part(words("pairs.asking", calls=whole(took.calls), **told), "dim"))
