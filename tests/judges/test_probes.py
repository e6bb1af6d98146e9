"""Other forms of one question: each changes one thing, says nothing new, and cannot be mistaken for the first in the cache."""

from decimal import Decimal
from typing import Any

import pytest

from fairtrial.judges.judge import Judge
from fairtrial.judges.probes import PADDING, PROBES
from fairtrial.judges.question import instructions, parts_of, wanted
from fairtrial.models.model import Message
from fairtrial.records.opinion import Matter
from fairtrial.records.rubric import Dimension, Rubric
from fairtrial.records.verdict import Verdict
from tests.judges.asked import model, nonce_of

RUBRIC = Rubric(
    name="r",
    dimensions={"a": Dimension(weight=Decimal("0.6")), "b": Dimension(weight=Decimal("0.4"))},
    passes=Decimal("3.5"),
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


def test_the_ends_of_the_scale_are_swapped_and_the_question_says_so() -> None:
    rubric, same = PROBES["labels"](RUBRIC, matter("x")) or (RUBRIC, None)
    assert same == matter("x") and rubric.hash != RUBRIC.hash
    told = instructions(rubric) + wanted(rubric, "n0")
    assert "from 1 (best) to 5 (worst)" in told and told.count("2.5 or less") == 2 and "or more" not in told
    assert "from 1 (worst) to 5 (best)" in instructions(RUBRIC) and "3.5 or more" in instructions(RUBRIC)


def test_a_judge_that_follows_the_labels_does_not_flip_and_one_that_goes_by_the_number_does() -> None:
    def marking(follow: bool) -> Verdict:
        def act(messages: list[Message]) -> dict[str, Any]:
            turned = "1 (best)" in messages[0]["content"] and follow
            return {"nonce": nonce_of(messages), "a": 1 if turned else 5, "b": 2 if turned else 4}

        rubric, same = PROBES["labels"](RUBRIC, matter("x")) or (RUBRIC, matter(""))
        return Judge("j", rubric, [model(act)]).opinion(same).verdict

    assert (marking(follow=True), marking(follow=False)) == (Verdict.PASS, Verdict.FAIL)


def test_the_scale_has_other_numbers_and_its_bar_at_the_same_place() -> None:
    rubric, _ = PROBES["numbers"](RUBRIC, matter("x")) or (RUBRIC, None)
    assert [*rubric.scale, rubric.passes] == [0, 100, 62.5]
    assert "from 0 (worst) to 100 (best)" in instructions(rubric)
    back, _ = PROBES["numbers"](rubric, matter("x")) or (RUBRIC, None)
    assert [*back.scale, back.passes] == [1, 5, 3.5]
