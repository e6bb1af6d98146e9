"""Use from end to end: the fact is altered at the hand-off, upstream is replayed and not run, and the truth comes out."""

import json
from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from fairtrial.records.errors import InputError
from fairtrial.records.trial import TrialKey
from fairtrial.records.use import UseReport
from fairtrial.steps.reading import open_store
from fairtrial.steps.useplan import UseOptions
from fairtrial.steps.using import use
from tests.steps.using import graph_project, use_project


def asked(folder: Path, setup: str, *facts: str, **more: Any) -> UseReport:
    return use(str(folder), UseOptions(setup=setup, facts=facts or ("days",), **more))


def altered(folder: Path, found: UseReport, setup: str, case: str = "case-1", attempt: int = 1) -> Any:
    with open_store(str(folder), None) as store:
        assert found.run is not None
        return store.trial(found.run, TrialKey(case, setup, attempt))


def readings(found: UseReport) -> set[str]:
    return {proof.reading for proof in found.proofs}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return use_project(tmp_path_factory.mktemp("use") / "suite")


def test_a_lead_that_uses_the_fact_moves_with_it(folder: Path) -> None:
    found = asked(folder, "user")
    assert found.facts == {"days": "used"} and readings(found) == {"confirmed"}
    assert found.shifts[0].value == 1.0 and found.shifts[0].noise == 0.0
    assert [(case.was, case.put_in) for case in found.cases] == [(4, 0), (0, 4), (4, 0), (0, 4)]
    assert (found.replay, found.replayed, found.acted) == ("downstream", ["scout"], ["lead"])
    assert found.trials == found.planned == 4 * 5 * 2


def test_upstream_does_not_act_again_spends_nothing_and_leaves_what_it_did(folder: Path) -> None:
    found = asked(folder, "counting")
    trial = altered(folder, found, "counting ? days changed")
    assert trial.head.spend.model_calls == 0 and trial.head.spend.usd in (None, 0)
    assert trial.body.after["notes"] == ["lamp 1"]
    calls = {span.name: span.attributes for span in trial.body.spans if span.kind == "tool"}
    assert calls["look"]["replayed"] is True and calls["write_down"]["wrote"] is True
    assert "replayed" not in calls["count_notes"]
    assert [span.name for span in trial.body.spans if span.kind == "adjustment"] == ["season"]
    assert trial.body.output == {"order": 11}


def test_what_arrives_is_the_altered_fact_and_what_was_sent_is_not(folder: Path) -> None:
    found = asked(folder, "user")
    spans = altered(folder, found, "user ? days changed").body.spans
    told = {span.attributes["event"]: span.attributes["facts"]["days"] for span in spans if span.kind == "handoff"}
    assert told == {"sent": 4, "received": 0}


def test_a_lead_that_declares_and_ignores_is_caught_whatever_it_says(folder: Path) -> None:
    found = asked(folder, "liar")
    assert found.facts == {"days": "not_used"} and readings(found) == {"declared_not_used"}
    assert all(proof.declared == proof.found == proof.of == 5 for proof in found.proofs)


def test_the_whole_answer_counts_where_it_is_asked_for(folder: Path) -> None:
    assert asked(folder, "liar", decision=("$",)).facts == {"days": "used"}


def test_a_lead_that_uses_the_fact_in_silence_is_seen(folder: Path) -> None:
    found = asked(folder, "silent")
    assert readings(found) == {"used_undeclared"}
    assert all(proof.declared == 0 for proof in found.proofs)


def test_a_lead_that_draws_lots_is_not_read_as_using_it(folder: Path) -> None:
    found = asked(folder, "noisy")
    assert found.facts != {"days": "used"} and found.shifts[0].noise is not None and found.shifts[0].noise > 0.3


def test_a_second_parcel_contradicts_the_first(folder: Path) -> None:
    found = asked(folder, "wary", ways=("contradict", "change"))
    assert {row.how: row.reading for row in found.shifts} == {"contradicted": "used", "changed": "not_used"}


def test_a_fact_within_a_report_is_altered_there(folder: Path) -> None:
    found = asked(folder, "deep", "depth")
    assert found.facts == {"depth": "used"}
    assert altered(folder, found, "deep ? depth changed").body.output == {"order": 4}


