"""A team's own table, imported and compared: what a user gets in a minute who has never run a trial here."""

from decimal import Decimal
from pathlib import Path

import pytest

from fairtrial import workflow
from fairtrial.records.errors import InputError
from fairtrial.records.report import Comparison
from fairtrial.report.list_view import import_sheet
from fairtrial.report.sheet import Next
from fairtrial.report.words import Words

VERSIONS = (("A", 78, "0.03", 18_000), ("B", 84, "0.12", 55_000), ("C", 82, "0.04", 23_000))
"""The fourth article's three versions of 100 tasks: passed, dollars a task, milliseconds."""


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "store.db")


def bring(store: str, file: Path, lines: list[str], planned: int | None = None) -> str:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = workflow.import_runs(store, file.suffix[1:], [str(file)], planned=planned).run
    assert run is not None
    return run


def test_three_versions_in_one_table_give_the_articles_prices_of_a_success(store: str, tmp_path: Path) -> None:
    rows = [
        f"task-{n:03},{name},1,{'true' if n < passed else 'false'},{usd},{ms}" for name, passed, usd, ms in VERSIONS for n in range(100)
    ]
    run = bring(store, tmp_path / "versions.csv", ["case,setup,trial,passed,cost_usd,latency_ms", *rows])
    found = workflow.compare_versions(store, f"{run}:A", [f"{run}:B", f"{run}:C"])
    assert [round(place.cost_per_success or 0, 4) for place in found.places] == [Decimal("0.0385"), Decimal("0.1429"), Decimal("0.0488")]
    assert [place.label for place in found.places if place.front] == ["A", "B", "C"]
    assert [place.p_holm for place in found.places] == [None, pytest.approx(0.0625), pytest.approx(0.125)]


def test_absent_planned_rows_are_not_run_and_keep_a_claim_from_being_made(store: str, tmp_path: Path) -> None:
    base = bring(store, tmp_path / "old.csv", ["case,passed", *(f"c{n},false" for n in range(40))])
    new = bring(store, tmp_path / "new.jsonl", [f'{{"case": "c{n}", "passed": true}}' for n in range(12)], planned=40)
    found = workflow.compare(store, base, [new])[0]
    assert (found.pairs, len(found.only_new)) == (12, 28)
    assert found.verdict == "better"
    assert "only in base c12, c13, c14, c15, c16 and 23 more, only in new (not named 1)" in found.says
    assert "12 cases paired by id alone, for a side does not tell what the case asks" in found.notes
    assert (found.tool_calls["difference"], found.reasons["tool_calls.difference"]) == (
        None,
        "a table from elsewhere does not tell tool calls",
    )


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_what_was_not_run_comes_back_as_not_run(store: str, tmp_path: Path, form: str) -> None:
    lines = [
        "case,setup,trial,passed,ending",
        "a,x,1,true,",
        "a,x,2,,",
        "a,x,4,false,",
        "b,y,1,,not_run",
        "b,y,2,true,",
        "c,y,1,,interrupted",
    ]
    first = bring(store, tmp_path / "first.csv", lines)
    text = workflow.export(store, first, form)
    again = bring(store, tmp_path / f"again.{form}", text.splitlines())
    counts = [(run.planned, run.passed, run.fail, run.unknown, run.not_run) for run in workflow.runs(store)]
    assert counts == [(7, 2, 1, 1, 3)] * 2
    one, two = (workflow.show_run(store, run) for run in (first, again))
    assert [(case.id, case.setup, case.verdicts) for case in one.cases] == [(case.id, case.setup, case.verdicts) for case in two.cases]


def test_a_row_that_was_not_run_has_no_verdict(store: str, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("case,passed,ending\na,true,\nb,true,not_run\n", encoding="utf-8")
    (refused,) = workflow.import_runs(store, "csv", [str(file)]).refused
    assert refused["why"] == "ending: 'not_run' is no trial that could have a verdict"
    with pytest.raises(InputError, match="no row of the table can be taken"):
        bring(store, tmp_path / "none.csv", ["case,passed,ending", "a,,not_run"])


@pytest.mark.parametrize(("domain", "fixed", "broken", "p_value"), [("airline", 6, 3, 0.5078), ("retail", 6, 6, 1.0)])
def test_two_real_versions_imported_and_compared(store: str, shared: Path, domain: str, fixed: int, broken: int, p_value: float) -> None:
    folder = shared / "data/tau2_versions/runs"
    done = workflow.import_runs(store, "tau", [str(folder / f"{domain}_{side}.json") for side in ("base", "sft")])
    found: Comparison = workflow.compare(store, done.runs[0], [done.runs[1]])[0]
    assert (len(found.fixed), len(found.broken), found.verdict) == (fixed, broken, "cannot_tell")
    assert found.mcnemar["p_value"] == pytest.approx(p_value, abs=5e-5)
    assert found.detectable is not None
    assert found.detectable > 0.1
    assert "would mostly go unseen with this suite" in found.says


@pytest.mark.parametrize(
    ("setups", "command"), [(["old", "new"], "compare r:old r:new"), (["A", "B", "C"], "compare r:A r:B r:C"), (["solo"], "show r")]
)
def test_the_last_line_of_an_import_names_what_can_be_compared(setups: list[str], command: str) -> None:
    done = {"runs": ["r"], "rows": 3, "files": [{"file": "t.csv", "run": "r", "rows": 3, "setups": setups}], "refused": []}
    last = import_sheet(done, Words()).blocks[-1]
    assert isinstance(last, Next)
    assert last.command == f"fairtrial {command}"
