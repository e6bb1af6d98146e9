"""Verdicts depend on the trial alone: not on file order, shuffling, concurrency or isolation."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from tests.steps.project import make_project


def _verdicts(folder: Path, **options: Any) -> dict[str, list[str]]:
    report = ft.run(str(folder), **options)
    return {case.id: case.verdicts for case in report.cases}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return _verdicts(make_project(tmp_path_factory.mktemp("expected") / "p"), jobs=1)


@pytest.mark.parametrize("jobs", [1, 8])
@pytest.mark.parametrize("isolate", ["fork", "shared", "process"])
@pytest.mark.parametrize("order", ["as written", "reversed", "shuffled"])
def test_verdicts_are_the_same_in_every_order(tmp_path: Path, expected: dict[str, list[str]], order: str, isolate: str, jobs: int) -> None:
    folder = make_project(tmp_path / "p")
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    if order == "reversed":
        lines.reverse()
    elif order == "shuffled":
        random.Random(5).shuffle(lines)
    (folder / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert _verdicts(folder, jobs=jobs, isolate=isolate) == expected


def test_the_suite_s_version_does_not_depend_on_the_order_either(tmp_path: Path) -> None:
    one, two = make_project(tmp_path / "one"), make_project(tmp_path / "two")
    lines = (two / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    (two / "cases.jsonl").write_text("\n".join(reversed(lines)), encoding="utf-8")
    versions = {ft.run(str(folder), trials=1).suite["version"] for folder in (one, two)}
    assert len(versions) == 1


def test_a_third_case_fails_as_the_agent_was_written(expected: dict[str, list[str]]) -> None:
    assert expected == {f"case-{n}": ["FAIL", "FAIL"] if n % 3 == 0 else ["PASS", "PASS"] for n in range(1, 7)}


def test_the_manifest_says_what_was_tried(tmp_path: Path) -> None:
    report = ft.run(str(make_project(tmp_path / "p")), trials=1, seed=9)
    assert report.manifest["seed"] == 9
    assert set(report.manifest["setups"]["honest"]) >= {"model", "prompt", "tools", "rights", "context", "memory", "start_state", "budget"}
    assert json.loads(json.dumps(report.manifest["environment"]))["python"]
