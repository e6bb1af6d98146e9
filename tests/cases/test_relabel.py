"""A label is written into a file of cases and nothing else in it changes."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.load import load_cases
from fairtrial.cases.relabel import relabel, write
from fairtrial.records.case import Case
from fairtrial.records.errors import InputError

YAML = """\
# What the shop was asked.
- id: a      # the first
  task: "no"
  facts: {stock: 0.10}
-   task: |
      two
      lines
    id: b
    library: 'regression'   # since May
- {id: c, task: three, "tags": [x]}
"""
ANCHOR = "- &one {id: a, task: x}\n- {id: b, task: y, facts: {f: *one}}\n"
ALIAS = "- id: z\n  facts: {f: &name capability}\n  task: y\n- {id: a, task: x, library: *name}\n"


def put(folder: Path, name: str, text: str) -> list[Case]:
    (folder / name).write_bytes(text.encode())
    return load_cases(name, folder)


def moved(folder: Path, name: str, text: str, **labels: str) -> str:
    cases = {case.id: case for case in put(folder, name, text)}
    return relabel(str(folder / name), {case: (cases[case], library) for case, library in labels.items()})


def test_a_line_of_jsonl_gets_its_label_and_every_other_byte_stays(tmp_path: Path) -> None:
    text = '{"id": "a", "task": "x",  "facts": {"library": "mine"}}\r\n\r\n{"library":"capability","task":"y","id":"b"}\r\n{"task": "z"}\n'
    assert moved(tmp_path, "c.jsonl", text, a="regression", b="regression") == (
        '{"id": "a", "library": "regression", "task": "x",  "facts": {"library": "mine"}}\r\n\r\n'
        '{"library":"regression","task":"y","id":"b"}\r\n{"task": "z"}\n'
    )


def test_yaml_keeps_its_comments_its_quotes_and_its_forms(tmp_path: Path) -> None:
    assert moved(tmp_path, "c.yaml", YAML, a="regression", b="capability", c="regression") == YAML.replace(
        '  task: "no"', '  library: regression\n  task: "no"'
    ).replace("'regression'   # since", "'capability'   # since").replace("{id: c, task", '{id: c, "library": "regression", task')


def test_a_case_in_a_file_of_its_own_gets_its_label_after_the_id(tmp_path: Path) -> None:
    assert moved(tmp_path, "a.yaml", "id: a\ntask: x\n", a="regression") == "id: a\nlibrary: regression\ntask: x\n"
    assert moved(tmp_path, "b.yaml", "id: b\r\ntask: x\r\n", b="regression") == "id: b\r\nlibrary: regression\r\ntask: x\r\n"
    json_text = '{\n\t"id": "a",\n\t"task": "x"\n}\n'
    assert moved(tmp_path, "c.json", json_text, a="regression") == '{\n\t"id": "a",\n\t"library": "regression",\n\t"task": "x"\n}\n'
    assert (
        json.loads(moved(tmp_path, "d.json", '[{"id":"a","task":"x"},{"id":"b","task":"y"}]', b="regression"))[1]["library"] == "regression"
    )


def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    text = moved(tmp_path, "a.yaml", "\ufeffid: a\ntask: x\n", a="regression")
    write(str(path), text)
    assert path.read_bytes() == b"\xef\xbb\xbfid: a\nlibrary: regression\ntask: x\n"
    assert load_cases("a.yaml", tmp_path)[0].labels.library == "regression"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        pytest.param("c.csv", "id,task\na,x\n", "without touching other cells", id="csv"),
        pytest.param(
            "c.yaml", "- &one {id: a, task: x}\n- {id: b, task: y, facts: {f: *one}}\n", "would not have said the same", id="anchor"
        ),
        pytest.param(
            "c.yaml", "- id: z\n  facts: {f: &name capability}\n  task: y\n- {id: a, task: x, library: *name}\n", "be told", id="alias"
        ),
    ],
)
def test_what_cannot_be_done_safely_is_refused_with_its_mend(tmp_path: Path, name: str, text: str, why: str) -> None:
    before = text.encode()
    with pytest.raises(InputError, match=why) as error:
        moved(tmp_path, name, text, a="regression")
    assert error.value.mend == "write library: regression there by hand"
    assert error.value.place is not None
    assert (tmp_path / name).read_bytes() == before


def test_a_file_that_was_changed_since_it_was_read_is_left_alone(tmp_path: Path) -> None:
    (case,) = put(tmp_path, "a.yaml", "id: a\ntask: x\n")
    (tmp_path / "a.yaml").write_text("id: a\ntask: another\n", encoding="utf-8")
    with pytest.raises(InputError, match="not where it was read"):
        relabel(str(tmp_path / "a.yaml"), {"a": (case, "regression")})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@given(
    tasks=st.lists(st.text(min_size=1), min_size=1, max_size=4),
    facts=VALUES,
    place=st.integers(0, 3),
    indent=st.sampled_from([None, 1, "\t"]),
)
def test_any_case_is_relabelled_truly_or_refused(
    tmp_path_factory: pytest.TempPathFactory, tasks: list[str], facts: object, place: int, indent: int | str | None
) -> None:
    folder = tmp_path_factory.mktemp("cases")
    rows = [{"id": f"c{number}", "task": task, "facts": {"f": facts}} for number, task in enumerate(tasks)]
    cases = put(folder, "c.json", json.dumps(rows, indent=indent, ensure_ascii=place % 2 == 0))
    chosen = cases[place % len(cases)]
    try:
        write(str(folder / "c.json"), relabel(str(folder / "c.json"), {chosen.id: (chosen, "regression")}))
    except InputError:
        assert load_cases("c.json", folder) == cases
        return
    after = load_cases("c.json", folder)
    assert [case.labels.library for case in after] == ["regression" if case.id == chosen.id else "capability" for case in cases]
    assert [case.hash for case in after] == [case.hash for case in cases]


@pytest.mark.parametrize("name", ["c.yaml", "c.jsonl"])
def test_a_file_of_many_cases_is_read_once_for_all_its_moves(tmp_path: Path, name: str) -> None:
    if name == "c.yaml":
        text = "".join(f"- id: c{n}\n  task: task {n}\n  must:\n  - {{output: a, equals: {n}}}\n" for n in range(300))
    else:
        text = "".join(json.dumps({"id": f"c{n}", "task": f"task {n}"}) + "\n" for n in range(300))
    started = time.perf_counter()
    changed = moved(tmp_path, name, text, **{f"c{n}": "regression" for n in range(300)})
    assert changed.count("regression") == 300
    assert time.perf_counter() - started < 20
