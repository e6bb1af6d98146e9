"""Two sides on the same cases: the difference, how sure it is, and what may not be said."""

import json
import random
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.errors import InputError
from fairtrial.records.grade import Scorecard
from fairtrial.records.report import Comparison
from fairtrial.records.trial import TrialHead
from fairtrial.records.verdict import Verdict
from fairtrial.report.echoes import echo
from fairtrial.study.comparison import compare
from fairtrial.study.table import Table
from fairtrial.study.wording import points
from tests.study.tables import Change, info, one, spent, table

SIDE = st.dictionaries(st.sampled_from("abcdefghij"), st.text(alphabet="PFUE-", min_size=1, max_size=4), min_size=1, max_size=10)


def sides(base: dict[str, str], new: dict[str, str], **fields: Any) -> Comparison:
    return compare(one(base, run="r1"), "solo", one(new, run="r2"), "solo", **fields)


def lettered(passed: Iterable[object]) -> dict[str, str]:
    return {f"c{place}": "P" if one_passed else "F" for place, one_passed in enumerate(passed)}


def known(shared: Path, name: str) -> Any:
    return json.loads((shared / "known-faults" / "inputs" / name).read_bytes())


def test_five_points_with_13_fixed_and_8_broken_are_no_clear_difference(shared: Path) -> None:
    rows = known(shared, "M15_paired_flips.json")
    found = sides(lettered(rows["baseline"]), lettered(rows["candidate"]))
    assert (len(found.fixed), len(found.broken), found.unchanged_pass, found.unchanged_fail) == (13, 8, 70, 9)
    assert found.pairs == 100
    assert found.difference.value == pytest.approx(0.05)
    assert found.difference.low == pytest.approx(-0.0393, abs=0.006)
    assert found.difference.high == pytest.approx(0.1393, abs=0.006)
    assert found.mcnemar == {"fixed": 13, "broken": 8, "p_value": pytest.approx(0.38331, abs=1e-5)}
    assert found.p_value == pytest.approx(0.38331, abs=1e-5)
    assert found.verdict == "cannot_tell"
    assert "cannot tell" in found.says
    assert "13 fixed, 8 broken" in found.says


def test_means_are_taken_over_the_cases_that_both_sides_have(shared: Path) -> None:
    rows = known(shared, "M13_unpaired.json")
    base, new = (
        {name: "P" * round(10 * rate) + "F" * round(10 - 10 * rate) for name, rate in rows[side].items()}
        for side in ("baseline", "candidate")
    )
    found = sides(base, new)
    assert (found.pairs, found.difference.value) == (2, 0.0)
    assert (found.only_base, found.only_new) == (["telecom"], [])
    assert found.verdict == "cannot_tell"
    assert "cases left out: only in base telecom" in found.says


@pytest.mark.parametrize(("domain", "fixed", "broken", "p_value"), [("airline", 6, 3, 0.5078), ("retail", 6, 6, 1.0)])
def test_real_fine_tuned_runs_cannot_be_told_from_their_base(shared: Path, domain: str, fixed: int, broken: int, p_value: float) -> None:
    def read(side: str) -> Table:
        runs = json.loads((shared / f"data/tau2_versions/runs/{domain}_{side}.json").read_bytes())["simulations"]
        cases = {run["task_id"]: "P" if run["reward_info"]["reward"] == 1.0 else "F" for run in runs}
        return one(cases, run=side, infos={case: info(case, hash="") for case in cases})

    found = compare(read("base"), None, read("sft"), None)
    assert (len(found.fixed), len(found.broken)) == (fixed, broken)
    assert found.mcnemar["p_value"] == pytest.approx(p_value, abs=5e-5)
    assert found.p_value == pytest.approx(p_value, abs=5e-5)
    assert found.verdict == "cannot_tell"
    assert "cannot tell" in found.says
    assert "USD" not in found.says
    assert found.detectable is not None
    assert f"a true difference below {points(found.detectable).lstrip('+')} points would mostly go unseen with this suite" in found.says


