"""Every tier is held to its own standard; a conversation's score is weighed from labelled checks, and what is unknown stays open."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.grade import Grade, Scorecard
from fairtrial.records.report import TierReport
from fairtrial.records.run import CaseInfo
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.trial import Ending, TrialHead
from fairtrial.records.verdict import Verdict
from fairtrial.study.lift import read_lift
from fairtrial.study.marks import marks_of, weighted
from fairtrial.study.report import read_run
from fairtrial.study.table import Table
from fairtrial.study.tiers import STANDARDS, read_tiers
from tests.study.tables import info, table

Scores = dict[str, tuple[str, str, str]]
LETTERS = {"P": Verdict.PASS, "F": Verdict.FAIL, "U": Verdict.UNKNOWN}


def marked(correctness: str, groundedness: str, card_usage: str, **more: Any) -> Scorecard:
    """A card whose labelled checks have the verdicts of the letters; x is an excused UNKNOWN."""
    by_name = {"correctness": correctness, "groundedness": groundedness, "card_usage": card_usage}
    grades = [
        Grade(check=f"{name} {n}", card="outcome", verdict=LETTERS[letter.upper().replace("X", "U")], excused=letter == "x", dimension=name)
        for name, letters in by_name.items()
        for n, letter in enumerate(letters)
    ]
    return Scorecard(verdict=Verdict.PASS, grades=grades, **more)


@pytest.mark.parametrize(
    ("letters", "score"),
    [
        (("PP", "P", "P"), 5.0),
        (("F", "F", "F"), 1.0),
        (("PF", "P", "P"), 4.0),
        (("P", "F", "P"), 3.6),
        (("P", "P", "F"), 4.4),
        (("F", "P", "P"), 3.0),
        (("F", "P", "F"), 2.4),
        (("Px", "P", "P"), 5.0),
    ],
)
def test_the_score_is_weighed_as_the_article_weighs_it(letters: tuple[str, str, str], score: float) -> None:
    marks = marks_of(Ending.FINISHED, marked(*letters))
    assert marks is not None and weighted(marks) == pytest.approx(score)
    assert (weighted(marks) >= 3.0) == (score >= 3.0)


verdicts = st.text(alphabet="PF", min_size=1, max_size=6)


@given(verdicts, verdicts, verdicts)
def test_every_score_is_from_one_to_five_and_mending_a_check_never_lowers_it(a: str, b: str, c: str) -> None:
    marks = marks_of(Ending.FINISHED, marked(a, b, c))
    mended = marks_of(Ending.FINISHED, marked(a.replace("F", "P", 1), b, c))
    assert marks is not None and mended is not None
    assert 1.0 <= weighted(marks) <= weighted(mended) <= 5.0


@pytest.mark.parametrize("letters", [("P", "P", ""), ("PU", "P", "P"), ("x", "P", "P")])
def test_a_dimension_without_a_decided_check_leaves_the_trial_without_a_score(letters: tuple[str, str, str]) -> None:
    assert marks_of(Ending.FINISHED, marked(*letters)) is None


def test_a_trial_that_gave_no_answer_by_its_own_fault_has_the_lowest_score_and_one_of_ours_has_none() -> None:
    assert marks_of(Ending.TIMEOUT, marked("U", "U", "U")) == (1.0, 1.0, 1.0)
    assert marks_of(Ending.WORKER_LOST, marked("P", "P", "P")) is None


def tiered(setups: dict[str, dict[str, str]], tiers: dict[str, str], scores: Scores | None = None, **fields: Any) -> Table:
    """A table whose cases have these tiers; `scores` are the letters of a case's labelled checks."""

    def mark(head: TrialHead, card: Scorecard) -> None:
        if head.key.case in (scores or {}):
            card.grades = [*card.grades, *marked(*(scores or {})[head.key.case]).grades]

    infos: dict[str, CaseInfo] = {case: info(case, tier=tier, tags=(case[0],)) for case, tier in tiers.items()}
    return table(setups, mark, infos=infos, **fields)


def row(found: Table, tier: str, setup: str) -> TierReport:
    return next(one for one in read_tiers(found) if (one.tier, one.setup) == (tier, setup))


@pytest.mark.parametrize(
    ("letters", "state"), [("PPP", "holds"), ("PFP", "fails"), ("PUP", "open"), ("P-P", "open"), ("PUF", "fails"), ("PEP", "open")]
)
@pytest.mark.parametrize("tier", ["unit", "agent"])
def test_functions_and_roles_pass_at_every_trial(tier: str, letters: str, state: str) -> None:
    found = row(tiered({"solo": {"a": letters, "b": "P"}}, {"a": tier, "b": tier}), tier, "solo")
    assert (found.state, found.planned, found.standard) == (state, 4, "every trial passes")
    assert found.planned == found.passed + found.fail + found.unknown + found.not_run
    assert bool(found.why) == (state != "holds")


