"""A case with planned faults, from its file to the report, through the command line."""

import json
from pathlib import Path
from typing import Any

from tests.steps.project import fairtrial, make_project

AGENTS = """
from fairtrial import ToolFailed

def careful(brief, desk):
    for _ in range(3):
        try:
            return {"total": desk.call("add", n=brief.facts["n"])}
        except ToolFailed:
            pass
    return {"total": None}

def careless(brief, desk):
    try:
        desk.call("add", n=brief.facts["n"])
    except ToolFailed:
        pass
    return {"total": 1 + brief.facts["n"]}

def blind(brief, desk):
    return {"total": 1 + brief.facts["n"]}
"""


def make(folder: Path, fault: dict[str, Any]) -> Path:
    setups = {name: {"agent": f"agents:{name}"} for name in ("careful", "careless", "blind")}
    make_project(folder, cases=1, setups=setups)
    (folder / "agents.py").write_text(AGENTS, encoding="utf-8")
    row = json.loads((folder / "cases.jsonl").read_text(encoding="utf-8"))
    row["faults"] = [{"tool": "add", **fault}]
    (folder / "cases.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return folder


def test_recovery_is_graded_and_read_for_each_setup(tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"call": 1, "fault": "timeout"})
    done = fairtrial("run", ".", "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    careful, careless, blind = (report["setups"][name] for name in ("careful", "careless", "blind"))
    assert careful["recovery_rate"] == 1.0 and careful["success_rate"]["value"] == 1.0
    assert careless["recovery_rate"] == 0.0 and careless["cards"]["recovery"]["fail"] == 2
    assert blind["recovery_rate"] is None and blind["cards"]["recovery"]["unknown"] == 2
    kinds = {entry["kind"] for case in report["cases"] if case["setup"] == "careless" for entry in case["failed"]}
    assert "false_success" in kinds
    shown = json.loads(fairtrial("show", "last:blind", "case-1", "1", "--json", folder=folder).stdout)
    faults = [span["attributes"] for span in shown["spans"] if span["kind"] == "fault"]
    assert faults == [{"fault": "timeout", "call": 1, "fired": False}]
    page = fairtrial("show", "last:blind", "case-1", "1", folder=folder).stdout
    assert "the planned fault never fired" in page


def test_what_came_of_each_failure_is_shown_and_counted(tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"call": 1, "fault": "timeout"})
    done = fairtrial("run", ".", "--json", folder=folder)
    report = json.loads(done.stdout)["setups"]
    zeros = dict.fromkeys(("met", "retried", "other_path", "reported", "came_right", "went_on", "claimed", "left", "unknown", "unfired"), 0)
    assert report["careful"]["recoveries"] == {**zeros, "met": 2, "retried": 2}
    assert report["careless"]["recoveries"] == {**zeros, "met": 2, "claimed": 2}
    assert report["blind"]["recoveries"] == {**zeros, "unfired": 2}
    shown = [json.loads(fairtrial("show", f"last:{name}", "case-1", "1", "--json", folder=folder).stdout) for name in ("careful", "blind")]
    (met,) = shown[0]["recoveries"].pop("how")
    assert shown[0]["recoveries"] == {"met": 1, "handled": 1, "unfired": 0} and (met["fault"], met["how"]) == ("timeout", "retried")
    assert met["span"] in {span["id"] for span in shown[0]["spans"] if span["kind"] == "fault"}
    assert shown[1]["recoveries"] == {"met": 0, "handled": 0, "how": [], "unfired": 1}
    page = fairtrial("show", "last", folder=folder).stdout
    assert "Failures of tools, and what came of them" in page
    assert "blind: 2 planned faults never came; they give no recovery score" in page
    assert "2 个计划的故障从未出现" in fairtrial("show", "last", "--lang", "zh", folder=folder).stdout


DYING = """
import os, signal
from fairtrial import ToolFailed

def dies(brief, desk):
    try:
        desk.call("add", n=1)
    except ToolFailed:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"total": 1}
"""


