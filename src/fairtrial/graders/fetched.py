"""Which pages a trial really opened, what stands on them, and of what day they say they are.

A source was fetched where a call that succeeded named it in its arguments, or returned it with its content. A search that was
asked for an address, or a list of hits that names it with a line of its text, is not the page; neither is a call that wrote
something down, or a page that answered with an error. Kept out: what is made of the pages (`citations.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from fairtrial.graders.addresses import same_source
from fairtrial.graders.dates import moments_in
from fairtrial.graders.numbers import fold_digits
from fairtrial.graders.tools import arguments, read_text
from fairtrial.graders.view import View, flags_of
from fairtrial.records.trace import Span

NAMES = ("url", "source", "id", "doc", "doc_id", "document_id", "page", "link", "href", "uri", "path")
_CONTENT = ("text", "content", "body", "passage", "passages", "page_content", "markdown", "html", "document", "raw_content", "article")
_ASKED = frozenset(("query", "q", "question", "search", "keywords", "keyword", "terms", "text", "prompt", "note", "notes", "comment"))
"""Arguments that say what is looked for, not what is opened."""
_DATED = re.compile(
    r"(?:^|_)(?:date|published|publish_date|published_at|updated|updated_at|modified|last_modified|released|posted|created)(?:_at|_on|_date)?$"
    r"|^date(?:Published|Modified|Created)$|^(?:published|updated|modified)At$|日期|发布|更新"
)
_SAYS_DATE = re.compile(r"(?:published|updated|posted|last modified|date|发布|更新|日期)\b[^\n]{0,24}$", re.IGNORECASE)
_DETAILS = ("meta", "metadata", "head", "attributes")
FARTHEST = 4_000
"""Characters of a page in which a line that dates it is looked for."""


class Page(NamedTuple):
    """A source as it was fetched: by which call, and what came back of it."""

    span: Span
    value: Any

    @property
    def days(self) -> list[date]:
        """Every day that the page gives as its own: published, updated."""
        return sorted({*_days(self.value)})


def pages_of(view: View, source: str) -> list[Page]:
    """The fetched pages of a source, oldest first."""
    found = []
    for span in view.calls:
        if "result" not in span.attributes or span.attributes["result"] in (None, "", [], {}, True, False) or _wrote(span):
            continue
        result = read_text(span.attributes["result"], "{[")
        own = [part for part in _objects(result) if _is_named(part, source)]
        named = _names(arguments(span), source)
        if named and not own and not _is_error(result):
            found.append(Page(span, result))
        found += [Page(span, part) for part in own if (named or _has_content(part)) and not _is_error(part)]
    return found


def _wrote(span: Span) -> bool:
    flags = flags_of(span)
    return span.attributes.get("wrote") is True or ("writes" in flags and "reads" not in flags)


def _names(args: Any, source: str, key: str = "") -> bool:
    """Whether arguments name a source as what is to be opened."""
    if isinstance(args, dict):
        return any(_names(inner, source, str(name)) for name, inner in args.items() if str(name).lower() not in _ASKED)
    if isinstance(args, (list, tuple)):
        return any(_names(inner, source, key) for inner in args)
    return isinstance(args, (str, int)) and not isinstance(args, bool) and same_source(str(args), source)


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _objects(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _objects(inner)


def _is_named(part: dict[str, Any], source: str) -> bool:
    return any(isinstance(part.get(name), (str, int)) and same_source(str(part[name]), source) for name in NAMES)


def _has_content(part: dict[str, Any]) -> bool:
    return any(part.get(key) not in (None, "", [], {}) for key in _CONTENT)


def _is_error(result: Any) -> bool:
    if not isinstance(result, dict):
        return False
    status = result.get("status_code", result.get("status"))
    refused = isinstance(status, int) and not isinstance(status, bool) and status >= 400
    return refused or (bool(result.get("error")) and not _has_content(result))


def _days(value: Any) -> Iterator[date]:
    if isinstance(value, str):
        text = fold_digits(value[:FARTHEST])
        yield from (day for place, day in _dates(text) if _SAYS_DATE.search(text, max(place - 40, 0), place))
    elif isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str) and _DATED.search(str(key)):
                yield from (day for _, day in list(_dates(fold_digits(inner)))[:1])
            elif (isinstance(inner, str) and key in _CONTENT) or (isinstance(inner, dict) and key in _DETAILS):
                yield from _days(inner)


def _dates(text: str) -> Iterator[tuple[int, date]]:
    """Whole dates of a text; one that could be two days is the later: a page is never made older than it may be."""
    for moment in moments_in(text):
        known = [date(day.year, day.month, day.day) for day in moment.days if day.year and day.day and _real(day.year, day.month, day.day)]
        if known:
            yield moment.start, max(known)


def _real(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def read_day(text: str) -> date | None:
    """The first whole date of a text, however it is spelt."""
    return next((day for _, day in _dates(fold_digits(text))), None)
