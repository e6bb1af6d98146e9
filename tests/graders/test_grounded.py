"""Groundedness: what the answer says, and what was given."""

from typing import Any

import pytest

from tests.graders.making import FAIL, PASS, UNKNOWN, Tape, grade_of, make_trial, verdict_of

CHECK: dict[str, Any] = {"grounded": "$"}
ORDER: dict[str, Any] = {"order": "A-77", "total": 1250.0, "share": 0.12, "placed": "2025-05-03", "at": "14:30:00", "weight": 79.6}
ORDER["note"] = "Leave it at the door"


def asked(answer: Any, result: Any = ORDER, check: dict[str, Any] | None = None, **raw: Any) -> str:
    return verdict_of(check or CHECK, make_trial(answer, Tape().call("read_order", {}, result).spans), **raw)


@pytest.mark.parametrize(
    "answer",
    [
        "Order A-77 comes to $1,250.",
        "It was placed on 3 May 2025 at 2:30 PM.",
        "订单 A-77 共 1250 元，2025年5月3日下午2点30分下单。",
        "订单金额一千二百五十元。",
        "Its share is 12%, and it weighs about 80 kg.",
        "It says “Leave it at the door”.",
        "Placed in May 2025, on May 3rd.",
        {"order": "a-77", "total": 1250},
        "1. Order A-77\n2. It comes to 1,250.00",
    ],
)
def test_what_a_tool_returned_may_be_said_in_other_spellings(answer: Any) -> None:
    assert asked(answer) == PASS


@pytest.mark.parametrize(
    "answer",
    [
        "Order A-78 comes to $1,250.",
        "It comes to $1,260.",
        "It was placed on 4 May 2025.",
        "It was placed on 3 May 2024.",
        "It was placed at 2:31 PM.",
        "订单共 1251 元。",
        "订单金额一千二百六十元。",
        "Its share is 13%.",
        "It weighs 79 kg.",
        "It says “Leave it at the gate”.",
        {"order": "A-77", "total": 1251},
        "See https://example.org/made-up for more.",
        "1. Order A-77\n2. It comes to 1,251.00",
    ],
)
def test_what_nobody_returned_is_a_hallucination(answer: Any) -> None:
    grade = grade_of(CHECK, make_trial(answer, Tape().call("read_order", {}, ORDER).spans))
    assert (str(grade.verdict), grade.kind) == (FAIL, "hallucination")


def test_every_unsupported_statement_is_named() -> None:
    answer = {"says": "It costs $7,000. It came on 1 June 2025. It is a good one."}
    grade = grade_of(CHECK, make_trial(answer, Tape().call("t", {}, ORDER).spans))
    assert grade.evidence is not None and grade.evidence.path == "says"
    assert "7,000" in grade.why and "1 June 2025" in grade.why
    seen = grade.evidence.seen
    assert [entry["sort"] for entry in seen["unsupported"]] == ["figures", "dates"]
    assert (seen["statements"], seen["looked_at"], seen["not_looked_at"]) == (3, 2, 1)


def test_what_code_cannot_look_up_is_never_silently_supported() -> None:
    assert asked("It is a very good order indeed.") == UNKNOWN
    grade = grade_of(CHECK, make_trial("A-77 is fine. It is a very good order.", Tape().call("t", {}, ORDER).spans))
    assert str(grade.verdict) == PASS and "1 not looked at" in grade.why


def test_what_is_missing_from_the_evidence_cannot_be_told() -> None:
    tape = Tape().call("t", {}, ORDER)
    assert verdict_of(CHECK, make_trial("It costs 7.", tape.spans, lost_spans=1)) == UNKNOWN
    assert verdict_of(CHECK, make_trial("It costs 1250.", tape.spans, lost_spans=1)) == PASS
    altered = {"spans.0.attributes.result.secret": "redacted"}
    assert verdict_of(CHECK, make_trial("It costs 7.", tape.spans, altered=altered)) == UNKNOWN
    assert verdict_of(CHECK, make_trial("It costs 1250.", tape.spans, altered={"output": "cut"})) == UNKNOWN
