"""The two libraries of a suite on one page: where each case stands, what moves and why, and who opened what was held out.

Reads the decided object and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.report.health_view import health
from fairtrial.report.numbers import whole
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.library import Batch, LibraryReport, Rule, Standing
    from fairtrial.report.words import Words

TONES = {"graduate": "good", "demote": "bad"}
MOST_SCORES = 5
MOST_LINES = 20
MOST_QUIET = 12
"""Cases that stay as they are that a library lists unasked; more of them are counted."""


def library_sheet(found: LibraryReport, suite: str, words: Words, *, every: bool = False) -> Sheet:
    """The page of one library; `every` lists every case, and what each still tells."""
    sheet = Sheet()
    of = words("library.of.one" if found.runs == 1 else "library.of", runs=whole(found.runs))
    sheet.line(said(found.suite, "strong"), "  ", of, " ", said(found.setup))
    sheet.line(Part(words("library.rule", graduate=_rule(found.rules.graduate, words), demote=_rule(found.rules.demote, words)), "dim"))
    if found.ledger is not None:
        _ledger(sheet, found.ledger, words)
    for name in ("capability", "regression"):
        _standings(sheet, (name, [one for one in found.cases if one.library == name]), words, every=every)
    _moves(sheet, found, words)
    _flaky(sheet, found, words)
    _log(sheet, found.moved, words)
    if found.health is not None:
        health(sheet, found.health, words, every=every)
    _next(sheet, found, suite, words)
    return sheet


def _rule(rule: Rule, words: Words) -> str:
    return words(f"library.rule.{rule.by}", n=whole(rule.batches), bar=str(rule.bar))


def _standings(sheet: Sheet, part: tuple[str, Sequence[Standing]], words: Words, *, every: bool) -> None:
    """The cases of one library; of many, those that neither move nor are flaky are only counted."""
    library, cases = part
    if not cases:
        return
    sheet.head(words(f"library.{library}"), whole(len(cases)))
    quiet = [one for one in cases if one.move == "none" and not one.flaky]
    folded = 0 if every or len(quiet) <= MOST_QUIET else len(quiet)
    rows: list[list[Text]] = []
    for one in [one for one in cases if not folded or one not in quiet]:
        marks = [words("library.held_out")] if one.split == "held_out" else []
        marks += [words("library.flaky")] if one.flaky else []
        move = words(f"library.move.{one.move}")
        row: list[Text] = [said(one.case), scores(one.batches), whole(one.streak), Part(move, TONES.get(one.move, "dim"))]
        rows.append([*row, Part(", ".join(marks), "unsure"), said(words.echo(one.why), "dim")])
    columns = zip(("case", "scores", "in_a_row", "move", "marks", "why"), "llrlll", strict=True)
    sheet.grid([(words(f"col.{key}"), side) for key, side in columns], rows)
    if folded:
        sheet.line(Part(words("library.quiet", n=whole(folded)), "dim"), indent=2)


def scores(batches: Sequence[Batch]) -> str:
    """The last few scores, oldest first; one that is not decided has its range."""
    shown = [_score(one) for one in batches[-MOST_SCORES:]]
    return " ".join(shown) if shown else "–"


def _score(one: Batch) -> str:
    told = f"{one.score:.2f}" if one.worst == one.best else f"{one.worst:.2f}…{one.best:.2f}"
    return f"{told}!" if one.severe else told


def _moves(sheet: Sheet, found: LibraryReport, words: Words) -> None:
    moving = [one for one in found.cases if one.move != "none"]
    sheet.head(words("library.moves"), "" if found.applied or not moving else words("library.proposed"))
    if not moving:
        sheet.line(Part(words("library.no_move"), "dim"), indent=2)
    for one in moving:
        sheet.line(said(one.case, "strong"), f"  {one.library} → {one.to}  ", Part(words.echo(one.why), "dim"), indent=2)
    for file in found.written:
        sheet.line(Part(f"{words('library.written')} ", "good"), said(file), indent=2)
    for refusal in found.refused:
        sheet.line(said(refusal["why"], "bad"), indent=2)
        sheet.line(Part(f"{words('mend')}: ", "dim"), said(refusal["mend"]), indent=4)


def _flaky(sheet: Sheet, found: LibraryReport, words: Words) -> None:
    flaky = [one for one in found.cases if one.flaky]
    if not flaky:
        return
    sheet.head(words("library.quarantine"), words("library.quarantine.aside"))
    for one in flaky:
        sheet.line(said(one.case, "strong"), "  ", said(words.echo(one.flaky_why)), indent=2)


def _log(sheet: Sheet, moved: Sequence[dict[str, Any]], words: Words) -> None:
    if not moved:
        return
    sheet.head(words("library.log"), whole(len(moved)) if len(moved) > MOST_LINES else "")
    for one in moved[-MOST_LINES:]:
        move = words.known(f"library.done.{one['move']}", str(one["move"]))
        when, why = Part(f"{one['at']}  ", "dim"), said(words.echo(one["why"]), "dim")
        sheet.line(when, said(one["who"]), "  ", said(one["case"]), f"  {move}  ", why, indent=2)


def _ledger(sheet: Sheet, looks: Sequence[dict[str, Any]], words: Words) -> None:
    sheet.head(words("library.ledger"), words("library.ledger.aside"))
    if not looks:
        sheet.line(Part(words("library.ledger.none"), "good"), indent=2)
    rows: list[list[Text]] = [
        [one["at"], said(one["who"]), said(one["verb"]), said(one["case"]), said(_place(one), "dim")] for one in looks
    ]
    sheet.grid([(words(f"col.{key}"), "l") for key in ("when", "who", "verb", "case", "run")], rows)


def _place(look: dict[str, Any]) -> str:
    setup = f":{look['setup']}" if look["setup"] else ""
    return f"{look['run']}{setup}" + (f" {look['attempt']}" if look["attempt"] else "")


def _next(sheet: Sheet, found: LibraryReport, suite: str, words: Words) -> None:
    moving = any(one.move != "none" for one in found.cases)
    if moving and not found.applied:
        sheet.next(words("next.apply"), f"fairtrial library {shell_word(suite)} --apply")
    elif any(one.library == "regression" or one.to == "regression" for one in found.cases):
        sheet.next(words("next.regression"), f"fairtrial run {shell_word(suite)} --library regression")
    else:
        sheet.next(words("next.batch"), f"fairtrial run {shell_word(suite)}")
