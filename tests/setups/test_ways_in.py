"""Agents come in as they are: a program speaking JSON lines, a service, a team, an agent with retries."""

import http.server
import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.case import Scene
from fairtrial.records.errors import InputError
from fairtrial.records.setup import Retry, Setup
from fairtrial.records.trial import Ending
from fairtrial.setups.lines import closing, opening
from tests.trials.bench import Ran, run_agents

CALLS = """
import json, sys
brief = json.loads(sys.stdin.readline())
assert brief["type"] == "brief" and brief["facts"] == {"mark": 1}, brief
def ask(**line):
    print(json.dumps(line), flush=True)
    return json.loads(sys.stdin.readline())
one = ask(type="call", id=1, tool="add", args={"n": 4})
bad = ask(type="call", id=2, tool="ad", args={})
print("this is no protocol line", flush=True)
print(json.dumps({"type": "use", "fact": "mark"}), flush=True)
print(json.dumps({"type": "answer", "output": {"value": one["value"], "error": bad["error"]["kind"]}}), flush=True)
"""


def _command(*words: str) -> dict[str, Setup]:
    return {"program": Setup(agent={"command": list(words)})}


def _run(setups: dict[str, Setup], **more: Any) -> Ran:
    return run_agents([], "fork", setups=setups, **more)


def test_a_program_calls_tools_and_answers() -> None:
    ran = _run(_command(sys.executable, "-c", CALLS))
    assert ran.body("program").output == {"value": 4, "error": "refused"}
    assert [span.kind for span in ran.body("program").spans] == ["agent", "tool", "tool", "use"]


def test_a_program_that_prints_one_object_has_answered() -> None:
    ran = _run(_command("sh", "-c", 'cat >/dev/null; echo \'{"demand": "unknown"}\''), timeout_s=1.5)
    assert ran.head("program").ending is Ending.TIMEOUT  # it waits for more input, which never ends: one line is what it gets
    ran = _run(_command("sh", "-c", 'read line; echo \'{"demand": "unknown"}\''))
    assert ran.body("program").output == {"demand": "unknown"}


def test_a_program_that_cannot_start_its_own_code_is_an_error_never_an_answer() -> None:
    ran = _run(_command(sys.executable, "-c", "print('hi'"))
    assert ran.head("program").ending is Ending.AGENT_ERROR
    assert "exit code 1" in ran.head("program").note and "SyntaxError" in ran.head("program").note


def test_a_program_that_ends_without_an_answer_answered_malformed() -> None:
    ran = _run(_command("sh", "-c", "read line; echo all good"))
    assert ran.head("program").ending is Ending.MALFORMED
    assert "all good" in ran.head("program").note


def test_a_program_that_is_not_there_is_named_before_any_trial() -> None:
    with pytest.raises(InputError, match="not on this machine"):
        _run(_command("no-such-program-here"))


class _Service(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        lines = [json.loads(line) for line in self.rfile.read(int(self.headers["Content-Length"])).splitlines()]
        if self.path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"type": "answer", "output": 1}\n')
            self.close_connection = True
            return
        if self.path == "/echo":
            self.send_response(400)
            self.end_headers()
            self.wfile.write(b"bad: " + b"no " * 61 + self.headers["Authorization"].encode())
            return
        if self.path == "/down":
            self.send_response(503)
            self.end_headers()
            return
        results = [line for line in lines if line["type"] == "result"]
        said = (
            {"type": "answer", "output": {"total": results[0]["value"], "auth": self.headers["Authorization"]}}
            if results
            else {"type": "call", "id": 1, "tool": "add", "args": {"n": 5}}
        )
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(said).encode() + b"\n")

    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Service)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_service_is_asked_with_the_lines_so_far(service: str) -> None:
    ran = _run({"http": Setup(agent={"http": service, "headers": {"Authorization": "Bearer x-not-real"}})})
    assert ran.body("http").output == {"total": 5, "auth": "Bearer x-not-real"}


