"""Real runs of the tau benchmark, and small broken ones: nothing lost, nothing made up, every trial counted."""

import json
from collections import Counter, defaultdict
from decimal import Decimal
from math import comb
from pathlib import Path
from typing import Any

import pytest

from fairtrial.exchange.formats import Imported, importer
from fairtrial.records.errors import InputError
from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import Ending, Trial
from fairtrial.records.verdict import Verdict

Got = list[tuple[Trial, Scorecard]]


def _read(path: Path | str, **options: Any) -> tuple[Imported, Got]:
    found = importer("tau")(str(path), **options)
    return found, list(found.trials)


def _write(folder: Path, value: Any) -> str:
    file = folder / "runs.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    return str(file)


def _at_k(trials: Got, k: int) -> tuple[float, float]:
    """pass^k and pass@k, averaged over cases."""
    cases: dict[str, list[bool]] = defaultdict(list)
    for trial, card in trials:
        cases[trial.head.key.case].append(card.verdict is Verdict.PASS)
    hat = sum(comb(sum(runs), k) / comb(len(runs), k) for runs in cases.values()) / len(cases)
    at = sum(1 - comb(len(runs) - sum(runs), k) / comb(len(runs), k) for runs in cases.values()) / len(cases)
    return round(hat, 4), round(at, 4)


@pytest.fixture(scope="module")
def airline(shared: Path) -> tuple[Imported, Got]:
    return _read(shared / "data" / "taubench_airline_gpt4o" / "gpt-4o-airline.json")


def test_the_published_figures_come_out_of_the_historical_file(airline: tuple[Imported, Got]) -> None:
    found, trials = airline
    assert (found.rows, len(trials), len(found.manifest.cases), found.refused) == (200, 200, 50, [])
    assert sum(plan.attempts for plan in found.manifest.planned) == 200
    assert [_at_k(trials, k)[0] for k in (1, 2, 3, 4)] == [0.42, 0.2733, 0.22, 0.2]
    assert [_at_k(trials, k)[1] for k in (1, 2, 3, 4)] == [0.42, 0.5667, 0.66, 0.72]
    by_case = Counter(trial.head.key.case for trial, card in trials if card.verdict is Verdict.PASS)
    shape = Counter("always" if n == 4 else "sometimes" for n in by_case.values())
    assert (50 - len(by_case), shape["sometimes"], shape["always"]) == (14, 26, 10)


def test_runs_that_stopped_at_the_step_limit_are_named_and_fail(airline: tuple[Imported, Got], shared: Path) -> None:
    raw = json.loads((shared / "data" / "taubench_airline_gpt4o" / "gpt-4o-airline.json").read_bytes())
    unjudged = {(str(run["task_id"]), run["trial"] + 1) for run in raw if run["info"]["reward_info"] is None}
    stopped = [(trial.head, card) for trial, card in airline[1] if trial.head.ending is Ending.TOO_MANY_STEPS]
    assert {(head.key.case, head.key.attempt) for head, _ in stopped} == unjudged and len(stopped) == 5
    for head, card in stopped:
        assert "step limit" in head.note
        assert (card.verdict, head.imported, head.user_usd) == (Verdict.FAIL, None, None)
    assert all(trial.head.imported is card.verdict for trial, card in airline[1] if trial.head.ending is Ending.FINISHED)


def test_tool_calls_and_their_errors_are_counted_from_the_traces(airline: tuple[Imported, Got], shared: Path) -> None:
    raw = json.loads((shared / "data" / "taubench_airline_gpt4o" / "gpt-4o-airline.json").read_bytes())
    answers = [message for run in raw for message in run["traj"] if message["role"] == "tool"]
    spans = [span for trial, _ in airline[1] for span in trial.body.spans if span.kind == "tool"]
    assert Counter(span.name for span in spans) == Counter(message["name"] for message in answers)
    failed = [message["content"] for message in answers if message["content"].startswith("Error:")]
    assert Counter(span.error["message"] for span in spans if span.error) == Counter(failed)
    assert sum(trial.head.tool_failures for trial, _ in airline[1]) == len(failed) == 73
    assert sum(trial.head.spend.tool_calls for trial, _ in airline[1]) == len(spans) == 1164
    calls = [call["function"] for run in raw for message in run["traj"] for call in message.get("tool_calls") or ()]
    assert [span.attributes["args"] for span in spans] == [json.loads(call["arguments"]) for call in calls]
    assert [span.attributes["result"] for span in spans if not span.error] == [
        m["content"] for m in answers if not m["content"].startswith("Error:")
    ]