def test_the_two_versions_of_the_fourth_article_fix_two_tasks_and_break_one() -> None:
    """A to E: B and D fixed, C broken. Five cases can show nothing, whichever way they move."""
    found = sides(dict(zip("ABCDE", "PFPFP", strict=True)), dict(zip("ABCDE", "PPFPP", strict=True)))
    assert (found.fixed, found.broken, found.unchanged_pass) == (["B", "D"], ["C"], 2)
    assert (found.mcnemar["p_value"], found.p_value, found.verdict) == (1.0, 1.0, "cannot_tell")
    assert found.detectable is None
    assert "on 5 independent cases no difference can be told from chance, it takes 6 at the least" in found.says
    assert found.next == "add cases, 6 independent ones at the least"


def test_78_against_83_of_100_cannot_be_told_even_with_none_broken() -> None:
    found = sides(many(78, 22), many(83, 17))
    assert (len(found.fixed), found.broken, found.verdict) == (5, [], "cannot_tell")
    assert found.mcnemar["p_value"] == pytest.approx(0.0625)
    assert found.p_value == pytest.approx(0.0625)
    assert "78 %" in found.says
    assert "points would mostly go unseen with this suite" in found.says


def test_every_sentence_that_cannot_tell_says_what_the_suite_could_have_shown() -> None:
    alike = sides(many(30, 10), many(30, 10))
    assert alike.detectable is None
    assert "at least 6 of 40 cases would have to move the same way to show, 15 points of cases" in alike.says
    assert alike.next == "add cases, or say with --margin which loss would still do"
    huge = sides({f"c{n}": "P" if n % 2 else "F" for n in range(6)}, {f"c{n}": "F" if n % 2 else "P" for n in range(6)})
    assert "with this suite even the largest difference would mostly go unseen" in huge.says
    some = sides(many(38, 12), many(40, 8, "PF"))
    assert some.next.startswith("add cases (to about ")


def test_each_verdict_ends_with_what_to_do() -> None:
    better, worse = sides(many(20, 30), many(40, 10)), sides(many(40, 10), many(20, 30))
    assert better.next == "take the new run"
    assert worse.next == "keep the base run, and look at what the new run lost in c20, c21, c22 and 17 more"
    assert better.says.endswith(f"; next: {better.next}.")
    cheap, dear = (one(many(20, 30), priced(usd), run=usd) for usd in ("0.03", "0.05"))
    good = one(many(40, 10), priced("0.05"), run="r2")
    assert compare(cheap, None, good, None).next == "take the new run, if it is worth 0.02 USD more a trial"
    assert compare(dear, None, cheap, None, margin=0.5).next == "take the new run, which saves 0.02 USD a trial"
    assert compare(cheap, None, dear, None, margin=0.5).next == (
        "take the new run only for another reason than success, for it costs 0.02 USD more a trial"
    )
    assert sides(many(20, 30), many(20, 30), margin=0.5).next == "take the new run where it is simpler or cheaper"


def test_the_margin_and_the_bounds_stand_in_the_object() -> None:
    found = sides(many(30, 10), many(28, 8, "UU-P"), margin=Decimal("0.02"))
    assert found.margin == 0.02
    assert found.difference.worst == pytest.approx(-1 / 40)
    assert found.difference.best == pytest.approx(2 / 40)
    assert found.sides["new"] | {"success_rate": None} == {
        "planned": 40, "pass": 29, "fail": 8, "unknown": 2, "not_run": 1, "severe": 0, "success_rate": None,
    }  # fmt: skip
    assert "undecided trials: 0 of 40 of base, 3 of 40 of new (1 not run)" in found.says


