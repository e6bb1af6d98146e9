"""`fairtrial demo`: the built-in suite beside its baselines, with the verdict and the next step at the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.demo import demo_suite

Say = Callable[..., Any]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_demo_ends_with_the_verdict_and_where_to_look_next(say: Say) -> None:
    began = time.monotonic()
    said = say("demo")
    assert time.monotonic() - began < 10
    assert said.code == 0, said.err
    verdict = " ".join(said.out.split("Verdict")[1].split())
    assert verdict.startswith("the team does not beat its rival: On these 2 cases the team does not beat the cheaper retry")
    assert said.out.splitlines()[-1].startswith("next, compare two setups: fairtrial compare ")


def test_the_command_named_last_works_as_it_stands(say: Say) -> None:
    last = say("demo").out.splitlines()[-1].split(": fairtrial ", 1)[1]
    said = say(*last.split())
    assert said.code == 0
    assert "cannot tell" in said.out


def test_the_figures_of_the_demo_are_those_of_its_fixed_agents(say: Say) -> None:
    setups = say("demo", "--json").document["setups"]
    shown = {
        name: (one["pass"], one["planned"], Decimal(one["cost_usd"]["mean"]), one["latency_ms"]["mean"]) for name, one in setups.items()
    }
    assert shown == {
        "single": (1, 2, Decimal("0.03"), 600),
        "single-retry": (2, 2, Decimal("0.06"), 1075),
        "team": (2, 2, Decimal("0.09"), 1600),
    }
    assert [Decimal(one["cost_usd"]["per_success"]) for one in setups.values()] == [Decimal("0.06"), Decimal("0.06"), Decimal("0.09")]
    assert all(one["latency_ms"]["stated"] for one in setups.values())


def test_the_demo_leaves_nothing_beside_its_suite_and_can_be_read_from_here(say: Say, elsewhere: Path) -> None:
    before = sorted(path.name for path in demo_suite().parent.iterdir() if path.name != "__pycache__")
    said = say("demo", "--json")
    assert sorted(path.name for path in demo_suite().parent.iterdir() if path.name != "__pycache__") == before
    assert (elsewhere / ".fairtrial").is_dir()
    assert say("show", "last", "--json").document["run"] == said.document["run"]


def test_the_demo_in_chinese_ends_with_the_same_verdict(say: Say) -> None:
    page = say("demo", "--lang", "zh").out
    assert "团队没有胜过对照方案" in page
    assert page.splitlines()[-1].startswith("下一步，比较两个方案: fairtrial compare ")