def test_no_word_of_the_conversations_is_lost(airline: tuple[Imported, Got], shared: Path) -> None:
    raw = json.loads((shared / "data" / "taubench_airline_gpt4o" / "gpt-4o-airline.json").read_bytes())
    for run, (trial, _) in zip(raw, airline[1], strict=True):
        said = [message["content"] for message in run["traj"] if message["role"] != "tool" and message["content"] is not None]
        assert [span.attributes["text"] for span in trial.body.spans if "text" in span.attributes] == said
        assert all(span.kind != "model" or "text" not in span.attributes or span.attributes["text"] for span in trial.body.spans)
        assert trial.head.spend.model_calls == sum(message["role"] == "assistant" for message in run["traj"])


def test_the_cost_of_the_simulated_user_stands_apart_and_the_agents_is_unknown(airline: tuple[Imported, Got]) -> None:
    known = [trial.head.user_usd for trial, _ in airline[1] if trial.head.user_usd is not None]
    assert (sum(known), len(known)) == (Decimal("0.50315"), 195)
    assert all(trial.head.spend.usd is None and not trial.head.spend.usd_complete for trial, _ in airline[1])
    assert all(trial.head.spend.input_tokens is None for trial, _ in airline[1])


@pytest.mark.parametrize(
    ("domain", "passed", "fixed", "broken"), [("airline", (10, 13), 6, 3), ("retail", (34, 34), 6, 6)], ids=["airline", "retail"]
)
def test_base_and_fine_tuned_pair_case_by_case(shared: Path, domain: str, passed: tuple[int, int], fixed: int, broken: int) -> None:
    sides = [_read(shared / "data" / "tau2_versions" / "runs" / f"{domain}_{side}.json") for side in ("base", "sft")]
    verdicts = [{trial.head.key.case: card.verdict for trial, card in trials} for _, trials in sides]
    assert tuple(sum(v is Verdict.PASS for v in side.values()) for side in verdicts) == passed
    moved = Counter((verdicts[0][case], verdicts[1][case]) for case in verdicts[0])
    assert (moved[Verdict.FAIL, Verdict.PASS], moved[Verdict.PASS, Verdict.FAIL]) == (fixed, broken)
    one, two = (side[0].manifest for side in sides)
    assert (one.suite, one.suite_version, one.seed) == (two.suite, two.suite_version, two.seed)
    assert {case.id: case.hash for case in one.cases} == {case.id: case.hash for case in two.cases}
    assert one.setups["llm_agent"]["model"] != two.setups["llm_agent"]["model"]
    assert one.setups["llm_agent"]["prompt"] == two.setups["llm_agent"]["prompt"]


def test_a_price_of_zero_is_no_price(shared: Path) -> None:
    runs = shared / "data" / "tau2_versions" / "runs"
    base, tuned = _read(runs / "airline_base.json"), _read(runs / "airline_sft.json")
    raw = json.loads((runs / "airline_base.json").read_bytes())
    assert sum(trial.head.spend.usd or 0 for trial, _ in base[1]) == Decimal(f"{sum(s['agent_cost'] for s in raw['simulations']):.12g}")
    assert all(trial.head.spend.usd_complete for trial, _ in base[1])
    assert all(trial.head.spend.usd is None and not trial.head.spend.usd_complete for trial, _ in tuned[1])
    assert not any("usd" in span.attributes for trial, _ in tuned[1] for span in trial.body.spans if span.kind == "model")
    assert "no price" in tuned[0].manifest.notes[0] and not base[0].manifest.notes
    assert all(trial.head.user_usd for trial, _ in tuned[1])
    usage = [m["usage"] for s in raw["simulations"] for m in s["messages"] if m["role"] == "assistant" and m["usage"]]
    assert sum(trial.head.spend.input_tokens or 0 for trial, _ in base[1]) == sum(use["prompt_tokens"] for use in usage)
    assert sum(trial.head.spend.model_calls for trial, _ in base[1]) == len(usage)


def test_the_parts_of_a_reward_become_grades_that_never_contradict_the_verdict(shared: Path) -> None:
    for file in sorted((shared / "data" / "tau2_versions" / "runs").glob("*.json")):
        raw = {(s["task_id"], s["trial"] + 1): s["reward_info"] for s in json.loads(file.read_bytes())["simulations"]}
        for trial, card in _read(file)[1]:
            reward = raw[trial.head.key.case, trial.head.key.attempt]
            grades = {grade.check: grade for grade in card.grades}
            assert card.cards["outcome"] is card.verdict
            assert (grades["db_check"].verdict is Verdict.PASS) is reward["db_check"]["db_match"]
            actions = [grade for grade in card.grades if grade.check.startswith("action ")]
            assert [g.verdict is Verdict.PASS for g in actions] == [check["action_match"] for check in reward["action_checks"] or []]
            assert all((g.card, g.severity) == ("process", "minor") and "not part of this reward" in g.why for g in actions)
            assert all(grade.source == "judge" for grade in card.grades if grade.check.startswith("nl_assertion"))
            assert all(grade.fix for grade in card.grades if grade.verdict is Verdict.FAIL)


