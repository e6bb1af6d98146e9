"""What a judge replied, read strictly: a verdict that holds together, or the reason why the reply is none.

Nothing is filled in, mended or clamped, and no reply passes by default. Kept out: which object of a reply is the verdict
(`objects.py`), and what is done about one that cannot be used (`judge.py`).
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from fairtrial.judges.objects import Unusable, the_verdict, visible
from fairtrial.judges.question import bar
from fairtrial.records.rubric import turned
from fairtrial.records.text import dumps, utf8
from fairtrial.records.votes import exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairtrial.records.opinion import Matter
    from fairtrial.records.rubric import Rubric

TOLD = (
    "reasoning_notes", "reason", "reasoning", "notes", "explanation", "rationale", "comment", "comments", "justification", "feedback",
    "analysis", "summary", "thoughts", "evidence", "confidence",
)  # fmt: skip
"""Keys that say how a verdict came about. The first that is text is kept as its reason."""
HOLDERS = ("marks", "scores", "dimensions")
"""Keys that the marks may stand under, in place of standing beside the verdict."""
MARKS = ("score", "mark", "rating", "value")
"""Keys of a mark that is an object and gives its own reason."""
TOTALS = ("score", "total", "total_score", "overall", "overall_score", "weighted_score", "final_score")
"""Keys that may state the weighted mean; it must be the one that the marks give."""
VERDICTS = ("passed", "verdict", "decision", "result", "label", "outcome")
"""Keys that may state the verdict once more; it must be the same."""
_MEANT = {"pass": True, "passed": True, "fail": False, "failed": False, "true": True, "false": False}
LONGEST_REASON = 4_000
LAYERS = 16
"""Of escapes within escapes that are looked through."""
_KEY = r"""["'“”‘’`]\s*%s\s*\\*["'“”‘’`]|[{,]\s*%s\s*[:=]"""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": "\f"}
ROUNDING = Decimal("0.0125")
"""How far a stated total may lie from the weighted mean, as a share of the scale: 0.05 on 1 to 5."""


class Reading(NamedTuple):
    """A verdict that can be used: marks and score on the rubric's scale."""

    marks: dict[str, float]
    score: Decimal
    passed: bool
    reason: str


def read_reply(text: str, rubric: Rubric, nonce: str, matter: Matter) -> Reading:
    """The verdict of a reply.

    One mark a dimension, by its name, beside `pass` or under one of HOLDERS; a rubric of one dimension may call it `score`, and
    then `pass` must stand beside it. A mark is a number, or an object that holds one number and words about it. Where every mark is
    named, `pass` follows from them and may be left out. What is said twice must be the same. Raises Unusable.
    """
    words = {"pass", *HOLDERS, *TOTALS, *VERDICTS, *rubric.dimensions}
    verdict = the_verdict(text, nonce, words, lambda: _forgeable(rubric, matter))
    allowed = {"nonce", "pass", *TOLD, *HOLDERS, *TOTALS, *VERDICTS, *rubric.dimensions}
    strange = next((key for key in verdict if key not in allowed), None)
    if strange is not None:
        raise Unusable(f"it has a key that was not asked for: {shown_key(strange)}")
    marks, by_name = _marks(verdict, rubric)
    score = weighted(rubric, marks)
    passed = _passed(verdict, needed=not by_name, reached=score >= rubric.passes)
    _agree(verdict, rubric, score, passed)
    if (exact(float(score)) >= rubric.passes) != passed:
        raise Unusable("its score lies so near to the bar that it cannot be kept exactly")
    return Reading({name: float(mark) for name, mark in marks.items()}, score, passed, reason_of(verdict))


def weighted(rubric: Rubric, marks: dict[str, Decimal]) -> Decimal:
    """The exact weighted mean."""
    return sum((rubric.dimensions[name].weight * mark for name, mark in marks.items()), Decimal(0))


def _marks(verdict: dict[str, Any], rubric: Rubric) -> tuple[dict[str, Decimal], bool]:
    """One mark a dimension, and whether each stands under its own name."""
    places = [key for key in HOLDERS if key in verdict]
    flat = any(name in verdict for name in rubric.dimensions)
    only = next(iter(rubric.dimensions)) if len(rubric.dimensions) == 1 else None
    if only is not None and not places and not flat and verdict.get("score") is not None:
        return {only: number(verdict["score"], "score", rubric)}, False
    found = [_held(verdict[place], place, rubric) for place in places]
    if flat or not places:
        found.append(_named(verdict, rubric))
    if any(other != found[0] for other in found):
        raise Unusable("it contradicts itself: its marks stand in two places and differ")
    return found[0], only != "score"


def _held(held: Any, place: str, rubric: Rubric) -> dict[str, Decimal]:
    """The marks under one of HOLDERS, where nothing else may stand."""
    if not isinstance(held, dict):
        raise Unusable(f"{place!r} holds no marks by name")
    if (more := next((key for key in held if key not in rubric.dimensions), None)) is not None:
        raise Unusable(f"{place!r} holds a mark that was not asked for: {shown_key(more)}")
    return _named(held, rubric)


def _named(held: dict[str, Any], rubric: Rubric) -> dict[str, Decimal]:
    missing = [name for name in rubric.dimensions if held.get(name) is None]
    if missing:
        raise Unusable("it holds no verdict" if len(missing) == len(rubric.dimensions) else f"it has no mark for {', '.join(missing)}")
    return {name: number(_bare(held[name], name), name, rubric) for name in rubric.dimensions}


def _bare(mark: Any, name: str) -> Any:
    """A mark without the words about it: `{"score": 4, "reason": "…"}` is 4."""
    if not isinstance(mark, dict):
        return mark
    numbers = [key for key in MARKS if key in mark]
    if len(numbers) != 1 or not all(key in TOLD for key in mark if key != numbers[0]):
        raise Unusable(f"{name!r} is an object, and not one mark with words about it")
    return mark[numbers[0]]


def number(value: Any, name: str, rubric: Rubric) -> Decimal:
    """A mark within the scale, turned back where it was asked for turned; exact types, so that neither true nor "4" is one."""
    low, high = rubric.scale
    if type(value) not in (int, float):
        raise Unusable(f"{name!r} is {_kind(value)}, not a number")
    mark = Decimal(value) if type(value) is int else Decimal(repr(value))
    if not mark.is_finite():
        raise Unusable(f"{name!r} is not finite")
    if not low <= mark <= high:
        raise Unusable(f"{name!r} is out of range {low} to {high}")
    return turned(mark, rubric)


def _passed(verdict: dict[str, Any], *, needed: bool, reached: bool) -> bool:
    stated = verdict.get("pass")
    if stated is None:
        if needed or "pass" in verdict:
            raise Unusable("it holds no verdict: 'pass' is missing")
        return reached
    if type(stated) is not bool:
        raise Unusable(f"'pass' is {_kind(stated)}, not true or false")
    return stated


def _agree(verdict: dict[str, Any], rubric: Rubric, score: Decimal, passed: bool) -> None:
    """Everything that the verdict says twice is said alike."""
    if passed != (score >= rubric.passes):
        told = f"the marks come to {plain(turned(score, rubric))}, and {bar(rubric)} passes"
        raise Unusable(f"it contradicts itself: 'pass' is {str(passed).lower()}, {told}")
    low, high = rubric.scale
    for key in TOTALS:
        if key not in verdict or key in rubric.dimensions:
            continue
        total = number(verdict[key], key, rubric)
        if abs(total - score) > ROUNDING * (high - low):
            raise Unusable(f"it contradicts itself: its {key!r} is not the weighted mean of its marks, {plain(turned(score, rubric))}")
        if (total >= rubric.passes) != passed:
            raise Unusable(f"it contradicts itself: its {key!r} stands on the other side of the bar than its marks")
    for key in VERDICTS:
        if key in verdict and key not in rubric.dimensions and _meant(verdict[key]) is not passed:
            raise Unusable(f"it contradicts itself: its {key!r} is not what 'pass' and the marks say")


def _meant(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return _MEANT.get(value.strip().lower()) if isinstance(value, str) else None


def reason_of(verdict: dict[str, Any]) -> str:
    """How the verdict came about, in the judge's words, cut where it runs on."""
    found = next((verdict[key] for key in TOLD if isinstance(verdict.get(key), str)), "")
    return utf8(found[:LONGEST_REASON]).decode() + ("…" if len(found) > LONGEST_REASON else "")


def plain(value: Decimal) -> str:
    """3.00 as 3, without an exponent."""
    return f"{value.normalize():f}"


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", str: "text", dict: "an object", list: "a list"}
    return "null" if value is None else kinds.get(type(value), "a number")


def shown_key(key: str) -> str:
    """A key of a reply, safe to be said again: the reply may be an echo of what was graded."""
    return repr("".join(sign for sign in key[:40] if sign.isalnum() or sign in "_- "))


def _forgeable(rubric: Rubric, matter: Matter) -> bool:
    """Whether what was graded holds the words of a verdict, so that a reply without the nonce may be an echo of it."""
    groups = [list(rubric.dimensions)]
    if len(rubric.dimensions) == 1:
        groups.append(["pass", "score"])
    return holds_words("\n".join(_texts(matter)), groups)


def _texts(matter: Matter) -> Iterator[str]:
    for value in (matter.task, matter.reference, *matter.parts.values()):
        if value is not None:
            yield value if isinstance(value, str) else dumps(value)


def holds_words(text: str, groups: Iterable[list[str]]) -> bool:
    """Whether all words of one group stand as keys in a text, read through disguises: wide and invisible signs, and escapes in as many
    layers as there are; a text with more layers than anybody needs is taken for one that does."""
    ways = [[re.compile(_KEY % (re.escape(word), re.escape(word)), re.IGNORECASE) for word in words] for words in groups]
    for _ in range(LAYERS):
        text = text if text.isascii() else visible(text)
        if any(all(way.search(text) for way in words) for words in ways):
            return True
        inner = _ESCAPE.sub(_meant_by, text)
        if inner == text:
            return False
        text = inner
    return True


def _meant_by(found: re.Match[str]) -> str:
    """The sign that an escape of JSON stands for."""
    code, sign = found.groups()
    return chr(int(code, 16)) if code else _SHORT.get(sign, sign)