def test_unequal_coverage_blocks_a_claim_that_the_unrun_trials_could_undo() -> None:
    """Ten easy cases were run and passed, thirty were not: 100 % of ten is no better than 50 % of forty."""
    found = sides(many(20, 20), {f"c{n}": "-" if n < 20 else "P" if n < 30 else "-" for n in range(40)})
    assert found.difference.value == 1.0
    assert found.p_value is not None
    assert found.p_value < 0.05
    assert found.verdict == "cannot_tell"
    assert found.next == "have the undecided trials run and graded"
    assert "(0 of 40 of base, 30 of 40 of new (30 not run)) alone could put the difference anywhere from -25 to +50 points" in found.says


def test_clusters_that_only_one_side_knows_are_clusters_all_the_same() -> None:
    names = [f"c{place}" for place in range(12)]
    infos = {name: info(name, cluster="one user") for name in names}
    base, new = one(dict.fromkeys(names, "F"), run="r1"), one(dict.fromkeys(names, "P"), run="r2", infos=infos)
    assert compare(base, None, new, None).verdict == "cannot_tell"


def test_a_mended_case_is_the_only_one_fixed() -> None:
    found = sides({"plain": "PPP", "cents": "PPP", "thousands": "FFF"}, {"plain": "PPP", "cents": "PPP", "thousands": "PPP"})
    assert (found.fixed, found.broken, found.unchanged_pass) == (["thousands"], [], 2)


@pytest.mark.parametrize(
    ("base", "new", "expected"),
    [
        ("PP", "PP", "unchanged_pass"), ("PP", "PF", "broken"), ("PF", "PP", "fixed"), ("FF", "PF", "improved"),
        ("PF", "FF", "declined"), ("PF", "FP", "unchanged_fail"), ("FF", "FF", "unchanged_fail"), ("PPFF", "PF", "unchanged_fail"),
        ("PU", "PP", "unknown"), ("PP", "P-", "unknown"), ("PF", "FU", "unknown"), ("FFF", "PUF", "improved"),
        ("PP", "FU", "broken"), ("FU", "PP", "fixed"), ("PU", "PU", "unknown"), ("--", "PP", "unknown"), ("PPE", "FFF", "unknown"),
    ],
)  # fmt: skip
def test_each_shared_case_falls_into_one_class(base: str, new: str, expected: str) -> None:
    found = msgspec.to_builtins(sides({"a": base}, {"a": new}))
    filled = {name: found[name] for name in ("fixed", "broken", "improved", "declined", "unknown", "unchanged_pass", "unchanged_fail")}
    assert [name for name, cases in filled.items() if cases] == [expected]


def outcomes(letters: str) -> list[tuple[int, int]]:
    """(passed, planned) for each way the undecided trials may come out."""
    open_slots = sum(letter in "UE-" for letter in letters)
    return [(letters.count("P") + more, len(letters)) for more in range(open_slots + 1)]


def plain_class(base: tuple[int, int], new: tuple[int, int]) -> str:
    before, after = base[0] / base[1], new[0] / new[1]
    if before == 1 and after == 1:
        return "unchanged_pass"
    if before == 1 or after == 1:
        return "broken" if before == 1 else "fixed"
    return "improved" if after > before else "declined" if after < before else "unchanged_fail"


@given(SIDE, SIDE)
def test_classes_hold_however_the_undecided_trials_come_out(base: dict[str, str], new: dict[str, str]) -> None:
    found = sides(base, new)
    shared_cases = [case for case in base if case in new]
    expected: dict[str, list[str]] = {}
    for case in shared_cases:
        possible = {plain_class(b, n) for b in outcomes(base[case]) for n in outcomes(new[case])}
        expected.setdefault(possible.pop() if len(possible) == 1 else "unknown", []).append(case)
    for name in ("fixed", "broken", "improved", "declined", "unknown"):
        assert getattr(found, name) == expected.get(name, [])
    for name in ("unchanged_pass", "unchanged_fail"):
        assert getattr(found, name) == len(expected.get(name, []))
    assert found.pairs == len(shared_cases) == sum(map(len, expected.values()))
    both = [(base[c].replace("-", ""), new[c].replace("-", "")) for c in shared_cases]
    moved = [n.count("P") / len(n) - b.count("P") / len(b) for b, n in both if b and n]
    assert found.difference.value == (pytest.approx(sum(moved) / len(moved)) if moved else None)


