"""What is kept of long replies: their beginning, with how long they were and a hash."""

from fairtrial.judges.asking import KEPT
from fairtrial.judges.judge import Judge
from fairtrial.records.text import content_hash
from tests.judges.asked import one_sided, saying, shown


def test_a_long_reply_is_kept_cut_with_its_length_and_hash() -> None:
    said = "x" * (KEPT * 20)
    (answer,) = Judge("q", one_sided(), [saying(said)]).opinion(shown()).answers
    assert answer.problem
    for reply in answer.replies:
        assert reply == f"{said[:KEPT]}… [cut from {len(said)} characters, {content_hash(said)}]"


def test_a_reply_of_a_usual_length_is_kept_whole() -> None:
    (answer,) = Judge("q", one_sided(), [saying("y" * KEPT)]).opinion(shown()).answers
    assert answer.replies[0] == "y" * KEPT
