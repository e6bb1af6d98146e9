"""What failed in a run, and what was left UNKNOWN: the check, the evidence, and the next thing to mend.

The same failure of the same check in the same case is told once, with how often. Kept out: one trial in full (`case_view.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.report.excerpt import SHORT, excerpt, value_text
from fairtrial.report.numbers import whole
from fairtrial.report.sheet import Part, Sheet, said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairtrial.records.report import CaseReport, RunReport
    from fairtrial.report.words import Words

LAST_LINES = 6
"""Of what a program printed, on the page of a run."""

Found = tuple["CaseReport", dict[str, Any], list[Any]]
"""A case in a setup, one of its failed or unknown checks, and the attempts it befell."""


def failed(sheet: Sheet, report: RunReport, words: Words, most: int | None) -> None:
    """Failed checks, severe ones first."""
    found = sorted(_grouped((case, case.failed) for case in report.cases), key=lambda one: one[1].get("severity") != "critical")
    if not found:
        return
    kinds: dict[str, int] = {}
    for setup in report.setups.values():
        for kind, count in setup.failure_kinds.items():
            kinds[kind] = kinds.get(kind, 0) + count
    listed = ", ".join(f"{kind} {whole(count)}" for kind, count in sorted(kinds.items(), key=lambda one: (-one[1], one[0])))
    sheet.head(words("failed.title"), listed)
    for one in found[:most]:
        _failure(sheet, words, one)
    _rest(sheet, words, report.run, len(found) - len(found[:most]))


def _failure(sheet: Sheet, words: Words, found: Found) -> None:
    case, check, _ = found
    severity = str(check.get("severity", ""))
    sheet.line(
        said(case.setup, "strong"),
        "  ",
        said(case.id),
        "  ",
        said(check.get("check", ""), "bad"),
        Part(f"  {_attempts(found, words)}", "dim"),
        Part(f"  [{_labels(check, severity, words)}]", "bad" if severity == "critical" else "dim"),
        indent=2,
    )
    if check.get("why"):
        sheet.line(said(excerpt(str(check["why"]), 2 * SHORT)), indent=4)
    evidence(sheet, words, check.get("evidence"), indent=4, lines=LAST_LINES)
    if check.get("fix"):
        sheet.line(Part(f"{words('mend')}: ", "dim"), said(words.mend(str(check["fix"]))), indent=4)


def _attempts(found: Found, words: Words) -> str:
    """In which attempts, the first few of many."""
    attempts = [str(attempt) for attempt in sorted(one for one in found[2] if one is not None)]
    if not attempts:
        return f"×{whole(len(found[2]))}"
    if len(attempts) == 1:
        return words("attempts", n=attempts[0])
    rest = f" … (+{len(attempts) - 5:,})" if len(attempts) > 5 else ""
    return words("attempts.many", listed=", ".join(attempts[:5]) + rest)


def _labels(check: dict[str, Any], severity: str, words: Words) -> str:
    card = str(check.get("card", ""))
    known = (words.known(f"card.{card}", card), words.known(f"severity.{severity}", severity), str(check.get("kind") or ""))
    return " · ".join(label for label in known if label)


def evidence(sheet: Sheet, words: Words, found: dict[str, Any] | None, indent: int, lines: int | None = None) -> None:
    """Where to look, what was expected there and what was seen; of what a program printed the last lines (None: all kept)."""
    if not found:
        return
    seen, printed = _apart(found.get("seen"))
    parts: list[str | Part] = []
    if found.get("span") is not None:
        parts += [Part(f"{words('span')} ", "dim"), said(found["span"]), "  "]
    if found.get("path") is not None:
        parts += [said(found["path"]), "  "]
    if found.get("expected") is not None or seen is not None:
        parts += [Part(f"{words('expected')} ", "dim"), said(value_text(found.get("expected"))), "  "]
        parts += [Part(f"{words('seen')} ", "dim"), said(value_text(seen)), "  "]
    if parts:
        sheet.line(*parts[:-1], indent=indent)
    if printed:
        written = [line for line in printed.split("\n") if line.strip()]
        sheet.verbatim("\n".join(written[-lines if lines else 0 :]), indent=indent + 2)


def _apart(seen: Any) -> tuple[Any, str]:
    """What was seen, and apart from it what a program printed, which is read line by line."""
    if not isinstance(seen, dict) or not isinstance(seen.get("printed"), str) or not seen.keys() <= {"exit", "printed"}:
        return seen, ""
    rest = {name: value for name, value in seen.items() if name != "printed"}
    return rest or None, seen["printed"]


def unknown(sheet: Sheet, report: RunReport, words: Words, most: int | None) -> None:
    """What could not be decided; what the case excuses is only counted."""
    every = _grouped((case, case.unknown) for case in report.cases)
    found = [one for one in every if not one[1].get("excused")]
    excused = sum(len(attempts) for _, check, attempts in every if check.get("excused"))
    if not found and not excused:
        return
    if found:
        sheet.head(words("unknown.title"))
    for one in found[:most]:
        case, check, _ = one
        named = said(check.get("check", ""), "unsure")
        sheet.line(said(case.setup, "strong"), "  ", said(case.id), "  ", named, Part(f"  {_attempts(one, words)}", "dim"), indent=2)
        if check.get("why"):
            sheet.line(said(excerpt(str(check["why"]), 2 * SHORT)), indent=4)
    _rest(sheet, words, report.run, len(found) - len(found[:most]))
    if excused:
        sheet.line(Part(words("unknown.excused", n=whole(excused)), "dim"), indent=2)


def _rest(sheet: Sheet, words: Words, run: str, left: int) -> None:
    if left > 0:
        sheet.line(Part(words("more", n=whole(left)), "dim"), said(f"fairtrial show {run} --all", "dim"), indent=2)


def _grouped(cases: Iterable[tuple[CaseReport, list[dict[str, Any]]]]) -> list[Found]:
    groups: dict[tuple[str, str, str], Found] = {}
    for case, checks in cases:
        for check in checks:
            key = (case.setup, case.id, str(check.get("check", "")))
            groups.setdefault(key, (case, check, []))[2].append(check.get("attempt"))
    return list(groups.values())
