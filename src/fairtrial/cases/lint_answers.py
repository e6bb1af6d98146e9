"""Answers that the agent is shown: what it is told holds the reference or the solution, so passing proves nothing.

Only clear cases are named. A number that an answer shares with a fact is no leak (answers follow from facts), nor is an
option of a list from which the wrong ones can be seen as well.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from fairtrial.cases.walk import every, found_in
from fairtrial.records.text import encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.case import Case
    from fairtrial.records.finding import Finding

LONG = 24
"""Bytes of a sentence that nobody writes twice by chance (a Chinese character counts three)."""
SHORT = 5

_CUE = re.compile(
    r"(answer|solution|correct|expected|reference|ground.?truth|答案|正确|标准|参考)[^.。\n]{0,24}?(\bis|\bare|\bwas|[:：=为是])\W{0,4}$",
    re.IGNORECASE,
)
_CUE_KEY = re.compile(r"(^|_)(answer|solution|expected|reference|ground_?truth|correct|ideal|target|label)(_|$)|答案", re.IGNORECASE)
_WRAPPER = frozenset(("answer", "state", "trace"))


def visible_answers(case: Case) -> Iterator[Finding]:
    """At most one finding for each place where the agent is told an answer."""
    shown = _shown(case)
    answer = answer_of(case.key.solution)
    sentences = [text for text in (case.key.reference, case.expected, *_leaves(answer)) if _is_long(text)]
    values = [value for value in (*_expected(case), *_leaves(answer)) if _is_telling(value)]
    for place, text in shown.items():
        told = next((sentence for sentence in sentences if _flat(sentence) in text), None)
        if told is None and not _is_choice(case, text):
            told = next((value for value in values if _cued(text, value, place)), None)
        if told is not None:
            yield _finding(case, place, told)
    if isinstance(answer, dict) and len(answer) > 1:
        for name, value in case.brief.facts.items():
            if _holds(value, answer):
                yield _finding(case, f"facts.{name}", answer)
    if _whole_answer_in_task(case, answer, shown["task"]):
        yield _finding(case, "task", answer)


def answer_of(solution: Any) -> Any:
    """The answer itself, of a solution that may carry state and trace beside it."""
    wrapped = isinstance(solution, dict) and "answer" in solution and solution.keys() <= _WRAPPER
    return solution["answer"] if wrapped else solution


def _finding(case: Case, place: str, told: Any) -> Finding:
    what = f"{told:.60}" if isinstance(told, str) else encode(told).decode()[:60]
    mend = f"take it out of {place}; the agent should have to find it"
    return found_in(case, "visible_answer", f"{place} tells the agent the answer: {what}", mend)


def _flat(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _shown(case: Case) -> dict[str, str]:
    """All text an agent is told, by place, and what its simulated user knows and may pass on."""
    brief = case.brief
    found = {"task": _flat(brief.task)}
    found |= {f"facts.{name}": _flat(" ".join(_texts(value))) for name, value in brief.facts.items()}
    found |= {f"slots.{name}": _flat(" ".join(_texts(value))) for name, value in brief.slots.items()}
    user = case.scene.user or {}
    found |= {f"user.{part}": _flat(str(user[part])) for part in ("persona", "goal") if user.get(part)}
    found |= {f"history[{place}]": _flat(" ".join(_texts(turn))) for place, turn in enumerate(brief.history)}
    return found


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif value is not UNSET:
        yield value


def _texts(value: Any) -> Iterator[str]:
    for leaf in _leaves(value):
        if isinstance(leaf, (str, int, float)) and not isinstance(leaf, bool):
            yield str(leaf)


def _expected(case: Case) -> Iterator[Any]:
    for check in every(case.key.must):
        if check.subject == "output" and check.under == "must" and "equals" in check.expect:
            yield from _leaves(check.expect["equals"])


def _is_long(text: Any) -> bool:
    return isinstance(text, str) and len(_flat(text).encode("utf-8", "replace")) >= LONG


def _is_telling(value: Any) -> bool:
    """Whether seeing a value says something: not true, null, a single digit or a word of two letters."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "replace")) >= 3
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= 10


def _cued(text: str, value: Any, place: str) -> bool:
    """Whether a value stands where the text announces an answer, or is all of a fact that is named like one."""
    flat = _flat(str(value))
    if place.startswith(("facts.", "slots.")) and text == flat:
        return bool(_CUE_KEY.search(place.partition(".")[2]))
    pattern = re.compile(r"(?<![\w.])" + re.escape(flat) + r"(?![\w]|\.\d)") if flat.isascii() else re.compile(re.escape(flat))
    return any(_CUE.search(text, 0, match.start()) for match in pattern.finditer(text))


def _holds(value: Any, answer: dict[str, Any]) -> bool:
    if isinstance(value, dict):
        if all(key in value and value[key] == item for key, item in answer.items()):
            return True
        return any(_holds(item, answer) for item in value.values())
    return isinstance(value, list) and any(_holds(item, answer) for item in value)


def _whole_answer_in_task(case: Case, answer: Any, task: str) -> bool:
    """A short answer that is one text, word for word in the task, with no wrong answer beside it to choose from."""
    if not isinstance(answer, str) or not len(answer.encode("utf-8", "replace")) >= SHORT or _is_long(answer):
        return False
    return _word_in(answer, task) and not _is_choice(case, task)


def _is_choice(case: Case, text: str) -> bool:
    """Whether wrong answers can be seen in the text as well."""
    wrong = [leaf for bad in case.key.known_bad for leaf in _leaves(answer_of(bad)) if isinstance(leaf, str) and leaf.strip()]
    return any(_word_in(word, text) for word in wrong)


def _word_in(text: str, task: str) -> bool:
    flat = re.escape(_flat(text))
    return re.search(rf"(?<!\w){flat}(?!\w)" if text.isascii() else flat, task) is not None
