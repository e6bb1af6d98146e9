"""Does the team earn its cost? The first article's shop, and the ways a match can turn out."""

from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.records.budget import Budget
from fairtrial.records.errors import InputError
from fairtrial.records.grade import Scorecard
from fairtrial.records.lift import Lift
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.trial import TrialHead
from fairtrial.records.verdict import Verdict
from fairtrial.study.lift import read_lift
from fairtrial.study.report import read_run
from fairtrial.study.table import Table
from tests.study.planted import Rate, all_alike, better_everywhere, better_on_hard, planted, worse_everywhere
from tests.study.tables import Change, info, spent, table

PRICES = {"single": "0.03", "single-retry": "0.06", "team": "0.09"}
TIMES = {"single": (600.0, 600.0), "single-retry": (1100.0, 1050.0), "team": (1700.0, 1500.0)}
ROLES = tuple(RoleSeat(name=name) for name in ("coo", "cmo", "cfo", "cpo", "ceo"))


def seats(**team: Any) -> tuple[Seat, ...]:
    given: dict[str, Any] = {"tools": {"read_stock": "1"}, "budget": Budget(usd=Decimal("0.12"))}
    plain = [Seat(setup=name, **given) for name in ("single", "single-retry")]
    return (*plain, Seat(**{"setup": "team", "roles": ROLES, "lead": "ceo", **given, **team}))


def shop(trial: TrialHead, graded: Scorecard) -> None:
    trial.spend = spent(PRICES[trial.key.setup])
    trial.stated_ms = TIMES[trial.key.setup][trial.key.case == "ordinary-week"]


def played(verdicts: dict[str, dict[str, str]], change: Change = shop, **fields: Any) -> Table:
    setups = {"single": {}, "single-retry": {"retry": {"attempts": 3}}, "team": {"roles": ["coo", "ceo"]}}
    return table(verdicts, change, **{"seats": seats(), "setups": setups, "baseline": "single", "candidate": "team", **fields})


def stockout(**fields: Any) -> Table:
    names = "stockout-hidden-demand", "ordinary-week"
    letters = {"single": "FP", "single-retry": "PP", "team": "PP"}
    return played({setup: dict(zip(names, row, strict=True)) for setup, row in letters.items()}, **fields)


def test_the_shop_gives_exactly_the_figures_of_the_article() -> None:
    found = read_run(stockout()).setups
    assert [(found[name].passed, found[name].planned) for name in PRICES] == [(1, 2), (2, 2), (2, 2)]
    assert [str(found[name].cost_usd.mean) for name in PRICES] == ["0.03", "0.06", "0.09"]
    assert [str(found[name].cost_usd.per_success) for name in PRICES] == ["0.06", "0.06", "0.09"]
    assert [found[name].latency_ms.mean for name in PRICES] == [600.0, 1075.0, 1600.0]
    assert all(found[name].latency_ms.stated for name in PRICES)


def test_on_two_cases_the_team_does_not_beat_the_cheaper_retry() -> None:
    found = read_lift(stockout())
    assert [(row.setup, row.kind) for row in found.rows] == [("single", "single"), ("single-retry", "retry"), ("team", "team")]
    assert found.verdict == "does_not_beat"
    assert found.says.startswith("On these 2 cases the team does not beat the cheaper retry: ")
    assert "team passed 2 of 2 at 0.09 USD per success, single-retry passed 2 of 2 at 0.06 USD per success" in found.says
    assert found.says.endswith("next: add cases that need several roles, or take the retry.")
    assert found.next == "add cases that need several roles, or take the retry"
    assert [difference["versus"] for difference in found.differences] == ["single", "single-retry"]
    assert [difference["fixed"] for difference in found.differences] == [["stockout-hidden-demand"], []]


def test_stated_times_never_stand_beside_measured_ones() -> None:
    def half_silent(trial: TrialHead, graded: Scorecard) -> None:
        shop(trial, graded)
        trial.wall_ms = 5.0
        trial.stated_ms = trial.stated_ms if trial.key.setup == "team" else None

    found = read_lift(stockout(change=half_silent))
    assert [(row.latency_mean_ms, row.latency_stated) for row in found.rows] == [(5.0, False)] * 3
    assert all(row.latency_stated for row in read_lift(stockout()).rows)


def test_the_rows_of_few_repeated_cases_carry_their_caution() -> None:
    letters = {"single": "FFP PPF", "single-retry": "PPP PPP", "team": "PPP PPF"}
    rows = {setup: dict(zip("ab", both.split(), strict=True)) for setup, both in letters.items()}
    found = read_lift(table(rows, setups={"team": {"roles": ["coo"]}}, baseline="single", candidate="team"))
    cautioned = [name for name in found.reasons if name.endswith("success_rate.interval")]
    assert cautioned == ["single.success_rate.interval", "team.success_rate.interval"]  # cases that went alike need none


