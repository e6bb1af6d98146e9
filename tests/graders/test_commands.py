"""Commands on the end of the world: the exit code decides, printed words do not."""

import json
import sys
import time
from pathlib import Path

import pytest

from fairtrial.records.strictjson import encode
from tests.graders.making import FAIL, PASS, UNKNOWN, grade_of, make_trial, verdict_of

PYTHON = sys.executable
STATE = {"bills": [{"user": "u1"}]}


def run(code: str) -> list[str]:
    return [PYTHON, "-c", code]


def test_the_command_sees_a_copy_of_the_end_state_and_the_answer() -> None:
    code = "import json,os; s=json.load(open('state.json')); a=json.load(open(os.environ['FAIRTRIAL_ANSWER'])); "
    trial = make_trial({"x": 1}, before={}, after=STATE)
    assert verdict_of({"command": run(code + "raise SystemExit(0 if s['bills'] and a['x'] == 1 else 3)")}, trial) == PASS
    assert verdict_of({"command": run(code + "raise SystemExit(3)"), "exit": 3}, trial) == PASS


def test_printed_success_does_not_outweigh_the_exit_code(shared: Path) -> None:
    """A log that the agent's own file printed says passed; the runner ended with 1."""
    log = (shared / "known-faults/inputs/G23_forged_log.txt").read_text(encoding="utf-8")
    meta = json.loads((shared / "known-faults/inputs/G23_forged_log.meta.json").read_text(encoding="utf-8"))
    command = run(f"print({log!r}); raise SystemExit({meta['exit_code']})")
    grade = grade_of({"command": command, "stdout": {"contains": "2 passed"}}, make_trial({}, before={}, after=STATE))
    assert str(grade.verdict) == FAIL
    assert grade.evidence is not None and "2 passed" in grade.evidence.seen["printed"]


def test_the_end_of_what_was_printed_is_the_evidence() -> None:
    """A traceback says the cause in its last line."""
    code = "[print('frame', n, chr(27) * 40, flush=True) for n in range(500)]; raise SystemExit('AssertionError: 5 != 7')"
    grade = grade_of({"command": run(code)}, make_trial({}, before={}, after=STATE))
    assert grade.evidence is not None
    printed = grade.evidence.seen["printed"]
    assert printed.startswith("…") and printed.endswith("AssertionError: 5 != 7") and len(encode(printed)) < 1_600
    assert grade.fix == "read what the command printed"


def test_what_was_printed_whole_has_no_mark() -> None:
    grade = grade_of({"command": run("print('one'); print('two'); raise SystemExit(1)")}, make_trial({}, before={}, after=STATE))
    assert grade.evidence is not None and grade.evidence.seen == {"exit": 1, "printed": "one\ntwo"}


def test_of_much_output_the_end_is_read() -> None:
    code = "print('x' * 200_000); print('the end')"
    assert verdict_of({"command": run(code), "stdout": {"contains": "the end"}}, make_trial({}, before={}, after=STATE)) == PASS


def test_an_expectation_on_the_output_asks_for_more() -> None:
    trial = make_trial({}, before={}, after=STATE)
    assert verdict_of({"command": run("print('all good')"), "stdout": {"contains": "good"}}, trial) == PASS
    assert verdict_of({"command": run("print('all bad')"), "stdout": {"contains": "good"}}, trial) == FAIL


def test_a_command_that_cannot_be_started_is_unknown() -> None:
    assert verdict_of({"command": ["/no/such/program"]}, make_trial({}, before={}, after=STATE)) == UNKNOWN
    assert verdict_of({"command": run("pass")}, make_trial({}, before=None, start_state="")) == UNKNOWN


@pytest.mark.skipif(not hasattr(__import__("os"), "killpg"), reason="needs process groups")
def test_a_command_that_hangs_is_ended_with_all_it_started() -> None:
    code = "import subprocess,sys,time; subprocess.Popen([sys.executable,'-c','import time; time.sleep(60)']); time.sleep(60)"
    began = time.monotonic()
    grade = grade_of({"command": run(code), "timeout_s": 0.5}, make_trial({}, before={}, after=STATE))
    assert (str(grade.verdict), grade.kind) == (FAIL, "timeout")
    assert time.monotonic() - began < 20


def test_the_callers_environment_stays_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET_FOR_TESTS", "x")
    code = "import os; raise SystemExit('MY_SECRET_FOR_TESTS' in os.environ)"
    assert verdict_of({"command": run(code)}, make_trial({}, before={}, after=STATE)) == PASS
