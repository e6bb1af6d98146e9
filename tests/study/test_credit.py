"""What a role earns, read from trials: words only where the interval, the correction and the undecided trials allow them."""

import random
from decimal import Decimal

import pytest

from fairtrial.records.change import Change
from fairtrial.records.credit import Credit, Effect, Variant
from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import TrialHead
from fairtrial.study.credit import NEAR, Tried, read_credit, settled
from fairtrial.study.table import Table
from tests.study.judged import label
from tests.study.tables import spent, table

Cases = dict[str, str]


def _variant(*roles: str, kind: str = "remove", lost: tuple[str, ...] = ()) -> Variant:
    sign = {"remove": "-", "replace": "~", "mend": "+"}[kind]
    changes = tuple(Change(kind=kind, role=role) for role in roles)
    name = " ".join(["team", *(f"{sign} {role}" for role in roles)])
    return Variant(setup=name, kind=kind, changes=changes, information="removed" if lost else "kept", lost=lost)


def _read(found: Table, singles: list[Variant], **more: object) -> Credit:
    roles = tuple(dict.fromkeys(role for one in singles for role in one.roles))
    trials = {"planned": 1, "reused": 0, "run": 1, "not_run": 0}
    asked = {"suite": "s", "path": ".", "setup": "team", "roles": roles, "lead": None, "singles": singles, "trials": trials, **more}
    return read_credit(found, Tried(**asked))  # type: ignore[arg-type]


def _removed(found: Credit, role: str = "a") -> Effect:
    effect = next(one for one in found.roles if one.role == role).removed
    assert effect is not None
    return effect


def _cases(letters: str, n: int = 20) -> Cases:
    return {f"c{place:02d}": letters for place in range(n)}


def test_a_removal_that_takes_success_away_reads_essential_and_one_that_brings_it_harmful() -> None:
    setups = {"team": _cases("PPFF"), "team - a": _cases("FFFF"), "team - b": _cases("PPPP")}
    found = _read(table(setups), [_variant("a"), _variant("b")])
    assert [role.reading for role in found.roles] == ["essential", "harmful"]
    assert found.next == "drop b if the comparison allows it" and "a is essential" in found.says and "b is harmful" in found.says


def test_no_effect_is_said_only_where_the_interval_leaves_no_large_one_open() -> None:
    found = _read(table({"team": _cases("PPPF"), "team - a": _cases("PPPF")}), [_variant("a")])
    few = _read(table({"team": _cases("PF", 3), "team - a": _cases("PF", 3)}), [_variant("a")])
    assert _removed(found).reading == "no_effect" and "is not ruled out" in found.says
    assert _removed(few).reading == "cannot_tell" and "too few" in _removed(few).why
    for effect, inside in ((_removed(found), True), (_removed(few), False)):
        assert effect.difference is not None and effect.difference.low is not None
        assert (-effect.difference.low <= NEAR) is inside


@pytest.mark.parametrize("letter", ["U", "-"])
def test_undecided_trials_that_could_turn_a_reading_keep_it_from_being_said(letter: str) -> None:
    sure = _read(table({"team": _cases("PPPP"), "team - a": _cases("FFFF")}), [_variant("a")])
    unsure = _read(table({"team": _cases("PPPP"), "team - a": _cases(4 * letter)}), [_variant("a")])
    half = _read(table({"team": _cases("PPPP"), "team - a": _cases("PPP" + letter)}), [_variant("a")])
    assert _removed(sure).reading == "essential"
    assert _removed(unsure).reading == "cannot_tell" and _removed(half).reading == "cannot_tell"


def test_a_difference_that_does_not_stand_once_corrected_cannot_be_told() -> None:
    """Six cases moved of twenty: p = 0.031 alone, and above 0.05 among five roles."""
    moved = {f"c{place:02d}": "F" if place < 6 else "P" for place in range(20)}
    same = {name: _cases("P") for name in ("team", *(f"team - {role}" for role in "bcde"))}
    alone = _read(table({"team": _cases("P"), "team - a": moved}), [_variant("a")])
    among = _read(table({**same, "team - a": moved}), [_variant(role) for role in "abcde"])
    assert _removed(alone).reading == "essential" and _removed(among).reading == "cannot_tell"
    assert _removed(among).p_value == _removed(alone).p_value and "corrected" in _removed(among).why


def test_two_roles_of_which_one_is_needed_are_told_so_and_neither_is_called_idle_for_good() -> None:
    setups = {name: _cases("PPPP") for name in ("team", "team - a", "team - b")} | {"team - a - b": _cases("FFFF")}
    found = _read(table(setups), [_variant("a"), _variant("b")], pairs=[_variant("a", "b")])
    assert [role.needed_with for role in found.roles] == [["b"], ["a"]]
    assert "one of a and b is needed, not both" in found.says and found.next.startswith("drop a, keep b,")


