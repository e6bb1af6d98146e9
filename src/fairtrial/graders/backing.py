"""Whether a claim is among what was given: the same spelling, or the same value spelt otherwise.

The same value: 1,250 for 1250.0, 12% for 0.12, 80 for 79.6 (as fine as it was written), 3 May 2025 for 2025-05-03, 2:30 pm for
14:30, three spellings of a quotation mark. Ids and links are whole tokens. Kept out: what was given, and by whom (`given.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from math import isfinite
from typing import Any, TypeVar

import msgspec

from fairtrial.graders.claims import Claim
from fairtrial.graders.dates import Day, Moment, moments_in, spelt
from fairtrial.graders.figures import Reading, figures_in
from fairtrial.graders.given import Source
from fairtrial.graders.number_words import MAY_STAND
from fairtrial.graders.numbers import fold_digits
from fairtrial.graders.passages import FOLD, find_whole, stands_in, written

Known = TypeVar("Known")
_SHORT = 80
_MAY_COUNT = re.compile(rf"[0-9]|[^\x00-\x7f]|{MAY_STAND}", re.IGNORECASE)
MOST_GIVEN = 500_000
"""Characters of texts with numbers in them that are read."""
LATER = 10**9
"""A place in the trace behind all others: whoever speaks then was given everything."""


class Backing:
    """All that was given, made ready to be asked. `exact`: a rounded figure is not the figure that was given."""

    def __init__(self, sources: Sequence[Source], *, exact: bool = False) -> None:
        self._sources = sources
        self._exact = exact
        self._known: dict[tuple[Any, ...], bool] = {}
        self.cut = False
        """Whether more was given than could be read: then what is not found may stand in the rest."""
        self._raw = [value if isinstance(value, str) else msgspec.json.encode(value).decode() for _, _, value, _ in sources]

    def holds(self, claim: Claim, before: int = LATER) -> bool:
        """Whether something given before a place of the trace bears the claim out."""
        readings = (claim.figure.readings, claim.figure.parts) if claim.figure else ()
        key = claim.sort, claim.text, claim.before, readings, before
        if key not in self._known:
            self._known[key] = self._holds(claim, before)
        return self._known[key]

    def _holds(self, claim: Claim, before: int) -> bool:
        if claim.sort == "quotes":
            return any(stands_in(claim.text, text) for text in self._until(self._passages, before))
        if claim.sort == "ids":
            return self._token(claim.text.rstrip("/"), before) or self._dialled(claim.text, before)
        if any(_alone(text, form) for form in _forms(claim) for text in self._until(self._raw, before)):
            return True
        if claim.moment is not None and self._moment(claim.moment, before):
            return True
        return claim.figure is not None and self._figure(claim, before)

    def _until(self, texts: Sequence[str], before: int) -> Iterator[str]:
        return (text for text, source in zip(texts, self._sources, strict=True) if source.at < before)

    @cached_property
    def _passages(self) -> list[str]:
        return [written(source.value) for source in self._sources]

    @cached_property
    def _caseless(self) -> list[str]:
        return [str(FOLD(text)).casefold() for text in self._raw]

    def _token(self, token: str, before: int) -> bool:
        wanted = str(FOLD(token)).casefold()
        texts = self._until(self._caseless, before)
        forms = _token_forms(wanted)
        return any(_whole_token(text, form) for text in texts for form in forms)

    def _dialled(self, text: str, before: int) -> bool:
        """Whether a number in groups (a phone's, a card's) was given in other groups, with or without the code of a country."""
        digits = _bare(text) if _GROUPED.fullmatch(text) else ""
        known = self._dials[digits[-_LEAST_DIALLED:]] if len(digits) >= _LEAST_DIALLED else []
        return any(at < before and (digits.endswith(other) or other.endswith(digits)) for other, at in known)

    @cached_property
    def _dials(self) -> defaultdict[str, list[tuple[str, int]]]:
        """The numbers of seven digits and more, by their last seven, with the place where each was given."""
        found: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for text, source in zip(self._raw, self._sources, strict=True):
            for run in _DIALLED.finditer(fold_digits(text)):
                digits = _bare(run.group())
                found[digits[-_LEAST_DIALLED:]].setdefault(digits, source.at)
        return defaultdict(list, {end: list(several.items()) for end, several in found.items()})

    def _figure(self, claim: Claim, before: int) -> bool:
        figure = claim.figure
        if figure is None:
            return False
        if any(self.near(reading, before) for reading in figure.readings):
            return True
        if figure.parts and all(any(self.near(reading, before) for reading in part) for part in figure.parts):
            return True
        if not claim.text.isdigit() or len(claim.text) < _LEAST_DIGITS:
            return False
        return self._of_an_id(claim, before) or self._dialled(claim.text, before)

    def _of_an_id(self, claim: Claim, before: int) -> bool:
        """Whether plain digits are those of an id (flight 136 for HAT136), or the end of a number where the words say so."""
        end_only = _ENDING.search(claim.before) is not None
        return any(_digits_stand(text, claim.text, end_only) for text in self._until(self._raw, before))

    def near(self, reading: Reading, before: int = LATER) -> bool:
        """Whether the value was given, or one that is rounded to it in its last written place. A size without a sign stands for
        what was given with one (it fell by 5)."""
        values = (reading.value,) if reading.value < 0 else (reading.value, -reading.value)
        if any(self.figures.get(value, LATER) < before for value in values):
            return True
        half = reading.step / 2
        return not self._exact and any(
            self.figures[found] < before and _exponent(found) < _exponent(reading.step.normalize())
            for value in values
            for found in self._ordered[bisect_left(self._ordered, value - half) : bisect_right(self._ordered, value + half)]
        )

    @cached_property
    def _ordered(self) -> list[Decimal]:
        return sorted(self.figures)

    @cached_property
    def figures(self) -> dict[Decimal, int]:
        """Every number that was given, and when first."""
        return self._read[0]

    @cached_property
    def _read(self) -> tuple[dict[Decimal, int], dict[Day, int], dict[int, int]]:
        """All figures, dates and minutes with the place where each was first given."""
        figures: dict[Decimal, int] = {}
        days: dict[Day, int] = {}
        minutes: dict[int, int] = {}
        left = MOST_GIVEN
        for source in self._sources:
            for leaf in _leaves(source.value):
                if not isinstance(leaf, str):
                    figures.setdefault(Decimal(str(leaf)), source.at)
                    continue
                left -= len(leaf)
                if left < 0:
                    self.cut = True
                    continue
                found = read_short(leaf) if len(leaf) < _SHORT else read_all(leaf)
                _note(figures, found[0], source.at)
                _note(days, found[1], source.at)
                _note(minutes, found[2], source.at)
        return figures, days, minutes

    def _moment(self, moment: Moment, before: int) -> bool:
        _, days, minutes = self._read
        if any(minutes.get(minute, LATER) < before for minute in moment.minutes):
            return True
        return any(
            self._day(wanted, given) for wanted in moment.days for given in self._days[wanted.month, wanted.day] if days[given] < before
        )

    @cached_property
    def _days(self) -> defaultdict[tuple[int, int | None], list[Day]]:
        """The dates that were given by month and day, and by month alone."""
        found: defaultdict[tuple[int, int | None], list[Day]] = defaultdict(list)
        for day in self._read[1]:
            for key in dict.fromkeys(((day.month, day.day), (day.month, None))):
                found[key].append(day)
        return found

    def _day(self, wanted: Day, given: Day) -> bool:
        """Whether a given date of the same day says the wanted year; a year that it does not say may stand elsewhere."""
        return wanted.year is None or wanted.year == given.year or (given.year is None and Decimal(wanted.year) in self.figures)


def _note(known: dict[Known, int], values: Iterable[Known], at: int) -> None:
    for value in values:
        known.setdefault(value, at)


def _leaves(value: Any) -> Iterator[Any]:
    """Every number of a value, and every text in which there may be one, keys as well."""
    if isinstance(value, str):
        if _MAY_COUNT.search(value):
            yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(key if isinstance(key, str) else str(key))
            yield from _leaves(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value):
        yield value


def read_all(text: str) -> tuple[list[Decimal], list[Day], list[int]]:
    """All figures, dates and minutes of a text that was given; a date gives its year as well."""
    folded = fold_digits(text)
    moments = moments_in(folded)
    dated = bytearray(len(folded))
    for moment in moments:
        dated[moment.start : moment.end] = b"\x01" * (moment.end - moment.start)
    figures = [figure for figure in figures_in(folded) if not dated[figure.start]]
    shares = [folded[moment.start : moment.end] for moment in moments]
    figures += [figure for share in shares if "/" in share or share.isdigit() for figure in figures_in(share)]
    values = [reading.value for figure in figures for part in (figure.readings, *figure.parts) for reading in part]
    days = [day for moment in moments for day in moment.days]
    values += [Decimal(day.year) for day in days if day.year is not None]
    return values, days, [minute for moment in moments for minute in moment.minutes]


read_short = lru_cache(maxsize=20_000)(read_all)
"""Trials of one case are given the same short texts over and over."""


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _forms(claim: Claim) -> Iterator[str]:
    """How programs would write the same: a look at these first is quick, and finds most of what was given."""
    if claim.moment is not None:
        yield from spelt(claim.moment.days)
        yield from (f"{minute // 60:02}:{minute % 60:02}{seconds}" for minute in claim.moment.minutes for seconds in ("", ":00"))
    elif claim.figure is not None and claim.figure.readings:
        value = claim.figure.readings[0].value
        yield from dict.fromkeys((f"{value:f}", f"{value.normalize():f}", f"{value.normalize():f}.0"))


_LEAST_DIGITS = 3
_ENDING = re.compile(r"(?:end(?:s|ing)(?: in| with)?|last (?:four|4)(?: digits)?(?: of| are| is)?|尾号(?:为|是)?)[ :*#]*$", re.IGNORECASE)
_AMOUNT = frozenset(".,$€£¥")
_IN_AMOUNT = re.compile(r"[.,][0-9]|%")
_NEVER_BESIDE = frozenset("_%％万亿千百十")


def _alone(text: str, form: str) -> bool:
    """Whether digits as programs write them stand somewhere as a number, a date or a time of their own."""
    size = len(form)
    at = text.find(form)
    while at >= 0:
        if _apart(text, at - 1, -1, form[0]) and _apart(text, at + size, 1, form[-1]):
            return True
        at = text.find(form, at + 1)
    return False


def _apart(text: str, place: int, way: int, own: str) -> bool:
    """Whether what stands beside a form is no part of it."""
    if not 0 <= place < len(text):
        return True
    char = text[place]
    if (char.isascii() and char.isalnum()) or char in _NEVER_BESIDE:
        return (char == "T" and way > 0) or (own == "-" and char.isdigit())
    if char in ".,:/'-−+":
        beyond = text[place + way : place + way + 1] if place + way >= 0 else ""
        return not (beyond.isdigit() or (char in "-−+" and way < 0))
    return not char.isdigit()


_LEAST_DIALLED = 7
_GROUPED = re.compile(r"\+?[0-9 ()-]+")
_DIALLED = re.compile(r"(?<![0-9.])[0-9](?:[ ().-]{0,2}[0-9]){6,18}(?![0-9])")
_VERSION = re.compile(r"v?([0-9]+(?:\.[0-9]+)+)")
_WORD_AND_NUMBER = re.compile(r"([a-z]{2,})[-_]?([0-9]+(?:\.[0-9]+)*)")


def _bare(text: str) -> str:
    return "".join(char for char in fold_digits(text) if char.isdigit())


def _token_forms(token: str) -> list[str]:
    """How an id may stand: #12 and 12, v1.2.3 and 1.2.3, hat136 and hat 136 and hat-136."""
    forms = [token, *([token[1:]] if token[0] == "#" else [])]
    if version := _VERSION.fullmatch(token):
        forms += [version[1], f"v{version[1]}"]
    elif parts := _WORD_AND_NUMBER.fullmatch(token):
        forms += [f"{parts[1]}{mark}{parts[2]}" for mark in ("", " ", "-", "_")]
    return list(dict.fromkeys(forms))


def _digits_stand(text: str, digits: str, end_only: bool) -> bool:
    """Whether digits stand between what are no digits (and are no part of an amount); with `end_only`, whether any number ends in them."""
    at = text.find(digits)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(digits) : at + len(digits) + 2]
        if not after[:1].isdigit() and (end_only or not (before.isdigit() or before in _AMOUNT or _IN_AMOUNT.match(after))):
            return True
        at = text.find(digits, at + 1)
    return False


def _whole_token(text: str, token: str) -> bool:
    """Whether an id or a link stands somewhere whole: order-12 is neither in order-123 nor in order-12-b."""
    at = find_whole(text, token)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(token) : at + len(token) + 2]
        longer = after[:1] in (*"-_", *("/?#=&%" if "/" in token else "")) and after[1:2].isalnum()
        if before not in (*"-_",) and not longer:
            return True
        at = find_whole(text, token, at + 1)
    return False
