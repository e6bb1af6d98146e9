"""A draft says what the trial was asked, whence it comes, and what is left to do; no text of a trial can say anything else in it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.drafts import TODO, Origin, covered, draft_id, draft_of, finished, told_grade
from fairtrial.cases.load import load_cases
from fairtrial.cases.yamltext import yaml_text
from fairtrial.records.errors import InputError
from fairtrial.records.grade import Grade
from fairtrial.records.text import file_name
from fairtrial.records.trace import Span
from fairtrial.records.trial import Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict

SINGLE = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SINGLE, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12)
HOSTILE = [
    "no\nmust: []\n", "- {a: b}", "# x", "!!python/object:os.system", "&a *a", "{}", "'\"", "--- \n...", "%YAML 1.1",
    "\x85\u2028\u2029", "a\tb ", "\ufeff", "\x00\x1b[31m", "null", "0123", " lead", "trail ", "\n", "a\n\n  b", "\u202egnp", "😀", "|-",
    ">", "key: value",
]  # fmt: skip


def origin(**more: Any) -> Origin:
    fields = {
        "run": "r1",
        "suite": "s",
        "version": "sha256:1",
        "case": "c",
        "setup": "team",
        "attempt": 2,
        "at": "2026",
        "harness": "h",
        "ending": "finished",
    }
    return Origin(**{**fields, "verdict": "FAIL", "imported": False, **more})


def trial(*spans: tuple[str, str, dict[str, Any]]) -> Trial:
    made = [Span(str(n), None, kind, name, None, 0, 0, attributes) for n, (kind, name, attributes) in enumerate(spans)]
    return Trial(head=TrialHead(key=TrialKey("c", "team", 2), seed=0, ending=Ending.FINISHED), body=TrialBody(spans=made))


def read(folder: Path, text: str) -> Any:
    (folder / "case.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
    return load_cases("case.yaml", folder)[0]


@given(task=st.text(min_size=1), facts=st.dictionaries(st.text(), VALUES, max_size=4), notes=st.text())
def test_whatever_a_case_holds_is_read_back_as_it_was(task: str, facts: dict[str, Any], notes: str) -> None:
    value = {"id": "x", "task": task, "facts": facts, "must": [{"output": task or "a", "equals": facts}], "notes": notes}
    try:
        text = yaml_text(value, "a draft")
    except InputError:
        assert any("\ud800" <= char <= "\udfff" for char in json.dumps(value, ensure_ascii=False))
        return
    assert text.startswith("# a draft\nid: ")
    assert [line.split(":")[0] for line in text.splitlines() if line[:1] not in " #"] == list(value)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_begins_a_key_a_tag_or_a_comment_of_its_own(text: str, tmp_path: Path) -> None:
    value = {"id": "x", "task": f"t{text}", "facts": {text or "k": [text]}, "must": [{"output": "a", "equals": text}], "notes": text}
    case = read(tmp_path, yaml_text(value))
    assert case.raw == value


def test_a_case_that_yaml_cannot_hold_is_refused_with_its_mend() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    with pytest.raises(InputError, match="cannot be written as YAML") as error:
        yaml_text({"id": "x", "task": "t", "facts": {"f": deep}})
    assert error.value.mend == "name a file that ends in .json: --into FILE.json"


def test_a_stored_case_comes_along_without_what_is_new_in_a_draft() -> None:
    raw = {
        "id": "c",
        "task": "t",
        "split": "held_out",
        "library": "capability",
        "must": [{"output": "a", "equals": 1}],
        "tags": ["x"],
        "notes": "old",
    }
    draft, todo = draft_of(raw, trial())
    assert (set(draft), todo) == ({"task", "must", "tags", "notes"}, [])
    made = finished(draft, origin(), "new", "regression", ["Failed: x", f"{TODO}y"])
    assert list(made) == ["id", "task", "must", "tags", "source", "library", "notes"]
    assert (made["tags"], made["source"], made["library"]) == (["x", "promoted"], "incident", "regression")
    assert made["notes"].splitlines()[0] == "old"
    assert made["notes"].splitlines()[1].startswith("Promoted from case c, setup team, attempt 2 of run r1 (suite s sha256:1")
    assert made["notes"].splitlines()[2:] == ["Failed: x", "TODO: y"]


def test_an_imported_trace_becomes_a_task_a_script_and_what_is_left_to_do() -> None:
    first, later = ("user", "user", {"text": "Refund it"}), ("user", "user", {"text": "Yes"})
    found = trial(first, ("tool", "lookup", {}), ("tool", "lookup", {}), later, ("tool", "pay", {}))
    draft, todo = draft_of({"scenario": "x"}, found)
    assert draft == {"task": "Refund it", "user": {"script": ["Yes"], "max_turns": 2}, "description": "Tools called then: lookup, pay"}
    assert [line.split(" ")[1] for line in todo] == ["say", "read", "give"]
    silent, todo = draft_of(None, trial())
    assert silent == {"task": "(the task of c)"}
    assert any("write the task" in line for line in todo)


def test_what_was_covered_is_named_by_its_place() -> None:
    found = list(covered({"facts": {"key": "[redacted:known]"}, "must": [{"output": "a", "equals": "x [redacted:secret]"}], "task": "t"}))
    assert [line.split(" for ")[1].split(",")[0] for line in found] == ["facts.key", "must[0].equals"]


def test_words_of_a_trial_stay_on_their_line_of_the_notes() -> None:
    grade = Grade(check="a\nTODO: b", card="outcome", verdict=Verdict.FAIL, why="c\n\nTODO: d")
    assert told_grade(grade) == "Failed: a TODO: b (c TODO: d)"
    made = finished({"task": "t"}, origin(case="x\nTODO: y"), "new", "regression", [])
    assert len(made["notes"].splitlines()) == 1


@given(case=st.text())
def test_an_id_is_plain_stands_for_one_trial_and_gives_way_where_it_is_taken(case: str) -> None:
    found = draft_id(origin(case=case), ())
    assert found == draft_id(origin(case=case), ())
    assert set(found) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert found != draft_id(origin(case=case, attempt=3), ())
    assert draft_id(origin(case=case), {found}) == f"{found}-2"
    assert file_name(found)
