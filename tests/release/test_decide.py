"""The decision as a whole: what wins over what, what is invalid, what was lost, and one object behind every rendering."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.exchange.junit_gate import write as junit
from fairtrial.records.decision import EXITS, Attempt, Decision
from fairtrial.records.text import dumps
from fairtrial.records.trial import TrialKey
from fairtrial.release.decide import decide
from fairtrial.release.ground import Past
from fairtrial.report.gate_view import gate_sheet
from fairtrial.report.markdown import markdown
from fairtrial.report.phrases_gate import GATE
from fairtrial.report.terminal import console, draw
from fairtrial.report.words import Words
from tests.release.making import decided, many, policy, side
from tests.study.tables import card, head, info

HOLDS, FAILS, OPEN = {"coverage": "0.1"}, {"success_rate": "overall", "min": "0.9"}, {"human_score": "overall", "min": "3.0"}
HALF = many("F", 20) | {f"p{n}": "P" for n in range(20)}


@pytest.mark.parametrize(
    ("gates", "decision"),
    [
        ([HOLDS], "ship"),
        ([HOLDS, OPEN], "not_enough_evidence"),
        ([HOLDS, OPEN, FAILS], "block"),
        ([HOLDS, FAILS | {"hard": True}], "block"),
        ([HOLDS, OPEN | {"hard": True}], "not_enough_evidence"),
    ],
)
def test_a_gate_that_fails_blocks_and_one_that_is_open_leaves_too_little(gates: list[dict[str, Any]], decision: str) -> None:
    found = decided(gates, HALF)
    assert (found.decision, found.exit_code) == (decision, EXITS[decision])
    assert [gate.gate for gate in found.gates] == [next(iter(gate)) for gate in gates]


@pytest.mark.parametrize("letter", ["U", "E", "-"])
def test_nothing_graded_is_invalid(letter: str) -> None:
    found = decided([{"coverage": "0.01"}], {"a": letter, "b": letter})
    assert (found.decision, found.exit_code) == ("invalid", 4)


def test_a_baseline_that_may_not_be_compared_is_invalid_and_names_the_field() -> None:
    setups = {"base": {"rights": "r1"}, "new": {"rights": "r2"}}
    found = decided([{"success_rate": "overall", "not_below": "baseline"}], many("P", 9), many("P", 9), setups=setups)
    assert found.decision == "invalid"
    assert "rights" in found.says


def test_nothing_graded_of_the_baseline_is_invalid_only_where_it_is_compared_with() -> None:
    asked = {"success_rate": "overall", "not_below": "baseline"}
    assert decided([asked], many("P", 9), many("U", 9)).decision == "invalid"
    assert decided([HOLDS], many("P", 9), many("U", 9)).decision == "ship"


def test_a_run_with_work_undone_is_open_by_itself_where_no_coverage_is_asked() -> None:
    cases = {"a": "PP", "b": "P-"}
    found = decided([{"latency_max_ms": 10**9, "hard": False}], cases, change=lambda head, _: setattr(head, "wall_ms", 1.0))
    assert found.gates[-1].gate == "coverage" and "--resume" in found.gates[-1].why
    assert decided([{"coverage": "0.5"}], cases).decision == "ship"


def test_cases_on_one_side_only_are_left_out_and_listed_and_never_invalid() -> None:
    asked = {"success_rate": "overall", "not_below": "baseline", "margin": "0.02"}
    shared = many("P", 200)
    found = decided([asked], shared | {"fresh": "F"}, shared)
    assert (found.decision, found.left_out["only_new"]) == ("ship", ["fresh"])


def test_a_case_of_the_baseline_that_is_gone_is_not_enough_evidence_until_it_is_accepted() -> None:
    asked = {"success_rate": "overall", "not_below": "baseline", "margin": "0.02"}
    shared = many("P", 200)
    found = decided([asked], shared, shared | {"telecom": "F"})
    assert (found.decision, found.left_out["only_base"]) == ("not_enough_evidence", ["telecom"])
    assert (found.gates[-1].gate, "'case telecom'" in found.gates[-1].why) == ("nothing_lost", True)
    meant = decided([asked], shared, shared | {"telecom": "F"}, accepts=["case telecom"])
    assert (meant.decision, any("telecom" in note for note in meant.notes)) == ("ship", True)


def test_a_case_whose_role_the_candidate_cannot_play_is_not_lost() -> None:
    asked = {"success_rate": "overall", "not_below": "baseline", "margin": "0.02"}
    shared = many("P", 200)
    assert decided([asked], shared, shared | {"router": "P"}, unseated={"new": ("router",)}).decision == "ship"


def test_earlier_attempts_are_told_in_the_sentence_and_on_the_page() -> None:
    past = Past(attempts=[Attempt(run=f"r{n}", started=None, status="complete", suite_version="v", planned=9, passed=n) for n in (2, 1)])
    found = decided([HOLDS], many("P", 9), past=past)
    assert (found.decision, found.attempts_before) == ("ship", 2)
    assert "tried 2 times before" in found.says
    assert "Tried 2 times before" in markdown(gate_sheet(found, Words()))


def test_what_to_type_next_when_open_can_be_typed_as_it_stands() -> None:
    asked = {"success_rate": "overall", "not_below": "baseline"}
    for found, typed in (
        (decided([asked], many("P", 9), many("P", 9)), "fairtrial plan --run r1:base --run r1:new --detect 0.05"),
        (decided([{"success_rate": "overall", "min": "0.9"}], many("P", 9)), "fairtrial plan --run r1:new --detect 0.1"),
    ):
        assert found.decision == "not_enough_evidence" and typed in markdown(gate_sheet(found, Words())).replace("&#58;", ":")


def test_an_unfair_match_that_was_carried_is_told() -> None:
    found = decided([HOLDS], many("P", 9), differences=("tools: new has more",), fair=False, settings={"allow_unfair": True})
    assert any("tools: new has more" in note for note in found.notes)


def test_a_held_out_score_is_refused_once_a_case_was_opened() -> None:
    infos = {"a": info("a", split="held_out")}
    asked = {"success_rate": {"split": "held_out"}, "min": "0.1"}
    assert decided([asked], {"a": "P", "b": "P"}, infos=infos).decision == "ship"
    found = decided([asked], {"a": "P", "b": "P"}, infos=infos, past=Past(opened=["a"]))
    assert (found.gates[0].state, found.gates[0].seen) == ("open", "refused")


def test_functions_tried_once_for_all_setups_belong_to_every_candidate() -> None:
    infos = {"f": info("f", tier="unit")}
    setups = {"unit": {"f": "PF"}, "new": {"a": "PP"}}
    found = decide(policy({"regression": {"tier": "unit"}}, {"success_rate": "overall", "min": "0.1"}), side("new", setups, infos=infos))
    assert [gate.state for gate in found.gates] == ["fails", "holds"]
    assert found.gates[1].cases == 1


# One object, many renderings

HOSTILE = st.text(alphabet=st.sampled_from("ab|<>&`\"'\\\n\r\t#*_[]$\x00\x1b\u202e中"), min_size=1, max_size=12)
TABLES = st.dictionaries(HOSTILE, st.text("PFU-", min_size=1, max_size=4), min_size=1, max_size=8)
GATES = st.lists(
    st.sampled_from(
        [
            {"regression": {"tier": "e2e"}},
            {"severe": 0},
            {"coverage": "0.75"},
            {"coverage": "1"},
            {"success_rate": "overall", "min": "0.4"},
            {"unknown_share": "overall", "max": "0.6"},
            {"stability": "overall", "min": "0.3"},
            {"human_score": "overall", "min": "2"},
        ]
    ),
    min_size=1,
    max_size=5,
)


def reference(cases: Mapping[str, str], states: list[str]) -> tuple[str, int]:
    """The rules of a decision, written down a second time."""
    letters = "".join(cases.values())
    if not set(letters) & {"P", "F"}:
        return "invalid", 4
    if "fails" in states:
        return "block", 1
    if "open" in states:
        return "not_enough_evidence", 3
    return "ship", 0


def expected_state(gate: dict[str, Any], cases: Mapping[str, str]) -> set[str]:
    """What a counted gate must be, from the letters alone; any state for an estimate."""
    letters = "".join(cases.values())
    planned, scored, missing = len(letters), sum(letters.count(one) for one in "PF"), letters.count("-")
    if "regression" in gate:
        return {"fails" if "F" in letters else "holds" if set(letters) == {"P"} else "open"}
    if "severe" in gate:
        return {"open" if set(letters) & {"U", "-"} else "holds"}
    if "coverage" in gate:
        bar = float(gate["coverage"]) * planned
        return {"holds" if scored >= bar else "fails" if scored + missing < bar else "open"}
    return {"open"} if "human_score" in gate else {"holds", "fails", "open"}


@settings(max_examples=60)
@given(TABLES, GATES)
def test_every_rendering_and_the_exit_code_agree_with_the_rules(cases: dict[str, str], gates: list[dict[str, Any]]) -> None:
    found = decided(gates, cases)
    states = [gate.state for gate in found.gates]
    for gate, state in zip(gates, states, strict=False):
        assert state in expected_state(gate, cases)
    assert (found.decision, found.exit_code) == reference(cases, states)
    document = json.loads(dumps(found))
    assert (document["decision"], document["exit_code"]) == (found.decision, found.exit_code)
    assert [gate["state"] for gate in document["gates"]] == states
    _same_in_junit(found)
    _same_on_pages(found)


@settings(max_examples=80)
@given(TABLES, GATES, st.data())
def test_a_trial_that_becomes_unknown_or_is_not_run_never_makes_a_release_green(
    cases: dict[str, str], gates: list[dict[str, Any]], data: st.DataObject
) -> None:
    case = data.draw(st.sampled_from(sorted(cases)))
    place = data.draw(st.integers(0, len(cases[case]) - 1))
    lost = cases[case][:place] + data.draw(st.sampled_from("U-")) + cases[case][place + 1 :]
    after = decided(gates, {**cases, case: lost})
    assert after.decision != "ship" or decided(gates, cases).decision == "ship"


def test_a_second_record_of_a_trial_is_in_no_figure_and_is_told() -> None:
    new = side("new", {"new": {"a": "F"}})
    key = TrialKey("a", "new", 1)
    new.table.watch([(head(key, "P"), card("P"))])
    found = decide(policy({"regression": {"tier": "e2e"}}), new)
    assert (found.decision, any("in no figure: 1" in note for note in found.notes)) == ("block", True)


def _same_in_junit(found: Decision) -> None:
    (suite,) = ET.fromstring(junit(found))  # noqa: S314 - our own document
    told = {one.get("name"): one.get("value") for one in suite.find("properties") or ()}
    assert (told["decision"], told["exit_code"]) == (found.decision, str(found.exit_code))
    seen = [next((child.tag for child in test if child.tag != "properties"), "passed") for test in suite.findall("testcase")]
    as_test = {"holds": "passed", "fails": "failure", "open": "skipped"}
    assert seen == ["error" if found.decision == "invalid" else as_test[gate.state] for gate in found.gates]


def _same_on_pages(found: Decision) -> None:
    """Both pages in both languages: the answer, and a row a gate with its state, whatever the ids hold."""
    for language in ("en", "zh"):
        words = Words(language)
        text = markdown(gate_sheet(found, words))
        rows = [line for line in text.split("\n") if line.startswith("| ")]
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}
        told = [row.split(" | ")[2] for row in rows[2:]]
        ordered = sorted(found.gates, key=lambda gate: not gate.hard)
        assert [re.sub("<[^>]*>", "", one) for one in told] == [words(f"gate.{gate.state}") for gate in ordered]
        assert re.sub("<[^>]*>", "", text.split("\n")[2]).startswith(words(f"decision.{found.decision}"))


def test_the_terminal_shows_the_same_answer(capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    draw(gate_sheet(decided([HOLDS, FAILS], HALF), Words()), console(sys.stdout))
    assert "block: Do not ship new: 1 of 2 gates failed (success_rate)." in " ".join(capsys.readouterr().out.split())


def test_a_table_with_rows_that_no_count_holds_is_not_enough() -> None:
    found = decided({"regression": {"tier": "e2e"}}, {"a": "PP"}, settings={"unheard": 2})
    assert found.decision == "not_enough_evidence"
    assert (found.gates[-1].gate, found.gates[-1].state, found.gates[-1].seen) == ("rows_read", "open", "2 rows refused and in no count")
    assert decided({"regression": {"tier": "e2e"}}, {"a": "PP"}).decision == "ship"


RATE = {"success_rate": "overall", "min": "0.9"}


@pytest.mark.parametrize(
    ("gates", "letters", "more", "why", "command"),
    [
        (RATE, "P", {}, "plan", "fairtrial plan --run r1:new --detect 0.1"),
        ({"severe": 0, "upper_bound": "0.03"}, "P", {}, "plan", "fairtrial plan --run r1:new --detect 0.05"),
        ({"severe": 0}, "P", {}, "show", "fairtrial show r1:new"),
        ({"success_rate": {"tag": "x"}, "min": "0.9"}, "P", {}, "no_case", "fairtrial check 'my suite.yaml'"),
        ({"judge_score": "dialogue", "min": "3"}, "P", {}, "lacks", "fairtrial show r1:new"),
        (RATE, "P-", {}, "resume", "fairtrial run --resume r1"),
        ({"coverage": "1"}, "PU", {}, "blocked", "fairtrial show r1:new"),
        ({"regression": {"tier": "e2e"}}, "PU", {}, "undecided", "fairtrial show r1:new"),
        ({"severe": 0}, "P", {"past": Past(losses=["case b — gone"])}, "lost", "fairtrial check 'my suite.yaml'"),
        ({"severe": 0}, "P", {"past": Past(losses=["part of the suite — 1 of 3"])}, "part", "fairtrial run 'my suite.yaml'"),
    ],
)
def test_the_next_step_follows_from_what_is_open_and_can_be_typed(
    gates: dict[str, Any], letters: str, more: dict[str, Any], why: str, command: str
) -> None:
    found = decided(gates, {"a": letters, "b": letters}, suite_path="my suite.yaml", **more)
    assert (found.next_why, found.next) == (why, command)
    assert f"next.gate.{why}" in GATE
