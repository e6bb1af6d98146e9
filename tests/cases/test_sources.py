"""Files become rows: nothing is changed in silence, nothing is guessed, and every error names its place and mend."""

import csv
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.csvrows import csv_rows
from fairtrial.cases.jsonrows import json_rows, jsonl_rows
from fairtrial.cases.rows import Row
from fairtrial.cases.sources import read_document, read_rows
from fairtrial.cases.yamlrows import yaml_document, yaml_rows
from fairtrial.records.errors import InputError, InputErrors

WORDS = st.text(st.characters(codec="utf-8"), max_size=40)
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(WORDS.filter(lambda key: key != "<<"), VALUES, min_size=1, max_size=4)


@pytest.fixture
def inputs(shared: Path) -> Path:
    return shared / "known-faults" / "inputs"


def values(rows: list[Row]) -> list[Any]:
    return [row.value for row in rows]


def errors_of(text: str, read: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(text, "f")
    error = caught.value
    return [str(one) for one in (error.errors if isinstance(error, InputErrors) else [error])]


@given(st.lists(OBJECTS, min_size=1, max_size=4))
def test_the_same_rows_come_from_jsonl_json_and_yaml(rows: list[dict[str, Any]]) -> None:
    lines = "\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    assert values(jsonl_rows(lines, "f")) == rows
    assert values(json_rows(json.dumps(rows, indent=1), "f")) == rows
    assert values(yaml_rows(json.dumps(rows), "f")) == rows


@given(st.lists(st.fixed_dictionaries({"a": WORDS, "b": VALUES, "c": WORDS}), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_csv_written_by_another_writer_reads_back(rows: list[dict[str, Any]], end: str) -> None:
    made: list[str] = []

    class Out:
        def write(self, text: str) -> None:
            made.append(text)

    writer = csv.writer(Out(), lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["a", "b:json", "c"])
    writer.writerows([row["a"], json.dumps(row["b"]), row["c"]] for row in rows)
    expected = [
        {key: text.replace("\r\n", "\n") if isinstance(text, str) and key != "b" else text for key, text in row.items()} for row in rows
    ]
    assert values(csv_rows("".join(made), "f")) == expected


@given(st.text(st.sampled_from('ab,"\r\n \u2028应'), max_size=60))
def test_any_text_is_read_as_csv_or_refused(text: str) -> None:
    try:
        rows = csv_rows("a,b\n" + text, "f")
    except InputError:
        return
    assert all(set(row.value) == {"a", "b"} for row in rows)


@given(st.text(st.sampled_from("ab:-*&!|>'\"[]{},#? \n\t\u20280x.~"), max_size=60))
def test_any_text_is_read_as_yaml_or_refused(text: str) -> None:
    try:
        document = yaml_document(text, "f")
    except InputError:
        return
    if document:
        json.dumps(document.value, allow_nan=False)


def test_a_byte_order_mark_never_reaches_the_first_key(inputs: Path) -> None:
    assert values(read_rows(inputs / "L01_bom.csv")) == [{"id": "bill-1", "question": "本月应还", "expected": "3200.00"}]
    assert [row["id"] for row in values(read_rows(inputs / "L02_bom_first_line.jsonl"))] == ["a", "b"]


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_a_byte_order_mark_is_dropped_in_every_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"c.{suffix}"
    path.write_bytes(b'\xef\xbb\xbf{"id": "a"}')
    assert values(read_rows(path)) == [{"id": "a"}]


def test_utf16_is_one_error_and_no_row(inputs: Path) -> None:
    with pytest.raises(InputError, match="UTF-16"):
        read_rows(inputs / "L02_utf16.csv")


def test_a_carriage_return_never_stays_in_the_last_column(inputs: Path) -> None:
    assert [row["expected"] for row in values(read_rows(inputs / "L03_crlf_last_column.csv"))] == ["¡Buenas noches!", "gracias"]


def test_a_bare_quote_names_line_column_and_mend(inputs: Path) -> None:
    with pytest.raises(InputErrors) as caught:
        read_rows(inputs / "L04_bad_quote.csv")
    assert len(caught.value.errors) == 1
    text = str(caught.value)
    assert "L04_bad_quote.csv:3" in text
    assert "'expected_json'" in text
    assert "double every quote" in text
    assert caught.value.exit_code == 2


def test_quoted_terms_of_a_list_cell_stay_whole(inputs: Path, tmp_path: Path) -> None:
    raw = (inputs / "L05_list_cell.csv").read_text("utf-8")
    path = tmp_path / "typed.csv"
    path.write_text(raw.replace("must_contain_any", "must_contain_any:list", 1), "utf-8")
    assert [row["must_contain_any"] for row in values(read_rows(path))] == [["Paris, Texas", "London"]] * 2


def test_a_huge_cell_loads_and_the_host_program_keeps_its_limit() -> None:
    before = csv.field_size_limit()
    rows = csv_rows(f'id,task\na,{"x" * 200_000}\nb,"{"y" * 200_000}"\n', "f")
    assert [len(row.value["task"]) for row in rows] == [200_000, 200_000]
    assert csv.field_size_limit() == before


def test_types_survive_in_yaml(inputs: Path) -> None:
    (row,) = values(read_rows(inputs / "L11_typed_vars.yaml"))
    assert row["input"] == {"flag": True, "count": 0, "ratio": 0.5, "note": None, "label": "true"}
    assert row["input"]["flag"] is True
    assert row["input"]["count"] is not False
    assert row["expect"] is False


def test_yes_and_no_are_text_in_yaml(inputs: Path) -> None:
    assert [row["expect"] for row in values(read_rows(inputs / "L12_norway.yaml"))] == ["no", "NO", "on", "N", "no"]


@pytest.mark.parametrize("text", ["yes", "off", "y", "12:30:45", "2026-11-20", "1_000", "0b11", "1e", "nan", "+", ".", "="])
def test_what_only_older_yaml_would_convert_stays_text(text: str) -> None:
    assert values(yaml_rows(f"a: {text}", "f")) == [{"a": text}]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("~", None),
        ("", None),
        ("null", None),
        ("True", True),
        ("0x1F", 31),
        ("0o17", 15),
        ("+5", 5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-0", 0),
    ],
)
def test_the_core_schema_is_read_as_it_says(text: str, value: Any) -> None:
    (row,) = yaml_rows(f"a: {text}", "f")
    assert row.value["a"] == value
    assert type(row.value["a"]) is type(value)


@pytest.mark.parametrize("text", ["007", "-01", "00.5", ".inf", "-.INF", ".nan", "1e999", "0.1234567890123456789012"])
def test_numbers_that_would_change_in_silence_are_refused_with_their_line(text: str) -> None:
    (error,) = errors_of(f"id: a\nx: {text}", yaml_rows)
    assert error.startswith("f:2: ")
    assert text in error
    assert "quotes" in error


def test_csv_cells_stay_text_without_a_type(inputs: Path) -> None:
    rows = values(read_rows(inputs / "L15_leading_zeros.csv"))
    assert [row["id"] for row in rows] == ["007", "008", "009"]
    assert [row["account"] for row in rows] == ["0010", "0100", "1e5"]
    assert [row["amount"] for row in rows] == ["3200.00", "3,200.00", "0.10"]
    assert [row["maybe"] for row in rows] == ["1", "", "NA"]


def test_missing_null_empty_and_falsy_are_four_things_in_csv() -> None:
    text = 'id,a:json,b:int,c,d:bool,e\n1,null,0,"",false,x\n2,,,,,\n'
    first, second = values(csv_rows(text, "f", lambda path: path != ("e",)))
    assert first == {"id": "1", "a": None, "b": 0, "c": "", "d": False, "e": "x"}
    assert second == {"id": "2", "c": ""}


def test_typed_and_dotted_columns_make_nested_values() -> None:
    header = "id,facts.sales:int,facts.price:decimal,facts.open:bool,facts.x.y,tags:list,must:json"
    text = header + '\na,20,3200.00,TRUE,"a\r\nb",b | c,"[{""a"": 1}]"\n'
    (row,) = values(csv_rows(text, "f"))
    assert row == {
        "id": "a",
        "facts": {"sales": 20, "price": 3200.0, "open": True, "x": {"y": "a\nb"}},
        "tags": ["b", "c"],
        "must": [{"a": 1}],
    }


@pytest.mark.parametrize(
    ("cell", "terms"),
    [
        ("a|b", ["a", "b"]),
        (' a | "b|c" ', ["a", "b|c"]),
        ('"a ""x"" b"|c', ['a "x" b', "c"]),
        ('["a", "b, c"]', ["a", "b, c"]),
        ("[]", []),
        ('""', [""]),
        ("Paris, Texas|London", ["Paris, Texas", "London"]),
    ],
)
def test_list_cells(cell: str, terms: list[str]) -> None:
    quoted = cell.replace('"', '""')
    assert values(csv_rows(f'id,t:list\na,"{quoted}"\n', "f")) == [{"id": "a", "t": terms}]


@pytest.mark.parametrize(
    ("kind", "cell"),
    [
        ("int", "1.0"), ("int", "1,000"), ("int", "x"), ("decimal", "3.200,00"), ("decimal", "NaN"), ("decimal", "1e999"), ("bool", "yes"),
        ("bool", "1"), ("list", "a||b"), ("list", 'a "b"'),
        ("json", "{'a': 1}"), ("json", "NaN"), ("json", '{"a": 1, "a": 2}'), ("list", "Paris, Texas"),
    ],
)  # fmt: skip
def test_a_cell_that_is_not_of_its_type_is_refused_by_line_and_column(kind: str, cell: str) -> None:
    quoted = cell.replace('"', '""')
    (error,) = errors_of(f'id,x:{kind}\nok,\nbad,"{quoted}"\n', csv_rows)
    assert error.startswith(f"f:3: column 'x:{kind}': ")
    assert "mend:" in error


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("id,task\na\n", "f:2: 1 cells where the header has 2"),
        ("id,task\na,b,c\n", "f:2: 3 cells where the header has 2"),
        ("id,id\n", "'id' and 'id' name the same key"),
        ("facts:json,facts.a\n", "name the same key"),
        ("id,\n", "without a name"),
        ("id,n:integer\n", "did you mean n:int"),
        ("id;task\na;b\n", "not separated by commas"),
        ('id,task\na,"b\nc,d\n', "f:2: column 'task': a quoted cell that never ends"),
        ('id,task\na,"b"c\nd,e\n', "f:2: column 'task': text after the closing quote"),
        ("id,task\ra,b\r", "CR alone"),
    ],
)
def test_a_crooked_table_is_refused_with_its_place(text: str, part: str) -> None:
    assert part in "\n".join(errors_of(text, csv_rows))


