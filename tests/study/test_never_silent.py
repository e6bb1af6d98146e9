"""What is done to the evidence never makes a verdict more favourable to the new side without being told.

worse < cannot_tell, invalid < not_worse < better. Told is whatever a reader of the comparison sees beside the verdict: cases
left out, trials undecided or not run, notes, and what differs between the sides.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fairtrial.records.report import Comparison
from fairtrial.records.run import Run
from fairtrial.study.comparison import compare
from fairtrial.study.table import Table
from tests.study.tables import one, results, run_of, table

RANK = {"worse": 0, "cannot_tell": 1, "invalid": 1, "not_worse": 2, "better": 3}
SOME = settings(max_examples=40, deadline=None)
LETTERS = "PPPPFFFFFU-E"
"""Most trials are decided, so that verdicts are."""
NAMES = [f"c{place:02}" for place in range(16)]


def cases(letters: str, least: int = 1) -> st.SearchStrategy[dict[str, str]]:
    word = st.text(alphabet=letters, min_size=1, max_size=3)
    return st.dictionaries(st.sampled_from(NAMES), word, min_size=least, max_size=len(NAMES))


@st.composite
def sides(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, str]]:
    """Two sides that share most of their cases; often one is clearly better, else nothing would ever be claimed."""
    base = draw(cases(draw(st.sampled_from(["FFFFF", "PPPPP", LETTERS])), least=8))
    new = draw(cases(draw(st.sampled_from(["FFFFFP", "PPPPPF", LETTERS])), least=8))
    for name in base:
        new.setdefault(name, draw(st.sampled_from(["P", "F", "PP", "FF"])))
    return base, new


def laid(base: dict[str, str], new: dict[str, str], **options: Any) -> Comparison:
    return compare(one(base, run="r1"), None, one(new, run="r2"), None, **{"margin": 0.2, **options})


def counts(found: Comparison) -> list[tuple[int, int, int]]:
    return [(side["planned"], side["unknown"], side["not_run"]) for side in found.sides.values()]


@SOME
@given(sides(), st.data())
def test_a_case_dropped_from_one_side_is_always_named(both: tuple[dict[str, str], dict[str, str]], data: st.DataObject) -> None:
    base, new = both
    gone = data.draw(st.sampled_from([name for name in base if name in new]))
    which = data.draw(st.booleans())
    less = [{name: letters for name, letters in side.items() if name != gone} for side in both]
    assume(all(less))
    after = laid(less[0], new) if which else laid(base, less[1])
    assert gone in (after.only_new if which else after.only_base)
    assert after.verdict == "invalid" or gone in after.says or "and" in after.says
    assert after.verdict == laid(*less).verdict


@SOME
@given(sides(), st.data())
def test_a_scored_trial_turned_unknown_is_told_and_wins_nothing_silently(
    both: tuple[dict[str, str], dict[str, str]], data: st.DataObject
) -> None:
    """A claim holds only if it does with every undecided trial against it and with every one for it, so none is won by one more of
    them. That a loss may become open is told."""
    place = data.draw(st.integers(0, 1))
    scored = [
        (name, at)
        for name, letters in both[place].items()
        for at, letter in enumerate(letters)
        if letter in "PF" and name in both[1 - place]
    ]
    assume(scored)
    name, at = data.draw(st.sampled_from(scored))
    letters = both[place][name]
    dark = {**both[place], name: letters[:at] + data.draw(st.sampled_from("UE-")) + letters[at + 1 :]}
    before, after = laid(*both), laid(*((dark, both[1]) if place == 0 else (both[0], dark)))
    assert sum(unknown + unrun for _, unknown, unrun in counts(after)) == sum(unknown + unrun for _, unknown, unrun in counts(before)) + 1
    assert "undecided trials" in after.says or after.verdict == "invalid"
    if not any(unrun for _, _, unrun in counts(before)):  # else the pairs without it, fewer of them, may have kept a claim back
        assert after.verdict not in ("better", "not_worse") or RANK[after.verdict] <= RANK[before.verdict]


def test_the_first_trial_that_goes_another_way_wins_no_claim_when_it_turns_unknown() -> None:
    """Thirteen cases that all went alike leave a loss of a fifth open; that one of them is not known can rule nothing out."""
    base = {f"c{place}": "PP" for place in range(13)}
    assert laid(base, base).verdict == "cannot_tell"
    assert laid(base, {**base, "c3": "PU"}).verdict == "cannot_tell"
    assert laid({**base, "c6": "UP", "c7": "PU"}, {**base, "c3": "PU"}).verdict == "cannot_tell"


def test_a_loss_that_undecided_trials_keep_open_is_no_not_worse() -> None:
    base = {f"c{place:02}": "PP" for place in range(14)}
    new = {**base} | {name: "PF" for name in list(base)[:6]}
    assert laid(base, new, margin=0.4).verdict == "worse"
    assert laid({**base, "c08": "PE"}, new, margin=0.4).verdict == "cannot_tell"


@SOME
@given(sides(), st.data())
def test_a_doubled_row_changes_no_figure_and_is_counted(both: tuple[dict[str, str], dict[str, str]], data: st.DataObject) -> None:
    base, new = both
    run: Run = run_of({"solo": new}, run="r2")
    found = results({"solo": new})
    assume(found)
    twice = data.draw(st.sampled_from(list(found.values())))
    doubled = Table(run)
    doubled.fill([*found.values(), twice])
    before = laid(base, new)
    after = compare(one(base, run="r1"), None, doubled, None, margin=0.2)
    assert (after.verdict, after.difference, after.p_value, after.sides) == (
        before.verdict,
        before.difference,
        before.p_value,
        before.sides,
    )
    assert after.notes == [*before.notes, "stored results of new without a planned slot of their own, in no figure: 1"]


@SOME
@given(sides(), st.sampled_from(["team", "solo-2"]))
def test_a_setup_by_another_name_comes_to_the_same_and_is_told(both: tuple[dict[str, str], dict[str, str]], name: str) -> None:
    base, new = both
    before = laid(base, new)
    after = compare(one(base, run="r1"), None, table({name: new}, run="r2"), None, margin=0.2)
    assert (after.verdict, after.difference, after.p_value) == (before.verdict, before.difference, before.p_value)
    assert "setup" in after.comparable["differs"]
    strict = compare(one(base, run="r1"), None, table({name: new}, run="r2"), None, vary=("model",), margin=0.2)
    assert strict.verdict == "invalid"


@SOME
@given(sides())
def test_swapping_the_sides_mirrors_better_and_worse(both: tuple[dict[str, str], dict[str, str]]) -> None:
    there, back = laid(*both, margin=None), laid(both[1], both[0], margin=None)
    mirrored = {"better": "worse", "worse": "better"}
    if any("so unequal a share" in found.says for found in (there, back)):
        return  # nothing is claimed in favour of a side then; a loss is told all the same
    assert back.verdict == mirrored.get(there.verdict, there.verdict)
    if there.difference.worst is not None and back.difference.best is not None:
        assert abs(there.difference.worst + back.difference.best) < 1e-9


@SOME
@given(sides())
def test_not_worse_never_becomes_anything_less_by_a_wider_margin(both: tuple[dict[str, str], dict[str, str]]) -> None:
    ranks = [RANK[laid(*both, margin=margin).verdict] for margin in (None, 0.0, 0.1, 0.5, 0.99)]
    assert ranks == sorted(ranks)


def test_a_side_with_one_score_of_four_leads_nobody(shared: Path) -> None:
    """M07: a mean over one of four cases looks like a mean over all."""
    graders = json.loads((shared / "known-faults/inputs/M07_partial_coverage.json").read_bytes())["graders"]
    flaky = {f"c{n}": "U" if score is None else "P" for n, score in enumerate(graders["flaky_score"])}
    always = {f"c{n}": "P" if score > 0.5 else "F" for n, score in enumerate(graders["always_score"])}
    found = laid(always, flaky)
    assert found.verdict == "cannot_tell"
    assert found.sides["new"]["unknown"] == 3
    assert (found.difference.worst, found.difference.best) == (0.25, 1.0)
    assert "undecided trials: 0 of 4 of base, 3 of 4 of new" in found.says


def test_errors_abstentions_and_refused_rows_stay_in_the_comparison(shared: Path) -> None:
    """M06: four of five scored passed, but four of ten planned are what is sure; the rest is undecided, not gone."""
    rows = [json.loads(line) for line in (shared / "known-faults/inputs/M06_mixed_outcomes.jsonl").read_bytes().splitlines()]
    told = {"error": "E", "unknown": "U"}
    letters = {
        row["case"]: told.get(row["status"]) or ("P" if row["score"] == 1.0 and row["passed"] else "F" if row["score"] == 0.0 else "-")
        for row in rows
    }
    found = laid(dict.fromkeys(letters, "F"), letters, margin=None)
    side = found.sides["new"]
    assert [side[key] for key in ("planned", "pass", "fail", "unknown", "not_run")] == [10, 4, 1, 3, 2]
    assert (found.difference.worst, found.difference.best) == (0.4, 0.9)
    assert found.verdict == "cannot_tell"
