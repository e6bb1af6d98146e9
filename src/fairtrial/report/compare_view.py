"""Two runs or setups side by side: what changed case by case, how sure the difference is, and one plain verdict.

Reads the decided comparison and nothing else. Kept out: lift over three setups (`lift_view.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fairtrial.report.excerpt import value_text
from fairtrial.report.numbers import MISSING, detect, duration, figure, money, percent, points, probability, whole
from fairtrial.report.run_tables import interval
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairtrial.records.report import Comparison
    from fairtrial.report.words import Words

VERDICT_TONES = {"better": "good", "not_worse": "good", "worse": "bad", "cannot_tell": "unsure", "invalid": "bad"}
DECIDED = ("better", "worse")
"""Verdicts of a part of the suite that are worth a line unasked."""
MOST_CASES = 12
"""Case ids named in one line; `--json` has them all."""
FLIPS = (("fixed", "good"), ("broken", "bad"), ("improved", "good"), ("declined", "bad"), ("unknown", "unsure"), ("new_severe", "bad"))


def comparison_sheet(found: Comparison, words: Words, *, slices: bool = False, last: bool = True) -> Sheet:
    """The page of one comparison. `slices` shows every part of the suite, not only those that differ; `last` what to type next."""
    sheet = Sheet()
    sheet.line(said(found.base, "strong"), "  →  ", said(found.new, "strong"), "   ", words("pairs", n=whole(found.pairs)))
    verdict = Part(words.known(f"verdict.{found.verdict}", found.verdict), VERDICT_TONES.get(found.verdict, ""))
    sheet.line(verdict, ": ", said(words.echo(found.says)))
    _differs(sheet, found, words)
    _sides(sheet, found, words)
    _flips(sheet, found, words)
    _sure(sheet, found, words)
    _use(sheet, found, words)
    _slices(sheet, [part for part in found.slices if slices or part["verdict"] in DECIDED], words)
    if last:
        _next(sheet, found, words)
    return sheet


def _differs(sheet: Sheet, found: Comparison, words: Words) -> None:
    """What differs between the sides besides the answers, what one side does not know, and which cases were left out."""
    values = found.comparable.get("values") or {}
    for note in found.notes:
        sheet.line(Part(f"{words('note')}: ", "unsure"), said(words.echo(note)))
    for key, tone in (("refused", "bad"), ("carried", "unsure")):
        for sentence in found.comparable.get(key) or []:
            sheet.line(Part(f"{words(key)}: ", tone), said(sentence))
    for key in ("differs", "unknown"):
        fields = found.comparable.get(key) or []
        silent = [field for field in fields if not any(side is not None for side in (values.get(field) or {}).values())]
        for field in fields:
            if field not in silent:
                pair = " → ".join(value_text(values[field].get(side), 60) for side in ("base", "new"))
                sheet.line(Part(f"{words(f'comparable.{key}')}: ", "dim"), said(f"{field} {pair}"))
        if silent:
            sheet.line(Part(f"{words(f'comparable.{key}')}: ", "dim"), said(", ".join(silent), "dim"))
    for key, cases in (("only_base", found.only_base), ("only_new", found.only_new), ("changed", found.changed)):
        if cases:
            sheet.line(Part(f"{words(f'left_out.{key}')} ({whole(len(cases))}): ", "unsure"), said(named(cases)))


def _sides(sheet: Sheet, found: Comparison, words: Words) -> None:
    """What each side came to on the shared cases: planned = pass + fail + unknown + not run."""
    rows: list[list[Text]] = []
    for name, side in found.sides.items():
        rate = side["success_rate"]
        counts = [whole(side[key]) for key in ("planned", "pass", "fail", "unknown", "not_run")]
        severe = Part(whole(side["severe"]), "bad" if side["severe"] else "")
        rows.append([words(f"col.{name}"), *counts, percent(rate.value), interval(rate), severe])
    if rows:
        heads = ("planned", "pass", "fail", "unknown", "not_run", "success", "interval", "severe")
        sheet.head(words("sides.title"))
        sheet.grid([("", "l"), *((words(f"col.{key}"), "r") for key in heads)], rows)


def named(cases: Sequence[str], most: int = MOST_CASES) -> str:
    """Case ids in one line, the first of many."""
    rest = len(cases) - most
    return ", ".join(cases[:most]) + (f" … (+{rest:,})" if rest > 0 else "")


def _flips(sheet: Sheet, found: Comparison, words: Words) -> None:
    sheet.head(words("flips.title"))
    rows: list[list[Text]] = []
    for name, tone in FLIPS:
        cases: list[str] = getattr(found, name)
        rows.append([words(f"flip.{name}"), Part(whole(len(cases)), tone if cases else "dim"), said(named(cases))])
    rows.append([words("flip.unchanged_pass"), whole(found.unchanged_pass), ""])
    rows.append([words("flip.unchanged_fail"), whole(found.unchanged_fail), ""])
    sheet.grid([("", "l"), (words("col.cases"), "r"), (words("col.which"), "l")], rows)


def _sure(sheet: Sheet, found: Comparison, words: Words) -> None:
    sheet.head(words("difference.title"), words.echo(found.difference.method))
    difference = found.difference
    sheet.line(
        words("difference.line", value=points(difference.value), interval=bounds(difference.low, difference.high), n=whole(difference.n)),
        *([f"   p {probability(found.p_value)}"] if found.p_value is not None else []),
        *([Part(f"   {words.echo(found.test)}", "dim")] if found.test else []),
        indent=2,
    )
    if found.p_holm is not None:
        sheet.line(words("p_holm", p=probability(found.p_holm)), indent=2)
    if found.margin is not None:
        told = words("margin", value=points(found.margin).lstrip("+"), low=points(found.difference.low))
        sheet.line(told, indent=2)
    if any(side["unknown"] or side["not_run"] for side in found.sides.values()):
        reach = bounds(difference.worst, difference.best)
        sheet.line(Part(words("difference.bounds", interval=reach), "unsure"), indent=2)
    exact = found.mcnemar or {}
    if exact.get("p_value") is not None:
        text = words("mcnemar", fixed=exact.get("fixed"), broken=exact.get("broken"), p=probability(exact.get("p_value")))
        sheet.line(text, indent=2)
    if found.detectable is not None and found.detectable > 1:
        sheet.line(Part(words("detectable.none"), "dim"), indent=2)
    elif found.detectable is not None:
        sheet.line(Part(words("detectable", value=points(found.detectable).lstrip("+")), "dim"), indent=2)
    for name, reason in found.reasons.items():
        if name.endswith(".difference"):
            continue  # told below, beside the figures of use
        sheet.line(Part(f"{MISSING} {words.known(f'field.{name}', name)}: ", "dim"), said(words.echo(reason), "dim"), indent=2)


def bounds(low: float | None, high: float | None) -> str:
    """`−2.0 … +12.0` in percentage points."""
    return MISSING if low is None or high is None else f"{points(low)} … {points(high)}"


def _use(sheet: Sheet, found: Comparison, words: Words) -> None:
    """Money, time, tool calls and tokens a trial on both sides, over the shared cases."""
    rows: list[list[Text]] = []
    reasons: list[tuple[str, str]] = []
    for key, field, write in (
        ("cost_trial", found.cost, _money),
        ("latency", found.latency, duration),
        ("tool_calls", found.tool_calls, figure),
    ):
        base, new = ((field.get(side) or {}).get("mean") for side in ("base", "new"))
        rows.append([words(f"col.{key}"), write(base), write(new), *_moved(field, write)])
        if field.get("reason"):
            reasons.append((words(f"col.{key}"), str(field["reason"])))
    tokens = found.tokens
    rows.append([words("col.tokens"), *(_tokens(tokens.get(side)) for side in ("base", "new")), *_moved(tokens, figure)])
    if tokens.get("reason"):
        reasons.append((words("col.tokens"), str(tokens["reason"])))
    sheet.head(words("use.title"))
    heads = [(words(f"col.{key}"), "r") for key in ("base", "new", "difference", "interval")]
    sheet.grid([("", "l"), *heads], rows)
    for told in dict.fromkeys(reason for _, reason in reasons):
        labels = ", ".join(label for label, reason in reasons if reason == told)
        sheet.line(Part(f"{MISSING} {labels}: ", "dim"), said(words.echo(told), "dim"), indent=2)


def _moved(field: dict[str, Any], write: Callable[[Any], str]) -> list[str]:
    found = field.get("difference") or {}
    low, high = found.get("low"), found.get("high")
    span = MISSING if low is None or high is None else f"{signed(low, write)} … {signed(high, write)}"
    return [signed(found.get("value"), write), span]


def signed(value: Any, write: Callable[[Any], str]) -> str:
    """A difference with its sign in front of its unit."""
    if value is None:
        return MISSING
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{write(abs(value))}"


def _money(value: Any) -> str:
    return MISSING if value is None else money(Decimal(str(value)))


def _tokens(side: Any) -> str:
    """Input and output tokens a trial, to the whole token."""
    used = (side or {}).get("mean")
    return MISSING if used is None else f"{whole(round(used['input']))} / {whole(round(used['output']))}"


def _slices(sheet: Sheet, slices: list[dict[str, Any]], words: Words) -> None:
    """The difference in every part of the suite, p corrected for how many were looked at."""
    rows: list[list[Text]] = []
    for part in slices:
        moved = part["difference"]
        label = str(part["label"])
        rows.append(
            [
                words.known(f"label.{label}", label),
                said(part["value"]),
                whole(part["pairs"]),
                percent(part["base"]),
                percent(part["new"]),
                points(moved["value"]),
                bounds(moved["low"], moved["high"]),
                probability(part.get("p_holm")).removeprefix("= "),
            ]
        )
    if rows:
        sheet.head(words("slices.title"), words("slices.holm"))
        heads = [(words(f"col.{key}"), "r") for key in ("pairs", "base", "new", "points", "interval", "p")]
        sheet.grid([(words("col.label"), "l"), (words("col.value"), "l"), *heads], rows)


def _next(sheet: Sheet, found: Comparison, words: Words) -> None:
    """What the sentence leads to: how many cases would tell where it cannot, else what was lost, else the new side."""
    lost = found.broken or found.declined
    base, new = shell_word(found.base), shell_word(found.new)
    if found.new_severe:
        sheet.next(words("next.lost"), f"fairtrial show {new} {shell_word(found.new_severe[0])}")
    elif found.verdict == "cannot_tell" and not any(side["unknown"] or side["not_run"] for side in found.sides.values()):
        sheet.next(words("next.plan"), f"fairtrial plan --run {base} --run {new} --detect {detect(found.difference.value)}")
    elif lost:
        sheet.next(words("next.lost"), f"fairtrial show {new} {shell_word(lost[0])}")
    else:
        sheet.next(words("next.show"), f"fairtrial show {new}")
