"""Whatever an agent does to the harness from inside its trial, it harms no other trial and never the run."""

from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.setup import Setup
from fairtrial.records.trial import Ending
from tests.trials.bench import Ran, run_agents


def attack(agents: list[str], level: str = "fork", **more: Any) -> Ran:
    """Each hostile agent beside two quiet ones that are still at work meanwhile; a run that is over means that none hung it."""
    setups = {name: Setup(agent=f"hostile_agents:{name}") for name in [*agents, "quick", "waits_a_little"]}
    return run_agents([], level, setups=setups, tools="hostile_tools.py", **more)


def assert_neighbours_well(ran: Ran) -> None:
    assert {ran.head(name).ending for name in ("quick", "waits_a_little")} == {Ending.FINISHED}
    assert ran.body("quick").output == ran.body("waits_a_little").output == {"total": 1}


FORK_ENDINGS = {
    "writes_everywhere": Ending.FINISHED,
    "speaks_for_others": Ending.FINISHED,
    "reads_everywhere": Ending.FINISHED,
    "sends_no_record": Ending.HARNESS_ERROR,
    "names_things_oddly": Ending.DECLINED,
    "answers_evil": Ending.FINISHED,
    "raises_evil": Ending.AGENT_ERROR,
    "ends_the_loop": Ending.AGENT_ERROR,
    "stops_the_loop": Ending.AGENT_ERROR,
}


def test_forged_garbled_and_stolen_messages_harm_nobody_else() -> None:
    ran = attack(list(FORK_ENDINGS), jobs=12)
    assert {name: ran.head(name).ending for name in FORK_ENDINGS} == FORK_ENDINGS
    assert_neighbours_well(ran)
    assert "forged" not in "".join(head.note for head in ran.memory.heads.values())
    assert all(body.error.count("x" * 50) == 0 for body in ran.memory.bodies.values())
    assert ran.body("ends_the_loop").error.startswith("Traceback")


def test_what_is_called_oddly_is_recorded_as_text() -> None:
    body = attack(["names_things_oddly"]).body("names_things_oddly")
    assert body.output == {"failed": 1}
    assert [span.role for span in body.spans if span.kind == "use"] == ["5"]
    assert next(span for span in body.spans if span.kind == "tool").error == {"kind": "5", "message": "x"}


def test_a_result_is_read_from_its_own_file_and_no_other(tmp_path: Path) -> None:
    victim = tmp_path / "precious.txt"
    victim.write_text("precious", encoding="utf-8")
    ran = attack(["names_another_file"], facts={"mark": str(victim)})
    assert victim.read_text(encoding="utf-8") == "precious"
    assert ran.head("names_another_file").ending is Ending.HARNESS_ERROR
    assert_neighbours_well(ran)


def test_trials_after_one_that_removed_the_run_s_folder_go_on() -> None:
    ran = attack(["removes_the_run_s_folder"], jobs=1)
    assert_neighbours_well(ran)


def test_a_trace_that_outgrows_the_black_box_says_what_is_lost() -> None:
    ran = attack(["records_much_and_hangs"], timeout_s=2.0)
    head, spans = ran.head("records_much_and_hangs"), ran.body("records_much_and_hangs").spans
    assert head.ending is Ending.TIMEOUT
    assert head.lost_spans > 0
    assert len(spans) + head.lost_spans == 9001
    assert not head.spend.usd_complete


def test_what_a_trial_prints_is_bounded() -> None:
    ran = attack(["prints_for_long"])
    assert ran.body("prints_for_long").output["size"] < 20_000_000


@pytest.mark.parametrize("level", ["fork", "shared"])
def test_acts_from_many_threads_are_all_kept_apart(level: str) -> None:
    spans = attack(["acts_from_threads"], level).body("acts_from_threads").spans
    assert len(spans) == 1601
    assert len({span.id for span in spans}) == 1601
