"""Every number of a text, with each way in which it could be meant. Made of the one reader's pieces (`numbers.py`).

Where `read_number` says Ambiguous, here all readings stand side by side: whoever looks a number up needs no more than one of
them to be there. A reading knows how fine it was written, so that 80 may stand for 79.6, and 3.2 million for 3,180,000.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from fairtrial.graders.number_words import numbers_in_words
from fairtrial.graders.numbers import all_readings, inside_word, is_list, runs, sign_of
from fairtrial.graders.numerals import FORMAL, NUMERAL, read_numeral


class Reading(NamedTuple):
    """A value, and the size of one in its last written place."""

    value: Decimal
    step: Decimal = Decimal(1)


class Figure(NamedTuple):
    """`parts`: the numbers that a range, a list or a fraction is made of; all of them together may stand for it."""

    start: int
    end: int
    readings: tuple[Reading, ...]
    parts: tuple[tuple[Reading, ...], ...] = ()


_HUNDREDTH = Decimal("0.01")
_TIMES = {
    **{"k": 10**3, "m": 10**6, "b": 10**9, "thousand": 10**3, "million": 10**6, "billion": 10**9},
    **{"mn": 10**6, "ml": 10**6, "bn": 10**9, "bl": 10**9, "tn": 10**12, "tr": 10**12, "la": 10**5, "cr": 10**7},
    **{"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8},
}
_MIXED = re.compile(r"[十百千万亿]")
_SURE = ("thousand", "million", "billion", *"十百千万亿")
"""Multipliers that leave no doubt; 5m may be metres."""
_PERCENT = re.compile(r"\s?(?:%|percent\b|per cent\b|个?百分点)")
_SIGNED = re.compile("[+-]")
_PLAIN_BESIDE = re.compile(r"(?!\s?(?:%|per|个?百分|[mbt]l?n\b|trillion|lakh|crore))(?<!百分之[0-9])")
_BETWEEN = re.compile(r"[/~–—]|(?<=[0-9])-(?=[0-9])|[\u00a0\u202f\u2009 ]")
_UNIT = re.compile(r"(?:\s?(mn|mln|bn|bln|tn)|\s(trillion|lakh|crore)s?)\b", re.IGNORECASE)
_POWER = re.compile(r"(?<![0-9.])([0-9]+(?:\.[0-9]+)?)\s?[×x*·]\s?10(?:\^|\*\*)?([+-]?[0-9]{1,2}|[⁻]?[⁰¹²³⁴-⁹]{1,2})(?![0-9])")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_TIMES_BETWEEN = re.compile(r"(?<=[0-9])(?<!\b0)x(?=[0-9])")
_POWERS = {"²": 2, "³": 3}
_BULLET = re.compile(r"(?:\A|\n)[^\S\n]*[-−–][^\S\n]+[^-\n]*\Z")
_BULLET_ROOM = 40
_RAISED = {"½": "0.5", "¼": "0.25", "¾": "0.75", "⅓": "0.333", "⅔": "0.667"}


def figures_in(text: str) -> Iterator[Figure]:
    """The numbers of a folded text (`numbers.fold_digits`), in no order that matters."""
    taken = bytearray(len(text))
    for start, end, said, share in numbers_in_words(text):
        yield Figure(start, end, (Reading(said), *([Reading(said * _HUNDREDTH, _HUNDREDTH)] * share)))
    for found in _POWER.finditer(text) if "10" in text else ():
        taken[found.start() : found.end()] = b"\x01" * (found.end() - found.start())
        yield from _of_power(found)
    for run in () if text.isascii() else NUMERAL.finditer(text.translate(FORMAL)):
        value = read_numeral(run.group())
        if value is not None and not run.group().isascii():
            taken[run.start() : run.end()] = b"\x01" * (run.end() - run.start())
            percent = text[max(run.start() - 3, 0) : run.start()] == "百分之"
            readings = [Reading(value, _step(run.group()))]
            yield Figure(run.start(), run.end(), tuple(readings + [Reading(value * _HUNDREDTH, _HUNDREDTH)] * percent))
    for run in runs(_TIMES_BETWEEN.sub("×", text) if "x" in text else text):
        if not taken[run.start("body")] and not inside_word(run):
            yield from _of_run(run)


def readings_of(text: str) -> tuple[Reading, ...]:
    """The readings of a text that is one number and no more; none where it is not."""
    return tuple(Reading(value, step_of(text)) for value in all_readings(text))


def _of_run(run: re.Match[str]) -> Iterator[Figure]:
    body, after = run["body"], (run["after"] or "").strip()
    start, end = run.span("body")
    if body.isdigit() and not after and len(body) < 30 and _PLAIN_BESIDE.match(run.string, end) and not _SIGNED.search(run["before"]):
        yield Figure(start, end, (Reading(Decimal(body)),))
        return
    joined = _BETWEEN.search(re.sub(r"[eE]-", "ee", body))
    pieces = [piece for piece in _BETWEEN.split(body) if piece] if joined else body.split(",") if is_list(body, None) else []
    signs = (1,) if _bullet(run) or (sign := sign_of(run)) == 1 else (-1,) if sign else (1, -1)
    whole = [] if joined and joined.group() not in " \u00a0\u202f\u2009" else _whole(body, after, run)
    readings = [Reading(sign * value, step) for value, step in whole for sign in signs]
    if joined and joined.group() == "/" and len(pieces) == 2:
        readings += _fraction(*pieces)
    parts = tuple(tuple(_whole(piece, after, run)) for piece in pieces)
    if readings or (parts and all(parts)):
        yield Figure(start, end, tuple(readings), parts)


def _of_power(found: re.Match[str]) -> Iterator[Figure]:
    """1.2×10^6, 1.2 x 10⁶."""
    power = int(found[2].translate(_LOWERED))
    readings = [Reading(value.scaleb(power), step.scaleb(power)) for value, step in readings_of(found[1])]
    if readings:
        yield Figure(found.start(), found.end(), tuple(readings))


def _bullet(run: re.Match[str]) -> bool:
    """Whether a dash before a number is the mark of a point in a list."""
    return _BULLET.search(run.string, max(run.start("body") - _BULLET_ROOM, 0), run.start("body")) is not None


def _whole(body: str, after: str, run: re.Match[str]) -> list[Reading]:
    """One number as written, and with what its unit makes of it."""
    found = []
    percent = after == "%" or _PERCENT.match(run.string, run.end("body")) or run.string.endswith("百分之", 0, run.start("body"))
    unit = _UNIT.match(run.string, run.end("body")) if not after else None
    times = _TIMES[(unit[1] or unit[2])[:2].lower()] if unit else _TIMES.get(after.lower(), 1)
    for value, step in readings_of(body):
        if after in _POWERS:
            found.append(Reading(value ** _POWERS[after], Decimal("1e-9")))
        if times == 1 or not (unit or after in _SURE):
            found.append(Reading(value, step))
        if times != 1:
            found.append(Reading(value * times, step * times))
        if percent:
            found.append(Reading(value * _HUNDREDTH, step * _HUNDREDTH))
        if after in _RAISED:
            found.append(Reading(value + Decimal(_RAISED[after]), Decimal("0.001")))
    return found


def _fraction(above: str, below: str) -> list[Reading]:
    top, bottom = readings_of(above), readings_of(below)
    return [Reading(top[0].value / bottom[0].value, Decimal("1e-9"))] if top and bottom and bottom[0].value else []


def step_of(text: str) -> Decimal:
    """One in the last written place: 0.1 for 3.2, 1 for 3,200, 100 for 3.2e3."""
    digits, _, power = text.lower().partition("e")
    point = max(digits.rfind("."), digits.rfind(",")) if re.search(r"[.,][0-9]{1,2}$|\.[0-9]+$", digits) else -1
    step = Decimal(1).scaleb(point + 1 - len(digits)) if point >= 0 else Decimal(1)
    return step.scaleb(int(power)) if power.lstrip("+-").isdigit() and len(power) < 4 else step


def _step(numeral: str) -> Decimal:
    """For digits with one unit the last place of that unit (1,000 for 3.2万, as for 32k); else 1."""
    found = re.fullmatch(r"[0-9]+(?:\.([0-9]+))?([十百千万亿])", numeral)
    return Decimal(_TIMES[found[2]]).scaleb(-len(found[1] or "")) if found else Decimal(1)
