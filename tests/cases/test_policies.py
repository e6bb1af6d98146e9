"""The policies that come with the program are read as any other file, fit their schema, and can be named by a suite."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cases.policy import POLICIES, read_policy
from fairtrial.cases.sources import read_document
from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import FairtrialError
from fairtrial.study.tiers import BAR

FOLDER = Path(str(files("fairtrial"))) / "policies"


def policy(name: str) -> dict[str, Any]:
    found: dict[str, Any] = read_document(str(FOLDER / f"{name}.yaml")).value
    return found


def suite(folder: Path, named: str) -> Path:
    (folder / "cases.jsonl").write_text('{"id": "a", "task": "t", "must": [{"output": "$", "equals": 1}]}\n', encoding="utf-8")
    (folder / "suite.yaml").write_text(f"name: s\ncases: cases.jsonl\npolicy: {named}\n", encoding="utf-8")
    return folder


def test_the_list_is_what_is_there() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(POLICIES)


@pytest.mark.parametrize("name", POLICIES)
def test_their_gates_are_known(name: str) -> None:
    assert len(read_policy(name).gates) == len(policy(name)["gates"])


def test_the_standards_of_the_three_tiers_are_those_of_the_table() -> None:
    gates = policy("three-tiers")["gates"]
    assert {"regression": {"tier": "unit"}, "hard": True} in gates and {"regression": {"tier": "agent"}, "hard": True} in gates
    (scored,) = [gate for gate in gates if "judge_score" in gate]
    assert float(scored["min"]) == BAR
    assert {"severe": 0} in gates


def test_a_suite_names_one_without_a_path(tmp_path: Path) -> None:
    assert load_suite(suite(tmp_path, "three-tiers")).policy == "three-tiers"


def test_a_slip_in_its_name_is_an_error_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(FairtrialError, match="did you mean 'three-tiers'"):
        load_suite(suite(tmp_path, "three-tier"))
