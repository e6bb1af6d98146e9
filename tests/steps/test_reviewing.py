"""The queue, the labels and the truth: one item for one content, nothing counted twice, nothing lost, nothing told too early."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial import workflow
from fairtrial.records.label import SETTLES, Asks, Label
from fairtrial.records.review import Added, Queued
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.steps.options import RunOptions
from fairtrial.steps.reviewing import Asked, build, items, truth
from fairtrial.store.sql import Store
from fairtrial.study.settled import is_done
from tests.steps.project import make_project


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return make_project(tmp_path / "suite", cases=3, trials=2)


def run(place: Path, **options: Any) -> str:
    return workflow.run(str(place), RunOptions(isolate="shared", **options)).report.run


def opened(place: Path) -> Store:
    return Store.open(place / ".fairtrial" / "store.db")


def said(item: str, rater: str, label: str, **more: Any) -> Label:
    return Label(item=item, rater=rater, label=Verdict(label), **more)


def item_of(store: Store, case: str, run_id: str = "last") -> str:
    found = build(store, Asked(reference=run_id, sample=100))
    return next(one.item for one in found.items if one.case == case)


def test_a_thing_queued_twice_is_one_item_and_one_that_is_done_is_opened_as_another_round(place: Path, shared: Path) -> None:
    """H02: adds of trace-1, trace-2, trace-1, then trace-1 done, then trace-1 again: two items, one of them in round 2."""
    run(place)
    names = {"trace-1": "case-1", "trace-2": "case-2"}
    with opened(place) as store:
        told = []
        for line in (shared / "known-faults/inputs/H02_queue_adds.jsonl").read_text(encoding="utf-8").splitlines():
            act = json.loads(line)
            if "add" in act:
                told.append(_added(store, names[act["add"]]))
            else:
                item = next(line.item for line in store.labels.lines() if line.key.case == names[act["done"]])
                assert store.labels.give(said(item, "ann", "PASS"))
                assert store.labels.give(said(item, "ben", "PASS"))
        rounds = store.labels.rounds()
    assert sorted(rounds.values()) == [1, 2]
    assert told == [Added(added=1), Added(added=1), Added(open=1), Added(reopened=1)]


def _added(store: Store, case: str) -> Added:
    stored = store.run("last")
    entries = [
        Queued(item=one.item, asks=one.asks, question="trial", reason="risk", run=stored.id, key=one.head.key)
        for one in items(store, stored, "trial")
        if one.head.key.case == case
    ]
    return store.labels.queue(entries, "somebody", is_done, again=True)


def test_truth_is_what_people_agree_on_or_what_a_third_settled(place: Path) -> None:
    run_id = run(place)
    with opened(place) as store:
        assert truth(store, run_id) == {}
        one, two, three = (item_of(store, f"case-{n}") for n in (1, 2, 3))
        for item, labels in {one: ("PASS", "PASS"), two: ("PASS", "FAIL"), three: ("FAIL", "PASS")}.items():
            for rater, label in zip(("ann", "ben"), labels, strict=True):
                assert store.labels.give(said(item, rater, label))
        assert store.labels.give(said(three, "cleo", "FAIL", role=SETTLES))
        found = truth(store, run_id)
    assert found == {
        TrialKey("case-1", "honest", 1): Verdict.PASS,
        TrialKey("case-1", "honest", 2): Verdict.PASS,
        TrialKey("case-2", "honest", 1): None,
        TrialKey("case-2", "honest", 2): None,
        TrialKey("case-3", "honest", 1): Verdict.FAIL,
        TrialKey("case-3", "honest", 2): Verdict.FAIL,
    }


def test_labels_outlive_grading_and_running_again_and_nothing_that_changes_the_trial_or_its_question(place: Path) -> None:
    first = run(place)
    with opened(place) as store:
        item = item_of(store, "case-1")
        assert store.labels.give(said(item, "ann", "PASS"))
        assert store.labels.give(said(item, "ben", "PASS"))
    workflow.grade(None, first, str(place), start=str(place))
    second = run(place)
    rows = [json.loads(line) for line in (place / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    rows[0]["task"] += ", please"
    (place / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    third = run(place)
    with opened(place) as store:
        kept = {TrialKey("case-1", "honest", n): Verdict.PASS for n in (1, 2)}
        assert (truth(store, first), truth(store, second), truth(store, third)) == (kept, kept, {})


def test_a_second_word_of_the_same_person_asks_which_stands_and_loses_neither(place: Path) -> None:
    run(place)
    with opened(place) as store:
        item = item_of(store, "case-1")
        assert store.labels.give(said(item, "ann", "PASS", saw=0))
        assert not store.labels.give(said(item, "ann", "PASS", saw=0))
        with pytest.raises(Asks) as asks:
            store.labels.give(said(item, "Ann ", "FAIL", saw=0))
        assert (asks.value.given.label, asks.value.stands and asks.value.stands.label) == (Verdict.FAIL, Verdict.PASS)
        assert store.labels.give(said(item, "ann", "FAIL", saw=0), replace=True)
        first, second = store.labels.given()[item]
    assert (first.label, second.label, second.replaces) == (Verdict.PASS, Verdict.FAIL, first.token)
