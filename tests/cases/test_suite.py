"""A suite is its settings and its cases; its version stands for what is asked and how it is judged, not for the layout."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import InputError, InputErrors

ROWS: list[dict[str, Any]] = [
    {"id": "a", "task": "add", "facts": {"n": 1}, "must": [{"output": "n", "equals": 2}]},
    {"id": "b", "task": "take", "facts": {"n": 5}, "must": [{"output": "n", "equals": 4}], "budget": {"usd": "0.01", "steps": 99}},
]
SETTINGS: dict[str, Any] = {
    "name": "sums",
    "cases": "cases.jsonl",
    "setups": {
        "single": {"agent": "agents:one"},
        "team": {"agent": "agents:board", "roles": ["coo", "ceo"], "lead": "ceo", "versions": {"model": "m-1"}},
    },
    "baseline": "single",
    "candidate": "team",
    "handoffs": [{"from": "coo", "to": "ceo", "requires": ["n"]}],
    "budget": {"usd": "0.05", "steps": 30},
    "trials": 3,
    "seed": 7,
    "checks": [{"output": "n", "min": 0}],
}


def write(folder: Path, settings: dict[str, Any] | None = None, rows: list[dict[str, Any]] | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "cases.jsonl").write_text("\n".join(json.dumps(row) for row in (ROWS if rows is None else rows)), "utf-8")
    (folder / "suite.yaml").write_text(json.dumps(SETTINGS if settings is None else settings, indent=1), "utf-8")
    return folder


def refused(folder: Path, change: dict[str, Any]) -> str:
    write(folder, SETTINGS | change)
    with pytest.raises(InputErrors) as caught:
        load_suite(folder)
    return str(caught.value)


def test_a_suite_is_read_whole(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path) / "suite.yaml")
    assert suite == load_suite(tmp_path)
    assert [case.id for case in suite.cases] == ["a", "b"]
    assert list(suite.setups) == ["single", "team"]
    assert suite.setups["team"].lead == "ceo"
    assert suite.handoffs[0].name == "coo->ceo"
    assert (suite.name, suite.trials, suite.seed, suite.folder) == ("sums", 3, 7, str(tmp_path))
    assert suite.checks[0].under == "checks"
    line = int(suite.checks[0].place.rpartition(":")[2])
    assert (tmp_path / "suite.yaml").read_text("utf-8").split("\n")[line - 2] == ' "checks": ['


def test_defaults_are_those_of_the_contract(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path / "plain", {"cases": "cases.jsonl"}))
    assert (suite.name, suite.trials, suite.seed, suite.world.kind) == ("plain", 1, 0, "json")
    assert suite.cases[0].brief.deadline_s == 300
    labels = suite.cases[0].labels
    assert (labels.library, labels.kind, labels.split, labels.risk, labels.tier) == ("capability", "normal", "open", "low", "e2e")


def test_the_stricter_budget_wins_field_by_field(tmp_path: Path) -> None:
    first, second = load_suite(write(tmp_path)).cases
    assert (str(first.brief.budget.usd), first.brief.budget.steps) == ("0.05", 30)
    assert (str(second.brief.budget.usd), second.brief.budget.steps) == ("0.01", 30)


def test_the_version_does_not_move_with_the_layout_of_the_files(tmp_path: Path) -> None:
    before = load_suite(write(tmp_path / "one")).version
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "b.yaml").write_text("# a comment\n" + json.dumps(dict(reversed(ROWS[1].items()))), "utf-8")
    (folder / "a.csv").write_bytes(b'id,task,facts.n:int,must:json\r\na,add,1,"[{""output"": ""n"", ""equals"": 2}]"\r\n')
    (folder / "suite.yaml").write_text(json.dumps(SETTINGS | {"cases": ["*.yaml", "a.csv"]}).replace("*.yaml", "b.*"), "utf-8")
    assert load_suite(folder).version == before


@pytest.mark.parametrize(
    ("change", "moves"),
    [
        ({"checks": []}, True),
        ({"handoffs": []}, True),
        ({"world": {"kind": "files"}}, True),
        ({"budget": {"usd": "0.04", "steps": 30}}, True),
        ({"name": "other"}, False),
        ({"trials": 9}, False),
        ({"seed": 1}, False),
        ({"setups": {"single": {"agent": "agents:two"}}, "candidate": "single"}, False),
    ],
)
def test_the_version_moves_with_what_is_judged_and_not_with_who_is_tried(tmp_path: Path, change: dict[str, Any], moves: bool) -> None:
    before = load_suite(write(tmp_path)).version
    assert (load_suite(write(tmp_path, SETTINGS | change)).version != before) == moves


def test_the_version_moves_with_a_case_and_with_the_seed_of_the_world(tmp_path: Path) -> None:
    before = load_suite(write(tmp_path)).version
    assert load_suite(write(tmp_path, rows=[ROWS[0], ROWS[1] | {"task": "take away"}])).version != before
    assert load_suite(write(tmp_path, rows=ROWS[:1])).version != before
    settings = SETTINGS | {"world": {"kind": "sqlite", "seed": "seed.sql"}}
    versions = []
    for text in ("create table t(a);\n", "create table t(a);\r\n", "create table t(b);\n"):
        (tmp_path / "seed.sql").write_bytes(text.encode())
        versions.append(load_suite(write(tmp_path, settings)).version)
    assert versions[0] == versions[1] != versions[2]


def test_the_version_moves_with_the_files_a_world_starts_from(tmp_path: Path) -> None:
    (tmp_path / "start" / "inner").mkdir(parents=True)
    settings = SETTINGS | {"world": {"kind": "files", "from": "start"}}
    versions = []
    for text in ("one", "two"):
        (tmp_path / "start" / "inner" / "a.txt").write_text(text, "utf-8")
        versions.append(load_suite(write(tmp_path, settings)).version)
    assert versions[0] != versions[1]


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"baselin": "single"}, ["unknown key 'baselin'", "did you mean 'baseline'?", "suite.yaml:"]),
        ({"baseline": "singel"}, ["the baseline is not there", "did you mean 'single'?"]),
        ({"candidate": "x"}, ["the candidate is not there", "single, team"]),
        ({"setups": {"team": {"agent": "a:b", "roles": ["coo"], "lead": "ceo"}}, "baseline": "team"}, ["the lead of 'team'"]),
        ({"setups": {"single": {"agent": "agents.one"}}, "candidate": "single"}, ["names no function", "module:function"]),
        ({"setups": {"single": {"agent": {"comand": ["x"]}}}, "candidate": "single"}, ["did you mean 'command'?"]),
        ({"setups": {"single": {"agent": {"http": "u", "header": {}}}}, "candidate": "single"}, ["did you mean 'headers'?"]),
        ({"setups": {"single": {"agent": {"command": ["x"], "http": "y"}}}, "candidate": "single"}, ["by 'command'", "remove http"]),
        ({"sandbox": {"memory_mb": 1}}, ["sandbox.memory_mb", "of at least 64", "write 64 or more", "suite.yaml:"]),
        ({"setups": {"single": {"agnet": "a:b"}}, "candidate": "single"}, ["setups.single.agnet", "did you mean 'agent'?"]),
        ({"setups": {"single": {"agent": "a:b", "versions": {"model": 1.2}}}, "candidate": "single"}, ["put it in quotes"]),
        ({"setups": {"single": {"agent": "a:b", "retry": {"attempts": 0}}}, "candidate": "single"}, ["'retry.attempts' must be 1 or more"]),
        ({"world": {"kind": "sqlit"}}, ["no world of kind 'sqlit'", "did you mean 'sqlite'?"]),
        ({"world": {"kind": "sqlite", "seed": "nope.sql"}}, ["world.seed: no such file"]),
        ({"world": {"kind": "json", "seed": "cases.jsonl"}}, ["a world of kind 'json' does not read 'seed'", "the case's `state`"]),
        ({"world": {"kind": "sqlite", "from": "cases.jsonl"}}, ["does not read 'from'", "kind, seed"]),
        ({"tools": "nope.py"}, ["tools: no such file"]),
        ({"policy": "nope.yaml"}, ["policy: no such file"]),
        ({"cases": []}, ["'cases'"]),
        ({"cases": "nope/*.yaml"}, ["no file matches"]),
        ({"trials": 0}, ["'trials'", "at least 1"]),
        ({"budget": {"usd": "-1"}}, ["zero or more"]),
        ({"checks": [{"output": "n", "equls": 1}]}, ["checks[0]", "equals"]),
        ({"graders": {"late_fee": "late_fee"}}, ["graders.late_fee", "module:function"]),
        ({"library": {"graduate": {"batches": 0}}}, ["library.graduate.batches"]),
    ],
)  # fmt: skip
def test_a_crooked_suite_is_refused_with_place_and_mend(tmp_path: Path, change: dict[str, Any], parts: list[str]) -> None:
    text = refused(tmp_path, change)
    for part in parts:
        assert part in text


def test_errors_of_settings_and_cases_come_together(tmp_path: Path) -> None:
    write(tmp_path, SETTINGS | {"trials": 0, "baseline": "x"}, [{"tsk": "a"}, {"task": "b", "trials": 0}])
    with pytest.raises(InputErrors) as caught:
        load_suite(tmp_path)
    text = str(caught.value)
    assert "suite.yaml" in text
    assert "cases.jsonl:1" in text
    assert "cases.jsonl:2" in text


def test_a_folder_without_a_suite_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no suite.yaml"):
        load_suite(tmp_path)
    (tmp_path / "suites.yaml").write_text("a: 1", "utf-8")
    with pytest.raises(InputError, match=r"did you mean .*suites.yaml"):
        load_suite(tmp_path)


def test_a_suite_may_be_json(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "suite.yaml").rename(tmp_path / "suite.json")
    assert load_suite(tmp_path).name == "sums"


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"spread": "1.5"}, "a spread is a share of the scale"),
        ({"spread": "-0.1"}, "a spread is a share of the scale"),
        ({"spread": "NaN"}, "spread"),
        ({"spread": "Infinity"}, "spread"),
        ({"repeats": 101}, "repeats"),
        ({"repeats": 0}, "repeats"),
        ({"timeout_s": 0}, "timeout_s"),
    ],
)
def test_the_terms_of_a_judge_have_bounds(tmp_path: Path, terms: dict[str, Any], words: str) -> None:
    assert words in refused(tmp_path, {"judges": {"quality": {"model": "python:m:f", **terms}}})


def test_a_time_out_that_never_comes_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "suite.yaml").write_text("cases: cases.jsonl\njudges: {quality: {model: 'python:m:f', timeout_s: .inf}}\n", "utf-8")
    with pytest.raises((InputError, InputErrors)):
        load_suite(tmp_path)


@pytest.mark.parametrize("bar", ["5.1", "1", "-1", 9])
@pytest.mark.parametrize("within", [False, True])
def test_a_checks_bar_outside_the_scale_of_its_judge_is_refused_at_load(tmp_path: Path, bar: Any, *, within: bool) -> None:
    check: dict[str, Any] = {"judge": "quality", "min": bar}
    told = refused(tmp_path, {"judges": {"quality": {"model": "python:m:f"}}, "checks": [{"not": check} if within else check]})
    assert "outside the scale of judge quality" in told and "above 1, up to 5" in told


def test_a_cases_bar_is_held_to_the_scale_of_its_judge_too(tmp_path: Path) -> None:
    settings = SETTINGS | {"judges": {"quality": {"model": "python:m:f"}}}
    rows = [{"id": "a", "task": "add", "must": [{"judge": "quality", "min": "5"}, {"judge": "quality", "min": "6"}]}]
    with pytest.raises(InputErrors, match="outside the scale of judge quality") as caught:
        load_suite(write(tmp_path, settings, rows))
    assert len(caught.value.errors) == 1
