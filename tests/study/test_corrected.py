"""Success rates with a judge's errors taken out."""

import math

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.records.corrected import Corrected
from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import TrialHead
from fairtrial.stats.interval import clustered_rate
from fairtrial.study.backing import Backing, backed, by_code
from fairtrial.study.calibration import Calibration, Errors, errors_of
from fairtrial.study.comparison import compare
from fairtrial.study.corrected import read_corrected, span_of
from fairtrial.study.lift import read_lift
from fairtrial.study.report import read_setup
from tests.study.judged import DAY, by_judge, errors, judged, label, sitting
from tests.study.tables import one, table

MANY = {f"c{n:02}": "PPF" if n % 2 else "PPP" for n in range(40)}


def rate(found: Corrected | None) -> tuple[float, float, float]:
    assert found is not None
    assert found.value is not None and found.low is not None and found.high is not None
    return found.value, found.low, found.high


def test_where_code_decides_nothing_is_corrected() -> None:
    assert read_setup(one(MANY).lane()).corrected is None


def test_a_judge_of_whom_nothing_is_known_is_counted_and_not_corrected() -> None:
    found = read_setup(judged({"solo": MANY}).lane()).corrected
    assert found is not None
    assert (found.value, found.by, found.known) == (None, "", False)
    assert (found.judged["solo"].trials, found.judged["solo"].of, found.judged["solo"].judges) == (120, 120, ["quality"])
    assert found.reason == "nobody has labelled enough of these trials, and no exam of the judge fits"


def test_rogan_and_gladen_by_hand() -> None:
    """raw .84, sensitivity .97, false passes .53 give .705 (Lee et al., arXiv 2511.21140)."""
    lane = judged({"solo": {f"c{n}": "P" if n < 84 else "F" for n in range(100)}}).lane()
    lane.calibration = Calibration(errors=errors(0.97, 0.47, 400))
    found = read_corrected(lane)
    value, low, high = rate(found)
    assert value == pytest.approx((0.84 - 0.53) / (0.97 - 0.53))
    assert low < value < high
    assert found is not None and (found.by, found.judged["solo"].examined) == ("exam", DAY)


def test_what_code_decided_needs_no_correction() -> None:
    lane = judged({"solo": {f"c{n}": "FP" for n in range(20)}}, {f"c{n}": 1 for n in range(20)}).lane()
    lane.calibration = Calibration(errors=errors(1.0, 0.5, 400))
    assert rate(read_corrected(lane))[0] == pytest.approx(0.5)  # every verdict of the judge was right by its sensitivity
    found = read_corrected(lane)
    assert found is not None and (found.judged["solo"].trials, found.judged["solo"].of) == (20, 40)


def test_people_who_fail_what_the_judge_passed_lower_the_rate_by_as_much() -> None:
    lane = judged({"solo": MANY}).lane()
    label(lane, {f"c{n:02}": "F" if n % 4 == 0 else "P" for n in range(20)})
    found = read_corrected(lane)
    raw = 100 / 120
    assert rate(found)[0] == pytest.approx(raw - 5 / 20)
    assert found is not None and (found.by, found.judged["solo"].labels, found.judged["solo"].label_cases) == ("labels", 20, 20)


def test_drawn_trials_that_nobody_settled_count_both_ways() -> None:
    """What people quarrel about is no random part of a draw: 20 settled labels that agree with the judge, 10 that are not settled."""
    lane = judged({"solo": MANY}).lane()
    label(lane, {f"c{n:02}": "P" for n in range(20)})
    settled = rate(read_corrected(lane))
    assert lane.calibration is not None
    unsettled = {row: [True] for row in range(20, 30)}
    lane.calibration = msgspec.structs.replace(lane.calibration, unsettled=unsettled)
    found = read_corrected(lane)
    value, low, high = rate(found)
    assert value == settled[0] and low < settled[1] - 0.2 and high >= settled[2]
    assert found is not None
    assert found.ways["prediction_powered"].method.endswith("10 drawn trials without a settled label counted both ways")


def test_labels_on_too_few_cases_leave_the_word_to_the_exam() -> None:
    lane = judged({"solo": MANY}).lane()
    label(lane, {f"c{n:02}": "F" for n in range(5)}, errors(0.95, 0.9))
    found = read_corrected(lane)
    assert found is not None and found.by == "exam" and found.ways["prediction_powered"].value is not None
    label(lane, {f"c{n:02}": "F" for n in range(5)})
    without = read_corrected(lane)
    assert without is not None and without.value is None
    assert without.reason.startswith("5 independent cases with a label of people, it takes 6 at the least")


