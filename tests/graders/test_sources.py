"""Sources of an answer: allowed, really fetched, as old as they say, and saying what they are cited for."""

from typing import Any

import pytest

from fairtrial.graders.addresses import comes_from, same_source
from tests.graders.making import FAIL, PASS, UNKNOWN, Grade, Tape, grade_of, make_trial, verdict_of

PAGE = "https://docs.example.org/a"
DAY = 86_400_000_000_000
BEGAN = 20_500 * DAY  # 2026-02-16
TEXT = "The limit is 20 units a day, as of spring."
CITE: dict[str, Any] = {"citations": "sources"}
QUOTED = {"url": PAGE, "quote": "The limit is 20 units a day"}


def page(result: Any = TEXT, tool: str = "fetch", args: dict[str, Any] | None = None, **more: Any) -> Tape:
    return Tape().call(tool, args or {"url": PAGE}, result, **more)


def grade(check: dict[str, Any], tape: Tape, *entries: Any, answer: dict[str, Any] | None = None, **raw: Any) -> Grade:
    trial = make_trial({**(answer or {}), "sources": list(entries)}, tape.spans, started_ns=BEGAN)
    return grade_of({**CITE, **check}, trial, **raw)


@pytest.mark.parametrize(
    ("source", "allowed", "fits"),
    [
        ("https://docs.example.org/a", "https://docs.example.org", True),
        ("https://docs.example.org/a", "example.org", True),
        ("https://EXAMPLE.org:443/a", "example.org", True),
        ("https://example.org:8443/a", "example.org:443", False),
        ("https://example.org./a", "example.org", True),
        ("https://user:word@example.org/", "example.org", True),
        ("docs.example.org/a", "example.org", True),
        ("https://a.gov/x", "gov", True),
        ("https://agov/x", "gov", False),
        ("https://bücher.example/", "xn--bcher-kva.example", True),
        ("https://example.org/guide/x", "example.org/guide", True),
        ("kb-12", "kb", True),
        ("kbx", "kb", False),
        ("https://docs.example.org.evil.test/a", "https://docs.example.org", False),
        ("https://evil-example.org/", "example.org", False),
        ("https://example.org@evil.test/", "example.org", False),
        ("https://evil.test\\@example.org/", "example.org", False),
        ("https://evil.test/example.org", "example.org", False),
        ("https://evil.test?example.org", "example.org", False),
        ("https://\u0435xample.org/", "example.org", False),
        ("https://example.org%2eevil.test/", "example.org", False),
        ("https://example.org:evil.test/", "example.org", False),
        ("https://example.org/guide/../secret", "example.org/guide", False),
        ("https://example.org/guide/%2e%2e/secret", "example.org/guide", False),
        ("https://example.org/guidebook", "example.org/guide", False),
        ("example.org.evil.test", "example.org", False),
        ("example.org-evil.test", "example.org", False),
        ("http://example.org/", "https://example.org", False),
        ("javascript://example.org/%0aalert(1)", "example.org", False),
        ("ftp://example.org/a", "example.org", False),
    ],
)
def test_a_host_that_only_looks_allowed_is_not(source: str, allowed: str, fits: bool) -> None:
    assert comes_from(source, allowed) is fits


def test_one_page_has_several_addresses() -> None:
    assert same_source("https://Docs.Example.org/a/", "http://docs.example.org:80/a#top")
    assert not same_source("https://docs.example.org/a?page=2", PAGE)
    assert not same_source("https://docs.example.org/A", PAGE)


def test_a_list_of_hits_is_not_the_page() -> None:
    hits = [{"url": PAGE, "title": "Limits", "snippet": TEXT}]
    assert str(grade({"fetched": True}, page(hits, "search", {"query": "limit"}), PAGE).verdict) == FAIL
    assert str(grade({"fetched": True}, page(hits, "search", {"query": PAGE}), PAGE).verdict) == FAIL
    assert str(grade({"fetched": True}, page(f"see {PAGE} for more", "fetch", {"url": "https://else.test/"}), PAGE).verdict) == FAIL


def test_a_page_is_what_was_opened_or_came_with_its_content() -> None:
    assert str(grade({"fetched": True}, page(), PAGE).verdict) == PASS
    assert str(grade({"fetched": True}, page([{"id": "doc-1", "text": TEXT}], "retrieve", {"query": "limit"}), "doc-1").verdict) == PASS
    assert str(grade({"fetched": True}, page({"status": 404, "error": "no such page"}), PAGE).verdict) == FAIL
    assert str(grade({"fetched": True}, page(outcome="failed"), PAGE).verdict) == FAIL
    assert str(grade({"fetched": True}, page("saved", "bookmark", wrote=True), PAGE).verdict) == FAIL


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [
        ("The limit is 20 units a day", PASS),
        ("limit is 20 units … as of spring.", PASS),
        ("“The limit is  20 units a day,”", PASS),
        ("as of spring ... limit is 20 units", FAIL),
        ("The limit is 2", FAIL),
        ("The limit is 30 units a day", FAIL),
        ("the", FAIL),
    ],
)
def test_a_quote_stands_word_for_word_on_the_page(quote: str, verdict: str) -> None:
    assert str(grade({"supports": True}, page(), {"url": PAGE, "quote": quote}).verdict) == verdict


