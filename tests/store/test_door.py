"""The one door: secrets covered before cutting, long values shortened and marked, odd values readable, the rest untouched."""

import importlib.util
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records.dialogue import Dialogue
from fairtrial.records.edits import Edit
from fairtrial.records.grade import Evidence, Grade, Scorecard
from fairtrial.records.start import Start
from fairtrial.records.text import loads, plain, read_text, split_lines
from fairtrial.records.trace import Span
from fairtrial.records.trial import Change, Decline, Trial, TrialBody, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.store import door as the_door
from fairtrial.store.codec import pack, read_body, unpack, write_body
from fairtrial.store.door import Door
from fairtrial.store.redact import Redactor
from fairtrial.store.sql import Store
from tests.store import samples

KNOWN = "tok-notreal-111"
KEY = TrialKey("case-0", "single", 1)


@pytest.fixture
def door() -> Door:
    return Door(Redactor([KNOWN]))


def _span(**attributes: Any) -> Span:
    return Span("1", None, "tool", "call", None, samples.NOW, samples.NOW + 5, attributes)


def test_a_trial_without_secrets_passes_as_the_same_object(door: Door) -> None:
    trial = samples.trial()
    admitted, body_json = door.admit(trial)
    assert admitted is trial
    assert read_body(body_json) == trial.body
    head, same = door.admit_encoded(trial.head, body_json)
    assert head is trial.head and same is body_json


def test_secrets_are_covered_in_every_part_and_what_was_covered_is_named(door: Door) -> None:
    spans = [
        _span(args={"headers": {"Authorization": "Bearer abc123notreal", "Accept": "json"}}, result=f"echo {KNOWN}", outcome="ok"),
        Span(
            "2", "1", "message", "user", KNOWN, 1, 2, {"text": "fine", "input_tokens": 900}, {"kind": "failed", "message": f"bad {KNOWN}"}
        ),
    ]
    changes = [
        Change("users.u1.password", "changed", "old-one", "new-one"),
        Change("stock", "changed", 10, 7),
        Change('users["u.1"]["api key"]', "changed", "old-one", "new-one"),
    ]
    trial = samples.trial(
        output={"said": KNOWN, KNOWN: 1}, spans=spans, changes=changes, error=f"Traceback\n{KNOWN}", before={"api_key": "zzz"}
    )
    trial.head.note = f"it said {KNOWN}"
    trial.head.decline = Decline(f"because {KNOWN}", "human")
    admitted, body_json = door.admit(trial)
    assert KNOWN.encode() not in body_json and b"abc123notreal" not in body_json and b"-one" not in body_json and b"zzz" not in body_json
    assert admitted.head.note == "it said [redacted:known]"
    assert admitted.head.decline == Decline("because [redacted:known]", "human")
    body = admitted.body
    assert body.spans[0].attributes["args"]["headers"] == {"Authorization": "[redacted:key]", "Accept": "json"}
    assert body.spans[1].error == {"kind": "failed", "message": "bad [redacted:known]"}
    assert [body.changes[0].before, body.changes[0].after, body.changes[1]] == ["[redacted:key]", "[redacted:key]", changes[1]]
    assert (body.spans[1].attributes["input_tokens"], body.spans[1].id, body.spans[1].start_ns) == (900, "2", 1)
    assert body == read_body(body_json)
    assert {"output.said", "error", "before.api_key", "changes.0.before", "spans.0.attributes.result", "spans.1.role"} <= set(body.altered)
    assert trial.body.output == {"said": KNOWN, KNOWN: 1}  # what was handed in is not touched


def test_what_ended_a_talk_with_a_simulated_user_is_covered(door: Door) -> None:
    trial = samples.trial()
    trial.head.dialogue = Dialogue(ended="simulator_fault", why=f"it raised RuntimeError: {KNOWN}", model=f"m {KNOWN}")
    admitted, _ = door.admit(trial)
    assert admitted.head.dialogue is not None
    assert (admitted.head.dialogue.why, admitted.head.dialogue.model) == ("it raised RuntimeError: [redacted:known]", "m [redacted:known]")
    assert KNOWN in trial.head.dialogue.why  # what was handed in is not touched


