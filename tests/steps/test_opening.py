"""What cannot be opened before a run: told with the line that names it, what was allowed, and the mend."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairtrial
from fairtrial import workflow
from fairtrial.records.errors import InputError
from fairtrial.steps.checking import check_suite

CASE: dict[str, Any] = {
    "id": "a",
    "task": "Say ok.",
    "must": [{"output": "$", "equals": "ok"}],
    "must_not": [{"output": "$", "equals": "no"}],
}
AGENTS = "def clerk(brief, desk):\n    return 'ok'\n"


def suite(folder: Path, world: str = "json", setup: str = '{agent: "agents_opening:clerk"}', **case: Any) -> str:
    (folder / "agents_opening.py").write_text(AGENTS)
    (folder / "cases.jsonl").write_text("\n" + json.dumps({**CASE, **case}))
    (folder / "suite.yaml").write_text(f"name: s\ncases: cases.jsonl\nworld: {world}\nsetups:\n  one: {setup}\n")
    return str(folder)


def refused(folder: str, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        fairtrial.run(folder, **options)
    return caught.value


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    (folder / "a.txt").write_text("a")
    for words in (["init", "-q", "-b", "main"], ["add", "a.txt"], ["commit", "-q", "-m", "a"], ["tag", "release-1"]):
        who = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgSign=false"]
        subprocess.run(["git", "-C", str(folder), *who, *words], check=True)
    return folder


@pytest.mark.parametrize(("commit", "mend"), [("relase-1", "did you mean 'release-1'?"), ("v9", "name a tag, a branch or a commit")])
def test_a_commit_that_is_not_there_is_told_with_those_that_are(tmp_path: Path, repository: Path, commit: str, mend: str) -> None:
    folder = suite(tmp_path, f"{{kind: files, from: {repository}, commit: {commit}}}")
    error = refused(folder)
    assert (error.place or "").endswith("suite.yaml:3")
    assert (error.value, error.allowed) == (commit, "main, release-1")
    assert (error.mend or "").startswith(mend)
    (finding,) = [one for one in check_suite(folder).findings if one.code == "cannot_open"]
    assert (finding.line, finding.message) == (3, error.what) and finding.mend.startswith(mend)


def test_a_folder_that_is_no_repository_has_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "files").mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    error = refused(suite(tmp_path, "{kind: files, from: files, commit: v1}"))
    assert "suite.yaml:3" in str(error) and "a git repository" in str(error) and "mend: " in str(error)


@pytest.mark.parametrize(
    ("world", "setup", "line", "mend"),
    [
        ('"worlds:Ledger"', '{agent: "agents_opening:clerk"}', 3, "write worlds.py in the suite's folder, or install it"),
        ("json", '{agent: "agents_openin:clerk"}', 5, "did you mean agents_opening:clerk?"),
        ("json", '{agent: "agents_opening:CLERK_1"}', 5, "write CLERK_1 there, or name what is there"),
        ("json", '{agent: "agents_opening:clerk", tools: [read]}', 5, "add tools: tools.py"),
    ],
)
def test_what_a_suite_names_and_nobody_can_open_is_told_with_its_line(tmp_path: Path, world: str, setup: str, line: int, mend: str) -> None:
    error = refused(suite(tmp_path, world, setup))
    assert (error.place or "").endswith(f"suite.yaml:{line}")
    assert error.value is not None and error.mend == mend


def test_the_model_of_a_user_is_told_with_the_line_of_its_case(tmp_path: Path) -> None:
    folder = suite(tmp_path, user={"model": "python:agents_opening:nobody"})
    error = refused(folder)
    assert (error.place or "").endswith("cases.jsonl:2") and "has no 'nobody'" in error.what
    (finding,) = [one for one in check_suite(folder).findings if one.code == "cannot_open"]
    assert (finding.case, finding.line) == ("a", 2)


def test_a_case_that_a_run_does_not_have_is_named_before_its_setups_are_asked_for(tmp_path: Path) -> None:
    folder = suite(tmp_path, setup='{agent: "agents_opening:clerk"}\n  two: {agent: "agents_opening:clerk"}', id="save-silent")
    store = str(tmp_path / "store.db")
    fairtrial.run(folder, store=store)
    asks: list[Callable[[], Any]] = [
        lambda: workflow.show_case(store, "last", "save-silnt"),
        lambda: workflow.show_trial(store, "last", "save-silnt", 1),
    ]
    for ask in asks:
        with pytest.raises(InputError, match="has no case 'save-silnt'") as caught:
            ask()
        assert caught.value.mend == "did you mean 'save-silent'?"
