"""The tables of a run's page, one a function: trials, cards, reliability, cost, latency, care, slices.

Each setup is a row, so that what is compared stands in one column. A figure that cannot be had is `–`, and its reason stands
once below the tables. Kept out: what failed (`run_failures.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import MISSING, duration, figure, money, percent, whole
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from decimal import Decimal

    from fairtrial.records.report import CardCount, Latency, Rate, RunReport, SetupReport
    from fairtrial.report.words import Words

CARDS = ("outcome", "coordination", "decision", "process", "recovery", "safety")


CAUTIONS = ("success_rate.interval", "pass_at", "pass_hat", "latency_ms.n")
"""Fields whose reason is told even where there is a figure: it says how far to lean on it."""


class Footnotes:
    """Why figures are missing or to be read with care: each reason once, with the figures and the setups it holds for.

    The setups are named only where the reason holds for some of them.
    """

    def __init__(self, words: Words, setups: int) -> None:
        self._words = words
        self._setups = setups
        self._found: dict[tuple[str, str], list[str]] = {}
        self._marks: dict[tuple[str, str], str] = {}

    def shown(self, text: str, setup: tuple[str, SetupReport], field: str) -> str:
        """`text`, after noting the reason where it stands for a missing figure or a lower bound."""
        name, report = setup
        reason = next((report.reasons[key] for key in (field, field.split(".", maxsplit=1)[0]) if key in report.reasons), "")
        if reason and (text == MISSING or reason.startswith("at least")):
            self._note(MISSING, name, (field, reason))
        return text

    def cautions(self, setups: dict[str, SetupReport]) -> None:
        """Note what must be known beside figures that are there."""
        for name, setup in setups.items():
            for field in CAUTIONS:
                if field in setup.reasons:
                    self._note("!", name, (field, setup.reasons[field]))

    def _note(self, mark: str, setup: str, what: tuple[str, str]) -> None:
        self._marks.setdefault(what, mark)
        names = self._found.setdefault(what, [])
        if setup not in names:
            names.append(setup)

    def write(self, sheet: Sheet) -> None:
        lines: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
        for (field, reason), names in self._found.items():
            label = self._words.known(f"field.{field}", field)
            lines.setdefault((self._marks[field, reason], reason, tuple(names)), []).append(label)
        if lines:
            sheet.head(self._words("footnotes.title"))
        for (mark, reason, some), labels in lines.items():
            labelled = f"{mark} {', '.join(dict.fromkeys(labels))}"
            listed = [Part(" (", "dim"), said(", ".join(some), "dim"), Part(")", "dim")] if len(some) < self._setups else []
            sheet.line(Part(labelled, "dim"), *listed, Part(": ", "dim"), said(self._words.echo(reason), "dim"))


def head(words: Words, *keys: str) -> list[tuple[str, str]]:
    """Column heads: the setup at the left, figures to the right."""
    return [(words("col.setup"), "l"), *((words(f"col.{key}"), "r") for key in keys)]


def _count(number: int, tone: str) -> Part:
    return Part(whole(number), tone if number else "dim")


def _told(text: str, number: int | None, tone: str) -> Text:
    """A count that may be unknown."""
    return Part(text, tone if number else "dim") if number is not None else text


def interval(rate: Rate) -> str:
    """`9.5–90.5%`, or – where there is none."""
    if rate.low is None or rate.high is None:
        return MISSING
    return f"{percent(rate.low).rstrip('%')}–{percent(rate.high)}"


def money_interval(low: Decimal | None, high: Decimal | None) -> str:
    """`$0.05–$0.08`, an open end as ∞, – where there is none."""
    if low is None:
        return MISSING
    return f"{money(low)}–{money(high) if high is not None else '∞'}"


def trials(sheet: Sheet, report: RunReport, words: Words, notes: Footnotes) -> None:
    """planned = pass + fail + unknown + not run, and the success rate with its interval and its n."""
    rows: list[list[Text]] = []
    for name, setup in report.setups.items():
        rate = setup.success_rate
        rows.append(
            [
                said(name, "strong"),
                whole(setup.planned),
                _count(setup.passed, "good"),
                _count(setup.fail, "bad"),
                _count(setup.unknown, "unsure"),
                _count(setup.not_run, "unsure"),
                Part(notes.shown(percent(rate.value), (name, setup), "success_rate"), "strong"),
                interval(rate),
                f"{whole(rate.n)} / {whole(rate.cases)}",
            ]
        )
    methods = sorted({setup.success_rate.method for setup in report.setups.values() if setup.success_rate.method})
    sheet.head(words("trials.title"), words("trials.interval", method="; ".join(map(words.echo, methods))) if methods else "")
    sheet.grid(head(words, "planned", "pass", "fail", "unknown", "not_run", "success", "interval", "n"), rows)


def _card(count: CardCount | None) -> Text:
    if count is None or not (count.passed or count.fail or count.unknown):
        return Part(MISSING, "dim")
    tone = "bad" if count.fail else "unsure" if count.unknown else "good"
    return Part(f"{whole(count.passed)} / {whole(count.fail)} / {whole(count.unknown)}", tone)


def cards(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Each scorecard in its own column; cards that no setup has a check on are left out."""
    shown = [card for card in CARDS if any(_card(setup.cards.get(card)) != Part(MISSING, "dim") for setup in report.setups.values())]
    if not shown:
        return
    sheet.head(words("cards.title"), words("cards.aside"))
    columns = [(words("col.setup"), "l"), *((words(f"card.{card}"), "r") for card in shown)]
    sheet.grid(
        columns, [[said(name, "strong"), *(_card(setup.cards.get(card)) for card in shown)] for name, setup in report.setups.items()]
    )


