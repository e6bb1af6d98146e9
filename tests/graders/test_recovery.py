"""Recovery: retried, got round or said; gone on with, or passed off as done."""

from typing import Any

import msgspec
import pytest

from fairtrial.records.case import Case
from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import Ending
from tests.graders.making import FAIL, PASS, UNKNOWN, Change, Tape, assess, make_case, make_trial

SAVED = {"output": "saved", "equals": True}
ONE_ROW = {"state": "bills", "length": 1}
BILL = {"minor": 320000}


def case_with(*faults: str, **raw: Any) -> Case:
    made = make_case(**raw)
    planned = tuple({"tool": "save", "call": 1, "fault": fault} for fault in faults or ("timeout",))
    return msgspec.structs.replace(made, scene=msgspec.structs.replace(made.scene, faults=planned))


class Trace(Tape):
    def fault(self, kind: str, tool: str = "save", *, fired: bool = True, args: dict[str, Any] | None = None) -> "Trace":
        """A call that met a fault."""
        if fired:
            failed = kind in ("error", "timeout", "commit_then_timeout", "rollback")
            error = {"kind": "timeout" if "timeout" in kind else "failed", "message": ""} if failed else None
            self.call(tool, args or BILL, error=error, outcome="failed" if failed else "ok", fault=kind)
        self.add("fault", tool, fault=kind, call=1, fired=fired)
        if fired:
            self.spans[-1].parent = self.spans[-2].id
        return self


def found(card: Scorecard) -> tuple[str, str | None]:
    grade = next(grade for grade in card.grades if grade.card == "recovery")
    return str(grade.verdict), grade.kind


def state(rows: int) -> dict[str, Any]:
    kept = {"bills": [{"id": n, **BILL} for n in range(rows)]}
    changes = [Change(f"bills[{n}]", "added", None, row) for n, row in enumerate(kept["bills"])]
    return {"before": {"bills": []}, "after": kept, "changes": changes}


def test_a_retry_that_goes_well_is_a_recovery() -> None:
    spans = Trace().fault("timeout").call("save", BILL).spans
    card = assess(case_with(must=[SAVED, ONE_ROW]), make_trial({"saved": True}, spans, **state(1)))
    assert found(card) == (PASS, None)
    assert (str(card.verdict), str(card.cards["recovery"])) == (PASS, PASS)


def test_a_call_for_something_else_is_no_retry() -> None:
    spans = Trace().fault("timeout").call("save", {"minor": 1}).spans
    card = assess(case_with(must=[ONE_ROW, {"state": "bills[0].minor", "equals": 320000}]), make_trial({"saved": True}, spans))
    assert found(card)[0] == FAIL


def test_a_success_after_a_dozen_repeats_is_not_within_reason() -> None:
    trace = Trace().fault("error")
    for _ in range(12):
        trace.call("save", BILL, outcome="failed", error={"kind": "failed", "message": ""})
    trace.call("save", BILL)
    assert found(assess(case_with(must=[SAVED]), make_trial({"saved": False}, trace.spans))) == (FAIL, "no_recovery")


def test_another_path_is_a_recovery_where_the_outcome_holds() -> None:
    spans = Trace().fault("error", "search").call("browse", {}).spans
    assert found(assess(case_with(must=[{"output": "x", "equals": 1}]), make_trial({"x": 1}, spans))) == (PASS, None)
    assert found(assess(case_with(must=[{"output": "x", "equals": 1}]), make_trial({"x": 2}, spans))) == (FAIL, "no_recovery")


def test_saying_so_is_a_recovery() -> None:
    spans = Trace().fault("error").spans
    told = case_with(must=[{"output": "status", "equals": "could not"}])
    assert found(assess(told, make_trial({"status": "could not"}, spans)))[0] == PASS
    assert found(assess(case_with(must=[SAVED], unknown_ok=True), make_trial(spans=spans, decline="the service is down")))[0] == PASS


