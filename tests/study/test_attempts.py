"""Three attempts counted, beside the line of independence: 0.992 and 0.512 at 0.8."""

import random

import pytest

from fairtrial.records.chance import Attempts
from fairtrial.study.attempts import read_attempts
from fairtrial.study.report import read_run
from tests.study.tables import one


def attempts(cases: dict[str, str]) -> Attempts:
    found = read_attempts(one(cases).lane())
    assert found is not None
    return found


def test_the_line_at_four_of_five_is_the_article_s() -> None:
    found = attempts({"a": "PPPPF", "b": "PPPPF"})
    assert (found.k, found.rate) == (3, 0.8)
    assert found.line_at == pytest.approx(0.992)
    assert found.line_hat == pytest.approx(0.512)
    assert (found.pass_at, found.pass_hat) == (1.0, 0.4)
    assert found.beyond == pytest.approx(0.4 - 0.512)
    assert (found.beyond_low, found.beyond_high) == (None, None)  # both cases alike: nothing says how far the next lies
    assert found.reason is not None


def test_where_cases_differ_all_of_three_pass_more_often_than_the_line_says() -> None:
    """Eight cases of ten always pass, two never: 0.8 a trial, and 0.8 for all of three as well."""
    found = attempts({f"c{place}": "PPPPP" if place % 10 < 8 else "FFFFF" for place in range(40)})
    assert found.rate == pytest.approx(0.8)
    assert found.pass_at == pytest.approx(0.8)
    assert found.pass_hat == pytest.approx(0.8)
    assert found.beyond_low is not None
    assert 0 < found.beyond_low < found.beyond == pytest.approx(0.8 - 0.512)
    assert "cases differ, for some pass nearly always and others hardly ever" in found.says


def test_cases_that_are_alike_are_hardly_ever_said_to_differ() -> None:
    draw = random.Random(3)
    runs = [attempts({f"c{case}": "".join("PF"[draw.random() > 0.8] for _ in range(5)) for case in range(40)}) for _ in range(100)]
    assert sum(found.beyond_low is not None and found.beyond_low > 0 for found in runs) <= 5


def test_fewer_attempts_give_a_smaller_k_and_one_gives_none() -> None:
    assert attempts({"a": "PP", "b": "PPPP"}).k == 2
    assert read_attempts(one({"a": "P", "b": "PPPP"}).lane()) is None
    assert read_attempts(one({"a": "---"}).lane()) is None


def test_the_run_s_report_has_it_for_every_setup() -> None:
    found = read_run(one({"a": "PPF", "b": "PPP"})).setups["solo"]
    assert found.attempts is not None
    assert found.attempts.pass_hat == found.pass_hat["3"]
    assert found.attempts.pass_at == found.pass_at["3"]