def _last(estimates: dict[str, float]) -> tuple[str, float | None]:
    """The largest k there is, and its figure."""
    k = max(estimates, key=int, default="")
    return k, estimates.get(k)


def reliability(sheet: Sheet, report: RunReport, words: Words, notes: Footnotes) -> None:
    """What repeated trials show; one line where nothing was repeated."""
    repeated = any(int(_last(setup.pass_hat)[0] or 0) > 1 for setup in report.setups.values())
    sheet.head(words("reliability.title"))
    if not repeated:
        sheet.line(Part(words("reliability.once"), "dim"), indent=2)
        return
    rows: list[list[Text]] = []
    for name, setup in report.setups.items():
        k, at_least_one = _last(setup.pass_at)
        every = _last(setup.pass_hat)[1]
        shape, streak = setup.shape, setup.longest_streak
        own = (name, setup)
        rows.append(
            [
                said(name, "strong"),
                notes.shown(percent(setup.first_try), own, "first_try"),
                f"{percent(at_least_one)} (k={k})" if k else notes.shown(MISSING, own, "pass_at"),
                f"{percent(every)} (k={k})" if k else notes.shown(MISSING, own, "pass_hat"),
                notes.shown(percent(setup.all_trials), own, "all_trials"),
                notes.shown(figure(setup.stability), own, "stability"),
                f"{whole(shape.always)} / {whole(shape.sometimes)} / {whole(shape.never)}",
                f"{streak.min} / {figure(streak.median, 1)} / {streak.max}" if streak else notes.shown(MISSING, own, "longest_streak"),
            ]
        )
    lean(sheet, head(words, "first_try", "pass_at", "pass_hat", "all_trials", "stability", "shape", "streak"), rows)


def cost(sheet: Sheet, report: RunReport, words: Words, notes: Footnotes) -> None:
    """Money and use; a sum with parts of unknown price says `at least`."""
    rows: list[list[Text]] = []
    for name, setup in report.setups.items():
        spent, own = setup.cost_usd, (name, setup)
        floor = "" if spent.complete else f"{words('at_least')} "
        ran = setup.planned - setup.not_run
        tokens_floor = "" if setup.tokens.complete else f"{words('at_least')} "
        used = setup.tokens
        none = used.input is None and used.output is None
        rows.append(
            [
                said(name, "strong"),
                notes.shown(_with(floor, money(spent.mean)), own, "cost_usd.mean"),
                notes.shown(_with(floor, money(spent.per_success)), own, "cost_usd.per_success"),
                notes.shown(_with(floor, money(spent.total)), own, "cost_usd.total"),
                f"{whole(spent.known)} / {whole(ran)}" if spent.known else MISSING,
                notes.shown(MISSING if none else f"{tokens_floor}{whole(used.input)} / {whole(used.output)}", own, "tokens"),
                notes.shown(whole(setup.tool_calls), own, "tool_calls"),
                notes.shown(whole(setup.steps), own, "steps"),
                notes.shown(whole(setup.retries), own, "retries"),
                _told(notes.shown(whole(setup.over_budget), own, "over_budget"), setup.over_budget, "bad"),
            ]
        )
    keys = ("cost_mean", "cost_success", "cost_total", "cost_known", "tokens", "tool_calls", "steps", "retries", "over_budget")
    lean(sheet, head(words, *keys), rows, words("cost.title"))
    for name, setup in report.setups.items():
        _user_cost(sheet, (name, setup), words, notes)


