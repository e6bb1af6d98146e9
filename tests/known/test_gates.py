"""Inputs whose decision is known to have been wrong elsewhere: exit codes, dead suites, rounded bars, unequal sets."""

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import main
from fairtrial.records.policy import Gate
from fairtrial.records.strictjson import encode
from fairtrial.release import words
from fairtrial.release.ground import Ground
from fairtrial.release.scored import judge_score
from tests.known.project import write
from tests.release.making import gate, many, policy, side
from tests.study.tables import card

Rows = list[tuple[str, int, str]]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FAIRTRIAL_STORE", raising=False)
    return tmp_path


def bring(name: str, rows: Rows, capfd: pytest.CaptureFixture[str], *more: str) -> str:
    """A table of (case, trial, passed) as a run; its id."""
    text = "case,setup,trial,passed,ending\n"
    text += "".join(f"{case},agent,{trial},{passed},{'' if passed else 'harness_error'}\n" for case, trial, passed in rows)
    Path(f"{name}.csv").write_text(text, encoding="utf-8")
    capfd.readouterr()
    assert main(["import", "csv", f"{name}.csv", "--json", *more]) == 0
    return str(json.loads(capfd.readouterr().out)["run"])


def decided(run: str, gates: list[dict[str, Any]], capfd: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict[str, Any]]:
    Path("release.json").write_bytes(encode({"gates": gates}))
    capfd.readouterr()
    code = main(["gate", run, "--policy", "release.json", "--json", *more])
    return code, json.loads(capfd.readouterr().out)


def known(shared: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "known-faults" / "inputs" / name).read_text(encoding="utf-8"))
    return found


def test_a_failed_gate_ends_1_in_every_form(shared: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = known(shared, "K01_gate_fail.json")
    run = bring("k01", [(row["case"], 1, str(row["passed"]).lower()) for row in told["rows"]], capfd)
    code, found = decided(run, [{"success_rate": "overall", "min": str(told["gate"]["min_pass_rate"])}], capfd)
    assert (code, found["decision"], found["exit_code"]) == (1, "block", 1)
    for form in (["--quiet"], ["--lang", "zh"], ["--junit", "gate.xml"], ["--markdown", "gate.md"]):
        assert main(["gate", run, "--policy", "release.json", *form]) == 1
    assert main(["gate", run, "--policy", "release.json", "--junit", "no/such/folder.xml"]) == 1
    assert main(["gate", run, "--policy", "missing.yaml"]) == 2
    assert main(["gate", "nosuchrun", "--policy", "release.json"]) == 2


def test_a_report_that_cannot_be_written_makes_a_green_gate_red(capfd: pytest.CaptureFixture[str]) -> None:
    run = bring("green", [("a", 1, "true")], capfd)
    assert decided(run, [{"coverage": "1"}], capfd)[0] == 0
    assert decided(run, [{"coverage": "1"}], capfd, "--junit", "no/such/folder.xml")[0] == 2


def test_a_mistyped_filter_runs_nothing_and_ends_2(shared: Path, here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = known(shared, "K03_filters.json")
    cases = [{"id": case, "task": "t", "must": [{"output": "$", "equals": 1}]} for case in told["cases"]]
    folder = write(here / "s", {"agents": "def one(brief, desk):\n    return 1\n"}, cases, setups={"one": {"agent": "agents:one"}})
    for asked in (told["select"], [told["cases"][1], *told["select"]]):
        assert main(["run", str(folder), *(word for case in asked for word in ("--case", case))]) == 2
        assert "no case matches direct-anwser, did you mean direct-answer?" in capfd.readouterr().err


def test_a_bar_is_met_by_the_number_and_not_by_its_rounding(shared: Path) -> None:
    told = known(shared, "K04_rounded_gate.json")
    bar = Decimal(str(told["gate"]["min_score"]))
    mean = told["scores_sum"] / told["count"]
    assert mean < bar
    assert words.score(mean, bar) == "3.498" and words.score(Decimal("3.4999999"), bar) == "3.4999999"
    assert gate({"coverage": "0.98"}, {"a": "P" * 49 + "U"}).state == "holds"
    assert gate({"coverage": "0.98001"}, {"a": "P" * 49 + "U"}).state == "fails"


def test_a_rounded_score_does_not_pass_a_gate(shared: Path) -> None:
    told = known(shared, "K04_rounded_gate.json")
    mean = told["scores_sum"] / told["count"]
    new = side("new", {"new": {"a": "P"}})
    new.lane.marks[0] = [(mean, mean, mean)]
    rule: Gate = policy({"judge_score": "dialogue", "min": str(told["gate"]["min_score"])}).gates[0]
    found = judge_score(rule, Ground(candidate=new, baseline=None, confidence=0.95))
    assert (found.state, "3.498" in found.seen) == ("fails", True)
    assert card("P").verdict


def test_a_bar_between_reachable_values_works_as_written_and_says_what_it_takes(shared: Path) -> None:
    told = known(shared, "K06_impossible_bar.json")
    asked = {"success_rate": "overall", "min": str(told["gate"]["min_recall"])}
    found = gate(asked, many("P", told["cases"]))
    assert (found.state, found.why) == (
        "open", "3 cases could show no more than 52.6 %, even if all passed; 6 cases could"
    )  # fmt: skip
    assert gate(asked, many("P", 6)).state == "holds"
    assert gate(asked, many("F", told["cases"])).state == "fails"


def test_a_suite_that_died_after_its_first_check_is_never_green(shared: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = known(shared, "K08_suite_died.json")
    rows = [(row["case"], 1, str(row["passed"]).lower()) for row in told["finished"]]
    run = bring("k08", rows, capfd, "--planned", str(told["planned_cases"]))
    for gates in ([{"coverage": "0.98"}], [{"severe": 0}], [{"latency_max_ms": 1000, "hard": False}], [{"regression": {"tier": "e2e"}}]):
        code, found = decided(run, gates, capfd)
        assert (code, found["decision"]) == (3, "not_enough_evidence")
        assert "1 of 4" in json.dumps(found)


def test_scores_of_one_trial_in_four_do_not_stand_for_all(shared: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = known(shared, "M07_partial_coverage.json")["graders"]
    for name, scored in (("flaky_score", 1), ("always_score", 4)):
        passed = ["" if score is None else str(score >= 0.5).lower() for score in told[name]]
        run = bring(name, [(f"c{place}", 1, word) for place, word in enumerate(passed)], capfd)
        code, found = decided(run, [{"coverage": "0.98"}], capfd)
        assert (code, f"{scored} of 4 planned trials scored" in found["gates"][0]["seen"]) == (0 if scored == 4 else 3, True)


def test_only_common_parts_are_compared_and_a_missing_one_is_incomplete(shared: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = known(shared, "M13_unpaired.json")
    base, new = (bring(name, _rows(told[name]), capfd) for name in ("baseline", "candidate"))
    code, found = decided(new, [{"success_rate": "overall", "not_below": "baseline", "margin": "0.02"}], capfd, "--baseline", base)
    assert found["gates"][0]["value"] == 0
    assert (code, found["decision"], found["left_out"]["only_base"]) == (3, "not_enough_evidence", ["telecom"])
    assert any("case telecom" in one["why"] for one in found["gates"])


def _rows(rates: Mapping[str, float]) -> Rows:
    return [(case, trial, str(trial <= round(10 * rate)).lower()) for case, rate in rates.items() for trial in range(1, 11)]
