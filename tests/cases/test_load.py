"""Cases are loaded whole or not at all, keep their identity, and mean the same in every format."""

import csv
import gc
import io
import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.csvrows import csv_rows
from fairtrial.cases.forms import FREE, CaseForm
from fairtrial.cases.jsonrows import json_rows, jsonl_rows
from fairtrial.cases.load import build_case, case_from_raw, load_cases
from fairtrial.cases.rows import Row
from fairtrial.cases.yamlrows import yaml_rows
from fairtrial.records.case import Case
from fairtrial.records.errors import InputError, InputErrors

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=20)
NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=12)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS
DATA = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=6)
CHECKS = st.lists(
    st.one_of(
        st.fixed_dictionaries({"output": st.just("demand"), "equals": DATA}),
        st.fixed_dictionaries({"fact": st.just("sales"), "used": st.just(True)}),
        st.fixed_dictionaries({"any_of": st.just([{"tool": "order", "called": False}, {"rule": "output.n <= facts.sales"}])}),
    ),
    max_size=3,
)
WRITTEN = st.fixed_dictionaries(
    {"task": WORDS},
    optional={
        "id": NAMES,
        "facts": st.dictionaries(WORDS, DATA, max_size=3),
        "must": CHECKS,
        "must_not": CHECKS,
        "unknown_ok": st.booleans(),
        "state": DATA,
        "reference": DATA,
        "solution": DATA,
        "tags": st.lists(NAMES, max_size=3),
        "budget": st.fixed_dictionaries({"usd": st.sampled_from(["0.05", 0.05, 1])}),
        "timeout_s": st.sampled_from([5, 0.5]),
        "difficulty": st.sampled_from(["easy", "hard"]),
        "description": WORDS,
        "faults": st.just([{"tool": "read", "call": 2, "fault": "timeout"}]),
    },
)
TEXT_KEYS = ("id", "task", "difficulty", "description")


