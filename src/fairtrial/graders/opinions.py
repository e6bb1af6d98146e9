"""Opinions that are told as facts: a judgement or a forecast that nothing marks as one.

What shows an opinion is a short list of words of judgement, advice and forecast (and those that a case adds); what marks one is a
field named for it, or words that say whose view it is. A judgement in other words is not seen: that takes a judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fairtrial.graders.statements import statements_of
from fairtrial.graders.values import join

_SIGNS = (
    r"\b(?:best|worst|greatest|finest|superior|inferior|excellent|outstanding|impressive|disappointing|overrated|underrated|promising"
    r"|remarkabl[ey]|undoubtedly|obviously|clearly|unfortunately|should|ought to|deserves?|worth(?:while)?|recommend(?:ed)?|advisable"
    r"|will (?!be found|not be found)[a-z]+|won't|going to|likely|probably|bound to|certain to|expected to|set to)\b"
    r"|最好|最佳|最差|最优秀|出色|令人(?:失望|印象深刻)|显然|无疑|遗憾|应该|应当|值得|建议|推荐|将会|将[在于]?.{0,8}(?:上涨|下跌|增长|下降|成为|超过)|预计|预期|势必|很可能|大概"
)
_MARKS = (
    r"\b(?:(?:we|i|the authors?) (?:think|believe|expect|recommend|suggest|consider|judge|estimate|would (?:say|expect|recommend))"
    r"|in (?:our|my) (?:view|opinion|judg[e]?ment|estimate|assessment)|our (?:view|opinion|assessment|forecast|recommendation|estimate)"
    r"|according to|as [A-Z][\w. ]{1,30} (?:puts it|says|argues))\b"
    r"|\b(?:opinion|assessment|view|outlook|forecast|recommendation|estimate)\s?[:：]"
    r"|(?:我们?|笔者|个人|作者)(?:认为|预计|预期|建议|推荐|推测|判断|估计|觉得)|在我们?看来|依我们?看|(?:观点|意见|评价|预测|推测|建议|判断)\s?[:：]|据.{1,20}(?:称|报道|表示|预测)"
)
_FIELD = re.compile(
    r"(?:^|_)(?:opinions?|views?|assessments?|outlooks?|recommendations?|judge?ments?|forecasts?|advice|estimates?|interpretations?)(?:$|_)"
    r"|观点|意见|评价|预测|建议|判断",
    re.IGNORECASE,
)


class Unmarked(NamedTuple):
    """A statement that reads as a fact and is an opinion: where, and the word that shows it."""

    path: str
    statement: str
    sign: str


class Opinions:
    """`signs` and `marks`: phrases of the case beside our own."""

    def __init__(self, signs: Sequence[str] = (), marks: Sequence[str] = ()) -> None:
        self._signs = re.compile("|".join([_SIGNS, *map(re.escape, signs)]), re.IGNORECASE)
        self._marks = re.compile("|".join([_MARKS, *map(re.escape, marks)]), re.IGNORECASE)

    def unmarked(self, value: Any, path: str = "$") -> Iterator[Unmarked]:
        """Every opinion in an answer that nothing marks. Quotations are the words of others."""
        if isinstance(value, dict):
            if not _marked(value):
                for key, inner in value.items():
                    if not _FIELD.search(str(key)) and key not in ("quote", "passage"):
                        yield from self.unmarked(inner, join(path, str(key)))
        elif isinstance(value, (list, tuple)):
            for index, inner in enumerate(value):
                yield from self.unmarked(inner, join(path, f"[{index}]"))
        elif isinstance(value, str):
            yield from self._of_text(value, path)

    def is_opinion(self, text: str) -> bool:
        """Whether a statement shows or marks an opinion."""
        return bool(self._signs.search(_unquoted(text)) or self._marks.search(text))

    def _of_text(self, text: str, path: str) -> Iterator[Unmarked]:
        for part in statements_of(text):
            said = text[part.start : part.end]
            sign = None if part.asks or self._marks.search(said) else self._signs.search(_unquoted(said))
            if sign is not None:
                yield Unmarked(path, " ".join(said.split())[:300], sign.group())


def _marked(value: dict[str, Any]) -> bool:
    """Whether an object says of itself that it is an opinion: {opinion: true, …}, {kind: opinion, …}."""
    return value.get("opinion") is True or any(value.get(key) in ("opinion", "forecast", "观点", "预测") for key in ("kind", "type"))


def is_marked_field(name: str) -> bool:
    """Whether a field is named for opinions."""
    return _FIELD.search(name) is not None


def _unquoted(text: str) -> str:
    return re.sub(r"“[^“”]*”|「[^「」]*」|\"[^\"]*\"", " ", text)
