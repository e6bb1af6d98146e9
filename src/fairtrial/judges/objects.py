"""The JSON objects that stand in a judge's reply, and which of them is its verdict.

A reply may wrap its object in prose or in code fences of any kind. What looks like an object and cannot be read is kept as a
broken one, with all that stands inside it: a verdict within a torn object is no verdict. Kept out: what a verdict must hold
(`reply.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from fairtrial.records.strictjson import BadValue, read_at

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

LONGEST = 200_000
"""Characters of a reply; one that is longer is not read."""

_BEGINS = re.compile(r"""\{\s*["'}]""")
_IN_LIST = re.compile(r"\[\s*\Z")
_MARK = re.compile(r'[{}\[\]"]')
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_THOUGHTS = re.compile(r"\s*<think>")


class Unusable(Exception):
    """A reply that is no verdict; `reason` says why, in words that hold nothing of what was graded."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Found(NamedTuple):
    """One object as it stands in a reply. `problem` is empty where it could be read."""

    text: str
    value: dict[str, Any]
    problem: str = ""


def the_verdict(text: str, nonce: str, words: Collection[str], forgeable: Callable[[], bool]) -> dict[str, Any]:
    """The one object that is the judge's verdict.

    It is the only one that carries the nonce; or, where none does, the only one that holds any of `words`, provided that no
    verdict stands in what was graded (`forgeable` is asked then). Raises Unusable.
    """
    found = objects(text)
    signed = [one for one in found if nonce in one.text and (one.problem or one.value.get("nonce") == nonce)]
    if not signed:
        return _unsigned(text, [one for one in found if _speaks(one, words)], forgeable, any_object=bool(found))
    if len(signed) > 1:
        raise Unusable("it holds two verdicts")
    if signed[0].problem:
        raise Unusable(signed[0].problem)
    return signed[0].value


def _unsigned(text: str, verdicts: list[Found], forgeable: Callable[[], bool], *, any_object: bool) -> dict[str, Any]:
    for one in verdicts:
        if one.problem:
            raise Unusable(one.problem)
    if any("nonce" in one.value for one in verdicts):
        raise Unusable("it carries another nonce than the one of this call")
    if len(verdicts) > 1:
        raise Unusable("it holds two verdicts, and none of them carries the nonce")
    if not verdicts:
        raise Unusable("it holds no verdict" if any_object else "it is empty" if not text.strip() else "it holds no JSON object")
    if forgeable():
        raise Unusable("a verdict stands in what was graded, and this one does not carry the nonce that would tell it from that")
    return verdicts[0].value


def _speaks(one: Found, words: Collection[str]) -> bool:
    """Whether an object is meant as a verdict; a torn one is where it names a word of one."""
    if one.problem:
        return any(f'"{word}"' in one.text or f"'{word}'" in one.text for word in words)
    return any(word in one.value for word in words)


def objects(text: str) -> list[Found]:
    """Every outermost object of a text, whole or torn. Raises Unusable for a text too long, or that ends in its private thoughts."""
    if len(text) > LONGEST:
        raise Unusable(f"it is {len(text)} characters long, and more than {LONGEST} are not read")
    at, fence, found = _after_thoughts(text), -1, []
    while (at := text.find("{", at)) >= 0:
        if _BEGINS.match(text, at) is None:
            at += 1
            continue
        if fence < at:
            fence = _found_or_end(text, "\n```", at)
        one, at = _object(text, at, fence)
        found.append(one)
    return found


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
        return Found(text[start:end], {}, _problem(error, text[start : start + 8], closed=closed)), end
    in_list = _IN_LIST.search(text, max(0, start - 40), start)
    return Found(text[start:end], value, "its verdict stands in a list" if in_list else ""), end


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
    """Where what begins with a brace ends, and whether it is closed there."""
    depth, at = 0, start
    while (mark := _MARK.search(text, at, fence)) is not None:
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