def test_a_trial_that_only_sounds_secret_keeps_its_bytes(door: Door) -> None:
    trial = samples.trial(output={"max_token": 5, "password_hint": "please", "text": "the secret: bring apples"})
    body_json = write_body(trial.body)
    assert door.redactor.suspects(body_json)
    assert door.admit_encoded(trial.head, body_json)[1] is body_json


def test_half_a_surrogate_pair_does_not_stop_the_writer(door: Door, store: Store, shared: Path) -> None:
    file = shared / "known-faults" / "inputs" / "T07_surrogate.jsonl"
    outputs = [loads(line)["output"] for line in split_lines(read_text(file))]
    store.create_run("r-1", samples.manifest(cases=len(outputs), attempts=1), {})
    for number, output in enumerate(outputs):
        trial = samples.trial(output=output, spans=[_span(result=output)])
        trial.head.key = TrialKey(f"case-{number}", "single", 1)
        trial.head.note = output
        admitted, body_json = door.admit(trial)
        grade = Grade(check="c", card="outcome", verdict=Verdict.FAIL, evidence=Evidence(seen=output))
        card = Scorecard(verdict=Verdict.FAIL, grades=[grade])
        assert store.write_batch("r-1", [(admitted.head, body_json, card)]).stored == 1
        assert admitted.body == read_body(body_json)
    bodies = [body for _, body in store.bodies("r-1")]
    assert [body.output for body in bodies] == ["half a math letter � here", *outputs[1:]]
    assert bodies[0].altered == {
        "output": "text with half a surrogate pair",
        "spans.0.attributes.result": "text with half a surrogate pair",
    }
    assert [body.altered for body in bodies[1:]] == [{}, {}]
    assert next(card.grades[0].evidence for _, card in store.rows("r-1") if card) == Evidence(seen="half a math letter � here")


def test_a_half_that_comes_as_an_escape_is_mended_too(door: Door) -> None:
    body_json = rb'{"output": "\ud835 and \\ud835 and \ud83d\ude42"}'
    _, admitted = door.admit_encoded(samples.head(KEY), body_json)
    assert read_body(admitted).output == "� and \\ud835 and 🙂"
    kept = rb'{"output":"\\ud835"}'
    assert door.admit_encoded(samples.head(KEY), kept)[1] is kept


def test_values_that_are_no_json_are_kept_readable(door: Door, shared: Path) -> None:
    place = importlib.util.spec_from_file_location("t08", shared / "known-faults" / "inputs" / "T08_objects_agent.py")
    assert place is not None and place.loader is not None
    agent = importlib.util.module_from_spec(place)
    sys.modules["t08"] = agent
    place.loader.exec_module(agent)
    saved: dict[str, Any] = {}
    tools = type("Tools", (), {"save": staticmethod(saved.update)})
    output = agent.agent(None, tools)
    trial = samples.trial(output=plain(output), spans=[_span(args=plain(saved)), _span(args=saved)])
    admitted, body_json = door.admit(trial)
    body = read_body(body_json)
    for span in body.spans:
        args = span.attributes["args"]
        assert args["bill"] == {"amount": "3200.00", "due": "2026-11-20"}
        assert (args["cur"], args["ids"], args["raw"], args["u"]) == ("CNY", [1, 2], "/wA=", "00000000-0000-0000-0000-000000000001")
    assert body.output["when"] == "2026-11-20T00:00:00+00:00"
    json.loads(body_json, parse_constant=pytest.fail)
    assert admitted.head is trial.head


def test_a_body_with_a_raw_endless_value_is_stored_all_the_same(door: Door) -> None:
    loop: list[Any] = []
    loop.append(loop)
    trial = samples.trial(output={"loop": loop, "amount": Decimal("3200.00"), "nan": float("nan"), "whole": 10**5000})
    _, body_json = door.admit(trial)
    output = read_body(body_json).output
    assert output["amount"] == "3200.00" and "contains itself" in output["loop"][0]