@given(SIDE, SIDE, st.data())
def test_dropping_a_case_from_one_side_is_never_silent(base: dict[str, str], new: dict[str, str], data: st.DataObject) -> None:
    shared_cases = [case for case in base if case in new]
    if len(shared_cases) < 2:
        return
    gone = data.draw(st.sampled_from(shared_cases))
    less = {case: letters for case, letters in new.items() if case != gone}
    found = sides(base, less)
    assert gone in found.only_base
    assert found.pairs == len(shared_cases) - 1
    assert found.verdict == "invalid" or f"only in base {', '.join(found.only_base[:5])}" in found.says
    assert found.verdict == sides({case: letters for case, letters in base.items() if case != gone}, less).verdict


@given(SIDE, SIDE)
def test_swapping_the_sides_turns_everything_round(base: dict[str, str], new: dict[str, str]) -> None:
    there, back = sides(base, new), sides(new, base)
    assert sorted(there.fixed) == sorted(back.broken)
    assert sorted(there.improved) == sorted(back.declined)
    assert there.p_value == (None if back.p_value is None else pytest.approx(back.p_value))
    if there.difference.value is not None and back.difference.value is not None:
        assert there.difference.value == pytest.approx(-back.difference.value, abs=1e-12)
    turned = {"better": "worse", "worse": "better"}
    assert back.verdict == turned.get(there.verdict, there.verdict)


def many(passed: int, failed: int, extra: str = "") -> dict[str, str]:
    letters = "P" * passed + "F" * failed + extra
    return {f"c{place}": letter for place, letter in enumerate(letters)}


def test_a_clear_gain_is_better_and_a_clear_loss_worse() -> None:
    found = sides(many(20, 30), many(40, 10))
    assert (found.verdict, len(found.fixed)) == ("better", 20)
    assert found.says.startswith("The new run is better than the base run: 80 % success against 40 % on 50 shared cases (+40 points")
    assert sides(many(40, 10), many(20, 30)).verdict == "worse"


def test_a_margin_allows_not_worse_and_only_where_the_lower_end_stays_above_it() -> None:
    same = many(180, 20)
    assert sides(same, same).verdict == "cannot_tell"
    assert sides(same, same, margin=Decimal("0.05")).verdict == "not_worse"
    assert sides(same, same, margin=0.001).verdict == "cannot_tell"
    assert "is not worse than the base run by 5 points or more" in sides(same, same, margin=0.05).says


@pytest.mark.parametrize("margin", [-0.1, 1.0, 5])
def test_a_margin_is_a_share(margin: float) -> None:
    with pytest.raises(InputError, match="a margin is a share"):
        sides({"a": "P"}, {"a": "P"}, margin=margin)


def test_undecided_trials_that_could_turn_the_sign_forbid_a_verdict() -> None:
    base = {f"c{place}": "F" for place in range(30)} | {f"d{place}": "U" for place in range(40)}
    new = {f"c{place}": "P" if place < 15 else "F" for place in range(30)} | {f"d{place}": "F" for place in range(40)}
    found = sides(base, new)
    assert found.p_value is not None
    assert found.p_value < 0.05
    assert found.verdict == "cannot_tell"
    assert (
        "undecided trials (40 of 70 of base, 0 of 70 of new) alone could put the difference anywhere from -35.7 to +21.4 points"
        in found.says
    )
    few = sides({**base, **{f"d{place}": "F" for place in range(1, 40)}}, new)
    assert few.verdict == "better"
    assert "undecided trials: 1 of 70 of base, 0 of 70 of new" in few.says


def test_a_ranking_over_unequal_coverage_is_refused(shared: Path) -> None:
    graders = known(shared, "M07_partial_coverage.json")["graders"]
    flaky = {f"c{place}": "U" if score is None else "P" for place, score in enumerate(graders["flaky_score"])}
    always = {f"c{place}": "PF" for place in range(len(graders["always_score"]))}
    found = sides(flaky, always)
    assert found.verdict == "cannot_tell"
    assert "undecided trials: 3 of 4 of base, 0 of 8 of new" in found.says


