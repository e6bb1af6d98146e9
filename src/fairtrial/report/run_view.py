"""One run on one page: what was planned and what became of it, the figures of every setup, what failed, what to type next.

Reads the decided report and nothing else. Kept out: the figures themselves (`study/`), drawing (`terminal.py`, `markdown.py`),
and the parts that fill a table each (`run_tables.py`) or name what failed (`run_failures.py`).
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import msgspec

from fairtrial.report import (
    heldout_view,
    judged_view,
    opinion_view,
    people_tables,
    run_chance,
    run_failures,
    run_tables,
    run_ways,
    tier_tables,
    until_view,
    user_tables,
)
from fairtrial.report.canary_view import canaries
from fairtrial.report.excerpt import excerpt
from fairtrial.report.numbers import percent, whole
from fairtrial.report.sheet import Part, Sheet, Text, said
from fairtrial.study.foreign import TABLES

if TYPE_CHECKING:
    from fairtrial.records.decision import Decision
    from fairtrial.records.report import Comparison, RunReport
    from fairtrial.report.words import Words

RESOURCES = ("files", "environment", "memory", "network", "processes", "modules")
STATUS_TONES = {"complete": "good", "interrupted": "unsure", "incomplete": "unsure", "running": "unsure"}


class Detail(msgspec.Struct, frozen=True):
    """How much of a run to show: at most `failures` failed checks (None: all), and the slices by label on request.

    `suite` is the path that the last line names, where it is known; `brief` leaves out all tables
    but trials and cards, and `last` the last line, where another page follows that tells them. `found` is the candidate against
    the baseline and `decision` what a policy made of it: the page begins with them.
    """

    failures: int | None = 8
    slices: bool = False
    suite: str = ""
    brief: bool = False
    last: bool = True
    found: Comparison | None = None
    decision: Decision | None = None


def run_sheet(report: RunReport, words: Words, detail: Detail | None = None) -> Sheet:
    """The page of one run."""
    detail = detail or Detail()
    sheet = Sheet()
    _top(sheet, report, words)
    _decided(sheet, detail, words)
    if not detail.brief:
        _walls(sheet, report, words)
    if report.until_decided is not None:
        until_view.until(sheet, report.until_decided, words)
    footnotes = run_tables.Footnotes(words, len(report.setups))
    run_tables.trials(sheet, report, words, footnotes)
    _doubts(sheet, report, words)
    judged_view.judged(sheet, report, words)
    opinion_view.rubrics(sheet, report, words)
    canaries(sheet, report.canaries, words)
    heldout_view.held_out(sheet, report, words)
    tier_tables.tiers(sheet, report, words)
    run_tables.cards(sheet, report, words)
    if not detail.brief:
        run_tables.reliability(sheet, report, words, footnotes)
        run_chance.attempts(sheet, report, words)
        run_tables.cost(sheet, report, words, footnotes)
        run_tables.latency(sheet, report, words, footnotes)
        user_tables.users(sheet, report, words)
        run_tables.care(sheet, report, words, footnotes)
        people_tables.people(sheet, report, words)
        run_ways.recovery(sheet, report, words)
        run_ways.process(sheet, report, words)
        run_chance.chain(sheet, report, words)
    footnotes.cautions(report.setups)
    if detail.slices:
        run_tables.slices(sheet, report, words)
    run_failures.failed(sheet, report, words, detail.failures)
    run_failures.unknown(sheet, report, words, detail.failures)
    footnotes.write(sheet)
    if detail.last:
        _next(sheet, report, words, _suite(report, detail, words))
    return sheet


def plan_sheet(report: RunReport, words: Words, detail: Detail) -> Sheet:
    """The page of a run that was only planned: how many trials of what, and whether the match would be fair."""
    sheet = Sheet()
    _top(sheet, report, words)
    cases = {name: [case.id for case in report.cases if case.setup == name] for name in report.setups}
    sheet.head(words("plan.title"), words("plan.aside"))
    columns = [(words("col.setup"), "l"), (words("col.cases"), "r"), (words("col.planned"), "r"), (words("col.which"), "l")]
    rows: list[list[Text]] = [
        [said(name, "strong"), whole(len(cases[name])), whole(setup.planned), said(excerpt(", ".join(cases[name])))]
        for name, setup in report.setups.items()
    ]
    sheet.grid(columns, rows)
    if report.judging is not None:
        sheet.line(words("judging.planned", calls=whole(report.judging.calls)), indent=2)
    if report.until_decided is not None:
        until_view.until_plan(sheet, report.until_decided, words)
    sheet.next(words("next.run"), f"fairtrial run {shell_word(_suite(report, detail, words))}{_rule(report)}")
    return sheet


def _rule(report: RunReport) -> str:
    """The options that say when to stop, as they can be typed."""
    if report.until_decided is None:
        return ""
    margin = report.until_decided.rule.margin
    return " --until-decided" + ("" if margin is None else f" --margin {margin:g}")


def _top(sheet: Sheet, report: RunReport, words: Words) -> None:
    name = report.suite.get("name", "")
    status = Part(words.known(f"status.{report.status}", report.status), STATUS_TONES.get(report.status, ""))
    version = report.suite.get("version", "")
    sheet.line(said(name, "strong"), "  ", words("run"), " ", said(report.run), "  ", status)
    seed = report.manifest.get("seed")
    parts = [words("suite.version", version=version[:19] or "–")]
    if seed is not None:
        parts.append(words("seed", seed=seed))
    sheet.line(Part("  ".join(parts), "dim"))
    _fairness(sheet, report, words)
    for note in report.notes:
        if note.startswith("unfair match") or (report.status == "planned" and ": not applicable" not in note):
            continue  # told above, difference by difference; or of trials that were never meant to be run
        sheet.line(Part(f"{words('note')}: "), said(words.echo(note)))


def _decided(sheet: Sheet, detail: Detail, words: Words) -> None:
    """What all figures below come to: the decision, and the candidate against the baseline."""
    if detail.decision is not None:
        sheet.line(Part(words.echo(detail.decision.says), "strong"))
    if detail.found is not None and detail.found.verdict != "invalid":
        verdict = Part(words.known(f"verdict.{detail.found.verdict}", detail.found.verdict), "strong")
        sheet.line(verdict, ": ", said(words.echo(detail.found.says)))


def compared(report: RunReport) -> tuple[str, str] | None:
    """The baseline and the candidate of a finished run as RUN:SETUP, where it has both."""
    names = [report.manifest.get(key) for key in ("baseline", "candidate")]
    if report.status != "complete" or names[0] == names[1] or not all(name in report.setups for name in names):
        return None
    return f"{report.run}:{names[0]}", f"{report.run}:{names[1]}"


def _walls(sheet: Sheet, report: RunReport, words: Words) -> None:
    """How far trials were kept apart, resource by resource; nothing where it is not known (an import)."""
    walls = report.manifest.get("settings", {}).get("isolation") or {}
    told = [_wall(name, walls[name], words) for name in RESOURCES if name in walls]
    if told:
        sheet.line(Part(f"{words('isolation', level=walls.get('level', '–'))}: {'; '.join(told)}", "dim"))


def _wall(name: str, value: object, words: Words) -> str:
    how = words(f"isolation.{name}.most", n=value) if isinstance(value, int) else words.known(f"isolation.{value}", str(value))
    return f"{words(f'isolation.{name}')} {how}"


def _fairness(sheet: Sheet, report: RunReport, words: Words) -> None:
    differences = report.fairness.get("differences") or []
    if not report.fairness.get("fair", True):
        sheet.line(Part(words("unfair"), "bad"))
        for difference in differences:
            sheet.line(said(difference, "bad"), indent=2)
    elif len(rivals := _rivals(report)) > 1 and str(report.manifest.get("origin", "run")) != "run":
        sheet.line(Part(words("fair.unknown"), "dim"))
    elif len(rivals) > 1:
        alike = len({frozenset(cases) for cases in rivals.values() if cases}) < 2
        sheet.line(Part(words("fair" if alike else "fair.shared"), "dim"))
        for difference in differences:
            sheet.line(said(difference), indent=2)


def _doubts(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Whatever keeps the success rate from being the whole truth: UNKNOWN, harness endings, trials not run."""
    for name, setup in report.setups.items():
        rate = setup.success_rate
        if setup.unknown and rate.worst is not None and rate.best is not None:
            text = words("bounds", unknown=whole(setup.unknown), worst=percent(rate.worst), best=percent(rate.best))
            sheet.line(said(name), ": ", Part(text, "unsure"))
        if setup.not_run:
            key = "not_run.stopped" if "not_run" in setup.reasons else "not_run"
            sheet.line(said(name), ": ", Part(words(key, n=whole(setup.not_run), planned=whole(setup.planned)), "unsure"))
        others = {ending: count for ending, count in setup.endings.items() if count and ending not in {"finished", "declined"}}
        if others:
            listed = ", ".join(f"{words.known(f'ending.{ending}', ending)} {whole(count)}" for ending, count in others.items())
            sheet.line(said(name), ": ", Part(words("endings", listed=listed), "bad" if setup.errors else ""))


