"""The retail domain's tasks as cases of our own: they load, their own reference passes, and doing nothing does not."""

from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from fairtrial.cases.suite import load_suite
from fairtrial.records.report import RunReport
from fairtrial.records.strictjson import loads
from fairtrial.records.text import read_text
from tests.real.conftest import MakeSuite


@pytest.fixture(scope="module")
def tasks_file(tau2: Path) -> Path:
    return tau2 / "domains" / "retail" / "tasks.json"


@pytest.fixture(scope="module")
def tasks(tasks_file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = loads(read_text(tasks_file))
    return found


@pytest.fixture(scope="module")
def suite(tasks_file: Path, tasks: list[dict[str, Any]], retail_suite: MakeSuite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    setups = {"reference": f"doing({str(tasks_file)!r})", "idler": "idle"}
    return retail_suite(tmp_path_factory.mktemp("cases"), tasks, setups)


@pytest.fixture(scope="module")
def report(suite: Path) -> RunReport:
    return ft.run(suite)


def passed(report: RunReport, setup: str) -> set[str]:
    return {case.id for case in report.cases if case.setup == setup and case.verdicts == ["PASS"]}


def test_every_task_is_a_case(suite: Path, tasks: list[dict[str, Any]]) -> None:
    assert {case.id for case in load_suite(str(suite)).cases} == {task["id"] for task in tasks}


def test_the_reference_passes_every_case(report: RunReport, tasks: list[dict[str, Any]]) -> None:
    assert passed(report, "reference") == {task["id"] for task in tasks}


def test_saying_that_it_is_done_passes_only_where_nothing_was_to_be_done_or_told(suite: Path, report: RunReport) -> None:
    keys = {case.id: case.key for case in load_suite(str(suite)).cases}
    still = {id for id, key in keys.items() if not any(key.expect_state[table] for table in ("orders", "users")) and len(key.must) == 1}
    assert 0 < len(still) < len(keys)
    assert passed(report, "idler") == still
