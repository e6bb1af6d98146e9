"""A judge's exam on one page: the figures, the bar, what it caught, where it differs from people, and what is in no figure.

Reads the decided exam and nothing else.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from fairtrial.records.exam import NO_VERDICT
from fairtrial.report.numbers import MISSING, apart, percent, points, whole
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.exam import Exam, Figure
    from fairtrial.report.words import Words

COEFFICIENTS = ("kappa", "fleiss_kappa", "alpha")
"""Figures from -1 to 1; all others are shares."""
OF_LABEL = ("precision", "recall", "specificity", "f1")
WIDEST = 12
"""Labels up to which the table of truth and word is drawn."""
MOST_LINES = 10
ASIDE = ("ties", "unknown", "no_truth", "no_judge", "earlier", "changed", "gaps", "other_version", "settles_nothing")


def exam_sheet(exam: Exam, words: Words, file: str, bar: str | None = None) -> Sheet:
    """The page of one exam. `file` is what was typed."""
    sheet = Sheet()
    sheet.line(said(words.echo(exam.says), "strong"))
    _figures(sheet, exam, words)
    _bar(sheet, exam, words)
    _severity(sheet, exam, words)
    _confusion(sheet, exam, words)
    _labels(sheet, exam, words)
    _under(sheet, exam, words)
    _probes(sheet, exam, words)
    _leniency(sheet, exam, words)
    _raters(sheet, exam, words)
    _slices(sheet, exam, words)
    _aside(sheet, exam, words)
    _next(sheet, exam, words, (file, bar))
    return sheet


def coefficient(value: float | None) -> str:
    """A kappa to three decimals; it never shows as 0 or 1 where it is neither."""
    return MISSING if value is None else apart(value, [0, 1], 3).replace("-", "−")


def _shown(name: str, found: Figure) -> tuple[str, str]:
    """(value, interval) as text."""
    if name in COEFFICIENTS:
        ends = MISSING if found.low is None else f"{coefficient(found.low)} … {coefficient(found.high)}"
        return coefficient(found.value), ends
    return percent(found.value), MISSING if found.low is None else f"{percent(found.low)} … {percent(found.high)}"


def _figures(sheet: Sheet, exam: Exam, words: Words) -> None:
    truth = words("exam.people") if exam.truth == "human" else exam.truth
    sheet.head(words("exam.figures", truth=truth), words("exam.figures.aside"))
    own: dict[str, Figure] = {"agreement": exam.agreement, "kappa": exam.kappa}
    if exam.positive is not None:
        own |= {name: getattr(exam, name) for name in OF_LABEL}
    if exam.positive is None or len(exam.labels) > 2:
        own |= {name: found for name, found in exam.intervals.items() if name.startswith("macro_")}
    if len(exam.raters) > 0:
        own |= {name: exam.intervals[name] for name in ("fleiss_kappa", "alpha")}
    lines: list[list[Text]] = []
    for name, found in own.items():
        value, interval = _shown(name, found)
        key = words(f"exam.{name}", label=exam.positive or "")
        lines.append([key, Part(value, "strong"), interval, whole(found.n), whole(found.clusters)])
    heads = (("figure", "l"), ("value", "r"), ("interval", "r"), ("items", "r"), ("groups", "r"))
    sheet.grid([(words(f"exam.{key}"), side) for key, side in heads], lines)
    for name, found in own.items():
        if found.value is None and found.reason:
            told = f"{words(f'exam.{name}', label=exam.positive or '')}: {words.echo(found.reason)}"
            sheet.line(Part(f"{MISSING} ", "dim"), said(told, "dim"), indent=2)


def _bar(sheet: Sheet, exam: Exam, words: Words) -> None:
    if not exam.bar:
        return
    sheet.head(words("exam.bar"), words("exam.bar.aside"))
    lines: list[list[Text]] = []
    for row in exam.bar:
        seen = MISSING if row.value is None else apart(row.value, [Decimal(row.least), 0, 1], 3).replace("-", "−")
        result = Part(words("exam.met" if row.met else "exam.missed"), "good" if row.met else "bad")
        lines.append([said(row.figure), said(row.least), Part(seen, "strong"), result, said(words.echo(row.why), "dim")])
    heads = (("figure", "l"), ("least", "r"), ("value", "r"), ("said", "l"))
    sheet.grid([*((words(f"exam.{key}"), side) for key, side in heads), ("", "l")], lines)


def _severity(sheet: Sheet, exam: Exam, words: Words) -> None:
    if not exam.by_severity or exam.positive is None:
        return
    sheet.head(words("exam.severity"), words("exam.severity.aside"))
    lines: list[list[Text]] = []
    for name, part in exam.by_severity.items():
        value, interval = _shown("recall", part.recall)
        lines.append([said(name), f"{whole(part.caught)} / {whole(part.failures)}", Part(value, "strong"), interval, whole(part.n)])
    heads = (("of_severity", "l"), ("caught", "r"), ("rate", "r"), ("interval", "r"), ("items", "r"))
    sheet.grid([(words(f"exam.{key}"), side) for key, side in heads], lines)


def _confusion(sheet: Sheet, exam: Exam, words: Words) -> None:
    if len(exam.labels) > WIDEST:
        return
    sheet.head(words("exam.confusion"), words("exam.confusion.aside"))
    columns = list(dict.fromkeys(word for row in exam.confusion.values() for word in row))
    heads = [words("exam.not_verdict") if word == NO_VERDICT else word for word in columns]
    lines: list[list[Text]] = []
    for truth, row in exam.confusion.items():
        cells: list[Text] = [Part(whole(row.get(word, 0)), "strong" if word == truth else "") for word in columns]
        lines.append([said(truth, "strong"), *cells])
    sheet.grid([(words("exam.truth"), "l"), *((head, "r") for head in heads)], lines)


def _labels(sheet: Sheet, exam: Exam, words: Words) -> None:
    if exam.positive is not None and len(exam.labels) == 2 and not exam.invalid:
        return
    sheet.head(words("exam.labels"))
    lines: list[list[Text]] = []
    for name, found in exam.by_label.items():
        cells: list[Text] = []
        for figure in (found.precision, found.recall, found.f1):
            cells += [Part(percent(figure.value), "strong"), _shown("", figure)[1]]
        lines.append([said(name), whole(found.truth), *cells])
    heads = [("label", "l"), ("items", "r"), ("precision.short", "r"), ("interval", "r"), ("rate", "r"), ("interval", "r")]
    heads += [("f1.short", "r"), ("interval", "r")]
    sheet.grid([(words(f"exam.{key}"), side) for key, side in heads], lines)


def _under(sheet: Sheet, exam: Exam, words: Words) -> None:
    if not exam.invalid:
        sheet.line()
        sheet.line(Part(words("exam.all_verdicts", rule=words(f"exam.rule.{exam.rule}")), "dim"))
        return
    sheet.head(words("exam.under", n=whole(exam.invalid)), words("exam.under.aside", rule=words(f"exam.rule.{exam.rule}")))
    lines: list[list[Text]] = []
    for rule, found in exam.under.items():
        chosen = "strong" if rule == exam.rule else ""
        macro = found.macro.f1 if exam.positive is None else found.specificity.value
        agreement, kappa = _shown("agreement", found.agreement), _shown("kappa", found.kappa)
        lines.append([Part(words(f"exam.rule.{rule}"), chosen), whole(found.n), *agreement, *kappa, percent(macro)])
    last = "macro_f1" if exam.positive is None else "specificity"
    heads = [("rule", "l"), ("items", "r"), ("agreement", "r"), ("interval", "r"), ("kappa.short", "r"), ("interval", "r"), (last, "r")]
    sheet.grid([(words(f"exam.{key}", label=exam.positive or ""), side) for key, side in heads], lines)
    for rule, found in exam.under.items():
        if found.agreement.value is None:
            told = f"{words(f'exam.rule.{rule}')}: {words.echo(found.agreement.reason or '')}"
            sheet.line(Part(f"{MISSING} ", "dim"), said(told, "dim"), indent=2)


def _probes(sheet: Sheet, exam: Exam, words: Words) -> None:
    if not exam.probes:
        return
    sheet.head(words("exam.probes"), words("exam.probes.aside"))
    lines: list[list[Text]] = []
    for row in exam.probes:
        name = words.known(f"exam.probe.{row.probe}", row.probe)
        value, interval = _shown("", row.flips)
        ways = f"{whole(row.to_positive)} / {whole(row.to_negative)}"
        lines.append([said(name), whole(row.asked), whole(row.unusable), Part(value, "strong"), interval, ways])
    heads = (("probe", "l"), ("items", "r"), ("unusable", "r"), ("flips", "r"), ("interval", "r"), ("ways", "r"))
    sheet.grid([(words(f"exam.{key}"), side) for key, side in heads], lines)
    for row in exam.probes:
        if row.why:
            told = f"{words.known(f'exam.probe.{row.probe}', row.probe)}: {words.echo(row.why)}"
            sheet.line(Part(f"{MISSING} ", "dim"), said(told, "dim"), indent=2)


def _leniency(sheet: Sheet, exam: Exam, words: Words) -> None:
    if exam.leniency is None:
        return
    found = exam.leniency
    sheet.head(words("exam.leniency"), words("exam.leniency.aside"))
    rows: list[list[Text]] = []
    for key, figure in (("own", found.own), ("others", found.others)):
        value, interval = _shown("", figure)
        rows.append([words(f"exam.leniency.{key}", family=found.family), Part(value, "strong"), interval, whole(figure.n)])
    gap = found.difference
    ends = MISSING if gap.low is None else f"{points(gap.low)} … {points(gap.high)}"
    rows.append([words("exam.leniency.gap"), Part(points(gap.value), "strong"), ends, ""])
    heads = (("figure", "l"), ("value", "r"), ("interval", "r"), ("items", "r"))
    sheet.grid([(words(f"exam.{key}"), side) for key, side in heads], rows)


def _raters(sheet: Sheet, exam: Exam, words: Words) -> None:
    if not exam.raters:
        return
    sheet.head(words("exam.raters"))
    lines: list[list[Text]] = []
    for name, pair in list(exam.raters.items())[:MOST_LINES]:
        cells = [*_shown("agreement", pair.intervals["agreement"]), *_shown("kappa", pair.intervals["kappa"])]
        lines.append([said(name.replace("|", " | ")), whole(pair.n), *cells])
    heads = [("pair", "l"), ("items", "r"), ("agreement", "r"), ("interval", "r"), ("kappa.short", "r"), ("interval", "r")]
    sheet.grid([(words(f"exam.{key}"), side) for key, side in heads], lines)
    if len(exam.raters) > MOST_LINES:
        sheet.line(Part(words("exam.hidden", n=whole(len(exam.raters) - MOST_LINES)), "dim"), indent=2)


def _slices(sheet: Sheet, exam: Exam, words: Words) -> None:
    if not exam.slices:
        return
    sheet.head(words("exam.slices"))
    binary = exam.positive is not None
    lines: list[list[Text]] = []
    hidden = 0
    for name, values in exam.slices.items():
        largest = sorted(values, key=lambda value: -values[value].n)[:MOST_LINES]
        hidden += len(values) - len(largest)
        for value in sorted(largest):
            part = values[value]
            cells = [*_shown("agreement", part.agreement), coefficient(part.kappa.value)]
            caught = [f"{whole(part.caught)} / {whole(part.failures)}"] if binary else []
            lines.append([said(f"{name}={value}"), whole(part.n), *cells, *caught])
    heads = [("slice", "l"), ("items", "r"), ("agreement", "r"), ("interval", "r"), ("kappa.short", "r")]
    heads += [("caught", "r")] if binary else []
    sheet.grid([(words(f"exam.{key}"), side) for key, side in heads], lines)
    if hidden:
        sheet.line(Part(words("exam.hidden", n=whole(hidden)), "dim"), indent=2)


def _aside(sheet: Sheet, exam: Exam, words: Words) -> None:
    counts = {name: getattr(exam.aside, name) for name in ASIDE}
    for name, count in counts.items():
        if count:
            sheet.line(Part(f"{words('exam.aside')}: ", "dim"), words(f"exam.aside.{name}", n=whole(count)))
    if exam.refused:
        sheet.line(Part(words("exam.refused", n=whole(len(exam.refused))), "bad"))
    for line in exam.refused[:MOST_LINES]:
        sheet.line(said(f"{line.line}: {line.why}", "dim"), indent=2)
    for note in exam.notes:
        sheet.line(Part(f"{MISSING} ", "dim"), said(words.echo(note), "dim"))


def _next(sheet: Sheet, exam: Exam, words: Words, asked: tuple[str, str | None]) -> None:
    file, bar = asked
    command = f"fairtrial judge exam {shell_word(file)} --judge {shell_word(exam.judge)}"
    if exam.kept is False:
        sheet.next(words("exam.next.not_kept"), command)
    elif exam.passes is None:
        sheet.next(words("exam.next.bar"), f"{command} --bar bar.yaml")
    elif exam.passes:
        sheet.next(words("exam.next.met"), "fairtrial grade last")
    else:
        sheet.next(words("exam.next.missed"), f"{command} --bar {shell_word(bar)}" if bar else command)
