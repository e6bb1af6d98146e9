"""What makes one item: the same content is the same item whatever it cost, and anything said or done otherwise is another."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fairtrial.records.trace import Span
from fairtrial.records.trial import Change, Decline, Ending, TrialBody, TrialHead, TrialKey
from fairtrial.study.reviewitem import asks_hash, item_id, reviewable
from fairtrial.study.reviewshown import shown

RAW = {"id": "a", "task": "add 2", "facts": {"n": 2}, "must": [{"output": "x", "equals": 1}], "reference": "3", "tags": ["x"]}


def head(**fields: Any) -> TrialHead:
    made = TrialHead(key=TrialKey("a", "solo", 1), seed=1, ending=Ending.FINISHED, start_state="s1", wall_ms=5.0)
    return msgspec.structs.replace(made, **fields)


def body(**fields: Any) -> TrialBody:
    spans = [
        Span("1", None, "agent", "solo", None, 10, 20, {}),
        Span("2", "1", "model", "m", None, 11, 12, {"model": "m", "usd": "0.01", "input_tokens": 5}),
        Span("3", "1", "tool", "add", None, 13, 14, {"args": {"n": 2}, "result": 3, "outcome": "ok"}),
    ]
    return msgspec.structs.replace(TrialBody(output={"total": 3}, spans=spans, changes=[Change("total", "changed", 1, 3)]), **fields)


def item(raw: Any = RAW, head_: TrialHead | None = None, body_: TrialBody | None = None, **question: str) -> str:
    return item_id(question or {"question": "trial"}, asks_hash("a", raw), head_ or head(), body_ or body())


def _spans(change: Callable[[Span], Span]) -> TrialBody:
    return body(spans=[change(span) for span in body().spans])


def _with(span: Span, **attributes: Any) -> Span:
    return msgspec.structs.replace(span, attributes=span.attributes | attributes)


def test_run_setup_attempt_times_prices_and_checks_are_no_part_of_an_item() -> None:
    later = _spans(lambda span: msgspec.structs.replace(span, start_ns=span.start_ns + 7, end_ns=99))
    renamed = _spans(lambda span: msgspec.structs.replace(span, id=f"x{span.id}", parent=f"x{span.parent}" if span.parent else None))
    dearer = _spans(lambda span: _with(span, usd="9", input_tokens=1) if span.kind == "model" else span)
    other = _spans(lambda span: msgspec.structs.replace(span, name="team") if span.parent is None else span)
    for same in (
        item(head_=head(key=TrialKey("a", "team", 1)), body_=other),
        item(head_=head(wall_ms=900.0, seed=3)),
        item(body_=later),
        item(body_=renamed),
        item(body_=dearer),
        item(raw=RAW | {"must": [], "tags": [], "id": "b"}),
    ):
        assert same == item()


@pytest.mark.parametrize(
    "other",
    [
        item(raw=RAW | {"task": "add 3"}),
        item(raw=RAW | {"facts": {"n": 3}}),
        item(raw=RAW | {"reference": "4"}),
        item(head_=head(start_state="s2")),
        item(head_=head(ending=Ending.TIMEOUT)),
        item(head_=head(decline=Decline("no"))),
        item(body_=body(output={"total": 4})),
        item(body_=body(output=msgspec.UNSET)),
        item(body_=body(output=None)),
        item(body_=body(changes=[])),
        item(body_=body(spans=body().spans[:2])),
        item(body_=_spans(lambda span: _with(span, result=4) if span.kind == "tool" else span)),
        item(body_=_spans(lambda span: msgspec.structs.replace(span, name="sub") if span.kind == "tool" else span)),
        item(body_=_spans(lambda span: msgspec.structs.replace(span, name="planner") if span.parent is None else span)),
        item(rubric="sha256:1"),
        item(raw=None),
    ],
)
def test_a_changed_question_answer_or_step_is_another_item(other: str) -> None:
    assert other != item()


def test_a_case_that_brought_no_task_is_known_by_its_id_alone() -> None:
    assert asks_hash("a", None) != asks_hash("b", None)
    assert asks_hash("a", RAW) == asks_hash("b", RAW)


def test_there_is_nothing_to_look_at_of_a_spoilt_trial_or_a_row_of_a_table() -> None:
    empty = TrialBody()
    assert reviewable(head(), body(), "run")
    assert reviewable(head(ending=Ending.TIMEOUT), empty, "run")
    assert not reviewable(head(ending=Ending.HARNESS_ERROR), body(), "run")
    assert not reviewable(head(), empty, "import:csv")
    assert reviewable(head(), body(), "import:tau")


def test_what_is_shown_tells_of_no_verdict_setup_or_price() -> None:
    found = shown({"task": "add 2", "reference": 3, "facts": {"n": 2}}, head(decline=Decline("sure?", "human")), body())
    assert (found.task, found.reference, found.answer) == ("add 2", "3", 'declined (to human): sure?\n{"total":3}')
    assert found.done == 'add({"n":2}) → 3\nchanged total: 1 → 3'
    assert "solo" not in "".join(msgspec.structs.astuple(found)) and "0.01" not in "".join(msgspec.structs.astuple(found))