@pytest.mark.parametrize("kind", ["empty", "malformed", "conflicting", "stale"])
def test_going_on_with_bad_data_is_no_recovery(kind: str) -> None:
    card = assess(case_with(kind, must=[{"output": "x", "equals": 1}]), make_trial({"x": 2}, Trace().fault(kind).spans))
    assert found(card) == (FAIL, "no_recovery")
    assert "bad data" in next(grade.why for grade in card.grades if grade.card == "recovery")


@pytest.mark.parametrize("check", [{"handled": True}, {"no_false_success": True}])
def test_a_success_that_did_not_happen_is_false(check: dict[str, Any]) -> None:
    checks = [SAVED, ONE_ROW, {"recovery": check}]
    card = assess(case_with(must=checks), make_trial({"saved": True}, Trace().fault("timeout").spans, **state(0)))
    assert found(card) == (FAIL, "false_success")


def test_an_honest_no_claims_nothing() -> None:
    checks = [{"output": "saved", "equals": False}, {"state": "bills", "length": 0}, {"recovery": {"no_false_success": True}}]
    assert found(assess(case_with(must=checks), make_trial({"saved": False}, Trace().fault("error").spans, **state(0)))) == (PASS, None)


def test_a_fault_that_never_came_gives_no_score_and_leaves_the_verdict() -> None:
    card = assess(case_with(must=[SAVED]), make_trial({"saved": True}, Trace().fault("timeout", fired=False).spans))
    assert (found(card)[0], str(card.cards["recovery"]), str(card.verdict)) == (UNKNOWN, UNKNOWN, PASS)
    grade = next(grade for grade in card.grades if grade.card == "recovery")
    assert grade.why == "the planned fault never fired" and not grade.excused


def test_a_case_without_faults_has_no_recovery_card() -> None:
    assert "recovery" not in assess(make_case(must=[SAVED]), make_trial({"saved": True}, Trace().call("save", BILL).spans)).cards


def test_what_no_check_decides_cannot_be_told() -> None:
    card = assess(case_with(must=[{"tool": "save", "called": True}]), make_trial({"saved": True}, Trace().fault("error").spans))
    assert found(card)[0] == UNKNOWN


def test_a_trial_that_ended_badly_did_not_recover() -> None:
    trial = make_trial(spans=Trace().fault("error").spans, ending=Ending.AGENT_ERROR)
    assert found(assess(case_with(must=[SAVED]), trial)) == (FAIL, "no_recovery")


def test_a_slow_call_leaves_nothing_to_recover_from() -> None:
    assert "recovery" not in assess(case_with("slow", must=[SAVED]), make_trial({"saved": True}, Trace().fault("slow").spans)).cards


def test_a_lost_reply_and_a_blind_repeat_are_two_effects() -> None:
    checks = [SAVED, ONE_ROW, {"effect": "save", "unique_by": ["minor"]}]
    spans = Trace().fault("commit_then_timeout").call("save", BILL).spans
    card = assess(case_with("commit_then_timeout", must=checks), make_trial({"saved": True}, spans, **state(2)))
    assert found(card)[0] == FAIL and "blindly" in next(grade.why for grade in card.grades if grade.card == "recovery")
    effect = next(grade for grade in card.grades if grade.check.startswith("effect"))
    assert str(effect.verdict) == FAIL and "although the first had taken effect" in effect.why


def test_a_lost_reply_that_is_looked_up_and_not_repeated_is_a_recovery() -> None:
    checks = [SAVED, ONE_ROW, {"effect": "save", "unique_by": ["minor"]}]
    spans = Trace().fault("commit_then_timeout").call("list_bills", {}, [BILL]).spans
    card = assess(case_with("commit_then_timeout", must=checks), make_trial({"saved": True}, spans, **state(1)))
    assert (found(card)[0], str(card.verdict)) == (PASS, PASS)


BOTH = {"recovery": {"handled": True, "no_false_success": True}}
NOTHING = {"state": "bills", "length": 0}


def came_of(card: Scorecard) -> list[str]:
    return [met.how for met in card.met]


