"""What may be replayed, and what is put in for a fact."""

from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.graders.compare import equal, kind
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.tamper import Tamper, altered, carries
from fairtrial.records.trace import Span
from fairtrial.records.trial import Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.steps.upstream import Place, another, obstacle, place_of, received

ROLES = (RoleSeat(name="coo", hands_to=("cfo", "ceo")), RoleSeat(name="cfo", hands_to=("ceo",)), RoleSeat(name="ceo"))
SEAT = Seat(setup="team", roles=ROLES, lead="ceo")


def span(kind_of: str, role: str, name: str = "x", **attributes: Any) -> Span:
    return Span("1", None, kind_of, name, role, 0, 0, attributes)


def trial(*spans: Span, ending: Ending = Ending.FINISHED, altered_at: str = "", lost: int = 0) -> Trial:
    head = TrialHead(key=TrialKey("case", "team", 1), seed=1, ending=ending, lost_spans=lost)
    return Trial(head=head, body=TrialBody(spans=list(spans), altered={altered_at: "covered"} if altered_at else {}))


def test_what_follows_a_role_acts_again_and_the_rest_does_not() -> None:
    place = place_of(SEAT, "cfo", whole=False, seated=True)
    assert (place.acted, place.replayed) == (("cfo", "ceo"), ("coo",))
    assert place_of(SEAT, "cfo", whole=True, seated=True).replayed == ()
    assert place_of(SEAT, "cfo", whole=False, seated=False).replayed == ()


@pytest.mark.parametrize(
    ("recorded", "why"),
    [
        (trial(ending=Ending.WORKER_LOST), "ended as worker_lost"),
        (trial(lost=1), "not whole"),
        (trial(span("message", "coo", "user", text="?")), "spoke with the user"),
        (trial(span("tool", "coo", "mail", outcome="ok", flags=["outside"])), "acts outside"),
        (trial(span("tool", "coo", "book", outcome="failed", wrote=True, fault="rollback")), "planned fault"),
        (trial(span("handoff", "coo", "coo->ceo", event="sent", facts={"a": 1}), altered_at="spans.0.attributes.facts.a"), "not stored"),
    ],
)
def test_what_is_no_true_replay_is_refused(recorded: Trial, why: str) -> None:
    assert why in obstacle(recorded, Place(setup="team", to="ceo", acted=("ceo",), replayed=("coo", "cfo")))
    everyone = Place(setup="team", to="ceo", acted=("coo", "cfo", "ceo"))
    assert not recorded.body.spans or obstacle(recorded, everyone) == ""


def test_a_call_that_only_looked_or_never_reached_the_world_hinders_nothing() -> None:
    looked = span("tool", "coo", "look", outcome="failed", wrote=False, fault="timeout")
    refused = span("tool", "coo", "mail", outcome="refused", flags=["outside"])
    assert obstacle(trial(looked, refused), Place(setup="team", to="ceo", acted=("ceo",), replayed=("coo",))) == ""


def test_a_fact_is_received_where_the_last_parcel_names_it() -> None:
    first = span("handoff", "ceo", event="received", to="ceo", facts={"days": 1})
    later = span("handoff", "ceo", event="received", to="ceo", facts={"report": [{"days": 2}]})
    other = span("handoff", "cfo", event="received", to="cfo", facts={"days": 3})
    assert received(trial(first, later, other), "days", "ceo") == 2
    assert received(trial(other), "days", "ceo") is msgspec.UNSET


def test_another_value_is_the_farthest_number_that_a_case_states() -> None:
    assert another(4, [4, 0, 9, 3]) == 9
    assert another(4, [True, "x", 4]) == 0
    assert another(0, []) == 10
    assert another(Decimal("1.5"), []) == 0
    assert another(True, [False]) is False
    assert another("blue", ["blue", "red", "green"]) == "red"
    assert another("1.2", []) == "0"
    assert another("blue", ["blue"]) is msgspec.UNSET
    assert another(["a"], [["a"], ["b"]]) == ["b"]
    assert another(None, []) is msgspec.UNSET


VALUES = st.recursive(st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4), lambda inner: st.lists(inner, max_size=2))


@given(VALUES, st.lists(VALUES, max_size=4))
def test_another_value_is_of_the_same_kind_and_another(own: Any, offered: list[Any]) -> None:
    found = another(own, offered)
    assert found is msgspec.UNSET or (kind(found) == kind(own) and not equal(own, found))


PLAIN = st.dictionaries(
    st.sampled_from(["a", "b", "c"]), st.integers() | st.lists(st.dictionaries(st.sampled_from(["a", "b"]), st.integers()))
)


@given(PLAIN)
def test_a_hidden_fact_stands_nowhere_and_all_else_stays(facts: dict[str, Any]) -> None:
    made, found = altered(facts, Tamper(fact="a", to="ceo", way="hide"))
    assert found == carries(facts, "a") and not carries(made, "a")
    assert made == facts or found


@given(PLAIN)
def test_a_changed_fact_says_one_thing_wherever_it_stands(facts: dict[str, Any]) -> None:
    made, found = altered(facts, Tamper(fact="a", to="ceo", way="change", value="other"))
    assert carries(made, "a") == carries(facts, "a") == found
    assert altered(made, Tamper(fact="a", to="ceo", way="change", value="other"))[0] == made