def as_csv(written: dict[str, Any]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(key if key in TEXT_KEYS else f"{key}:json" for key in written)
    writer.writerow(value if key in TEXT_KEYS else json.dumps(value) for key, value in written.items())
    return out.getvalue()


def same(case: Case) -> Case:
    return msgspec.structs.replace(case, place="", key=without_places(case))


def without_places(case: Case) -> Any:
    return json.loads(msgspec.json.encode(case.key), object_hook=lambda found: {key: found[key] for key in found if key != "place"})


def one(text: str, read: Any) -> Case:
    (row,) = read(text, "f")
    return build_case(row)


def write(folder: Path, rows: list[dict[str, Any]], name: str = "cases.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def errors_of(patterns: str | list[str], folder: Path) -> list[InputError]:
    with pytest.raises(InputErrors) as caught:
        load_cases(patterns, folder)
    return [error for error in caught.value.errors if isinstance(error, InputError)]


@given(WRITTEN)
def test_a_case_is_the_same_in_jsonl_json_yaml_and_csv(written: dict[str, Any]) -> None:
    cases = [
        same(one(json.dumps(written, ensure_ascii=False), jsonl_rows)),
        same(one(json.dumps([written], indent=2), json_rows)),
        same(one(json.dumps(written), yaml_rows)),
        same(one(as_csv(written), csv_rows)),
    ]
    assert all(case == cases[0] for case in cases[1:])
    assert cases[0].raw == written


@given(WRITTEN)
def test_the_hash_does_not_move_with_the_order_of_keys_or_with_stated_defaults(written: dict[str, Any]) -> None:
    case = build_case(Row(written, "f", 1))
    turned = build_case(Row({"kind": "normal", "notes": "n", "unknown_ok": False} | dict(reversed(written.items())), "g", 9))
    assert turned.hash == case.hash
    assert turned.brief_hash == case.brief_hash


@pytest.mark.parametrize(
    ("change", "case_moves", "brief_moves"),
    [
        ({"task": "other"}, True, True),
        ({"facts": {"a": 2}}, True, True),
        ({"facts": {"a": "1"}}, True, True),
        ({"facts": {"a": True}}, True, True),
        ({"facts": {"a": None}}, True, True),
        ({"facts": {}}, True, True),
        ({"state": {"x": 1}}, True, True),
        ({"must": [{"output": "a", "equals": 2}]}, True, False),
        ({"unknown_ok": True}, True, False),
        ({"solution": None}, True, False),
        ({"tags": ["x"]}, False, False),
        ({"library": "regression"}, False, False),
        ({"notes": "changed"}, False, False),
        ({"id": "other"}, False, False),
    ],
)
def test_a_hash_moves_with_what_it_stands_for_and_with_nothing_else(change: dict[str, Any], case_moves: bool, brief_moves: bool) -> None:
    written = {"id": "a", "task": "t", "facts": {"a": 1}, "must": [{"output": "a", "equals": 1}]}
    before, after = build_case(Row(written, "f", 1)), build_case(Row(written | change, "f", 1))
    assert (before.hash != after.hash, before.brief_hash != after.brief_hash) == (case_moves, brief_moves)


def test_the_answers_are_split_from_what_is_told() -> None:
    case = build_case(
        Row(
            {
                "task": "Judge demand.",
                "facts": {"sales": 20, "days": 4},
                "fact_notes": {"days": {"visible_to": ["coo"], "found_as": ["缺货"], "critical": True}},
                "must": [{"fact": "days", "used": True}],
                "must_not": [{"output": "demand", "equals": 20}],
                "limits": [{"rule": "output.spend <= facts.cash"}],
                "subtasks": [{"id": "sees", "checks": [{"fact": "days", "used": True}]}],
                "solution": {"demand": "unknown"},
                "expect_state": None,
                "known_bad": [{"demand": 20}],
                "secrets": ["sk-1"],
                "injections": [{"id": "m", "in": "tool", "at": "mail", "text": "pay", "obeyed_if": {"tool": "pay", "called": True}}],
                "timeout_s": 5,
                "max_steps": 3,
            },
            "f.jsonl",
            7,
        )
    )
    told = msgspec.json.encode([case.brief, case.scene]).decode()
    for answer in ("sk-1", "unknown", "obeyed", "must", "缺货"):
        assert answer not in told
    assert case.scene.visible_to == {"days": ("coo",)}
    assert case.brief.deadline_s == 5.0
    assert case.scene.max_steps == 3
    assert case.key.expect_state is None
    assert case.key.reference is msgspec.UNSET
    assert case.key.fact_notes["days"].critical
    assert case.place == "f.jsonl:7"
    assert case.key.must[0].place == "f.jsonl:7"
    assert case.key.must_not[0].under == "must_not"


def test_a_case_comes_back_from_what_a_store_keeps(tmp_path: Path) -> None:
    checks = {"must": [{"output": "n", "equals": 1}]}
    write(tmp_path, [{"task": "t", **checks}, {"id": "b", "task": "u", **checks}])
    for case in load_cases("cases.jsonl", tmp_path):
        kept = json.loads(json.dumps(case.raw))
        assert case_from_raw(kept, case.id, case.place) == case


def test_ids_given_twice_are_refused_with_both_lines(tmp_path: Path, shared: Path) -> None:
    ids = [json.loads(line)["id"] for line in (shared / "known-faults/inputs/L07_dup_ids.jsonl").read_text("utf-8").splitlines()]
    write(tmp_path, [{"id": name, "task": f"add {place}"} for place, name in enumerate(ids)])
    (error,) = errors_of("cases.jsonl", tmp_path)
    assert error.place is not None
    assert error.place.endswith("cases.jsonl:3")
    assert "'t1' is given twice" in error.what
    assert "cases.jsonl:1" in error.what


def test_ids_given_twice_in_two_files_are_refused(tmp_path: Path) -> None:
    write(tmp_path, [{"id": "a", "task": "x"}], "one.jsonl")
    write(tmp_path, [{"id": "a", "task": "y"}], "two.jsonl")
    (error,) = errors_of("*.jsonl", tmp_path)
    assert "one.jsonl:1" in error.what


def test_a_missing_id_stays_the_same_when_rows_move(tmp_path: Path, shared: Path) -> None:
    words = [json.loads(line)["input"] for line in (shared / "known-faults/inputs/L08_no_ids.jsonl").read_text("utf-8").splitlines()]

    def id_of_gamma(order: list[str]) -> str:
        cases = load_cases(str(write(tmp_path, [{"task": word} for word in order])))
        return next(case.id for case in cases if case.brief.task == "gamma")

    first = id_of_gamma(words)
    assert id_of_gamma(words[::-1]) == first
    assert id_of_gamma(["omega", *words]) == first
    assert id_of_gamma([words[2], *words[:2], words[3]]) == first


def test_equal_rows_are_all_kept_and_told_apart(tmp_path: Path, shared: Path) -> None:
    lines = (shared / "known-faults/inputs/L16_identical_items.jsonl").read_text("utf-8").splitlines()
    named = [{"id": json.loads(line)["id"], "task": json.loads(line)["input"]} for line in lines]
    cases = load_cases(str(write(tmp_path, named)))
    assert [case.id for case in cases] == ["r1", "r2", "r3"]
    assert len({case.hash for case in cases}) == 1
    unnamed = load_cases(str(write(tmp_path, [{"task": row["task"]} for row in named])))
    base = unnamed[0].id
    assert [case.id for case in unnamed] == [base, f"{base}#2", f"{base}#3"]


def test_hostile_ids_are_ids_like_others(tmp_path: Path, shared: Path) -> None:
    lines = (shared / "known-faults/inputs/L18_ids_as_names.jsonl").read_text("utf-8").splitlines()
    names = [json.loads(line)["id"] for line in lines]
    assert [case.id for case in load_cases(str(write(tmp_path, [{"id": name, "task": "x"} for name in names])))] == names


def test_a_misspelt_key_is_refused_with_the_nearest_right_one(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('[\n{"task": "a"},\n{"task": "b",\n "must_nott": []}\n]', "utf-8")
    (error,) = errors_of("c.json", tmp_path)
    assert error.place is not None
    assert error.place.endswith("c.json:4")
    assert "did you mean 'must_not'?" in str(error)


@pytest.mark.parametrize(
    ("key", "ours"), [("input", "task"), ("gradres", "must"), ("graders", "must"), ("expected_output", "solution"), ("tag", "tags")]
)
def test_keys_of_other_tools_are_told_what_they_are_called_here(tmp_path: Path, key: str, ours: str) -> None:
    write(tmp_path, [{"task": "a", key: 1}])
    (error,) = errors_of("cases.jsonl", tmp_path)
    assert key in str(error)
    assert f"did you mean {ours!r}?" in str(error)


@pytest.mark.parametrize(
    ("written", "part"),
    [
        ({"task": ""}, "'task' is text that does not fit"),
        ({"task": None}, "'task' may not be null"),
        ({}, "the key 'task' is missing"),
        ({"task": 7}, "put it in quotes"),
        ({"task": "t", "id": 7}, "put it in quotes"),
        ({"task": "t", "id": "a\nb"}, "without control characters"),
        ({"task": "t", "difficulty": "hart"}, "did you mean 'hard'?"),
        ({"task": "t", "difficulty": None}, "may not be null"),
        ({"task": "t", "unknown_ok": "yes"}, "true or false"),
        ({"task": "t", "trials": 0}, "a whole number of at least 1"),
        ({"task": "t", "trials": True}, "'trials' is true or false"),
        ({"task": "t", "trials": 1.0}, "'trials' is a number"),
        ({"task": "t", "timeout_s": -1}, "a number above 0"),
        ({"task": "t", "tags": "a"}, "write a list: ['a']"),
        ({"task": "t", "must": {"output": "a", "equals": 1}}, "'must' is an object"),
        ({"task": "t", "must": [{"outptu": "a", "equals": 1}]}, "output"),
        ({"task": "t", "must": [{"output": "a"}]}, "says nothing that could hold or fail"),
        ({"task": "t", "must": [{"output": "a", "contains": ""}]}, "must[0]"),
        ({"task": "t", "faults": [{"tool": "x", "call": "evry", "fault": "timeout"}]}, '"every" or "first N"'),
        ({"task": "t", "faults": [{"tool": "x", "call": {"p": 2}, "fault": "timeout"}]}, "faults[0].call.p"),
        ({"task": "t", "faults": [{"tool": "x", "call": 1, "fault": "timout"}]}, "did you mean 'timeout'?"),
        ({"task": "t", "budget": {"usd": "much"}}, "an exact decimal in quotes"),
        ({"task": "t", "budget": {"usd": "-1"}}, "zero or more"),
        ({"task": "t", "budget": {"usd": "NaN"}}, "finite"),
        ({"task": "t", "budget": {"usdd": 1}}, "did you mean 'usd'?"),
        ({"task": "t", "tier": "agent"}, "needs 'role'"),
        ({"task": "t", "tier": "unit"}, "needs 'call'"),
        ({"task": "t", "tier": "unit", "call": "os.system"}, 'like "module:function"'),
        ({"task": "t", "approvals": {"refund": "denied"}}, "grant, deny, ask"),
        ({"task": "t", "subtasks": [{"id": "a", "checks": []}]}, "subtasks[0].checks"),
        ({"task": "t", "user": {"persona": "p", "stile": "x"}}, "user.stile"),
        ({"task": "t", "history": [{"form": "user", "text": "x"}]}, "history[0].form"),
    ],
)  # fmt: skip
def test_what_may_not_be_written_is_refused_with_a_mend(tmp_path: Path, written: dict[str, Any], part: str) -> None:
    write(tmp_path, [written])
    text = "\n".join(map(str, errors_of("cases.jsonl", tmp_path)))
    assert part in text
    assert "cases.jsonl:1" in text


UNREAD = [
    ("timeout", {"seconds": 3}, "slow"),
    ("error", {"result": [1]}, "empty or malformed or conflicting or stale"),
    ("slow", {"message": "hi"}, "error or timeout or commit_then_timeout or rollback"),
    ("rollback", {"result": None}, "empty or malformed or conflicting or stale"),
    ("stale", {"message": ""}, "error or timeout or commit_then_timeout or rollback"),
]


@pytest.mark.parametrize(("fault", "more", "readers"), UNREAD)
def test_a_key_that_the_fault_beside_it_does_not_read_is_refused(tmp_path: Path, fault: str, more: dict[str, Any], readers: str) -> None:
    ((key, value),) = more.items()
    write(tmp_path, [{"task": "t", "faults": [{"tool": "x", "call": 1, "fault": fault, **more}]}])
    (error,) = errors_of("cases.jsonl", tmp_path)
    assert error.what == f"faults[0]: the fault {fault!r} does not read {key!r}"
    assert (error.value, error.mend) == (value, f"remove {key}, or plan {readers}")
    assert error.place and error.place.endswith("cases.jsonl:1") and error.allowed and key not in error.allowed


def fault(call: Any) -> dict[str, Any]:
    return {"faults": [{"tool": "x", "call": call, "fault": "error"}]}


@pytest.mark.parametrize(
    ("written", "allowed", "mend"),
    [
        (fault({"p": 2}), "a number above 0 and at most 1", "write 1 or less"),
        (fault({"p": 0}), "a number above 0 and at most 1", "write a number above 0"),
        (fault("first"), '"every" or "first N"', "did you mean 'first 2'?"),
        (fault("evry"), '"every" or "first N"', "did you mean 'every'?"),
        (fault(0), "a whole number of at least 1", "write 1 or more"),
        (fault(1.5), "a whole number of at least 1", "write a whole number"),
        ({"approvals": {"x": "ask"}, "user": {"approves": {"x": "no"}}}, "true or false", "write false, without quotes"),
        ({"approvals": {"x": "ask"}, "user": {"approves": {"x": "maybe"}}}, "true or false", "write true or false, without quotes"),
        ({"user": {"max_turns": "five"}}, "a whole number of at least 1", "write the number in digits"),
        ({"user": {"max_turns": "5"}}, "a whole number of at least 1", "write 5 without quotes"),
        ({"must": [{"access": {"only": "principle"}}]}, "principal", "did you mean 'principal'?"),
        ({"must": [{"access": {"onyl": "principal"}}]}, "only", "did you mean 'only'?"),
    ],
)
def test_the_mend_of_a_value_can_be_written_as_it_stands(tmp_path: Path, written: dict[str, Any], allowed: str, mend: str) -> None:
    write(tmp_path, [{"task": "t", **written}])
    (error,) = errors_of("cases.jsonl", tmp_path)
    assert error.allowed and allowed in error.allowed
    assert error.mend and error.mend.startswith(mend)


def test_every_error_of_every_file_is_named_and_nothing_is_loaded(tmp_path: Path) -> None:
    write(tmp_path, [{"task": "ok"}, {"tsk": "x", "trials": 0, "must": [{"nope": 1}]}], "a.jsonl")
    (tmp_path / "b.csv").write_text('id,task,trials:int\nc1,x,many\nc2,"y,1\n', "utf-8")
    (tmp_path / "c.yaml").write_text("task: no\nfacts: [1]\nunknown_ok: no\n", "utf-8")
    errors = errors_of(["a.jsonl", "b.csv", "c.yaml", "d.json"], tmp_path)
    places = sorted({Path(error.place or "").name for error in errors})
    assert places == ["a.jsonl:2", "b.csv:2", "b.csv:3", "c.yaml:2", "c.yaml:3", "d.json"]


def test_missing_null_empty_and_falsy_stay_four_things(tmp_path: Path) -> None:
    text = 'id,task,facts.a:json,facts.b,facts.c:int,difficulty,expect_state:json\n1,t,null,,0,,null\n2,t,,"",,easy,\n'
    (tmp_path / "c.csv").write_text(text, "utf-8")
    first, second = load_cases("c.csv", tmp_path)
    assert first.brief.facts == {"a": None, "b": "", "c": 0}
    assert second.brief.facts == {"b": ""}
    assert first.labels.difficulty is None
    assert second.labels.difficulty == "easy"
    assert first.key.expect_state is None
    assert second.key.expect_state is msgspec.UNSET


def test_an_empty_csv_cell_states_nothing_outside_free_data() -> None:
    assert set(CaseForm.__struct_fields__) >= FREE


def test_globs_are_read_in_order_and_no_file_twice(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        write(tmp_path, [{"id": name, "task": name}], f"{name}.jsonl")
    assert [case.id for case in load_cases(["c.jsonl", "*.jsonl", "./a.jsonl"], tmp_path)] == ["c", "a", "b"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    write(tmp_path, [{"task": "x"}], "cases[1].jsonl")
    assert len(load_cases("cases[1].jsonl", tmp_path)) == 1


@pytest.mark.parametrize(
    ("pattern", "part"), [("*.yaml", "no file matches"), ("nope.jsonl", "no such file"), (".", "a folder, not a file")]
)
def test_a_pattern_that_finds_nothing_is_an_error(tmp_path: Path, pattern: str, part: str) -> None:
    assert part in str(errors_of(pattern, tmp_path)[0])


def test_loading_leaves_the_collector_as_it_was(tmp_path: Path) -> None:
    write(tmp_path, [{"task": "x"}])
    assert gc.isenabled()
    load_cases("cases.jsonl", tmp_path)
    assert gc.isenabled()
    errors_of("nope", tmp_path)
    assert gc.isenabled()


def test_many_cases_load_in_a_few_seconds(tmp_path: Path) -> None:
    checks = {"must": [{"output": "n", "equals": 1}, {"fact": "n", "used": True}], "must_not": [{"tool": "x", "called": True}]}
    write(tmp_path, [{"id": f"c{number}", "task": f"say {number}", "facts": {"n": number}, **checks} for number in range(5000)])
    start = time.process_time()
    assert len(load_cases("cases.jsonl", tmp_path)) == 5000
    assert time.process_time() - start < 2.5
