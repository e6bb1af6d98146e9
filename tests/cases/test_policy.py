"""A policy is read strictly: a slip in any word is an error with its line and the nearest right one, and nothing half-read is a gate."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cases.policy import GATES, read_policy
from fairtrial.cases.schema import schema
from fairtrial.records.errors import FairtrialError, InputErrors
from fairtrial.records.policy import Gate, Policy

CONTRACT = """
gates:
  - {success_rate: overall, not_below: baseline, margin: "0.02"}
  - {regression: all}
  - {severe: 0, upper_bound: "0.03"}
  - {latency_p95_ms: 30000}
  - {latency_max_ms: 60000}
  - {cost_per_success_usd: "0.08"}
  - {success_rate: {library: capability}, better_than: baseline}
  - {pass_hat: {k: 3, min: "0.9"}}
  - {tool_call_accuracy: {tier: agent}, min: "1.0"}
  - {stability: overall, min: "0.9"}
  - {recovery_rate: overall, min: "0.8"}
  - {judge_score: quality, min: "3.0"}
  - {human_score: overall, not_below: baseline}
  - {unknown_share: overall, max: "0.05"}
  - {over_budget: 0}
  - {coverage: "0.98"}
confidence: "0.95"
"""
HARD = {"regression", "severe", "latency_p95_ms", "latency_max_ms", "cost_per_success_usd", "over_budget", "coverage"}


def read(folder: Path, text: str) -> Policy:
    (folder / "release.yaml").write_text(text, encoding="utf-8")
    return read_policy("release.yaml", str(folder))


def one(folder: Path, text: str) -> Gate:
    (gate,) = read(folder, f"gates:\n  - {text}\n").gates
    return gate


def refused(folder: Path, text: str) -> str:
    with pytest.raises(FairtrialError) as told:
        read(folder, text)
    return str(told.value)


def test_every_gate_of_the_contract_is_read_with_its_bar_and_kind(tmp_path: Path) -> None:
    found = read(tmp_path, CONTRACT)
    assert len(found.gates) == 16 and {gate.name for gate in found.gates} == set(GATES)
    assert {gate.name for gate in found.gates if gate.hard} == HARD
    bars = {gate.name: gate.bar for gate in found.gates if gate.bar is not None}
    assert bars["coverage"] == Decimal("0.98") and bars["severe"] == 0 and bars["latency_p95_ms"] == 30000
    assert found.gates[2].upper_bound == Decimal("0.03") and found.gates[7].k == 3
    assert (found.gates[6].part, found.gates[6].versus) == ({"library": "capability"}, "better_than")
    assert found.confidence == Decimal("0.95") and found.compares


@pytest.mark.parametrize(
    ("text", "part", "bar"),
    [
        ("{latency_p95_ms: {tier: e2e}, max: 30000}", {"tier": "e2e"}, "30000"),
        ("{severe: {tag: money}}", {"tag": "money"}, "0"),
        ("{over_budget: {risk: high}, max: 1}", {"risk": "high"}, "1"),
        ("{coverage: {split: open}, min: '0.9'}", {"split": "open"}, "0.9"),
        ("{pass_hat: {tier: e2e, difficulty: hard}, k: 2, min: 0.9}", {"tier": "e2e", "difficulty": "hard"}, "0.9"),
        ("{unknown_share: {kind: safety}, max: 0.1}", {"kind": "safety"}, "0.1"),
        ("{coverage: 0.1}", {}, "0.1"),
    ],
)
def test_any_gate_takes_a_slice_and_a_bar_is_exact(tmp_path: Path, text: str, part: dict[str, str], bar: str) -> None:
    gate = one(tmp_path, text)
    assert (gate.part, gate.bar) == (part, Decimal(bar))


def test_hard_can_be_said_of_any_gate(tmp_path: Path) -> None:
    assert one(tmp_path, "{stability: overall, min: 0.9, hard: true}").hard
    assert not one(tmp_path, "{latency_max_ms: 10, hard: false}").hard


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("gates: []", "a policy needs gates"),
        ("confidence: 0.9", "a policy needs gates"),
        ("gates:\n  - {regresion: all}", "did you mean 'regression'?"),
        ("gates:\n  - {regression: all}\ngate: []", "did you mean 'gates'?"),
        ("gates:\n  - {severe: 0, uper_bound: 0.03}", "did you mean 'upper_bound'?"),
        ("gates:\n  - {success_rate: overall}", "no bar, so nothing could miss it"),
        ("gates:\n  - {success_rate: overal, min: 0.5}", "did you mean 'overall'?"),
        ("gates:\n  - {success_rate: {teir: e2e}, min: 0.5}", "did you mean 'tier'?"),
        ("gates:\n  - {success_rate: {tier: units}, min: 0.5}", "did you mean 'unit'?"),
        ("gates:\n  - {success_rate: {}, min: 0.5}", "looks at nothing that is known"),
        ("gates:\n  - {success_rate: , min: 0.5}", "looks at nothing that is known"),
        ("gates:\n  - {success_rate: overall, min: 1.2}", "0 to 1"),
        ("gates:\n  - {success_rate: overall, min: high}", "not a number"),
        ("gates:\n  - {success_rate: overall, min: .nan}", "not a finite number"),
        ("gates:\n  - {success_rate: overall, min: true}", "not a number"),
        ("gates:\n  - {success_rate: overall, not_below: best}", "can only name the baseline"),
        ("gates:\n  - {success_rate: overall, min: 0.5, not_below: baseline}", "write a gate for each"),
        ("gates:\n  - {success_rate: overall, min: 0.5, margin: 0.1}", "a margin belongs to a comparison"),
        ("gates:\n  - {regression: all, severe: 0}", "write a gate for each"),
        ("gates:\n  - {latency_p95_ms: 0}", "could never hold"),
        ("gates:\n  - {cost_per_success_usd: 0}", "could never hold"),
        ("gates:\n  - {latency_max_ms: -1}", "0 or more"),
        ("gates:\n  - {severe: 2}", "allowed: 0"),
        ("gates:\n  - {severe: 0, upper_bound: 0}", "between 0 and 1"),
        ("gates:\n  - {over_budget: 0.5}", "a whole number"),
        ("gates:\n  - {pass_hat: {min: 0.9}}", "'k' is a whole number"),
        ("gates:\n  - {pass_hat: {k: 0, min: 0.9}}", "'k' is a whole number"),
        ("gates:\n  - {pass_hat: {k: 3}}", "no bar"),
        ("gates:\n  - {pass_hat: {k: 3, mn: 0.9}}", "did you mean 'min'?"),
        ("gates:\n  - {judge_score: quality, min: 6}", "1 to 5"),
        ("gates:\n  - {coverage: }", "not a number"),
        ("gates:\n  - {regression: all, hard: yes}", "true or false"),
        ("gates:\n  - regression", "a gate is an object"),
        ("gates:\n  - {}", "a gate is an object"),
        ("gates: {regression: all}", "a policy needs gates"),
        ("gates:\n  - {regression: all}\nconfidence: 1", "above 0.5 and below 1"),
        ("gates:\n  - {regression: all}\nconfidence: 0.4", "above 0.5 and below 1"),
        ("gates:\n  - {regression: all}\naccepts: case a", "a list of texts"),
        ("gates:\n  - {success_rate: overall, min: 0}", "nothing could miss"),
        ("gates:\n  - {coverage: 0}", "nothing could miss"),
        ("gates:\n  - {unknown_share: overall, max: 1}", "nothing could miss"),
        ("gates:\n  - {judge_score: quality, min: 1}", "nothing could miss"),
        ("gates:\n  - {success_rate: overall, not_below: baseline, margin: 1}", "nothing could miss"),
        ("gates:\n  - {latency_p95_ms: '1e9999999999'}", "no bar that a gate could use"),
        ("gates:\n  - {success_rate: overall, min: '1e-9999999999'}", "no bar that a gate could use"),
        (f"gates:\n  - {{regression: all}}\nconfidence: '0.{'9' * 40}'", "no bar that a gate could use"),
        (f"gates:\n  - {{regression: all}}\nconfidence: '0.5{'0' * 17}1'", "above 0.5 and below 1"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_place_and_mend(tmp_path: Path, text: str, told: str) -> None:
    message = refused(tmp_path, text)
    assert told in message
    assert "release.yaml:" in message
    assert "mend:" in message


def test_every_slip_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "release.yaml").write_text("gates:\n  - {regresion: all}\n  - {severe: 0}\n  - {coverage: 2}\n", encoding="utf-8")
    with pytest.raises(InputErrors) as told:
        read_policy("release.yaml", str(tmp_path))
    assert [str(error.place).rpartition(":")[2] for error in told.value.errors] == ["2", "4"]


def test_yes_is_text_as_everywhere(tmp_path: Path) -> None:
    assert one(tmp_path, "{success_rate: {tag: no}, min: 0.5}").part == {"tag": "no"}


def test_a_policy_that_is_not_there_names_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(FairtrialError, match="three-tiers"):
        read_policy("three-tier", str(tmp_path))


def test_the_schema_names_every_gate_with_the_keys_that_the_reader_takes() -> None:
    shapes: list[dict[str, Any]] = schema("policy")["properties"]["gates"]["items"]["oneOf"]
    assert [shape["title"] for shape in shapes] == list(GATES)
    for shape in shapes:
        known = GATES[shape["title"]]
        assert set(shape["properties"]) == {shape["title"], "hard", *known.beside, *([known.bar] if known.bar else [])}