def test_three_megabytes_are_shortened_and_nothing_else_is(door: Door, shared: Path, tmp_path: Path) -> None:
    make = shared / "known-faults" / "inputs" / "T09_big_attribute_make.py"
    subprocess.run([sys.executable, str(make)], cwd=tmp_path, check=True)
    spans = json.loads((tmp_path / "T09_big.otlp.json").read_bytes())["resourceSpans"][0]["scopeSpans"][0]["spans"]
    texts = [span["attributes"][-1]["value"]["stringValue"] for span in spans]
    made = [_span(input_tokens=7, big=text, small="stays") for text in texts]
    trial = samples.trial(spans=made, output="short", error="e" * 10)
    admitted, body_json = door.admit(trial)
    assert len(body_json) < 3 << 20
    assert len(admitted.body.spans) == 2
    for number, span in enumerate(admitted.body.spans):
        assert (span.attributes["input_tokens"], span.attributes["small"], span.start_ns, span.end_ns) == (
            7,
            "stays",
            samples.NOW,
            samples.NOW + 5,
        )
        assert "bytes cut" in span.attributes["big"] and "sha256:" in span.attributes["big"]
        assert any(path.startswith(f"spans.{number}.attributes.big") for path in admitted.body.altered)
    inner = json.loads(admitted.body.spans[0].attributes["big"])  # text that was JSON still is
    assert inner["rows"][0] == "x" * 100


