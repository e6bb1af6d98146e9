"""Short pages: the runs of a store, the findings of a check, what an import brought in, what was written.

Kept out: reports of one run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.report.numbers import whole
from fairtrial.report.run_view import STATUS_TONES, shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fairtrial.records.finding import Finding
    from fairtrial.report.words import Words

MOST_SIDES = 5
"""Versions that the last line names to be compared, at most."""
MOST_REFUSED = 20


def runs_sheet(runs: Sequence[Mapping[str, Any]], words: Words) -> Sheet:
    """The runs of a store, as the objects of `runs --json`, newest first."""
    sheet = Sheet()
    if not runs:
        sheet.line(Part(words("runs.none"), "dim"))
        sheet.next(words("next.first"), f"fairtrial run {words('suite.placeholder')}")
        return sheet
    rows: list[list[Text]] = []
    for run in runs:
        status = str(run["status"])
        counts = [whole(run[key]) for key in ("planned", "pass", "fail", "unknown", "not_run")]
        shown = Part(words.known(f"status.{status}", status), STATUS_TONES.get(status, ""))
        rows.append([said(run["run"], "strong"), said(run["suite"]), shown, said(run["started"] or "–"), *counts])
    sides = [("run", "l"), ("suite", "l"), ("status", "l"), ("started", "l")]
    counted = [(words(f"col.{key}"), "r") for key in ("planned", "pass", "fail", "unknown", "not_run")]
    sheet.grid([*((words(f"col.{key}"), side) for key, side in sides), *counted], rows)
    sheet.next(words("next.show"), f"fairtrial show {shell_word(str(runs[0]['run']))}")
    return sheet


def findings_sheet(suite: str, findings: Iterable[Finding], cases: int, words: Words, notes: Sequence[str] = ()) -> Sheet:
    """What `check` found, findings of one code together; no finding is said as well."""
    sheet = Sheet()
    found = list(findings)
    by_code: dict[str, list[Finding]] = {}
    for finding in found:
        by_code.setdefault(finding.code, []).append(finding)
    for code, group in by_code.items():
        _findings(sheet, code, group, words)
    for note in notes:
        sheet.line(Part(f"{words('note')}: ", "unsure"), said(words.echo(note)))
    if found:
        sheet.line(Part(words("check.found", n=whole(len(found)), cases=whole(cases)), "bad"))
        sheet.next(words("next.recheck"), f"fairtrial check {shell_word(suite)}")
    else:
        sheet.line(Part(words("check.clean", n=whole(cases)), "good"))
        sheet.next(words("next.run"), f"fairtrial run {shell_word(suite)}")
    return sheet


def _findings(sheet: Sheet, code: str, group: Sequence[Finding], words: Words) -> None:
    """What is the same for all of them is said once."""
    if len(group) == 1:
        sheet.line(*_where(group[0]), "  ", said(words.finding(group[0].message), "bad"), Part(f"  [{code}]", "dim"))
        _mend(sheet, group[0].mend, words, indent=4)
        return
    messages, mends = ({getattr(finding, name) for finding in group} for name in ("message", "mend"))
    if len(messages) == 1:
        sheet.line(said(words.finding(group[0].message), "bad"), Part(f"  [{code}] ×{whole(len(group))}", "dim"))
    else:
        sheet.line(Part(code, "bad"), Part(f"  ×{whole(len(group))}", "dim"))
    for finding in group:
        own: list[Text] = ["  ", said(words.finding(finding.message))] if len(messages) > 1 else []
        sheet.line(*_where(finding), *own, indent=2)
        if len(mends) > 1:
            _mend(sheet, finding.mend, words, indent=6)
    if len(mends) == 1:
        _mend(sheet, group[0].mend, words, indent=4)


def _where(finding: Finding) -> list[Text]:
    place = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
    named: list[Text] = ["  ", said(finding.case)] if finding.case else []
    return [said(place, "strong"), *named]


def _mend(sheet: Sheet, mend: str, words: Words, indent: int) -> None:
    if mend:
        sheet.line(Part(f"{words('mend')}: ", "dim"), said(words.finding(mend)), indent=indent)


def import_sheet(done: Mapping[str, Any], words: Words) -> Sheet:
    """What an import brought in, as the object of `import --json`; every refusal with its line."""
    sheet = Sheet()
    runs = [str(run) for run in done.get("runs") or []]
    sheet.line(words("import.done", rows=whole(done.get("rows")), runs=", ".join(runs) or "–"))
    files = done.get("files") or []
    for file in files:
        _brought(sheet, file, words, alone=len(files) == 1)
    refused = done.get("refused") or []
    if refused:
        sheet.line(Part(words("import.refused", n=whole(len(refused))), "bad"))
    for refusal in refused[:MOST_REFUSED]:
        line = refusal.get("line")
        place = refusal.get("file", "") if line is None else f"{refusal.get('file', '')}:{line}"
        sheet.line(said(place, "strong"), "  ", said(refusal.get("why", "")), indent=2)
    if len(refused) > MOST_REFUSED:
        sheet.line(Part(words("more.json", n=whole(len(refused) - MOST_REFUSED)), "dim"), indent=2)
    sides = [side for file in files for side in _sides(file)] or runs
    if 2 <= len(sides) <= MOST_SIDES:
        sheet.next(words("next.compare"), f"fairtrial compare {' '.join(map(shell_word, sides))}")
    elif runs:
        sheet.next(words("next.show"), f"fairtrial show {shell_word(runs[0])}")
    return sheet


def _sides(file: Mapping[str, Any]) -> list[str]:
    """What of a file can be compared: its run, or the setups of it where they are several."""
    run, setups = str(file.get("run") or ""), file.get("setups") or ()
    return [f"{run}:{setup}" for setup in setups] if len(setups) > 1 else [run] if run else []


def _brought(sheet: Sheet, file: Mapping[str, Any], words: Words, *, alone: bool) -> None:
    """Which run a file became, where there are several; and what was in it, where its format counts spans."""
    line: list[Text] = [said(file.get("file", ""))]
    if file.get("run") and not alone:
        line += ["  →  ", said(file["run"], "strong")]
    if file.get("spans") is not None:
        line += [": ", words("import.file", spans=whole(file.get("spans")), traces=whole(file.get("traces")))]
    if len(line) > 1:
        sheet.line(*line, indent=2)


def written_sheet(folder: str, files: Sequence[str], words: Words) -> Sheet:
    """What `init` wrote, and what to do with it."""
    sheet = Sheet()
    sheet.line(words("init.done", n=whole(len(files)), folder=folder))
    for file in files:
        sheet.line(said(file), indent=2)
    sheet.next(words("next.check"), f"fairtrial check {shell_word(files[0])}")
    return sheet
