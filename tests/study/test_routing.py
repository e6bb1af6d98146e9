"""A rule for routing is found where one is true, and hardly ever where none is."""

import random

import msgspec
import numpy as np
import pytest

from fairtrial.records.grade import Scorecard
from fairtrial.records.lift import Routing
from fairtrial.records.trial import TrialHead
from fairtrial.study.curve import field_of
from fairtrial.study.routing import FEWEST_CASES, read_routing
from fairtrial.study.rules import Rule, ground_of, label_effect
from fairtrial.study.table import Table
from tests.study.planted import Rate, all_alike, better_everywhere, better_on_hard, planted, seats
from tests.study.tables import info, spent, table

PAIR = "single", "team"


def routed(made: Table, margin: float = 0.05, seed: int = 0) -> Routing:
    return read_routing(field_of(made.lanes), PAIR, margin, seed)


def test_a_team_that_is_better_on_hard_cases_only_gets_those() -> None:
    found = routed(planted(better_on_hard))
    assert (found.state, found.rule, found.send, found.rest) == ("holds", "difficulty = hard", "team", "single")
    assert found.folds == ["difficulty = hard"] * 5
    assert found.sent == 40
    assert found.saved is not None
    assert found.saved == pytest.approx(0.6 * (1 - 0.03 / 0.09), abs=0.03)  # sixty of a hundred cases at a third of the price
    assert found.versus_rival is not None
    assert found.versus_rival.low is not None
    assert found.versus_rival.low > 0.1
    assert found.routed is not None
    assert found.all_team is not None
    assert found.routed.use is not None
    assert found.all_team.use is not None
    assert found.routed.use < found.all_team.use


def test_the_same_cases_in_another_order_give_the_same_advice() -> None:
    made = planted(better_on_hard)
    lanes = field_of(made.lanes)
    turned = msgspec.structs.replace(lanes, lanes={name: (lane, rows[::-1]) for name, (lane, rows) in lanes.lanes.items()})
    one, two = routed(made), read_routing(turned, PAIR, 0.05)
    assert (one.state, one.rule, one.routed) == (two.state, two.rule, two.routed)


@pytest.mark.parametrize("rate", [better_everywhere, all_alike])
def test_where_no_label_matters_no_rule_is_advised(rate: Rate) -> None:
    found = routed(planted(rate))
    assert found.state == "none"
    assert found.rule is None
    assert found.why.startswith("no rule was found that held on cases not used to choose it")


def test_too_few_cases_are_told_before_any_rule_is_looked_for() -> None:
    found = routed(planted(better_on_hard, cases=FEWEST_CASES - 1))
    assert found.state == "too_few"
    assert found.why == "too few cases to choose and to check a rule: 29 independent cases, 30 at least"


def test_cases_of_one_cluster_are_no_independent_cases() -> None:
    infos = {f"c{place}": info(f"c{place}", cluster=f"g{place % 20}", difficulty="hard" if place % 2 else "easy") for place in range(80)}
    rows = {name: dict.fromkeys(infos, "PPP") for name in PAIR}
    assert routed(table(rows, infos=infos, seats=seats())).state == "too_few"


def test_without_any_known_use_nothing_can_be_shown_to_be_saved() -> None:
    assert routed(planted(better_on_hard, priced=False)).measure == "steps"
    rows = {name: {f"c{place}": "PF" for place in range(40)} for name in PAIR}
    assert routed(table(rows, seats=seats())).why.startswith("no rule can be shown to save anything: no use is known")


def test_undecided_trials_that_could_turn_the_gain_forbid_the_advice() -> None:
    infos = {f"c{place}": info(f"c{place}", difficulty="hard" if place % 5 < 2 else "easy") for place in range(100)}
    hard = {case for case, of in infos.items() if of.labels.difficulty == "hard"}

    def priced(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend = spent("0.09" if trial.key.setup == "team" else "0.03")

    def found(letter: str) -> Routing:
        rows = {"single": {case: letter if case in hard else "P" for case in infos}, "team": dict.fromkeys(infos, "P")}
        return routed(table(rows, priced, infos=infos, seats=seats()))

    assert found("F").state == "holds"
    assert found("U").state == "none"


def test_a_rule_that_brings_new_severe_failures_is_not_advised() -> None:
    made = planted(better_on_hard)
    made.lanes["team"].severe[0] = 1  # c0 is hard
    assert routed(made).why == "no rule is advised: it would bring new severe failures in c0"


def test_rules_are_made_of_labels_alone_and_leave_enough_cases_on_both_sides() -> None:
    cases = [
        info(f"c{place}", risk="low" if place < 4 else "high", difficulty="hard" if place % 2 else "easy", tags=("x",))
        for place in range(20)
    ]
    ground = ground_of(cases, np.zeros(20), np.arange(20), 0.05)
    assert [str(rule) for rule in ground.rules] == ["difficulty = easy", "difficulty = hard"]
    assert ground.of(Rule(label="difficulty", values=("hard",))).sum() == 10


def test_the_test_of_the_labels_is_right_about_chance_alone() -> None:
    """Of 200 tables in which gains have nothing to do with the labels, about one in twenty gives p below 0.05."""
    draw = random.Random(5)
    cases = [
        info(f"c{p}", risk=draw.choice("lmh"), source=draw.choice("reia"), tags=tuple(t for t in "abc" if draw.random() < 0.3))
        for p in range(40)
    ]
    rng = np.random.default_rng(5)
    low = sum(
        label_effect(ground_of(cases, rng.choice([-0.4, 0.0, 0.2, 1.0], 40), np.arange(40), 0.05), seed) < 0.05 for seed in range(200)
    )
    assert 2 <= low <= 20


def test_a_false_rule_is_advised_in_less_than_one_of_twenty_runs() -> None:
    """Four labels and three tags that mean nothing, a team that is as good everywhere or better everywhere."""
    false = sum(
        routed(planted(rate, cases=cases, trials=3, seed=seed)).state == "holds"
        for rate in (all_alike, better_everywhere)
        for cases in (40, 80)
        for seed in range(30)
    )
    assert false <= 5
