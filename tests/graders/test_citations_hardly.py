"""Citations against pages that are none, dates that say little, and quotes that show nothing."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.graders.making import FAIL, PASS, UNKNOWN, Tape, make_trial, verdict_of

NOW = int(datetime(2026, 6, 15, tzinfo=UTC).timestamp() * 1e9)
URL = "https://docs.example.org/a"


def cited(entry: Any, check: dict[str, Any], result: Any, url: str = URL) -> str:
    spans = Tape().call("fetch", {"url": url}, result).spans
    return verdict_of({"citations": "sources", **check}, make_trial({"sources": [entry]}, spans, started_ns=NOW))


@pytest.mark.parametrize(
    "page",
    [
        {"status": "404", "text": "Not found"},
        {"statusCode": 500, "body": "an accident"},
        {"success": False, "message": "no such page"},
        {"ok": False, "text": "no such page"},
        {"isError": True, "content": "no such page"},
        {"url": URL, "text": "403 Forbidden"},
        "404 Not Found",
        "HTTP/1.1 503 Service Unavailable",
        "Error: connection refused",
        "Could not fetch the page",
        "  \n",
        {"text": ""},
        {"url": URL, "text": " "},
    ],
)
def test_a_refusal_and_an_empty_page_are_no_page(page: Any) -> None:
    assert cited(URL, {"fetched": True}, page) == FAIL


@pytest.mark.parametrize(
    "page", ["Error rates fell by half.", "404 people live here.", {"status": "200", "text": "All is well."}, "500 % more"]
)
def test_a_page_that_speaks_of_errors_is_a_page(page: Any) -> None:
    assert cited(URL, {"fetched": True}, page) == PASS


@pytest.mark.parametrize(
    ("asked", "named", "verdict"),
    [
        (f"{URL}?x=1&y=2", f"{URL}?y=2&x=1", PASS),
        (f"{URL}?utm_source=mail", URL, PASS),
        (f"{URL}?x=1", f"{URL}?x=2", FAIL),
        (f"{URL}?x=1", URL, FAIL),
        ("https://example.org/a%20b", "https://example.org/a b", PASS),
        ("https://example.org/ab", "https://example.org/a b", FAIL),
    ],
)
def test_one_page_under_two_spellings_of_its_address(asked: str, named: str, verdict: str) -> None:
    assert cited(named, {"fetched": True}, "All is well.", asked) == verdict


def test_a_page_is_known_by_the_address_that_it_was_led_to() -> None:
    page = {"final_url": "https://example.org/new", "text": "All is well."}
    assert cited("https://example.org/new", {"fetched": True}, page, "https://example.org/old") == PASS


@pytest.mark.parametrize(
    ("page", "verdict"),
    [
        ({"date": "2020"}, FAIL),
        ({"year": 2020}, FAIL),
        ({"date": "2026"}, PASS),
        ({"date": "2025"}, UNKNOWN),
        ({"date": "March 2020"}, FAIL),
        ({"date": "2026-03"}, PASS),
        ({"published_at": "2025-06-14T23:30:00-05:00"}, PASS),
        ({"published_at": "2025-06-13T23:30:00-05:00"}, FAIL),
        ({"published_at": 1577836800}, FAIL),
        ({"published_at": 1780272000000}, PASS),
        ({"headers": {"Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT"}}, FAIL),
        ({"pubDate": "2015-10-21"}, FAIL),
        ({"date": "2027-06-01"}, UNKNOWN),
        ({"published": "2015-01-01", "text": "This offer ends, date: 2030-01-01"}, FAIL),
    ],
)
def test_how_old_a_page_is_as_finely_as_it_says(page: dict[str, Any], verdict: str) -> None:
    assert cited({"url": URL}, {"max_age_days": 365}, {"url": URL, "text": "All is well.", **page}) == verdict


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [("2026", PASS), ("June 2026", PASS), ("2026-06-01", PASS), ("2021", FAIL), ("May 2026", FAIL), ("2026-06-03", FAIL)],
)
def test_a_date_that_the_page_does_not_give_is_made_up_however_little_it_says(stated: str, verdict: str) -> None:
    page = {"url": URL, "text": "All is well.", "date": "2026-06-01"}
    assert cited({"url": URL, "date": stated}, {"max_age_days": 365}, page) == verdict


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [("The bridge … in 1998", PASS), ("the bridge opened", PASS), ("The … is … in", FAIL), ("THE BRIDGE OPENED", FAIL)],
)
def test_a_quote_of_scraps_shows_nothing(quote: str, verdict: str) -> None:
    assert cited({"url": URL, "quote": quote}, {"supports": True}, "The bridge opened in 1998, and it is long.") == verdict
