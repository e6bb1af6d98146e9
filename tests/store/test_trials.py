"""Trials and grades of a store: written once, read as they were written, graded again beside the old grades."""

import pytest

from fairtrial.records.errors import InputError, StoreError
from fairtrial.records.trial import Ending, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.store.codec import read_body, write_body
from fairtrial.store.sql import Store, Written
from tests.store import samples

KEY = TrialKey("case-0", "single", 1)


@pytest.fixture
def run(store: Store) -> str:
    store.create_run("r-1", samples.manifest(), {})
    return "r-1"


def test_a_trial_comes_back_whole(store: Store, run: str) -> None:
    head, body_json, card = samples.row(KEY)
    assert store.write_batch(run, [(head, body_json, card)]) == Written(1, [])
    trial = store.trial(run, KEY)
    assert trial.head == head
    assert trial.body == read_body(body_json)
    assert list(store.rows(run)) == [(head, card)]
    assert list(store.bodies(run)) == [(head, trial.body)]
    assert store.scorecard(run, KEY) == card


def test_a_trial_is_written_once_and_the_first_record_stands(store: Store, run: str) -> None:
    other = TrialKey("case-1", "team", 2)
    store.write_batch(run, [samples.row(KEY, Verdict.FAIL)])
    written = store.write_batch(run, [samples.row(other), samples.row(KEY), samples.row(other, Verdict.FAIL)])
    assert written == Written(1, [KEY, other])
    assert {head.key: card.verdict for head, card in store.rows(run) if card} == {KEY: Verdict.FAIL, other: Verdict.PASS}
    (line,) = store.runs()
    assert (line.passed, line.fail, line.unknown, line.not_run) == (1, 1, 0, 22)


def test_what_was_not_planned_has_no_place(store: Store, run: str) -> None:
    for key in (TrialKey("case-9", "single", 1), TrialKey("case-0", "crowd", 1)):
        with pytest.raises(StoreError, match="the run has no"):
            store.write_batch(run, [samples.row(KEY), samples.row(key)])
    assert store.keys_done(run) == set()


def test_a_trial_that_is_not_there_is_an_error_that_names_it(store: Store, run: str) -> None:
    with pytest.raises(InputError, match="no attempt 3 of case 'case-0' in setup 'single'"):
        store.trial(run, TrialKey("case-0", "single", 3))
    with pytest.raises(StoreError, match="no case 'case-O'") as error:
        store.trial(run, TrialKey("case-O", "single", 1))
    assert "did you mean" in str(error.value)
    assert store.scorecard(run, KEY) is None


def test_runs_do_not_see_each_others_trials(store: Store, run: str) -> None:
    store.create_run("r-2", samples.manifest(), {})
    store.write_batch(run, [samples.row(KEY)])
    store.write_batch("r-2", [samples.row(key) for key in store.run("r-2").manifest.trial_keys()])
    store.write_batch(run, [samples.row(TrialKey("case-3", "team", 3))])
    assert len(list(store.rows(run))) == 2
    assert len(list(store.rows("r-2"))) == 24
    assert len(store.keys_done("r-2")) == 24


def test_errors_of_the_harness_are_not_done_and_stay_as_history(store: Store, run: str) -> None:
    spoilt, cut = TrialKey("case-1", "single", 1), TrialKey("case-2", "single", 1)
    batch = [
        samples.row(KEY, Verdict.FAIL, ending=Ending.TIMEOUT),
        samples.row(spoilt, Verdict.UNKNOWN, ending=Ending.PROVIDER_OUTAGE),
        samples.row(cut, Verdict.UNKNOWN, ending=Ending.INTERRUPTED),
    ]
    store.write_batch(run, batch)
    assert store.keys_done(run) == {KEY, spoilt, cut}
    assert store.keys_done(run, faulted=False) == {KEY}
    assert store.set_aside(run, [spoilt, cut, TrialKey("case-3", "single", 1)]) == 2
    assert store.keys_done(run) == {KEY}
    store.write_batch(run, [samples.row(spoilt)])
    assert [head.ending for head in store.tries(run)] == [Ending.PROVIDER_OUTAGE, Ending.INTERRUPTED]
    (line,) = store.runs()
    assert (line.passed, line.fail, line.unknown, line.not_run) == (1, 1, 0, 22)
    assert len(list(store.rows(run))) == 2


def test_attempts_that_the_harness_repeated_are_no_trials(store: Store, run: str) -> None:
    head = samples.head(KEY, Ending.WORKER_LOST, note="the worker was killed")
    store.write_tries(run, [(head, write_body(samples.body()))])
    store.write_batch(run, [samples.row(KEY, tries=2)])
    assert list(store.tries(run)) == [head]
    assert [(head.key, head.tries) for head, _ in store.rows(run)] == [(KEY, 2)]
    assert store.runs()[0].not_run == 23


def test_a_new_grading_lies_beside_the_old_one_and_is_the_one_read(store: Store, run: str) -> None:
    others = [TrialKey("case-0", "single", 2), TrialKey("case-0", "single", 3)]
    store.write_batch(run, [samples.row(KEY, Verdict.FAIL), samples.row(others[0]), samples.row(others[1], None)])
    assert (store.runs()[0].passed, store.runs()[0].fail, store.runs()[0].unknown) == (1, 1, 1)
    absent = (TrialKey("case-3", "team", 1), samples.card())
    graded = [(KEY, samples.card(Verdict.PASS, "g2")), (others[1], samples.card(Verdict.FAIL, "g2")), absent]
    assert store.write_grades(run, "g2", graded) == 2
    assert [card and (card.verdict, card.grader) for _, card in store.rows(run)] == [("PASS", "g2"), ("PASS", "g1"), ("FAIL", "g2")]
    assert (store.runs()[0].passed, store.runs()[0].fail, store.runs()[0].unknown) == (2, 1, 0)
    assert store.versions(run) == ["g1", "g2"]
    store.write_grades(run, "g2", [(KEY, samples.card(Verdict.UNKNOWN, "g2"))])
    assert (store.runs()[0].passed, store.runs()[0].fail, store.runs()[0].unknown) == (1, 1, 1)
    assert store.trial(run, KEY).body == samples.body()


def test_a_reading_sees_one_moment_while_others_write(store: Store, run: str) -> None:
    keys = store.run(run).manifest.trial_keys()
    store.write_batch(run, [samples.row(key) for key in keys[:5]])
    rows = store.rows(run)
    next(rows)
    store.write_batch(run, [samples.row(key) for key in keys[5:]])
    assert len(list(rows)) == 4
    assert len(list(store.rows(run))) == len(keys)


def test_an_empty_batch_writes_nothing(store: Store, run: str) -> None:
    assert store.write_batch(run, []) == Written(0, [])
    assert store.write_grades(run, "g1", []) == 0


def test_three_trials_of_two_cases_are_six_rows(store: Store) -> None:
    store.create_run("r-6", samples.manifest(cases=2, attempts=3, setups=("single",)), {})
    store.write_batch("r-6", [samples.row(key) for key in store.run("r-6").manifest.trial_keys()])
    assert len(list(store.rows("r-6"))) == len(list(store.bodies("r-6"))) == len(store.keys_done("r-6")) == 6