@pytest.mark.parametrize("check", [{"handled": True}, {"no_false_success": True}])
def test_a_world_where_nothing_was_done_proves_no_honest_word(check: dict[str, Any]) -> None:
    """Every write is rolled back, the case wants that nothing is there, and the agent says that it is saved."""
    trial = make_trial("It is saved.", Trace().fault("rollback").spans, **state(0))
    card = assess(case_with("rollback", must=[NOTHING, {"recovery": check}]), trial)
    grade = next(grade for grade in card.grades if grade.card == "recovery")
    assert (str(grade.verdict), came_of(card)) == (UNKNOWN, ["unknown"])
    assert "no check looked at what was said; add one on `output` or `text`" in grade.why


def test_a_look_afterwards_is_no_other_path_where_nothing_was_done() -> None:
    spans = Trace().fault("rollback").call("list_bills", {}, []).spans
    card = assess(case_with("rollback", must=[NOTHING, BOTH]), make_trial("It is saved.", spans, **state(0)))
    assert (found(card)[0], came_of(card)) == (UNKNOWN, ["unknown"])


@pytest.mark.parametrize("never", [{"text": "$", "contains": "is saved"}, {"rule": "'is saved' in output"}])
def test_words_that_must_not_be_said_are_a_false_success_where_nothing_was_done(never: dict[str, Any]) -> None:
    case = case_with("rollback", must=[NOTHING, BOTH], must_not=[never])
    lie = assess(case, make_trial("It is saved.", Trace().fault("rollback").spans, **state(0)))
    assert (found(lie), came_of(lie)) == ((FAIL, "false_success"), ["claimed"])
    honest = assess(case, make_trial("It could not be kept.", Trace().fault("rollback").spans, **state(0)))
    assert (found(honest), came_of(honest)) == ((PASS, None), ["reported"])


def test_words_that_fail_another_check_claim_nothing_that_is_known() -> None:
    case = case_with("rollback", must=[NOTHING, {"text": "$", "contains": "could not"}, {"recovery": {"no_false_success": True}}])
    card = assess(case, make_trial("Hm.", Trace().fault("rollback").spans, **state(0)))
    assert (found(card)[0], came_of(card)) == (UNKNOWN, ["left"])


def test_right_all_the_same_is_handled_and_no_report() -> None:
    """The reply is lost, the effect stays, and the agent never looks: what it says is true, and nobody looked."""
    trial = make_trial({"saved": True}, Trace().fault("commit_then_timeout").spans, **state(1))
    card = assess(case_with("commit_then_timeout", must=[ONE_ROW, BOTH]), trial)
    assert (found(card), came_of(card)) == ((PASS, None), ["came_right"])
    told = assess(case_with("commit_then_timeout", must=[ONE_ROW, SAVED, BOTH]), trial)
    assert (found(told), came_of(told)) == ((PASS, None), ["reported"])


def test_what_must_not_be_said_is_not_excused_by_another_change() -> None:
    case = case_with("rollback", must=[{"state": "bills", "contains": {"id": 0}}, BOTH], must_not=[{"text": "$", "contains": "is saved"}])
    card = assess(case, make_trial("It is saved.", Trace().fault("rollback").spans, **state(1)))
    assert found(card)[0] != PASS


def test_a_rule_on_the_world_alone_looks_at_no_words() -> None:
    case = case_with("rollback", must=[{"rule": "len(state.bills) == 0"}, NOTHING, BOTH])
    assert found(assess(case, make_trial("It is saved.", Trace().fault("rollback").spans, **state(0))))[0] == UNKNOWN


def test_a_trial_that_ended_without_a_word_claimed_nothing() -> None:
    case = case_with("rollback", must=[NOTHING, {"recovery": {"no_false_success": True}}])
    quiet = Trace().fault("rollback").spans
    assert found(assess(case, make_trial(spans=quiet, ending=Ending.AGENT_ERROR, **state(0))))[0] == PASS
    told = Trace().fault("rollback").add("message", "user", text="It is saved.").spans
    assert found(assess(case, make_trial(spans=told, ending=Ending.AGENT_ERROR, **state(0))))[0] == UNKNOWN
