"""The recorded retail runs, done again call by call on our own world: do our grades say what was published?

Nothing here knows a file's name or how many runs there are; what is held is a share of whatever the folder has.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import fairtrial as ft
from fairtrial.records.grade import Scorecard
from fairtrial.records.strictjson import encode, loads
from fairtrial.records.trace import Span
from fairtrial.records.trial import Trial, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.steps.reading import open_store
from fairtrial.store.sql import Store
from fairtrial.worlds.tools import Tool
from tests.real.conftest import MakeSuite
from tests.real.retail_world import Tables
from tests.real.tau2_cases import act
from tests.real.tau2_replay import Recording

AGREE = 78 / 80


class Replayed(NamedTuple):
    """One recorded trial, and what became of it here."""

    recording: Recording
    trial: Trial
    card: Scorecard

    @property
    def task(self) -> str:
        return self.trial.head.key.case

    @property
    def published(self) -> dict[str, Any]:
        reward: dict[str, Any] = self.recording.simulations[self.task]["reward_info"]
        return reward

    def verdict(self, check: str) -> Verdict:
        return next(grade.verdict for grade in self.card.grades if grade.check.startswith(check))


class Replay(NamedTuple):
    runs: list[Replayed]
    seconds: float


@pytest.fixture(scope="module", params=["fork", "shared"])
def replay(
    request: pytest.FixtureRequest, recorded: list[Recording], retail_suite: MakeSuite, tmp_path_factory: pytest.TempPathFactory
) -> Replay:
    """Every run of the domain through the real harness: a setup for each file, a case for each task."""
    setups = {recording.name: f"replaying({str(recording.file)!r})" for recording in recorded}
    folder = retail_suite(tmp_path_factory.mktemp("replay"), tasks_of(recorded), setups)
    begun = time.monotonic()
    report = ft.run(folder, isolate=request.param)
    seconds = time.monotonic() - begun
    with open_store(str(folder), None, create=False) as store:
        return Replay([_read(store, report.run, recording, task) for recording in recorded for task in recording.simulations], seconds)


def tasks_of(recorded: list[Recording]) -> list[dict[str, Any]]:
    return list({name: task for recording in recorded for name, task in recording.tasks.items()}.values())


def _read(store: Store, run: str, recording: Recording, task: str) -> Replayed:
    key = TrialKey(task, recording.name, 1)
    card = store.scorecard(run, key)
    assert card is not None
    return Replayed(recording, store.trial(run, key), card)


def share(held: Sequence[bool]) -> float:
    return sum(held) / len(held)


def told(span: Span) -> Any:
    """What a call was answered, an error as the recordings write it."""
    return f"Error: {span.error['message']}" if span.error else span.attributes["result"]


def test_our_end_state_grade_says_what_was_published(replay: Replay) -> None:
    comparable = [run for run in replay.runs if run.published["db_check"] is not None]
    published = [run.published["db_check"]["db_match"] for run in comparable]
    assert {True, False} <= set(published), "both ways, or agreement says little"
    assert share([(run.verdict("expect_state") is Verdict.PASS) is met for run, met in zip(comparable, published, strict=True)]) >= AGREE


def test_our_tools_answer_what_theirs_answered(replay: Replay) -> None:
    alike = []
    for run in replay.runs:
        spans = [span for span in run.trial.body.spans if span.kind == "tool"]
        for span, (call, text, error) in zip(spans, run.recording.answers(run.task), strict=True):
            assert (span.name, span.attributes["args"]) == (call["name"], call["arguments"])
            alike.append(told(span) == (text if error or isinstance(told(span), str) else loads(text)))
    assert share(alike) >= 0.99


def test_with_what_was_said_the_verdict_is_the_published_reward(replay: Replay) -> None:
    assert share([(run.card.verdict is Verdict.PASS) is (run.published["reward"] == 1.0) for run in replay.runs]) >= AGREE
    assert all(run.card.verdict is not Verdict.UNKNOWN for run in replay.runs)


def test_each_thing_to_be_said_is_found_as_it_was_published(replay: Replay) -> None:
    pairs = [
        (run.verdict(f"says {check['info']}") is Verdict.PASS, check["met"])
        for run in replay.runs
        for check in run.published["communicate_checks"] or ()
    ]
    assert pairs
    assert share([found is met for found, met in pairs]) >= 0.99


def test_each_call_of_the_reference_is_found_as_it_was_published(replay: Replay) -> None:
    pairs = [
        (run.card.subtasks[check["action"]["action_id"]] is Verdict.PASS, check["action_match"])
        for run in replay.runs
        for check in run.published["action_checks"] or ()
    ]
    assert {met for _, met in pairs} == {True, False}
    assert share([found is met for found, met in pairs]) >= 0.99


def test_what_changed_beyond_the_expected_records_is_named(replay: Replay) -> None:
    strays = [run for run in replay.runs if run.verdict("changes") is Verdict.FAIL]
    assert strays
    assert all(run.verdict("expect_state") is Verdict.FAIL for run in strays)
    named = [
        grade.evidence.path or "" for run in strays for grade in run.card.grades if grade.check.startswith("changes") and grade.evidence
    ]
    assert len(named) == len(strays) and all(path.startswith(("orders.", "users.")) for path in named)


def test_all_runs_are_done_again_in_seconds_and_kept_small(replay: Replay) -> None:
    assert replay.seconds < 0.25 * len(replay.runs)
    assert all(len(encode(run.trial.body.before)) < 200 for run in replay.runs), "the tables are named, not copied"


def test_an_agent_that_leaves_out_its_last_change_is_found(recorded: list[Recording], retail_suite: MakeSuite, tmp_path: Path) -> None:
    recording = recorded[0]
    setups = {"forgetful": f"replaying({str(recording.file)!r}, forgetful=True)"}
    report = ft.run(retail_suite(tmp_path, list(recording.tasks.values()), setups))
    right = {task for task, entry in recording.simulations.items() if entry["reward_info"]["db_check"]["db_match"]}
    found = {case.id for case in report.cases if any(failed["check"] == "expect_state" for failed in case.failed)}
    changing = {task for task in right if recording.last_change(task)}
    assert changing <= found
    assert not (right - changing) & found


def test_no_trial_changes_the_tables_that_all_start_from(retail: Tables, shop: dict[str, Tool], recorded: list[Recording]) -> None:
    before = encode(retail.start)
    for recording in recorded:
        for task in recording.simulations:
            act((call for call, _, _ in recording.answers(task)), shop, retail.open().live)
    assert encode(retail.start) == before
