"""From a pilot to a plan: the spread that was seen, the price that was paid, and nothing made up."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from fairtrial.records.grade import Scorecard
from fairtrial.records.plan import Plan
from fairtrial.records.trial import TrialHead
from fairtrial.stats.power import ASSUMED, Aim, Spread, cases_needed, observed_spread
from fairtrial.study.planning import Sides, Stands, Wanted, read_plan
from fairtrial.study.table import Table
from tests.study.tables import info, spent, table


def priced(head: TrialHead, _: Scorecard) -> None:
    head.spend = spent("0.03" if head.key.setup == "base" else "0.09")
    head.wall_ms = 500.0 if head.key.setup == "base" else 1500.0


def letters(rng: np.random.Generator, rate: float, trials: int) -> str:
    return "".join("P" if hit else "F" for hit in rng.random(trials) < rate)


def pilot(cases: int = 40, trials: int = 5, **fields: Any) -> Table:
    rng = np.random.default_rng(5)
    rates = rng.beta(1.6, 0.4, cases)
    sides = {
        name: {f"c{place}": letters(rng, rate * share, trials) for place, rate in enumerate(rates)}
        for name, share in (("base", 1.0), ("new", 0.9))
    }
    return table(sides, priced, **fields)


def stands(cases: int = 40, trials: int = 5) -> Stands:
    return Stands(suite="s", cases=cases, independent=cases, trials=trials)


def planned(pilot: Table, at: Stands | None = None, **wanted: Any) -> Plan:
    return read_plan(at or stands(), Wanted(**wanted), Sides(base=(pilot, "base"), new=(pilot, "new")))


def test_the_cases_follow_from_the_spread_that_was_seen() -> None:
    seen = pilot()
    found = planned(seen, detect=0.05, power=0.9)
    spread = observed_spread(seen.lanes["base"].passes(), seen.lanes["new"].passes())
    assert spread is not None
    for row in found.rows:
        assert row.cases == cases_needed(spread, row.repeats, 0.05, Aim(power=0.9))
        assert row.low is not None
        assert row.high is not None
        assert row.low <= row.cases <= row.high
        assert row.trials == 2 * row.cases * row.repeats
        assert row.new_cases == max(0, row.cases - 40)
    assert found.source == "pilot"
    assert found.pilot is not None
    assert (found.pilot.between, found.pilot.within) == (spread.between, spread.within)


def test_the_price_is_exact_and_the_cheapest_is_marked() -> None:
    found = planned(pilot(), detect=0.1)
    for row in found.rows:
        assert row.cases is not None
        assert row.price_usd == Decimal("0.12") * row.cases * row.repeats
        assert row.seconds == pytest.approx(2.0 * row.cases * row.repeats)
    assert [row.repeats for row in found.rows if row.cheapest] == [1]
    dear = planned(pilot(), detect=0.1, case_usd=Decimal(20))
    cheapest = next(row for row in dear.rows if row.cheapest)
    assert cheapest.repeats > 1  # where cases are dear, more trials of each are worth it
    assert cheapest.new_cases is not None
    assert cheapest.price_usd == min(row.price_usd for row in dear.rows if row.price_usd is not None)


def test_an_unknown_price_stays_unknown() -> None:
    def half(head: TrialHead, card: Scorecard) -> None:
        priced(head, card)
        if head.key.setup == "new" and head.key.case == "c3":
            head.spend = spent(None)

    sides = {name: {f"c{place}": "PPF" if place % 3 else "PFF" for place in range(12)} for name in ("base", "new")}
    seen = table(sides, half)
    found = read_plan(stands(), Wanted(), Sides(base=(seen, "base"), new=(seen, "new")))
    assert all(row.price_usd is None for row in found.rows)
    assert found.reasons["price_usd"] == "the cost is not fully known of new"
    assert "at a price that is not known" in found.says or "cannot be told" in found.says


def test_unknown_and_unrun_trials_of_the_pilot_are_counted_and_named() -> None:
    sides: dict[str, Mapping[str, str]] = {
        "base": {f"c{place}": "PPU" if place % 2 else "PFF" for place in range(12)},
        "new": {f"c{place}": "PPF" if place % 3 else "PF-" for place in range(12)},
    }
    seen = table(sides)
    found = read_plan(stands(), Wanted(), Sides(base=(seen, "base"), new=(seen, "new")))
    assert found.pilot is not None
    assert (found.pilot.base.unknown, found.pilot.new.not_run) == (6, 4)
    assert "6 of 72 trials of the pilot are UNKNOWN and count as not passed" in found.says
    assert "4 of 72 planned trials of the pilot were not run" in found.says


def test_what_todays_suite_shows_stands_beside_the_plan() -> None:
    found = planned(pilot(), detect=0.05)
    now = next(row for row in found.rows if row.repeats == 5)
    assert (found.today.cases, found.today.repeats, found.today.detectable, found.today.margin) == (40, 5, now.detectable, now.margin)
    assert found.today.severe_upper == pytest.approx(1 - 0.05 ** (1 / 40))
    assert (found.today.severe_bar, found.today.severe_cases) == (0.03, 99)
    assert planned(pilot(), stands(cases=2000), detect=0.05).rows[0].enough


def test_a_margin_asks_for_its_own_number_of_cases() -> None:
    found = planned(pilot(), detect=0.1, margin=0.02)
    assert all(row.margin_cases is not None and row.cases is not None and row.margin_cases > row.cases for row in found.rows)
    assert "to rule out a loss of 2 points" in found.says
    assert all(row.margin_cases is None for row in planned(pilot(), detect=0.1).rows)


def test_without_a_pilot_the_spread_is_assumed_and_said_to_be() -> None:
    found = read_plan(stands(cases=12, trials=1), Wanted(detect=0.05))
    assert (found.source, found.pilot) == ("assumed", None)
    assert found.assumed == {"between": ASSUMED.between, "within": ASSUMED.within}
    assert [row.cases for row in found.rows] == [cases_needed(ASSUMED, row.repeats, 0.05) for row in found.rows]
    assert all(row.low is None and row.price_usd is None for row in found.rows)
    assert "nothing was run: the spread is assumed" in found.says


def test_one_setup_alone_stands_for_both_sides() -> None:
    seen = pilot()
    found = read_plan(stands(), Wanted(), Sides(base=(seen, "base"), new=(seen, "base")))
    assert found.source == "one_side"
    assert found.assumed == {"between": ASSUMED.between}
    assert found.pilot is not None
    assert found.pilot.within == pytest.approx(2 * np.mean([c * (k - c) / (k * (k - 1)) for c, k in seen.lanes["base"].passes()]))
    assert found.rows[0].price_usd == Decimal("0.06") * (found.rows[0].cases or 0)
    assert "only base was run" in found.says


def test_single_trials_plan_single_trials_only() -> None:
    seen = pilot(trials=1)
    found = planned(seen, detect=0.1)
    sides = (seen.lanes[name].passes() for name in ("base", "new"))
    variance = float(np.var([b - a for (a, _), (b, _) in zip(*sides, strict=True)], ddof=1))
    assert found.rows[0].cases == cases_needed(Spread(between=variance, within=0.0), 1, 0.1)
    assert (found.rows[0].low or 0) < found.rows[0].cases < (found.rows[0].high or 0)
    assert all(row.cases is None and row.low is None for row in found.rows[1:])
    assert found.reasons["rows.cases"] == "the pilot tried each case once, so what more repeats would save is not known"


def test_a_pilot_without_any_spread_plans_nothing() -> None:
    seen = table({name: {f"c{place}": "PPP" for place in range(12)} for name in ("base", "new")}, priced)
    found = planned(seen)
    assert all(row.cases is None and row.price_usd is None for row in found.rows)
    assert "cannot be told: all cases of the pilot went alike" in found.says


def test_a_small_pilot_is_a_guess_without_even_a_range() -> None:
    found = planned(pilot(cases=6))
    assert all(row.low is None and row.high is None for row in found.rows)
    assert found.notes == [
        "a pilot of 6 cases hardly knows the spread, not even its range: take the plan as a guess, and plan again after more"
    ]


def test_cases_that_only_one_side_has_are_left_out_and_counted() -> None:
    sides = {"base": {f"c{place}": "PPF" if place % 3 else "PFF" for place in range(14)}}
    sides["new"] = {name: text for name, text in sides["base"].items() if name not in ("c0", "c1")}
    seen = table(sides)
    found = read_plan(stands(), Wanted(), Sides(base=(seen, "base"), new=(seen, "new")))
    assert found.pilot is not None
    assert (found.pilot.pairs, found.pilot.left_out) == (12, 2)
    assert any("2, left out" in note for note in found.notes)


def test_clusters_ask_for_more_cases() -> None:
    rng = np.random.default_rng(7)
    moves = np.repeat(rng.normal(0, 0.25, 10), 4)
    sides = {
        "base": {f"c{place}": letters(rng, 0.6, 5) for place in range(40)},
        "new": {f"c{place}": letters(rng, float(np.clip(0.6 + move, 0, 1)), 5) for place, move in enumerate(moves)},
    }
    infos = {f"c{place}": info(f"c{place}", cluster=f"k{place // 4}") for place in range(40)}
    apart, together = table(sides), table(sides, infos=infos)
    found = [read_plan(stands(), Wanted(), Sides(base=(seen, "base"), new=(seen, "new"))) for seen in (apart, together)]
    assert (found[1].rows[0].cases or 0) > (found[0].rows[0].cases or 0)
    assert any("move together" in note for note in found[1].notes)
