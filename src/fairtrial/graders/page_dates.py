"""Of what day a fetched page says it is, as finely as it says so: a day, a month, a year.

Only what a page gives as its own date counts: a field that is named for one, a line such as "Updated 3 May 2025". Kept out: which
pages were fetched (`fetched.py`), and how old one may be (`citations.py`).
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from fairtrial.graders.dates import moments_in
from fairtrial.graders.numbers import fold_digits

_DATED = re.compile(
    r"(?:^|_)(?:date|year|published|publish_date|published_at|updated|updated_at|modified|last_modified|released|posted|created)"
    r"(?:_at|_on|_date)?$|^date_?(?:published|modified|created)$|^(?:published|updated|modified|created|pub)_?(?:at|date)$"
    r"|^last-modified$|日期|发布|更新",
    re.IGNORECASE,
)
_SAYS_DATE = re.compile(r"(?:published|updated|posted|last modified|date|发布|更新|日期)\b[^\n]{0,24}$", re.IGNORECASE)
_DETAILS = ("meta", "metadata", "head", "headers", "attributes")
_YEAR = re.compile(r"\s*((?:19|20)[0-9]{2})\s*年?\s*")
FARTHEST = 4_000
"""Characters of a page in which a line that dates it is looked for."""
_EARLIEST, _LATEST = 10**8, 10**10
"""Seconds since 1970 that a number under a date's name is taken for; a thousand times as many are milliseconds."""


class Dated(NamedTuple):
    """The first and the last day that a date may mean: one and the same where it is a whole date, the ends of its month or year
    where it says no more."""

    first: date
    last: date

    @property
    def coarse(self) -> bool:
        """Whether it names no day. Two neighbours are one moment in two time zones."""
        return (self.last - self.first).days > 1

    def meets(self, other: Dated) -> bool:
        """Whether both may mean one day."""
        return self.first <= other.last and other.first <= self.last

    def __str__(self) -> str:
        return str(self.last) if not self.coarse else f"{self.first} to {self.last}"


def dated_by(value: Any, content: tuple[str, ...]) -> Iterator[Dated]:
    """Every date that a page gives as its own. `content`: the fields in which its text stands."""
    if isinstance(value, str):
        text = fold_digits(value[:FARTHEST])
        yield from (day for place, day in _whole_dates(text) if _SAYS_DATE.search(text, max(place - 40, 0), place))
    elif isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, (str, int)) and not isinstance(inner, bool) and _DATED.search(str(key)):
                found = read_dated(inner)
                yield from [found] if found else []
            elif (isinstance(inner, str) and key in content) or (isinstance(inner, dict) and key in _DETAILS):
                yield from dated_by(inner, content)


def read_dated(value: str | int) -> Dated | None:
    """The first date of a text or number, however it is spelt; None where there is none."""
    text = fold_digits(str(value))
    if year := _YEAR.fullmatch(text):
        return Dated(date(int(year[1]), 1, 1), date(int(year[1]), 12, 31))
    if text.isdigit():
        seconds = int(text) // (1000 if len(text) > 11 else 1)
        return _one(datetime.fromtimestamp(seconds, UTC).date()) if _EARLIEST < seconds < _LATEST and len(text) < 15 else _compact(text)
    return _zoned(text) or next((day for _, day in _whole_dates(text)), None) or _of_month(text)


def _compact(text: str) -> Dated | None:
    return next((day for _, day in _whole_dates(text)), None)


def _zoned(text: str) -> Dated | None:
    """A moment with its time zone: its day there, and in UTC."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.tzinfo is None or not date.min.year < moment.year < date.max.year:
        return None
    days = sorted((moment.date(), moment.astimezone(UTC).date()))
    return Dated(days[0], days[-1])


def _whole_dates(text: str) -> Iterator[tuple[int, Dated]]:
    """Whole dates of a text; one that could be two days is the later: a page is never made older than it may be."""
    for moment in moments_in(text):
        known = [date(day.year, day.month, day.day) for day in moment.days if day.year and day.day and _real(day.year, day.month, day.day)]
        if known:
            yield moment.start, _one(max(known))


def _of_month(text: str) -> Dated | None:
    for moment in moments_in(text):
        for day in moment.days:
            if day.year and day.day is None:
                return Dated(date(day.year, day.month, 1), date(day.year, day.month, monthrange(day.year, day.month)[1]))
    return None


def _one(day: date) -> Dated:
    return Dated(day, day)


def _real(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
