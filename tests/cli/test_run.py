"""`fairtrial run`: what it asks the workflow, what it ends with, and the reports beside the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.run import worse
from fairtrial.records.errors import InputError, InvalidExperiment

Say = Callable[..., Any]
Make = Callable[..., Any]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fairtrial.store.location.find_store", lambda start, given=None: given or f"sqlite:///{start}")
    return tmp_path


def test_every_option_reaches_the_workflow(say: Say, face: Any, make_outcome: Make) -> None:
    face.does("run", make_outcome())
    chosen = ["--setup", "a", "--setup", "b", "--case", "c", "--tag", "t", "--tier", "e2e", "--library", "regression", "--trials", "3"]
    more = [
        "--jobs",
        "4",
        "--isolate",
        "fork",
        "--allow-unfair",
        "--dry-run",
        "-k",
        "x and y",
        "-x",
        "--lf",
        "--resume",
        "r",
        "--seed",
        "9",
    ]
    assert say("run", "s", *chosen, *more, "--store", "sqlite:///u").code == 0
    _, (suite, options), _ = face.calls[-1]
    assert suite == "s"
    assert options == face.RunOptions(
        setups=("a", "b"), cases=("c",), tags=("t",), tier="e2e", library="regression", expression="x and y", trials=3, jobs=4,
        isolate="fork", allow_unfair=True, dry_run=True, fail_fast=True, last_failed=True, resume="r", seed=9, store="sqlite:///u",
    )  # fmt: skip


@pytest.mark.parametrize("file", ["suite.yaml", "suite.yml", "suite.json"])
@pytest.mark.parametrize("words", [(), ("--lf",), ("--dry-run",)])
def test_in_the_folder_of_a_suite_the_suite_may_be_left_out(
    say: Say, face: Any, make_outcome: Make, here: Path, file: str, words: tuple[str, ...]
) -> None:
    face.does("run", make_outcome())
    assert "which suite?" in say("run", *words).err
    (here / file).touch()
    assert say("run", *words).code == 0
    assert [call[1][0] for call in face.calls] == ["."]


def test_a_run_that_is_resumed_takes_no_suite_from_where_it_is_typed(say: Say, face: Any, make_outcome: Make, here: Path) -> None:
    (here / "suite.yaml").touch()
    face.does("run", make_outcome())
    assert say("run", "--resume", "r").code == 0
    assert face.calls[-1][1][0] is None


@pytest.mark.parametrize("code", [0, 3, 4, 130])
@pytest.mark.parametrize("form", [(), ("--json",), ("--quiet",)])
def test_the_exit_code_is_the_runs_whatever_the_form(say: Say, face: Any, make_outcome: Make, code: int, form: tuple[str, ...]) -> None:
    face.does("run", make_outcome(exit_code=code))
    assert say("run", "s", *form).code == code


FAILING = {"fail": 1, "passed": 0}


@pytest.mark.parametrize(
    ("changes", "fail_on", "code"),
    [
        ({}, ["fail", "unknown", "severe"], 0),
        (FAILING, [], 0),
        (FAILING, ["fail"], 1),
        (FAILING, ["unknown"], 0),
        ({"unknown": 1}, ["unknown"], 1),
        ({"unknown": 1}, ["fail"], 0),
        ({"severe": 2}, ["severe"], 1),
        ({"severe": 2}, ["fail", "severe"], 1),
    ],
)
def test_fail_on_makes_its_verdict_count(
    say: Say, face: Any, make_outcome: Make, changes: dict[str, int], fail_on: list[str], code: int
) -> None:
    face.does("run", make_outcome(**changes))
    options = [word for name in fail_on for word in ("--fail-on", name)]
    assert say("run", "s", *options).code == code


def test_a_verdict_decides_over_work_left_undone_but_not_over_an_invalid_or_interrupted_run() -> None:
    assert [worse(code, fails=True) for code in (0, 1, 2, 3, 4, 130)] == [1, 1, 2, 1, 4, 130]
    assert [worse(code, fails=False) for code in (0, 3, 4, 130)] == [0, 3, 4, 130]


def test_an_unfair_match_ends_4_and_names_the_difference(say: Say, face: Any) -> None:
    face.does("run", InvalidExperiment("an unfair match: tools differ", mend="--allow-unfair carries it"))
    code, out, err = say("run", "s")
    assert (code, out) == (4, "")
    assert "tools differ" in err and "--allow-unfair" in err


def test_a_mistyped_case_ends_2_and_nothing_is_run(say: Say, face: Any) -> None:
    face.does("run", InputError("no case matches direct-anwser, did you mean direct-answer?"))
    assert say("run", "s", "--case", "direct-anwser") == (2, "", "no case matches direct-anwser, did you mean direct-answer?\n")


def test_reports_are_written_beside_the_page(say: Say, face: Any, make_outcome: Make, make_run_report: Make, here: Path) -> None:
    face.does("run", make_outcome())
    face.does("export", "<testsuites/>")
    face.does("show_run", make_run_report())
    assert say("run", "s", "--junit", "out.xml", "--markdown", "out.md").code == 0
    assert (here / "out.xml").read_text() == "<testsuites/>"
    assert (here / "out.md").read_text().startswith("<code>s</code>")


@pytest.mark.parametrize(("ended", "code"), [(0, 2), (3, 3), (4, 4), (130, 130)])
def test_a_report_that_cannot_be_written_only_makes_the_code_worse(say: Say, face: Any, make_outcome: Make, ended: int, code: int) -> None:
    face.does("run", make_outcome(exit_code=ended))
    face.does("export", "<testsuites/>")
    said = say("run", "s", "--json", "--junit", "no/such/folder/out.xml")
    assert said.code == code
    assert "the junit report was not written: no/such/folder/out.xml: cannot be written" in said.err
    assert said.document["run"] == "r1"


def test_a_failed_gate_stays_failed_when_its_report_cannot_be_written(say: Say, face: Any, make_outcome: Make) -> None:
    face.does("run", make_outcome(**FAILING))
    face.does("export", "x")
    assert say("run", "s", "--fail-on", "fail", "--junit", "no/such/folder/out.xml").code == 1


def test_the_last_line_names_the_store_where_it_would_not_be_found_from_here(say: Say, face: Any, make_outcome: Make) -> None:
    face.does("run", make_outcome())
    assert say("run", "elsewhere/suite.yaml").out.splitlines()[-1].endswith("--store sqlite:///elsewhere/suite.yaml")
    assert "--store" not in say("run", ".").out


def test_a_dry_run_shows_the_plan(say: Say, face: Any, make_outcome: Make) -> None:
    face.does("run", make_outcome(status="planned"))
    assert "What would be run  nothing was run" in say("run", "s", "--dry-run").out


def test_quiet_leaves_the_page_and_drops_progress(say: Say, face: Any, make_outcome: Make) -> None:
    face.does("run", make_outcome())
    assert say("run", "s", "--quiet").out == say("run", "s").out
    assert say("run", "s", "--quiet").err == ""
