"""Open and held-out cases are told apart, and a held-out score is refused once somebody had looked."""

from typing import Any

import pytest

from fairtrial.records.heldout import HeldOut
from fairtrial.records.ledger import Look
from fairtrial.records.run import CaseInfo
from fairtrial.study.heldout import read_held_out
from fairtrial.study.report import read_run
from fairtrial.study.table import Table
from tests.study.tables import info, one

HELD = {name: info(name, split="held_out") for name in ("h1", "h2")}


def look(case: str, at_ns: int = 0, **more: Any) -> Look:
    fields = {"who": "ada", "verb": "show", "suite": "s", "hash": "x", "brief_hash": "y", "run": "r0", **more}
    return Look(at_ns=at_ns, case=case, **fields)


def split(table: Table, *looks: Look) -> HeldOut:
    found = read_held_out(table, looks, 1)
    assert found is not None
    return found


@pytest.fixture
def run() -> Table:
    return one({"a": "PP", "b": "PF", "h1": "PP", "h2": "FF"}, infos=HELD)


def test_a_run_without_held_out_cases_has_no_split() -> None:
    assert read_held_out(one({"a": "P"}), [look("a")], 1) is None


def test_unseen_cases_have_their_own_rate_beside_the_open_ones(run: Table) -> None:
    found = split(run)
    rates = found.setups["solo"]
    assert (found.state, found.cases, found.opened) == ("unseen", ["h1", "h2"], [])
    assert rates.open is not None
    assert rates.held_out is not None
    assert (rates.open.value, rates.open.n, rates.held_out.value, rates.held_out.n) == (0.75, 4, 0.5, 4)
    assert rates.unopened == rates.held_out
    assert rates.opened is None
    assert rates.reasons == {"opened": "no held-out case was opened"}


def test_once_a_case_was_opened_the_whole_is_refused_and_the_rest_stands_alone(run: Table) -> None:
    found = split(run, look("h2", 0, verb="replay"), look("h2", 5), look("a", 0))
    rates = found.setups["solo"]
    assert found.state == "opened"
    assert [(one.case, one.looks, one.verb, one.after_run) for one in found.opened] == [("h2", 2, "replay", False)]
    assert rates.held_out is None
    assert "refused as unseen" in rates.reasons["held_out"]
    assert rates.unopened is not None
    assert rates.opened is not None
    assert (rates.unopened.value, rates.unopened.n, rates.opened.value, rates.opened.n) == (1.0, 2, 0.0, 2)
    assert "1 of 2 held-out cases opened" in found.says


def test_a_look_after_the_run_is_told_as_one(run: Table) -> None:
    found = split(run, look("h1", 7))
    assert found.setups["solo"].held_out is None
    assert [one.after_run for one in found.opened] == [True]
    assert "after this run" in found.says


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(look("old-name", hash="sha256:h1"), id="another id, the same content"),
        pytest.param(look("old-name", suite="other", hash="sha256:h1"), id="another suite, the same content"),
        pytest.param(look("old-name", brief_hash="sha256:h1"), id="another id and other checks, the same brief"),
        pytest.param(look("h1", hash="before", brief_hash="before"), id="the same id, its content edited"),
    ],
)
def test_neither_a_new_name_nor_an_edit_makes_a_case_unseen_again(run: Table, seen: Look) -> None:
    assert [one.case for one in split(run, seen).opened] == ["h1"]


def test_looks_at_other_cases_and_cases_without_a_hash_prove_nothing() -> None:
    run = one({"a": "P", "h1": "P"}, infos={"h1": CaseInfo(id="h1", hash="", brief_hash="", labels=HELD["h1"].labels)})
    assert split(run, look("h9", hash="", brief_hash=""), look("h1", suite="other")).state == "unseen"


def test_when_every_held_out_case_was_opened_none_is_left_to_score(run: Table) -> None:
    rates = split(run, look("h1"), look("h2")).setups["solo"]
    assert (rates.held_out, rates.unopened) == (None, None)
    assert rates.reasons["unopened"] == "no held-out case is left unopened"


def test_what_failed_in_a_held_out_case_is_counted_and_not_shown(run: Table) -> None:
    by_id = {case.id: case for case in read_run(run).cases}
    assert (by_id["h2"].failed, by_id["h2"].unknown, by_id["h2"].withheld) == ([], [], 2)
    assert by_id["h2"].verdicts == ["FAIL", "FAIL"]
    assert (len(by_id["b"].failed), by_id["b"].withheld) == (1, 0)
