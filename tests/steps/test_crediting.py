"""Credit on a team whose truth was planted: read right, nothing run twice, gone on with after an interruption."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import fairtrial as ft
from fairtrial import workflow
from fairtrial.records.credit import Credit, Effect
from fairtrial.records.errors import InputError
from fairtrial.workflow import CreditOptions
from tests.steps.project import command, environment, fairtrial

PLANTED = Path(__file__).parents[2] / "examples" / "planted-team"
FEW = ("order-01", "order-02", "order-03", "order-04")


def _planted(folder: Path, **agents: str) -> Path:
    shutil.copytree(PLANTED, folder)
    for name, code in agents.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    return folder


def _credit(folder: Path, **options: Any) -> Credit:
    return workflow.credit(str(folder), CreditOptions(isolate="shared", **options))


def _suite(folder: Path, setup: dict[str, Any]) -> Path:
    """The planted cases with another setup."""
    written = {"name": "planted-team", "cases": "cases.jsonl", "setups": {"team": setup}, "trials": 1}
    (folder / "suite.yaml").unlink()
    (folder / "suite.json").write_text(json.dumps(written), encoding="utf-8")
    return folder


def _stored(folder: Path) -> Counter[tuple[str, str, int]]:
    """How often each (case, setup, attempt) is stored, over all runs."""
    database = sqlite3.connect(folder / ".fairtrial" / "store.db", timeout=10)
    try:
        rows = database.execute(
            "SELECT case_id, name, attempt FROM trials JOIN cases ON cases.run = trials.run AND cases.number = case_number "
            "JOIN setups ON setups.run = trials.run AND setups.number = setup_number"
        )
        return Counter(tuple(row) for row in rows)
    finally:
        database.close()


def _bounds(effect: dict[str, Any]) -> tuple[float, float]:
    return effect["difference"]["low"], effect["difference"]["high"]


@pytest.mark.timeout(300)
def test_a_team_with_planted_truth_is_read_right_at_40_cases_of_5_trials(tmp_path: Path) -> None:
    folder = _planted(tmp_path / "suite")
    words = ("credit", ".", "--setup", "team", "--isolate", "shared", "--how", "remove", "--json", "--quiet")
    done = fairtrial(*words, folder=folder)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    removed = {role["role"]: role["removed"] for role in found["roles"]}
    assert _bounds(removed["analyst"])[1] < 0 and removed["analyst"]["reading"] == "essential"
    assert _bounds(removed["pusher"])[0] > 0 and removed["pusher"]["reading"] == "harmful"
    for role in ("reader", "clerk", "checker_a", "checker_b"):
        low, high = _bounds(removed[role])
        assert low <= 0 <= high and removed[role]["reading"] == "no_effect", role
    assert not removed["chief"]["tried"] and "gives the answer" in removed["chief"]["why"]
    pairs = {tuple(pair["roles"]): pair for pair in found["pairs"]}
    assert len(pairs) == 6 and _bounds(pairs["checker_a", "checker_b"])[1] < 0
    assert [roles for roles, pair in pairs.items() if pair["reading"] == "essential"] == [("checker_a", "checker_b")]
    assert next(role for role in found["roles"] if role["role"] == "checker_a")["needed_with"] == ["checker_b"]
    assert (found["next"], found["cases"], found["attempts"]) == ("drop pusher if the comparison allows it", 40, 5)
    assert {role["role"]: role["costs_usd"] for role in found["roles"] if role["costs_usd"]}["analyst"] == "0.02"
    assert found["trials"] == {"planned": 2600, "reused": 0, "run": 2600, "not_run": 0}

    again = json.loads(fairtrial(*words, folder=folder).stdout)
    assert again["trials"] == {"planned": 2600, "reused": 2600, "run": 0, "not_run": 0} and again["runs"] == []
    assert again["roles"] == found["roles"] and again["pairs"] == found["pairs"]
    assert max(_stored(folder).values()) == 1


def test_trials_of_an_ordinary_run_are_not_run_again_and_its_missing_attempts_are(tmp_path: Path) -> None:
    folder = _planted(tmp_path / "suite")
    done = fairtrial("run", ".", "--setup", "team", "--trials", "2", "--isolate", "shared", folder=folder)
    assert done.returncode == 0, done.stderr
    found = _credit(folder, trials=3, roles=("clerk",), kinds=("remove",), pairs=False)
    assert found.trials == {"planned": 240, "reused": 80, "run": 160, "not_run": 0}
    assert found.cases == 40 and found.attempts == 3 and len(found.where["team"]) == 2
    stored = _stored(folder)
    assert set(stored.values()) == {1} and len(stored) == 240
    runs = json.loads(fairtrial("runs", "--json", folder=folder).stdout)["runs"]
    assert [line["not_run"] for line in runs] == [0, 0] and "-credit-" in runs[0]["run"]
    assert json.loads(fairtrial("show", "last", "--json", folder=folder).stdout)["run"] == runs[1]["run"]


def test_no_changed_team_is_decided_on_and_the_whole_one_is_by_itself(tmp_path: Path) -> None:
    folder = _planted(tmp_path / "planted")
    _credit(folder, cases=FEW, trials=1)
    (folder / "release.json").write_text('{"gates": [{"severe": 0}]}', encoding="utf-8")
    run = workflow.runs(start=str(folder))[-1].run
    policy = str(folder / "release.json")
    assert ft.gate(run, policy=policy, start=folder).setup == "team"
    with pytest.raises(InputError, match="no version to decide on"):
        ft.gate(f"{run}:team - clerk", policy=policy, start=folder)
    with pytest.raises(InputError, match="no version to decide on"):
        ft.gate(f"{run}:team", policy=policy, baseline=f"{run}:team - clerk", start=folder)


def test_trials_of_other_code_another_seed_or_another_isolation_are_run_anew(tmp_path: Path) -> None:
    folder = _planted(tmp_path / "suite")
    ask: dict[str, Any] = {"cases": FEW, "trials": 1, "roles": ("clerk",), "kinds": ("remove",), "pairs": False}
    assert _credit(folder, **ask).trials["reused"] == 0
    assert _credit(folder, **ask).trials["reused"] == 8
    assert _credit(folder, **ask, seed=12).trials["reused"] == 0
    assert _credit(folder, **ask, fresh=True).trials["reused"] == 0
    assert workflow.credit(str(folder), CreditOptions(isolate="fork", **ask)).trials["reused"] == 0
    (folder / "agents.py").write_text((folder / "agents.py").read_text() + "\nMENDED = True\n")
    assert _credit(folder, **ask).trials["reused"] == 0


SLOW = """
import time
import fairtrial as ft

