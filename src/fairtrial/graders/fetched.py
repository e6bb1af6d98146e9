"""Which pages a trial really opened, what stands on them, and of what day they say they are.

A source was fetched where a call that succeeded named it in its arguments, or returned it with its content. A search that was
asked for an address, or a list of hits that names it with a line of its text, is not the page; neither is a call that wrote
something down, or a page that answered with an error. Kept out: what is made of the pages (`citations.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from fairtrial.graders.addresses import same_source
from fairtrial.graders.page_dates import Dated, dated_by
from fairtrial.graders.tools import arguments, read_text
from fairtrial.graders.view import View, flags_of
from fairtrial.records.trace import Span

_LED = ("final_url", "finalUrl", "resolved_url", "canonical_url", "canonical", "redirected_to", "requested_url", "original_url")
"""Where a page that was asked for under one address says under which it was found."""
NAMES = ("url", "source", "id", "doc", "doc_id", "document_id", "page", "link", "href", "uri", "path", *_LED)
_CONTENT = ("text", "content", "body", "passage", "passages", "page_content", "markdown", "html", "document", "raw_content", "article")
_ASKED = frozenset(("query", "q", "question", "search", "keywords", "keyword", "terms", "text", "prompt", "note", "notes", "comment"))
"""Arguments that say what is looked for, not what is opened."""
_REFUSED = re.compile(
    r"\W*(?:HTTP\S*\s)?(?:(?:error|status|code)\W{0,3})*"
    r"(?:[45][0-9]{2}\s*(?:$|[:(<-]|not found|gone|forbidden|unauthorized|bad|internal|service|server|client|error|too many|gateway"
    r"|timeout|page)"
    r"|error\s*(?:[:!.]|$)|(?:page |file )?not found|forbidden|access denied|unauthorized|bad gateway|service unavailable"
    r"|(?:request |connection )?time(?:d )?out|failed to"
    r"|(?:could not|cannot|can't|unable to) (?:be )?(?:fetch|open|load|get|reach|retrieve))",
    re.IGNORECASE,
)
"""How a page begins that is no page but a refusal, where it says little more."""
_LONGEST_REFUSAL = 200
_STATUS = ("status_code", "statusCode", "status", "code", "http_status")


class Page(NamedTuple):
    """A source as it was fetched: by which call, and what came back of it."""

    span: Span
    value: Any

    @property
    def dates(self) -> list[Dated]:
        """Every date that the page gives as its own: published, updated."""
        return sorted({*dated_by(self.value, _CONTENT)}, key=lambda dated: (dated.last, dated.first))


def pages_of(view: View, source: str) -> list[Page]:
    """The fetched pages of a source, oldest first."""
    found = []
    for span in view.calls:
        if _is_blank(span.attributes.get("result")) or _wrote(span):
            continue
        result = read_text(span.attributes["result"], "{[")
        own = [part for part in _objects(result) if _is_named(part, source)]
        named = _names(arguments(span), source)
        if named and not own and not _is_error(result):
            found.append(Page(span, result))
        found += [Page(span, part) for part in own if (named or _has_content(part)) and not _is_error(part) and not _is_blank(part)]
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
    return any(not _is_blank(part.get(key)) for key in _CONTENT)


def _is_blank(value: Any) -> bool:
    """Whether nothing came back: nothing at all, or a page whose text is empty."""
    if isinstance(value, dict) and any(key in value for key in _CONTENT):
        return not _has_content(value)
    return value in (None, [], {}, True, False) or (isinstance(value, str) and not value.strip())


def _is_error(result: Any) -> bool:
    if isinstance(result, str):
        return len(result) <= _LONGEST_REFUSAL and _REFUSED.match(result) is not None
    if not isinstance(result, dict):
        return False
    status = next((str(result[key]) for key in _STATUS if isinstance(result.get(key), (str, int))), "")
    shown = (result[key] for key in _CONTENT if isinstance(result.get(key), str))
    refused = any(map(_is_error, shown)) or (status.isdecimal() and len(status) == 3 and status[0] in "45")
    told = result.get("isError", result.get("is_error")) is True or False in (result.get("ok"), result.get("success"))
    return refused or told or (bool(result.get("error")) and not _has_content(result))
