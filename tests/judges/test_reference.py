"""The reference is the truth: an order that has not come yet and may be returned is judged wrongly without it, and rightly with it."""

import re
from typing import Any

import pytest

from fairtrial.cases.rubric import read_rubric
from fairtrial.judges.judge import Judge
from fairtrial.models.model import Message
from fairtrial.records.opinion import Matter
from fairtrial.records.verdict import Verdict
from tests.judges.asked import model, nonce_of

TRUTH = "An order that is still on its way can be returned: the parcel is called back and the money is paid back."


def part(messages: list[Message], name: str) -> str:
    """The text of a part, empty where there is none of it."""
    nonce = nonce_of(messages)
    found = re.search(rf"\[{nonce}\] begin {name}, .*?\n(.*?)\n\[{nonce}\] end {name}", messages[-1]["content"], re.DOTALL)
    return found[1] if found else ""


def common_sense(messages: list[Message]) -> dict[str, Any]:
    """A judge that thinks that nobody can return what has not come yet, unless it is told that this is so and that this rules."""
    told = "rules over common sense" in messages[0]["content"] and "on its way can be returned" in part(messages, "reference")
    if "the return is arranged" not in part(messages, "output"):
        mark, why = 1, "no answer"
    else:
        mark, why = (5, "as the reference says") if told else (1, "the order has not been received, so how can it be returned?")
    marks = {"correctness": mark, "groundedness": mark, "card_usage": 4}
    return {"nonce": nonce_of(messages), "reason": why, **marks, "pass": mark == 5}


@pytest.mark.parametrize(("reference", "verdict", "score"), [(TRUTH, Verdict.PASS, 4.85), (None, Verdict.FAIL, 1.45)])
def test_a_return_before_the_parcel_has_come(reference: str | None, verdict: Verdict, score: float) -> None:
    parts = {
        "output": "Your order 7 has not arrived yet; the return is arranged and 25.00 will be paid back.",
        "trace": ["looked up order 7", "asked for a return"],
        "tools": [{"tool": "get_order", "result": {"id": 7, "state": "shipped"}}],
        "state": {"returns": [{"order": 7, "refund": "25.00"}]},
    }
    judge = Judge("quality", read_rubric("dialogue"), [model(common_sense)])
    found = judge.opinion(Matter(task="I want to return order 7.", reference=reference, parts=parts))
    assert (found.verdict, found.score) == (verdict, score)


def test_a_wrong_answer_fails_with_the_reference_too() -> None:
    matter = Matter(task="I want to return order 7.", reference=TRUTH, parts=dict.fromkeys(("output", "trace", "tools", "state"), "no"))
    assert Judge("quality", read_rubric("dialogue"), [model(common_sense)]).opinion(matter).verdict is Verdict.FAIL
