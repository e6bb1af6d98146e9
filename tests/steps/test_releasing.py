"""Real runs held to a policy: what `run` ends with, what was tried before, and what a suite or its policy has lost."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from fairtrial import workflow
from fairtrial.records.decision import Decision
from fairtrial.records.errors import InputError, StoreError
from fairtrial.records.run import Manifest
from fairtrial.records.strictjson import encode
from fairtrial.steps.options import RunOptions, RunOutcome
from fairtrial.study.identity import same_version
from tests.steps.project import make_project
from tests.study.tables import run_of

SHARED = RunOptions(isolate="shared")
SETUPS = {"old": {"agent": "agents:quick"}, "new": {"agent": "agents:quick", "versions": {"prompt": "p2"}}}
GATES = [
    {"regression": {"tier": "e2e"}},
    {"severe": 0},
    {"over_budget": 0},
    {"coverage": "1"},
    {"success_rate": "overall", "not_below": "baseline", "margin": "0.9"},
]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite whose candidate may ship."""
    return gated(make_project(tmp_path / "s", cases=3, trials=1, setups=SETUPS))


def gated(folder: Path, gates: list[dict[str, Any]] | None = None, **more: Any) -> Path:
    (folder / "release.json").write_bytes(encode({"gates": GATES if gates is None else gates, **more}))
    edit(folder, lambda suite: suite.update(policy="release.json", baseline="old", candidate="new", budget={"steps": 9}))
    return folder


def edit(folder: Path, change: Callable[[dict[str, Any]], Any], name: str = "suite.json") -> None:
    content = json.loads((folder / name).read_text("utf-8"))
    change(content)
    (folder / name).write_bytes(encode(content))


def edit_case(folder: Path, place: int, change: Callable[[dict[str, Any]], Any]) -> None:
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text("utf-8").splitlines()]
    change(rows[place])
    (folder / "cases.jsonl").write_bytes(b"".join(encode(row) + b"\n" for row in rows))


def run(folder: Path, **options: Any) -> RunOutcome:
    return workflow.run(str(folder), RunOptions(isolate="shared", **options))


def decision(folder: Path, **options: Any) -> Decision:
    found = run(folder, **options).decision
    assert found is not None
    return found


def lost(found: Decision) -> str:
    """Why the gate on losses is open; empty where nothing was lost."""
    return next((gate.why for gate in found.gates if gate.gate == "nothing_lost"), "")


def test_a_run_of_a_suite_with_a_policy_ends_as_the_gate_does(suite: Path) -> None:
    outcome = run(suite)
    assert outcome.decision is not None
    assert (outcome.decision.decision, outcome.exit_code) == ("ship", 0), outcome.decision
    assert ft.gate(start=suite).decision == "ship"
    gated(suite, [{"human_score": "overall", "min": "3"}])
    assert run(suite).exit_code == 3
    edit_case(suite, 0, lambda case: case["must"].append({"output": "total", "equals": 77}))
    gated(suite, [{"regression": {"tier": "e2e"}}])
    assert run(suite).exit_code == 4  # no answer meets it, its own solution neither: the fault is the check's
    edit_case(suite, 0, lambda case: case.pop("solution"))
    assert run(suite).exit_code == 1


def test_without_a_policy_a_run_ends_as_before_and_says_that_it_was_held_to_one(suite: Path) -> None:
    run(suite)
    edit(suite, lambda content: content.pop("policy"))
    outcome = run(suite)
    assert (outcome.decision, outcome.exit_code) == (None, 0)
    assert any("held to no policy" in note for note in outcome.report.notes)


def test_a_policy_that_cannot_be_read_is_told_before_a_trial_is_spent(suite: Path) -> None:
    edit(suite, lambda content: content["gates"].append({"regresion": "all"}), "release.json")
    with pytest.raises(InputError, match="regression"):
        run(suite)
    with pytest.raises(StoreError, match="no store yet"):
        workflow.runs(start=str(suite))


def test_earlier_attempts_at_the_same_version_are_counted_and_listed(suite: Path) -> None:
    first = run(suite).report.run
    second = decision(suite)
    assert (second.attempts_before, second.attempts[0].run, second.attempts[0].passed) == (1, first, 3)
    edit(suite, lambda content: content["setups"]["new"]["versions"].update(prompt="p3"))
    assert decision(suite).attempts_before == 0


def test_runs_of_other_code_are_other_versions_and_are_told(suite: Path) -> None:
    run(suite)
    agents = suite / "agents.py"
    agents.write_text(agents.read_text("utf-8") + "\n# a new version\n", "utf-8")
    found = decision(suite)
    assert found.attempts_before == 0
    assert "earlier runs of new with other code, counted as other versions: 1" in found.notes
    assert decision(suite).attempts_before == 1


def test_a_run_that_does_not_tell_its_code_hides_no_attempt() -> None:
    def told(**settings: str) -> Manifest:
        return run_of({"new": {"a": "P"}}, settings=settings, setups={"new": {"model": "m"}}).manifest

    assert same_version(told(), told(code="1"), "new")
    assert same_version(told(code="1"), told(code="1"), "new")
    assert not same_version(told(code="1"), told(code="2"), "new")