def helper(brief, desk):
    time.sleep(0.03)
    return {"helped": True}

def lead(brief, desk):
    time.sleep(0.03)
    return {"total": brief.facts["price"] * brief.facts["units"]}

team = ft.Team([ft.Role("helper", helper, hands_to=["lead"]), ft.Role("lead", lead)], lead="lead")
"""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("resumes", ["credit", "run"])
def test_after_an_interruption_nothing_is_lost_and_nothing_is_run_twice(tmp_path: Path, resumes: str) -> None:
    folder = _planted(tmp_path / "suite", agents=SLOW)
    words = ("credit", ".", "--isolate", "shared", "--jobs", "2", "--trials", "3", "--quiet", "--json")
    process = subprocess.Popen(command(*words), cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not (folder / ".fairtrial" / "store.db").exists() or len(_or_none(folder)) < 10:
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    told = json.loads(out)
    assert process.returncode == 130 and told["status"] == "interrupted" and told["trials"]["not_run"] > 0
    kept = len(_stored(folder))
    if resumes == "run":
        assert fairtrial("run", ".", "--resume", told["runs"][0], "--quiet", folder=folder).returncode == 0
    done = json.loads(fairtrial(*words, folder=folder).stdout)
    assert done["status"] == "complete" and done["trials"]["not_run"] == 0
    assert done["trials"]["reused"] == (done["trials"]["planned"] if resumes == "run" else kept)
    stored = _stored(folder)
    assert set(stored.values()) == {1} and len(stored) == done["trials"]["planned"]


def _or_none(folder: Path) -> Counter[tuple[str, str, int]]:
    try:
        return _stored(folder)
    except sqlite3.OperationalError:
        return Counter()


OWN = """
import fairtrial as ft

