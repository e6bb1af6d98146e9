"""What each role of a team earns: one table a way of changing it, pairs, Shapley values, and the sentence.

Reads the decided object and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.compare_view import bounds, signed
from fairtrial.report.numbers import MISSING, duration, money, percent, points, probability, whole
from fairtrial.report.run_tables import interval
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.credit import Credit, Effect
    from fairtrial.report.words import Words

TONES = {"essential": "good", "harmful": "bad", "helps": "good", "hurts": "bad", "cannot_tell": "unsure"}
KINDS = (("remove", "removed"), ("replace", "replaced"), ("mend", "mended"))


def credit_sheet(found: Credit, words: Words) -> Sheet:
    """The page of one credit."""
    sheet = Sheet()
    sheet.head(words("credit.title"), f"{found.suite} · {found.setup}")
    _size(sheet, found, words)
    if found.status != "planned":
        _tables(sheet, found, words)
        _shares(sheet, found, words)
    for note in found.notes:
        sheet.line(Part(f"{words('note')}: ", "unsure"), said(words.echo(note)))
    sheet.head(words("credit.verdict"))
    sheet.line(said(words.echo(found.says)), indent=2)
    if found.command:
        sheet.next(words(_lead(found.command)), found.command)
    return sheet


def _lead(command: str) -> str:
    """What stands before the command to type."""
    verbs = {"gate": "next.gate", "compare": "next.compare", "show": "next.show", "plan": "next.plan"}
    return verbs.get(command.split()[1], "next.credit")


def _size(sheet: Sheet, found: Credit, words: Words) -> None:
    counts = {name: whole(found.trials.get(name, 0)) for name in ("planned", "reused", "run")}
    if found.status == "planned":
        sheet.line(words("credit.planned", **counts, pairs=whole(found.trials.get("pairs_at_most", 0))))
        reason = found.reasons.get("price_usd", "")
        price = Part(words("credit.price", price=money(found.price_usd)))
        sheet.line(*((price,) if found.price_usd is not None else (price, said(f" ({words.echo(reason)})", "dim"))))
        return
    rate = found.whole["success_rate"]
    cases = {"cases": whole(found.cases), "attempts": whole(found.attempts)}
    sheet.line(words("credit.whole", setup=found.setup, rate=percent(rate.value), interval=interval(rate), **cases))
    sheet.line(Part(words("credit.trials", **counts, left=whole(found.trials["not_run"])), "dim"))


def _tables(sheet: Sheet, found: Credit, words: Words) -> None:
    for kind, field in KINDS:
        effects = [effect for role in found.roles if (effect := getattr(role, field)) is not None]
        if effects:
            _table(sheet, effects, words, (f"credit.kind.{kind}", f"credit.aside.{kind}"))
    if found.pairs:
        _table(sheet, found.pairs, words, ("credit.pairs", "credit.pairs.aside"))
    if any(role.reading == "no_effect" for role in found.roles):
        sheet.line(Part(words("credit.near", value=points(found.near).lstrip("+")), "dim"))


def _table(sheet: Sheet, effects: Sequence[Effect], words: Words, heads: tuple[str, str]) -> None:
    title, aside = heads
    sheet.head(words(title), words(aside))
    columns = [("role", "l"), ("effect", "r"), ("interval", "r"), ("p_holm", "r"), ("shows", "r"), ("role_cost", "r"), ("role_time", "r")]
    rows = [_row(effect, words, pair=title == "credit.pairs") for effect in effects if effect.tried]
    sheet.grid([*((words(f"col.{key}"), side) for key, side in columns), (words("col.reading"), "l")], rows)
    _whys(sheet, effects, words)
    for effect in effects:
        _notes(sheet, effect, words)


def _row(effect: Effect, words: Words, *, pair: bool) -> list[Text]:
    moved = effect.difference
    word = "needed_together" if pair and effect.reading == "essential" else effect.reading
    return [
        said(" + ".join(effect.roles), "strong"),
        points(None if moved is None else moved.value),
        bounds(None if moved is None else moved.low, None if moved is None else moved.high),
        "1" if effect.p_holm is not None and effect.p_holm > 0.9995 else probability(effect.p_holm).removeprefix("= "),
        points(effect.detectable).lstrip("+"),
        signed((effect.cost_usd or {}).get("value"), money),
        signed((effect.latency_ms or {}).get("value"), duration),
        Part(_reading(effect, word, words), TONES.get(effect.reading, "")),
    ]


def _reading(effect: Effect, word: str, words: Words) -> str:
    """The word, with where it leans; no effect never without what is not ruled out."""
    if effect.leaning:
        return words(f"credit.likely.{effect.leaning}")
    moved = effect.difference
    if effect.reading == "no_effect" and moved is not None and moved.low is not None:
        return words("credit.open", value=points(-moved.low).lstrip("+"))
    return words.known(f"reading.{word}", word)


def _whys(sheet: Sheet, effects: Sequence[Effect], words: Words) -> None:
    """Why changes were not tried or cannot be told, those with the same reason in one line."""
    for tried, lead in ((False, words("credit.not_tried")), (True, words("reading.cannot_tell"))):
        whys: dict[str, list[str]] = {}
        for effect in effects:
            if effect.tried is tried and effect.why:
                whys.setdefault(effect.why, []).append(" + ".join(effect.roles))
        for why, roles in whys.items():
            sheet.line(Part(f"{lead} ", "unsure"), said(f"{', '.join(roles)}: ", "dim"), said(words.echo(why), "dim"), indent=2)


def _notes(sheet: Sheet, effect: Effect, words: Words) -> None:
    """What a change took away besides the role, and what else came of it."""
    role = " + ".join(effect.roles)
    if effect.information == "removed":
        lost = words.echo("; ".join(effect.lost))
        lead = Part(f"{words('credit.information.removed')}: ", "unsure")
        sheet.line(said(f"{role}: ", "dim"), lead, said(lost, "dim"), indent=2)
    if effect.information == "unknown" and effect.tried:
        sheet.line(said(f"{role}: ", "dim"), Part(words("credit.information.unknown"), "dim"), indent=2)
    if effect.new_severe:
        shown = ", ".join(effect.new_severe[:8])
        sheet.line(said(f"{role}: ", "dim"), said(words("credit.severe", cases=shown), "bad"), indent=2)
    if effect.not_applicable:
        sheet.line(said(f"{role}: ", "dim"), Part(words("credit.na", n=whole(effect.not_applicable)), "dim"), indent=2)


def _shares(sheet: Sheet, found: Credit, words: Words) -> None:
    held = found.coalitions
    if held is None:
        return
    told = {"n": whole(held["n"]), "cases": whole(held["cases"]), "none": percent(held["none"]), "all": percent(held["all"])}
    sheet.head(words("credit.shapley"), words("credit.shapley.aside", **told))
    if held["reason"]:
        sheet.line(Part(f"{MISSING} ", "dim"), said(words.echo(held["reason"]), "dim"))
    rows: list[list[Text]] = [
        [said(role.role, "strong"), points(role.share["value"]), bounds(role.share["low"], role.share["high"])]
        for role in found.roles
        if role.share is not None
    ]
    sheet.grid([(words("col.role"), "l"), (words("col.effect"), "r"), (words("col.interval"), "r")], rows)
