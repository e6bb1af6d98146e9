"""Cases graduate, go back and are called flaky by stated rules on batches, and never because something was not decided."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from fairtrial.records.library import Batch, Rule, Rules, Standing
from fairtrial.study.batches import Asked, read_batch, stood
from fairtrial.study.library import Subject, judge, says
from tests.study.tables import card, info, one, table

ASKED = Asked(case="a", hash="sha256:a", setup="solo")


def batch(letters: str, severe: int = 0, setup_hash: str = "v1") -> Batch:
    found = read_batch(one({"a": letters}), ASKED, "a", 0)
    assert found is not None
    return Batch(**{name: getattr(found, name) for name in Batch.__struct_fields__} | {"severe": severe, "setup_hash": setup_hash})


def stand(*letters: str | Batch, library: str = "capability", rules: Rules | None = None, **more: Any) -> Standing:
    batches = [text if isinstance(text, Batch) else batch(text) for text in letters]
    fields = {"case": "a", "library": library, "split": "open", "setup": "solo", "fresh": len(batches), **more}
    return judge(Subject(**fields), batches, rules or Rules())


def test_the_score_of_a_batch_is_one_and_four_times_its_pass_rate() -> None:
    assert [batch(text).score for text in ("PPPP", "PPPF", "FFFF", "PF")] == [5.0, 4.0, 1.0, 3.0]
    assert (batch("PPPF").worst, batch("PPPF").best, batch("PPPF").by) == (4.0, 4.0, "pass_rate")


def test_what_is_not_decided_leaves_a_range_and_counts_as_not_passed() -> None:
    found = batch("PPU-")
    assert (found.score, found.worst, found.best) == (round(1 + 4 * 2 / 3, 9), 3.0, 5.0)
    assert (found.planned, found.unknown, found.not_run) == (4, 1, 1)


def test_a_case_whose_checks_carry_dimensions_is_scored_by_its_weighted_marks() -> None:
    def label(_: Any, made: Any) -> None:
        made.grades = [card(letter).grades[0] for letter in "PPF"]
        for grade, dimension in zip(made.grades, ("correctness", "groundedness", "card_usage"), strict=True):
            grade.dimension = dimension

    found = read_batch(one({"a": "FF"}, change=label), ASKED, "a", 0)
    assert found is not None
    assert (found.by, found.score) == ("marks", 0.5 * 5 + 0.35 * 5 + 0.15 * 1)


def test_a_run_counts_where_the_case_was_the_same_whatever_it_was_called() -> None:
    renamed = one({"b": "P"}, infos={"b": info("b", hash="sha256:a")}).manifest
    assert stood(renamed, [ASKED]) == {"a": "b"}
    edited = one({"a": "P"}, infos={"a": info("a", hash="sha256:before")}).manifest
    assert stood(edited, [ASKED]) == {"a": None}
    assert stood(one({"b": "P"}).manifest, [ASKED]) == {}
    assert stood(table({"other": {"a": "P"}}).manifest, [ASKED]) == {}
    assert read_batch(one({"a": "--"}), ASKED, "a", 0) is None
    around = Asked(case="a", hash="sha256:a", setup="solo", frame="now")
    assert stood(one({"a": "P"}, frame="before").manifest, [around]) == {"a": None}
    assert stood(one({"a": "P"}, frame="now").manifest, [around]) == {"a": "a"}
    assert stood(one({"a": "P"}).manifest, [around]) == {"a": "a"}
    unknown = Asked(case="a", hash="", setup="solo")
    assert stood(one({"b": "P"}, infos={"b": info("b", hash="")}).manifest, [unknown]) == {}


def test_five_batches_in_a_row_above_four_graduate_a_case() -> None:
    assert stand("F", *["PPPPF"] * 5).move == "graduate"
    assert stand("F", *["PPPPF"] * 5).to == "regression"
    assert stand(*["PPPP"] * 4).why == "4 of 5 batches in a row above 4.0"
    assert stand(*["PPPP"] * 4, "PPPF").why == "0 of 5 batches in a row above 4.0; the last scored 4"
    assert stand("PPPP", "PPPF", *["PPPP"] * 4).streak == 4
    assert stand(*["PPPP"] * 5, library="regression").move == "none"


def test_a_severe_failure_or_an_undecided_batch_breaks_the_row() -> None:
    assert stand(*["PPPP"] * 4, batch("PPPPPPPPPF", severe=1)).why.endswith("; the last has 1 severe failure")
    assert stand(*["PPPP"] * 4, "PPPU").why.endswith("; the last is not decided")
    assert stand("PPPP", "PPPP", "UUUU", "PPPP", "PPPP", "PPPP").move == "none"


def test_one_decided_batch_below_four_brings_a_case_back() -> None:
    assert stand("PPPP", "PPFF", library="regression").move == "demote"
    assert stand("PPPP", "PPFF", library="regression").to == "capability"
    assert stand("PPFF", "PPPP", library="regression").move == "none"
    assert stand("PPPF", library="regression").why == "the last decided batch scored 4"
    assert stand(batch("PPPPPPPPPF", severe=1), library="regression").move == "demote"


def test_trouble_of_the_harness_brings_no_case_back() -> None:
    assert stand("PPPP", "UUUU", library="regression").why == "the last decided batch scored 5; 1 batch not decided"
    assert stand("EEEE", library="regression").move == "none"
    assert stand("PEEE", "EE--", library="regression").why == "no batch is decided; 2 batches not decided"
    assert stand("PPFF", "UUUU", library="regression").move == "demote"
    assert stand("FFFU", library="regression").move == "demote"


def test_only_batches_since_the_last_move_count_for_the_next() -> None:
    assert stand(*["PPPP"] * 5, fresh=2).why == "2 of 5 batches in a row above 4.0"
    assert stand("FFFF", library="regression", fresh=0).why == "no batch of this case since its last move"
    assert stand().why == "no batch of this case counts yet"


def test_a_held_out_case_does_not_move() -> None:
    assert stand(*["PPPP"] * 5, split="held_out").move == "none"
    assert stand("FFFF", split="held_out", library="regression").move == "none"


@pytest.mark.parametrize(("passes", "expected"), [(20, "graduate"), (19, "none")])
def test_a_lower_bound_may_be_the_bar_and_is_the_exact_one_sided_one(passes: int, expected: str) -> None:
    bound = float(beta.ppf(0.05, 20, 1))
    rules = Rules(graduate=Rule(batches=2, by="lower_bound", bar=Decimal(repr(bound - 1e-9))))
    letters = "P" * passes + "F" * (20 - passes)
    assert stand(letters[:10], letters[10:], rules=rules).move == expected
    over = Rules(graduate=Rule(batches=2, by="lower_bound", bar=Decimal(repr(bound + 1e-9))))
    assert stand(letters[:10], letters[10:], rules=over).move == "none"
    assert stand(letters, rules=rules).why == "1 of 2 batches that the lower bound is to rest on"


def test_an_upper_bound_may_be_the_bar_of_the_way_back() -> None:
    rules = Rules(demote=Rule(batches=2, by="upper_bound", bar=Decimal("0.8")))
    assert stand("FFFFFPPPPP", "FFFFFPPPPP", library="regression", rules=rules).move == "demote"
    assert stand("UUUUUPPPPP", "UUUUUPPPPP", library="regression", rules=rules).move == "none"
    assert stand("FFFFFPPPPP", library="regression", rules=rules).move == "none"


def test_a_case_is_flaky_where_one_version_of_the_setup_sometimes_passes_it() -> None:
    found = stand("PF", "PP", "FP")
    assert found.flaky
    assert found.flaky_why == "4 of 6 decided trials passed over 3 batches of the same setup, stability 0.33"
    assert not stand("PF", "PP").flaky
    assert not stand("PPPP", "PPPP", "PPPP").flaky
    assert not stand("FFFF", "FFFF", "FFFF").flaky
    assert not stand("FF", "PP", batch("PP", setup_hash="v2")).flaky
    assert stand(*["PPPPF"] * 5).move == "graduate"


def test_the_sentence_names_what_moves_and_what_is_flaky() -> None:
    assert says([stand("P")], 1) == "1 case, 1 run read; no case moves, and none is flaky."
    assert says([stand(*["PPPP"] * 5)], 5) == "1 case, 5 runs read; graduate: a."


HISTORY = st.lists(st.text("PFU-", min_size=3, max_size=3).filter(lambda text: text != "---"), min_size=1, max_size=7)


@given(history=HISTORY, data=st.data())
def test_turning_a_scored_trial_into_unknown_never_graduates_a_case(history: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(history) - 1))
    at = data.draw(st.integers(0, 2))
    if history[place][at] == "-":
        return
    darker = history[place][:at] + "U" + history[place][at + 1 :]
    after = stand(*history[:place], darker, *history[place + 1 :])
    if after.move == "graduate":
        assert stand(*history).move == "graduate"


@given(history=HISTORY)
def test_a_case_never_moves_on_unknown_alone(history: list[str]) -> None:
    dark = [text.replace("F", "U").replace("P", "U") for text in history]
    assert stand(*dark).move == "none"
    assert stand(*dark, library="regression").move == "none"
    assert not stand(*dark).flaky
