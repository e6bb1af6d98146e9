"""`use` as it is typed: its page, its document, its schema, its errors, and an interruption that is finished later."""

import json
import shlex
from pathlib import Path

import pytest

from fairtrial.cases.schema import schema
from fairtrial.records.trial import TrialKey
from fairtrial.steps.reading import open_store
from tests.steps.project import fairtrial
from tests.steps.using import use_project


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return use_project(tmp_path_factory.mktemp("use") / "suite")


def test_the_page_tells_the_three_grades_and_the_verdict(folder: Path) -> None:
    said = fairtrial("use", ".", "--setup", "liar", "--fact", "days", folder=folder)
    assert said.returncode == 0, said.stderr
    page = " ".join(said.stdout.split())
    assert "scout: replayed from run" in page and "acting again: lead" in page
    assert "declared but not used" in page and "4 → 0 5/5 5/5 0/5" in page
    assert "lead does not seem to use days: changed on its way, no use shown" in page
    assert said.stdout.strip().splitlines()[-1].startswith("next, walk an altered trial: fairtrial replay ")


def test_the_page_in_chinese_leaves_no_sentence_of_ours_in_english(folder: Path) -> None:
    for setup in ("liar", "silent", "crashing", "ringing"):
        said = fairtrial("use", ".", "--setup", setup, "--fact", "days", "--how", "hide", "--lang", "zh", folder=folder)
        page = " ".join(said.stdout.split())
        for word in ("decision", "declared", "cannot", "altered", "interval", "replayed"):
            assert word not in page, (setup, word, page)


def test_the_document_has_the_keys_of_its_schema(folder: Path) -> None:
    said = fairtrial("use", ".", "--setup", "user", "--fact", "days", "--json", folder=folder)
    document = json.loads(said.stdout)
    made = schema("use")
    assert set(document) == set(made["$defs"]["UseReport"]["properties"])
    assert document["facts"] == {"days": "used"} and document["says"].startswith("lead uses days")
    assert document["shifts"][0]["reasons"] == {} and document["cost_usd"] == "0.40"


def test_the_command_named_last_works(folder: Path) -> None:
    said = fairtrial("use", ".", "--setup", "user", "--fact", "days", "--trials", "2", folder=folder)
    shown = said.stdout.strip().splitlines()[-1].partition(": fairtrial ")[2]
    replay = fairtrial(*shlex.split(shown), folder=folder)
    assert replay.returncode == 0 and "received" in replay.stdout


def test_bad_words_end_2_and_say_what_would_do(folder: Path) -> None:
    for words, told in (
        (("--setup", "usr", "--fact", "days"), "did you mean 'user'?"),
        (("--setup", "user", "--fact", "dys"), "did you mean 'days'?"),
        (("--setup", "user", "--fact", "days", "--how", "chnge"), "did you mean 'change'?"),
        (("--setup", "user", "--fact", "days", "--value", "{"), "not valid JSON"),
        (("--setup", "single", "--fact", "days"), "has no roles"),
    ):
        said = fairtrial("use", ".", *words, folder=folder)
        assert said.returncode == 2 and told in said.stderr, said.stderr


def test_what_was_interrupted_is_finished_and_nothing_is_run_twice(folder: Path) -> None:
    whole = json.loads(fairtrial("use", ".", "--setup", "silent", "--fact", "days", "--json", folder=folder).stdout)
    with open_store(str(folder), None) as store:
        gone = TrialKey("case-1", "silent ? days changed", 1)
        kept = store.trial(whole["run"], TrialKey("case-1", "silent ? days changed", 2)).head.started_ns
        store.set_aside(whole["run"], [gone])
        store.finish_run(whole["run"], "interrupted")
    again = json.loads(
        fairtrial("use", ".", "--setup", "silent", "--fact", "days", "--resume", whole["run"], "--json", folder=folder).stdout
    )
    assert (again["run"], again["trials"], again["shifts"]) == (whole["run"], whole["trials"], whole["shifts"])
    with open_store(str(folder), None) as store:
        assert store.trial(whole["run"], TrialKey("case-1", "silent ? days changed", 2)).head.started_ns == kept