def _user_cost(sheet: Sheet, own: tuple[str, SetupReport], words: Words, notes: Footnotes) -> None:
    """What the simulated user cost, where there was one: never a part of the agent's cost."""
    name, setup = own
    spent = setup.user_cost_usd
    if spent is None:
        return
    floor = "" if spent.complete else f"{words('at_least')} "
    total = notes.shown(_with(floor, money(spent.total)), own, "user_cost_usd.total")
    text = words("cost.user", total=total, known=whole(spent.known), ran=whole(setup.planned - setup.not_run))
    sheet.line(said(name), ": ", text, indent=2)


def _with(prefix: str, text: str) -> str:
    return text if text == MISSING else f"{prefix}{text}"


def latency(sheet: Sheet, report: RunReport, words: Words, notes: Footnotes) -> None:
    """Times a trial; where agents state their own, the measured ones stand below."""
    rows: list[list[Text]] = []
    for name, setup in report.setups.items():
        rows.append(_times((name, setup), setup.latency_ms, words, notes))
        if setup.latency_ms.stated and setup.measured_ms.n:
            rows.append(_times((name, setup), setup.measured_ms, words, notes))
    if all(cell == MISSING for row in rows for cell in row[1:-1]):
        return  # the reason stands below the tables
    sheet.head(words("latency.title"))
    sheet.grid(head(words, "mean", "p50", "p95", "worst", "by"), rows)


def _times(own: tuple[str, SetupReport], times: Latency, words: Words, notes: Footnotes) -> list[Text]:
    values = (times.mean, times.p50, times.p95, times.max)
    shown = [notes.shown(duration(value), own, "latency_ms") for value in values]
    return [said(own[0], "strong"), *shown, words("stated" if times.stated else "measured")]


def care(sheet: Sheet, report: RunReport, words: Words, notes: Footnotes) -> None:
    """Severe failures with what none seen still allows, declining, and how well tools were used."""
    rows: list[list[Text]] = []
    for name, setup in report.setups.items():
        own = (name, setup)
        rows.append(
            [
                said(name, "strong"),
                _told(notes.shown(whole(setup.severe), own, "severe"), setup.severe, "bad"),
                notes.shown(percent(setup.severe_upper), own, "severe_upper"),
                notes.shown(whole(setup.declined), own, "declined"),
                notes.shown(percent(setup.handover_rate), own, "handover_rate"),
                notes.shown(percent(setup.subtasks.rate), own, "subtasks.rate"),
                notes.shown(percent(setup.tool_call_accuracy), own, "tool_call_accuracy"),
                notes.shown(percent(setup.recovery_rate), own, "recovery_rate"),
                notes.shown(percent(setup.step_efficiency), own, "step_efficiency"),
                whole(setup.not_applicable) if setup.not_applicable else MISSING,
            ]
        )
    keys = ("severe", "severe_upper", "declined", "handover", "subtasks", "tool_args", "recovery", "efficiency", "not_applicable")
    lean(sheet, head(words, *keys), rows, words("care.title"))


def lean(sheet: Sheet, columns: list[tuple[str, str]], rows: list[list[Text]], title: str = "") -> None:
    """The grid without the columns in which no setup has a figure; the reason stands below the tables. Its head only where one has."""
    kept = [place for place in range(len(columns)) if any(row[place] != MISSING for row in rows)]
    if title and len(kept) < 2:
        return
    if title:
        sheet.head(title)
    sheet.grid([columns[place] for place in kept], [[row[place] for place in kept] for row in rows])


def slices(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Success by label, with n beside every figure."""
    rows: list[list[Text]] = []
    for name, setup in report.setups.items():
        for label, values in setup.slices.items():
            for value, rate in values.items():
                shown = f"{whole(rate.n)} / {whole(rate.cases)}"
                rows.append(
                    [said(name, "strong"), words.known(f"label.{label}", label), said(value), percent(rate.value), interval(rate), shown]
                )
    sheet.head(words("slices.title"))
    if not rows:
        sheet.line(Part(words("slices.none"), "dim"), indent=2)
    first, *heads = head(words, "success", "interval", "n")
    sheet.grid([first, (words("col.label"), "l"), (words("col.value"), "l"), *heads], rows)
