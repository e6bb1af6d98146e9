"""The queue, the labels and the truth: one item for one content, nothing counted twice, nothing lost, nothing told too early."""

import json
import multiprocessing
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from fairtrial import workflow
from fairtrial.records.errors import InputError
from fairtrial.records.label import SETTLES, Asks, Label
from fairtrial.records.review import Added, Queued
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.steps import waiting
from fairtrial.steps.labelling import send, take
from fairtrial.steps.options import RunOptions
from fairtrial.steps.reviewing import Asked, build, items, status, truth
from fairtrial.steps.sitting import Sitting
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


def both(store: Store, item: str, one: str, two: str, **more: Any) -> None:
    assert store.labels.give(said(item, "ann", one, **more))
    assert store.labels.give(said(item, "ben", two, **more))


def test_nobody_is_both_of_the_two_and_nobody_settles_their_own(place: Path) -> None:
    run(place)
    with opened(place) as store:
        item = item_of(store, "case-1")
        with pytest.raises(InputError, match="before 2 people"):
            store.labels.give(said(item, "cleo", "PASS", role=SETTLES))
        both(store, item, "PASS", "FAIL")
        with pytest.raises(Asks):
            store.labels.give(said(item, " ANN", "FAIL"))
        with pytest.raises(InputError, match="their own label"):
            store.labels.give(said(item, "Ben", "PASS", role=SETTLES))
        assert store.labels.give(said(item, "cleo", "PASS", role=SETTLES))
        with pytest.raises(InputError, match="has seen all"):
            store.labels.give(said(item, "cleo", "PASS"))
        with pytest.raises(InputError, match="no such item"):
            store.labels.give(said("elsewhere", "ann", "PASS"))


def test_a_label_about_an_earlier_round_asks_and_the_earlier_labels_stay_as_history(place: Path) -> None:
    run_id = run(place)
    with opened(place) as store:
        item = item_of(store, "case-1")
        both(store, item, "PASS", "PASS")
        assert build(store, Asked(reference="last", case="case-1", sample=100)).added == Added()
        found = build(store, Asked(reference="last", case="case-2", again=True))
        assert (found.added, found.unopened) == (Added(open=1), True) and "Nothing was opened again" in found.says
        found = build(store, Asked(reference="last", case="case-1", again=True))
        assert (found.added, found.unopened) == (Added(reopened=1), False)
        assert truth(store, run_id) == {}
        with pytest.raises(Asks, match="opened again"):
            store.labels.give(said(item, "cleo", "PASS", round=1, saw=0))
        both(store, item, "FAIL", "FAIL", round=2, saw=0)
        assert [one.round for one in store.labels.given()[item]] == [1, 1, 2, 2]
        assert set(truth(store, run_id).values()) == {Verdict.FAIL}


def _label_from_another_process(path: str, item: str, rater: str, start: Any) -> None:
    with Store.open(path) as store:
        start.wait(60)
        for _ in range(3):
            with suppress(Asks):
                store.labels.give(said(item, rater, "PASS" if rater == "ann" else "FAIL", saw=0))


def test_two_processes_at_once_keep_one_label_of_each_person(place: Path) -> None:
    """H03: the second reviewer overwrites nothing."""
    run(place)
    with opened(place) as store:
        item = item_of(store, "case-1")
    context = multiprocessing.get_context("spawn")
    start = context.Event()
    path = str(place / ".fairtrial" / "store.db")
    people = [context.Process(target=_label_from_another_process, args=(path, item, rater, start)) for rater in ("ann", "ben", "ann")]
    for one in people:
        one.start()
    start.set()
    for one in people:
        one.join(100)
        assert one.exitcode == 0
    with opened(place) as store:
        assert sorted((label.rater, label.label.value) for label in store.labels.given()[item]) == [("ann", "PASS"), ("ben", "FAIL")]


def test_two_reviewers_of_the_handed_file_both_keep_their_labels(place: Path, shared: Path) -> None:
    """H03: i1 has a label of each person; of i2 the second bulk label asks, and with replace both stand in the history."""
    run(place)
    words = {"pass": "PASS", "fail": "FAIL", "tone": "PASS", "facts": "FAIL"}
    asked = []
    with opened(place) as store:
        names = {"i1": item_of(store, "case-1"), "i2": item_of(store, "case-2")}
        for line in (shared / "known-faults/inputs/H03_two_reviewers.jsonl").read_text(encoding="utf-8").splitlines():
            act = json.loads(line)
            label = said(names[act["item"]], act["annotator"], words[act.get("label") or act["labels"][0]], round=act["saw_version"], saw=0)
            (came,) = store.labels.give_all([label])
            if isinstance(came, Asks):
                asked.append(came.given.label)
                assert store.labels.give_all([label], replace=True) == [True]
        found = {name: [(one.rater, one.label.value) for one in store.labels.given()[item]] for name, item in names.items()}
    assert found == {"i1": [("a", "PASS"), ("b", "FAIL")], "i2": [("a", "PASS"), ("a", "FAIL")]}
    assert asked == [Verdict.FAIL]


