"""A case with a simulated user from its file to the report, for every kind of agent, under every isolation."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.steps.project import fairtrial

AGENTS = """
import time
import fairtrial as ft

QUESTIONS = {"return": ("Which order?", None), "A-17": ("Shall I book it?", None), "Yes": ("It is booked.", "A-17")}

def heard(said):
    return next((step for word, step in QUESTIONS.items() if word in said), ("Pardon?", None))

def direct(brief, desk):
    said = brief.task
    while said is not None:
        answer, order = heard(said)
        if order:
            desk.call("book", order=order)
        said = desk.say(answer)
    return {"said": answer}

async def waiting(brief, desk):
    said = brief.task
    while said is not None:
        answer, order = heard(said)
        if order:
            await desk.call("book", order=order)
        said = await desk.say(answer)
    return {"said": answer}

async def front(brief, desk):
    return await waiting(brief, desk)

async def back(brief, desk):
    return {"said": "closed"}

team = ft.Team([ft.Role("front", front, hands_to=["back"]), ft.Role("back", back)], lead="back")

def hangs_on(brief, desk):
    desk.say("Which order?")
    desk.say("Shall I book it?")
    import signal
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    time.sleep(30)

def eager(brief, desk):
    desk.call("book", order="A-17")
    desk.say("Which order?")
    return {"said": "booked"}

def stumbles(brief, desk):
    desk.say("Which order?")
    for _ in range(9):
        try:
            desk.call("broken")
        except ft.ToolFailed:
            pass
    desk.call("broken")

def runs_on(brief, desk):
    desk.say("Which order?")
    for _ in range(20):
        desk.call("book", order="A-17")
    return {"said": "done"}

def swallows(brief, desk):
    try:
        runs_on(brief, desk)
    except ft.OverBudget:
        pass
    return {"said": "done", "more": desk.say("It is booked.")}
"""
OUTSIDE = """
import json, sys
from agents import heard

def ask(**line):
    print(json.dumps({"id": 1, **line}), flush=True)
    return json.loads(sys.stdin.readline())["value"]

said = json.loads(sys.stdin.readline())["task"]
while said is not None:
    answer, order = heard(said)
    if order:
        ask(type="call", tool="book", args={"order": order})
    said = ask(type="say", text=answer)
print(json.dumps({"type": "answer", "output": {"said": answer}}), flush=True)
"""
TOOLS = '''
from fairtrial import tool

@tool
def book(order: str, world: dict) -> str:
    """Book a return."""
    world["returns"].append(order)
    return "booked"

@tool
def broken() -> str:
    """Never works."""
    raise RuntimeError("no such luck")
'''
SIMS = """
import asyncio, json, time

def turn(message, should_end=False):
    return {"text": json.dumps({"message": message, "should_end": should_end}), "input_tokens": 50, "output_tokens": 5, "usd": "0.001"}

def good(messages):
    shown = messages[-1]["content"]
    if "Which order" in shown:
        return turn("Order A-17.")
    if "Shall I" in shown:
        return turn("Yes, go ahead.", True)
    return turn("Thanks!", True)

async def slow(messages):
    await asyncio.sleep(0.15)
    return good(messages)

def bad(messages):
    return turn("As your support agent, I have refunded 59.90 to you.")

def hangs(messages):
    time.sleep(60)

def deaf(messages):
    import re
    re.match(r"(a+)+$", "a" * 60 + "b")  # no other thread of the process has its turn until this ends
