"""The judge's mean set right by labels: the published formula, its ends, and no certainty from a handful of labels."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.predicted import predicted_mean

pairs = st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.floats(0, 1)), min_size=2, max_size=40)


def planted(n: int, agree: float, seed: int = 1) -> list[tuple[float, float]]:
    draw = random.Random(seed)
    labels = [float(draw.random() < 0.7) for _ in range(n)]
    return [(label, label if draw.random() < agree else 1.0 - label) for label in labels]


def test_on_many_labels_it_is_the_published_mean_and_variance() -> None:
    labelled, others = planted(4000, 0.9), planted(20000, 0.9, 2)
    found = predicted_mean(labelled, [(int(judge), 1) for _, judge in others], among=False)
    label, judge = np.array(labelled).T
    rest = np.array([judge for _, judge in others])
    weight = np.cov(label, judge)[0, 1] / np.var(judge, ddof=1) / (1 + 4000 / 20000)
    value = np.mean(label - weight * judge) + weight * rest.mean()
    error = np.sqrt(np.var(label - weight * judge) / 4000 + weight**2 * np.var(rest) / 20000)
    assert found.weight == pytest.approx(weight, abs=2e-3)
    assert found.value == pytest.approx(value, abs=2e-4)
    assert found.low is not None and found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.02)


def test_a_judge_that_tells_nothing_leaves_the_labels_alone() -> None:
    draw = random.Random(3)
    labelled = [(float(draw.random() < 0.7), 1.0 - float(draw.random() < 0.5)) for _ in range(200)]
    worse = [(label, 1.0 - label) for label, _ in labelled]
    found = predicted_mean(worse, [(1, 2)] * 300, among=False)
    assert found.weight == 0.0
    assert found.value == pytest.approx(found.people.value)


def test_full_agreement_on_few_labels_is_no_certainty() -> None:
    labelled = [(1.0, 1.0)] * 7 + [(0.0, 0.0)] * 3
    found = predicted_mean(labelled, [(70, 100)] * 100, among=False)
    assert found.value == pytest.approx(0.7, abs=0.01)
    assert found.low is not None and found.high is not None
    assert found.high - found.low > 0.3


def test_below_two_cases_there_is_no_interval_and_no_value() -> None:
    found = predicted_mean([(1.0, 1.0)] * 5, [(1, 2)] * 4, labelled_clusters=["a"] * 5)
    assert found.value is None and "two independent labelled cases" in (found.reason or "")
    assert predicted_mean([(1.0, 1.0), (0.0, 1.0)], []).reason == "no trial was judged: no case has a trial"


def test_labels_and_words_lie_within_the_limits() -> None:
    with pytest.raises(ValueError, match="within 0 to 1"):
        predicted_mean([(1.0, 3.0), (0.0, 1.0)], [(1, 1)])


@given(pairs, st.lists(st.integers(0, 3).map(lambda passed: (passed, 3)), min_size=1, max_size=20))
def test_bounds_lie_around_the_value_within_the_limits(labelled: list[tuple[float, float]], judged: list[tuple[int, int]]) -> None:
    found = predicted_mean(labelled, judged, among=False)
    assert found.value is not None and found.low is not None and found.high is not None
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert found.low < found.high
