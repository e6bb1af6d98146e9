"""Rubrics: those that come along, what may be written, and what is said of every slip, with its line."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.rubric import KEYS, RUBRICS, read_rubric, rubric_hash
from fairtrial.cases.schema import schema
from fairtrial.records.errors import FairtrialError
from fairtrial.records.grade import DIMENSIONS
from fairtrial.records.rubric import EVIDENCE, RESERVED, Rubric, share

CONTRACT = """
dimensions: {correctness: {weight: "0.5", asks: "Right?"}, groundedness: {weight: "0.35"}, card_usage: {weight: "0.15"}}
scale: [1, 5]
pass: "3.0"
evidence: [output, trace, tools, state]
reference: true
card: outcome
"""
ONE = "dimensions: {quality: {weight: 1}}\n"


def read(folder: Path, text: str) -> Rubric:
    (folder / "rubric.yaml").write_text(text, encoding="utf-8")
    return read_rubric("rubric.yaml", str(folder))


def refused(folder: Path, text: str) -> str:
    with pytest.raises(FairtrialError) as told:
        read(folder, text)
    return str(told.value)


def test_the_rubric_of_the_contract_is_read_as_it_stands(tmp_path: Path) -> None:
    found = read(tmp_path, CONTRACT)
    assert [(name, one.weight) for name, one in found.dimensions.items()] == [
        ("correctness", Decimal("0.5")),
        ("groundedness", Decimal("0.35")),
        ("card_usage", Decimal("0.15")),
    ]
    assert (found.name, found.scale, found.passes, found.evidence) == ("rubric", (Decimal(1), Decimal(5)), Decimal("3.0"), EVIDENCE)
    assert (found.reference, found.card, found.notes) == (True, "outcome", False)
    assert found.dimensions["correctness"].asks == "Right?"


def test_dialogue_weighs_as_the_labels_of_checks_do_and_passes_at_three() -> None:
    found = read_rubric("dialogue")
    assert {name: float(one.weight) for name, one in found.dimensions.items()} == DIMENSIONS
    assert (found.scale, found.passes, found.reference, found.evidence) == ((Decimal(1), Decimal(5)), Decimal(3), True, EVIDENCE)
    assert all(one.asks for one in found.dimensions.values())


def test_trace_marks_four_sides_from_0_to_1_with_notes() -> None:
    found = read_rubric("trace")
    assert list(found.dimensions) == ["reasoning_coherence", "tool_usage_quality", "error_handling", "output_quality"]
    assert (found.scale, found.passes, found.notes) == ((Decimal(0), Decimal(1)), Decimal("0.6"), True)
    assert found.hash != read_rubric("dialogue").hash


@pytest.mark.parametrize("name", RUBRICS)
def test_the_rubrics_that_come_along_keep_to_the_schema(name: str) -> None:
    assert read_rubric(name, "/nowhere").hash.startswith("sha256:")
    assert set(schema("rubric")["properties"]) == set(KEYS)


def test_where_no_bar_is_written_the_middle_of_the_scale_passes(tmp_path: Path) -> None:
    assert read(tmp_path, ONE).passes == 3
    assert read(tmp_path, ONE + "scale: [0, 1]\n").passes == Decimal("0.5")
    assert read(tmp_path, ONE + "scale: [0, 10]\n").passes == 5


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("scale: [1, 5]\n", 1, "a rubric needs dimensions"),
        ("dimensions: [correctness]\n", 1, "a rubric needs dimensions"),
        ("dimensions:\n  a: {weight: '0.5'}\n  b: {weight: '0.4'}\n", 1, "add up to 0.9, not to 1"),
        ("dimensions:\n  a: {asks: x}\n", 2, "'a' has no weight"),
        ("dimensions:\n  a: {weight: 0}\n  b: {weight: 1}\n", 2, "above 0"),
        ("dimensions:\n  a: {weight: true}\n", 2, "not a number"),
        ("dimensions:\n  a: {weight: '.nan'}\n", 2, "not a number"),
        ("dimensions:\n  a: {weight: 1, weigth: 1}\n", 2, "did you mean 'weight'"),
        ("dimensions:\n  a: {weight: 1, asks: 7}\n", 2, "not text"),
        ("dimensions:\n  a: 1\n", 2, "a dimension is an object"),
        ("dimensions:\n  pass: {weight: 1}\n", 2, "means something else"),
        ("dimensions:\n  score: {weight: '0.5'}\n  b: {weight: '0.5'}\n", 2, "means something else"),
        ('dimensions:\n  "a\\"b": {weight: 1}\n', 2, "cannot name a dimension"),
        (ONE + "scale: [5, 1]\n", 2, "from its worst mark up to its best"),
        (ONE + "scale: [1, 1]\n", 2, "from its worst mark up to its best"),
        (ONE + "scale: 5\n", 2, "a scale is two numbers"),
        (ONE + "scale: [1, high]\n", 2, "not a number"),
        (ONE + "pass: 6\n", 2, "a bar lies above 1 and is at most 5"),
        (ONE + "pass: 1\n", 2, "a bar lies above 1 and is at most 5"),
        (ONE + "pass: true\n", 2, "not a number"),
        (ONE + "pass: 3.0000000000000000000001\n", 2, "cannot be kept exactly"),
        (ONE + "pass: '3.0000000000000000000001'\n", 2, "more digits"),
        (ONE + "evidence: []\n", 2, "a list of what a judge may see"),
        (ONE + "evidence: [output, trase]\n", 2, "did you mean 'trace'"),
        (ONE + "evidence: [output, output]\n", 2, "stands here twice"),
        (ONE + "reference: 'yes'\n", 2, "true or false"),
        (ONE + "card: outcom\n", 2, "did you mean 'outcome'"),
        (ONE + "dimension: {}\n", 2, "did you mean 'dimensions'"),
        ("- a\n", 1, "object"),
    ],
)
def test_a_slip_is_an_error_with_its_line_and_the_mend(tmp_path: Path, text: str, line: int, words: str) -> None:
    told = refused(tmp_path, text)
    assert words in told
    assert f"rubric.yaml:{line}" in told or text.startswith("- ")


def test_every_slip_is_told_at_once(tmp_path: Path) -> None:
    told = refused(tmp_path, "dimensions: {a: {weight: x}}\nscale: [1]\ncard: none\nreference: 1\n")
    assert all(f"rubric.yaml:{line}" in told for line in (1, 2, 3, 4))


def test_a_rubric_that_is_not_there_names_the_nearest() -> None:
    with pytest.raises(FairtrialError, match="did you mean 'dialogue'"):
        read_rubric("dialog")


def test_the_hash_tells_instruments_apart_and_not_their_names_or_spellings(tmp_path: Path) -> None:
    base = read(tmp_path, CONTRACT)
    assert read(tmp_path, CONTRACT.replace('"3.0"', "3")).hash == base.hash
    (tmp_path / "other.json").write_text(
        '{"dimensions": {"correctness": {"weight": "0.50", "asks": "Right?"}, "groundedness": {"weight": 0.35},'
        ' "card_usage": {"weight": 0.15}}}'
    )
    assert read_rubric("other.json", str(tmp_path)).hash == base.hash
    for old, new in (
        ("Right?", "Wrong?"),
        ('"3.0"', '"3.1"'),
        ("[1, 5]", "[0, 5]"),
        (", state", ""),
        ("true", "false"),
        ("outcome", "process"),
    ):
        assert read(tmp_path, CONTRACT.replace(old, new)).hash != base.hash, old
    assert rubric_hash(base) == base.hash


def test_words_of_a_reply_name_no_dimension_but_score_where_it_is_alone(tmp_path: Path) -> None:
    for word in sorted(RESERVED - {"score"}):
        assert "means something else" in refused(tmp_path, f"dimensions: {{{word}: {{weight: 1}}}}\n")
    assert list(read(tmp_path, "dimensions: {score: {weight: 1}}\n").dimensions) == ["score"]


@given(st.decimals(0, 1, places=3), st.decimals(-100, 100, places=2), st.decimals("0.01", 100, places=2))
def test_shares_run_from_the_worst_end_to_the_best(part: Decimal, low: Decimal, span: Decimal) -> None:
    assert abs(share(low + part * span, (low, low + span)) - part) < Decimal("1e-20")
