"""The tables of queue and labels: whatever is delivered twice, in whatever order, is there once, and nothing is ever changed."""

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.records.errors import InputError, StoreError
from fairtrial.records.label import Label
from fairtrial.records.review import Queued
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.store.sql import Store
from fairtrial.study.settled import is_done

ITEMS = ("i1", "i2", "i3")


def queued(item: str, reason: str = "risk", attempt: int = 1) -> Queued:
    return Queued(item=item, asks="a", question="trial", reason=reason, run="r", key=TrialKey(item, "s", attempt))


def label(item: str, rater: str, said: str, token: str = "") -> Label:
    return Label(item=item, rater=rater, label=Verdict(said), token=token)


@given(st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_redelivered_adds_and_labels_come_to_the_table_of_one_clean_delivery(chance: random.Random) -> None:
    adds = [queued(item, reason, attempt) for item in ITEMS for reason in ("risk", "unknown") for attempt in (1, 2)]
    words = [label(item, rater, chance.choice(list(Verdict)), f"{item}{rater}") for item in ITEMS for rater in ("ann", "ben", "cleo")]
    with TemporaryDirectory() as folder, Store.open(Path(folder, "s.db")) as store:
        for item in ITEMS:
            store.labels.queue([queued(item)], "w", is_done)
        again: list[Queued | Label] = [*adds, *words, *chance.choices(adds, k=6), *chance.choices(words, k=6)]
        chance.shuffle(again)
        for one in again:
            if isinstance(one, Queued):
                store.labels.queue([one], "w", lambda _: False)
            else:
                store.labels.give(one)
        assert sorted((line.item, line.reason, line.key.attempt) for line in store.labels.lines("r")) == sorted(
            (one.item, one.reason, one.key.attempt) for one in adds
        )
        found = {(one.item, one.rater): one.label for labels in store.labels.given().values() for one in labels}
        assert found == {(one.item, one.rater): one.label for one in words}
        assert sum(map(len, store.labels.given().values())) == len(words)
        assert set(store.labels.rounds().values()) == {1}


def test_a_broken_label_of_many_keeps_no_other_out(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        store.labels.queue([queued("i1")], "w", is_done)
        came = store.labels.give_all([label("i1", "ann", "PASS"), label("gone", "ann", "PASS"), label("i1", "ben", "FAIL")])
        assert [one is True for one in came] == [True, False, True]
        assert [one.blind for one in store.labels.given()["i1"]] == [True, True]
        assert store.labels.give(label("i1", "cleo", "FAIL"))
        assert not store.labels.given()["i1"][2].blind


def test_names_and_notes_of_any_letters_are_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        store.labels.queue([queued("i1")], "w\ud800", is_done)
        name = "阿 '; DROP TABLE labels; --\ud800"
        assert store.labels.give(Label(item="i1", rater=name, label=Verdict.PASS, note="a\x00b\ud800"))
        (kept,) = store.labels.given()["i1"]
        assert (kept.rater, kept.note) == (name.replace("\ud800", "\ufffd"), "a\x00b\ufffd")
        assert not store.labels.give(Label(item="i1", rater=name, label=Verdict.PASS, note="a\x00b\ud800"))


@pytest.mark.parametrize("name", ["a\x1b[31m", "a\nb", "a\x00", "a\tb", "\u200b", "  ", "a\x85b"])
def test_a_name_that_cannot_be_read_is_refused_at_the_door(name: str, tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        store.labels.queue([queued("i1")], "w", is_done)
        with pytest.raises(InputError, match="name"):
            store.labels.give(label("i1", name, "PASS"))
        assert store.labels.given() == {}


@pytest.mark.parametrize("said", ["PP", "PPF", "UU"])
def test_whoever_settles_needs_a_difference_and_overrules_nobody_who_agrees(said: str, tmp_path: Path) -> None:
    words = {"P": "PASS", "F": "FAIL", "U": "UNKNOWN"}
    with Store.open(tmp_path / "s.db") as store:
        store.labels.queue([queued("i1")], "w", is_done)
        for number, one in enumerate(said):
            assert store.labels.give(label("i1", f"r{number}", words[one]))
        with pytest.raises(InputError, match="no difference to settle"):
            store.labels.give(Label(item="i1", rater="cleo", label=Verdict.FAIL, role="settles"))
        assert is_done(store.labels.given()["i1"])


def test_what_one_has_settled_another_does_not_settle_again(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        store.labels.queue([queued("i1")], "w", is_done)
        assert store.labels.give(label("i1", "ann", "PASS")) and store.labels.give(label("i1", "ben", "FAIL"))
        assert store.labels.give(Label(item="i1", rater="cleo", label=Verdict.FAIL, role="settles"))
        with pytest.raises(InputError, match="no difference to settle"):
            store.labels.give(Label(item="i1", rater="dan", label=Verdict.PASS, role="settles"))
        assert store.labels.give(Label(item="i1", rater="Cleo", label=Verdict.PASS, role="settles"), replace=True)


def test_a_store_that_cannot_be_written_says_so_and_keeps_what_it_has(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        store.labels.queue([queued("i1")], "w", is_done)
        with store._face.writing() as session:
            session.execute("CREATE TRIGGER full BEFORE INSERT ON labels BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        with pytest.raises(StoreError, match="the disk is full"):
            store.labels.give(label("i1", "ann", "PASS"))
        assert store.labels.given() == {}