def wide(single: int, retry: int, team: int, change: Change = shop, **fields: Any) -> Lift:
    """Sixty cases; how many of them each setup passes, counted from the first."""
    rows = {"single": single, "single-retry": retry, "team": team}
    cases = {setup: {f"c{place}": "P" if place < passed else "F" for place in range(60)} for setup, passed in rows.items()}
    return read_lift(played(cases, change, **fields))


def test_a_clear_gain_over_the_strongest_rival_earns_the_cost() -> None:
    found = wide(10, 20, 50)
    assert found.verdict == "earns_its_cost"
    assert found.says.startswith("On these 60 cases the team beats the cheaper retry and earns its cost")
    assert found.next == "keep team, and find out which of its roles earn it"


def test_beating_the_weakest_alone_proves_nothing() -> None:
    found = wide(10, 50, 50)
    assert found.verdict == "does_not_beat"
    assert "single-retry passed 50 of 60" in found.says


def test_a_small_gain_cannot_be_told() -> None:
    assert wide(10, 20, 22).verdict == "cannot_tell"


def test_a_clear_loss_is_worse() -> None:
    found = wide(10, 50, 20)
    assert found.verdict == "worse"
    assert "does worse than the cheaper retry" in found.says


def test_without_the_cost_nobody_can_say_that_it_is_earned() -> None:
    def unpriced(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend = spent(None if trial.key.setup == "team" else "0.03")

    found = wide(10, 20, 50, unpriced)
    assert found.verdict == "cannot_tell"
    assert "passes more than the retry, but whether it earns its cost cannot be told" in found.says
    assert "USD" not in found.says
    assert found.next == "have every setup state its cost"


def test_of_two_equal_rivals_the_cheaper_one_counts() -> None:
    assert "single passed 50 of 60" in wide(50, 50, 50).says


def test_a_new_severe_failure_keeps_the_team_from_earning_anything() -> None:
    def hurt(trial: TrialHead, graded: Scorecard) -> None:
        shop(trial, graded)
        graded.severe = int(trial.key.setup == "team" and graded.verdict is Verdict.FAIL)

    found = wide(10, 20, 50, hurt)
    assert found.verdict == "cannot_tell"
    assert "it has new severe failures in c50" in found.says
    assert found.next == "mend the severe failures first"


def test_an_undecided_trial_keeps_the_team_from_being_dismissed() -> None:
    verdicts = {"single": {"a": "F", "b": "P"}, "single-retry": {"a": "P", "b": "P"}, "team": {"a": "U", "b": "P"}}
    found = read_lift(played(verdicts))
    assert found.verdict == "cannot_tell"
    assert found.next == "have the undecided trials graded (a)"


def test_a_rival_is_not_weak_for_what_is_not_known_of_it() -> None:
    """The retry beats the team; with its passes undecided it must not leave the match to the weaker single agent."""
    for letter in "U-":
        rows = {
            "single": {f"c{place}": "P" if place < 10 else "F" for place in range(60)},
            "single-retry": {f"c{place}": letter if 5 < place < 58 else "P" if place <= 5 else "F" for place in range(60)},
            "team": {f"c{place}": "P" if place < 50 else "F" for place in range(60)},
        }
        found = read_lift(played(rows))
        assert (found.rival, found.verdict) == ("single-retry", "cannot_tell")
        assert found.advice == "cannot_tell"


@settings(max_examples=25)
@given(st.data())
def test_what_becomes_undecided_never_turns_the_advice_in_favour_of_the_team(data: st.DataObject) -> None:
    truth = {setup: data.draw(st.lists(st.sampled_from(["PP", "PF", "FF"]), min_size=8, max_size=8)) for setup in PRICES}
    before = read_lift(played({setup: {f"c{place}": row for place, row in enumerate(found)} for setup, found in truth.items()}))
    setup, place, attempt = data.draw(st.sampled_from(sorted(PRICES))), data.draw(st.integers(0, 7)), data.draw(st.integers(0, 1))
    letters = list(truth[setup][place])
    letters[attempt] = data.draw(st.sampled_from("U-"))
    truth[setup][place] = "".join(letters)
    after = read_lift(played({setup: {f"c{place}": row for place, row in enumerate(found)} for setup, found in truth.items()}))
    kind = ("keep", "route", "drop_a_role")
    assert after.advice not in kind or before.advice in kind


def test_an_unfair_match_says_nothing_of_the_team() -> None:
    found = read_lift(stockout(seats=seats(budget=Budget(usd=Decimal("0.24")))))
    assert found.verdict == "invalid"
    assert "budget: [single] has usd (0.12); [team] has usd (0.24)" in found.says
    assert found.says.endswith("next: give every setup the same facts, tools, rights and budget, and run again.")


def test_an_unfair_match_is_carried_on_request_and_says_so() -> None:
    given = seats(budget=Budget(usd=Decimal("0.24")))
    found = read_lift(stockout(seats=given, fair=False, differences=("budget: …",), settings={"allow_unfair": True}))
    assert found.verdict == "does_not_beat"
    assert "the match is unfair and was carried on request" in found.says
    assert found.fairness["carried"]


def test_only_the_part_where_the_team_wins_is_sent_to_it() -> None:
    infos = {f"c{place}": info(f"c{place}", difficulty="hard" if place < 20 else "easy") for place in range(100)}
    solo = {case: "F" if infos[case].labels.difficulty == "hard" else "P" for case in infos}
    team = {case: "P" if place % 10 < 9 else "F" for place, case in enumerate(infos)}
    found = read_lift(played({"single": solo, "single-retry": solo, "team": team}, infos=infos))
    assert (found.verdict, found.advice) == ("cannot_tell", "route")  # over all cases the gain could be chance
    assert found.next == "send difficulty = hard to team and the rest to single"
    assert "team only where difficulty = hard: saves " in found.says
    assert "at no loss shown" in found.says
    hard = next(part for part in found.slices if part["value"] == "hard")
    assert (hard["take"], hard["cost_team"], hard["cost_rival"]) == ("team", Decimal("0.09"), Decimal("0.03"))
    assert next(part for part in found.slices if part["value"] == "easy")["take"] == "single"


@pytest.mark.parametrize(
    ("rate", "advice", "verdict"),
    [
        (better_on_hard, "route", "earns_its_cost"),
        (better_everywhere, "keep", "earns_its_cost"),
        (worse_everywhere, "take_rival", "worse"),
    ],
)
def test_the_advice_follows_the_planted_truth(rate: Rate, advice: str, verdict: str) -> None:
    found = read_lift(planted(rate))
    assert (found.advice, found.verdict) == (advice, verdict)


def test_an_equal_team_at_a_higher_price_gives_way_to_its_rival() -> None:
    found = [read_lift(planted(all_alike, cases=200, trials=10, seed=seed)).advice for seed in range(2)]
    assert set(found) == {"take_rival"}


def test_few_noisy_trials_let_nobody_tell() -> None:
    verdicts = {"single": dict(zip("abcdefgh", "PFPFPPFP", strict=True)), "team": dict(zip("abcdefgh", "PPFPPPFP", strict=True))}
    found = read_lift(table(verdicts, shop, seats=(seats()[0], seats()[2])))
    assert (found.verdict, found.advice) == ("cannot_tell", "cannot_tell")
    assert found.routing is not None
    assert found.routing.state == "too_few"


def cheap_team(trial: TrialHead, graded: Scorecard) -> None:
    trial.spend = spent("0.02" if trial.key.setup == "team" else "0.06")


def test_a_cheaper_team_that_is_not_worse_earns_its_cost() -> None:
    rows = {setup: {f"c{place}": "P" * 9 + "F" for place in range(100)} for setup in PRICES}
    found = read_lift(played(rows, cheap_team))
    assert (found.verdict, found.advice) == ("earns_its_cost", "keep")
    assert "is not worse than the dearer single agent and costs less" in found.says
    assert read_lift(played(rows, cheap_team), margin="0.0001").verdict == "cannot_tell"


def test_a_gain_below_the_margin_does_not_beat_a_cheaper_rival() -> None:
    rows = {setup: {f"c{place}": "P" * 8 + "FF" for place in range(100)} for setup in PRICES}
    rows["team"] |= {"c0": "P" * 10, "c1": "P" * 10}
    found = read_lift(played(rows))
    assert found.differences[1]["difference"]["value"] > 0
    assert (found.verdict, found.advice) == ("does_not_beat", "take_rival")
    assert read_lift(played(rows), margin=0.001).verdict == "cannot_tell"


@pytest.mark.parametrize("margin", ["abc", "1", "-0.1", "nan"])
def test_a_margin_that_is_no_share_is_refused(margin: str) -> None:
    with pytest.raises(InputError, match="a margin is a share from 0 to below 1"):
        read_lift(stockout(), margin=margin)


def test_a_smaller_team_that_does_as_well_at_less_is_a_role_to_drop() -> None:
    rows: dict[str, dict[str, str]] = {
        setup: {f"c{place}": letters for place in range(100)}
        for setup, letters in (("single", "PFFFF"), ("team", "PPPPF"), ("team - cfo", "PPPPF"))
    }
    prices = {"single": "0.03", "team": "0.09", "team - cfo": "0.07"}

    def priced(trial: TrialHead, graded: Scorecard) -> None:
        trial.spend = spent(prices[trial.key.setup])

    less = msgspec.structs.replace(seats()[2], setup="team - cfo", roles=ROLES[:2])
    found = read_lift(table(rows, priced, seats=(seats()[0], seats()[2], less), candidate="team"))
    assert found.advice == "drop_a_role"
    assert found.next.startswith("drop a role: team - cfo does as well as team at a lower cost; fairtrial credit")
    prices["team - cfo"] = "0.11"
    assert read_lift(table(rows, priced, seats=(seats()[0], seats()[2], less), candidate="team")).advice == "keep"


def test_of_several_teams_the_judged_one_is_named_with_the_reason() -> None:
    rows = {name: {"a": "P"} for name in ("single", "team-a", "team-b")}
    assert (read_lift(table(rows)).team, read_lift(table(rows)).judged) == ("team-b", "it is listed last")
    found = read_lift(table(rows, candidate="team-a"))
    assert (found.team, found.judged) == ("team-a", "it is the suite's candidate")
    assert [pair["versus"] for pair in found.differences] == ["single", "team-b"]
    assert read_lift(table(rows), "team-a").judged == "it was named"


def test_the_table_has_the_interval_of_a_price_and_what_must_not_happen() -> None:
    found = read_lift(planted(better_on_hard))
    team = next(row for row in found.rows if row.setup == "team")
    assert team.cost_per_success is not None
    assert team.cost_per_success_low is not None
    assert team.cost_per_success_high is not None
    assert team.cost_per_success_low < team.cost_per_success < team.cost_per_success_high
    assert team.severe_upper == pytest.approx(1 - 0.05 ** (1 / 100))
    hard = next(part for part in found.slices if part["value"] == "hard")
    assert hard["setups"]["team"].planned == 40 * 5
    assert hard["curve"].cases == 40


def test_an_unfair_match_brings_no_advice_at_all() -> None:
    found = read_lift(stockout(seats=seats(budget=Budget(usd=Decimal("0.24")))))
    assert found.advice == "invalid"
    assert found.routing is not None
    assert (found.routing.state, found.routing.rule) == ("blocked", None)


def test_imported_runs_tell_the_kind_by_the_name() -> None:
    found = read_lift(table({"single": {"a": "F"}, "single-retry": {"a": "P"}, "team": {"a": "P"}}, origin="import:csv"))
    assert [row.kind for row in found.rows] == ["single", "retry", "team"]
    assert found.verdict == "does_not_beat"


def test_a_run_without_a_team_or_without_a_rival_has_no_lift() -> None:
    with pytest.raises(InputError, match="this run has no team, only single"):
        read_lift(table({"single": {"a": "P"}}))
    with pytest.raises(InputError, match="something to hold the team against"):
        read_lift(table({"team": {"a": "P"}}))


def test_the_team_can_be_named() -> None:
    made = table({"team-a": {"a": "P"}, "team-b": {"a": "F"}, "solo": {"a": "P"}})
    assert read_lift(made).differences[0]["team"] == "team-b"
    assert read_lift(made, "team-a").differences[0]["team"] == "team-a"
    with pytest.raises(InputError, match="no such setup"):
        read_lift(made, "team-c")


def one_case(setups: dict[str, Any]) -> Table:
    verdicts = {"single": {"a": "F"}, "single-retry": {"a": "P"}, "team": {"a": "P"}}
    return played(verdicts, setups={**setups, "team": {"roles": ["coo", "ceo"]}})


def test_too_few_cases_advise_nothing_and_one_case_is_said_in_the_singular() -> None:
    found = read_lift(one_case({"single": {}, "single-retry": {"retry": {"attempts": 3}}}))
    assert (found.verdict, found.advice) == ("does_not_beat", "cannot_tell")
    assert found.says.startswith("On this case the team does not beat the cheaper retry: ")
    assert "1 independent case cannot tell which is better in general, it takes 6 at the least" in found.notes


def test_of_several_rivals_of_one_kind_the_one_is_named() -> None:
    found = read_lift(one_case({"single": {}, "single-retry": {}}))
    assert found.says.startswith("On this case the team does not beat single agent single-retry, which costs less: ")