def test_a_service_that_is_down_is_the_provider_s_fault(service: str) -> None:
    ran = _run({"http": Setup(agent={"http": service + "/down"})})
    assert (ran.head("http").ending, ran.head("http").tries) == (Ending.PROVIDER_OUTAGE, 3)


def test_a_team_sees_hands_on_and_answers_through_its_lead() -> None:
    ran = _run({"team": Setup(agent="team_agents:shop")}, facts={"sales": 20, "stockout_days": 4}, scene=Scene(state={}))
    body = ran.body("team")
    assert body.output == {"got": {"sales": 20, "stockout_days": 4}, "sees": []}
    assert [(span.kind, span.name, span.role) for span in body.spans] == [
        ("agent", "team", None),
        ("agent", "coo", "coo"),
        ("handoff", "coo->ceo", "coo"),
        ("agent", "ceo", "ceo"),
        ("handoff", "coo->ceo", "ceo"),
    ]
    (seat,) = ran.seats
    assert (seat.lead, [role.name for role in seat.roles]) == ("ceo", ["coo", "ceo"])


def test_visible_to_keeps_a_fact_from_a_role_that_may_not_see_it() -> None:
    scene = Scene(state={}, visible_to={"stockout_days": ("cfo",)})
    ran = _run({"team": Setup(agent="team_agents:shop")}, facts={"sales": 20, "stockout_days": 4}, scene=scene)
    assert ran.body("team").output["got"] == {"sales": 20}


def test_a_retry_stops_when_the_agent_s_own_check_is_content() -> None:
    setups = {
        "retry": Setup(agent="team_agents:counts", retry=Retry(attempts=5, until="team_agents:three")),
        "never": Setup(agent="team_agents:counts", retry=Retry(attempts=2, until="team_agents:three")),
        "crashes": Setup(agent="team_agents:crashes_once", retry=Retry(attempts=2)),
    }
    ran = _run(setups)
    assert (ran.body("retry").output, ran.head("retry").spend.retries) == ({"attempt": 3, "earlier": 2}, 2)
    assert ran.body("never").output == {"attempt": 2, "earlier": 1}
    assert ran.body("crashes").output == {"ok": True}
    marks = [span.attributes for span in ran.body("retry").spans if span.kind == "retry"]
    assert [mark["accepted"] for mark in marks] == [False, False, True]


def test_a_team_whose_handoffs_go_in_a_circle_is_refused(tmp_path: Path) -> None:
    from fairtrial.setups.team import Role, Team

    with pytest.raises(InputError, match="circle"):
        Team([Role("a", print, hands_to=["b"]), Role("b", print, hands_to=["a"])], lead="a")


def test_a_reply_that_breaks_off_is_the_provider_s_fault_whatever_its_first_lines_say(service: str) -> None:
    ran = _run({"http": Setup(agent={"http": service + "/cut"})})
    assert (ran.head("http").ending, ran.head("http").tries) == (Ending.PROVIDER_OUTAGE, 3)


def test_an_error_quotes_no_half_of_a_secret(service: str) -> None:
    ran = _run({"http": Setup(agent={"http": service + "/echo", "headers": {"Authorization": "Bearer key-not-real-0123456789"}})})
    assert ran.head("http").ending is Ending.AGENT_ERROR
    assert "no no" in ran.head("http").note and "key-not" not in ran.head("http").note
    assert closing("x key-not-real-0123456789 end", 14) == " end"
    assert opening(b"short key-1") == "'short key-1'"


ODD = """
import json, sys
sys.stdin.readline()
for kind in (["call"], {"a": 1}, 5, True):
    print(json.dumps({"type": kind, "id": 1}), flush=True)
    assert "unknown type" in json.loads(sys.stdin.readline())["error"]["message"]
print('{"type":"note","x":' + "[" * 100_000 + "]" * 100_000 + "}")
print(json.dumps({"type": "answer", "output": "still here"}), flush=True)
"""


def test_lines_of_no_sensible_type_or_depth_are_told_to_the_program_and_end_nothing() -> None:
    ran = _run(_command(sys.executable, "-c", ODD))
    assert ran.body("program").output == "still here", ran.head("program").note
