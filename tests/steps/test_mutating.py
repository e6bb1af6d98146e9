"""Graders on trial: the passing trials of a stored run, damaged, and what the suite's own checks catch of it."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fairtrial import workflow
from fairtrial.cli.judge_mutants import mutants as verb
from fairtrial.mutants.operators import OPERATORS
from fairtrial.records.errors import InputError
from fairtrial.records.mutation import MutationReport
from fairtrial.records.strictjson import encode
from fairtrial.steps.mutating import MutateOptions
from fairtrial.steps.options import RunOptions

AGENTS = """
async def buyer(brief, desk):
    facts = brief.facts
    units = facts["cash"] // facts["unit_cost"] // 2
    await desk.call("order", sku=facts["sku"], units=units)
    return {"units": units, "spend": units * facts["unit_cost"], "stock_counted": facts["stock"]}
"""
TOOLS = """
from fairtrial import tool

@tool
def order(sku: str, units: int, world: dict) -> str:
    world["orders"].append({"id": len(world["orders"]) + 1, "sku": sku, "units": units})
    return "ordered"
"""
STRICT: dict[str, Any] = {
    "must": [
        {"rule": "output.spend == output.units * facts.unit_cost"},
        {"rule": "len(state.orders) == 1 and state.orders[0].units == output.units and state.orders[0].sku == facts.sku"},
        {"tool": "order", "times": 1},
        {"output": "stock_counted", "equals": 3},
    ],
    "must_not": [{"output": "units", "max": 0}],
    "limits": [{"rule": "output.spend <= facts.cash"}],
}
LAX: dict[str, Any] = {"must": [{"output": "units", "exists": True}], "must_not": [{"output": "units", "max": 0}]}


def make_suite(folder: Path, checks: dict[str, Any]) -> Path:
    folder.mkdir()
    (folder / "agents.py").write_text(AGENTS, "utf-8")
    (folder / "tools.py").write_text(TOOLS, "utf-8")
    facts = {"sku": "lamp", "cash": 100, "unit_cost": 2, "stock": 3, "arriving": {"units": 30}}
    cases = [{"id": f"c{n}", "task": "Order.", "facts": facts | {"cash": 100 + 4 * n}, "state": {"orders": []}, **checks} for n in range(3)]
    (folder / "cases.jsonl").write_bytes(b"".join(encode(case) + b"\n" for case in cases))
    suite = {"name": "s", "cases": "cases.jsonl", "tools": "tools.py", "setups": {"one": {"agent": "agents:buyer"}}}
    (folder / "suite.json").write_bytes(encode(suite))
    workflow.run(str(folder), RunOptions(isolate="shared"))
    return folder


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_suite(tmp_path_factory.mktemp("strict") / "s", STRICT)


@pytest.fixture(scope="module")
def lax(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_suite(tmp_path_factory.mktemp("lax") / "s", LAX)


def mutants(folder: Path, **options: Any) -> MutationReport:
    return workflow.mutants(str(folder), MutateOptions(**options))


def test_strict_checks_catch_all_the_damage_and_lax_ones_let_it_through(strict: Path, lax: Path) -> None:
    caught, missed = mutants(strict), mutants(lax)
    assert caught.share.value == 1.0
    assert caught.share.low is not None and caught.share.low < 0.9  # three cases prove little
    assert not caught.survivors
    assert missed.share.value is not None and missed.share.value < 0.5
    assert {one.operator for one in missed.survivors} >= {"overspend", "forged_success", "future_stock", "wrong_argument"}


def test_every_mutant_is_counted_once(lax: Path) -> None:
    found = mutants(lax)
    assert found.mutants == found.caught + found.survived + found.unsure == sum(line.mutants for line in found.operators)
    assert found.caught == sum(line.caught for line in found.catchers)
    assert [line.name for line in found.operators] == [one.name for one in OPERATORS]
    assert all(line.trials + line.not_applicable == found.trials for line in found.operators)


def test_overspending_is_caught_by_the_check_on_money(strict: Path) -> None:
    found = mutants(strict)
    by = {line.check for line in found.catchers if line.operators == ["overspend"]}
    assert any("facts.cash" in check for check in by)


def test_the_same_run_gives_the_same_mutants(lax: Path) -> None:
    assert mutants(lax) == mutants(lax)


def test_a_limit_leaves_trials_out_and_says_so(lax: Path) -> None:
    found = mutants(lax, limit=1)
    assert found.trials == 1
    assert found.left_out == {"beyond the limit": 2}


def test_nothing_is_stored_by_it(lax: Path) -> None:
    before = (lax / ".fairtrial" / "store.db").read_bytes()
    mutants(lax)
    assert (lax / ".fairtrial" / "store.db").read_bytes() == before


def test_without_a_run_it_says_what_to_type(tmp_path: Path, strict: Path) -> None:
    with pytest.raises(InputError, match="no run of this suite") as caught:
        mutants(strict, store=str(tmp_path / "empty.db"))
    assert "fairtrial run" in str(caught.value.mend)


def test_the_verb_ends_one_below_the_stated_share(lax: Path, strict: Path) -> None:
    shell = CliRunner()
    assert shell.invoke(verb, [str(lax), "--fail-under", "0.95"], standalone_mode=False).return_value == 1
    assert shell.invoke(verb, [str(strict), "--fail-under", "0.95"], standalone_mode=False).return_value == 0
    assert shell.invoke(verb, [str(lax)], standalone_mode=False).return_value == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_names_each_survivor_and_ends_with_what_to_type(lax: Path, language: str) -> None:
    told = CliRunner().invoke(verb, [str(lax), "--lang", language, "--all"], standalone_mode=False).output
    assert "forged_success" in told
    assert "orders" in told or "units" in told
    assert "fairtrial" in told.strip().splitlines()[-1]
    assert (language == "zh") == ("变异" in told)
