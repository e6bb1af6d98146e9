"""Every planned slot is counted, and each result is counted once."""

import pytest

from fairtrial.records.errors import InputError
from fairtrial.records.grade import Scorecard
from fairtrial.records.run import Manifest, Planned, Run
from fairtrial.records.trial import FATES, Ending, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.study.codes import FAIL, PASS, UNKNOWN, verdict_of
from fairtrial.study.report import read_run
from fairtrial.study.table import Table
from tests.study.tables import card, head, one, results, run_of, table


def test_a_planned_trial_without_a_result_is_not_run() -> None:
    found = read_run(one({"a": "P--", "b": "FU-"})).setups["solo"]
    assert (found.planned, found.passed, found.fail, found.unknown, found.not_run) == (6, 1, 1, 1, 3)


def test_an_interrupted_trial_is_not_yet_run() -> None:
    made = one({"a": "P"}, lambda head, card: setattr(head, "ending", Ending.INTERRUPTED))
    found = read_run(made).setups["solo"]
    assert (found.not_run, found.passed, found.unknown) == (1, 0, 0)
    assert made.strays == 0


def test_a_result_without_a_planned_slot_is_in_no_figure_and_is_named() -> None:
    made = one({"a": "P"})
    made.fill([(head(TrialKey("b", "solo", 1), "P"), card("P")), (head(TrialKey("a", "solo", 2), "P"), card("P"))])
    made.fill([(head(TrialKey("a", "other", 1), "P"), card("P"))])
    report = read_run(made)
    assert report.setups["solo"].passed == 1
    assert "stored results without a planned slot of their own, in no figure: 3" in report.notes


def test_a_second_result_for_a_slot_is_not_counted_twice() -> None:
    made = one({"a": "P"})
    made.fill([(head(TrialKey("a", "solo", 1), "F"), card("F"))])
    found = read_run(made).setups["solo"]
    assert (found.passed, found.fail, made.strays) == (1, 0, 1)


def test_streamed_results_in_any_order_give_the_same_report() -> None:
    setups = {"x": {"a": "PFU", "b": "P-E"}, "y": {"a": "FFP", "b": "PPP"}}
    backwards = Table(run_of(setups))
    backwards.fill(reversed(list(results(setups).values())))
    one_way, other_way = read_run(table(setups)), read_run(backwards)
    assert one_way.setups == other_way.setups
    assert [case.verdicts for case in one_way.cases] == [case.verdicts for case in other_way.cases]


@pytest.mark.parametrize("ending", [ending for ending in Ending if FATES[ending].verdict is not None])
def test_an_ending_that_no_check_can_decide_never_passes(ending: Ending) -> None:
    trial = head(TrialKey("a", "x", 1), "P", ending=ending)
    expected = FAIL if FATES[ending].verdict is Verdict.FAIL else UNKNOWN
    assert verdict_of(trial, None) == expected
    assert verdict_of(trial, Scorecard(verdict=Verdict.PASS)) == expected


def test_a_finished_trial_without_grades_is_unknown_and_said_to_be_ungraded() -> None:
    made = Table.of(run_of({"solo": {"a": "P"}}), {TrialKey("a", "solo", 1): (head(TrialKey("a", "solo", 1), "P"), None)})
    report = read_run(made)
    assert report.setups["solo"].unknown == 1
    assert report.cases[0].unknown == [
        {"attempt": 1, "check": "ending: finished", "card": "outcome", "why": "no grader has decided", "excused": False}
    ]
    assert "solo: run trials that have not been graded yet: 1" in report.notes


@pytest.mark.parametrize(("came", "code"), [(Verdict.PASS, PASS), (Verdict.FAIL, FAIL), (None, UNKNOWN)])
def test_an_imported_trial_without_grades_keeps_the_verdict_it_came_with(came: Verdict | None, code: int) -> None:
    assert verdict_of(head(TrialKey("a", "x", 1), "P", imported=came), None) == code


def test_a_setup_must_be_named_where_there_are_several() -> None:
    two = table({"x": {"a": "P"}, "y": {"a": "P"}})
    with pytest.raises(InputError, match="several setups"):
        two.lane()
    with pytest.raises(InputError, match="no such setup"):
        two.lane("z")
    assert two.lane("y").setup == "y"
    assert one({"a": "P"}).lane().setup == "solo"


def test_without_details_no_grade_is_kept() -> None:
    lean = Table.of(run_of({"solo": {"a": "FU"}}), results({"solo": {"a": "FU"}}), details=False)
    report = read_run(lean)
    assert report.cases == []
    assert (report.setups["solo"].fail, report.setups["solo"].unknown) == (1, 1)
    assert not lean.lane().fail_grades


def test_attempts_that_lie_in_another_run_have_no_slot_and_the_others_keep_their_numbers() -> None:
    planned = (Planned("a", "team", 2, 1), Planned("b", "team", 3))
    manifest = Manifest(harness="h", grader="g", suite="s", suite_version="v", planned=planned)
    run = Run(id="r", started_ns=0, ended_ns=1, status="complete", manifest=manifest)
    keys = run.manifest.trial_keys()
    assert [(key.case, key.attempt) for key in keys] == [("a", 2), ("a", 3), ("b", 1), ("b", 2), ("b", 3)]
    found = Table(run)
    found.fill((head(TrialKey("a", "team", number), "P"), card("P")) for number in (1, 2, 3, 4))
    lane = found.lane("team")
    assert (found.strays, lane.passed, lane.planned) == (2, [2, 0], 5)
