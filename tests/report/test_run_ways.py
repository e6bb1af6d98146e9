"""The tables of what came of failures, and of process findings: what none has is left out, and both languages tell the same."""

from collections.abc import Callable
from typing import Any

from fairtrial.records.report import Noted, Recoveries, RunReport, SetupReport
from fairtrial.report.case_view import trial_sheet
from fairtrial.report.markdown import markdown
from fairtrial.report.run_view import run_sheet
from fairtrial.report.words import Words

Make = Callable[..., Any]


def page(make_report: Make, make_setup: Make, text_of: Make, language: str = "en", **setup: Any) -> str:
    found: SetupReport = make_setup(**setup)
    report: RunReport = make_report(setups={"single": found})
    text: str = text_of(run_sheet(report, Words(language)))
    return text


def test_failures_met_stand_by_what_came_of_them(make_report: Make, make_setup: Make, text_of: Make) -> None:
    found = page(make_report, make_setup, text_of, recoveries=Recoveries(met=4, retried=3, claimed=1, unfired=1))
    assert (
        """Failures of tools, and what came of them
  setup   met  retried  claimed a false success
  single    4        3                        1
  single: 1 planned fault never came; it gives no recovery score
"""
        in found
    )


def test_where_nothing_was_met_there_is_no_table(make_report: Make, make_setup: Make, text_of: Make) -> None:
    assert "Failures of tools" not in page(make_report, make_setup, text_of)
    only = page(make_report, make_setup, text_of, recoveries=Recoveries(unfired=2))
    assert "2 planned faults never came; they give no recovery score" in only and "retried" not in only


def test_process_findings_stand_by_name_in_both_languages(make_report: Make, make_setup: Make, text_of: Make) -> None:
    noted: dict[str, Any] = {"process": {"useless_repeat": Noted(trials=2, times=5), "unverified_write": Noted(trials=1, times=1)}}
    found = page(make_report, make_setup, text_of, **noted)
    assert (
        """Process findings  they decide nothing by themselves
  setup   finding                      trials  times
  single  same call again for nothing       2      5
  single  wrote and did not look            1      1
"""
        in found
    )
    chinese = page(make_report, make_setup, text_of, "zh", **noted)
    assert "过程发现  本身不影响判决" in chinese and "重复了无用的调用" in chinese and "写入后没有核对" in chinese


def test_a_page_of_markdown_has_both_tables(make_report: Make, make_setup: Make) -> None:
    setup = make_setup(recoveries=Recoveries(met=1, went_on=1), process={"went_on": Noted(trials=1, times=1)})
    text = markdown(run_sheet(make_report(setups={"single": setup}), Words()))
    assert "| setup | met | went on with bad data |" in text and "| <code>single</code> | went on when enough was known | 1 | 1 |" in text


def test_the_page_of_a_trial_shows_spans_and_mends(text_of: Make) -> None:
    trial = {
        "case": "c", "setup": "s", "attempt": 1, "ending": "finished", "verdict": "PASS", "output": 1,
        "recoveries": {"met": 1, "handled": 0, "unfired": 0, "how": [{"fault": "stale", "tool": "read", "span": "4", "how": "went_on"}]},
        "process": [{"name": "limit_ignored", "spans": ["2", "5"], "why": "pay was refused (span 2) and called once more"},
                    {"name": "of_later", "why": "\x1b[31mred"}],
    }  # fmt: skip
    found = text_of(trial_sheet("r", trial, Words()))
    assert "Failures of tools it met\n  read stale: went on with bad data  span 4\n" in found
    assert "  ignored a limit it was told  span 2, 5\n    pay was refused (span 2) and called once more\n    mend: have a refusal" in found
    assert "of_later" in found and "\x1b" not in found
