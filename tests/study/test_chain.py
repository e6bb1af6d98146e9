"""What a chain of hand-offs would do if its links were independent, beside what was seen."""

import pytest

from fairtrial.records.grade import Scorecard
from fairtrial.records.trial import TrialHead
from fairtrial.study import chain
from fairtrial.study.lane import Lane
from tests.study.tables import VERDICTS, one


def chained(*trials: str) -> Lane:
    """One letter a link, one text a trial."""

    def change(trial: TrialHead, graded: Scorecard) -> None:
        letters = trials[trial.key.attempt - 1]
        graded.handoffs = {f"r{place}->r{place + 1}": VERDICTS[letter] for place, letter in enumerate(letters)}

    return one({"a": "P" * len(trials)}, change).lane()


def test_three_links_of_95_percent_would_hold_together_in_857_of_1000() -> None:
    lane = chained(*["PPP"] * 57, "FPP", "PFP", "PPF")
    links = chain.links(lane)
    assert [link.handoff for link in links] == ["r0->r1", "r1->r2", "r2->r3"]
    assert all(link.kept == pytest.approx(59 / 60) and link.n == 60 for link in links)
    assert chain.product(links) == pytest.approx((59 / 60) ** 3)
    assert chain.joint(lane) == pytest.approx(57 / 60)
    lane = chained(*["PPP"] * 19, "FFF")
    assert chain.product(chain.links(lane)) == pytest.approx(0.95**3) == pytest.approx(0.857, abs=5e-4)
    assert chain.joint(lane) == pytest.approx(0.95)


def test_an_unknown_link_is_neither_kept_nor_lost() -> None:
    lane = chained("PU", "PP", "FU")
    links = chain.links(lane)
    assert [(link.kept, link.n, link.unknown) for link in links] == [(pytest.approx(2 / 3), 3, 0), (1.0, 1, 2)]
    assert chain.joint(lane) == 0.5


def test_a_link_that_was_never_decided_has_no_share_and_the_chain_no_product() -> None:
    lane = chained("PU")
    links = chain.links(lane)
    assert links[1].kept is None
    assert chain.product(links) is None
    assert chain.joint(lane) is None


def test_without_hand_offs_there_is_no_chain() -> None:
    lane = one({"a": "P"}).lane()
    assert (chain.links(lane), chain.product([]), chain.joint(lane)) == ([], None, None)


def by_case(trials: dict[str, list[str]]) -> Lane:
    """One letter a link, one text a trial, by case."""

    def change(trial: TrialHead, graded: Scorecard) -> None:
        letters = trials[trial.key.case][trial.key.attempt - 1]
        graded.handoffs = {f"r{place}->r{place + 1}": VERDICTS[letter] for place, letter in enumerate(letters)}

    return one({case: "P" * len(found) for case, found in trials.items()}, change).lane()


def test_every_case_weighs_the_same_and_the_interval_knows_repeats() -> None:
    lane = by_case({"a": ["P"] * 9, "b": ["F"]})
    link = chain.links(lane)[0]
    assert (link.kept, link.n, link.cases) == (0.5, 10, 2)
    spread, alike = chain.links(by_case({f"c{place}": ["P" if place < 9 else "F"] * 10 for place in range(10)}))[0], link
    assert spread.low is not None
    assert spread.low < 0.75  # ten trials of a case are no ten cases
    assert alike.low is not None


def test_links_that_fail_together_are_told_from_links_that_do_not() -> None:
    together = by_case({f"c{place}": ["PPP" if place % 5 else "FFF"] * 5 for place in range(40)})
    whole = chain.whole(together, chain.links(together))
    assert whole is not None
    assert whole.product == pytest.approx(0.8**3)
    assert whole.joint.value == pytest.approx(0.8)
    assert whole.beyond_low is not None
    assert 0 < whole.beyond_low < 0.8 - 0.8**3
    assert "they fail together, not independently" in whole.says
    assert "0.857" not in whole.says
    assert "85.7 %" in whole.textbook


def test_links_that_fail_one_at_a_time_are_told_too() -> None:
    apart = by_case({f"c{place}": [("FPP", "PFP", "PPF", "PPP")[(place + turn) % 4] for turn in range(4)] for place in range(40)})
    whole = chain.whole(apart, chain.links(apart))
    assert whole is not None
    assert whole.joint.value == 0.25
    assert whole.product == pytest.approx(0.75**3)
    assert whole.beyond is not None
    assert whole.beyond < 0
    assert whole.beyond_low is None  # every case went alike, so nothing says how far the next one lies


def test_a_chain_of_which_nothing_is_decided_says_so() -> None:
    lane = by_case({"a": ["PU"]})
    whole = chain.whole(lane, chain.links(lane))
    assert whole is not None
    assert (whole.n, whole.unknown, whole.product, whole.beyond) == (0, 1, None, None)
    assert (whole.joint.worst, whole.joint.best) == (0.0, 1.0)
    assert whole.says == "a hand-off was never decided, so nothing can be said of the whole chain"
    assert chain.whole(one({"a": "P"}).lane(), []) is None