def test_a_lead_is_read_by_its_stand_in() -> None:
    setups = {"team": _cases("PPPP"), "team ~ a": _cases("FFFF")}
    refused = Variant(setup="team - a", kind="remove", changes=(Change(kind="remove", role="a"),), refused="it answers")
    found = _read(table(setups), [refused, _variant("a", kind="replace")], lead="a")
    assert found.roles[0].reading == "essential" and "success falls with the stand-in for a" in found.says
    assert "a is essential" not in found.says and found.next == "keep every role"


def test_pairs_are_looked_for_among_roles_whose_interval_holds_0() -> None:
    setups = {"team": _cases("PPPF"), "team - a": _cases("FFFF"), "team - b": _cases("PPPF"), "team - c": _cases("PPPF")}
    assert settled(table(setups), "team", [_variant(role) for role in "abc"]) == ["b", "c"]


def test_a_mend_that_helps_is_where_to_mend() -> None:
    setups = {"team": _cases("FFFF"), "team - a": _cases("FFFF"), "team + a": _cases("PPPP")}
    found = _read(table(setups), [_variant("a"), _variant("a", kind="mend")])
    mended = found.roles[0].mended
    assert mended is not None and mended.reading == "helps" and found.next.startswith("mend what a gets")


def test_what_a_role_costs_is_what_the_team_saves_without_it() -> None:
    def price(head: TrialHead, card: Scorecard) -> None:
        head.spend = spent("0.10" if head.key.setup == "team" else "0.07")

    setups = {"team": _cases("PP"), "team - a": _cases("PP")}
    priced, free = _read(table(setups, price), [_variant("a")]).roles[0], _read(table(setups), [_variant("a")]).roles[0]
    assert priced.costs_usd == Decimal("0.03") and free.costs_usd is None and "cost" in free.reasons["costs_usd"]


def test_a_change_that_was_refused_is_told_with_its_reason_and_counts_in_no_correction() -> None:
    refused = Variant(setup="team - z", kind="remove", changes=(Change(kind="remove", role="z"),), refused="it answers")
    found = _read(table({"team": _cases("PP"), "team - a": _cases("FF")}), [refused, _variant("a")])
    assert (_removed(found, "z").tried, _removed(found, "z").why) == (False, "it answers")
    assert _removed(found).p_holm == _removed(found).p_value


def test_information_that_was_removed_stands_beside_the_reading() -> None:
    found = _read(table({"team": _cases("PP"), "team - a": _cases("FF")}), [_variant("a", lost=("sum: a alone works it out",))])
    assert found.roles[0].says.endswith("[information removed]") and "information was removed with a" in found.says


def test_nothing_decided_of_the_whole_team_is_invalid() -> None:
    found = _read(table({"team": _cases("EE"), "team - a": _cases("PP")}), [_variant("a")])
    assert found.verdict == "invalid" and _removed(found).reading == "cannot_tell"


def test_shares_follow_from_the_coalitions() -> None:
    setups = {"team": _cases("PPPP"), "team - a": _cases("PPFF"), "team - b": _cases("PPPP"), "team - a - b": _cases("PPFF")}
    coalitions = {frozenset("ab"): "team", frozenset("b"): "team - a", frozenset("a"): "team - b", frozenset(): "team - a - b"}
    found = _read(table(setups), [_variant("a"), _variant("b")], coalitions=coalitions)
    assert found.coalitions is not None and found.coalitions["shares"] == {"a": 0.5, "b": 0.0}
    missing = _read(table({"team": _cases("PPPP")}), [_variant("a")], coalitions=coalitions)
    assert missing.coalitions is not None and missing.coalitions["reason"] == "not every coalition was tried"


def _drawn(chance: random.Random, rates: list[float]) -> Cases:
    return {f"c{place:02d}": "".join("P" if chance.random() < rate else "F" for _ in range(5)) for place, rate in enumerate(rates)}


