"""A trial that began from a shared start is graded as if it held both its states whole."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.graders.queries import ask
from fairtrial.graders.rebuilt import Shared
from fairtrial.records.edits import ROWS, Edit, applied, between
from fairtrial.records.start import Base, Start
from fairtrial.records.trial import Change, Trial, TrialBody
from tests.graders.making import FAIL, PASS, UNKNOWN, Tape, assess, grade_of, make_case, make_trial, verdict_of

ROW = st.fixed_dictionaries({"id": st.integers(0, 5), "name": st.sampled_from(["a", "b", None])}, optional={"more": st.just([1])})
TABLE = st.lists(ROW, max_size=6)
FIRST = {"id": 9, "name": "first", "more": None, "rowid": 1}


def base_of(state: Any, **kept: Any) -> Base:
    return Base(lambda: msgspec.json.encode({"state": state, **kept}))


def shared_trial(before: Any, after: Any, *, given_first: Any = None, **more: Any) -> Trial:
    """A trial whose start is shared; `given_first`: what the case put on top of it comes to."""
    told = make_trial({"done": True}, **more)
    start = before if given_first is None else given_first
    body = TrialBody(output=told.body.output, spans=told.body.spans, changes=[Change("t", "changed")] if start != after else [])
    body.start, body.end = Start("0" * 64, between(before, start)), between(start, after)
    return Trial(head=told.head, body=body, base=base_of(before))


@settings(max_examples=150)
@given(TABLE, TABLE, TABLE)
def test_a_query_finds_what_it_would_find_in_the_whole_end(before: Any, middle: Any, after: Any) -> None:
    states = [{"t": [FIRST, *rows], "kept": [{"x": 1}]} for rows in (before, middle, after)]
    base, start, end = states
    shared = Shared(base)
    for sql in ("SELECT id, name, more FROM t", "SELECT count(*) AS n, max(id) AS m FROM t", "SELECT x FROM kept"):
        for _ in range(2):
            edits = between(base, start), between(start, end)
            assert shared.takes(*edits)
            with shared.end(*edits) as database:
                found = [tuple(row) for row in database.execute(sql)]
            assert found == [tuple(row.values()) for row in ask(sql, end, start)]
    with shared.end([], []) as database:
        assert [row[0] for row in database.execute("SELECT id FROM t")] == [row["id"] for row in base["t"]]


@pytest.mark.parametrize(
    "edit", [Edit(["new"], "put", [{"x": 1}]), Edit(["t"], ROWS, [{"other": 1}], 0, 0), Edit(["t"], ROWS, [{"id": 1}] * 2000, 0, 0)]
)
def test_edits_for_which_there_is_no_room_are_read_whole(edit: Edit) -> None:
    start = {"t": [FIRST]}
    assert not Shared(start).takes([], [edit])
    trial = shared_trial(start, applied(start, [edit]))
    rows = len(applied(start, [edit])["t"])
    assert verdict_of({"query": "SELECT count(*) FROM t", "equals": rows}, trial) == PASS


def test_state_rule_grader_and_access_see_both_states() -> None:
    before = {"t": [{"id": n, "user": "u1", "n": n} for n in range(50)], "u": []}
    own = {**before, "u": [{"id": 1, "user": "u1"}]}
    after = {**own, "t": [*own["t"][:3], {"id": 3, "user": "u2", "n": 99}, *own["t"][4:]]}
    trial = shared_trial(before, after, given_first=own)
    trial.body.changes = [Change("t[3].user", "changed", "u1", "u2"), Change("t[3].n", "changed", 3, 99)]

    def grader(seen: Any) -> bool:
        return bool(seen.state == after and seen.before == own and seen.trial.body.after == after and seen.trial.body.start is None)

    must = [
        {"state": "t[3].n", "equals": 99},
        {"state": "u", "length": 1},
        {"rule": "sum([row.n for row in state.t]) == sum([row.n for row in before.t]) + 96"},
        {"changes": {"allow": ["t"]}},
        {"grader": "own"},
        {"query": "SELECT n FROM t WHERE id = 3", "equals": 99},
    ]
    card = assess(make_case(must=must, expect_state=after), trial, graders={"own": grader})
    assert [(grade.check, grade.why) for grade in card.grades if str(grade.verdict) != PASS] == []
    assert verdict_of({"access": {"only": "principal"}}, trial, principal={"user": "u1"}) == FAIL


def test_nothing_changed_is_said_not_done() -> None:
    trial = shared_trial({"t": [FIRST]}, {"t": [FIRST]}, spans=Tape().call("pay", outcome="refused").spans)
    grade = grade_of({"state": "t", "length": 2}, trial)
    assert (grade.why.partition(":")[0], grade.kind) == ("said done, not done", "false_success")
    assert grade.evidence is not None and (grade.evidence.span, grade.evidence.path) == ("1", "t")


@pytest.mark.parametrize("base", [None, base_of(None, missing="too large to be kept")])
@pytest.mark.parametrize(
    "check", [{"state": "t", "length": 1}, {"query": "SELECT count(*) FROM t", "equals": 1}, {"rule": "len(state.t) > 0"}]
)
def test_a_start_that_is_not_there_leaves_checks_on_it_open_and_others_alone(base: Base | None, check: dict[str, Any]) -> None:
    trial = shared_trial({"t": [FIRST]}, {"t": [FIRST]})
    trial.base = base
    assert (verdict_of(check, trial), verdict_of(check, trial, under="must_not")) == (UNKNOWN, UNKNOWN)
    assert verdict_of({"changes": {"none": True}}, trial) == PASS


def test_a_query_is_open_only_for_covered_columns_that_it_reads() -> None:
    before = {"users": [{"id": 1, "mail": "[redacted:key]"}], "bills": [{"n": 1}]}
    whole = make_trial({"x": 1}, before=before, altered={"before.users.0.mail": "[redacted:key]"})
    shared = shared_trial(before, before)
    shared.base = base_of(before, altered={"users.0.mail": "[redacted:key]"})
    for trial in (whole, shared):
        assert verdict_of({"query": "SELECT count(*) FROM users", "equals": 1}, trial) == PASS
        assert verdict_of({"query": "SELECT n FROM bills", "equals": 1}, trial) == PASS
        for sql in ("SELECT mail FROM users", "SELECT * FROM users", "SELECT id FROM users WHERE mail LIKE '%x%'"):
            assert verdict_of({"query": sql, "exists": True}, trial) == UNKNOWN
    cut = make_trial({"x": 1}, before=before, altered={"before.bills": "cut from 9 bytes"})
    assert verdict_of({"query": "SELECT count(*) FROM bills", "equals": 1}, cut) == UNKNOWN
    assert verdict_of({"query": "SELECT id FROM users", "equals": 1}, cut) == PASS
