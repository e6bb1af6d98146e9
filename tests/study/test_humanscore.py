"""People's score of a setup: what it may stand for, and that what is not known counts both ways."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.review import SETTLED
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.study.humanscore import People, bounded, difference, people_of, read_score
from fairtrial.study.lane import Lane
from fairtrial.study.settled import Settled
from tests.study.tables import one, table

CASES = {f"c{n:02}": "PP" for n in range(20)}


def keys(cases: Mapping[str, str] = CASES, setup: str = "solo") -> list[TrialKey]:
    return [TrialKey(case, setup, n) for case, letters in cases.items() for n in range(1, len(letters) + 1)]


def labels(found: Mapping[TrialKey, float]) -> dict[TrialKey, Settled]:
    return {
        key: Settled(state=SETTLED, people=2, score=score, label=Verdict.PASS if score > 3 else Verdict.FAIL)
        for key, score in found.items()
    }


def lane_of(cases: Mapping[str, str] = CASES) -> Lane:
    return one(cases).lanes["solo"]


def score(found: Mapping[TrialKey, float], sampled: list[TrialKey] | None = None, cases: Mapping[str, str] = CASES) -> tuple[People, Lane]:
    lane = lane_of(cases)
    sound = [key for key in keys(cases) if cases[key.case][key.attempt - 1] not in "E-"]
    return people_of(lane, labels(found), sampled or [], sound), lane


def test_where_every_trial_is_settled_the_score_stands_for_all_and_is_the_mean_over_cases() -> None:
    found = read_score(*score({key: 5.0 if key.case < "c10" else 1.0 for key in keys()}))
    assert (found.basis, found.value, found.n, found.of, found.cases) == ("all", 3.0, 40, 40, 20)
    assert found.low is not None and found.high is not None and found.low < 3.0 < found.high


def test_chosen_trials_have_a_mean_and_no_interval() -> None:
    found = read_score(*score({key: 1.0 for key in keys()[:6]}))
    assert (found.basis, found.value, found.low, found.n, found.reviewed) == ("chosen", 1.0, None, 6, 6)
    assert "chosen for a reason" in found.reason


def test_a_draw_stands_alone_whatever_was_chosen_beside_it() -> None:
    drawn = keys()[20:]
    found = read_score(*score({key: 5.0 for key in drawn} | {key: 1.0 for key in keys()[:10]}, drawn))
    assert (found.basis, found.value, found.n, found.of, found.reviewed) == ("sample", 5.0, 20, 20, 30)


def test_a_label_of_unknown_leaves_its_trial_open() -> None:
    lane = lane_of()
    settled = labels({key: 5.0 for key in keys()[1:]}) | {keys()[0]: Settled(state=SETTLED, people=2, label=Verdict.UNKNOWN)}
    found = read_score(people_of(lane, settled, keys(), keys()), lane)
    assert (found.basis, found.n, found.of) == ("sample", 39, 40)


def test_trials_that_were_spoilt_or_not_run_count_both_ways() -> None:
    cases = {case: "PE" for case in CASES}
    sound = [key for key in keys(cases) if key.attempt == 1]
    people, lane = score({key: 5.0 for key in sound}, sound, cases)
    found = bounded(people, lane, range(20), 0.9)
    assert found.value == 5.0
    assert found.low is not None and found.low < 3.0


@given(st.lists(st.sampled_from([None, 1.0, 2.5, 4.0, 5.0]), min_size=8, max_size=8))
def test_what_is_open_never_narrows_the_bounds(scores: list[float | None]) -> None:
    drawn = keys()[:8]
    known = {key: score for key, score in zip(drawn, scores, strict=True) if score is not None}
    people, lane = score(known, drawn)
    partly = bounded(people, lane, range(20), 0.9)
    if not known:
        return
    for filler in (1.0, 3.0, 5.0):
        whole = bounded(*score({key: known.get(key, filler) for key in drawn}, drawn), range(20), 0.9)
        assert partly.low is not None and whole.low is not None and partly.high is not None and whole.high is not None
        assert partly.low <= whole.low + 1e-9 and partly.high >= whole.high - 1e-9


def test_sides_are_paired_case_by_case() -> None:
    found = table({"old": CASES, "new": CASES})
    base = people_of(found.lanes["old"], labels({key: 3.0 for key in keys(setup="old")}), [], keys(setup="old"))
    new = people_of(found.lanes["new"], labels({key: 4.0 for key in keys(setup="new")}), [], keys(setup="new"))
    rows = list(range(20)), list(range(20))
    apart = difference(((base, found.lanes["old"]), (new, found.lanes["new"])), rows, 0.9)
    assert apart.cases == 20
    assert apart.value == pytest.approx(1.0)
    assert apart.low is not None and apart.low > 0.0
    none = difference(((base, found.lanes["old"]), (new, found.lanes["new"])), ([], []), 0.9)
    assert (none.value, none.low, bool(none.reason)) == (None, None, True)