def _next(sheet: Sheet, report: RunReport, words: Words, suite: str) -> None:
    """The one step that helps most: finish, look at the first failure, or compare."""
    run = report.run
    ours = report.manifest.get("origin", "run") == "run"
    if ours and any(setup.not_run and "not_run" not in setup.reasons for setup in report.setups.values()):
        sheet.next(words("next.resume"), f"fairtrial run --resume {run}")
        return
    if report.manifest.get("origin") in TABLES:
        _next_of_table(sheet, report, words)
        return
    closed = set(report.held_out.cases) if report.held_out else set()
    for case in report.cases:
        if "FAIL" in case.verdicts and case.id not in closed:
            place = f"{run}:{case.setup}" if len(report.manifest.get("setups") or report.setups) > 1 else run
            attempt = case.verdicts.index("FAIL") + 1
            sheet.next(words("next.replay"), f"fairtrial replay {shell_word(place)} {shell_word(case.id)} {attempt}")
            return
    names = list(_rivals(report))
    if len(names) > 1:
        sheet.next(words("next.compare"), f"fairtrial compare {shell_word(f'{run}:{names[0]}')} {shell_word(f'{run}:{names[-1]}')}")
    else:
        sheet.next(words("next.again"), f"fairtrial run {shell_word(suite)} --trials 5")