def test_every_bad_row_of_a_table_is_named_at_once() -> None:
    found = errors_of('id,n:int,t\na,x,\nb,1,{"q"}\nc,y,z\nd,2,"multi\nline"\ne,z,\n', csv_rows)
    assert [error.split(": ")[0] for error in found] == ["f:2", "f:3", "f:4", "f:7"]


def test_blank_lines_are_no_rows() -> None:
    assert [row.line for row in csv_rows("id,t\n\na,b\r\n\r\nc,d\n\n", "f")] == [3, 5]
    assert [row.line for row in jsonl_rows('\n{"a": 1}\n  \n{"a": 2}', "f")] == [2, 4]


def test_a_separator_that_is_no_line_end_stays_in_its_text() -> None:
    text = "a\u2028b\x85 \u2029 c"
    assert values(jsonl_rows(json.dumps({"t": text}, ensure_ascii=False), "f")) == [{"t": text}]
    assert values(csv_rows(f"id,t\na,{text}\n", "f")) == [{"id": "a", "t": text}]
    assert values(yaml_rows(f'id: a\nt: "{text}"\nu: {text}\n', "f")) == [{"id": "a", "t": text, "u": text}]


def test_an_emoji_written_as_two_escapes_is_one_character_in_every_format() -> None:
    text = '{"t": "\\ud83d\\ude42"}'
    assert values(jsonl_rows(text, "f")) == values(yaml_rows(text, "f")) == [{"t": "\U0001f642"}]


