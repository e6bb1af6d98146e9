"""What decides in a trial: what the case's checks look at, and the same for equal decisions only."""

from typing import Any

import msgspec
import pytest

from fairtrial.cases.load import case_from_raw
from fairtrial.records.trace import Span
from fairtrial.records.trial import Change, Decline, Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.records.use import Decides
from fairtrial.steps.decisions import classes, decision, looked_at


def of(*must: dict[str, Any], **more: Any) -> Decides:
    raw = {"id": "one", "task": "t", "must": list(must), "must_not": [{"fact": "f", "used": True}], "facts": {"f": 1}, **more}
    return looked_at(case_from_raw(raw, "one"), ())


def trial(output: Any = None, *spans: Span, **more: Any) -> Trial:
    head = TrialHead(key=TrialKey("one", "team", 1), seed=1, ending=more.pop("ending", Ending.FINISHED), decline=more.pop("decline", None))
    return Trial(head=head, body=TrialBody(output=output, spans=list(spans), **more))


@pytest.mark.parametrize(
    ("must", "answer"),
    [
        ([{"output": "order.units", "equals": 1}, {"rule": "output.spend <= facts.f"}], ("order.units", "spend")),
        ([{"question": "demand", "unknown_values": ["unknown"]}], ("demand",)),
        ([{"output": "$", "equals": 1}, {"output": "a", "equals": 1}], ("$",)),
        ([{"rule": "len(output) > 1"}], ("$",)),
        ([{"fact": "f", "used": True}], ("$",)),
        ([{"state": "orders", "equals": []}], ()),
        ([{"tool": "book", "called": True}], ()),
    ],
)
def test_what_decides_is_what_the_checks_look_at(must: list[dict[str, Any]], answer: tuple[str, ...]) -> None:
    assert of(*must).answer == answer


def test_calls_count_with_the_arguments_that_a_check_names() -> None:
    decides = of({"tool": "book", "called": True, "with": {"room": "B1"}})
    assert decides.acts == {"book": ("room",)}
    booked = Span("1", None, "tool", "book", "ceo", 0, 0, {"args": {"room": "B1", "note": "x"}, "outcome": "ok"})
    refused = Span("2", None, "tool", "book", "ceo", 0, 0, {"args": {"room": "B2"}, "outcome": "refused"})
    by_other = Span("3", None, "tool", "book", "coo", 0, 0, {"args": {"room": "B3"}, "outcome": "ok"})
    assert decision(trial("any", booked, refused, by_other), decides, ("coo",))["calls"] == [["book", {"room": "B1"}]]


def test_a_trial_that_ended_badly_decided_nothing() -> None:
    assert decision(trial({"a": 1}, ending=Ending.TIMEOUT), Decides(answer=("a",))) is None
    assert decision(trial(msgspec.UNSET, ending=Ending.DECLINED, decline=Decline("why")), Decides(answer=("a",)))["declined"] is True


def test_equal_decisions_are_one_class_and_others_are_not() -> None:
    decides = Decides(answer=("units", "why.deep"))
    told = [
        trial({"units": 1, "text": "so"}),
        trial({"units": 1.0, "text": "other words"}),
        trial({"units": True}),
        trial({"units": None}),
        trial({}),
        trial({"units": 1}, decline=Decline("why"), ending=Ending.DECLINED),
        trial({"units": 1}, changes=[Change("orders[0]", "added", None, 1)]),
        trial({"units": 1}, ending=Ending.AGENT_ERROR),
    ]
    known: list[Any] = []
    assert classes([decision(one, decides) for one in told], known) == [0, 0, 1, 2, 3, 4, 5, None]
    assert classes([decision(told[0], decides)], known) == [0]
