"""Is the shortage used? Of the teams of the stockout example: by the sound one, only declared by one, lost on the way in another."""

from collections.abc import Callable

import pytest

from tests.examples.conftest import Example

HIDDEN = "stockout-hidden-demand"


@pytest.fixture(scope="module")
def shop(copied: Callable[[str], Example]) -> Example:
    return copied("stockout")


def test_the_sound_team_rests_on_the_shortage(shop: Example) -> None:
    found = shop.ask("use", ".", "--setup", "team", "--fact", "stockout_days")
    assert found["facts"] == {"stockout_days": "used"}
    assert (found["shifts"][0]["value"], found["shifts"][0]["noise"]) == (1.0, 0.0)
    assert found["replayed"] == ["coo", "cmo", "cfo", "cpo"]
    assert {proof["case"]: proof["reading"] for proof in found["proofs"]}[HIDDEN] == "confirmed"


def test_the_team_that_only_says_so_is_caught(shop: Example) -> None:
    found = shop.ask("use", "teams.yaml", "--setup", "only-declared", "--fact", "stockout_days")
    caught = next(proof for proof in found["proofs"] if proof["case"] == HIDDEN)
    assert (caught["declared"], caught["found"], caught["of"]) == (5, 5, 5)
    assert caught["reading"] == "declared_not_used"
    assert f"in {HIDDEN}: stockout_days is declared, but no decision moved with it" in found["says"]


def test_the_team_that_always_asks_uses_nothing(shop: Example) -> None:
    found = shop.ask("use", "teams.yaml", "--setup", "always-asks", "--fact", "stockout_days", "--fact", "sales")
    assert found["facts"] == {"stockout_days": "not_used", "sales": "not_used"}
    assert {proof["reading"] for proof in found["proofs"]} == {"declared_not_used"}


def test_what_was_lost_on_the_way_cannot_be_altered(shop: Example) -> None:
    found = shop.ask("use", "teams.yaml", "--setup", "lossy", "--fact", "stockout_days")
    assert found["run"] is None and found["facts"] == {"stockout_days": "not_received"}
    assert found["says"] == "stockout_days never reached ceo in 4 recorded cases, so there is nothing to alter."