def board(brief, desk, helped=True):
    desk.spend(usd="0.01")
    return {"total": brief.facts["price"] * brief.facts["units"] + (0 if helped else 1)}

def changed(changes):
    if any(change.kind != "remove" for change in changes):
        return None
    gone = {change.role for change in changes}
    return lambda brief, desk: board(brief, desk, "helper" not in gone)

def nothing(changes):
    return None

def raising(changes):
    raise RuntimeError("boom")
"""


def test_an_agent_of_another_kind_is_changed_by_its_own_function(tmp_path: Path) -> None:
    folder = _planted(tmp_path / "suite", own=OWN)
    _suite(folder, {"agent": "own:board", "roles": ["helper", "lead"], "lead": "lead", "changed": "own:changed"})
    found = _credit(folder)
    removed, mended = found.roles[0].removed, found.roles[0].mended
    assert mended is not None and not mended.tried and "gave no agent for mend helper" in mended.why
    assert removed is not None and removed.reading == "essential" and removed.information == "unknown"
    assert removed.difference is not None and removed.difference.value == -1.0


@pytest.mark.parametrize(
    ("setup", "told"),
    [
        ({"agent": "own:board", "roles": ["helper", "lead"]}, "an ft.Team; a LangGraph graph.*graph:.*; a function.*changed:"),
        ({"agent": "own:board"}, "an ft.Team; a LangGraph graph.*graph:.*; a function.*changed:"),
        ({"agent": "own:board", "roles": ["helper", "lead"], "changed": "own:nothing"}, "gave no agent for remove helper"),
        (
            {"agent": "own:board", "roles": ["helper", "lead"], "changed": "own:raising"},
            "no agent for remove helper, but raised RuntimeError.*boom",
        ),
        ({"agent": "own:board", "roles": ["helper", "lead"], "graph": "own:board"}, "no compiled LangGraph graph"),
    ],
)
def test_an_agent_that_cannot_be_changed_is_told_before_any_trial(tmp_path: Path, setup: dict[str, Any], told: str) -> None:
    folder = _suite(_planted(tmp_path / "suite", own=OWN), setup)
    with pytest.raises(InputError, match=f"(?s){told}"):
        _credit(folder, kinds=("remove",))
    assert not (folder / ".fairtrial").exists() or not _or_none(folder)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"setup": "taem"}, "no such setup"),
        ({"roles": ("analist",)}, "no such role"),
        ({"stand_ins": {"analist": "agents:clerk"}}, "no such role"),
        ({"stand_ins": {"analyst": "agents:clark"}}, "has no 'clark'"),
    ],
)
def test_a_name_that_is_not_there_is_told_with_the_nearest(tmp_path: Path, options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told) as raised:
        _credit(_planted(tmp_path / "suite"), **options)
    assert "did you mean" in str(raised.value)


LARGE = """
import fairtrial as ft

def idle(brief, desk):
    return {}

def lead(brief, desk):
    return {"total": brief.facts["price"] * brief.facts["units"]}

