"""What of a text can be looked up: its numbers, dates and times, ids and links, and what it quotes.

Numbers that only number things (the points of a list, step 3, [1]) are no claims. Kept out: whether a claim is borne out
(`backing.py`), and all else that a text says, which code cannot look up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from fairtrial.graders.dates import Moment, moments_in
from fairtrial.graders.figures import Figure, figures_in
from fairtrial.graders.number_words import MAY_STAND
from fairtrial.graders.numbers import fold_digits

SORTS = ("figures", "dates", "ids", "quotes")


class Claim(NamedTuple):
    """One thing that can be looked up. `text` is as written; `figure` and `moment` are its readings, where it has any (3/4 has
    both); `before`: what stands right before a figure, which may say that it is the end of a longer one."""

    sort: str
    text: str
    start: int
    end: int
    figure: Figure | None = None
    moment: Moment | None = None
    before: str = ""


_LINK = re.compile(
    r"(?i:https?://|www\.)[^\s<>\"'“”‘’「」『』（）\[\]{}|\\^`，。；！？、\u3000]+"
    r"|(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"
)
_TOKEN = re.compile(r"(?<![A-Za-z0-9_])#?[A-Za-z0-9]+(?:[-_.#][A-Za-z0-9]+)*(?![A-Za-z0-9_])")
_WITH_UNIT = re.compile(r"[0-9]+(?:\.[0-9]+)*(?:-?[A-Za-z]{1,4}|(?:-[A-Za-z]+)+)")
_CURRENCY = re.compile(r"(?:US|HK|USD|EUR|GBP|CNY|RMB|JPY|HKD|TWD|INR|KRW|SGD|AUD|CAD|CHF)[0-9.]+")
_POWER = re.compile(r"[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,3}")
_SIZES = re.compile(r"[1-9][0-9]*(?:\.[0-9]+)?(?:x[0-9]+(?:\.[0-9]+)?){1,2}")
_ADDRESS = re.compile(
    r"(?<![\w.:])(?:(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?:/[0-9]{1,2}|:[0-9]{2,5})?|(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{1,4})(?![\w:]|\.[0-9])"
)
_LETTERED = re.compile(r"[0-9]{1,4}[A-Z]|[A-Z]{1,2}-?[0-9]")
_PLACED = re.compile(r"\b(?:room|seat|gate|apartment|apt\.?|suite|flat|unit|row|platform|terminal|bay|aisle|shelf|sku)\s\Z", re.IGNORECASE)
"""Words behind which 12C and B7 name something: elsewhere 12V and 5A are sizes, and B2B and Q3 are words."""
_DOTTED = re.compile(r"[0-9]+(?:\.[0-9]+){2,}")
_PHONE = re.compile(r"(?<![0-9A-Za-z.])\+?(?:\([0-9]{1,4}\)|[0-9]{1,4})(?:[ -]\(?[0-9]{2,4}\)?){2,4}(?![0-9A-Za-z])")
_MAY_CLAIM = re.compile(rf"[0-9\"'@]|www\.|://|[^\x00-\x7f]|{MAY_STAND}", re.IGNORECASE)
_LEAST_PHONE = 9
_QUOTE = re.compile(
    r"“([^“”]{1,2000})”|「([^「」]{1,2000})」|『([^『』]{1,2000})』|«([^«»]{1,2000})»|(?<![A-Za-z0-9_\"])\"([^\"\n]{1,2000})\"(?![A-Za-z0-9_\"])"
    r"|‘((?:[^‘’\n]|’(?=\w)){1,500})’(?![A-Za-z0-9_])|(?<!\w)'((?:[^'\n]|'(?=\w)){1,500})'(?![A-Za-z0-9_])"
)
_NUMBERED = re.compile(
    r"\b(?:[Ss]teps?|[Oo]ptions?|[Pp]arts?|[Ss]ections?|[Cc]hapters?|[Ff]igures?|[Tt]ables?|[Qq]uestions?|[Pp]hases?|[Aa]ppendix|[Nn]otes?|[Ll]ines?"
    r")\s#?([0-9]{1,2}(?:\.[0-9]{1,2}){0,2})(?![0-9%]|[.,][0-9])|第\s?([0-9]+)|\[\^?([0-9]{1,3}(?:\s?[,–-]\s?[0-9]{1,3})*)\]|【([0-9]{1,3})】"
    r"|(?<![A-Za-z0-9.,])([0-9]+(?:st|nd|rd|th))\b|(?<![0-9/])(24/7)(?![0-9/])"
)
_POINT = re.compile(r"(?:^|\n)[^\S\n]*(?:[-*•>#]+\s*)?(?:\*\*)?[(（]?([0-9]{1,3})\\?[.)）、．:：](?![0-9])")
_ROW = re.compile(r"(?:^|\n)[^\S\n]*\|[^\S\n]*([0-9]{1,3})[^\S\n]*\|")
_HEADING = re.compile(r"(?:^|\n)#{1,6}[^\S\n]+([0-9]{1,2}(?:\.[0-9]{1,2})+)\.?[^\S\n]")
"""The numbers of points, of rows and of headings."""
_LEAST_WORDS, _LEAST_HAN = 3, 6
"""A quotation shorter than this is a label or a word set apart, not what somebody said."""
_LATIN, _HAN = re.compile(r"[A-Za-zÀ-ɏ0-9][\w'’-]*"), re.compile(r"[\u3400-\u9fff]")
_SIGNED = re.compile(r"[-+−]?(?:[A-Z]{0,3}[$€£¥])?[-−]?$")


def claims_in(text: str, sorts: tuple[str, ...] = SORTS) -> list[Claim]:
    """All claims of a text, in order. What is an id, a link or a date is no figure as well."""
    if not _MAY_CLAIM.search(text):
        return []
    folded = fold_digits(text)
    if len(folded) != len(text):
        folded = text  # LaTeX separators: rare, and places matter more here
    taken = bytearray(len(text))
    found = [Claim("ids", text[start:end], start, end) for start, end in _free(_links(text), taken)]
    _block(taken, _markers(folded))
    found += _moments(text, folded, taken)
    found += [Claim("ids", text[start:end], start, end) for start, end in _ids(folded, taken)]
    found += _figures(text, folded, taken)
    found += [Claim("quotes", said, start, end) for said, start, end in _quotes(text)]
    return sorted((claim for claim in found if claim.sort in sorts), key=lambda claim: claim.start)


def claim_of(value: Any, sorts: tuple[str, ...] = SORTS) -> list[Claim]:
    """The claims of a leaf of plain data: of a text, or the number that it is."""
    if isinstance(value, str):
        return claims_in(value, sorts)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    return claims_in(str(value), sorts)


def _free(spans: Iterator[tuple[int, int]], taken: bytearray) -> Iterator[tuple[int, int]]:
    """The spans that nothing stands in yet; each is marked as taken."""
    for start, end in spans:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            yield start, end


def _block(taken: bytearray, spans: Iterator[tuple[int, int]]) -> None:
    for start, end in spans:
        taken[start:end] = b"\x01" * (end - start)


def _links(text: str) -> Iterator[tuple[int, int]]:
    for found in _LINK.finditer(text):
        yield found.start(), found.start() + len(_closed(found.group()).rstrip(".,;:!?*_~"))


def _closed(link: str) -> str:
    """A link up to a bracket that closes what was opened before it."""
    depth = 0
    for place, char in enumerate(link):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return link[:place]
    return link


def _markers(text: str) -> Iterator[tuple[int, int]]:
    """Where numbers only number things."""
    for found in _NUMBERED.finditer(text):
        yield found.span()
    yield from (found.span(1) for found in _HEADING.finditer(text))
    for form in (_POINT, _ROW):
        last = 0
        for found in form.finditer(text):
            number = int(found[1])
            if number in (1, last + 1):
                yield found.span(1)
                last = number


def _moments(text: str, folded: str, taken: bytearray) -> Iterator[Claim]:
    for moment in moments_in(folded):
        for start, end in _free(iter([(moment.start, moment.end)]), taken):
            also = "/" in folded[start:end] or folded[start:end].isdigit()
            figure = next(figures_in(folded[start:end]), None) if also else None
            yield Claim("dates", text[start:end], start, end, figure=figure, moment=moment)


def _ids(text: str, taken: bytearray) -> Iterator[tuple[int, int]]:
    """Ids. Names with a digit in them (B2B, GPT-4) are none, and their digits are no figures either."""
    yield from _free((found.span() for found in _PHONE.finditer(text) if sum(map(str.isdigit, found.group())) >= _LEAST_PHONE), taken)
    yield from _free((found.span() for found in _ADDRESS.finditer(text) if _is_address(found.group())), taken)
    names = []
    for found in _TOKEN.finditer(text):
        kind = _kind(found.group())
        if _LETTERED.fullmatch(found.group()) and _PLACED.search(text, max(found.start() - 16, 0), found.start()):
            kind = "id"
        if kind == "id":
            yield from _free(iter([found.span()]), taken)
        elif kind == "name":
            names.append(found.span())
    _block(taken, iter(names))


def _kind(token: str) -> str:
    """What a token of letters, digits and signs is: an id, a name, or a number for the reader of numbers (or a bare word)."""
    digits = sum(map(str.isdigit, token))
    if digits == 0 or digits == len(token) or any(form.fullmatch(token) for form in (_WITH_UNIT, _CURRENCY, _POWER, _SIZES)):
        return ""
    if _DOTTED.fullmatch(token):
        return "id"
    if not any(map(str.isalpha, token)):
        return "id" if token[0] == "#" else ""
    return "id" if digits >= 2 or (len(token) >= 5 and token.isupper() and token.isalnum()) else "name"


def _is_address(found: str) -> bool:
    """An address of a network (10.0.0.0/8, fe80::1), not a time of day."""
    return "." in found or "::" in found or any(map(str.isalpha, found))


def _figures(text: str, folded: str, taken: bytearray) -> Iterator[Claim]:
    for figure in figures_in(folded):
        start, end = figure.start, figure.end
        if not any(taken[start:end]):
            sign = _SIGNED.search(text, max(start - 6, 0, text.rfind("\n", 0, start) + 1), start)
            shown = (sign.group() if sign else "") + text[start:end] + ("%" if text[end : end + 1] in "%％" and end < len(text) else "")
            yield Claim("figures", shown.strip(), start, end, figure=figure, before=folded[max(start - 24, 0) : start])


def _quotes(text: str) -> Iterator[tuple[str, int, int]]:
    for found in _QUOTE.finditer(text):
        said = next(part for part in found.groups() if part is not None).strip()
        words = len(_LATIN.findall(said))
        if words >= _LEAST_WORDS or len(_HAN.findall(said)) >= _LEAST_HAN:
            yield said, found.start(), found.end()
