"""One trial in full, and one case over all its trials.

Reads the public JSON objects of `show RUN CASE [ATTEMPT]`. All that an agent said or a world held is shown as text and cut to
a readable length; the whole is in `--json`. Kept out: the step-by-step walk (`replay.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fairtrial.records.remark import HANDLED, REMARKS
from fairtrial.report.excerpt import value_text
from fairtrial.report.numbers import MISSING, duration, money, whole
from fairtrial.report.opinion_view import opinions
from fairtrial.report.run_failures import evidence
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said
from fairtrial.report.user_tables import dialogue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairtrial.report.words import Words

TONES = {"PASS": "good", "FAIL": "bad", "UNKNOWN": "unsure", "NOT_RUN": "dim"}
LONG = 1_500
"""Characters of an answer shown on its own page."""
MOST_CHANGES = 20
MOST_LINES = 80
MOST_PATCH = 8_000
"""Lines and characters of a diff."""


def trial_sheet(run: str, trial: Mapping[str, Any], words: Words) -> Sheet:
    """The page of one trial."""
    sheet = Sheet()
    case, setup, attempt = str(trial.get("case", "")), str(trial.get("setup", "")), trial.get("attempt", "")
    verdict = str(trial.get("verdict", ""))
    sheet.line(said(case, "strong"), "  ", said(setup), "  ", words("attempt", n=attempt), "  ", Part(verdict, TONES.get(verdict, "")))
    ending = str(trial.get("ending", ""))
    sheet.line(Part(f"{words('ended')}: ", "dim"), words.known(f"ending.{ending}", ending), *_why(trial))
    _noted(sheet, trial, words)
    dialogue(sheet, trial.get("dialogue"), words)
    _figures(sheet, trial, words)
    answer(sheet, trial.get("output"), LONG if trial.get("answered", True) else None, words)
    _changes(sheet, trial, words)
    _cards(sheet, trial.get("cards") or {}, words)
    _grades(sheet, trial.get("grades") or [], words)
    opinions(sheet, trial, words)
    _met(sheet, trial.get("recoveries") or {}, words)
    _process(sheet, trial.get("process") or [], words)
    if trial.get("spans", True):
        sheet.next(words("next.walk"), f"fairtrial replay {setup_of(run, setup)} {shell_word(case)} {attempt}")
    else:
        sheet.next(words("next.failures"), f"fairtrial diagnose {setup_of(run, setup)}")
    return sheet


def _noted(sheet: Sheet, shown: Mapping[str, Any], words: Words) -> None:
    """Of a held-out case: that showing it has been written down."""
    if shown.get("held_out"):
        sheet.line(Part(words("held_out.noted"), "unsure"))


def answer(sheet: Sheet, output: Any, most: int | None, words: Words) -> None:
    """The answer in so many characters; None: there is no answer, which is not the answer null."""
    sheet.head(words("output.title"))
    if most is None:
        sheet.line(Part(words("output.none"), "dim"), indent=2)
    else:
        sheet.verbatim(value_text(output, most), indent=2)


def setup_of(reference: str, setup: str) -> str:
    """RUN:SETUP as one word of a command, whether a run or a setup of it was named before."""
    return shell_word(f"{reference.partition(':')[0]}:{setup}")


def _why(trial: Mapping[str, Any]) -> list[Text]:
    reason = trial.get("failure_reason")
    return [": ", said(reason)] if reason else []


def _figures(sheet: Sheet, trial: Mapping[str, Any], words: Words) -> None:
    tokens = trial.get("tokens") or {}
    tools = trial.get("tools_called") or []
    parts = [
        (words("col.cost_trial"), _cost(trial, words)),
        (words("col.latency"), duration(trial.get("latency_ms"))),
        (words("col.steps"), whole(trial.get("steps"))),
        (words("col.tokens"), f"{whole(tokens.get('input'))} / {whole(tokens.get('output'))}"),
    ]
    line: list[Text] = []
    for label, text in parts:
        line += [Part(f"{label} ", "dim"), f"{text}   "]
    sheet.line(*line)
    if tools:
        times = {name: tools.count(name) for name in dict.fromkeys(tools)}
        named = ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in times.items())
        sheet.line(Part(f"{words('col.tool_calls')} ", "dim"), said(named))


def _cost(trial: Mapping[str, Any], words: Words) -> str:
    """What a trial cost; a sum with a part of unknown price says `at least`."""
    value = trial.get("cost_usd")
    if value is None:
        return MISSING
    floor = "" if trial.get("cost_complete", True) else f"{words('at_least')} "
    return floor + money(Decimal(str(value)))


def _changes(sheet: Sheet, trial: Mapping[str, Any], words: Words) -> None:
    """Of files the diff is shown, of everything else the paths with what stood and stands there."""
    changes, patch = trial.get("changes") or [], str(trial.get("patch") or "")
    sheet.head(words("changes.title"))
    if trial.get("world_note"):
        sheet.line(Part(str(trial["world_note"]), "dim", said=True), indent=2)
    if patch:
        lines = patch[:MOST_PATCH].splitlines()[:MOST_LINES]
        sheet.verbatim("\n".join(lines), indent=2)
        left = patch.count("\n") - len(lines)
        if left > 0:
            sheet.line(Part(words("more.json", n=whole(left)), "dim"), indent=2)
        return
    if not changes:
        sheet.line(Part(words("changes.none"), "dim"), indent=2)
    rows: list[list[Text]] = []
    for change in changes[:MOST_CHANGES]:
        fields = change if isinstance(change, dict) else dict(zip(("path", "kind", "before", "after"), change, strict=False))
        kind = str(fields.get("kind", ""))
        before, after = (said(value_text(fields.get(side), 60)) for side in ("before", "after"))
        rows.append([said(fields.get("path", "")), words.known(f"change.{kind}", kind), before, after])
    sheet.grid([(words(f"col.{key}"), "l") for key in ("path", "change", "before", "after")], rows)
    if len(changes) > MOST_CHANGES:
        sheet.line(Part(words("more.json", n=whole(len(changes) - MOST_CHANGES)), "dim"), indent=2)


def _cards(sheet: Sheet, cards: Mapping[str, Any], words: Words) -> None:
    if not cards:
        return
    sheet.head(words("cards.title"))
    line: list[Text] = []
    for card, verdict in cards.items():
        line += [words.known(f"card.{card}", card), " ", Part(str(verdict), TONES.get(str(verdict), "")), "   "]
    sheet.line(*line[:-1], indent=2)


def _grades(sheet: Sheet, grades: list[dict[str, Any]], words: Words) -> None:
    sheet.head(words("grades.title"))
    order = {"FAIL": 0, "UNKNOWN": 1}
    for grade in sorted(grades, key=lambda grade: order.get(str(grade.get("verdict")), 2)):
        verdict = str(grade.get("verdict", ""))
        labels = [words.known(f"card.{grade.get('card')}", str(grade.get("card", "")))]
        if verdict == "FAIL":
            severity = str(grade.get("severity", "major"))
            labels += [words.known(f"severity.{severity}", severity), str(grade.get("kind") or "")]
        if grade.get("excused"):
            labels.append(words("excused"))
        if grade.get("proof"):
            labels.append(words.known(f"proof.{grade['proof']}", str(grade["proof"])))
        aside = " · ".join(label for label in labels if label)
        sheet.line(Part(f"{verdict:<7}", TONES.get(verdict, "")), "  ", said(grade.get("check", "")), Part(f"  [{aside}]", "dim"), indent=2)
        if grade.get("why"):
            sheet.line(said(grade["why"]), indent=11)
        if verdict != "PASS":
            evidence(sheet, words, grade.get("evidence"), indent=11)
        if grade.get("fix"):
            sheet.line(Part(f"{words('mend')}: ", "dim"), said(words.mend(str(grade["fix"]))), indent=11)


def _met(sheet: Sheet, recoveries: Mapping[str, Any], words: Words) -> None:
    """Each failure of a tool that the trial met, with what came of it."""
    met, unfired = recoveries.get("how") or [], recoveries.get("unfired") or 0
    if not met and not unfired:
        return
    sheet.head(words("met.title"))
    for one in met:
        how = str(one.get("how", ""))
        tone = "good" if how in HANDLED else "unsure" if how == "unknown" else "bad"
        where = Part(f"  {words('span')} {one.get('span', '')}", "dim", said=True)
        sheet.line(
            said(one.get("tool", "")), " ", said(one.get("fault", "")), ": ", Part(words.known(f"how.{how}", how), tone), where, indent=2
        )
    if unfired:
        sheet.line(Part(words("recovery.unfired", n=unfired), "unsure"), indent=2)


def _process(sheet: Sheet, remarks: list[dict[str, Any]], words: Words) -> None:
    """Each process finding, with its spans and the next thing to mend."""
    if not remarks:
        return
    sheet.head(words("process.title"), words("process.aside"))
    for remark in remarks:
        name = str(remark.get("name", ""))
        spans = ", ".join(map(str, remark.get("spans") or []))
        where = Part(f"  {words('span')} {spans}" if spans else "", "dim", said=True)
        sheet.line(Part(words.known(f"remark.{name}", name), "unsure"), where, indent=2)
        sheet.line(said(remark.get("why", "")), indent=4)
        if name in REMARKS:
            sheet.line(Part(f"{words('mend')}: ", "dim"), said(words.mend(REMARKS[name].fix)), indent=4)


def case_sheet(run: str, trials: Sequence[Mapping[str, Any]], words: Words) -> Sheet:
    """The page of one case: each of its trials on a line."""
    sheet = Sheet()
    first = trials[0] if trials else {}
    sheet.line(said(first.get("case", ""), "strong"), "  ", words("run"), " ", said(run))
    _noted(sheet, first, words)
    rows: list[list[Text]] = []
    for trial in trials:
        verdict, ending = str(trial.get("verdict", "")), str(trial.get("ending", ""))
        failed = next((grade.get("check", "") for grade in trial.get("grades") or [] if grade.get("verdict") == "FAIL"), "")
        rows.append(
            [
                said(trial.get("setup", "")),
                str(trial.get("attempt", "")),
                Part(verdict, TONES.get(verdict, "")),
                words.known(f"ending.{ending}", ending),
                _cost(trial, words),
                duration(trial.get("latency_ms")),
                said(failed),
            ]
        )
    sides = zip(("setup", "attempt", "verdict", "ending", "cost_trial", "latency", "first_failed"), "lrllrrl", strict=True)
    sheet.grid([(words(f"col.{key}"), side) for key, side in sides], rows)
    if trials:
        worst = min(trials, key=lambda trial: {"FAIL": 0, "UNKNOWN": 1}.get(str(trial.get("verdict")), 2))
        place = setup_of(run, str(worst.get("setup", "")))
        sheet.next(words("next.trial"), f"fairtrial show {place} {shell_word(str(worst.get('case')))} {worst.get('attempt')}")
    return sheet
