"""However a trial ends, its ending has a name and its neighbours are not harmed, in every isolation."""

import tempfile
import time
from pathlib import Path

import msgspec
import pytest

from fairtrial.records.budget import Budget
from fairtrial.records.trial import Ending
from tests.processes import command_lines
from tests.trials.bench import LEVELS, run_agents

EXPECTED = {
    "five_calls": Ending.FINISHED,
    "five_sync": Ending.FINISHED,
    "raises": Ending.AGENT_ERROR,
    "raises_bare": Ending.AGENT_ERROR,
    "exits": Ending.AGENT_ERROR,
    "exits_hard": Ending.AGENT_ERROR,
    "segfaults": Ending.AGENT_ERROR,
    "kills_itself": Ending.AGENT_ERROR,
    "says_nothing": Ending.EMPTY,
    "says_blank": Ending.EMPTY,
    "declines": Ending.DECLINED,
    "prints_much": Ending.FINISHED,
    "answers_much": Ending.FINISHED,
}


@pytest.mark.parametrize("level", LEVELS)
def test_every_way_to_end_has_its_name(level: str) -> None:
    ran = run_agents(list(EXPECTED), level)
    assert {head.key.setup: head.ending for head in ran.memory.heads.values()} == EXPECTED
    assert ran.memory.accepted == len(EXPECTED)
    assert "no such luck" in ran.head("raises").note
    assert "ValueError" in ran.body("raises").error
    assert ran.head("raises_bare").note == "MemoryError"
    assert ran.body("answers_much").output == {"text": "y" * 400_000}
    assert ran.head("declines").decline is not None


@pytest.mark.parametrize("level", LEVELS)
def test_a_deadline_kills_whatever_hangs_and_spares_the_neighbours(level: str) -> None:
    hanging = ["spins", "blocks", "ignores_signals", "swallows"]
    if level == "shared":
        hanging.remove("ignores_signals")  # signal handlers belong to the main thread, where no agent of this level runs
    began = time.monotonic()
    ran = run_agents([*hanging, "five_calls", "five_sync"], level, timeout_s=1.0, jobs=8)
    took = time.monotonic() - began
    assert {name: ran.head(name).ending for name in hanging} == dict.fromkeys(hanging, Ending.TIMEOUT)
    assert ran.head("five_calls").ending is Ending.FINISHED
    assert ran.head("five_sync").ending is Ending.FINISHED
    assert took < (5 if level != "shared" else 15)
    assert "1 s" in ran.head("spins").note


def test_a_killed_trial_keeps_its_trace() -> None:
    ran = run_agents(["ignores_signals"], "fork", timeout_s=0.5)
    spans = ran.body("ignores_signals").spans
    assert [(span.kind, span.name, span.attributes.get("outcome")) for span in spans] == [
        ("agent", "ignores_signals", None),
        ("tool", "add", "ok"),
    ]
    assert spans[0].end_ns is None
    assert ran.head("ignores_signals").spend.tool_calls == 1


@pytest.mark.parametrize("level", LEVELS)
def test_children_and_daemons_of_a_trial_end_with_it(level: str) -> None:
    mark = f"{90_000 + len(level)}.25"
    ran = run_agents(["leaves_children", "five_sync"], level, timeout_s=1.0, facts={"mark": mark})
    assert ran.head("leaves_children").ending is Ending.TIMEOUT
    assert ran.head("five_sync").ending is Ending.FINISHED
    listed = command_lines()
    assert f"sleep {mark}" not in listed


def test_a_wall_time_budget_is_named_as_such() -> None:
    head = run_agents(["five_sync"], budget=Budget(tool_calls=3)).head("five_sync")
    assert (head.ending, head.over_budget, head.spend.tool_calls) == (Ending.OVER_BUDGET, "tool_calls", 3)


def test_an_outage_is_tried_again_a_bounded_number_of_times_and_is_the_harness_s_fault() -> None:
    ran = run_agents(["outage"])
    assert ran.head("outage").ending is Ending.PROVIDER_OUTAGE
    assert ran.head("outage").tries == 3
    assert [head.tries for head in ran.memory.tries] == [1, 2]


def test_nothing_of_a_run_is_left_on_disk() -> None:
    ran = run_agents(["leaves_notes", "exits_hard", "five_sync"])
    assert not ran.root.exists()


@pytest.mark.parametrize("level", ["fork", "process"])
def test_not_even_a_module_s_memory_reaches_the_next_trial(level: str) -> None:
    ran = run_agents(["remembers"], level, trials=4, jobs=1)
    assert [ran.head("remembers", n).spend.tool_calls for n in range(1, 5)] == [1, 1, 1, 1]


@pytest.mark.parametrize("level", ["fork", "process"])
def test_every_trial_has_an_empty_home_of_its_own(level: str) -> None:
    ran = run_agents(["leaves_notes"], level, trials=3, jobs=1)
    assert all(ran.body("leaves_notes", n).output["found"] == [] for n in range(1, 4))
    assert len({ran.head("leaves_notes", n).start_state for n in range(1, 4)}) == 1


def test_an_agent_that_cannot_be_imported_is_a_clear_error() -> None:
    from fairtrial.records.errors import InputError

    with pytest.raises(InputError, match="did you mean stage_agents:five_calls"):
        run_agents(["five_call"])


def test_the_state_before_and_after_is_kept_as_it_really_is() -> None:
    body = run_agents(["five_calls"]).body("five_calls")
    assert (body.before, body.after) == ({"total": 0}, {"total": 10})
    assert [msgspec.to_builtins(change) for change in body.changes] == [["total", "changed", 0, 10]]


@pytest.mark.parametrize("level", LEVELS)
def test_no_trial_works_in_the_caller_s_home_or_folder(level: str) -> None:
    output = run_agents(["says_where"], level).body("says_where").output
    places = {output["home"], output["tmp"], output["cwd"]}
    assert len(places) == 1
    assert not {str(Path.home()), str(Path.cwd()), tempfile.gettempdir()} & places
