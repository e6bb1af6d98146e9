"""Facts on their way through a trial: where each was last present, first absent, and who dropped it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fairtrial.records.case import Brief, Case, Key, Scene
from fairtrial.records.check import Check
from fairtrial.records.fact import FactNote
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.suite import HandoffContract
from fairtrial.records.trace import Span
from fairtrial.records.trial import Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.report.replay import replay_sheet
from fairtrial.report.words import Words
from fairtrial.study.factsigns import Signs, wanted_facts
from fairtrial.study.factwalk import FactWalk, Wanted, replay, trace_facts

TEAM = Seat(setup="team", roles=(RoleSeat(name="coo"), RoleSeat(name="ceo")), lead="ceo")
SHORTAGE = Wanted(name="stockout_days", value=4, found_as=("out of stock", "缺货"), visible_to=("coo",))


def _span(number: int, kind: str, name: str, role: str | None = None, **attributes: Any) -> Span:
    return Span(str(number), None, kind, name, role, number * 1_000_000, number * 1_000_000, attributes)


def _sent(number: int, facts: dict[str, Any], source: str = "coo", target: str = "ceo", parcel: int = 1) -> Span:
    return _span(
        number,
        "handoff",
        f"{source}->{target}",
        source,
        **{"event": "sent", "from": source, "to": target, "facts": facts, "parcel": parcel},
    )


def _received(number: int, facts: dict[str, Any], source: str = "coo", target: str = "ceo", parcel: int = 1) -> Span:
    named = {"event": "received", "from": source, "to": target, "facts": facts, "parcel": parcel}
    return _span(number, "handoff", f"{source}->{target}", target, **named)


def _trial(*spans: Span, output: Any = msgspec.UNSET, setup: str = "team") -> Trial:
    head = TrialHead(key=TrialKey("stockout", setup, 1), seed=1, ending=Ending.FINISHED)
    return Trial(head=head, body=TrialBody(spans=list(spans), output=output))


def _walk(*spans: Span, output: Any = msgspec.UNSET, seat: Seat | None = TEAM, fact: Wanted = SHORTAGE) -> FactWalk:
    return trace_facts(_trial(*spans, output=output), [fact], seat)[0]


READ = _span(1, "tool", "read_stock", "coo", args={"sku": "lamp"}, result={"stock": 0, "stockout_days": 4}, outcome="ok")


def test_the_hand_off_that_left_a_fact_out_is_named() -> None:
    walk = _walk(READ, _sent(2, {"sales": 20}), _received(3, {"sales": 20}), output={"demand": 20})
    assert walk.fate == "lost"
    assert walk.dropped_by == "coo"
    assert walk.last_present is not None and (walk.last_present.where, walk.last_present.span) == ("tool_result", "1")
    assert walk.first_absent is not None and (walk.first_absent.where, walk.first_absent.span) == ("sent", "2")
    assert walk.says == "coo had stockout_days (span 1) and left it out of coo->ceo (span 2)"


def test_a_fact_that_reached_the_answer_is_used() -> None:
    spans = (READ, _sent(2, {"stockout_days": 4}), _received(3, {"stockout_days": 4}), _span(4, "use", "stockout_days", "ceo"))
    walk = _walk(*spans, output={"demand": "unknown", "why": "out of stock for days"})
    assert walk.fate == "used"
    assert walk.first_absent is None and walk.dropped_by is None and walk.drops == []
    assert [sighting.where for sighting in walk.sightings] == ["brief", "tool_result", "sent", "received", "use", "answer"]


def test_a_use_that_is_only_declared_is_told_apart() -> None:
    spans = (_sent(1, {"stockout_days": 4}), _received(2, {"stockout_days": 4}), _span(3, "use", "stockout_days", "ceo"))
    walk = _walk(*spans, output={"demand": 20})
    assert walk.fate == "declared"
    assert "ceo declared it used; the answer does not name it" in walk.says


def test_received_and_not_used_is_told_apart_from_lost() -> None:
    walk = _walk(_sent(1, {"stockout_days": 4}), _received(2, {"stockout_days": 4}), output={"demand": 20})
    assert walk.fate == "not_used"
    assert walk.last_present is not None and walk.last_present.where == "received"
    assert walk.first_absent is not None and walk.first_absent.where == "answer"
    assert walk.dropped_by == "ceo"


def test_declaring_a_use_does_not_hand_a_fact_over() -> None:
    walk = _walk(READ, _sent(2, {"sales": 20}), _received(3, {"sales": 20}), _span(4, "use", "stockout_days", "ceo"), output={"demand": 20})
    assert walk.fate == "declared"
    assert "ceo never received stockout_days" in walk.says
    assert [drop.by for drop in walk.drops] == ["coo"]


def test_a_fact_nobody_had_is_never_seen() -> None:
    walk = _walk(_sent(1, {"sales": 20}), fact=Wanted(name="stockout_days"), output={"demand": 20})
    assert walk.fate == "never_seen"
    assert walk.says == "nobody ever had stockout_days"


def test_a_fact_never_handed_on_is_the_holders() -> None:
    walk = _walk(READ, output={"demand": 20})
    assert (walk.fate, walk.dropped_by) == ("lost", "coo")
    assert walk.says == "coo had stockout_days (span 1) and never handed it to ceo"


def test_a_parcel_nobody_picked_up_is_lost_on_the_way() -> None:
    walk = _walk(READ, _sent(2, {"stockout_days": 4}), output={"demand": 20})
    assert walk.fate == "lost"
    assert walk.drops[0].transit
    assert walk.says == "coo sent stockout_days (span 2), but ceo did not receive it (end)"


def test_a_parcel_that_arrives_without_the_fact_is_lost_on_the_way() -> None:
    walk = _walk(READ, _sent(2, {"stockout_days": 4}), _received(3, {}), output={"demand": 20})
    assert walk.says == "coo sent stockout_days (span 2), but ceo did not receive it (span 3)"


def test_in_a_chain_the_role_that_dropped_it_is_named_and_not_the_one_after() -> None:
    spans = (
        _sent(1, {"stockout_days": 4}, "coo", "cfo", 1), _received(2, {"stockout_days": 4}, "coo", "cfo", 1),
        _sent(3, {"cash": 100}, "cfo", "ceo", 2), _received(4, {"cash": 100}, "cfo", "ceo", 2),
    )  # fmt: skip
    walk = _walk(*spans, output={"demand": 20})
    assert walk.says == "cfo had stockout_days (span 2) and left it out of cfo->ceo (span 3)"


def test_a_fact_left_out_once_but_handed_on_later_is_not_lost() -> None:
    spans = (READ, _sent(2, {"sales": 20}), _sent(3, {"stockout_days": 4}, parcel=2), _received(4, {"stockout_days": 4}, parcel=2))
    walk = _walk(*spans, output={"stockout_days": 4})
    assert walk.fate == "used"
    assert len(walk.drops) == 1


def test_a_key_that_carries_null_carries_nothing() -> None:
    walk = _walk(READ, _sent(2, {"stockout_days": None}), _received(3, {"stockout_days": None}), output={"demand": 20})
    assert (walk.fate, walk.dropped_by) == ("lost", "coo")


def test_a_message_hands_a_fact_over_too() -> None:
    walk = _walk(READ, _span(2, "message", "ceo", "coo", text="it was out of stock"), output={"demand": 20})
    assert walk.fate == "not_used"


def test_one_agent_without_roles_has_the_brief_and_decides() -> None:
    alone = Seat(setup="single")
    assert _walk(output={"demand": 20}, seat=alone).fate == "not_used"
    assert _walk(output={"why": ["缺货四天"]}, seat=alone).fate == "used"
    assert _walk(_span(1, "use", "stockout_days"), output={"demand": 20}, seat=None).fate == "declared"


def test_a_fact_that_the_setup_withholds_is_not_in_its_brief() -> None:
    assert _walk(output={"demand": 20}, seat=Seat(setup="single", facts=("sales",))).fate == "never_seen"


def test_a_decline_that_names_the_fact_uses_it() -> None:
    walk = _walk(
        _sent(1, {"stockout_days": 4}), _received(2, {"stockout_days": 4}), _span(3, "decision", "decline", "ceo", why="out of stock")
    )
    assert walk.fate == "used"


@pytest.mark.parametrize(
    ("value", "there"),
    [
        ({"stockout_days": 4}, True), ({"a": [{"stockout_days": 0}]}, True), ("because stockout_days is 4", True), (["缺货了"], True),
        ("stockout_days_total", False), ({"days": 4}, False), (4, False), ("it was OUT OF STOCK", True),
        ("outofstock", False), (None, False),
    ],
)  # fmt: skip
def test_what_counts_as_a_sign_of_a_fact(value: Any, there: bool) -> None:
    assert Signs(SHORTAGE).found(value)[0] is there


def test_a_long_text_value_is_a_sign_and_a_short_one_is_not() -> None:
    assert Signs(Wanted(name="supplier", value="Nordlicht")).found("we ask Nordlicht")[0]
    assert not Signs(Wanted(name="size", value="XL")).found("an XL order")[0]


def _case(**key: Any) -> Case:
    brief = Brief(task="t", facts={"sales": 20, "stockout_days": 4, "cash": 100})
    return Case(id="c", brief=brief, scene=Scene(visible_to={"stockout_days": ("coo",)}), key=Key(**key))


def test_the_facts_to_follow_are_those_the_case_cares_for() -> None:
    nested = Check(subject="any_of", parts=(Check(subject="fact", target="stockout_days", expect={"used": True}),))
    contract = HandoffContract(source="coo", target="ceo", requires=("cash", "not_in_this_case"))
    assert [fact.name for fact in wanted_facts(_case(must=(nested,)), [contract])] == ["stockout_days", "cash"]
    assert [fact.name for fact in wanted_facts(_case(fact_notes={"sales": FactNote(critical=True)}))] == ["sales"]
    assert [fact.name for fact in wanted_facts(_case())] == ["sales", "stockout_days", "cash"]
    assert not wanted_facts(_case())[0].needed and wanted_facts(_case(must=(nested,)))[0].needed
    assert wanted_facts(_case())[1].visible_to == ("coo",)


PAGE = """\
stockout  team  attempt 1  finished

