"""On a run's page: attempts and hand-offs as counted, beside what independence would give.

The line of independence is marked as the assumption it is. Kept out: the other tables of the run (`run_tables.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import MISSING, percent, whole
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.report import RunReport, SetupReport
    from fairtrial.report.words import Words


MOST_TEAMS = 3
"""Up to so many setups with hand-offs all of them are shown."""


def attempts(sheet: Sheet, report: RunReport, words: Words) -> None:
    """pass@k and pass^k counted and by the line, with the sentence on why they differ; left out where nothing was repeated."""
    rows: list[list[Text]] = []
    for name, setup in report.setups.items():
        found = setup.attempts
        if found is not None:
            pairs = (f"{percent(a)} / {percent(b)}" for a, b in ((found.pass_at, found.line_at), (found.pass_hat, found.line_hat)))
            rows.append([said(name, "strong"), whole(found.k), percent(found.rate), *pairs])
    if not rows:
        return
    sheet.head(words("attempts.title"), words("chance.assumption"))
    keys = ("k", "mean_rate", "any_of_k", "all_of_k")
    sheet.grid([(words("col.setup"), "l"), *((words(f"col.{key}"), "r") for key in keys)], rows)
    for name, setup in report.setups.items():
        if setup.attempts is not None and 0.0 < setup.attempts.rate < 1.0:
            sheet.line(said(name), ": ", said(words.echo(setup.attempts.says), "dim"), indent=2)


def chain(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Each hand-off's rate with its interval, the product, and what was really seen of all together.

    Of many teams only hand-offs that were lost or not decided are shown one by one, and the page says so.
    """
    some = sum(bool(setup.chain) for setup in report.setups.values()) > MOST_TEAMS
    rows = [row for name, setup in report.setups.items() for row in _links((name, setup), words, some=some)]
    if not rows:
        return
    sheet.head(words("chain.title"), words("chance.assumption"))
    heads = ("kept", "interval", "n", "unknown_plain")
    sheet.grid([(words("col.setup"), "l"), (words("col.handoff"), "l"), *((words(f"col.{key}"), "r") for key in heads)], rows)
    if some:
        sheet.line(Part(words("chain.some"), "dim"), indent=2)
    else:
        _said(sheet, report, words)


def _links(own: tuple[str, SetupReport], words: Words, *, some: bool) -> Iterator[list[Text]]:
    """A row for each hand-off; where there are several, one for all of them as seen and one for their product."""
    name, setup = own
    for link in setup.chain:
        if some and link.kept == 1.0 and not link.unknown and len(setup.chain) > 1:
            continue
        size = f"{whole(link.n)} / {whole(link.cases)}"
        yield [said(name, "strong"), said(link.handoff), percent(link.kept), _ends(link.low, link.high), size, _unknown(link.unknown)]
    found = setup.chain_whole
    if found is None or len(setup.chain) < 2:
        return
    seen, size = found.joint, f"{whole(found.n)} / {whole(found.cases)}"
    together = Part(words("chain.joint"), "strong")
    yield [said(name, "strong"), together, percent(seen.value), _ends(seen.low, seen.high), size, _unknown(found.unknown)]
    if some and found.product == seen.value:
        return
    ends = _ends(found.product_low, found.product_high)
    yield [said(name, "strong"), words("chain.product"), percent(found.product), ends, MISSING, MISSING]


def _unknown(number: int) -> Part:
    return Part(whole(number), "unsure" if number else "dim")


def _said(sheet: Sheet, report: RunReport, words: Words) -> None:
    long = {name: setup.chain_whole for name, setup in report.setups.items() if len(setup.chain) > 1 and setup.chain_whole is not None}
    for name, found in long.items():
        sheet.line(said(name), ": ", said(words.echo(found.says), "dim"), indent=2)
    for textbook in dict.fromkeys(found.textbook for found in long.values()):
        sheet.line(Part(words.echo(textbook), "dim"), indent=2)


def _ends(low: float | None, high: float | None) -> str:
    return MISSING if low is None or high is None else f"{percent(low).rstrip('%')}–{percent(high)}"