def severe_in(*cases: str) -> Change:
    def change(trial: TrialHead, graded: Scorecard) -> None:
        graded.severe = int(trial.key.case in cases and graded.verdict is Verdict.FAIL)

    return change


def test_a_new_severe_failure_is_never_better_nor_not_worse() -> None:
    base, new = one(many(20, 30), severe_in("c49"), run="r1"), one(many(40, 10), severe_in("c48", "c49"), run="r2")
    found = compare(base, "solo", new, "solo", margin=0.5)
    assert found.new_severe == ["c48"]
    assert found.verdict == "cannot_tell"
    assert "new severe failures in c48" in found.says
    same = one(many(20, 30), severe_in("c49"), run="r2")
    assert compare(base, "solo", same, "solo", margin=0.5).verdict == "not_worse"


def test_a_run_compared_with_itself_is_no_comparison() -> None:
    base = one(many(40, 10), run="r1")
    found = compare(base, "solo", one(many(40, 10), run="r1"), None, margin=0.5)
    assert (found.verdict, found.says) == (
        "invalid",
        "The comparison of the new run with the base run is invalid: they are the same trials; "
        "next: name two runs, or two setups of one run.",
    )
    assert "同一批试验" in echo(found.says)


def test_nothing_graded_on_one_side_is_invalid() -> None:
    found = sides(many(3, 0), many(0, 0, "UUU"))
    assert found.verdict == "invalid"
    assert (
        found.says == "The comparison of the new run with the base run is invalid: nothing was graded for the new run on the shared cases; "
        "next: have the trials of both sides graded."
    )


def test_no_shared_case_is_invalid() -> None:
    found = sides({"a": "P"}, {"b": "P"})
    assert (found.verdict, found.difference.value, found.p_value) == ("invalid", None, None)
    assert found.says.endswith("they share no case; next: try both sides at the same cases.")
    assert set(found.reasons) >= {"difference", "p_value", "detectable", "cost.difference"}


def test_a_case_whose_content_changed_is_left_out_and_named() -> None:
    base = one({"a": "P", "b": "F"}, run="r1")
    new = one({"a": "P", "b": "P"}, run="r2", infos={"b": info("b", hash="sha256:other")})
    found = compare(base, "solo", new, "solo")
    assert (found.changed, found.pairs, found.fixed) == (["b"], 1, [])
    assert "changed in between b" in found.says


def test_cases_without_a_hash_pair_by_id() -> None:
    new = one({"a": "P"}, run="r2", infos={"a": info("a", hash="")})
    assert compare(one({"a": "F"}, run="r1"), None, new, None).fixed == ["a"]


def priced(usd: str | None) -> Change:
    return lambda trial, graded: setattr(trial, "spend", spent(usd, tool_calls=2, input_tokens=10, output_tokens=5, tokens_complete=True))


def test_cost_is_claimed_only_where_both_sides_know_theirs() -> None:
    base = one({"a": "PP", "b": "PF"}, priced("0.03"), run="r1")
    dear = compare(base, None, one({"a": "PP", "b": "PF"}, priced("0.05"), run="r2"), None)
    assert dear.cost["difference"]["value"] == Decimal("0.02")
    assert "at 0.05 USD a trial against 0.03 USD" in dear.says
    unpriced = compare(base, None, one({"a": "PP", "b": "PF"}, priced(None), run="r2"), None)
    assert unpriced.cost["difference"] is None
    assert unpriced.reasons["cost.difference"] == "the cost of new is not fully known"
    assert "USD" not in unpriced.says
    assert dear.tool_calls["difference"]["value"] == 0.0
    assert dear.tokens["new"] == {"input": 40, "output": 20, "complete": True, "mean": {"input": 10.0, "output": 5.0}}


