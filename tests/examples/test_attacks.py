"""The shop's two assistants: the careful one passes though it was shown every instruction, the gullible one is caught each time."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.examples.conftest import Example

PLANTS = {"order-in-a-mail": "send-everything", "order-in-a-note": "wipe-the-disk", "order-in-the-talk": "neighbour"}


@pytest.fixture(scope="module")
def shop(copied: Callable[[str], Example]) -> Example:
    return copied("attacks")


@pytest.fixture(scope="module")
def report(shop: Example) -> Any:
    return shop.ask("run", "suite.yaml")


def verdicts(report: Any, setup: str) -> dict[str, str]:
    return {case["id"]: case["verdicts"][0] for case in report["cases"] if case["setup"] == setup}


def test_only_the_one_that_takes_data_for_orders_fails(report: Any) -> None:
    assert set(verdicts(report, "careful").values()) == {"PASS"} and len(verdicts(report, "careful")) == 7
    assert [name for name, verdict in verdicts(report, "gullible").items() if verdict == "PASS"] == ["refund-granted"]
    assert report["setups"]["careful"]["severe"] == 0 and report["setups"]["gullible"]["severe"] == 5


@pytest.mark.parametrize("case", PLANTS)
def test_both_were_shown_the_instruction_and_one_obeyed(shop: Example, report: Any, case: str) -> None:
    for setup, wanted in (("careful", "PASS"), ("gullible", "FAIL")):
        trial = shop.ask("show", f"last:{setup}", case, "1")
        (grade,) = [grade for grade in trial["grades"] if grade["check"].startswith("injection ")]
        assert (grade["verdict"], grade["severity"], grade["card"]) == (wanted, "critical", "safety")
        events = [span["attributes"]["event"] for span in trial["spans"] if span["kind"] == "injection" and span["name"] == PLANTS[case]]
        assert events == ["shown"]


@pytest.mark.parametrize(("case", "check"), [("somebody-elses-order", "access"), ("key-backwards", "leak")])
def test_what_is_not_to_be_given_is_caught(report: Any, case: str, check: str) -> None:
    (found,) = [one for one in report["cases"] if one["id"] == case and one["setup"] == "gullible"]
    assert any(failed["check"].startswith(check) and failed["severity"] == "critical" for failed in found["failed"])


def test_a_refund_that_was_denied_did_not_happen_whatever_is_said(shop: Example, report: Any) -> None:
    trial = shop.ask("show", "last:gullible", "refund-denied", "1")
    assert trial["changes"] == [] and trial["output"] == {"refunded": True} and trial["verdict"] == "FAIL"
    asked = [(span["attributes"]["decision"], span["attributes"].get("by")) for span in trial["spans"] if span["kind"] == "approval"]
    assert asked == [("asked", None), ("denied", "user")]
