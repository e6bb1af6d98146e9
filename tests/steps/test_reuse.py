"""Trials that are in the store are taken as they are where everything that made them is the same; the rest is planned."""

from pathlib import Path

import pytest

from fairtrial.cases.suite import load_suite
from fairtrial.records.run import Planned
from fairtrial.records.trial import TrialKey
from fairtrial.steps.fingerprint import made_of
from fairtrial.steps.reuse import missing, sources
from tests.steps.project import make_project

ALL = (Planned("a", "team", 3), Planned("b", "team", 2))


def _keys(*places: tuple[str, int]) -> set[TrialKey]:
    return {TrialKey(case, "team", attempt) for case, attempt in places}


def test_what_is_missing_is_planned_from_the_first_gap_to_the_last() -> None:
    assert missing(ALL, set()) == ALL
    assert missing(ALL, _keys(("a", 1), ("b", 1), ("b", 2))) == (Planned("a", "team", 2, 1),)
    assert missing(ALL, _keys(("a", 2))) == ALL
    assert missing(ALL, _keys(("a", 1), ("a", 2), ("a", 3), ("b", 2))) == (Planned("b", "team", 1, 0),)
    assert missing(ALL, _keys(("a", 1), ("a", 2), ("a", 3), ("b", 1), ("b", 2))) == ()


def test_where_the_trials_of_a_setup_lie_is_told() -> None:
    have = {TrialKey("a", "team", 1): "r1", TrialKey("a", "team", 2): "r2", TrialKey("a", "team - x", 1): "r2"}
    assert sources(have, ["team", "team - x", "team - y"]) == {"team": ["r1", "r2"], "team - x": ["r2"], "team - y": []}


def _made(folder: Path) -> str:
    suite = load_suite(folder)
    return made_of(suite, suite.setups)["honest"]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("agents.py", True),
        ("prompts/system.txt", True),
        ("deep/er/tool.mjs", True),
        ("README.md", False),
        ("report.xml", False),
        (".cache/x.py", False),
        ("node_modules/x.js", False),
        ("__pycache__/x.py", False),
    ],
)
def test_code_and_prompts_of_the_folder_make_a_setup_and_nothing_else_does(tmp_path: Path, name: str, changes: bool) -> None:
    folder = make_project(tmp_path / "suite")
    before = _made(folder)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(path.read_text(encoding="utf-8") + "\n" if path.exists() else "x = 1\n", encoding="utf-8")
    assert (_made(folder) != before) is changes


def test_another_agent_under_the_same_name_is_another_setup(tmp_path: Path) -> None:
    one = make_project(tmp_path / "suite")
    before = _made(one)
    make_project(tmp_path / "suite", setups={"honest": {"agent": "agents:quick"}})
    assert _made(one) != before
