"""A selection takes what was asked for, and a name that matches nothing is an error."""

import pytest

from fairtrial.cases.load import build_case
from fairtrial.cases.rows import Row
from fairtrial.cases.select import Selection, select
from fairtrial.records.case import Case
from fairtrial.records.errors import InputError, InputErrors


def case(name: str, *tags: str, tier: str = "e2e", library: str = "capability") -> Case:
    role = {"role": "coo"} if tier == "agent" else {}
    return build_case(Row({"id": name, "task": name, "tags": list(tags), "tier": tier, "library": library, **role}, "f", 1))


CASES = [
    case("direct-answer", "billing"),
    case("refund-1", "billing", "slow", library="regression"),
    case("Refund-2", "shipping", tier="agent"),
]


def names(wanted: Selection) -> list[str]:
    return [found.id for found in select(CASES, wanted)]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Selection(), ["direct-answer", "refund-1", "Refund-2"]),
        (Selection(cases=("refund-1", "direct-answer")), ["direct-answer", "refund-1"]),
        (Selection(tags=("slow", "shipping")), ["refund-1", "Refund-2"]),
        (Selection(tags=("billing",), libraries=("regression",)), ["refund-1"]),
        (Selection(tiers=("agent",)), ["Refund-2"]),
        (Selection(match="refund"), ["refund-1", "Refund-2"]),
        (Selection(match="refund and not slow"), ["Refund-2"]),
        (Selection(match="not (refund or shipping)"), ["direct-answer"]),
        (Selection(match="direct or refund and slow"), ["direct-answer", "refund-1"]),
        (Selection(match="(direct or refund) and slow"), ["refund-1"]),
        (Selection(match="not not slow"), ["refund-1"]),
    ],
)
def test_a_selection_takes_what_it_names(wanted: Selection, expected: list[str]) -> None:
    assert names(wanted) == expected


def test_a_mistyped_case_is_refused_with_the_right_name() -> None:
    with pytest.raises(InputError, match=r"no case matches direct-anwser, did you mean direct-answer?") as caught:
        names(Selection(cases=("direct-anwser",)))
    assert caught.value.exit_code == 2


def test_one_wrong_name_of_two_fails_as_well() -> None:
    with pytest.raises(InputError, match="direct-anwser"):
        names(Selection(cases=("refund-1", "direct-anwser")))


def test_every_wrong_name_is_named_at_once() -> None:
    with pytest.raises(InputErrors) as caught:
        names(Selection(cases=("nope",), tags=("biling",), tiers=("unit",)))
    text = str(caught.value)
    assert "no case matches nope" in text
    assert "no case has the tag biling, did you mean billing?" in text
    assert "no case has the tier unit" in text


@pytest.mark.parametrize(
    "wanted", [Selection(match="nothing-like-it"), Selection(tags=("slow",), tiers=("agent",)), Selection(match="slow and shipping")]
)
def test_an_empty_selection_is_an_error(wanted: Selection) -> None:
    with pytest.raises(InputError, match="no case is left"):
        names(wanted)


def test_a_suite_without_cases_is_an_error() -> None:
    with pytest.raises(InputError, match="no case is left"):
        select([], Selection())


@pytest.mark.parametrize("text", ["and", "refund or", "not", "(refund", "refund)", "refund slow", "()", "not " * 200 + "x", "(" * 200])
def test_a_crooked_expression_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="-k: "):
        names(Selection(match=text))
