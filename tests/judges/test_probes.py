"""Other forms of one question: each changes one thing, says nothing new, and cannot be mistaken for the first in the cache."""

from decimal import Decimal
from typing import Any

import pytest

from fairtrial.judges.probes import PADDING, PROBES
from fairtrial.judges.question import instructions, parts_of
from fairtrial.records.opinion import Matter
from fairtrial.records.rubric import Dimension, Rubric

RUBRIC = Rubric(
    name="r",
    dimensions={"a": Dimension(weight=Decimal("0.6")), "b": Dimension(weight=Decimal("0.4"))},
    passes=Decimal("3.0"),
    evidence=("output", "tools"),
    hash="sha256:r",
)


def matter(output: Any) -> Matter:
    return Matter(task="t", reference="ref", parts={"output": output, "tools": []})


def test_evidence_and_dimensions_come_in_the_opposite_order() -> None:
    rubric, same = PROBES["position"](RUBRIC, matter("x")) or (RUBRIC, None)
    assert [part.name for part in parts_of(rubric, matter("x"))] == ["task", "reference", "tools", "output"]
    assert list(rubric.dimensions) == ["b", "a"] and same == matter("x")
    assert rubric.hash != RUBRIC.hash


@pytest.mark.parametrize("output", ["Yes. It is.", {"answer": "Yes. It is.", "ok": True}])
def test_a_padded_answer_holds_the_answer_and_is_longer(output: Any) -> None:
    rubric, padded = PROBES["length"](RUBRIC, matter(output)) or (RUBRIC, matter(""))
    text = padded.parts["output"] if isinstance(output, str) else padded.parts["output"]["answer"]
    assert text.startswith("Yes. It is.") and PADDING in text and len(text) >= 3 * len("Yes. It is.")
    assert rubric == RUBRIC


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        ("One. Two!", "- One.\n- Two!"),
        ("- One.\n- Two!", "One.\nTwo!"),
        ({"a": 1, "b": "x"}, "- **a**: 1\n- **b**: x"),
        ([1, "x"], "- 1\n- x"),
    ],
)
def test_the_layout_changes_and_no_word_of_it(output: Any, shown: str) -> None:
    _, changed = PROBES["format"](RUBRIC, matter(output)) or (RUBRIC, matter(""))
    assert changed.parts["output"] == shown


@pytest.mark.parametrize("probe", ["length", "format"])
@pytest.mark.parametrize("output", [None, "", {}, 7])
def test_where_there_is_nothing_to_change_nothing_is_asked(probe: str, output: Any) -> None:
    assert PROBES[probe](RUBRIC, matter(output)) is None


def test_the_scale_has_other_numbers_and_its_bar_at_the_same_place() -> None:
    rubric, _ = PROBES["labels"](RUBRIC, matter("x")) or (RUBRIC, None)
    assert [*rubric.scale, rubric.passes] == [0, 100, 50]
    assert "from 0 (worst) to 100 (best)" in instructions(rubric)
    back, _ = PROBES["labels"](rubric, matter("x")) or (RUBRIC, None)
    assert [*back.scale, back.passes] == [1, 5, 3]