def test_times_and_durations_of_tau2_are_kept(shared: Path) -> None:
    file = shared / "data" / "tau2_versions" / "runs" / "airline_base.json"
    first = json.loads(file.read_bytes())["simulations"][0]
    trial, _ = _read(file)[1][0]
    assert trial.head.wall_ms == round(first["duration"] * 1000, 3)
    assert trial.head.started_ns == 1754065244321269000
    assert all(span.end_ns is not None and span.start_ns <= span.end_ns for span in trial.body.spans)
    assert trial.body.spans[0].end_ns - trial.body.spans[1].start_ns < first["duration"] * 1e9 + 1e8  # type: ignore[operator]


def test_faults_of_the_infrastructure_are_unknown_and_stay_in_the_plan(shared: Path) -> None:
    found, trials = _read(shared / "known-faults" / "inputs" / "M03_tau2_infra.json")
    assert sum(plan.attempts for plan in found.manifest.planned) == len(trials) == 6
    assert Counter(card.verdict for _, card in trials) == {Verdict.PASS: 1, Verdict.UNKNOWN: 5}
    assert {trial.head.key.case for trial, card in trials if card.verdict is Verdict.PASS} == {"0"}
    assert all(trial.head.ending is Ending.HARNESS_ERROR for trial, card in trials if card.verdict is Verdict.UNKNOWN)
    assert not found.manifest.notes


def _simulation(task: str, trial: int, reason: str = "user_stop", reward: Any = 1.0, **more: Any) -> dict[str, Any]:
    made = {"task_id": task, "trial": trial, "termination_reason": reason, "messages": []}
    return {**made, "reward_info": None if reward is None else {"reward": reward}, **more}


def test_every_way_a_simulation_ends_has_its_verdict(tmp_path: Path) -> None:
    ways = {
        "user_stop": (Ending.FINISHED, Verdict.PASS),
        "agent_stop": (Ending.FINISHED, Verdict.PASS),
        "max_steps": (Ending.TOO_MANY_STEPS, Verdict.FAIL),
        "too_many_errors": (Ending.AGENT_ERROR, Verdict.FAIL),
        "user_error": (Ending.SIMULATOR_FAULT, Verdict.UNKNOWN),
        "infrastructure_error": (Ending.HARNESS_ERROR, Verdict.UNKNOWN),
    }
    runs = [_simulation(reason, 0, reason) for reason in ways]
    found, trials = _read(_write(tmp_path, {"simulations": runs}))
    assert {trial.head.key.case: (trial.head.ending, card.verdict) for trial, card in trials} == ways
    assert found.refused == []


def test_what_cannot_be_taken_is_refused_with_its_place_and_stays_planned(tmp_path: Path) -> None:
    runs = [
        _simulation("a", 0),
        _simulation("a", 0, reward=0.0),
        _simulation("a", 1, reward=1.7),
        _simulation("b", 0, reason="because"),
        _simulation("b", 1, reward=None),
        "not a simulation",
        _simulation("c", -1),
        _simulation("a", 2, agent_cost=-1.0, messages=[{"role": "assistant", "content": "x", "usage": {}}]),
    ]
    found, trials = _read(
        _write(tmp_path, {"tasks": [{"id": "a"}, {"id": "b"}, {"id": "d"}], "info": {"num_trials": 3}, "simulations": runs})
    )
    assert [(trial.head.key.case, trial.head.key.attempt, card.verdict.value) for trial, card in trials] == [
        ("a", 1, "PASS"),
        ("b", 2, "UNKNOWN"),
        ("a", 3, "PASS"),
    ]
    assert {refusal.line for refusal in found.refused} == {2, 3, 4, 6, 7}
    whys = " ".join(refusal.why for refusal in found.refused)
    assert "place 1 already" in whys and "1.7 is not between 0 and 1" in whys and "'because' is not one of user_stop" in whys
    assert sorted((plan.case, plan.attempts) for plan in found.manifest.planned) == [("a", 3), ("b", 3), ("d", 3)]
    assert found.rows == 8