def test_a_real_source_must_say_what_it_is_cited_for() -> None:
    assert str(grade({"supports": True}, page(), {**QUOTED, "claim": "The limit is 20."}).verdict) == PASS
    found = grade({"supports": True}, page(), {**QUOTED, "claim": "The limit is 70."})
    assert (str(found.verdict), found.kind) == (FAIL, "hallucination") and "70" in found.why


def test_the_page_says_how_old_it_is_and_not_the_answer_alone() -> None:
    recent, old = {"text": TEXT, "published": "2026-02-10"}, {"text": TEXT, "published": "2019-02-10"}
    asked = {"max_age_days": 30}
    assert str(grade(asked, page(recent), {"url": PAGE, "date": "10 February 2026"}).verdict) == PASS
    assert str(grade(asked, page(recent), PAGE).verdict) == PASS
    assert str(grade(asked, page(old), PAGE).verdict) == FAIL
    lie = grade(asked, page(old), {"url": PAGE, "date": "2026-02-10"})
    assert (str(lie.verdict), lie.kind) == (FAIL, "hallucination") and "2019-02-10" in lie.why
    assert str(grade(asked, page(f"Published on 10 Feb 2019. {TEXT}"), {"url": PAGE, "date": "2026-02-10"}).verdict) == FAIL
    assert str(grade(asked, page({**old, "updated": "2026-02-01"}), PAGE).verdict) == PASS
    assert str(grade(asked, page(), {"url": PAGE, "date": "2027-02-10"}).verdict) == FAIL


def test_key_facts_are_covered_as_a_share() -> None:
    raw: dict[str, Any] = {"facts": {"limit": 20, "since": 2020}, "fact_notes": {"limit": {"found_as": ["limit is 20"]}}}
    asked = {"covers": ["limit", "since"]}
    found = grade({**asked, "min_covered": 0.5}, page(), QUOTED, **raw)
    assert str(found.verdict) == PASS and "1 of 2" in found.why
    assert found.evidence is not None and found.evidence.seen == {"covered": 0.5, "missing": ["since"]}
    assert str(grade(asked, page(), QUOTED, **raw).verdict) == FAIL
    dropped = grade(asked, page("since 2020"), QUOTED, **raw)
    assert dropped.kind == "context_loss" and grade(asked, page("nothing"), QUOTED, **raw).kind == "premature_stop"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ({"text": "The limit is twenty units a day [1]."}, PASS),
        ({"text": f"The limit is twenty units a day ({PAGE})."}, PASS),
        ({"text": "The limit is twenty units a day. [1] It is kept. [1]"}, PASS),
        ({"points": [{"says": "The limit is twenty units a day.", "cites": [1]}]}, PASS),
        ({"text": "The limit is 20 units a day."}, PASS),
        ({"text": "Is the limit really so low?"}, PASS),
        ({"opinion": "The limit seems rather low to us."}, PASS),
        ({"text": "The limit is lifted on Sundays."}, FAIL),
        ({"text": "The limit is twenty units a day [2]."}, FAIL),
        ({"points": [{"says": "The limit is lifted on Sundays.", "cites": [3]}]}, FAIL),
        ({"text": "限额在周日取消。"}, FAIL),
    ],
)
def test_every_statement_leads_to_a_citation(answer: dict[str, Any], verdict: str) -> None:
    assert str(grade({"every_claim": True}, page(), QUOTED, answer=answer).verdict) == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ({"text": "The limit should be raised."}, FAIL),
        ({"text": "The limit will rise next year."}, FAIL),
        ({"text": "明年限额将会提高。"}, FAIL),
        ({"text": "In our view the limit should be raised."}, PASS),
        ({"text": "我们认为明年限额将会提高。"}, PASS),
        ({"outlook": "The limit will rise next year."}, PASS),
        ({"points": [{"kind": "opinion", "says": "The limit should be raised."}]}, PASS),
        ({"text": "It says “the limit should be raised”."}, PASS),
        ({"text": "The limit is 20 units a day."}, PASS),
    ],
)
def test_an_opinion_is_marked_as_one(answer: dict[str, Any], verdict: str) -> None:
    assert str(grade({"opinions": "marked"}, page(), QUOTED, answer=answer).verdict) == verdict


def test_a_case_may_add_words_that_show_an_opinion() -> None:
    answer = {"text": "The limit is a scandal."}
    assert str(grade({"opinions": "marked"}, page(), QUOTED, answer=answer).verdict) == PASS
    assert str(grade({"opinions": {"signs": ["a scandal"]}}, page(), QUOTED, answer=answer).verdict) == FAIL


def test_every_fault_is_named_and_not_the_first_alone() -> None:
    found = grade({"supports": True, "sources": ["example.com"]}, page(), QUOTED, "https://made.up/x")
    assert "not among" in found.why and "never fetched" in found.why
    assert found.evidence is not None and len(found.evidence.seen["faults"]) == 3


def test_what_cannot_be_told_goes_behind_what_is_wrong() -> None:
    trial = make_trial({"sources": [PAGE, "https://else.test/"]}, page().spans, lost_spans=1)
    assert verdict_of({**CITE, "fetched": True}, trial) == UNKNOWN
    assert verdict_of({**CITE, "fetched": True, "sources": ["example.org"]}, trial) == FAIL
