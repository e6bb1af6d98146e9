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