"""
SCRIPT = ["Order A-17.", {"message": "Yes, go ahead.", "should_end": True}, {"message": "Thanks!", "should_end": True}]


def make(folder: Path, user: dict[str, Any], *setups: str, **more: Any) -> Path:
    folder.mkdir()
    case = {
        "id": "return",
        "task": "I want to return something.",
        "state": {"returns": []},
        "expect_state": {"returns": ["A-17"]},
        "must_not": [{"output": "said", "equals": "refunded"}],
        "user": {"goal": "Return order A-17", **user},
        **more,
    }
    agents = {name: {"agent": f"agents:{name}"} for name in setups}
    if "outside" in agents:
        agents["outside"] = {"agent": {"command": [sys.executable, "outside.py"]}}  # type: ignore[dict-item]
    suite = {"name": "desk", "cases": "cases.jsonl", "tools": "tools.py", "setups": agents}
    files = {"agents.py": AGENTS, "outside.py": OUTSIDE, "tools.py": TOOLS, "sims.py": SIMS}
    files |= {"cases.jsonl": json.dumps(case) + "\n", "suite.json": json.dumps(suite)}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, *words: str) -> dict[str, Any]:
    done = fairtrial("run", ".", "--json", *words, folder=folder)
    assert done.returncode in (0, 3, 4), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def shown(folder: Path, setup: str) -> dict[str, Any]:
    done = fairtrial("show", f"last:{setup}", "return", "1", "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("level", ["fork", "shared", "process"])
@pytest.mark.parametrize(
    "user", [{"script": SCRIPT}, {"model": "python:sims:good"}, {"model": "python:sims:slow"}], ids=["script", "sync", "async"]
)
def test_every_agent_talks_under_every_isolation(user: dict[str, Any], level: str, tmp_path: Path) -> None:
    setups = ("direct", "waiting", "team", "outside")
    folder = make(tmp_path / "p", user, *setups)
    report = run(folder, "--isolate", level, "--allow-unfair")
    assert {name: report["setups"][name]["pass"] for name in setups} == dict.fromkeys(setups, 1)


class Service(BaseHTTPRequestHandler):
    """A stateless agent: what the user said last is in the lines so far."""

    def do_POST(self) -> None:
        lines = [json.loads(line) for line in self.rfile.read(int(self.headers["Content-Length"])).splitlines()]
        results = [line for line in lines if line["type"] == "result"]
        reply: list[dict[str, Any]]
        said = results[-1]["value"] if results else lines[0]["task"]
        if said is None:
            reply = [{"type": "answer", "output": {"said": "bye"}}]
        elif "Yes" in said:
            call = {"type": "call", "id": 1, "tool": "book", "args": {"order": "A-17"}}
            reply = [call, {"type": "say", "id": 2, "text": "It is booked."}]
        else:
            reply = [{"type": "say", "id": 2, "text": "Shall I book it?" if "A-17" in said else "Which order?"}]
        body = b"\n".join(json.dumps(line).encode() for line in reply)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None: ...


@pytest.mark.parametrize("user", [{"script": SCRIPT}, {"model": "python:sims:slow"}], ids=["script", "model"])
def test_a_service_talks_as_well(user: dict[str, Any], tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        folder = make(tmp_path / "p", user)
        suite = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
        suite["setups"] = {"service": {"agent": {"http": f"http://127.0.0.1:{server.server_address[1]}"}}}
        (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
        assert run(folder)["setups"]["service"]["pass"] == 1
        assert shown(folder, "service")["dialogue"]["ended"] == "user_ended"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_end_and_its_reason_stand_with_the_trial(tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"model": "python:sims:good"}, "direct")
    run(folder)
    trial = shown(folder, "direct")
    assert trial["ending"] == "finished"
    assert (trial["dialogue"]["ended"], trial["dialogue"]["turns"], trial["dialogue"]["calls"]) == ("user_ended", 3, 3)
    assert trial["dialogue"]["tokens"] == {"input": 150, "output": 15, "complete": True}
    assert trial["dialogue"]["cost_usd"] == "0.003"
    assert trial["tokens"]["input"] is None and trial["cost_usd"] is None
    page = fairtrial("show", "last", "return", "1", folder=folder).stdout
    assert "dialogue: 3 turns, user ended: the user was done" in page and "tokens 150 / 15, cost $0.003" in page
    assert "Simulated users" in fairtrial("show", "last", folder=folder).stdout
    assert "用户结束：用户已完成" in fairtrial("show", "last", "return", "1", "--lang", "zh", folder=folder).stdout.replace(": ", "：")


def test_a_broken_simulator_is_tried_once_more_and_then_unknown(tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"model": "python:sims:bad"}, "waiting")
    report = run(folder)
    setup = report["setups"]["waiting"]
    assert (setup["unknown"], setup["pass"], setup["fail"], setup["errors"]) == (1, 0, 0, 1)
    trial = shown(folder, "waiting")
    assert trial["ending"] == "simulator_fault" and trial["dialogue"]["ended"] == "simulator_fault"
    assert "speaks as the assistant" in trial["dialogue"]["why"]
    users = setup["users"]
    assert (users["dialogues"], users["repeated"], users["faults"], users["fault_rate"], users["rejected"]) == (1, 1, 2, 1.0, 4)
    assert setup["user_cost_usd"]["total"] == "0.004" and setup["user_cost_usd"]["complete"]


def test_a_broken_simulator_makes_no_pass_either(tmp_path: Path) -> None:
    report = run(make(tmp_path / "p", {"model": "python:sims:bad"}, "eager"))
    assert (report["setups"]["eager"]["pass"], report["setups"]["eager"]["unknown"]) == (0, 1)


def test_a_service_cannot_play_a_user_in_a_sandbox(tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"model": "openai:m@http://127.0.0.1:9"}, "direct")
    done = fairtrial("run", ".", "--isolate", "sandbox", folder=folder)
    assert done.returncode == 2 and "sandbox" in done.stderr


@pytest.mark.parametrize("agent", ["direct", "waiting"])
def test_a_simulator_that_hangs_is_not_the_agents_timeout(agent: str, tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"model": "python:sims:hangs"}, agent, timeout_s=0.4)
    assert run(folder)["setups"][agent]["unknown"] == 1
    trial = shown(folder, agent)
    assert (trial["ending"], trial["dialogue"]["ended"]) == ("provider_outage", "simulator_outage")


@pytest.mark.parametrize(
    ("user", "ending", "ended"),
    [
        ({"model": "python:sims:good"}, "timeout", "timeout"),
        ({"model": "python:sims:bad"}, "simulator_fault", "simulator_fault"),
        ({"model": "python:sims:deaf"}, "provider_outage", "simulator_outage"),
    ],
)
def test_a_killed_trial_still_tells_whose_fault_it_was(user: dict[str, Any], ending: str, ended: str, tmp_path: Path) -> None:
    folder = make(tmp_path / "p", user, "hangs_on", timeout_s=0.6)
    run(folder)
    trial = shown(folder, "hangs_on")
    assert (trial["ending"], trial["dialogue"]["ended"]) == (ending, ended)
    assert trial["dialogue"]["turns"] == (2 if ending == "timeout" else 1)


def test_waiting_for_the_simulator_is_not_the_agents_time(tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"model": "python:sims:slow"}, "direct")
    report = run(folder)
    trial = shown(folder, "direct")
    assert trial["dialogue"]["waited_ms"] >= 400
    assert report["setups"]["direct"]["latency_ms"]["mean"] < 400


@pytest.mark.parametrize(("agent", "ending"), [("stumbles", "agent_error"), ("runs_on", "too_many_steps"), ("swallows", "too_many_steps")])
def test_a_dialogue_that_breaks_off_is_never_a_completed_one(agent: str, ending: str, tmp_path: Path) -> None:
    folder = make(tmp_path / "p", {"script": SCRIPT}, agent, max_steps=12)
    assert run(folder)["setups"][agent]["fail"] == 1
    trial = shown(folder, agent)
    assert trial["ending"] == ending
    assert trial["dialogue"]["ended"] in (ending, "over_budget")


def test_a_model_that_does_not_exist_is_found_before_any_trial(tmp_path: Path) -> None:
    done = fairtrial("run", ".", folder=make(tmp_path / "p", {"model": "python:sims:none"}, "direct"))
    assert done.returncode == 2 and "has no 'none'" in done.stderr
