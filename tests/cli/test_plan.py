"""`fairtrial plan` end to end: from nothing, from a table of somebody else's, and from what was named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Say = Callable[..., Any]

SUITE = """\
name: sums
cases: cases.jsonl
setups: {old: {agent: "agents:old"}, new: {agent: "agents:new"}}
baseline: old
candidate: new
trials: 3
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "agents.py").write_text(
        "def old(brief, desk):\n    return {'sum': brief.facts['a'] + brief.facts['wrong']}\n\n\n"
        "def new(brief, desk):\n    return {'sum': brief.facts['a']}\n",
        encoding="utf-8",
    )
    cases = [
        {"id": f"c{n}", "task": "add", "facts": {"a": n, "wrong": int(n % 3 == 0)}, "must": [{"output": "sum", "equals": n}]}
        for n in range(12)
    ]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    return tmp_path


def test_before_anything_was_run_a_plan_rests_on_what_is_assumed(say: Say, suite: Path) -> None:
    found = say("plan", str(suite), "--json").document
    assert (found["suite"], found["source"], found["pilot"]) == ("sums", "assumed", None)
    assert (found["today"]["cases"], found["today"]["repeats"]) == (12, 3)
    assert not (suite / ".fairtrial").exists()
    shown = say("plan", str(suite))
    assert shown.code == 0
    assert shown.out.strip().splitlines()[-1] == f"run a pilot first: fairtrial run {suite} --trials 5"


def test_a_run_is_the_pilot_of_the_next(say: Say, suite: Path) -> None:
    assert say("run", str(suite), "--isolate", "shared", "--quiet").code == 0
    found = say("plan", str(suite), "--detect", "0.1", "--json").document
    assert found["source"] == "pilot"
    assert (found["pilot"]["base"]["setup"], found["pilot"]["new"]["setup"], found["pilot"]["pairs"]) == ("old", "new", 12)
    assert found["pilot"]["within"] == 0.0
    assert found["pilot"]["between"] == pytest.approx(float(np.var([1.0] * 4 + [0.0] * 8, ddof=1)))
    assert [row["repeats"] for row in found["rows"]] == [1, 2, 3, 5, 10]
    assert found["reasons"]["price_usd"] == "the cost is not fully known of old and new"


def table(path: Path, setup: str, rate: float) -> str:
    rng = np.random.default_rng(int(1000 * rate))
    rows = [f"c{case},{setup},{trial},{str(bool(rng.random() < rate)).lower()},0.02" for case in range(30) for trial in range(1, 5)]
    file = path / f"{setup}.csv"
    file.write_text("case,setup,trial,passed,cost_usd\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return str(file)


def test_tables_from_elsewhere_are_a_pilot_as_well(say: Say, tmp_path: Path) -> None:
    store = str(tmp_path / "s.db")
    files = table(tmp_path, "a", 0.8), table(tmp_path, "b", 0.7)
    runs = [say("import", "csv", file, "--store", store, "--json").document["run"] for file in files]
    found = say("plan", "--run", runs[0], "--run", runs[1], "--store", store, "--detect", "0.1", "--json").document
    assert (found["source"], found["today"]["cases"], found["today"]["repeats"]) == ("pilot", 30, 4)
    assert found["rows"][0]["price_usd"] is not None
    shown = say("plan", "--run", runs[0], "--run", runs[1], "--store", store)
    assert "fairtrial compare" in shown.out.strip().splitlines()[-1]


def test_a_plan_says_the_same_twice(say: Say, suite: Path) -> None:
    assert say("plan", str(suite), "--json").out == say("plan", str(suite), "--json").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--detect", "0"), "--detect"),
        (("--detect", "5 %"), "--detect"),
        (("--power", "1"), "--power"),
        (("--power", "0.2"), "--power"),
        (("--margin", "2"), "--margin"),
        (("--case-usd", "-1"), "--case-usd"),
        (("--run", "a", "--run", "b", "--run", "c"), "two sides"),
    ],
)
def test_what_cannot_be_planned_is_told(say: Say, suite: Path, words: tuple[str, ...], told: str) -> None:
    found = say("plan", str(suite), *words)
    assert found.code == 2
    assert told in found.err


def test_nothing_to_plan_for_is_told(say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = say("plan")
    assert found.code == 2
    assert "nothing to plan for" in found.err