@pytest.mark.parametrize(
    ("scores", "letters", "state", "why"),
    [
        ({"a": ("P", "P", "P"), "b": ("F", "P", "P")}, "PF", "holds", ""),
        ({"a": ("P", "P", "P"), "b": ("F", "P", "F")}, "PF", "fails", "below 3.0: b"),
        ({"a": ("P", "P", "P")}, "PP", "open", "1 of 2 trials have a score"),
        ({}, "PF", "open", "no trial has a score"),
        ({"a": ("P", "P", "P"), "b": ("P", "P", "P")}, "P-", "open", "1 of 2 trials have a score"),
        ({"a": ("P", "P", "P"), "b": ("U", "P", "P")}, "PP", "open", "1 of 2 trials have a score"),
    ],
)
def test_the_whole_path_has_a_score_of_three_in_every_case(scores: Any, letters: str, state: str, why: str) -> None:
    found = row(tiered({"solo": {"a": letters[0], "b": letters[1]}}, {"a": "e2e", "b": "e2e"}, scores), "e2e", "solo")
    assert found.state == state and found.why.startswith(why) and bool(found.why) == bool(why)


def test_a_case_that_is_below_whatever_its_open_trials_come_to_fails_the_standard() -> None:
    scores = {"a": ("F", "F", "F")}
    assert row(tiered({"solo": {"a": "FF--"}}, {"a": "e2e"}, scores), "e2e", "solo").state == "open"
    assert row(tiered({"solo": {"a": "FFF-"}}, {"a": "e2e"}, scores), "e2e", "solo").state == "fails"


def test_nothing_severe_is_averaged_away() -> None:
    found = tiered({"solo": {"a": "P"}}, {"a": "e2e"}, {"a": ("P", "P", "P")})
    found.lanes["solo"].severe[0] = 1
    told = row(found, "e2e", "solo")
    assert (told.state, told.why) == ("fails", "severe failures: 1")


def test_scores_are_shown_by_group_over_the_cases_of_a_tag() -> None:
    scores = {"t1": ("P", "P", "P"), "t2": ("F", "P", "P"), "r1": ("P", "F", "P")}
    told = row(tiered({"solo": dict.fromkeys(scores, "P")}, dict.fromkeys(scores, "e2e"), scores), "e2e", "solo")
    assert told.score is not None and (told.score.min, told.score.max) == (3.0, 5.0)
    assert told.score.mean == pytest.approx(11.6 / 3)
    assert told.score.by_dimension["correctness"] == pytest.approx(11 / 3)
    tickets = told.groups["t"]["score"]
    assert (told.groups["t"]["cases"], tickets.min, tickets.max, tickets.n) == (2, 3.0, 5.0, 2)
    assert told.groups["r"]["score"].mean == pytest.approx(3.6)


def test_a_setup_that_plays_no_role_alone_is_counted_and_not_forgotten() -> None:
    found = tiered({"team": {"a": "P"}}, {"a": "agent"}, unseated={"single": ("a",)})
    told = row(found, "agent", "single")
    assert (told.planned, told.not_applicable, told.state, told.why) == (0, 1, "open", "no case was tried")


def test_a_setup_whose_figures_mix_tiers_says_so() -> None:
    notes = read_run(tiered({"team": {"a": "P", "b": "P"}, "unit": {"c": "P"}}, {"a": "agent", "b": "e2e", "c": "unit"})).notes
    assert [note for note in notes if "several tiers" in note] == [
        "team: its figures cover cases of several tiers (agent 1, e2e 1), which the table of tiers keeps apart"
    ]


def test_a_lift_counts_only_what_all_its_setups_were_tried_at() -> None:
    seats = (Seat(setup="unit"), Seat(setup="single"), Seat(setup="team", roles=(RoleSeat(name="router"),)))
    found = tiered(
        {"unit": {"u": "P"}, "single": {"a": "P", "b": "F"}, "team": {"a": "P", "b": "P", "r": "F"}},
        {"u": "unit", "a": "e2e", "b": "e2e", "r": "agent"},
        seats=seats,
    )
    lift = read_lift(found)
    assert {row.setup: (row.planned, row.passed) for row in lift.rows} == {"single": (2, 1), "team": (2, 2)}


def test_every_tier_has_a_standard() -> None:
    assert set(STANDARDS) == {"unit", "agent", "e2e"}