def test_a_useless_judge_has_no_corrected_rate_and_the_reason_says_so() -> None:
    lane = judged({"solo": MANY}).lane()
    for useless in (errors(0.5, 0.5), errors(0.9, 0.1), errors(0.2, 0.3), errors(0.55, 0.55, 30)):
        lane.calibration = Calibration(errors=useless)
        found = read_corrected(lane)
        assert found is not None and found.value is None and found.known
        assert "its verdicts tell nothing" in found.reason


@settings(max_examples=60)
@given(
    letters=st.lists(st.text("PFU-", min_size=1, max_size=4), min_size=1, max_size=12),
    labels=st.lists(st.text("PF-", min_size=1, max_size=4), max_size=12),
    shares=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    n=st.integers(2, 500),
)
def test_a_corrected_rate_lies_within_0_and_1_or_is_none_with_a_reason(
    letters: list[str], labels: list[str], shares: tuple[float, float], n: int
) -> None:
    lane = judged({"solo": {f"c{place}": told for place, told in enumerate(letters)}}).lane()
    label(lane, {f"c{place}": told for place, told in enumerate(labels)}, errors(*shares, n))
    found = read_corrected(lane)
    if found is None:
        return
    ways = [(way.value, way.low, way.high, way.reason) for way in found.ways.values()]
    for value, low, high, reason in [(found.value, found.low, found.high, found.reason), *ways]:
        if value is None:
            assert reason
        else:
            assert low is not None and high is not None
            assert 0.0 <= low <= value <= high <= 1.0


@settings(max_examples=40)
@given(letters=st.lists(st.text("PF", min_size=1, max_size=4), min_size=6, max_size=15))
def test_a_judge_that_is_always_right_leaves_the_rate_as_it_is_and_the_interval_no_narrower(letters: list[str]) -> None:
    cases = {f"c{place}": told for place, told in enumerate(letters)}
    lane = judged({"solo": cases}).lane()
    raw = span_of(clustered_rate(lane.passes(), 0.95, None, "widen"))
    assert raw is not None
    for exam, labels in ((errors(1.0, 1.0), {}), (None, cases)):
        label(lane, labels, exam)
        value, low, high = rate(read_corrected(lane))
        assert value == pytest.approx(raw.value)
        assert low <= raw.low + 1e-9 and high >= raw.high - 1e-9


def test_a_report_names_both_ways() -> None:
    lane = judged({"solo": MANY}).lane()
    label(lane, {f"c{n:02}": "P" for n in range(20)}, errors(0.95, 0.9))
    found = read_corrected(lane)
    assert found is not None and sorted(found.ways) == ["prediction_powered", "rogan_gladen"]
    assert found.value == found.ways["prediction_powered"].value


def test_a_judge_more_lenient_with_one_side_cannot_make_it_better() -> None:
    """A judge reports +17 points where the truth is nothing: people's labels of both sides show it."""
    base, new = {f"c{n:02}": "PF" for n in range(40)}, {f"c{n:02}": "PP" if n % 3 else "PF" for n in range(40)}
    told = judged({"base": base, "new": new})
    plain = compare(told, "base", told, "new")
    assert plain.verdict == "cannot_tell" and plain.p_value is not None and plain.p_value < 0.001
    assert "trials that rest on a judge (quality): 80 of 80 of base, 80 of 80 of new" in plain.says
    label(told.lanes["base"], {f"c{n:02}": "PF" for n in range(30)})
    label(told.lanes["new"], {f"c{n:02}": "PF" for n in range(30)})
    found = compare(told, "base", told, "new")
    assert found.difference == plain.difference
    assert found.corrected is not None and found.corrected.value == pytest.approx(0.0, abs=0.02)
    assert found.verdict == "cannot_tell"
    assert "what the judge's verdicts show is not shown once its errors are reckoned with" in found.says
    assert "label more of these trials" in found.next


def test_labels_that_agree_leave_the_verdict() -> None:
    told = judged({"base": {f"c{n:02}": "F" for n in range(60)}, "new": {f"c{n:02}": "P" for n in range(60)}})
    for name, letter in (("base", "F"), ("new", "P")):
        label(told.lanes[name], {f"c{n:02}": letter for n in range(60)})
    found = compare(told, "base", told, "new")
    assert found.verdict == "better"
    assert found.corrected is not None and found.corrected.low is not None and found.corrected.low > 0.8


