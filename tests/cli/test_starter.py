"""The suite that `init` writes, and the whole way through it with the real workflow: check, run, read, compare, export."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

Say = Callable[..., Any]


@pytest.fixture
def suite(say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert say("init", ".").code == 0
    return tmp_path


def test_the_new_suite_checks_clean(say: Say, suite: Path) -> None:
    code, out, err = say("check", ".")
    assert (code, err) == (0, "")
    assert out.startswith("clean: 3 cases, nothing found\n")
    assert say("check", "suite.yaml", "--json").document["findings"] == []


def test_a_suite_that_forbids_nothing_is_found_out(say: Say, suite: Path) -> None:
    cases = suite / "cases.jsonl"
    first = json.loads(cases.read_text().splitlines()[0])
    del first["must_not"]
    cases.write_text(json.dumps(first) + "\n")
    said = say("check", ".", "--json")
    assert said.code == 1
    assert {finding["line"] for finding in said.document["findings"]} == {1}


def test_the_whole_way_through_the_new_suite(say: Say, suite: Path) -> None:
    ran = say("run", ".", "--isolate", "shared", "--json")
    assert ran.code == 0, ran.err
    setups = ran.document["setups"]
    assert {name: (one["planned"], one["pass"], one["fail"], one["severe"]) for name, one in setups.items()} == {
        "hasty": (3, 2, 1, 1),
        "careful": (3, 3, 0, 0),
    }
    name = ran.document["run"]
    assert say("show", name, "--json").document == ran.document
    assert say("runs", "--json").document["runs"][0]["run"] == name
    failed = say("show", f"{name}:hasty", "closed-for-repairs", "1").out
    assert "have the agent read the notice board before it books" in failed
    assert "bookings" in failed
    walked = say("replay", f"{name}:hasty", "closed-for-repairs", "1").out
    assert "book_room" in walked
    assert say("compare", f"{name}:hasty", f"{name}:careful", "--json").document["fixed"] == ["closed-for-repairs"]
    assert say("grade", "last", "--json").document["setups"]["hasty"]["fail"] == 1


def test_every_export_is_read_back_by_a_reader_of_its_own(say: Say, suite: Path) -> None:
    assert say("run", ".", "--isolate", "shared", "--quiet").code == 0
    root = ElementTree.fromstring(say("export", "last", "junit").out.encode())  # noqa: S314 - our own output, read by a parser of its own
    assert (len(list(root.iter("testcase"))), len(list(root.iter("failure")))) == (6, 1)
    rows = list(csv.DictReader(io.StringIO(say("export", "last", "csv").out)))
    assert sorted(row["verdict"] for row in rows) == ["FAIL"] + ["PASS"] * 5
    assert all(json.loads(line) for line in say("export", "last", "jsonl").out.splitlines())
    assert "| <code>careful</code> | 3 | 3 |" in say("export", "last", "markdown").out
    wrong = say("export", "last", "junitt")
    assert wrong.code == 2
    assert "junit" in wrong.err


def test_a_run_written_out_as_a_table_comes_back_as_a_run(say: Say, suite: Path) -> None:
    assert say("run", ".", "--isolate", "shared", "--quiet").code == 0
    assert say("export", "last:careful", "csv", "out.csv").code == 0
    done = say("import", "csv", "out.csv", "--json")
    assert (done.code, done.document["rows"], done.document["refused"]) == (0, 3, [])
    assert done.document["files"] == [{"file": "out.csv", "run": done.document["run"], "rows": 3, "setups": ["careful"]}]
    assert say("show", done.document["run"], "--json").document["setups"]["careful"]["pass"] == 3


def test_fail_on_severe_fails_this_run(say: Say, suite: Path) -> None:
    assert say("run", ".", "--isolate", "shared", "--quiet", "--fail-on", "severe").code == 1
    assert say("run", ".", "--isolate", "shared", "--quiet", "--setup", "careful", "--fail-on", "severe").code == 0


@pytest.mark.parametrize("words", [("--case", "closed-for-repair"), ("--setup", "carefull"), ("--tag", "nocies")])
def test_a_mistyped_name_ends_2_and_names_the_nearest(say: Say, suite: Path, words: tuple[str, str]) -> None:
    said = say("run", ".", *words)
    assert (said.code, said.out) == (2, "")
    assert re.search("closed-for-repairs|careful|notices", said.err)


def test_a_dry_run_runs_nothing(say: Say, suite: Path) -> None:
    said = say("run", ".", "--dry-run", "--trials", "5")
    assert said.code == 0
    assert "What would be run  nothing was run" in said.out
    assert "3       15  ordinary-morning, closed-for-repairs, nothing-fits" in said.out
    assert say("show", "last").code == 2


def test_the_pages_of_a_real_run_in_chinese_hold_no_english_sentence_of_ours(say: Say, suite: Path) -> None:
    assert say("run", ".", "--isolate", "shared", "--quiet").code == 0
    page = say("show", "last", "--lang", "zh").out.split("未通过的检查")[0]
    page += say("compare", "last:hasty", "last:careful", "--lang", "zh").out
    words = re.findall(r"[a-z]{3,}(?: [a-z]{3,}){3,}", page)
    assert words == []


def test_the_new_policy_ships_the_careful_agent_and_blocks_the_hasty_one(say: Say, suite: Path) -> None:
    assert say("run", ".", "--isolate", "shared", "--quiet").code == 0
    ships = say("gate", "last", "--policy", "release.yaml", "--json")
    assert (ships.code, ships.document["decision"], ships.document["setup"]) == (0, "ship", "careful")
    blocks = say("gate", "last:hasty", "--policy", "release.yaml", "--json")
    assert (blocks.code, blocks.document["decision"]) == (1, "block")
    assert {gate["gate"] for gate in blocks.document["gates"] if gate["state"] == "fails"} == {"regression", "severe"}
    text = (suite / "suite.yaml").read_text("utf-8")
    (suite / "suite.yaml").write_text(text.replace("# policy:", "policy:"), encoding="utf-8")
    again = say("run", ".", "--isolate", "shared", "--json", "--junit", "run.xml", "--markdown", "run.md")
    suites = ElementTree.parse(suite / "run.xml").getroot().findall("testsuite")  # noqa: S314 - our own document
    assert [part.get("name", "").partition(" ")[0] for part in suites] == ["hasty", "careful", "gate"]
    assert suites[-1].find("properties/property[@name='decision'][@value='ship']") is not None
    assert "\n### May it ship?" in (suite / "run.md").read_text("utf-8")
    assert (again.code, again.document["decision"]["decision"], again.document["decision"]["attempts_before"]) == (0, "ship", 1)


def test_a_decision_is_added_to_the_end_of_a_step_summary(say: Say, suite: Path) -> None:
    say("run", ".", "--isolate", "shared", "--quiet")
    summary = suite / "summary.md"
    summary.write_text("before\n\n", encoding="utf-8")
    assert say("gate", "last", "--policy", "release.yaml", "--markdown", "summary.md", "--junit", "gate.xml").code == 0
    assert summary.read_text("utf-8").startswith("before\n\n\n### May it ship?")
    root = ElementTree.parse(suite / "gate.xml").getroot()  # noqa: S314 - our own document
    assert [test.get("name") for test in root.iter("testcase")][1] == "severe: 0"


def test_what_ci_runs_decides_a_fresh_suite_and_one_with_a_regression_case_that_the_baseline_fails(say: Say, suite: Path) -> None:
    def ci() -> tuple[int, int]:
        return say("run", ".", "--quiet", "--isolate", "shared").code, say("gate", "last", "--policy", "release.yaml").code

    assert ci() == (0, 0)
    cases = [json.loads(line) for line in (suite / "cases.jsonl").read_text().splitlines()]
    (suite / "cases.jsonl").write_text("".join(json.dumps({**case, "library": "regression"}) + "\n" for case in cases))
    policy = suite / "release.yaml"
    policy.write_text(policy.read_text().replace("gates:\n", "gates:\n  - {regression: all}\n", 1))
    assert ci() == (0, 0)