def test_a_label_waits_where_it_cannot_be_saved_and_is_there_once_when_it_can(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(place)
    monkeypatch.chdir(place)
    with opened(place) as store:
        item = item_of(store, "case-1")
        label = said(item, "ann", "PASS", token="t1", note="=a\nb")
        file = waiting.keep(store.url, label, "the disk is full")
        waiting.keep(store.url, label, "twice")
        assert waiting.retry(store).kept == 1
        assert not Path(file).exists()
        waiting.keep(store.url, said(item, "ann", "FAIL", token="t2"), "another")
        waiting.keep("sqlite:////elsewhere/store.db", said(item, "ben", "FAIL", token="t3"), "of another store")
        (asks,) = waiting.retry(store).asks
        assert (asks.given.label, asks.stands and asks.stands.label) == (Verdict.FAIL, Verdict.PASS)
        waiting.drop(store.url, asks.given)
        assert waiting.retry(store).waiting == 0
        assert [one.note for one in store.labels.given()[item]] == ["=a\nb"]


def test_what_was_settled_is_of_the_draw_over_a_run_that_came_out_the_same(place: Path) -> None:
    first = run(place)
    with opened(place) as store:
        for case in ("case-1", "case-2"):
            both(store, item_of(store, case, first), "PASS", "PASS")
    second = run(place)
    with opened(place) as store:
        found = build(store, Asked(reference=second))
        assert (found.added, found.settled, found.open) == (Added(open=1, done=2), 2, 1)
        assert build(store, Asked(reference=second)).added == Added(open=1, done=2)
        assert store.labels.rounds() == dict.fromkeys(store.labels.rounds(), 1)
    human = workflow.show_run(None, second, start=str(place)).setups["honest"].human
    assert human is not None
    assert (human.basis, human.n, human.of) == ("sample", 4, 6)


def test_the_queue_of_one_person_tells_by_nothing_why_an_item_is_there(tmp_path: Path) -> None:
    place = make_project(tmp_path / "many", cases=12, trials=1)
    run(place)
    with opened(place) as store:
        stored = store.run("last")
        entries = [
            Queued(item=one.item, asks=one.asks, question="trial", reason="unknown" if n % 2 else "sample", run=stored.id, key=one.head.key)
            for n, one in enumerate(items(store, stored, "trial"))
        ]
        store.labels.queue(entries, "w", is_done)
        for reason in ("severe", "judge_code", "judges", "unknown"):
            with pytest.raises(InputError, match="tells a verdict"):
                build(store, Asked(reference="last", reasons=(reason,), rater="ann"))
            assert status(store, Asked(reference="last", reasons=(reason,), rater="ann")).items == []
        listed = [one.item for one in status(store, Asked(reference="last")).items]
        blind = [one.item for one in status(store, Asked(reference="last", rater="ann")).items]
        sent = [json.loads(line)["item"] for line in send(store, Asked(reference="last", rater="Ann "), "jsonl").text.splitlines()]
        assert sorted(blind) == sorted(listed) and blind != listed and blind == sent
        assert blind != [one.item for one in status(store, Asked(reference="last", rater="ben")).items]
        unknown = {entry.item for entry in entries if entry.reason == "unknown"}
        assert {item in unknown for item in blind[: len(unknown)]} == {True, False}
        assert len(status(store, Asked(reference="last", reasons=("sample",), rater="ann")).items) == len(entries) - len(unknown)


def test_one_person_in_two_spellings_is_one_row_of_the_status(place: Path) -> None:
    run(place)
    with opened(place) as store:
        assert store.labels.give(said(item_of(store, "case-1"), "Ann", "PASS"))
        assert store.labels.give(said(item_of(store, "case-2"), "ann\u200b", "PASS"))
        assert status(store, Asked(reference="last")).raters == {"Ann": 2}


def test_a_third_is_sent_what_there_is_to_settle_and_no_word_of_others(place: Path, tmp_path: Path) -> None:
    run(place)
    with opened(place) as store:
        item = item_of(store, "case-1")
        both(store, item, "PASS", "FAIL")
        assert {json.loads(line)["item"] for line in send(store, Asked(reference="last", rater="ben"), "jsonl").text.splitlines()} > {item}
        sent = send(store, Asked(reference="last", rater="cleo"), "jsonl")
        rows = [json.loads(line) for line in sent.text.splitlines()]
        assert [row["item"] for row in rows if row.get("role") == "settles"] == [item] and sent.settles == 1
        assert not any("label" in row for row in rows)
        filled = [row | {"label": "FAIL"} for row in rows if row["item"] == item]
        (tmp_path / "settle.jsonl").write_text("".join(json.dumps(row) + "\n" for row in filled), encoding="utf-8")
        taken = take(store, [str(tmp_path / "settle.jsonl")])
        assert (taken.kept, taken.refused, taken.question) == (1, [], "trial")
        assert status(store, Asked(reference="last")).settled == 1


def test_a_score_of_people_stands_in_the_report_and_holds_a_release(place: Path) -> None:
    policy = {"gates": [{"human_score": "overall", "min": "2.0"}]}
    (place / "people.json").write_text(json.dumps(policy), encoding="utf-8")
    run_id = run(place)

    def gate() -> Any:
        return workflow.gate(None, "last", str(place / "people.json"), start=str(place)).gates[0]

    assert "no person has scored" in gate().why
    with opened(place) as store:
        items_ = {case: item_of(store, case) for case in ("case-1", "case-2", "case-3")}
        both(store, items_["case-1"], "PASS", "PASS")
        both(store, items_["case-2"], "PASS", "PASS", score=4.0)
    report = workflow.show_run(None, run_id, start=str(place))
    found = report.setups["honest"]
    assert found.human is not None
    assert (found.human_score, found.human.basis, found.human.n, found.human.of) == (4.5, "sample", 4, 6)
    assert gate().state == "open"
    with opened(place) as store:
        both(store, items_["case-3"], "PASS", "PASS")
    found = workflow.show_run(None, run_id, start=str(place)).setups["honest"]
    assert found.human is not None
    assert found.human.basis == "all"
    assert found.human_score == pytest.approx(14 / 3)
    assert (gate().state, gate().cases) == ("holds", 3)


def test_what_was_done_before_is_in_the_queue_and_in_the_score_of_the_next_run_as_well(place: Path) -> None:
    """Else the sample of the next run would be what people did not agree on before."""
    run(place)
    with opened(place) as store:
        both(store, item_of(store, "case-1"), "PASS", "PASS", score=4.0)
        both(store, item_of(store, "case-2"), "PASS", "FAIL")
    second = run(place)
    with opened(place) as store:
        found = build(store, Asked(reference=second, sample=100))
        again = build(store, Asked(reference=second, sample=100))
    assert ((found.open, found.split, found.settled), found.added.done) == ((1, 1, 1), 1)
    assert [(one.item, one.state, one.round) for one in again.items] == [(one.item, one.state, one.round) for one in found.items]
    score = workflow.show_run(None, second, start=str(place)).setups["honest"]
    assert score.human is not None
    assert (score.human_score, score.human.basis, score.human.n, score.human.of) == (4.0, "sample", 2, 6)


def test_cases_that_people_saw_differently_are_ambiguous_without_a_file(place: Path) -> None:
    run(place)
    with opened(place) as store:
        both(store, item_of(store, "case-1"), "PASS", "PASS")
        both(store, item_of(store, "case-2"), "PASS", "FAIL")
    health = workflow.library(str(place)).health
    assert health is not None
    assert [(one.case, one.labels) for one in health.ambiguous] == [("case-2", {"ann": "PASS", "ben": "FAIL"})]
    assert "ambiguous" not in health.reasons


def test_a_held_out_case_is_shown_only_after_the_look_is_written_down(place: Path) -> None:
    rows = [json.loads(line) | {"split": "held_out"} for line in (place / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    (place / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run(place)
    with opened(place) as store:
        asked = Asked(reference="last", rater="ann")
        assert len(build(store, asked).items) == 3
        closed = send(store, asked, "jsonl")
        assert (closed.rows, closed.held_out, store.ledger.looks()) == (0, 3, [])
        opened_ = send(store, asked, "jsonl", held_out=True)
        assert (opened_.rows, opened_.opened) == (3, 3)
        assert sorted((look.verb, look.case) for look in store.ledger.looks()) == [("review", f"case-{n}") for n in (1, 2, 3)]
        sitting = Sitting(store, asked)
        sitting.show(sitting.items[0])
        assert len(store.ledger.looks()) == 4


def test_secrets_in_notes_are_covered_and_the_same_label_is_still_the_same(place: Path) -> None:
    run(place)
    note = "the key was sk-proj-" + "a1B2" * 10
    with opened(place) as store:
        item = item_of(store, "case-1")
        assert store.labels.give(said(item, "ann", "PASS", note=note))
        assert not store.labels.give(said(item, "ann", "PASS", note=note))
        (kept,) = store.labels.given()[item]
    assert "a1B2a1B2" not in kept.note


def test_truth_over_many_trials_is_quick_where_nobody_labelled_anything(place: Path) -> None:
    run_id = run(place)
    with opened(place) as store:
        build(store, Asked(reference="last"))
        assert truth(store, run_id) == {}
        with pytest.raises(InputError, match="no such question"):
            build(store, Asked(reference="last", question="trail"))
        with pytest.raises(InputError, match="no such judge"):
            build(store, Asked(reference="last", question="judge:quality"))