def test_a_new_name_of_the_suite_hides_no_attempt(suite: Path) -> None:
    run(suite)
    edit(suite, lambda content: content.update(name="renamed"))
    assert decision(suite).attempts_before == 1


def test_a_baseline_of_another_run_is_no_attempt(suite: Path) -> None:
    first = run(suite).report.run
    run(suite)
    assert ft.gate(baseline=f"{first}:new", start=suite).attempts_before == 0


def test_the_candidate_is_the_one_named_else_the_suites(suite: Path) -> None:
    run(suite)
    assert ft.gate(start=suite).setup == "new"
    with pytest.raises(InputError, match="--baseline"):
        ft.gate("last:old", start=suite)
    assert ft.gate("last:old", baseline="last:new", start=suite).setup == "old"
    with pytest.raises(InputError, match="did you mean 'new'"):
        ft.gate("last:neww", start=suite)


def test_a_candidate_that_is_its_own_baseline_is_invalid(suite: Path) -> None:
    run(suite)
    found = ft.gate("last:new", baseline="last:new", start=suite)
    assert (found.decision, "its own baseline" in found.says) == ("invalid", True)


def test_a_run_of_the_baseline_alone_is_not_enough_evidence(suite: Path) -> None:
    outcome = run(suite, setups=("old",))
    assert (outcome.decision, outcome.exit_code) == (None, 3)
    assert any("the candidate new was not tried" in note for note in outcome.report.notes)


def test_part_of_a_suite_is_not_enough_to_ship(suite: Path) -> None:
    assert "1 of its 3 cases" in lost(decision(suite, cases=("case-1",)))
    edit(suite, lambda content: content.update(trials=2))
    assert "1 of 2 trials" in lost(decision(suite, trials=1))


def test_cases_may_ask_for_fewer_trials_than_the_suite(suite: Path) -> None:
    edit(suite, lambda content: content.update(trials=3))
    for place in range(3):
        edit_case(suite, place, lambda case: case.update(trials=1))
    assert decision(suite).decision == "ship"


def test_a_case_that_is_gone_is_missed_however_often_the_suite_is_run_again(suite: Path) -> None:
    run(suite)
    rows = (suite / "cases.jsonl").read_text("utf-8").splitlines()
    (suite / "cases.jsonl").write_text("\n".join(rows[1:]) + "\n", encoding="utf-8")
    for _ in range(2):
        found = decision(suite)
        assert (found.decision, "case case-1" in lost(found)) == ("not_enough_evidence", True)
    gated(suite, accepts=["case case-1"])
    found = decision(suite)
    assert (found.decision, lost(found)) == ("ship", "")
    assert any("accepted by the policy: case case-1" in note for note in found.notes)


@pytest.mark.parametrize("key", ["must_not", "expect_state"])
def test_a_check_that_is_gone_is_missed(suite: Path, key: str) -> None:
    run(suite)
    edit_case(suite, 1, lambda case: case.pop(key))
    found = decision(suite)
    assert f"checks of case-2 — since run {found.attempts[0].run}: {key} 1 → 0" in lost(found)


def test_a_case_that_changed_is_told(suite: Path) -> None:
    run(suite)
    edit_case(suite, 1, lambda case: case.update(task="add two, please"))
    found = decision(suite)
    assert (found.decision, any("cases changed" in note and "case-2" in note for note in found.notes)) == ("ship", True)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda policy: policy["gates"].pop(1), "gate severe: 0"),
        (lambda policy: policy["gates"][3].update(coverage="0.5"), "gate coverage: 1"),
        (lambda policy: policy["gates"][1].update(hard=False), "gate severe: 0"),
        (lambda policy: policy["gates"][4].update(margin="0.95"), "gate success_rate: overall, not_below: baseline, margin: 0.9"),
        (lambda policy: policy.update(confidence="0.9"), "confidence 0.95"),
    ],
)
def test_a_policy_that_asks_less_than_it_did_is_told(suite: Path, change: Callable[[dict[str, Any]], Any], told: str) -> None:
    run(suite)
    edit(suite, change, "release.json")
    found = decision(suite)
    assert (found.decision, told in lost(found)) == ("not_enough_evidence", True)


def test_a_policy_that_asks_more_is_no_loss(suite: Path) -> None:
    run(suite)
    edit(suite, lambda policy: policy["gates"].append({"latency_max_ms": 60000}), "release.json")
    assert decision(suite).decision == "ship"


def test_an_interrupted_run_ends_130_and_its_decision_is_open(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fairtrial.steps import running

    real = running.Work.drive

    def stopped(self: Any, workshop: Any, progress: Any) -> str:
        self.stopped.asked = True
        return real(self, workshop, progress)

    monkeypatch.setattr(running.Work, "drive", stopped)
    outcome = run(suite)
    assert (outcome.exit_code, outcome.decision is not None and outcome.decision.decision) == (130, "invalid")