def test_a_hidden_fact_without_which_nothing_is_decided_proves_nothing(folder: Path) -> None:
    found = asked(folder, "crashing", ways=("hide",))
    assert found.facts == {"days": "cannot_tell"}
    assert found.shifts[0].undecided == (20, 0) and "came to no decision" in found.says


def test_a_role_that_sees_the_fact_in_its_own_brief_sees_it_altered(folder: Path) -> None:
    assert asked(folder, "seeing").facts == {"days": "used"}
    assert asked(folder, "seeing", ways=("hide",)).facts == {"days": "used"}


def test_from_another_role_on_all_that_follows_acts_again(folder: Path) -> None:
    found = asked(folder, "longer", to="clerk")
    assert (found.replayed, found.acted) == (["scout"], ["clerk", "lead"])
    assert found.facts == {"days": "used"}
    assert found.shifts[0].setup == "longer ? days changed at clerk"


@pytest.mark.parametrize("setup", ["waiting", "mixed"])
@pytest.mark.parametrize("isolate", ["fork", "shared"])
def test_async_roles_and_tools_are_replayed_as_well(folder: Path, setup: str, isolate: str) -> None:
    found = asked(folder, setup, isolate=isolate, trials=4)
    assert found.facts == {"days": "used"}
    assert altered(folder, found, f"{setup} ? days changed").body.after["notes"] == ["lamp 1"]


def test_a_team_in_one_function_runs_whole_and_is_labelled_so(folder: Path) -> None:
    found = asked(folder, "whole")
    assert (found.replay, found.replayed) == ("whole", [])
    assert (
        found.facts == {"days": "used"}
        and found.cost_usd is not None
        and found.cost_usd == found.trials * 5 // 1 / found.cost_usd.__class__(100)
    )


def test_an_altered_run_in_which_the_parcel_never_came_is_none(folder: Path) -> None:
    ft.run(str(folder), setups=["forgetful"], trials=4)
    found = asked(folder, "forgetful", trials=6)
    lost, controls = found.shifts[0].undecided
    assert 0 < lost < found.shifts[0].runs and controls == 0
    assert found.facts["days"] != "not_used"


def test_a_team_with_retries_runs_whole(folder: Path) -> None:
    found = asked(folder, "retried", trials=4)
    assert found.replay == "whole" and found.facts == {"days": "used"}


@pytest.mark.parametrize(("setup", "why"), [("ringing", "acts outside the case's world"), ("talking", "spoke with the user")])
def test_what_cannot_be_replayed_is_refused_with_its_reason_and_can_be_run_whole(folder: Path, setup: str, why: str) -> None:
    found = asked(folder, setup)
    assert found.run is None and found.facts == {"days": "cannot_tell"}
    assert all(left.kind == "not_replayable" and why in left.why for left in found.left_out)
    assert asked(folder, setup, whole=True, trials=4).facts == {"days": "used"}


def test_a_value_of_the_users_own_is_put_in(folder: Path) -> None:
    found = asked(folder, "user", value=9, cases=("case-1", "case-2"))
    assert [(case.put_in, case.moved) for case in found.cases] == [(9, 0), (9, 5)]


def test_a_text_that_all_cases_share_has_nothing_to_be_changed_to(folder: Path) -> None:
    found = asked(folder, "seeing", "colour")
    assert {left.kind for left in found.left_out} == {"not_received"}


def test_a_setup_without_roles_a_role_a_fact_and_a_setup_that_are_not_there_are_errors(folder: Path) -> None:
    with pytest.raises(InputError, match="no roles"):
        asked(folder, "single")
    with pytest.raises(InputError, match="no such role") as role:
        asked(folder, "user", to="leed")
    assert "lead" in str(role.value)
    with pytest.raises(InputError, match="no case states this fact") as fact:
        asked(folder, "user", "day")
    assert "did you mean 'days'?" in str(fact.value)
    with pytest.raises(InputError, match="no such setup"):
        asked(folder, "users")


def test_nothing_is_run_for_a_question_that_cannot_be_asked(tmp_path: Path) -> None:
    folder = use_project(tmp_path / "p")
    with pytest.raises(InputError):
        asked(folder, "single")
    with open_store(str(folder), None) as store:
        assert store.runs() == []