@pytest.mark.parametrize("read", [jsonl_rows, json_rows, yaml_rows])
def test_half_a_character_is_refused(read: Any) -> None:
    (error,) = errors_of('{"t": "\\ud835"}', read)
    assert "surrogate" in error


def test_a_yaml_tag_builds_nothing(inputs: Path) -> None:
    with pytest.raises(InputError, match=r"(?s)X04_yaml_tag.yaml:3: tags are not read.*os.getcwd"):
        read_rows(inputs / "X04_yaml_tag.yaml")


def test_a_yaml_bomb_is_refused_quickly(inputs: Path) -> None:
    start = time.process_time()
    with pytest.raises(InputError, match="aliases unfold"):
        read_rows(inputs / "X04_yaml_bomb.yaml")
    assert time.process_time() - start < 1


def test_an_honest_anchor_is_unfolded_into_values_of_its_own() -> None:
    (row,) = yaml_rows("a: &x {n: [1]}\nb: *x", "f")
    assert row.value == {"a": {"n": [1]}, "b": {"n": [1]}}
    assert row.value["a"] is not row.value["b"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: 1\nb: 2\na: 3", "f:3: the key 'a' is given twice, first on line 1"),
        ("x:\n  - {a: 1,\n     a: 2}", "f:3: the key 'a' is given twice"),
        ("%YAML 1.1\n---\na: no", "only YAML 1.2"),
        ("a: 1\n---\nb: 2", "f:2: the file holds more than one document"),
        ("a: &x [*x]", "refers to itself"),
        ("a: *x", "defined nowhere above"),
        ("b: &x {q: 1}\na: {<<: *x}", "no merge key"),
        ("? [a]\n: 1", "a key must be plain text"),
        ("a: [1,\nb: 2", "f:2: not valid YAML"),
        ("a: \x01", "not valid YAML"),
        ("a: " + "[" * 3000, "nested too deep"),
        ("a:\n\t- b", "not valid YAML"),
    ],
)
def test_crooked_yaml_is_refused_with_its_line(text: str, part: str) -> None:
    assert part in "\n".join(errors_of(text, yaml_rows))