def test_a_killed_trial_tells_which_of_its_faults_never_came(tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"call": 1, "fault": "error"})
    row = json.loads((folder / "cases.jsonl").read_text(encoding="utf-8"))
    row["faults"] += [{"tool": "add", "call": "every", "fault": "timeout"}, {"tool": "add", "call": 7, "fault": "empty"}]
    (folder / "cases.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (folder / "agents.py").write_text(AGENTS + DYING, encoding="utf-8")
    suite = (folder / "suite.json").read_text(encoding="utf-8").replace("agents:careful", "agents:dies")
    (folder / "suite.json").write_text(suite, encoding="utf-8")
    fairtrial("run", ".", "--json", "--setup", "careful", "--trials", "1", folder=folder)
    shown = json.loads(fairtrial("show", "last:careful", "case-1", "1", "--json", folder=folder).stdout)
    faults = [(span["attributes"]["fault"], span["attributes"]["fired"]) for span in shown["spans"] if span["kind"] == "fault"]
    assert shown["ending"] == "agent_error"
    assert faults == [("error", True), ("timeout", False), ("empty", False)]
    assert len({span["id"] for span in shown["spans"]}) == len(shown["spans"])
    assert (shown["recoveries"]["met"], shown["recoveries"]["handled"], shown["recoveries"]["unfired"]) == (1, 0, 2)


WAYS = """
def twice(brief, desk):
    desk.call("look")
    desk.call("look")
    return {"total": 1 + brief.facts["n"]}
"""


def test_process_findings_are_shown_and_decide_nothing_unless_asked(tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"call": 1, "fault": "slow"})
    tools = (folder / "tools.py").read_text(encoding="utf-8")
    (folder / "tools.py").write_text(tools + "\n\n@tool\ndef look(world: dict) -> dict:\n    return world\n", encoding="utf-8")
    (folder / "agents.py").write_text(AGENTS + WAYS, encoding="utf-8")
    suite = (folder / "suite.json").read_text(encoding="utf-8").replace("agents:careful", "agents:twice")
    (folder / "suite.json").write_text(suite, encoding="utf-8")
    row = json.loads((folder / "cases.jsonl").read_text(encoding="utf-8"))
    row |= {"must": [{"output": "total", "exists": True}], "must_not": [], "faults": [], "expect_state": {"total": 1}}
    (folder / "cases.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    done = json.loads(fairtrial("run", ".", "--json", "--setup", "careful", "--trials", "2", folder=folder).stdout)
    seen = done["setups"]["careful"]
    assert (seen["pass"], seen["process"]) == (2, {"useless_repeat": {"trials": 2, "times": 2}})
    assert [(found["attempt"], found["name"], found["spans"]) for found in done["cases"][0]["process"]] == [
        (1, "useless_repeat", ["2", "3"]),
        (2, "useless_repeat", ["2", "3"]),
    ]
    page = fairtrial("show", "last", "case-1", "1", folder=folder).stdout
    assert "same call again for nothing  span 2, 3" in page and "mend: keep what a tool returned" in page
    row["must"].append({"process": {"no_repeats": True}})
    (folder / "cases.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    again = json.loads(fairtrial("grade", "last", "--json", folder=folder).stdout)
    assert again["setups"]["careful"]["fail"] == 2 and again["cases"][0]["failed"][0]["evidence"]["span"] == "2"


def test_shared_workers_count_each_trial_from_one(tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"call": 1, "fault": "error"})
    done = fairtrial("run", ".", "--json", "--isolate", "shared", "--trials", "4", "--setup", "careful", folder=folder)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["setups"]["careful"]["cards"]["recovery"] == {"pass": 4, "fail": 0, "unknown": 0}
    assert report["setups"]["careful"]["recovery_rate"] == 1.0


SAVING = """
from fairtrial import ToolFailed

def repeats(brief, desk):
    try:
        desk.call("save", minor=brief.facts["minor"])
    except ToolFailed:
        desk.call("save", minor=brief.facts["minor"])
    return {"saved": True}

def verifies(brief, desk):
    try:
        desk.call("save", minor=brief.facts["minor"])
    except ToolFailed:
        if brief.facts["minor"] not in desk.call("bills"):
            desk.call("save", minor=brief.facts["minor"])
    return {"saved": True}
"""
BILLS = """
from fairtrial import tool

@tool
def save(minor: int, world: object) -> str:
    world.execute("INSERT INTO bills (minor) VALUES (?)", (minor,))
    world.commit()
    return "ok"

@tool
def bills(world: object) -> list[int]:
    return [row[0] for row in world.execute("SELECT minor FROM bills")]
"""


def test_a_lost_reply_tells_the_blind_repeat_from_the_look_before_it(tmp_path: Path, shared: Path) -> None:
    stated = json.loads((shared / "known-faults/inputs/G28_timeout_after_commit.json").read_text(encoding="utf-8"))
    assert stated["fault"]["kind"] == "timeout_after_commit"
    minor = stated["trace"][0]["args"]["amount_minor"]
    setups = {name: {"agent": f"agents:{name}"} for name in ("repeats", "verifies")}
    folder = make_project(tmp_path / "p", cases=1, trials=1, setups=setups)
    (folder / "agents.py").write_text(SAVING, encoding="utf-8")
    (folder / "tools.py").write_text(BILLS, encoding="utf-8")
    (folder / "seed.sql").write_text("CREATE TABLE bills (id INTEGER PRIMARY KEY, minor INTEGER);", encoding="utf-8")
    suite = json.loads((folder / "suite.json").read_text(encoding="utf-8")) | {"world": {"kind": "sqlite", "seed": "seed.sql"}}
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    case = {
        "id": "bill",
        "task": "save the bill",
        "facts": {"minor": minor},
        "faults": [{"tool": "save", "call": stated["fault"]["on_call"], "fault": "commit_then_timeout"}],
        "must": [{"query": "SELECT count(*) FROM bills", "equals": 1}, {"effect": "save", "unique_by": ["minor"]}],
        "must_not": [{"output": "saved", "equals": False}],
    }
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n", encoding="utf-8")
    done = fairtrial("run", ".", "--json", folder=folder)
    assert done.returncode == 0, done.stderr + done.stdout
    found = {case["setup"]: case for case in json.loads(done.stdout)["cases"]}
    assert found["verifies"]["verdicts"] == ["PASS"] and found["repeats"]["verdicts"] == ["FAIL"]
    failed = {entry["check"]: entry for entry in found["repeats"]["failed"]}
    assert failed["query SELECT count(*) FROM bills == 1"]["evidence"]["seen"] == stated["final_state_rows"]
    assert any(name.startswith("effect save") for name in failed) and any(entry["card"] == "recovery" for entry in failed.values())