def test_calls_without_results_results_without_calls_and_odd_contents_are_kept(tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "policy"},
        {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "text", "text": "there"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "1", "function": {"name": "look", "arguments": "{bad"}},
                {"id": "2", "function": {"name": "look", "arguments": '{"n": 2}'}},
                {"id": "3", "function": {"name": "save", "arguments": "[1]"}},
            ],
        },
        {"role": "tool", "tool_call_id": "2", "name": "look", "content": "two"},
        {"role": "tool", "tool_call_id": "1", "name": "look", "content": "one"},
        {"role": "tool", "tool_call_id": "9", "name": "other", "content": "Error: nothing"},
        {"role": "assistant", "content": {"odd": 1}},
    ]
    run = {"task_id": 1, "trial": 0, "reward": 0.0, "info": {"reward_info": {"reward": 0.0}}, "traj": messages}
    _, ((trial, card),) = _read(_write(tmp_path, [run]))
    tools = [span for span in trial.body.spans if span.kind == "tool"]
    assert [(span.name, span.attributes.get("result"), span.end_ns is None) for span in tools] == [
        ("look", "one", False),
        ("look", "two", False),
        ("save", None, True),
        ("other", None, False),
    ]
    assert [span.attributes["args"] for span in tools] == [{"_written": "{bad"}, {"n": 2}, {"_written": [1]}, {}]
    assert tools[3].error == {"kind": "failed", "message": "Error: nothing"}
    assert trial.body.output == '{"odd":1}'
    assert [span.attributes["text"] for span in trial.body.spans if span.kind in {"user", "message"}] == [
        "policy",
        "hi\nthere",
        '{"odd":1}',
    ]
    assert (card.verdict, trial.head.spend.tool_calls, trial.head.tool_failures) == (Verdict.FAIL, 4, 1)
    assert len({span.id for span in trial.body.spans}) == len(trial.body.spans)


def test_a_run_that_broke_off_is_the_harnesss_and_one_that_was_cut_short_is_not_called_a_step_limit(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes"}]
    runs = [
        {"task_id": 1, "trial": 0, "reward": 0.0, "info": {"reward_info": None}, "traj": talk * 3},
        {"task_id": 2, "trial": 0, "reward": 0.0, "info": {"reward_info": None}, "traj": talk},
        {"task_id": 3, "trial": 0, "reward": 0.0, "info": {"error": "connection lost"}, "traj": []},
    ]
    _, trials = _read(_write(tmp_path, runs))
    assert [(trial.head.ending, card.verdict) for trial, card in trials] == [
        (Ending.TOO_MANY_STEPS, Verdict.FAIL),
        (Ending.HARNESS_ERROR, Verdict.UNKNOWN),
        (Ending.HARNESS_ERROR, Verdict.UNKNOWN),
    ]
    assert "connection lost" in trials[2][0].head.note


@pytest.mark.parametrize(
    "text", ["", "7", '"x"', "[]", "[1]", "{}", '{"simulations": []}', '{"simulations": 1}', "[{]", '[{"task_id": NaN}]']
)
def test_what_is_no_run_file_is_an_error_that_names_the_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        _read(file)
    assert str(file) in str(error.value)


def test_bytes_of_other_tools_are_read_as_they_are_meant(tmp_path: Path) -> None:
    run = {
        "task_id": 1,
        "trial": 0,
        "reward": 1.0,
        "info": {"reward_info": {"reward": 1.0}},
        "traj": [{"role": "user", "content": "密 \ud835 \\ud835 🙂"}],
    }
    file = tmp_path / "x.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps([run]).encode())
    _, ((trial, _),) = _read(file)
    assert trial.body.spans[1].attributes["text"] == "密 � \\ud835 🙂"
    with pytest.raises(InputError, match="cannot be read"):
        _read(tmp_path / "none.json")
    file.write_bytes(json.dumps([run]).encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        _read(file)


def test_the_named_setup_and_the_planned_number_are_taken(tmp_path: Path) -> None:
    path = _write(tmp_path, {"simulations": [_simulation("a", 0)]})
    found, ((trial, _),) = _read(path, setup="mine", planned=4)
    assert trial.head.key.setup == "mine"
    assert [(plan.setup, plan.attempts) for plan in found.manifest.planned] == [("mine", 4)]


def test_a_large_file_is_read_with_little_memory(tmp_path: Path) -> None:
    import time
    import tracemalloc

    talk = [{"role": "user", "content": "x" * 2000}, {"role": "assistant", "content": "y" * 2000}] * 10
    run = {"reward": 1.0, "info": {"task": {}, "reward_info": {"reward": 1.0}, "user_cost": 0.1}, "traj": talk}
    one = json.dumps(run)[1:]
    file = tmp_path / "large.json"
    file.write_text("[" + ",".join(f'{{"task_id": {n}, "trial": 0, {one}' for n in range(500)) + "]", encoding="utf-8")
    size = file.stat().st_size
    tracemalloc.start()
    begun = time.process_time()
    found = importer("tau")(str(file))
    count = sum(1 for _ in found.trials)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 500
    assert time.process_time() - begun < 5
    assert peak < 1.3 * size + 10_000_000
