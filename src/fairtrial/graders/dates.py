"""The one reader of dates and times of day in running text, whatever they are spelt like.

2025-05-03, 3 May 2025, May 3rd, 05/03/2025, 2025年5月3日 and 五月三日 are dates; 14:30, 2:30 pm and 下午2点半 are times. What could
be two dates (05/03) has both as its readings. Kept out: time zones, and words such as tomorrow, which alone name no date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from fairtrial.graders.numerals import read_numeral


class Day(NamedTuple):
    """A date as far as it is said: a part that is not is None."""

    year: int | None
    month: int
    day: int | None


class Moment(NamedTuple):
    """A date or a time in a text: where it stands and what it may be. `minutes` are since midnight; an hour up to 12 without a
    word that says which half of the day has both."""

    start: int
    end: int
    days: tuple[Day, ...] = ()
    minutes: tuple[int, ...] = ()


Found = re.Match[str]
Reader = Callable[[Found], tuple[tuple[Day, ...], tuple[int, ...]]]

_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAME = (
    r"(?P<name>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?"
    r"|Dec(?:ember)?|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\b\.?"
)
_FREE, _END = r"(?<![0-9A-Za-z_.,/$€£¥-])", r"(?![0-9])"
_Y, _M, _D = r"(?P<y>(?:1[5-9]|20|21)[0-9]{2})", r"(?P<m>1[0-2]|0?[1-9])", r"(?P<d>3[01]|[12][0-9]|0?[1-9])"
_HAN = "[〇零一二三四五六七八九十0-9]"
_HALF = r"\s?(?P<half>[AaPp])\.?\s?[Mm]\b\.?"
_HAN_HOUR = "二十[一二三四]?|十[一二三四五六七八九]?|[一二两三四五六七八九]"
_HALVES = "凌晨|早上|上午|中午|下午|傍晚|晚上"


def _named(found: Found) -> tuple[tuple[Day, ...], tuple[int, ...]]:
    return _day(found["y"], _NAMES.index(found["name"][:3].lower()) + 1, found["d"]), ()


def _numbered(found: Found) -> tuple[tuple[Day, ...], tuple[int, ...]]:
    return _day(found["y"], int(found["m"]), found["d"]), ()


def _month(found: Found) -> tuple[tuple[Day, ...], tuple[int, ...]]:
    name = found.groupdict().get("name")
    return _day(found["y"], _NAMES.index(name[:3].lower()) + 1 if name else int(found["m"]), None), ()


def _either(found: Found) -> tuple[tuple[Day, ...], tuple[int, ...]]:
    """Month first or day first."""
    a, b, year = int(found["a"]), int(found["b"]), found.groupdict().get("y")
    year = f"20{year}" if year and len(year) == 2 else year
    return tuple(dict.fromkeys(day for m, d in ((a, b), (b, a)) if m <= 12 for day in _day(year, m, str(d)))), ()


def _han_date(found: Found) -> tuple[tuple[Day, ...], tuple[int, ...]]:
    year, month, day = (None if part is None else _han(part) for part in found.group("y", "m", "d"))
    if month is None or (found["d"] and day is None) or (found["y"] and year is None):
        return (), ()
    year = year + 2000 if year is not None and year < 100 else year
    return _day(None if year is None else str(year), month, None if day is None else str(day)), ()


def _clock(found: Found) -> tuple[tuple[Day, ...], tuple[int, ...]]:
    parts = found.groupdict()
    hour, minute = int(parts["h"]), int(parts.get("min") or 0)
    half = (parts.get("half") or "").lower()
    return (), _minutes(hour, minute, half)


def _han_clock(found: Found) -> tuple[tuple[Day, ...], tuple[int, ...]]:
    half = {"": "", "凌": "a", "早": "a", "上": "a", "中": ""}.get((found["half"] or "")[:1], "p")
    hour, minute = _han(found["h"]), 30 if found["min"] == "半" else _han((found["min"] or "0").rstrip("分"))
    return (), () if hour is None or minute is None else _minutes(hour, minute, half)


def _minutes(hour: int, minute: int, half: str) -> tuple[int, ...]:
    if hour > 24 or minute > 59:
        return ()
    if half and hour <= 12:
        return (hour % 12 * 60 + minute + (720 if half == "p" else 0),)
    if hour > 12 or hour == 0 or half:
        return (hour % 24 * 60 + minute,)
    return (hour * 60 + minute, (hour + 12) % 24 * 60 + minute)


def _day(year: str | None, month: int, day: str | None) -> tuple[Day, ...]:
    whole = Day(int(year) if year else None, month, int(day) if day else None)
    most = 29 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    return (whole,) if 1 <= month <= 12 and (whole.day is None or 1 <= whole.day <= most) else ()


def _han(text: str) -> int | None:
    if text.isascii():
        return int(text)
    if len(text) == 1:
        return {"零": 0, "两": 2}.get(text, "〇一二三四五六七八九十".find(text))
    read = read_numeral(text)
    return None if read is None else int(read)


_FORMS: tuple[tuple[str, re.Pattern[str], Reader], ...] = tuple(
    (sign, re.compile(pattern), reader)
    for sign, pattern, reader in (
        ("", rf"(?<![0-9A-Za-z_.,/$€£¥-]){_Y}(?P<s>[-/.]){_M}(?P=s){_D}(?![0-9])", _numbered),
        ("", rf"{_FREE}(?P<a>[0-3]?[0-9])(?P<s>[/.-])(?P<b>[0-3]?[0-9])(?P=s)(?P<y>(?:19|20)[0-9]{{2}}|[0-9]{{2}}){_END}", _either),
        ("", rf"\b{_NAME}\s?{_D}(?:st|nd|rd|th)?(?![0-9%]|[.:][0-9])(?:,?\s(?:in\s)?{_Y}{_END})?", _named),
        ("", rf"{_FREE}{_D}(?:st|nd|rd|th)?[\s-](?:of\s)?{_NAME}(?:[,-]?\s?{_Y}{_END})?", _named),
        ("", rf"(?<=[0-9][-–—]){_D}(?:st|nd|rd|th)?\s(?:of\s)?{_NAME}(?:[,-]?\s?{_Y}{_END})?", _named),
        ("", rf"\b{_NAME},?\s(?:of\s)?{_Y}{_END}", _month),
        ("-", rf"{_FREE}{_Y}-(?P<m>0[1-9]|1[0-2])(?![0-9-])", _month),
        ("", rf"{_FREE}{_Y}(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12][0-9]|3[01])(?![0-9A-Za-z_%-]|[.,][0-9])", _numbered),
        (
            "月",
            rf"(?:(?P<y>{_HAN}{{4}}|[0-9]{{2}})\s?年\s?)?(?<!{_HAN})(?P<m>{_HAN}{{1,2}})\s?月(?:份|\s?(?P<d>{_HAN}{{1,3}})\s?[日号])?",
            _han_date,
        ),
        (":", rf"(?<![0-9A-Za-z_.:-])(?P<h>[0-9]{{1,2}}):(?P<min>[0-9]{{2}})(?::[0-9]{{2}}(?:\.[0-9]+)?)?(?![0-9:])(?:{_HALF})?", _clock),
        (":", r"(?<=[0-9]T)(?P<h>[0-9]{2}):(?P<min>[0-9]{2})(?::[0-9]{2}(?:\.[0-9]+)?)?", _clock),
        ("", rf"(?<![0-9A-Za-z_.:$/-])(?P<h>1[0-2]|0?[1-9])(?:\.(?P<min>[0-5][0-9]))?{_HALF}", _clock),
        ("h", r"(?<![0-9A-Za-z_.:$/-])(?P<h>[01][0-9]|2[0-3])h(?P<min>[0-5][0-9])(?![0-9A-Za-z])", _clock),
        (
            "点",
            rf"(?P<half>{_HALVES})?\s?(?<![0-9.])(?P<h>2[0-4]|1[0-9]|[0-9])\s?[点时](?!间|[0-9]+[%元])(?P<min>半|[0-5]?[0-9]分?)?",
            _han_clock,
        ),
        ("点", rf"(?P<half>{_HALVES})\s?(?P<h>{_HAN_HOUR})[点时](?!间)(?P<min>半|{_HAN}{{1,3}}分)?", _han_clock),
        ("点", rf"(?P<half>)(?<!{_HAN})(?P<h>{_HAN_HOUR})点(?P<min>半|{_HAN}{{1,3}}分)", _han_clock),
        ("/", rf"{_FREE}(?P<a>[0-3]?[0-9])/(?P<b>[0-3]?[0-9])(?![0-9/%A-Za-z])", _either),
    )
)
"""A sign without which a form need not be looked for, the form, and its reader; forms that say more come first."""


_MONTH_FIRST = re.compile("[A-Za-z]|.{0,8}月")
_ENDS_ON = re.compile(rf"(?:\s?[-–—~至到]\s?){_D}(?:st|nd|rd|th|[日号])?(?![0-9A-Za-z./:%])(?:,?\s{_Y}{_END})?")
_BEGINS_ON = re.compile(rf"(?<![0-9A-Za-z_.,/$€£¥-]){_D}(?:st|nd|rd|th)?(?:\s?[-–—]\s?|\s(?:to|and)\s)\Z")


def moments_in(text: str) -> list[Moment]:
    """Every date and time of a text, in order; of two that overlap, the one that says more. Digits are to be folded to ASCII
    beforehand (`numbers.fold_digits`)."""
    found: list[Moment] = []
    taken = bytearray(len(text))
    for sign, pattern, reader in _FORMS:
        if sign and sign not in text:
            continue
        for match in pattern.finditer(text):
            start, end = match.span()
            days, minutes = reader(match)
            if (days or minutes) and not any(taken[start:end]):
                found.append(Moment(start, end, days, minutes))
                taken[start:end] = b"\x01" * (end - start)
    return sorted([*found, *_other_ends(text, found, taken)])


def _other_ends(text: str, moments: list[Moment], taken: bytearray) -> Iterator[Moment]:
    """The other day of May 3–5, of 3 to 5 May and of 5月3日至5日, whose month is said once."""
    for moment in moments:
        if len(moment.days) != 1 or moment.days[0].day is None:
            continue
        day = moment.days[0]
        on = _ENDS_ON.match(text, moment.end) if _MONTH_FIRST.match(text, moment.start) else None
        from_ = None if on or _MONTH_FIRST.match(text, moment.start) else _BEGINS_ON.search(text, max(moment.start - 12, 0), moment.start)
        other = on or from_
        if other is not None and not any(taken[other.start("d") : other.end("d")]):
            year = on["y"] if on else None
            yield from (
                Moment(other.start("d"), other.end("d"), (end,))
                for end in _day(year or (str(day.year) if day.year else None), day.month, other["d"])
            )


def spelt(days: tuple[Day, ...]) -> Iterator[str]:
    """How programs write a date, as far as it is said: 2025-05-03, or -05-03 where there is no year."""
    for day in days:
        if day.day is not None:
            yield f"{day.year or ''}-{day.month:02}-{day.day:02}"