def test_one_exam_for_both_sides_moves_both_alike() -> None:
    told = judged({"base": {f"c{n:02}": "PF" for n in range(40)}, "new": {f"c{n:02}": "PP" for n in range(40)}})
    for lane in told.lanes.values():
        lane.calibration = Calibration(errors=errors(0.9, 0.85, 1000))
    found = compare(told, "base", told, "new")
    assert found.corrected is not None and found.corrected.value == pytest.approx(0.5 / 0.75)
    assert found.corrected.low is not None and found.corrected.low > 0
    assert found.verdict == "cannot_tell"
    assert "without labels of people on both its verdicts alone tell no difference" in found.says
    assert found.next.startswith("have people label trials of both sides")


def test_a_useless_exam_takes_the_verdict_away() -> None:
    told = judged({"base": {f"c{n:02}": "PF" for n in range(40)}, "new": {f"c{n:02}": "PP" for n in range(40)}})
    for lane in told.lanes.values():
        lane.calibration = Calibration(errors=errors(0.5, 0.5))
    assert compare(told, "base", told, "new").verdict == "cannot_tell"


@given(
    said=st.sampled_from(["better", "worse", "not_worse", "cannot_tell", "invalid"]),
    ends=st.lists(st.floats(-1, 1), min_size=2, max_size=2).map(sorted),
    by=st.sampled_from(["", "labels", "exam"]),
)
def test_a_correction_claims_nothing_that_the_verdicts_do_not(said: str, ends: list[float], by: str) -> None:
    found = Corrected(value=sum(ends) / 2, low=ends[0], high=ends[1], by=by, judged={})
    assert backed(said, Backing(found), 0.05) in (said, "cannot_tell")
    assert backed(said, Backing(), 0.05) == said
    if by != "labels" and said != "invalid":
        assert backed(said, Backing(found), 0.05) == "cannot_tell"


def test_the_errors_of_an_exam_are_read_with_their_effective_number() -> None:
    found = errors_of(sitting(), DAY)
    assert found is not None and found.sensitivity.value == 0.9
    low, high = found.sensitivity.bounds(0.95)
    assert high - low == pytest.approx(0.1191, abs=1e-3)  # narrower than 100 samples could have it: they count as 100
    assert found.sensitivity.size == found.sensitivity.n == 100
    wide = {"value": 0.9, "low": 0.6, "high": 0.98, "n": 100}
    clustered = errors_of(sitting(figures={"positive": "PASS", "recall": wide, "specificity": wide}), DAY)
    assert clustered is not None and clustered.specificity.size < 20


def test_of_an_exam_that_is_about_failures_the_two_shares_change_places() -> None:
    share = {"value": 0.7, "low": 0.45, "high": 0.85, "n": 20}
    found = errors_of(sitting(figures=sitting().figures | {"positive": "FAIL", "recall": share}), DAY)
    assert found is not None and (found.sensitivity.value, found.specificity.value) == (0.9, 0.7)
    assert errors_of(sitting(figures=sitting().figures | {"positive": None}), DAY) is None


def test_replies_that_are_no_verdict_are_no_error_of_those_that_are() -> None:
    share = {"value": 0.95, "low": 0.9, "high": 0.98, "n": 90}
    under = {"drop": {"recall": share, "specificity": share}}
    found = errors_of(sitting(figures=sitting().figures | {"under": under}), DAY)
    assert found is not None and found.sensitivity.value == 0.95


@pytest.mark.parametrize(
    "told", [None, 0.9, {"value": 0.9}, {"value": 0.9, "low": 0.95, "high": 1.0}, {"value": math.nan, "low": 0.1, "high": 0.9}]
)
def test_an_exam_without_intervals_tells_no_errors(told: object) -> None:
    assert errors_of(sitting(figures={"positive": "PASS", "recall": told, "specificity": told}), DAY) is None


