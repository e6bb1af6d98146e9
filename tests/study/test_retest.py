"""After a mend: the case turned, and what else moved is named."""

import pytest

from fairtrial.records.errors import InputError
from fairtrial.study.retest import read_retest
from tests.study.tables import info, one, table


def test_mending_the_lossy_hand_off_turns_its_case_and_nothing_else() -> None:
    before = table({"lossy": {"stockout": "F", "week": "P"}, "team": {"stockout": "P", "week": "P"}}, run="r1")
    after = table({"lossy": {"stockout": "P", "week": "P"}, "team": {"stockout": "P", "week": "P"}}, run="r3")
    alone = table({"lossy": {"stockout": "P"}, "team": {"stockout": "P"}}, run="r2")
    found = read_retest("stockout", before, after, alone)
    assert [(move.setup, move.move) for move in found.target] == [("lossy", "fixed"), ("team", "unchanged_pass")]
    assert (found.moved, found.broken, found.unchanged) == ([], 0, 2)
    assert found.alone == {"lossy": ["PASS"], "team": ["PASS"]}
    assert found.says == "stockout: lossy fixed (FAIL → PASS); nothing else moved."


def test_whatever_else_moved_is_named_with_its_direction() -> None:
    before = one({"a": "FF", "b": "PP", "c": "PF", "d": "FF", "e": "PF", "f": "PP"}, run="r1")
    after = one({"a": "PP", "b": "PF", "c": "FF", "d": "PF", "e": "FP", "f": "PU"}, run="r2")
    found = read_retest("a", before, after)
    assert {move.case: move.move for move in found.moved} == {"b": "broken", "c": "declined", "d": "improved", "f": "unknown"}
    assert (found.broken, found.unchanged) == (1, 1)
    assert found.says == (
        "a: solo fixed (FAIL → PASS); 4 other cases moved: broken b (solo), improved d (solo), declined c (solo), unknown f (solo); "
        "may be chance: b (solo, p = 1), c (solo, p = 1)."
    )


def test_only_the_setups_that_moved_are_named() -> None:
    names = [f"team-{number}" for number in range(10)]
    before = table({name: {"a": "P" if number < 4 else "F", "b": "P"} for number, name in enumerate(names)}, run="r1")
    after = table({name: {"a": "P" if number < 5 else "F", "b": "F" if number < 2 else "P"} for number, name in enumerate(names)}, run="r2")
    assert read_retest("a", before, after).says == ("a: team-4 fixed (FAIL → PASS); 1 other case moved: broken b (team-0), b (team-1).")
    assert (
        read_retest("a", before, before).says
        == "a moved in none of its 10 setups (4 unchanged pass, 6 unchanged fail); nothing else moved."
    )
    alone = one({"a": "F", "b": "P"})
    assert read_retest("a", alone, alone).says == "a: solo unchanged fail (FAIL → FAIL); nothing else moved."


def test_a_case_that_became_another_question_is_not_called_fixed() -> None:
    before, after = one({"a": "F"}, run="r1"), one({"a": "P"}, run="r2", infos={"a": info("a", hash="sha256:new")})
    found = read_retest("a", before, after)
    assert (found.target, found.changed) == ([], ["a"])
    assert found.says == "a itself was changed, so before and after are not the same question; nothing else moved."


def test_a_case_that_is_in_neither_run_is_refused() -> None:
    with pytest.raises(InputError, match="not in both runs"):
        read_retest("z", one({"a": "P"}, run="r1"), one({"a": "P"}, run="r2"))


def test_what_was_unstable_before_cannot_break_and_noise_is_named_as_such() -> None:
    found = read_retest("a", one({"a": "F", "n": "PPPF"}, run="r1"), one({"a": "P", "n": "PPFF"}, run="r2"))
    assert (found.broken, [move.move for move in found.moved], found.moved[0].may_be_chance) == (0, ["declined"], True)
    assert found.says.endswith("declined n (solo); may be chance: n (solo, p = 1).")


def test_a_break_beyond_chance_is_not_excused() -> None:
    found = read_retest("a", one({"a": "F", "n": "PPPPP"}, run="r1"), one({"a": "P", "n": "FFFFF"}, run="r2"))
    assert (found.broken, found.moved[0].may_be_chance) == (1, False)
    assert "chance" not in found.says
