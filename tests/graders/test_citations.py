"""Citations: fetched, quoted, from where they may come, and not too old."""

from typing import Any

import pytest

from tests.graders.making import FAIL, PASS, UNKNOWN, Tape, grade_of, make_trial, verdict_of

PAGE = "https://docs.example.org/a"
DAY = 86_400_000_000_000
TAPE = Tape().call("fetch", {"url": PAGE}, {"text": "The limit is  20\nunits a day.", "date": "2026-11-01"})
CITE: dict[str, Any] = {"citations": "sources"}


def cited(*entries: Any, **more: Any) -> Any:
    return make_trial({"sources": list(entries)}, TAPE.spans, **more)


def test_a_source_must_have_been_fetched() -> None:
    assert verdict_of({**CITE, "fetched": True}, cited(PAGE)) == PASS
    grade = grade_of({**CITE, "fetched": True}, cited(PAGE, "https://else.example.com"))
    assert (str(grade.verdict), grade.kind) == (FAIL, "hallucination")
    assert grade.evidence is not None and grade.evidence.path == "sources[1]"
    assert verdict_of({**CITE, "fetched": True}, make_trial({"sources": [PAGE]}, lost_spans=1)) == UNKNOWN


def test_a_quote_must_stand_in_what_was_fetched() -> None:
    assert verdict_of({**CITE, "supports": True}, cited({"url": PAGE, "quote": "The limit is 20 units a day."})) == PASS
    assert verdict_of({**CITE, "supports": True}, cited({"url": PAGE, "quote": "The limit is 30 units"})) == FAIL
    assert verdict_of({**CITE, "supports": True}, cited(PAGE)) == FAIL


def test_a_claim_without_a_quote_stands_there_itself_or_only_a_judge_can_tell() -> None:
    for claim, wanted in [
        ("The limit is 20 units a day", PASS),
        ("the limit is 20 units a day.", PASS),  # a capital at the beginning is the sentence's
        ("The limit is 20 Units a day.", UNKNOWN),  # another word, as far as code can tell
        ("No more than 20 units may be had each day.", UNKNOWN),
        ("No more than 30 units may be had each day.", FAIL),
        ("20", UNKNOWN),
    ]:
        assert verdict_of({**CITE, "supports": True}, cited({"url": PAGE, "claim": claim})) == wanted, claim
    both = cited({"url": PAGE, "claim": "The limit is 20 units a day."}, {"url": PAGE, "claim": "It may be raised."})
    grade = grade_of({**CITE, "supports": True}, both)
    assert str(grade.verdict) == UNKNOWN and "only a judge can tell (by: NAME), or a quote" in grade.why


def test_sources_are_prefixes_or_hosts() -> None:
    for allowed, wanted in [("https://docs.example.org", PASS), ("example.org", PASS), ("ample.org", FAIL), ("https://other.org", FAIL)]:
        assert verdict_of({**CITE, "sources": [allowed]}, cited(PAGE)) == wanted


def test_age_is_counted_from_the_day_of_the_trial() -> None:
    began = 20_500 * DAY  # 2026-02-16
    entry = {"url": "https://docs.example.org/b", "date": "2026-02-10"}
    assert verdict_of({**CITE, "max_age_days": 7}, cited(entry, started_ns=began)) == PASS
    assert verdict_of({**CITE, "max_age_days": 5}, cited(entry, started_ns=began)) == FAIL
    assert verdict_of({**CITE, "max_age_days": 5}, cited(entry)) == UNKNOWN
    assert verdict_of({**CITE, "max_age_days": 5}, cited("https://docs.example.org/b", started_ns=began)) == FAIL


def test_key_facts_are_covered_and_nothing_cited_is_a_failure() -> None:
    facts: dict[str, Any] = {"facts": {"daily_limit": 20}, "fact_notes": {"daily_limit": {"found_as": ["limit is 20"]}}}
    assert verdict_of({**CITE, "covers": ["daily_limit"]}, cited({"url": PAGE, "quote": "The limit is 20 units"}), **facts) == PASS
    assert verdict_of({**CITE, "covers": ["daily_limit"]}, cited(PAGE), **facts) == FAIL
    assert verdict_of({**CITE, "fetched": True}, make_trial({"sources": []}, TAPE.spans)) == FAIL
    assert verdict_of({**CITE, "fetched": True}, make_trial({}, TAPE.spans)) == FAIL


@pytest.mark.parametrize(
    ("fact", "claim", "wanted"),
    [
        (62, "It is 62 metres high.", PASS),
        (62, "It is 60 metres high.", FAIL),
        (62, "It is 620 metres high.", FAIL),
        (120_000, "Some 120,000 people came.", PASS),
        (0.25, "A quarter, or 25 %.", PASS),
        (2, "It has 2 lanes.", FAIL),
        (True, "It is 1 of them.", FAIL),
    ],
)
def test_a_key_fact_that_is_a_number_is_covered_by_a_claim_that_states_it(fact: Any, claim: str, wanted: str) -> None:
    check = {**CITE, "covers": ["height"]}
    assert verdict_of(check, cited({"url": PAGE, "claim": claim}), facts={"height": fact}) == wanted