def test_stored_trials_are_replayed_and_none_is_run_anew(tmp_path: Path) -> None:
    folder = use_project(tmp_path / "p", cases=2)
    ran = ft.run(str(folder), setups=["user"]).run
    assert asked(folder, "user").recorded == ran
    with open_store(str(folder), None) as store:
        assert len(store.runs()) == 2
    with pytest.raises(InputError, match="did not try the setup"):
        asked(folder, "liar", run=ran)


def test_trials_of_other_code_than_todays_are_not_replayed(tmp_path: Path) -> None:
    folder = use_project(tmp_path / "p", cases=1)
    ran = ft.run(str(folder), setups=["user"]).run
    (folder / "agents.py").write_text((folder / "agents.py").read_text() + "\n# changed\n")
    assert asked(folder, "user", trials=2).recorded != ran
    with pytest.raises(InputError, match="as it is in the suite today"):
        asked(folder, "user", run=ran)


def test_a_plain_run_does_not_finish_what_use_began(tmp_path: Path) -> None:
    folder = use_project(tmp_path / "p", cases=1)
    found = asked(folder, "user", trials=2)
    with pytest.raises(InputError, match="alters facts"):
        ft.run(str(folder), resume=found.run)


def test_a_use_by_intervention_is_unknown_until_it_was_tried_and_then_graded(tmp_path: Path) -> None:
    folder = use_project(tmp_path / "p", cases=1, extra={"must": [{"fact": "days", "used_by": "lead", "proof": "intervention"}]})
    grades: dict[str, list[str]] = {}
    for setup, trials in (("user", None), ("liar", None)):
        run = ft.run(str(folder), setups=[setup]).run
        before = ft.show(run, start=str(folder)).cases[0]
        assert "fairtrial use SUITE --setup" in before.unknown[0]["why"]
        asked(folder, setup, run=run, trials=trials, decision=("order",))
        grades[setup] = list(ft.grade(run, start=str(folder)).cases[0].verdicts)
    assert grades == {"user": ["PASS"], "liar": ["FAIL"]}


@pytest.mark.timeout(300)  # each of its trials imports the framework anew
@pytest.mark.parametrize("setup", ["graph", "graph-async"])
def test_in_a_graph_the_fact_is_altered_in_the_state_that_reaches_a_node(tmp_path: Path, setup: str) -> None:
    pytest.importorskip("langgraph")
    folder = graph_project(tmp_path / "p")
    found = asked(folder, setup, trials=4)
    assert found.replay == "whole" and found.to == "decide"
    assert found.facts == {"days": "used"} and found.shifts[0].value == 1.0
    assert asked(folder, setup, ways=("hide",), trials=4, cases=("case-1", "case-3")).cases[0].moved == 4
    assert asked(folder, setup, "depth", trials=4).facts == {"depth": "not_used"}
    assert {left.kind for left in asked(folder, setup, ways=("contradict",)).left_out} == {"not_replayable"}


def _with_held_out(folder: Path) -> Path:
    """The last case is held out."""
    path = use_project(folder) / "cases.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[-1]["split"] = "held_out"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return folder


def _looks(folder: Path) -> list[tuple[str, str]]:
    with open_store(str(folder), None) as store:
        return [(look.verb, look.case) for look in store.ledger.looks()]


def test_held_out_cases_are_left_out_unless_asked_for_and_then_the_look_is_written_down(tmp_path: Path) -> None:
    folder = _with_held_out(tmp_path / "suite")
    found = asked(folder, "user")
    assert {case.case for case in found.cases} == {"case-1", "case-2", "case-3"} and _looks(folder) == []
    assert found.notes[-1] == "held-out cases left out: 1; --held-out opens them, and the look is written down"
    with pytest.raises(InputError, match="held out"):
        asked(folder, "user", cases=("case-4",))
    opened = asked(folder, "user", cases=("case-4",), held_out=True)
    assert {case.case for case in opened.cases} == {"case-4"} and set(_looks(folder)) == {("use", "case-4")}


def test_python_gives_the_same_object_and_names_an_option_that_is_not_there(folder: Path) -> None:
    found = ft.use(folder, "user", "days", cases=["case-1"])
    assert found.facts == {"days": "used"}
    assert {proof.case for proof in found.proofs} == {"case-1"}
    with pytest.raises(InputError, match=r"use\(\) takes no 'trial'"):
        ft.use(folder, "user", ["days"], trial=5)