def _next_of_table(sheet: Sheet, report: RunReport, words: Words) -> None:
    """A table has no trial to walk through and no suite to run: two setups side by side, what failed, or what it can show."""
    run, names = report.run, list(report.setups)
    if len(names) > 1:
        first, last = (shell_word(f"{run}:{name}") for name in (names[0], names[-1]))
        sheet.next(words("next.compare"), f"fairtrial compare {first} {last}")
        return
    place = shell_word(f"{run}:{names[0]}" if names and len(report.manifest.get("setups") or ()) > 1 else run)
    if any(setup.fail for setup in report.setups.values()):
        sheet.next(words("next.failures"), f"fairtrial diagnose {place}")
    else:
        sheet.next(words("next.plan"), f"fairtrial plan --run {place} --detect 0.05")


def _rivals(report: RunReport) -> dict[str, set[str]]:
    """The setups that share a case with another, with their cases; all of them where it is not listed who was tried at what."""
    tried: dict[str, set[str]] = {name: set() for name in report.setups}
    for case in report.cases:
        if case.setup in tried:
            tried[case.setup].add(case.id)
    if not all(tried.values()):
        return tried
    return {name: cases for name, cases in tried.items() if any(cases & tried[other] for other in tried if other != name)}


def _suite(report: RunReport, detail: Detail, words: Words) -> str:
    """The suite as it can be typed: as it was given, else where the run found it, from here where that is shorter."""
    return detail.suite or typed(str(report.manifest.get("suite_path") or "")) or words("suite.placeholder")


def typed(path: str) -> str:
    """A path as it is best typed here: from here where that is shorter."""
    near = os.path.relpath(path) if os.path.isabs(path) else path
    return path if near.startswith("..") else near


def shell_word(text: str) -> str:
    """The text as one word of a shell line, quoted only where it must be; what no shell line can hold is left readable."""
    return shlex.quote(text)
