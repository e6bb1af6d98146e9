"""A run as JUnit XML, for CI: a setup is a test suite, a case a test, all its trials together.

A case fails where one of its trials failed; it is an error where the harness spoilt one, and skipped where one is unknown or
was not run: never green unless every planned trial passed. k, rate and interval stand in the properties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from fairtrial.records.text import xml_safe
from fairtrial.records.trial import FATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.report import CaseReport, RunReport, SetupReport
    from fairtrial.records.run import CaseInfo
    from fairtrial.records.trial import TrialHead

    Rows = Iterable[tuple[TrialHead, Scorecard | None]]
    Key = tuple[str, str]


class _Times:
    """What the report of a case does not hold: the time its trials took, and what the harness spoilt."""

    def __init__(self, rows: Rows) -> None:
        self.seconds: dict[Key, float] = {}
        self.faults: dict[Key, list[str]] = {}
        for head, _ in rows:
            key = (head.key.setup, head.key.case)
            self.seconds[key] = self.seconds.get(key, 0.0) + head.wall_ms / 1000
            if FATES[head.ending].fault == "harness":
                self.faults.setdefault(key, []).append(f"trial {head.key.attempt}: {head.ending.value}. {head.note}".strip())


def write(report: RunReport, rows: Rows, cases: Iterable[CaseInfo] = ()) -> str:
    """The whole document. Raises nothing for any text in the run: what XML cannot hold is written as an escape."""
    del cases
    times = _Times(rows)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites" + attributes(name=report.suite.get("name", ""), id=report.run) + ">"]
    for name, setup in report.setups.items():
        tests = [_Test(case, times, setup.reasons.get("not_run", "")) for case in report.cases if case.setup == name]
        lines += _suite(name, setup, tests, _fairness(report))
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"


class _Test:
    """One case of one setup, decided: `state` is passed, failure, error or skipped."""

    def __init__(self, case: CaseReport, times: _Times, why_not_run: str) -> None:
        self.case = case
        key = (case.setup, case.id)
        self.seconds = times.seconds.get(key, 0.0)
        verdicts = case.verdicts
        failed, faults = verdicts.count("FAIL"), times.faults.get(key, [])
        if failed:
            self.state, self.message = "failure", f"{failed} of {len(verdicts)} trials failed: {_checks(case)}"
        elif faults:
            self.state, self.message = "error", f"{len(faults)} of {len(verdicts)} trials were spoilt by the harness: {faults[0]}"
        elif verdicts.count("PASS") < len(verdicts) or not verdicts:
            unknown, missing = verdicts.count("UNKNOWN"), verdicts.count("NOT_RUN")
            why = f" ({why_not_run})" if missing and why_not_run else ""
            self.state, self.message = "skipped", f"{unknown} unknown and {missing} not run{why} of {len(verdicts)} trials{_reasons(case)}"
        else:
            self.state, self.message = "passed", ""

    def lines(self, suite: str) -> Iterator[str]:
        """The test as XML."""
        head = attributes(name=self.case.id, classname=suite, time=f"{self.seconds:.3f}")
        passed = self.case.verdicts.count("PASS")
        yield f"    <testcase{head}>"
        yield from properties("      ", {"k": len(self.case.verdicts), "passed": passed, "verdicts": " ".join(self.case.verdicts)})
        if self.state == "skipped":
            yield f"      <skipped{attributes(message=self.message)}/>"
        elif self.state != "passed":
            yield f"      <{self.state}{attributes(message=self.message, type=self.state)}>{text(_story(self.case))}</{self.state}>"
        yield "    </testcase>"


def _fairness(report: RunReport) -> dict[str, Any]:
    """An unfair match that was carried says so here as well; a fair one says nothing."""
    if report.fairness.get("fair", True):
        return {}
    return {"fair": "false", "unfair": " | ".join(map(str, report.fairness.get("differences") or ()))}


def _suite(name: str, setup: SetupReport, tests: list[_Test], fairness: dict[str, Any]) -> Iterator[str]:
    counts = {state: sum(test.state == state for test in tests) for state in ("failure", "error", "skipped")}
    head = attributes(
        name=name,
        tests=str(len(tests)),
        failures=str(counts["failure"]),
        errors=str(counts["error"]),
        skipped=str(counts["skipped"]),
        time=f"{sum(test.seconds for test in tests):.3f}",
    )
    rate = setup.success_rate
    yield f"  <testsuite{head}>"
    yield from properties(
        "    ",
        {
            "planned": setup.planned,
            "pass": setup.passed,
            "fail": setup.fail,
            "unknown": setup.unknown,
            "not_run": setup.not_run,
            "severe": setup.severe,
            "pass_rate": rate.value,
            "pass_rate_low": rate.low,
            "pass_rate_high": rate.high,
            "pass_rate_method": rate.method,
            **{f"pass^{k}": value for k, value in setup.pass_hat.items()},
            **{f"pass@{k}": value for k, value in setup.pass_at.items()},
            **fairness,
        },
    )
    for test in tests:
        yield from test.lines(name)
    yield "  </testsuite>"


def properties(indent: str, values: dict[str, Any]) -> Iterator[str]:
    """The properties of a test or a suite; None is left out."""
    yield f"{indent}<properties>"
    for name, value in values.items():
        if value is not None:
            yield f"{indent}  <property{attributes(name=name, value=str(value))}/>"
    yield f"{indent}</properties>"


def _checks(case: CaseReport) -> str:
    names = list(dict.fromkeys(str(entry.get("check", "")) for entry in case.failed))
    return ", ".join(names) or ("a held-out case, of which only the verdicts are shown" if case.withheld else "no check is named")


def _reasons(case: CaseReport) -> str:
    whys = [f"{entry.get('check', '')}: {entry.get('why', '')}" for entry in case.unknown if not entry.get("excused")]
    return f"; {whys[0]}" if whys else ""


def _story(case: CaseReport) -> str:
    """Every failed check with its evidence and its mend, one a line."""
    told = []
    for entry in case.failed:
        evidence = {name: value for name, value in (entry.get("evidence") or {}).items() if value is not None}
        where = ", ".join(f"{name} {value}" for name, value in evidence.items())
        parts = [
            f"trial {entry.get('attempt', '?')}: {entry.get('check')} [{entry.get('severity')}]",
            entry.get("why"),
            where,
            entry.get("fix"),
        ]
        told.append(" | ".join(str(part) for part in parts if part))
    return "\n".join(told)


def attributes(**values: str) -> str:
    """Attributes of an element, whatever their text holds."""
    return "".join(f" {name}={quoteattr(xml_safe(value))}" for name, value in values.items())


def text(value: str) -> str:
    """Text inside an element."""
    return escape(xml_safe(value), {"\r": "&#13;"})
