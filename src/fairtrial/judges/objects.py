"""The JSON objects that stand in a judge's reply, and which of them is its verdict.

A reply may wrap its object in prose or in code fences of any kind. What looks like an object and cannot be read is kept as a
broken one, with all that stands inside it: a verdict within a torn object is no verdict. Kept out: what a verdict must hold
(`reply.py`).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

from fairtrial.records.strictjson import BadValue, read_at

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

LONGEST = 200_000
"""Characters of a reply; one that is longer is not read."""
MOST = 10_000
"""Objects of a reply, whole and torn."""

SPOKEN = frozenset(
    (
        "fail", "failed", "failure", "grade", "rating", "mark", "judgement", "judgment", "conclusion", "status", "correct", "ok",
        "approved", "accepted", "acceptable", "winner", "preferred", "choice", "best", "average", "points",
    )
)  # fmt: skip
"""Keys of what a model means as a verdict in words that nobody asked for: beside a verdict they make a second one."""
SAID = frozenset(("pass", "passed", "fail", "failed"))
"""What such an object says in place of true and false."""
_BEGINS = re.compile(r"""\{\s*(?:\\*["'“”‘’`]|[{}/]|[\w-]+\s*[:=]|\Z)""")
_MARK = re.compile(r'[{}\[\]"]')
_BRACE = re.compile(r"[{}\[\]]")
_ESCAPED = re.compile(r"\{\s*\\")
_BRACKET = re.compile(r"[\[\]]")
_BLANK = re.compile(r"\s*")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_WORD = re.compile(r"([^\W_]++(?:[ _-]++[^\W_]++)*+)(\s*+(?:\\*+[\"'“”‘’`]|[:=]))?+")
_THOUGHTS = re.compile(r"\s*<think>")


class Unusable(Exception):
    """A reply that is no verdict; `reason` says why, in words that hold nothing of what was graded."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Found(NamedTuple):
    """One object as it stands in a reply. `problem` is empty where it could be read; `open`: it never ends."""

    text: str
    value: dict[str, Any]
    problem: str = ""
    open: bool = False


def the_verdict(text: str, nonce: str, words: Collection[str], forgeable: Callable[[], bool]) -> dict[str, Any]:
    """The one object that is the judge's verdict.

    It is the only one that carries the nonce; or, where none does, the only one that speaks of a verdict in any spelling, in a reply
    where nothing is torn, provided that no verdict stands in what was graded (`forgeable` is asked then). Raises Unusable.
    """
    found = objects(text)
    meant = {bare(word) for word in words} | SPOKEN
    signed = [one for one in found if nonce in one.text and (one.problem or one.value.get("nonce") == nonce)]
    if not signed:
        return _unsigned(text, found, meant, forgeable)
    if len(signed) > 1 or any(nonce in one.text and _speaks(one, meant) for one in found if one is not signed[0]):
        raise Unusable("it holds two verdicts")
    if signed[0].problem:
        raise Unusable(signed[0].problem)
    if found[-1].open and text.endswith(found[-1].text):
        raise Unusable(found[-1].problem)
    return signed[0].value


def _unsigned(text: str, found: list[Found], meant: Collection[str], forgeable: Callable[[], bool]) -> dict[str, Any]:
    verdicts = [one for one in found if one.open or _speaks(one, meant)]
    for one in verdicts:
        if one.problem:
            raise Unusable(one.problem)
    if any("nonce" in one.value for one in verdicts):
        raise Unusable("it carries another nonce than the one of this call")
    if len(verdicts) > 1:
        raise Unusable("it holds two verdicts, and none of them carries the nonce")
    if not verdicts:
        raise Unusable("it holds no verdict" if found else "it is empty" if not text.strip() else "it holds no JSON object")
    if forgeable():
        raise Unusable("a verdict stands in what was graded, and this one does not carry the nonce that would tell it from that")
    return verdicts[0].value


def bare(word: str) -> str:
    """A word whatever its case, its width, its blanks and the invisible signs in it."""
    if not word.isascii():
        word = visible(word)
    return re.sub(r"[\s_-]+", "_", word.strip().casefold())


def visible(text: str) -> str:
    """A text as it looks: wide signs as plain ones, invisible ones left out."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")


def _speaks(one: Found, meant: Collection[str]) -> bool:
    """Whether an object is meant as a verdict; a torn one is where it names a word of one, with quotes or without."""
    if one.problem and not one.value:
        text = one.text if one.text.isascii() else visible(one.text)
        return any(found[2] and bare(found[1]) in meant for found in _WORD.finditer(text))
    left: list[Any] = [one.value]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            if any(bare(key) in meant for key in value):
                return True
            left += value.values()
        elif isinstance(value, list):
            left += value
        elif isinstance(value, str) and bare(value[:20]) in SAID:
            return True
    return False


def objects(text: str) -> list[Found]:
    """Every outermost object of a text, whole or torn. Raises Unusable for a text with too much in it, or
    that ends in its private thoughts."""
    if len(text) > LONGEST:
        raise Unusable(f"it is {len(text)} characters long, and more than {LONGEST} are not read")
    at, fence = _after_thoughts(text), -1
    found: list[Found] = []
    last, lists = at, 0
    while (at := text.find("{", at)) >= 0:
        if _BEGINS.match(text, at) is None:
            at += 1
            continue
        if fence < at:
            fence = _found_or_end(text, "\n```", at)
        lists = _lists(lists, before := text[last:at])
        if len(found) == MOST:
            raise Unusable(f"it holds more than {MOST} objects")
        one, end = _object(text, at, fence)
        found.append(one._replace(problem=one.problem or _listed(before, text, end, lists)))
        at = last = end
    return found


def _lists(open_before: int, text: str) -> int:
    """How many lists are open after a text, which held so many when it began."""
    for sign in _BRACKET.findall(text):
        open_before = open_before + 1 if sign == "[" else max(open_before - 1, 0)
    return open_before


def _listed(before: str, text: str, end: int, lists: int) -> str:
    """What is wrong with an object that is one of a list."""
    ahead, behind = before.rstrip()[-1:], _after(text, end)
    in_list = ahead == "[" or behind == "]" or (lists > 0 and (ahead == "," or behind == ","))
    return "its verdict stands in a list" if in_list else ""


def _after(text: str, start: int) -> str:
    """The first sign after a place that is not blank."""
    blank = _BLANK.match(text, start)
    end = blank.end() if blank else start
    return text[end : end + 1]


def _found_or_end(text: str, sign: str, start: int) -> int:
    at = text.find(sign, start)
    return at if at >= 0 else len(text)


def _after_thoughts(text: str) -> int:
    """Where a reply begins whose model thinks aloud first; what it weighs there is no verdict yet."""
    if _THOUGHTS.match(text) is None:
        return 0
    end = text.find("</think>")
    if end < 0:
        raise Unusable("it ends in the middle of its thoughts (max_tokens reached?)")
    return end


def _object(text: str, start: int, fence: int) -> tuple[Found, int]:
    """The object that begins there, and where it ends; a torn one ends at the next code fence at the latest."""
    try:
        value, end = read_at(text, start)
    except (ValueError, RecursionError) as error:
        end, closed = _extent(text, start, fence)
        return Found(text[start:end], {}, _problem(error, text[start : start + 8], closed=closed), not closed), end
    return Found(text[start:end], value), end


def _problem(error: Exception, begins: str, *, closed: bool) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    if isinstance(error, BadValue) and error.key in ("NaN", "Infinity", "-Infinity"):
        return "a number in it is not finite"
    if isinstance(error, BadValue):
        return "a key in it is given twice" if "twice" in str(error) else "a number in it cannot be kept exactly"
    if not closed:
        return "it is cut off (max_tokens reached?)"
    return "it is not JSON: single quotes" if "'" in begins else "it is not valid JSON"


def _extent(text: str, start: int, fence: int) -> tuple[int, bool]:
    """Where what begins with a brace ends, and whether it is closed there. Quotes that are escaped hide no braces."""
    depth, at = 0, start
    marks = _BRACE if _ESCAPED.match(text, start) else _MARK
    while (mark := marks.search(text, at, fence)) is not None:
        if mark.group() == '"':
            inside = _STRING.match(text, mark.start(), fence)
            if inside is None:
                break
            at = inside.end()
            continue
        at = mark.end()
        depth += 1 if mark.group() in "{[" else -1
        if depth <= 0:
            return at, True
    return fence, False