@pytest.mark.parametrize("limit", [10_000, 10_001, 10_002, 10_003])
def test_a_cut_never_splits_a_character_and_stays_json(door: Door, monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(the_door, "VALUE_LIMIT", limit)
    text = json.dumps({"rows": ["x" * 100] * 300})
    trial = samples.trial(output="🙂" * 5000, spans=[_span(args={"input": text}), _span(result="密" * 9000)])
    admitted, body_json = door.admit(trial)
    body = read_body(body_json)
    assert body == admitted.body
    assert body.output.startswith("🙂🙂") and "bytes cut" in body.output and "�" not in body.output
    assert json.loads(body.spans[0].attributes["args"]["input"])["rows"][0] == "x" * 100
    assert {"output", "spans.1.attributes.result"} <= set(body.altered)
    assert len(body.output.encode()) <= limit + 200


def test_a_secret_is_covered_before_it_could_be_cut_in_half(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(the_door, "VALUE_LIMIT", 1000)
    for start in range(820, 1010, 7):
        _, body_json = door.admit(samples.trial(output="y" * start + KNOWN + "z" * 2000))
        assert b"tok-" not in body_json


def test_the_state_of_a_world_is_kept_whole_where_a_value_would_be_cut(door: Door) -> None:
    state = {"rows": ["x" * 100] * 20_000}
    admitted, _ = door.admit(samples.trial(before=state, after={}, changes=[Change("rows", "removed", state["rows"], None)]))
    assert admitted.body.before == state and admitted.body.changes[0].before == state["rows"]
    assert admitted.body.altered == {}


def test_none_of_the_handed_secrets_is_anywhere_in_the_files_of_the_store(path: str, shared: Path) -> None:
    config = json.loads((shared / "known-faults" / "inputs" / "X02_secrets_config.json").read_bytes())
    redactor = Redactor(config["env"].values())
    door = Door(redactor)
    values = ["sk-test-NOT-A-REAL-KEY-000000000000", "abc123notreal", "zzz-notreal", KNOWN]
    told = json.dumps(config)
    with Store.open(path, redactor=redactor) as store:
        run = samples.manifest(settings={"config": config}, setups=("single",), environment=dict(config["env"]), notes=(f"note {KNOWN}",))
        store.create_run("r-1", run, {"case-0": {"config": config, "task": f"use {KNOWN}"}, "case-1": {"secrets": values}})
        trial = samples.trial(output=config, spans=[_span(args=config["agent"], result=told)], before=config, error=told)
        trial.head.note = told
        grade = Grade(
            check="c", card="outcome", verdict=Verdict.FAIL, why=told, evidence=Evidence(path="env.MY_TOKEN", expected="x" * 9, seen=KNOWN)
        )
        card = Scorecard(verdict=Verdict.FAIL, cards={"outcome": Verdict.FAIL}, grades=[grade])
        admitted, body_json = door.admit(trial)
        store.write_batch("r-1", [(admitted.head, body_json, card)])
        store.write_grades("r-1", "g2", [(KEY, card)])
        store.write_tries("r-1", [(admitted.head, body_json)])
        files = list(Path(path).parent.iterdir())
        kept = b"".join(file.read_bytes() for file in files)
        shown = json.dumps([str(list(store.rows("r-1"))), unpack(pack(body_json)).decode(), str(store.run("r-1")), store.case_raw("r-1")])
        assert store.trial("r-1", KEY).body.output["agent"]["headers"]["Content-Type"] == "application/json"
        assert store.run("r-1").manifest.cases == run.cases
    assert len(files) >= 2
    for value in values:
        assert value.encode() not in kept and value not in shown, value


def test_tools_and_roles_named_like_secrets_survive_the_manifest(store: Store) -> None:
    from fairtrial.records.setup import Seat

    seat = Seat(setup="secret", tools={"reset_password": "sha256:1"}, rights={"get_token": ("outside",)})
    wanted = samples.manifest(setups=("secret",), seats=(seat,), settings={"password": "hunter2"})
    store.create_run("r-1", wanted, {})
    found = store.run("r-1").manifest
    assert found.seats == (seat,) and found.planned == wanted.planned
    assert found.settings == {"password": "[redacted:key]"}


def test_the_verdicts_of_checks_named_like_secrets_survive(store: Store) -> None:
    store.create_run("r-1", samples.manifest(), {})
    card = Scorecard(verdict=Verdict.PASS, subtasks={"password": Verdict.PASS}, cards={"outcome": Verdict.PASS}, grades=[])
    store.write_batch("r-1", [(samples.head(KEY), write_body(TrialBody()), card)])
    assert [found for _, found in store.rows("r-1")] == [card]


def test_short_bodies_are_kept_readable_and_long_ones_pressed() -> None:
    short, long = write_body(TrialBody(output="x")), write_body(samples.body(calls=40))
    assert pack(short) is short
    assert len(pack(long)) < len(long) / 3
    assert unpack(pack(long)) == long and unpack(pack(short)) == short


def test_a_trial_without_an_answer_stays_without_one(door: Door) -> None:
    trial = Trial(head=samples.head(KEY), body=TrialBody(error="password=hunter2"))
    admitted, body_json = door.admit(trial)
    assert "output" not in json.loads(body_json)
    assert admitted.body == TrialBody(error="password=[redacted:key]", altered={"error": "a secret in the text was covered"})


def test_a_secret_used_as_a_key_is_not_named_among_what_was_covered(door: Door) -> None:
    trial = samples.trial()
    body = TrialBody(output={KNOWN: f"x {KNOWN}", "list": [KNOWN]}, spans=[_span(args={KNOWN: KNOWN}, outcome="ok")])
    admitted, body_json = door.admit(Trial(head=trial.head, body=body))
    assert KNOWN.encode() not in body_json
    assert "output.list.0" in admitted.body.altered


def test_an_end_told_by_edits_goes_whole_where_it_is_too_long(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(the_door, "STATE_LIMIT", 2 << 20)
    trial = samples.trial(before=None, after=None, start=Start("0" * 64), end=[Edit(["t"], "rows", [{"x": "y" * (1 << 20)}] * 3, 0, 0)])
    admitted, _ = door.admit(trial)
    assert admitted.body.end == [] and admitted.body.altered["after"].startswith("cut from ")


def test_secrets_in_a_start_s_edits_are_covered_with_the_name_they_stand_under(door: Door) -> None:
    given = [Edit(["users", "password"], "put", "open sesame"), Edit(["notes"], "rows", [{"text": f"with {KNOWN}"}], 3, 0)]
    admitted, _ = door.admit(samples.trial(before=None, after=None, start=Start("0" * 64, given), end=[Edit([KNOWN], "gone")]))
    assert admitted.body.start is not None
    assert [edit.value for edit in admitted.body.start.edits] == ["[redacted:key]", [{"text": "with [redacted:known]"}]]
    assert admitted.body.end[0].steps == ["[redacted:known]"]
    assert set(admitted.body.altered) == {"start.0.password", "start.1.notes.0.text"}
