"""Trials as a table for others: `export RUN csv|jsonl`, one row a trial, in the columns that `import` reads.

A planned trial that was not run has a row too, so that no reader of the table takes the rest for the whole. Kept out: the reading
of such tables (`tables.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fairtrial.exchange.tablerow import COLUMNS, LABELS, NOT_RUN, TAG
from fairtrial.records.text import dumps, utf8
from fairtrial.records.trial import Ending
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.report import RunReport
    from fairtrial.records.run import CaseInfo
    from fairtrial.records.trial import TrialHead

    Rows = Iterable[tuple[TrialHead, Scorecard | None]]

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_QUOTED = re.compile('[",\r\n]')
_NO_LINE = re.compile("[\r\n]")
_PASSED = {Verdict.PASS: True, Verdict.FAIL: False, Verdict.UNKNOWN: None}


def write_csv(report: RunReport, rows: Rows, cases: Iterable[CaseInfo] = ()) -> str:
    """The trials of a run as CSV with a header, lines ended by LF. A name that a spreadsheet would run as a formula is
    written with an apostrophe before it, and a line break in a name as a space: one line is one trial."""
    labels = _labels(cases)
    columns = [*COLUMNS, *sorted({name for said in labels.values() for name in said if name.startswith(TAG)})]
    lines = [",".join(map(_cell, columns))]
    lines += [",".join(_cell(record.get(name)) for name in columns) for record in _records(report, rows, labels)]
    return "\n".join(lines) + "\n"


def write_jsonl(report: RunReport, rows: Rows, cases: Iterable[CaseInfo] = ()) -> str:
    """The trials of a run, one JSON object a line. What is not known is left out."""
    records = _records(report, rows, _labels(cases))
    return "".join(dumps({name: value for name, value in record.items() if value is not None}) + "\n" for record in records)


def _labels(cases: Iterable[CaseInfo]) -> dict[str, dict[str, Any]]:
    """Case -> what the table says of it in every row: `cluster` and the columns `tag:NAME`."""
    found = {}
    for case in cases:
        said: dict[str, Any] = {TAG + name: value for name in LABELS if (value := getattr(case.labels, name)) is not None}
        for tag in case.labels.tags:
            name, _, value = tag.partition(":")
            said[TAG + name] = value or "true"
        found[case.id] = said | ({"cluster": case.cluster} if case.cluster else {})
    return found


def _records(report: RunReport, rows: Rows, labels: dict[str, dict[str, Any]]) -> Iterable[dict[str, Any]]:
    for head, card in rows:
        if head.ending is Ending.INTERRUPTED:
            continue  # its slot is empty still, and told below
        verdict = card.verdict if card is not None else Verdict.UNKNOWN
        spend = head.spend
        yield {
            "case": head.key.case,
            "setup": head.key.setup,
            "trial": head.key.attempt,
            "passed": _PASSED[verdict],
            "verdict": verdict.value,
            "cost_usd": format(spend.usd, "f") if spend.usd is not None and spend.usd_complete else None,
            "latency_ms": head.stated_ms if head.stated_ms is not None else head.wall_ms or None,
            "input_tokens": spend.input_tokens if spend.tokens_complete else None,
            "output_tokens": spend.output_tokens if spend.tokens_complete else None,
            "ending": head.ending.value,
            "severe": card.severe if card is not None and _severity_told(report, head.key.setup) else None,
            **labels.get(head.key.case, {}),
        }
    yield from _not_run(report, labels)


def _severity_told(report: RunReport, setup: str) -> bool:
    """Whether a 0 is known to be one."""
    return setup in report.setups and report.setups[setup].severe_upper is not None


def _not_run(report: RunReport, labels: dict[str, dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """The planned trials without a result, which only the report knows."""
    for case in report.cases:
        for attempt, verdict in enumerate(case.verdicts, 1):
            if verdict == "NOT_RUN":
                key = {"case": case.id, "setup": case.setup, "trial": attempt}
                yield {**key, "ending": NOT_RUN, **labels.get(case.id, {})}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    text = _NO_LINE.sub(" ", utf8(value).decode())
    if _FORMULA.match(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
