"""A suite over time: a decline only where the paired interval says so, breaks where figures are of other things, and no run that
has nothing to do with another moves what is said of it."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.records.change import Changed
from fairtrial.records.run import CaseInfo
from fairtrial.records.setup import Seat
from fairtrial.records.trend import Trend, TrendRow
from fairtrial.study.table import Table
from fairtrial.study.trend import read_trend
from tests.study.tables import Setups, info, table

GOOD = {f"c{n}": "PPPP" for n in range(30)}
POOR = {f"c{n}": "PFFF" if n < 15 else "PPPP" for n in range(30)}
STARTED = 1_800_000_000_000_000_000


def _run(name: str, cases: dict[str, str], /, **fields: Any) -> Table:
    return _runs(name, {"team": cases}, **fields)


def _runs(name: str, setups: Setups, /, **fields: Any) -> Table:
    return table(setups, run=name, settings={"isolate": "fork", **fields.pop("settings", {})}, **fields)


def _trend(*tables: Table, setup: str | None = None, last: int | None = None) -> Trend:
    return read_trend("s", [(STARTED + n * 10**9, one) for n, one in enumerate(tables)], setup, last)


def _readings(found: Trend) -> list[str]:
    return [row.reading for row in found.rows]


def test_a_decline_is_called_against_the_run_before_and_the_rise_after_it() -> None:
    found = _trend(_run("r1", GOOD), _run("r2", GOOD), _run("r3", POOR), _run("r4", GOOD))
    assert _readings(found) == ["first", "no_change_shown", "decline", "rise"]
    row = found.rows[2]
    assert [(move.against, move.run, move.reading) for move in row.moves] == [("previous", "r2", "decline"), ("first", "r1", "decline")]
    assert row.moves[0].difference.high is not None
    assert row.moves[0].difference.high < 0
    assert row.started == "2027-01-15T08:00:02Z"
    assert "team: rose against the run before (r3)" in found.says
    assert found.says.endswith("; team shows no change against the first run since the last break (r1).")


def test_a_slow_decline_is_called_against_the_first_of_the_stretch() -> None:
    steps = [{f"c{n}": "PPPP" if n >= 3 * step else "PPFF" for n in range(30)} for step in range(6)]
    found = _trend(*(_run(f"r{n}", cases) for n, cases in enumerate(steps)))
    last = found.rows[-1]
    assert [move.reading for move in last.moves] == ["no_change_shown", "decline"]
    assert last.reading == "decline"
    assert "the first run since the last break (r0)" in found.says


def test_two_comparisons_of_a_run_are_corrected_together() -> None:
    found = _trend(_run("r1", GOOD), _run("r2", GOOD), _run("r3", POOR))
    one, two = found.rows[2].moves
    assert one.p_value is not None
    assert one.p_holm == two.p_holm == pytest.approx(2 * 3 * one.p_value)  # two comparisons, at the second look
    alone = _trend(_run("r2", GOOD), _run("r3", POOR)).rows[1].moves
    assert [move.p_holm for move in alone] == [one.p_value]


def test_harder_cases_in_the_suite_are_a_break_and_no_decline() -> None:
    harder = {**GOOD, **{f"new{n}": "FFFF" for n in range(30)}}
    found = _trend(_run("r1", GOOD), _run("r2", harder, suite_version="sha256:2"))
    row = found.rows[1]
    assert [(one.kind, one.what) for one in row.breaks] == [("suite", "30 cases added")]
    assert row.reading == "no_change_shown"
    assert (row.moves[0].pairs, row.moves[0].left_out, row.moves[0].across) == (30, 30, ["suite"])
    assert row.success_rate.value == 0.5


def test_changed_cases_are_left_out_of_the_comparison_across_a_break() -> None:
    changed = {name: info(name, hash="sha256:other") for name in GOOD}
    found = _trend(_run("r1", GOOD), _run("r2", POOR, infos=changed, suite_version="sha256:2"))
    move = found.rows[1].moves[0]
    assert (found.rows[1].reading, move.pairs, move.left_out) == ("cannot_tell", 0, 30)
    assert move.why == "no case is the same in both runs"


def test_what_really_got_worse_is_called_across_a_change_of_the_suite_over_the_unchanged_cases() -> None:
    found = _trend(_run("r1", GOOD), _run("r2", {**POOR, "new": "PPPP"}, suite_version="sha256:2"))
    move = found.rows[1].moves[0]
    assert (move.reading, move.across, move.pairs, move.left_out) == ("decline", ["suite"], 30, 1)


@pytest.mark.parametrize("frames", [("f1", "f2"), ("", "")])
def test_another_world_around_the_same_cases_is_never_called_a_decline(frames: tuple[str, str]) -> None:
    tables = [_run(f"r{n}", cases, suite_version=f"sha256:{n}", frame=frames[n]) for n, cases in enumerate((GOOD, POOR))]
    row = _trend(*tables).rows[1]
    assert [one.kind for one in row.breaks] == ["suite", "frame"]
    assert row.reading == "cannot_tell"


def test_the_same_surroundings_leave_what_got_worse_to_be_called() -> None:
    runs = [_run("r1", GOOD, frame="f"), _run("r2", {**POOR, "new": "PPPP"}, suite_version="sha256:2", frame="f")]
    assert _trend(*runs).rows[1].reading == "decline"


def test_other_graders_cannot_be_compared_and_begin_a_new_stretch() -> None:
    found = _trend(_run("r1", GOOD), _run("r2", POOR, grader="g2"), _run("r3", POOR, grader="g2"))
    assert [one.kind for one in found.rows[1].breaks] == ["graders"]
    assert found.rows[1].reading == "cannot_tell"
    assert "fairtrial grade" in found.rows[1].moves[0].why
    assert [move.run for move in found.rows[2].moves] == ["r2"]


def test_another_isolation_is_a_break_over_which_the_same_cases_are_still_compared() -> None:
    found = _trend(_run("r1", GOOD), _run("r2", POOR, settings={"isolate": "sandbox"}))
    assert [(one.kind, one.what) for one in found.rows[1].breaks] == [("isolation", "fork before, sandbox now")]
    assert (found.rows[1].reading, found.rows[1].moves[0].across) == ("decline", ["isolation"])


def test_a_new_version_of_the_model_is_what_a_trend_is_about_and_no_break() -> None:
    found = _trend(*(_run(f"r{n}", GOOD, setups={"team": {"model": f"m-{n}"}}) for n in range(2)))
    assert [row.versions for row in found.rows] == [{"model": "m-0"}, {"model": "m-1"}]
    assert found.rows[1].breaks == []


def test_other_code_is_no_break_and_is_told_beside_what_moved() -> None:
    found = _trend(_run("r0", GOOD), *(_run(f"r{n}", GOOD if n == 1 else POOR, settings={"code": f"c{n}"}) for n in (1, 2)))
    assert [row.versions for row in found.rows] == [{}, {"code": "c1"}, {"code": "c2"}]
    assert [[move.changed for move in row.moves] for row in found.rows] == [[], [[]], [["code"], []]]
    assert found.rows[2].breaks == []
    assert found.says.endswith("; team changed in between: code.")


def test_other_tools_are_a_break_that_cannot_be_compared() -> None:
    found = _trend(*(_run(f"r{n}", cases, setups={"team": {"tools": f"sha256:{n}"}}) for n, cases in enumerate((GOOD, POOR))))
    assert [one.kind for one in found.rows[1].breaks] == ["tools"]
    assert found.rows[1].reading == "cannot_tell"


@pytest.mark.parametrize(
    ("selection", "why"),
    [({"cases": ["c1"]}, "named one by one"), ({"last_failed": True}, "get better by chance alone")],
)
def test_cases_chosen_after_looking_are_left_out_and_listed(selection: dict[str, Any], why: str) -> None:
    found = _trend(_run("r1", GOOD), _run("r2", {"c1": "FFFF"}, settings={"selection": selection}), _run("r3", GOOD))
    assert [row.run for row in found.rows] == ["r1", "r3"]
    assert [(left.run, left.setup) for left in found.left_out] == [("r2", "team")]
    assert why in found.left_out[0].why
    assert [move.run for move in found.rows[1].moves] == ["r1"]


def test_a_part_of_the_suite_is_followed_by_itself() -> None:
    part = {"selection": {"tags": ["smoke"]}}
    found = _trend(_run("r1", GOOD), _run("r2", POOR, settings=part), _run("r3", GOOD), _run("r4", POOR, settings=part))
    assert _readings(found) == ["first", "first", "no_change_shown", "no_change_shown"]
    assert [row.selection for row in found.rows] == ["", "tags smoke", "", "tags smoke"]
    assert found.says.startswith("team: no change shown against the run before (r1)")


def test_a_changed_team_is_no_figure_of_the_suite() -> None:
    seat = Seat(setup="team - cfo", change=Changed(of="team"))
    found = _trend(_runs("r1", {"team": GOOD, "team - cfo": POOR}, seats=(seat,)))
    assert [row.setup for row in found.rows] == ["team"]
    assert [left.setup for left in found.left_out] == ["team - cfo"]


def test_a_run_made_for_a_question_is_no_figure_of_the_suite() -> None:
    found = _trend(_run("r1", GOOD), _run("r2", POOR, settings={"purpose": "use"}), _run("r3", GOOD))
    assert [row.run for row in found.rows] == ["r1", "r3"]
    assert [left.run for left in found.left_out] == ["r2"]


def test_a_run_that_its_rule_stopped_is_shown_and_laid_against_nothing() -> None:
    rule = {"base": "old", "new": "team", "level": 0.95, "margin": None, "unit": "case"}
    early = {"old": GOOD, "team": {case: "FFFF" if n < 20 else "----" for n, case in enumerate(GOOD)}}
    found = _trend(_run("r1", GOOD), _runs("r2", early, settings={"until_decided": rule}), _run("r3", GOOD), setup="team")
    assert _readings(found) == ["first", "cannot_tell", "no_change_shown"]
    assert found.rows[1].moves == []
    assert "stopped by its rule" in found.rows[1].reasons["reading"]
    assert [move.run for move in found.rows[2].moves] == ["r1"]


def test_undecided_trials_that_could_turn_it_leave_it_open() -> None:
    dark = {case: "UUUU" if "F" in letters else letters for case, letters in POOR.items()}
    row = _trend(_run("r1", GOOD), _run("r2", dark)).rows[1]
    assert row.reading == "cannot_tell"
    assert "could turn it" in row.moves[0].why
    assert (row.unknown, row.unknown_share) == (60, 0.5)


def test_a_figure_that_cannot_be_had_has_its_reason() -> None:
    row = _trend(_run("r1", GOOD)).rows[0]
    assert (row.cost_per_success_usd, row.latency_p95_ms) == (None, None)
    assert {"cost_per_success_usd", "latency_p95_ms"} <= set(row.reasons)


def test_the_newest_rows_of_each_setup_are_shown_and_say_the_same() -> None:
    tables = [_runs(f"r{n}", {"team": POOR if n == 3 else GOOD, "solo": GOOD} if n % 2 else {"team": GOOD}) for n in range(6)]
    whole, short = _trend(*tables), _trend(*tables, last=2)
    assert [row.run for row in short.rows if row.setup == "team"] == ["r4", "r5"]
    assert [row.run for row in short.rows if row.setup == "solo"] == ["r3", "r5"]
    assert short.older == len(whole.rows) - 4
    assert [row for row in whole.rows if row in short.rows] == short.rows
    assert short.says == whole.says


def test_without_a_run_it_says_so() -> None:
    found = _trend()
    assert (found.rows, found.says) == ([], "No run of s is in the store.")


def test_two_runs_of_one_agent_are_seldom_called_a_decline() -> None:
    """40 cases of 3 trials, each with a rate of its own: a decline in at most 2.5 % of pairs in the long run, a rise in as many."""
    chance = random.Random(7)
    called = 0
    for _ in range(150):
        rates = [chance.betavariate(1.6, 0.4) for _ in range(40)]
        runs = [
            _run(name, {f"c{n}": "".join("PF"[chance.random() > rate] for _ in range(3)) for n, rate in enumerate(rates)})
            for name in ("r1", "r2")
        ]
        called += _trend(*runs).rows[1].reading == "decline"
    assert called <= 9


def test_an_agent_that_stays_the_same_is_called_a_decline_in_few_stretches_of_eight_runs() -> None:
    chance = random.Random(11)
    called = 0
    for _ in range(60):
        rates = [chance.betavariate(2, 2) for _ in range(20)]
        runs = [
            _run(f"r{turn}", {f"c{n}": "".join("PF"[chance.random() > rate] for _ in range(3)) for n, rate in enumerate(rates)})
            for turn in range(8)
        ]
        called += "decline" in _readings(_trend(*runs))
    assert called <= 8


def test_a_new_version_is_looked_at_for_the_first_time() -> None:
    def third(model: str) -> list[float | None]:
        runs = [_run(name, GOOD, setups={"team": {"model": "m-1"}}) for name in ("r1", "r2")]
        return [move.p_holm for move in _trend(*runs, _run("r3", POOR, setups={"team": {"model": model}})).rows[2].moves]

    new = third("m-2")
    assert third("m-1") == pytest.approx([3 * (p or 0.0) for p in new])


letters = st.text("PFU", min_size=2, max_size=2)
tables_of_five = st.lists(st.lists(letters, min_size=5, max_size=5), min_size=1, max_size=4)


def _of(row: TrendRow) -> TrendRow:
    return msgspec.structs.replace(row, started=None)


@settings(max_examples=40)
@given(tables_of_five, st.integers(0, 4), st.sampled_from(["setup", "part", "named", "changed"]), st.lists(letters, min_size=5, max_size=5))
def test_adding_a_run_that_has_nothing_to_do_with_it_changes_no_reading(
    runs: list[list[str]], place: int, how: str, more: list[str]
) -> None:
    made = [_run(f"r{n}", {f"c{k}": told for k, told in enumerate(cases)}) for n, cases in enumerate(runs)]
    cases = {f"c{k}": told for k, told in enumerate(more)}
    seat = Seat(setup="team", change=Changed(of="team"))
    strangers = {
        "setup": lambda: _runs("x", {"other": cases}),
        "part": lambda: _run("x", cases, settings={"selection": {"tier": "agent"}}),
        "named": lambda: _run("x", cases, settings={"selection": {"cases": ["c0"]}}),
        "changed": lambda: _run("x", cases, seats=(seat,)),
    }
    at = min(place, len(made))
    mixed = [*made[:at], strangers[how](), *made[at:]]
    before, after = _trend(*made), _trend(*mixed)
    assert [_of(row) for row in before.rows] == [_of(row) for row in after.rows if row.run != "x"]


@settings(max_examples=40)
@given(st.integers(0, 30), st.integers(0, 30), st.randoms(use_true_random=False))
def test_a_change_of_the_suite_alone_is_never_called_a_decline(changed: int, added: int, chance: random.Random) -> None:
    """The agent does as before on the cases that stayed; changed and added ones are all failed."""
    cases = {f"c{n}": "PPP" if chance.random() < 0.8 else "PFP" for n in range(30)}
    harder = {case: "FFF" if n < changed else told for n, (case, told) in enumerate(cases.items())}
    infos: dict[str, CaseInfo] = {f"c{n}": info(f"c{n}", hash="sha256:harder") for n in range(changed)}
    harder |= {f"new{n}": "FFF" for n in range(added)}
    row = _trend(_run("r1", cases), _run("r2", harder, infos=infos, suite_version="sha256:2")).rows[1]
    assert row.breaks[0].kind == "suite"
    assert row.reading in ("no_change_shown", "cannot_tell")