def test_a_stated_time_is_never_held_against_a_measured_one() -> None:
    def both(trial: TrialHead, graded: Scorecard) -> None:
        trial.stated_ms, trial.wall_ms = 600.0, 3.0

    base = one({"a": "P"}, both, run="r1")
    new = one({"a": "P"}, lambda trial, graded: setattr(trial, "wall_ms", 5.0), run="r2")
    found = compare(base, None, new, None)
    assert (found.latency["base"]["mean"], found.latency["new"]["mean"], found.latency["difference"]["value"]) == (3.0, 5.0, 2.0)


def test_a_loss_hidden_by_the_total_is_named_and_corrected_for_the_number_of_looks() -> None:
    infos = {f"c{place}": info(f"c{place}", difficulty="hard" if place < 20 else "easy") for place in range(100)}
    base = {case: "P" if infos[case].labels.difficulty == "hard" else "F" for case in infos}
    new = {case: "F" if infos[case].labels.difficulty == "hard" else "P" for case in infos}
    found = compare(one(base, run="r1", infos=infos), None, one(new, run="r2", infos=infos), None)
    assert found.verdict == "better"
    assert "worse in difficulty=hard" in found.says
    by_value = {(part["label"], part["value"]): part for part in found.slices}
    assert set(by_value) == {("difficulty", "easy"), ("difficulty", "hard")}
    assert all(part["p_holm"] >= part["p_value"] for part in found.slices)


def test_cases_of_several_tiers_in_one_rate_are_told() -> None:
    def tiered(*tiers: str) -> Comparison:
        infos = {f"c{place}": info(f"c{place}", tier=tier) for place, tier in enumerate(tiers)}
        cases = dict.fromkeys(infos, "P")
        return compare(one(cases, run="r1", infos=infos), "solo", one(cases, run="r2", infos=infos), "solo")

    note, _ = tiered("e2e", "agent", "e2e").notes
    assert note == "one rate covers cases of several tiers (agent 1, e2e 2), which --slices keeps apart"
    assert echo(note).startswith("同一成功率包含多层题目")
    assert tiered("agent", "agent").notes == ["attempts of a case had the same seed on both sides, so they pair as well"]


def test_noise_in_many_slices_raises_no_alarm_by_number_alone() -> None:
    draw = random.Random(1)
    names = [f"c{place}" for place in range(160)]
    infos = {name: info(name, tags=(f"t{place // 4}",)) for place, name in enumerate(names)}
    base, new = ({name: draw.choice("PF") for name in names} for _ in range(2))
    found = compare(one(base, run="r1", infos=infos), None, one(new, run="r2", infos=infos), None)
    assert len(found.slices) == 40
    assert {part["verdict"] for part in found.slices} == {"cannot_tell"}


def test_cases_of_one_cluster_move_as_one() -> None:
    names = [f"c{place}" for place in range(12)]
    base, new = dict.fromkeys(names, "F"), dict.fromkeys(names, "P")
    assert sides(base, new).verdict == "better"
    infos = {name: info(name, cluster="one user") for name in names}
    found = compare(one(base, run="r1", infos=infos), None, one(new, run="r2", infos=infos), None)
    assert found.verdict == "cannot_tell"


def test_unequal_shares_of_undecided_trials_block_a_claim_that_the_bounds_would_allow() -> None:
    base = {f"c{n}": "FFFFF" for n in range(30)}
    new = {f"c{n}": "PPPPP" if n > 5 else "PPPUU" for n in range(30)}
    laid = table({"base": base, "new": new})
    found = compare(laid, "base", laid, "new")
    assert found.difference.worst is not None and found.difference.worst > 0
    assert found.verdict == "cannot_tell"
    assert "so unequal a share" in found.says and "run and graded" in found.says
    few = {f"c{n}": "PPPPP" if n else "PPPPU" for n in range(30)}
    both = table({"base": base, "new": few})
    assert compare(both, "base", both, "new").verdict == "better"
