"""What cases still tell, the stage of a suite, where cases come from, spilt answers and cases that people read in two ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.load import case_from_raw
from fairtrial.records.case import Labels
from fairtrial.records.run import CaseInfo
from fairtrial.records.trace import Span
from fairtrial.study.ambiguity import ambiguous
from fairtrial.study.contamination import Answers, spills
from fairtrial.study.health import STATES, read_cases, states_of
from fairtrial.study.stages import DAY_NS, Means, read_origin, read_stage
from tests.study.tables import info, table

FULL = Means(trials=[3] * 200, policy=True, judge=True)


@pytest.mark.parametrize(
    ("solo", "state"),
    [("PPPPP", "saturated"), ("FFFFF", "dead"), ("PPPPF", "flaky"), ("PPPP", "too_few"), ("UUUUUUU", "untried"), ("PPPPPU", "saturated")],
)
def test_a_case_is_what_its_decided_trials_show(solo: str, state: str) -> None:
    (found,) = read_cases([info("a")], [table({"solo": {"a": solo}})], {})
    assert found.state == state


def test_a_case_that_one_setup_always_passes_and_another_never_is_steady_and_tells() -> None:
    (found,) = read_cases([info("a")], [table({"one": {"a": "PPPPP"}, "two": {"a": "FFFFF"}})], {})
    assert (found.state, found.tells) == ("steady", True)


def test_equal_rates_tell_nothing_and_one_setup_alone_cannot_be_told() -> None:
    same, alone = table({"one": {"a": "PPPPF"}, "two": {"a": "FPPPP"}}), table({"one": {"a": "PPPPF"}})
    assert read_cases([info("a")], [same], {})[0].tells is False
    assert read_cases([info("a")], [alone], {})[0].tells is None


def test_runs_of_another_content_or_another_version_of_the_setup_do_not_count() -> None:
    newest = table({"solo": {"a": "PPP"}}, setups={"solo": {"versions": {"model": "m-2"}}})
    older = table({"solo": {"a": "FFFFF"}}, setups={"solo": {"versions": {"model": "m-1"}}})
    assert read_cases([info("a")], [newest, older], {})[0].state == "too_few"
    assert read_cases([info("a")], [newest, newest], {})[0].state == "saturated"
    assert read_cases([info("a", hash="sha256:edited")], [newest, newest], {})[0].state == "untried"
    recoded = [table({"solo": {"a": letters}}, settings={"code": code}) for code, letters in (("2", "PPPPP"), ("1", "FFFFF"))]
    assert read_cases([info("a")], recoded, {})[0].state == "saturated"


@given(st.lists(st.text("PFU-", max_size=8), min_size=1, max_size=5))
def test_every_case_is_in_exactly_one_state(letters: list[str]) -> None:
    cases = {f"c{number}": said for number, said in enumerate(letters)}
    found = read_cases([info(case) for case in cases], [table({"solo": cases})], {})
    assert sum(states_of(found).values()) == len(cases)
    assert list(states_of(found)) == list(STATES)


def cases(number: int, source: str | None = None) -> list[CaseInfo]:
    return [CaseInfo(id=f"{source}{place}", hash="", brief_hash="", labels=Labels(source=source)) for place in range(number)]


@pytest.mark.parametrize(
    ("found", "means", "stage"),
    [
        (cases(9), Means(trials=[1] * 9), "start"),
        (cases(10), Means(trials=[1] * 10), "prototype"),
        (cases(60), Means(trials=[1] * 60), "prototype"),
        (cases(40) + cases(20, "incident"), Means(trials=[1] * 60), "development"),
        (cases(180) + cases(20, "real"), FULL, "pre-release"),
        (cases(180) + cases(20, "incident"), FULL, "development"),
        (cases(180) + cases(20, "real"), Means(trials=[3] * 199 + [1], policy=True, judge=True), "development"),
        (cases(180) + cases(20, "real"), Means(trials=[3] * 200, policy=True, judge=True, live=True), "production"),
    ],
)
def test_a_stage_is_reached_when_all_it_asks_for_is_there(found: list[CaseInfo], means: Means, stage: str) -> None:
    assert read_stage(found, means).stage == stage


def test_what_the_next_stage_lacks_is_named_with_numbers() -> None:
    told = read_stage(cases(12), Means(trials=[1] * 12))
    assert told.next == "development"
    assert told.missing[0] == "38 more cases (it has 12 of 50)"
    assert "20 more cases from real failures" in told.missing[1]
    assert read_stage(cases(200, "real"), Means(trials=[3] * 200, policy=True, judge=True, live=True)).next is None


def test_the_age_of_real_cases_counts_from_the_first_run_that_had_them() -> None:
    found = read_origin(cases(2, "real") + cases(2), {"real0": 0, "real1": 4 * DAY_NS, "None0": 0}, 10 * DAY_NS)
    assert (found.real, found.share) == (2, 0.5)
    assert (found.newest_days, found.median_days, found.oldest_days) == (6.0, 8.0, 10.0)
    assert read_origin(cases(1), {}, 0).oldest_days is None


REFERENCE = "Demand cannot be known from twenty sold units with four days out of stock."


def answers(**fields: object) -> Answers:
    return Answers(case_from_raw({"id": "c", "task": "judge demand", "must": [{"output": "x", "exists": True}], **fields}, "here"))


def tool(result: object, **args: object) -> Span:
    return Span("1", None, "tool", "read", None, 1, 2, {"args": args, "result": result})


def test_a_reference_in_what_a_tool_returned_is_a_spill() -> None:
    found = answers(reference=REFERENCE)
    assert [what for _, what in spills([tool({"page": f"…  {REFERENCE.upper()}  …"})], found)] == ["reference"]
    assert list(spills([tool({"page": "sales were twenty"})], found)) == []


def test_the_file_of_the_case_is_a_spill_whatever_it_answers() -> None:
    assert [what for _, what in spills([tool('{"must_not": [], "known_bad": []}')], answers())] == [
        "the case's own file (must_not, known_bad)"
    ]
    assert list(spills([tool("you must_not do that")], answers())) == []


def test_short_answers_texts_of_the_case_and_the_agents_own_words_are_none() -> None:
    assert list(spills([tool("unknown")], answers(solution={"demand": "unknown"}))) == []
    assert list(spills([tool(REFERENCE)], answers(reference=REFERENCE, facts={"note": REFERENCE}))) == []
    assert list(spills([tool({"saved": REFERENCE}, text=REFERENCE)], answers(reference=REFERENCE))) == []


def test_people_who_disagree_make_a_case_ambiguous_and_a_change_of_mind_does_not() -> None:
    said = [
        ("a", "human:1", "PASS"),
        ("a", "human:2", "FAIL"),
        ("b", "human:1", "FAIL"),
        ("b", "human:1", "PASS"),
        ("b", "human:2", "PASS"),
    ]
    assert [one.case for one in ambiguous(said, ["a", "b"])] == ["a"]
    assert ambiguous([("elsewhere", "human:1", "PASS"), ("elsewhere", "human:2", "FAIL")], ["a"]) == []
