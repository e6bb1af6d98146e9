"""The one reader of numbers written by people and models.

Everything is an exact decimal. Without a locale, a point is the decimal point and commas are thousands separators in groups
of exactly three; what only another locale would read is Ambiguous, never guessed, and neither is a fraction, a range or a
multiplier such as 5k. Kept out: what a number is compared with, and all the numbers of a text with every way to read each
(`figures.py`, which is made of the pieces here).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

LONGEST = 400
"""Digits, and size of an exponent, beyond which a text is no number for us."""


class Ambiguous(NamedTuple):
    """A number that could be read in more than one way. `text` is the part in question, `why` says what it could be."""

    text: str
    why: str


class Style(NamedTuple):
    """How a locale writes numbers: the decimal point, the thousands separators, and the sizes of groups."""

    point: str
    separators: str
    groups: str = r"{first}(?:{mark}[0-9]{{3}})+"


SPACES = "\u00a0\u202f\u2009 "
"""No-break, narrow and thin space separate thousands by themselves; a plain space only where the locale says so."""

STYLES = {
    "en": Style(".", ","),
    "de": Style(",", "."),
    "fr": Style(",", SPACES),
    "ch": Style(".", "'’"),
    "in": Style(".", ",", r"[1-9][0-9]?(?:{mark}[0-9]{{2}})*{mark}[0-9]{{3}}"),
}
_NO_LOCALE = Style(".", ",\u00a0\u202f\u2009")


def _pattern(style: Style) -> re.Pattern[str]:
    mark = f"[{re.escape(style.separators)}]"
    grouped = style.groups.format(first="[1-9][0-9]{0,2}", mark=mark)
    point = re.escape(style.point)
    return re.compile(rf"(?P<whole>{grouped}|[0-9]+)?(?:{point}(?P<part>[0-9]+))?(?:[eE](?P<power>[+-]?[0-9]+))?")


_READ = {name: _pattern(style) for name, style in STYLES.items()}
_READ_ANY = _pattern(_NO_LOCALE)

_CURRENCY = r"(?:US\$|HK\$|[$€£¥₹₩]|元|USD|EUR|GBP|CNY|RMB|JPY|HKD|TWD|INR|KRW|SGD|AUD|CAD|CHF)"
_RUN = re.compile(
    rf"""(?P<before>[+-]?\s?(?:{_CURRENCY})?\s?[+-]?)        # a sign, a currency, or both
    (?P<body>\.?[0-9](?:[0-9]|[.,'’_/~–—-](?=[0-9])|[{SPACES}](?=[0-9]{{3}}(?![0-9]))|[eE][+-]?(?=[0-9]))*)
    (?P<after>\s?%|[kKmMbB](?![A-Za-z0-9])|[万亿千百十²³⁰¹⁴-⁹½¼¾⅓⅔]|\s(?:thousand|million|billion)\b)?""",
    re.VERBOSE,
)
_DIGIT = re.compile("[0-9]")
_FAR = 64
"""Characters before a dash in which a word that it is apart from is looked for."""
_BEFORE = 8
"""No more signs than these can stand before the digits of a run, so that the search for one need not begin earlier."""

_DATE_OR_TIME = re.compile(r"(?<![0-9])(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+Z?)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?![0-9])")
_LATEX = re.compile(r"\{,\}|\\,|\\!(?=[0-9])")
_FOLDED = str.maketrans("．，＋－−％￥＄／：＇", ".,+--%¥$/:'")
_TAIL = re.compile(rf"\s?(?:{_CURRENCY})?\s*")
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+){2,}")


def read_number(text: str, locale: str | None = None, *, percent: bool = False, whole: bool = False) -> Decimal | Ambiguous | None:
    """The last number of a text, exactly; None where there is none, Ambiguous where it could be another.

    `locale` is one of STYLES. `percent`: "5%" reads 0.05 instead of 5. `whole`: the text must be that one number and
    nothing else but spaces, a sign and a currency. Dates and times of day are not numbers, digits inside words
    (B2B) are not, and full-width and other scripts' digits are; ② and x² are not 2.
    """
    folded = fold_digits(text)
    folded = _DATE_OR_TIME.sub(" \u0000 ", folded)
    if whole:
        return _read_whole(folded, locale, percent)
    found: Decimal | Ambiguous | None = None
    for run in runs(folded):
        read = _read_run(run, locale, percent)
        found = found if read is None else read
    return found


def plain_number(text: str) -> Decimal | None:
    """An exact decimal as programs write it (12, -0.5, 1e3), or None: no separators, no currency, no spaces."""
    found = _PLAIN.fullmatch(text)
    return _decimal(text, found["power"]) if found else None


_PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE](?P<power>[+-]?[0-9]+))?", re.ASCII)


def runs(text: str) -> Iterator[re.Match[str]]:
    """Every run of digits in a folded text with what may belong to it: sign and currency `before`, the `body`, a unit `after`."""
    at = 0
    while (digit := _DIGIT.search(text, at)) is not None:
        run = _RUN.search(text, max(at, digit.start() - _BEFORE))
        if run is None:
            return
        yield run
        at = run.end()


def fold_digits(text: str) -> str:
    """Digits of every script and full-width signs in their ASCII form; LaTeX separators become commas."""
    if not text.isascii():
        text = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text.translate(_FOLDED))
    return _LATEX.sub(",", text) if "\\" in text or "{" in text else text


def _read_whole(text: str, locale: str | None, percent: bool) -> Decimal | Ambiguous | None:
    run = _RUN.search(text)
    if run is None or text[: run.start()].strip() or not _TAIL.fullmatch(text, run.end()) or is_list(run["body"], locale):
        return None
    return _read_run(run, locale, percent)


def is_list(body: str, locale: str | None) -> bool:
    """1,2,3: numbers in a row, of which none could be a group of thousands."""
    return (
        (locale is None or STYLES[locale].point == ".")
        and re.fullmatch(r"[0-9.]+(?:,[0-9.]+){2,}", body) is not None
        and not any(re.match(r"[0-9]{3}(?![0-9])", part) for part in body.split(",")[1:])
        and not any(_READ[name].fullmatch(body) for name in STYLES)
    )


def _read_run(run: re.Match[str], locale: str | None, percent: bool) -> Decimal | Ambiguous | None:
    body, after = run["body"], (run["after"] or "").strip()
    if inside_word(run):
        return None
    if is_list(body, locale):
        body = body.rpartition(",")[2]
    value = read_body(body, locale)
    if value is None or isinstance(value, Ambiguous):
        return value
    if after and after != "%":
        return Ambiguous(body + after, f"what {after!r} makes of it is not said")
    sign = sign_of(run)
    if sign is None:
        return Ambiguous(run.group(), "a dash before it, or a minus?")
    value = value.copy_negate() if sign < 0 else value
    return value.scaleb(-2) if percent and after == "%" else value


def inside_word(run: re.Match[str]) -> bool:
    """B2B, v3: digits that belong to a word. Latin letters only; 共3件 holds a number."""
    start = run.start("body")
    before = run.string[start - 1 : start]
    if not (before.isascii() and before.isalpha()) and before != "_":
        return False
    return not re.fullmatch(_CURRENCY, run["before"].strip("+- \t\n"))


def sign_of(run: re.Match[str]) -> int | None:
    """-1 where a minus belongs to the number, 1 where none does, None where a dash stands apart from it (total - 5)."""
    at = run.string.find("-", run.start("before"), run.end("before"))
    if at < 0:
        return 1
    ahead = run.string[max(at - _FAR, 0) : at].rstrip()
    if at and ((run.string[at - 1].isalnum() and run.string[at - 1].isascii()) or run.string[at - 1] in ")]"):
        return 1  # SKU-9 is no negative number
    apart = run.string[at + 1 : at + 2].isspace() and ahead and ahead[-1] not in "=:({[,：（"
    return None if apart else -1


def read_body(body: str, locale: str | None) -> Decimal | Ambiguous | None:
    """The number that digits and separators make; None where no way of writing numbers makes one."""
    joined = re.search(r"[/~–—]|(?<=[0-9])-(?=[0-9])", re.sub(r"[eE]-", "e", body))
    if joined:
        kind = "a fraction or a share" if joined.group() == "/" else "a range"
        return Ambiguous(body, f"{kind}, not one number")
    found = (_READ_ANY if locale is None else _READ[locale]).fullmatch(body)
    if found:
        return _value(found)
    if _VERSION.fullmatch(body) and not _READ["de"].fullmatch(body):
        return None
    readable = [name for name in STYLES if name != locale and _READ[name].fullmatch(body)]
    return Ambiguous(
        body, f"a number only in the way of {' or '.join(readable)}: state `locale`" if readable else "not written as a number is"
    )


def all_readings(body: str) -> list[Decimal]:
    """What digits and separators make: the plain reading, else that of every locale that has one."""
    plain = _READ_ANY.fullmatch(body)
    matches = [plain] if plain else [pattern.fullmatch(body) for pattern in _READ.values()]
    values = [_value(found) for found in matches if found]
    return list(dict.fromkeys(value for value in values if isinstance(value, Decimal)))


def _value(found: re.Match[str]) -> Decimal | Ambiguous:
    digits = re.sub(r"[^0-9]", "", found["whole"] or "") or "0"
    text = f"{digits}.{found['part']}" if found["part"] else digits
    read = _decimal(f"{text}e{found['power']}" if found["power"] else text, found["power"])
    return Ambiguous(found.group()[:60], "too large to be kept exactly") if read is None else read


def _decimal(text: str, power: str | None) -> Decimal | None:
    too_big = len(text) > LONGEST or (power is not None and abs(int(power)) > LONGEST)
    return None if too_big else Decimal(text)
