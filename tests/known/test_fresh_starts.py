"""Every trial starts as its case says: in a world and a home that no earlier trial has touched."""

from pathlib import Path

import pytest

from tests.known.project import run, write
from tests.walls import SANDBOX

APART = ["fork", "process", SANDBOX]
WORLD = """
class Counted:
    resets = 0

    def open(self, scene):
        return Live(self)

class Live:
    def __init__(self, world):
        self.world = world
        self.reset()
        self.before = {"resets": self.live.resets}

    def reset(self):
        self.live = Counter(self.world)

    def after(self):
        return {"resets": self.live.resets}

    def close(self):
        pass

class Counter:
    def __init__(self, world):
        self.world = world
        self.reset()

    @property
    def resets(self):
        return self.world.resets

    def reset(self):
        self.world.resets += 1

world = Counted()
"""
RESETS = '''
from fairtrial import tool

@tool
def reset(world) -> int:
    """Begin again."""
    world.reset()
    return world.resets
'''
RESETTER = """
def agent(brief, desk):
    if brief.facts["early"]:
        desk.call("reset")
        desk.call("reset")
        raise RuntimeError("gave up")
    return {"resets": desk.call("reset")}
"""


@pytest.mark.parametrize("level", APART)
def test_a_start_depends_on_the_case_and_not_on_how_earlier_trials_ended(tmp_path: Path, level: str) -> None:
    cases = [
        {"id": name, "task": "t", "facts": {"early": name == "early"}, "must": [{"output": "resets", "equals": 2}]}
        for name in ("early", "late")
    ]
    files = {"stage": WORLD, "agents": RESETTER, "tools": RESETS}
    folder = write(tmp_path, files, cases, world="stage:world", setups={"one": {"agent": "agents:agent"}}, trials=3)
    report, trial = run(folder, isolate=level, jobs=1)
    heads = [trial(case, "one", attempt).head for case in ("early", "late") for attempt in (1, 2, 3)]
    assert len({head.start_state for head in heads}) == 1 and heads[0].start_state
    assert {case.id: case.verdicts for case in report.cases} == {"early": ["FAIL"] * 3, "late": ["PASS"] * 3}


def test_a_start_that_does_depend_on_earlier_trials_can_be_seen(tmp_path: Path) -> None:
    cases = [{"id": "late", "task": "t", "facts": {"early": False}, "must": [{"output": "resets", "min": 1}]}]
    files = {"stage": WORLD, "agents": RESETTER, "tools": RESETS}
    folder = write(tmp_path, files, cases, world="stage:world", setups={"one": {"agent": "agents:agent"}}, trials=3)
    _, trial = run(folder, isolate="shared", jobs=1)
    assert len({trial("late", "one", attempt).head.start_state for attempt in (1, 2, 3)}) == 3


NOTES = """
from pathlib import Path

def agent(brief, desk):
    places = [Path.home() / "notes.txt", Path("notes.txt")]
    found = [str(place) for place in places if place.exists()]
    for place in places:
        place.write_text("42")
    return {"found": found, "where": str(Path.cwd())}
"""


@pytest.mark.parametrize("level", APART)
def test_notes_of_one_trial_are_not_there_in_the_next_nor_beside_it(tmp_path: Path, level: str) -> None:
    cases = [{"id": "c", "task": "t", "must": [{"output": "found", "equals": []}]}]
    folder = write(tmp_path, {"agents": NOTES}, cases, setups={"notes": {"agent": "agents:agent"}}, trials=4)
    report, trial = run(folder, isolate=level, jobs=2)
    assert report.cases[0].verdicts == ["PASS"] * 4
    where = {trial("c", "notes", attempt).body.output["where"] for attempt in (1, 2, 3, 4)}
    assert where == {"/tmp/trial"} if level == "sandbox" else len(where) == 4  # there each trial has a /tmp of its own