def test_over_many_draws_useless_roles_are_seldom_called_anything_and_planted_ones_are_found() -> None:
    """40 cases of 5 trials, four useless roles, one that is needed (a fifth of success) and one that harms (a tenth).

    Holm over the six keeps a false word at 5 % of all draws at most; 60 draws allow 9 at that rate (p = 0.001).
    """
    chance = random.Random(7)
    wrong = essential = harmful = 0
    for _ in range(60):
        base = [chance.betavariate(4, 2) for _ in range(40)]
        rates = {"e": [0.7 * rate for rate in base], "h": [rate + 0.5 * (1 - rate) for rate in base], **dict.fromkeys("abcd", base)}
        setups = {"team": _drawn(chance, base)} | {f"team - {role}": _drawn(chance, own) for role, own in rates.items()}
        read = {role.role: role.reading for role in _read(table(setups), [_variant(role) for role in rates]).roles}
        wrong += any(read[role] in ("essential", "harmful") for role in "abcd")
        essential += read["e"] == "essential"
        harmful += read["h"] == "harmful"
    assert wrong <= 9
    assert essential >= 54 and harmful >= 50


def _six_moved(roles: str) -> Table:
    moved = {f"c{place:02d}": "FF" if place < 6 else "PP" for place in range(20)}
    return table({**{name: _cases("PP") for name in ("team", *(f"team - {role}" for role in roles))}, "team - a": moved})


def test_a_role_that_only_the_correction_keeps_from_being_essential_is_named_before_any_is_dropped() -> None:
    found = _read(_six_moved("bcde"), [_variant(role) for role in "abcde"])
    effect = _removed(found)
    assert (effect.reading, effect.leaning) == ("cannot_tell", "needed") and effect.cases_needed is not None and effect.cases_needed > 20
    assert found.says.index("a is likely needed") < found.says.index("next: ")
    assert found.next.startswith("drop b, keep a") and f"about {effect.cases_needed} cases would mostly show it" in found.says


def test_asking_for_one_role_after_the_others_were_looked_at_does_not_change_its_p() -> None:
    among = _read(_six_moved("bcde"), [_variant(role) for role in "abcde"])
    alone = _read(_six_moved("bcde"), [_variant("a")], before={"remove": list("bcde")}, team=tuple("abcde"))
    assert _removed(alone).p_holm == _removed(among).p_holm and _removed(alone).reading == "cannot_tell"
    assert alone.not_looked_at == list("bcde") and alone.looked_at_before == {"remove": list("bcde")}


def test_every_role_is_kept_only_where_every_role_was_looked_at() -> None:
    setups = table({"team": _cases("PP"), "team - a": _cases("FF")})
    assert _read(setups, [_variant("a")], team=("a",)).next == "keep every role"
    narrowed = _read(setups, [_variant("a")], team=("a", "b"))
    assert narrowed.next == "look at the other roles before one is dropped: b" and narrowed.command == "fairtrial credit . --setup team"


def test_no_role_is_dropped_whose_pair_with_another_is_likely_needed() -> None:
    moved = {f"c{place:02d}": "FF" if place < 6 else "PP" for place in range(20)}
    pairs = [_variant("a", "b"), _variant("a", "c"), _variant("b", "c")]
    same = {name: _cases("PP") for name in ("team", "team - a", "team - b", "team - c", "team - a - c", "team - b - c")}
    found = _read(table({**same, "team - a - b": moved}), [_variant(role) for role in "abc"], pairs=pairs)
    assert "one of a and b is likely needed" in found.says and found.next.startswith("drop c")


def _all_judged(head: TrialHead, card: Scorecard) -> None:
    card.judged = {"quality": "id-1"}


def test_no_role_is_read_from_the_verdicts_of_a_judge_alone() -> None:
    """A judge may err more on the team without the role than on the whole one: labels of people on both sides tell."""
    setups = {"team": _cases("PPFF", 40), "team - a": _cases("FFFF", 40), "team - b": _cases("PPPP", 40), "team - c": _cases("PPFF", 40)}
    singles = [_variant("a"), _variant("b"), _variant("c")]
    told = table(setups, _all_judged)
    found = _read(told, singles)
    assert [role.reading for role in found.roles] == ["cannot_tell"] * 3
    assert "its verdicts alone tell no difference" in _removed(found).why
    for name, letters in (("team", "PPFF"), ("team - a", "FFFF"), ("team - b", "PPPP"), ("team - c", "PPFF")):
        label(told.lanes[name], _cases(letters, 40))
    assert [role.reading for role in _read(told, singles).roles] == ["essential", "harmful", "no_effect"]


def test_a_role_is_read_from_what_code_shows_as_well() -> None:
    """Code fails the team without the role; the judge decides what code left."""

    def change(head: TrialHead, card: Scorecard) -> None:
        if head.key.setup == "team":
            _all_judged(head, card)

    found = _read(table({"team": _cases("PPPF", 40), "team - a": _cases("FFFF", 40)}, change), [_variant("a")])
    assert _removed(found).reading == "essential"
