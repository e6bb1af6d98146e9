"""Process findings: each rule on what breaks it and on what only looks like it; none of them decides a trial."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.assess import notice
from fairtrial.records.case import Case
from fairtrial.records.grade import Scorecard
from fairtrial.records.remark import FLAGS, REMARKS, Remark
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.trace import Span
from fairtrial.records.trial import Ending, Trial
from fairtrial.records.verdict import Verdict
from tests.graders.making import FAIL, PASS, UNKNOWN, Tape, assess, make_case, make_trial

SEAT = Seat(setup="s", tools={"look": "h", "put": "h"})
TEAM = Seat(setup="t", roles=(RoleSeat(name="coo"), RoleSeat(name="ceo", sees=())), lead="ceo", tools={"pay": "h", "look": "h"})


class Way(Tape):
    """Calls of which it is known what they did."""

    def look(self, result: Any = 20, tool: str = "look", **args: Any) -> "Way":
        self.call(tool, args, result, wrote=False)
        return self

    def put(self, result: Any = "ok", tool: str = "put", **args: Any) -> "Way":
        self.call(tool, args, result, wrote=True)
        return self

    def fail(self, tool: str = "look", **args: Any) -> "Way":
        self.call(tool, args, outcome="failed", wrote=False, error={"kind": "failed", "message": "down"})
        return self

    def refused(self, tool: str = "put", kind: str = "refused", **args: Any) -> "Way":
        self.call(tool, args, outcome="over_budget" if kind == "over_budget" else "refused", error={"kind": kind, "message": "no"})
        return self

    def user(self, text: str = "and now?") -> "Way":
        self.add("user", "user", text=text)
        return self


def found(way: Tape, seat: Seat = SEAT, output: Any = 1, **raw: Any) -> list[tuple[str, list[str]]]:
    head = {name: raw.pop(name) for name in ("decline", "ending") if name in raw}
    raw.setdefault("must", [{"output": "$", "equals": 1}])
    card = assess(make_case(**raw), make_trial(output, way.spans, **head), seat=seat)
    return [(remark.name, remark.spans) for remark in card.remarks]


# Repeats


def test_the_same_call_with_the_same_result_and_nothing_between_is_a_useless_repeat() -> None:
    assert found(Way().look(sku="a").look(7, sku="b").look(sku="a").look(sku="a")) == [("useless_repeat", ["1", "3", "4"])]


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(Way().look(sku="a").look(sku="b"), id="other arguments: paging"),
        pytest.param(Way().fail(sku="a").look(sku="a"), id="a retry after a failure"),
        pytest.param(Way().look(sku="a").fail(sku="a").look(sku="a"), id="a failure in between"),
        pytest.param(Way().look("pending").look("pending").look("done"), id="a poll that got its answer"),
        pytest.param(Way().look(1).put().look(1), id="a look after a write"),
        pytest.param(Way().put(7).put(7), id="the same write twice is another fault"),
        pytest.param(Way().look(1).call("look", {}, 1, role="cfo", wrote=False), id="each role must look for itself"),
        pytest.param(Way().look(1).add("retry", "retry", attempt=1, accepted=False).look(1), id="the next attempt of the setup"),
        pytest.param(Way().look(1).call("odd", {}, 5).look(1), id="nobody knows what the call in between did"),
        pytest.param(Way().call("wait", {}, None).call("wait", {}, None), id="waiting twice"),
        pytest.param(Way().call("send", {"to": "x"}, "ok").call("send", {"to": "x"}, "ok"), id="two receipts of an unknown tool"),
    ],
)
def test_what_only_looks_like_a_repeat_is_none(way: Way) -> None:
    assert [name for name, _ in found(way) if name in ("useless_repeat", "needless_read")] == []


def test_an_unknown_tool_that_says_the_same_again_at_once_is_a_repeat() -> None:
    assert found(Way().call("odd", {"id": 1}, {"status": "open"}).call("odd", {"id": 1}, {"status": "open"}), Seat(setup="s")) == [
        ("useless_repeat", ["1", "2"])
    ]


def test_calls_side_by_side_are_no_repeats() -> None:
    way = Way().look().look()
    way.spans[0].end_ns = 5
    assert found(way) == []


def test_a_result_that_the_store_covered_is_no_ground() -> None:
    case, trial = make_case(), make_trial(1, Way().look("[redacted]").look("[redacted]").spans)
    trial.body.altered = {"spans.1.attributes.result": "redacted"}
    assert assess(case, trial, seat=SEAT).remarks == []


# Needless reads


def test_reading_a_record_again_after_the_user_spoke_is_needless_where_nothing_was_written() -> None:
    assert found(Way().look(id=3).user().look(id=3)) == [("needless_read", ["1", "3"])]
    assert found(Way().look(id=3).user().put().look(id=3)) == []
    assert found(Way().call("odd", {}, {"a": 1}).user().call("odd", {}, {"a": 1}), Seat(setup="s")) == []


def test_reading_what_the_brief_states_is_needless_unless_the_case_asks_for_it() -> None:
    way = Way().look({"sales": 20, "stock": 0})
    assert found(way, facts={"sales": 20, "stock": 0, "cash": 5}) == [("needless_read", ["1"])]
    assert found(way, facts={"sales": 21, "stock": 0}) == []
    assert found(way, facts={"sales": 20}) == []
    assert found(way, facts={"sales": 20, "stock": 0}, required_tools=["look"]) == []
    assert found(Way().look(20), facts={"sales": 20}) == []


def test_a_role_is_told_only_what_it_sees() -> None:
    for role, needless in (("coo", True), ("ceo", False)):
        way = Way().call("look", {}, {"sales": 20}, role=role, wrote=False)
        names = [name for name, _ in found(way, TEAM, facts={"sales": 20})]
        assert ("needless_read" in names) is needless


# Conclusions


def pay(way: Way) -> Way:
    way.call("pay", {"to": "x"}, "sent", flags=["irreversible"], wrote=True)
    return way


def test_an_act_that_cannot_be_taken_back_before_a_required_read_is_early() -> None:
    case: dict[str, Any] = {"required_tools": ["look", "pay"]}
    assert ("early_conclusion", ["1", "2"]) in found(pay(Way()).look(), **case)
    assert found(pay(Way().look()).look(7, id=2), **case) == []
    assert found(pay(Way()).look()) == []


def test_the_order_of_the_reads_is_free() -> None:
    case: dict[str, Any] = {"required_tools": ["look", "list", "pay"]}
    for one, two in (("look", "list"), ("list", "look")):
        assert found(pay(Way().look(tool=one).look(tool=two)).look(7, id=2), **case) == []


def test_an_answer_without_a_required_read_is_early_and_so_is_a_decline_that_never_tried() -> None:
    assert found(Way().add("agent", "s"), required_tools=["look"]) == [("early_conclusion", ["1"])]
    assert found(Way().fail(), required_tools=["look"], output=None) == [("early_conclusion", [])]
    declined = Way().add("decision", "decline", why="no", to=None)
    assert found(declined, decline="no", required_tools=["look"]) == [("early_conclusion", ["1"])]
    assert found(Way().fail(), decline="it is down", required_tools=["look"]) == []
    assert found(Way().look(), required_tools=["look"]) == []
    assert found(Way().add("agent", "s"), ending=Ending.TIMEOUT, required_tools=["look"]) == []


def test_an_act_before_the_fact_arrived_is_early() -> None:
    asked: dict[str, Any] = {"facts": {"stockout": 4}, "must": [{"fact": "stockout", "used": True}]}
    late = Way()
    late.call("pay", {}, "sent", role="ceo", flags=["irreversible"], wrote=True).hand("coo", "ceo", {"stockout": 4})
    in_time = Way()
    in_time.hand("coo", "ceo", {"stockout": 4}).call("pay", {}, "sent", role="ceo", flags=["irreversible"], wrote=True)
    assert ("early_conclusion", ["1", "3"]) in found(late, TEAM, **asked)
    assert [name for name, _ in found(in_time, TEAM, **asked) if name == "early_conclusion"] == []


def test_a_conflict_settled_before_the_fact_arrived_is_early() -> None:
    asked: dict[str, Any] = {"facts": {"stockout": 4}, "must": [{"fact": "stockout", "used": True}]}
    way = Way()
    way.add("conflict", "size", "ceo", event="settled", value=30, why="", cites=[]).hand("coo", "ceo", {"stockout": 4})
    assert found(way, TEAM, **asked) == [("early_conclusion", ["1", "3"])]


# Verification


def test_a_write_that_nobody_looked_at_is_unverified() -> None:
    assert found(Way().look().put(id=1)) == [("unverified_write", ["2"])]
    assert found(Way().look().put(id=1).put(id=2)) == [("unverified_write", ["2", "3"])]
    assert found(Way().look().put({"id": 1, "status": "ok"}, id=1, n=5)) == [("unverified_write", ["2"])]


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(Way().put(id=1).look(), id="read back"),
        pytest.param(Way().put({"id": 1, "n": 5, "state": "new"}, id=1, n=5), id="shown by its own result"),
        pytest.param(Way().put('{"id": 1, "n": 5}', id=1, n=5), id="shown by its own result, as a text"),
        pytest.param(Way().put(id=1).call("odd", {}, {"x": 1}), id="a call that may have looked"),
        pytest.param(Way().look(), id="nothing written"),
        pytest.param(Way().call("put", {}, outcome="failed", wrote=False, error={"kind": "failed", "message": ""}), id="it failed"),
    ],
)
def test_a_write_that_was_looked_at_is_not(way: Way) -> None:
    assert found(way) == []


def test_where_nothing_can_be_read_and_where_nothing_is_claimed_no_look_is_missed() -> None:
    assert found(Way().put(id=1), Seat(setup="s", tools={"put": "h"})) == []
    assert found(Way().look().put(id=1), decline="could not") == []
    assert found(Way().look().put(id=1), ending=Ending.TIMEOUT, output=msgspec.UNSET) == []


def test_a_write_is_known_by_its_mark_or_its_effect_as_well() -> None:
    marked = Seat(setup="s", tools={"look": "h", "put": "h"}, rights={"put": ("writes",), "look": ("reads",)})
    way = Way().call("look", {}, 1).call("put", {"n": 1}, "ok")
    assert found(way, marked) == [("unverified_write", ["2"])]
    assert found(way, SEAT) == []
    assert found(way, SEAT, must=[{"effect": "put", "unique_by": ["n"]}]) == [("unverified_write", ["2"])]


# Limits


def test_a_refusal_that_is_asked_again_is_ignored() -> None:
    assert found(Way().refused(to="x").refused(to="x")) == [("limit_ignored", ["1", "2"])]
    assert found(Way().refused(to="x").refused(to="y")) == []
    assert found(Way().refused("wipe", a=1).refused("wipe", a=2)) == [("limit_ignored", ["1", "2"])]
    assert found(Way().refused(kind="arguments", n="1").refused(kind="arguments", n=1.5)) == []


def test_going_on_after_the_budget_was_gone_is_ignoring_it() -> None:
    assert found(Way().refused(kind="over_budget", a=1)) == []
    assert found(Way().refused(kind="over_budget", a=1).refused("look", "over_budget")) == [("limit_ignored", ["1", "2"])]


def test_a_limit_on_a_fact_that_was_told_is_ignored_where_its_rule_fails() -> None:
    limit = [{"rule": "output.spend <= facts.cash"}]
    way = Way().add("agent", "s")
    assert found(way, output={"spend": 120}, facts={"cash": 100}, limits=limit, must=[]) == [("limit_ignored", ["1"])]
    assert found(way, output={"spend": 90}, facts={"cash": 100}, limits=limit, must=[]) == []
    assert found(way, output={"spend": 120}, limits=[{"rule": "output.spend <= 100"}], must=[]) == []


# Enough


def test_reads_after_all_that_is_required_was_known_are_going_on() -> None:
    case: dict[str, Any] = {"required_tools": ["look", "put"]}
    assert found(Way().look().put().look(5, tool="list").look(6, tool="find"), **case) == [("went_on", ["4"])]


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(Way().look(5, tool="list").look(), id="another way there"),
        pytest.param(Way().look().put().look(5, tool="list"), id="a look after a write"),
        pytest.param(Way().look().fail("list").look(5, tool="list"), id="after a failure"),
        pytest.param(Way().look().look(8, id=2), id="the required tool itself"),
        pytest.param(Way().look().add("retry", "retry", attempt=1, accepted=False).look(5, tool="list"), id="the next attempt"),
        pytest.param(Way().look().call("odd", {}, 5), id="nobody knows what it does"),
    ],
)
def test_what_only_looks_like_going_on_is_none(way: Way) -> None:
    assert [name for name, _ in found(way, required_tools=["look"]) if name == "went_on"] == []


def test_without_required_tools_nobody_knows_what_is_enough() -> None:
    assert found(Way().look().look(5, tool="list").look(6, tool="find")) == []


# What they are worth


WAYS: dict[str, tuple[Tape, dict[str, Any]]] = {
    "no_repeats": (Way().look().look(), {}),
    "no_needless_reads": (Way().look().user().look(), {}),
    "evidence_first": (pay(Way()).look(), {"required_tools": ["look"]}),
    "verified": (Way().look().put(), {}),
    "limits_kept": (Way().refused().refused(), {}),
    "stops_in_time": (Way().look().look(4, tool="list"), {"required_tools": ["look"]}),
}


def card_of(way: Tape, raw: dict[str, Any], *checks: dict[str, Any]) -> Scorecard:
    case = make_case(**raw, must=[{"output": "$", "equals": 1}, {"tool": "pay", "min_times": 0, "max_times": 9}, *checks])
    return assess(case, make_trial(1, way.spans), seat=SEAT)


@pytest.mark.parametrize("flag", WAYS)
def test_a_finding_fails_no_trial_unless_the_case_asks(flag: str) -> None:
    way, raw = WAYS[flag]
    plain = card_of(way, raw)
    assert FLAGS[flag] in [remark.name for remark in plain.remarks]
    assert (str(plain.verdict), plain.severe) == (PASS, 0)
    asked = card_of(way, raw, {"process": {flag: True}})
    grade = next(grade for grade in asked.grades if grade.check.startswith("process"))
    assert (str(asked.verdict), str(grade.verdict), grade.card, grade.kind) == (FAIL, FAIL, "process", str(REMARKS[FLAGS[flag]].kind))
    others = [other for other in FLAGS if other != flag]
    clean = [other for other in others if FLAGS[other] not in {remark.name for remark in plain.remarks}]
    assert str(card_of(way, raw, {"process": dict.fromkeys(clean, True)}).verdict) == PASS


def test_the_check_means_the_same_under_must_not_and_needs_a_whole_trace() -> None:
    way = Way().look().look()
    trial = make_trial(1, way.spans)
    assert str(assess(make_case(must_not=[{"process": {"no_repeats": True}}]), trial, seat=SEAT).verdict) == FAIL
    trial.head.lost_spans = 1
    lost = assess(make_case(must=[{"process": {"no_repeats": True}}]), trial, seat=SEAT)
    assert (str(lost.verdict), lost.remarks) == (UNKNOWN, [])


@pytest.mark.parametrize("flag", ["stops_in_time", "evidence_first"])
def test_a_check_of_what_the_case_does_not_say_is_not_applicable(flag: str) -> None:
    card = assess(make_case(must=[{"output": "$", "equals": 1}, {"process": {flag: True}}]), make_trial(1, Way().look().spans), seat=SEAT)
    assert (str(card.verdict), card.not_applicable) == (PASS, 1)


def test_a_trial_that_the_harness_broke_off_is_not_said_to_have_left_its_failures() -> None:
    for ending, how in ((Ending.HARNESS_ERROR, "unknown"), (Ending.TIMEOUT, "left")):
        card = assess(make_case(must=[{"output": "$", "equals": 1}]), make_trial(spans=Way().fail().spans, ending=ending), seat=SEAT)
        assert [met.how for met in card.met] == [how]


def test_an_imported_trial_has_findings_beside_the_verdict_it_came_with() -> None:
    trial = make_trial(1, Way().fail().call("odd", {}, {"a": 1}).call("odd", {}, {"a": 1}).spans)
    trial.head.imported = Verdict.PASS
    card = Scorecard(verdict=Verdict.PASS)
    notice(trial, card)
    assert [remark.name for remark in card.remarks] == ["useless_repeat"]
    assert [(met.tool, met.how) for met in card.met] == [("look", "other_path")]


def test_a_trace_that_cannot_be_read_costs_its_findings_and_not_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(view: object) -> list[Remark]:
        raise RecursionError("too deep")

    monkeypatch.setattr("fairtrial.graders.assess.remarks_of", broken)
    card = card_of(Way().call("pay", {}, 1, flags=7), {})
    assert (str(card.verdict), [remark.name for remark in card.remarks]) == (PASS, ["untold"])


# Whatever else is in the trace, and whatever the tools are called


def seen(case: Case, spans: list[Span], seat: Seat) -> set[tuple[str, tuple[str, ...]]]:
    trial: Trial = make_trial(1, spans)
    return {(remark.name, tuple(remark.spans)) for remark in assess(case, trial, seat=seat).remarks}


KINDS = st.sampled_from(["model", "use", "adjustment", "message"])
STEPS = st.lists(st.tuples(st.sampled_from(["look", "put", "list"]), st.integers(1, 2), st.integers(1, 2)), max_size=8)


def way_of(steps: list[tuple[str, int, int]], names: dict[str, str]) -> list[Span]:
    way = Way()
    for tool, number, result in steps:
        way.call(names[tool], {"id": number}, result, wrote=tool == "put")
    return way.spans


@given(STEPS, st.lists(st.tuples(st.integers(0, 8), KINDS), max_size=6))
def test_other_spans_anywhere_in_between_change_nothing(steps: list[tuple[str, int, int]], others: list[tuple[int, str]]) -> None:
    same = {name: name for name in ("look", "put", "list")}
    case = make_case(required_tools=["look"], must=[{"output": "$", "equals": 1}])
    spans = way_of(steps, same)
    mixed = list(spans)
    for number, (place, kind) in enumerate(others):
        at = min(place, len(mixed))
        mixed.insert(at, Span(f"x{number}", None, kind, "n", None, 0, 0, {}))
    assert seen(case, mixed, SEAT) == seen(case, spans, SEAT)


@given(STEPS)
def test_the_names_of_the_tools_change_nothing(steps: list[tuple[str, int, int]]) -> None:
    plain = {"look": "look", "put": "put", "list": "list"}
    other = {"look": "delete_everything", "put": "get_status", "list": "send"}
    checks = [{"output": "$", "equals": 1}]
    for names in (plain, other):
        case = make_case(required_tools=[names["look"]], must=checks)
        seat = Seat(setup="s", tools=dict.fromkeys(names.values(), "h"))
        result = seen(case, way_of(steps, names), seat)
        if names is plain:
            first = result
    assert result == first


def test_every_finding_has_a_flag_and_a_mend() -> None:
    assert len(FLAGS) == len(REMARKS) == 6
    assert all(named.fix for named in REMARKS.values())
    assert Remark(name="went_on").spans == []