Steps
  span     at  role  step               carried
     1  +0 ms  coo   tool read_stock    {"sku":"lamp"} → {"stock":0,"stockout_days":4}  ← last: stockout_days
     2  +1 ms  coo   hand-off coo->ceo  sent {"sales":20}  ← gone: stockout_days
     3  +2 ms  ceo   hand-off coo->ceo  received {"sales":20}

Answer
  {"demand":20}

Facts on their way  where each was, in order
  stockout_days  lost
    seen in: brief coo  →  result of read_stock coo (span 1)
    last present: result of read_stock coo (span 1); first absent: sent coo->ceo (span 2)
    coo had stockout_days (span 1) and left it out of coo->ceo (span 2)

next, see its grades: fairtrial show r1:team stockout 1
"""


def _lossy() -> Trial:
    return _trial(READ, _sent(2, {"sales": 20}), _received(3, {"sales": 20}), output={"demand": 20})


def test_the_page_of_a_replay(text_of: Callable[..., str]) -> None:
    assert text_of(replay_sheet("r1", replay(_lossy(), [SHORTAGE], TEAM), Words())) == PAGE


def test_a_fact_that_nothing_asked_for_is_not_handed_on_and_not_lost(text_of: Callable[..., str]) -> None:
    idle = msgspec.structs.replace(SHORTAGE, needed=False)
    walk = replay(_lossy(), [idle], TEAM)
    page = text_of(replay_sheet("r1", walk, Words()))
    assert walk.facts[0].fate == "lost" and "stockout_days  not handed on" in page and "gone:" not in page


def test_an_answer_without_the_name_of_a_fact_is_no_proof_that_it_was_not_used(text_of: Callable[..., str]) -> None:
    trial = _trial(_sent(1, {"stockout_days": 4}), _received(2, {"stockout_days": 4}), output={"demand": 20})
    page = text_of(replay_sheet("r1", replay(trial, [SHORTAGE], TEAM), Words()))
    assert "received, not named in the answer" in page and "gone:" not in page


def test_the_steps_stay_one_table_at_80_columns(text_of: Callable[..., str]) -> None:
    page = text_of(replay_sheet("r1", replay(_lossy(), [SHORTAGE], TEAM), Words()), width=80)
    assert page.count("span     at") == 1 and max(map(len, page.splitlines())) <= 80


def test_the_finding_is_told_in_chinese_too(text_of: Callable[..., str]) -> None:
    page = text_of(replay_sheet("r1", replay(_lossy(), [SHORTAGE], TEAM), Words("zh")))
    assert "coo 有 stockout_days（步骤 1），但交接 coo->ceo（步骤 2）时漏掉了" in page
    for spans in ((READ, _sent(2, {"stockout_days": 4})), (READ,), ()):
        walk = replay(_trial(*spans, output={"demand": 20}), [SHORTAGE, Wanted(name="x")], TEAM)
        assert "谁都没有过 x" in text_of(replay_sheet("r1", walk, Words("zh")))


def test_a_trial_without_a_trace_says_so(text_of: Callable[..., str]) -> None:
    page = text_of(replay_sheet("r1", replay(_trial(output="hi"), [], None), Words()))
    assert "the trace is missing: nothing was recorded" in page


def test_hostile_steps_stay_text(text_of: Callable[..., str]) -> None:
    spans = (_span(1, "tool", "\x1b[2J[bold]", "r\x07ole", args={"x": "\x1b]8;;\x07"}), _span(2, "made_up_kind", "n"))
    page = text_of(replay_sheet("r1", replay(_trial(*spans), [], None), Words()))
    assert "\x1b" not in page and "\x07" not in page
    assert "\\x1b[2J[bold]" in page
    assert "made_up_kind" in page


def test_the_walk_is_plain_data_with_numbered_steps() -> None:
    found = msgspec.to_builtins(replay(_lossy(), [SHORTAGE], TEAM))
    assert [step["step"] for step in found["steps"]] == [1, 2, 3]
    assert found["steps"][0]["attributes"]["result"] == {"stock": 0, "stockout_days": 4}
    assert found["facts"][0]["dropped_by"] == "coo"


def test_steps_of_a_trace_without_times_stand_at_no_time(text_of: Callable[..., str]) -> None:
    timeless = msgspec.structs.replace(READ, start_ns=0, end_ns=0)
    page = text_of(replay_sheet("r1", replay(_trial(timeless, output={}), [], TEAM), Words()))
    assert "+0 ms" not in page


def test_a_use_that_no_role_declared_is_the_agents(text_of: Callable[..., str]) -> None:
    found = replay(_trial(_span(1, "use", "stockout_days", proof="declared"), output={}), [SHORTAGE], None)
    assert "declared used by agent (span 1)" in text_of(replay_sheet("r1", found, Words()))


def test_a_call_that_failed_shows_what_it_was_called_with(text_of: Callable[..., str]) -> None:
    failed = _span(1, "tool", "read_stock", "coo", args={"sku": "lamp"}, outcome="failed")
    failed.error = {"kind": "failed", "message": "no such shelf"}
    page = text_of(replay_sheet("r1", replay(_trial(failed), [], TEAM), Words()))
    assert '{"sku":"lamp"} → {"kind":"failed","message":"no such shelf"}' in page
    assert "Answer\n  there is none\n" in page
