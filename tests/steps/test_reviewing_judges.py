"""People answer the question of a judge: queued where judge and code differ, labelled, and put beside the judge in an exam."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial import workflow
from fairtrial.exchange.labels import read_ratings
from fairtrial.records.errors import InputError
from fairtrial.records.label import Label
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.steps.labelling import send
from fairtrial.steps.options import RunOptions
from fairtrial.steps.reviewing import Asked, build, status, truth
from fairtrial.store.sql import Store
from tests.steps.judged import make_judged

QUESTION = "judge:quality"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return make_judged(tmp_path / "s", {"good": "mark 4.5", "poor": "mark 2", "broken": "broken", "odd": "malformed"})


def run(place: Path) -> str:
    return workflow.run(str(place), RunOptions(isolate="shared")).report.run


def opened(place: Path) -> Store:
    return Store.open(place / ".fairtrial" / "store.db")


def label(store: Store, item: str, said: str) -> None:
    for rater in ("ann", "ben"):
        assert store.labels.give(Label(item=item, rater=rater, label=Verdict(said)))


def test_what_judge_and_code_see_differently_and_what_is_unknown_is_queued(place: Path) -> None:
    run(place)
    with opened(place) as store:
        found = build(store, Asked(reference="last", sample=0))
    assert {one.case: one.reasons for one in found.items} == {"poor": ["judge_code"], "odd": ["unknown"]}
    assert found.items[0].why == ["code says PASS, quality says FAIL"]


def test_people_are_asked_what_the_rubric_asks_and_a_changed_rubric_is_another_question(place: Path) -> None:
    run_id = run(place)
    asked = Asked(reference="last", question=QUESTION)
    with opened(place) as store:
        found = build(store, asked)
        assert found.asked == "is it good enough by the rubric of quality?"
        assert found.rubric == ["quality (1): Is it good?", "each from 1 to 5; PASS from a weighted mean of 3.0 on"]
        (item,) = (one.item for one in found.items if one.case == "good")
        label(store, item, "PASS")
        assert truth(store, run_id, QUESTION) == {TrialKey("good", "solo", 1): Verdict.PASS}
        assert truth(store, run_id) == {}
    rubric = (place / "rubric.yaml").read_text(encoding="utf-8")
    (place / "rubric.yaml").write_text(rubric.replace("Is it good?", "Is it polite?"), encoding="utf-8")
    workflow.grade(None, run_id, str(place), start=str(place))
    with opened(place) as store:
        now = status(store, asked)
        assert (now.items, now.settled, now.older, now.agreement) == ([], 0, len(found.items), None)
        again = build(store, asked)
        assert (again.open, again.settled, again.older) == (len(found.items), 0, len(found.items))
        assert truth(store, run_id, QUESTION) == {}
        assert truth(store, run_id, "judge:nobody") == {}
        with pytest.raises(InputError, match="no such judge"):
            build(store, Asked(reference="last", question="judge:qualty"))


def test_exported_labels_stand_beside_the_judges_in_an_exam(place: Path, tmp_path: Path) -> None:
    run(place)
    asked = Asked(reference="last", question=QUESTION)
    with opened(place) as store:
        items = build(store, asked).items
        blind: list[dict[str, Any]] = [
            json.loads(line) for line in send(store, Asked(reference="last", question=QUESTION, rater="cleo"), "jsonl").text.splitlines()
        ]
        for one in items:
            label(store, one.item, "FAIL" if one.case in ("poor", "odd") else "PASS")
        texts = {form: send(store, asked, form).text for form in ("jsonl", "csv")}
    found = []
    for form, text in texts.items():
        (tmp_path / f"labels.{form}").write_text(text, encoding="utf-8")
        ratings, refused = read_ratings(str(tmp_path / f"labels.{form}"))
        assert not refused
        found.append([(one.rater, one.label, one.cluster, one.human) for one in ratings])
    assert found[0] == found[1]
    assert ("human:ann", "PASS", "good", True) in found[0] and ("quality", "PASS", "good", False) in found[0]
    assert ("quality", "UNKNOWN", "odd", False) in found[0]
    assert all(row.get("version") for row in map(json.loads, texts["jsonl"].splitlines()) if row["rater"] == "quality")
    assert len(blind) == len(items) == 4
    assert {row["rater"] for row in blind} == {"human:cleo"} and not any("label" in row or "version" in row for row in blind)