def test_yaml_keys_are_text_as_they_are_written() -> None:
    assert values(yaml_rows("no: 1\n007: 2\ntrue: 3\n1.0: 4", "f")) == [{"no": 1, "007": 2, "true": 3, "1.0": 4}]


def test_every_bad_line_of_a_jsonl_file_is_named_at_once(inputs: Path) -> None:
    with pytest.raises(InputErrors) as caught:
        read_rows(inputs / "L19_nan.jsonl")
    assert [error.place and error.place.rpartition(":")[2] for error in caught.value.errors] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("read", "text"), [(jsonl_rows, "[1]"), (jsonl_rows, "7"), (json_rows, "[{}, 3]"), (yaml_rows, "- a: 1\n- b"), (json_rows, '"x"')]
)
def test_a_row_must_be_an_object(read: Any, text: str) -> None:
    assert "expected one object" in "\n".join(errors_of(text, read))


def test_pretty_json_in_a_jsonl_file_is_told_where_it_belongs() -> None:
    assert any("use .json" in error for error in errors_of('{\n "id": "a"\n}\n', jsonl_rows))


def test_rows_know_the_lines_of_their_keys() -> None:
    for read, text in (
        (json_rows, '[\n{"id": "a",\n "must": [\n{"x": 1}]},\n{"id": "b"}]'),
        (yaml_rows, "# first\n- id: a\n  must:\n    - x: 1\n- id: b"),
    ):
        first, second = read(text, "f")
        assert (first.line, second.line) == (2, 5)
        assert first.place("must", 0, "x") == "f:4"
        assert first.place("must", 0, "nothing") == "f:4"
        assert first.place("nothing") == "f:2"
        assert second.place() == "f:5"


@pytest.mark.parametrize(
    "name", ["cases.txt", "cases", "missing.jsonl", "empty.jsonl", "empty.yaml", "empty.csv", "empty.json", "none.json"]
)
def test_a_file_without_rows_is_an_error_never_an_empty_set(tmp_path: Path, name: str) -> None:
    if name != "missing.jsonl":
        (tmp_path / name).write_text({"none.json": "[]", "empty.csv": "id,task\n"}.get(name, "  \n"), "utf-8")
    with pytest.raises(InputError):
        read_rows(tmp_path / name)


def test_a_settings_file_is_one_object(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: x\nbudget: {usd: '1'}\n", "utf-8")
    (tmp_path / "b.yaml").write_text("- 1\n", "utf-8")
    assert read_document(tmp_path / "a.yaml").value == {"name": "x", "budget": {"usd": "1"}}
    with pytest.raises(InputError, match="expected one object"):
        read_document(tmp_path / "b.yaml")


@pytest.mark.parametrize("read", [read_rows, read_document])
def test_a_name_that_is_not_there_is_told_before_its_ending(read: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path / "nosuch")
    assert caught.value.what == "no such file or folder"
