"""What the rule of a run until decided came to, on the run's page. Kept out: the figures of the setups (`run_tables.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import points, whole
from fairtrial.report.sheet import Part, Sheet, said

if TYPE_CHECKING:
    from fairtrial.records.until import Rule, UntilDecided
    from fairtrial.report.words import Words

TONES = {"better": "good", "not_worse": "good", "worse": "bad", "cannot_tell": "unsure", "open": "unsure"}


def until(sheet: Sheet, found: UntilDecided, words: Words) -> None:
    """The decision, what it rests on, and what must not be read into the figures below."""
    rule = found.rule
    sheet.head(words("until.title"), words("until.aside", new=rule.new, base=rule.base))
    verdict = Part(words.known(f"verdict.{found.decision}", found.decision), TONES.get(found.decision, ""))
    sheet.line(verdict, ": ", said(words.echo(found.says)), indent=2)
    looks = words(
        "until.looks", looks=whole(found.looks), most=whole(found.most_looks), trials=whole(found.trials), planned=whole(found.planned)
    )
    later = f"; {words('until.later', n=whole(found.later))}" if found.later and found.decision != "open" else ""
    sheet.line(Part(looks + later, "dim"), indent=2)
    if rule.margin is not None:
        sheet.line(Part(_margin(rule, words), "dim"), indent=2)
    if found.decision in ("open", "cannot_tell"):
        sheet.line(Part(_least(found, words), "dim"), indent=2)
    sheet.line(Part(words("until.fixed"), "dim"), indent=2)


def until_plan(sheet: Sheet, found: UntilDecided, words: Words) -> None:
    """What a run would stop by."""
    rule = found.rule
    sheet.line(words("until.plan", new=rule.new, base=rule.base, level=rule.level))
    sheet.line(_least(found, words))
    if rule.margin is not None:
        sheet.line(_margin(rule, words))


def _least(found: UntilDecided, words: Words) -> str:
    """What the whole plan could decide at the very best."""
    if found.least is None:
        return words.echo(found.reasons["least"])
    return words("until.least", cases=whole(found.most_looks), least=points(found.least).lstrip("+"))


def _margin(rule: Rule, words: Words) -> str:
    return words("until.margin", margin=points(rule.margin).lstrip("+"))