team = ft.Team([*(ft.Role(f"r{n}", idle, sees=[], tools=[], hands_to=["lead"]) for n in range(7)), ft.Role("lead", lead)], lead="lead")
"""


def test_coalitions_of_more_than_six_roles_are_refused_and_the_size_is_told_before(tmp_path: Path) -> None:
    folder = _planted(tmp_path / "suite", agents=LARGE)
    with pytest.raises(InputError, match="128 coalitions"):
        _credit(folder, shapley=True)
    told: list[Sequence[int]] = []
    options = CreditOptions(isolate="shared", shapley=True, roles=("r1", "r2", "r3"), kinds=("remove",), trials=1, dry_run=True)
    found = workflow.credit(str(folder), options, tell=lambda *sizes: told.append(sizes))
    assert told == [(320, 0, 0)] and found.status == "planned" and found.trials["planned"] == 320  # 2^3 teams of 40 cases
    assert not _or_none(folder)


def test_shares_of_coalitions_add_up_to_what_the_whole_team_makes(tmp_path: Path) -> None:
    folder = _planted(tmp_path / "suite")
    found = _credit(folder, shapley=True, roles=("analyst", "pusher"), kinds=("remove",), trials=2, pairs=False)
    held = found.coalitions
    assert held is not None and held["n"] == 4 and held["cases"] == 40
    assert sum(held["shares"].values()) == pytest.approx(held["all"] - held["none"])
    assert held["shares"]["analyst"] > 0 > held["shares"]["pusher"]
    assert held["all"] == pytest.approx(found.whole["success_rate"].value)


def _effect(found: Credit, role: str, field: str) -> Effect:
    effect = getattr(next(one for one in found.roles if one.role == role), field)
    assert isinstance(effect, Effect)
    return effect


KNOWING = """
import fairtrial as ft

def loser(brief, desk):
    return {"price": brief.facts["price"]}  # and the units are lost

def sums(brief, desk):
    return {"sum": desk.inbox["price"] * desk.inbox.get("units", 0)}

def lead(brief, desk):
    return {"total": desk.inbox.get("sum")}

def careful(brief, desk):
    return {"total": desk.inbox["price"] * desk.inbox["units"]}

team = ft.Team([
    ft.Role("loser", loser, sees=["price", "units"], tools=[], hands_to=["sums"]),
    ft.Role("sums", sums, sees=[], tools=[], hands_to=["lead"]),
    ft.Role("lead", lead, sees=[], tools=[]),
], lead="lead")
"""


def test_a_role_that_loses_a_fact_is_found_by_mending_it_and_what_only_one_works_out_is_labelled(tmp_path: Path) -> None:
    folder = _planted(tmp_path / "suite", agents=KNOWING)
    suite = (folder / "suite.yaml").read_text()
    owed = "handoffs: [{from: loser, to: sums, requires: [price, units]}, {from: sums, to: lead, requires: [sum]}]\n"
    (folder / "suite.yaml").write_text(suite + owed)
    found = _credit(folder, trials=1, stand_ins={"lead": "agents:careful"}, pairs=False)
    assert found.whole["success_rate"].value == 0.0
    assert _effect(found, "loser", "mended").reading == "helps" and _effect(found, "sums", "mended").reading == "helps"
    assert _effect(found, "loser", "removed").reading == "harmful"  # what it may see reaches the others whole without it
    removed = _effect(found, "sums", "removed")
    assert removed.information == "removed" and removed.lost == ["sum: sums alone works it out, and lead is owed it"]
    assert _effect(found, "lead", "removed").tried is False and _effect(found, "lead", "replaced").tried is True
    assert found.next == "drop loser if the comparison allows it"


def test_a_role_asked_for_alone_later_is_corrected_for_those_before_and_a_later_run_does_not_change_what_it_stands_on(
    tmp_path: Path,
) -> None:
    folder = _planted(tmp_path / "suite")
    ask: dict[str, Any] = {"cases": FEW, "trials": 2, "kinds": ("remove",), "pairs": False}
    first = _credit(folder, roles=("analyst", "clerk", "reader"), **ask)
    again = fairtrial("run", ".", "--setup", "team", "--isolate", "shared", folder=folder)
    assert again.returncode == 0, again.stderr
    alone = _credit(folder, roles=("analyst",), **ask)
    assert alone.looked_at_before == {"remove": ["reader", "clerk"]} and alone.trials["run"] == 0
    assert _effect(alone, "analyst", "removed").p_holm == _effect(first, "analyst", "removed").p_holm
    assert alone.where["team"] == first.where["team"]
    assert any(note.startswith("newer trials of the whole team are in") for note in alone.notes)
    assert f"the whole team's trials are of {first.where['team'][0]}" in alone.notes