def test_a_team_that_a_lenient_judge_prefers_does_not_earn_its_cost_and_is_not_written_off_either() -> None:
    single, team = {f"c{n:02}": "PF" for n in range(40)}, {f"c{n:02}": "PP" if n % 3 else "PF" for n in range(40)}
    told = judged({"single": single, "team": team})
    assert read_lift(told).differences[0]["verdict"] == "cannot_tell"
    for name in ("single", "team"):
        label(told.lanes[name], {f"c{n:02}": "PF" for n in range(30)})
    found = read_lift(told)
    assert found.verdict == "cannot_tell" and found.advice == "cannot_tell"
    assert found.rows[-1].corrected is not None and found.rows[-1].corrected.by == "labels"
    assert "once its errors are reckoned with" in found.says


def test_a_team_that_only_the_verdicts_hold_level_is_not_said_to_be_beaten() -> None:
    """The judge fails of the team what people pass."""
    same = {f"c{n:02}": "PF" for n in range(40)}
    told = judged({"single": same, "team": same})
    for name, letters in (("single", "PF"), ("team", "PP")):
        label(told.lanes[name], {f"c{n:02}": letters for n in range(30)})
    found = read_lift(told)
    assert found.verdict == "cannot_tell"


def test_without_labels_a_judge_takes_claims_away_and_makes_none() -> None:
    """Worse and not worse as little as better, whether the judge was examined or not."""
    low, high = {f"c{n:02}": "PF" for n in range(40)}, {f"c{n:02}": "PP" for n in range(40)}
    for base, new, margin in ((low, high, None), (high, low, None), (high, high, 0.2)):
        told = judged({"base": base, "new": new})
        for exam in (None, errors(0.95, 0.95, 5000)):
            for lane in told.lanes.values():
                lane.calibration = Calibration(errors=exam)
            found = compare(told, "base", told, "new", margin=margin)
            assert (found.verdict, found.withdrawn) == ("cannot_tell", True)


@pytest.mark.parametrize("exam", [None, errors(0.95, 0.95, 5000)])
def test_what_code_shows_as_well_is_claimed(exam: Errors | None) -> None:
    """Code failed the first of two trials of every case of the base; the judge decided all others."""
    base, new = {f"c{n:02}": "FP" for n in range(40)}, {f"c{n:02}": "PP" if n else "FP" for n in range(40)}

    def change(head: TrialHead, card: Scorecard) -> None:
        if head.key.setup == "new" or head.key.attempt > 1:
            by_judge(head, card)

    told = table({"base": base, "new": new}, change)
    for lane in told.lanes.values():
        lane.calibration = Calibration(errors=exam)
    found = compare(told, "base", told, "new")
    assert found.corrected is not None and found.corrected.ways["code"].value == pytest.approx(0.5)
    assert found.verdict == "better"
    assert "by code alone the difference is +50 points" in found.says
    assert compare(told, "new", told, "base").verdict == "worse"
    assert compare(told, "base", told, "new", margin=0.05).verdict == "better"


def test_by_code_alone_what_only_a_judge_failed_has_passed_and_the_trials_stay_as_they_are() -> None:
    lane = judged({"solo": {"c1": "FPU-", "c2": "FFPP"}}, {"c2": 1}).lane()
    seen = by_code(lane)
    assert (seen.passed, seen.failed, seen.unknown) == ([2, 3], [0, 1], lane.unknown)
    assert seen.sums().planned == lane.sums().planned == 8
    assert (lane.passed, lane.failed) == ([1, 2], [1, 2])


def test_a_team_is_not_written_off_on_a_judge_alone() -> None:
    """The judge passes less of the team; without labels that is nothing to advise on."""
    single, team = {f"c{n:02}": "PP" for n in range(40)}, {f"c{n:02}": "PF" for n in range(40)}
    found = read_lift(judged({"single": single, "team": team}))
    assert (found.verdict, found.advice) == ("cannot_tell", "cannot_tell")
    assert found.routing is not None and found.routing.state == "blocked"


@pytest.mark.parametrize("judge", ["P", "F"])
@pytest.mark.parametrize("people", ["P", "F"])
@pytest.mark.parametrize(("cases", "labels"), [(6, 1), (6, 6), (20, 6), (60, 60)])
def test_no_corrected_interval_has_zero_width(judge: str, people: str, cases: int, labels: int) -> None:
    lane = judged({"s": {f"c{n}": judge for n in range(cases)}}).lanes["s"]
    label(lane, {f"c{n}": people for n in range(labels)})
    found = read_corrected(lane)
    assert found is not None
    way = found.ways["prediction_powered"]
    assert way.low is not None and way.high is not None and way.low < way.high
