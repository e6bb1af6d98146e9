"""Which value of an answer its case turns on, and a wrong one to stand in its place.

The case itself says: the paths that its checks name, the places where its bad answers differ from its solution. Kept out: how
a check decides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fairtrial.mutants.leaves import Leaf, Way, at, leaves, number
from fairtrial.records.errors import InputError
from fairtrial.records.way import steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairtrial.mutants.passing import Passing

_IN_RULE = re.compile(r"\boutput((?:\.\w+|\[\d+\])+)")
ANSWERED = ("output", "text", "question", "citations", "grader", "judge")
"""Subjects that look at the answer."""
ELSEWHERE = ("state", "query", "changes", "command", "role", "ui_card", "tool", "effect")
_STATED = frozenset(("answer", "state", "trace", "declined"))


class Wrong(NamedTuple):
    """A place in an answer with what stood there and what is wrong there."""

    way: Way
    was: Any
    value: Any


def wrongs(passing: Passing) -> Iterator[Wrong]:
    """Places that the case turns on, the most telling first, each with a wrong value for it; none where it does not turn on the
    answer (a talk, say, of which only the end of the world and the words to the user count)."""
    output, key = passing.output, passing.case.key
    solved, bad = answer_of(key.solution), [answer_of(one) for one in key.known_bad]
    own = [*_checked(passing), *_apart(solved, bad), *_ruled(passing)]
    for way in dict.fromkeys([*own, *(leaf.way for leaf in leaves(output) if own or turns_on_answer(passing))]):
        try:
            was = at(output, way)
        except (LookupError, TypeError):
            continue
        if not isinstance(was, (dict, list)):
            yield Wrong(way, was, wrong_value(was, [_there(one, way) for one in bad], _there(solved, way)))


def turns_on_answer(passing: Passing) -> bool:
    """Whether a check looks at the answer, or none says what else counts."""
    checks = list(passing.stated())
    reads = any(check.subject in ANSWERED or (check.subject == "rule" and "output" in str(check.target)) for check in checks)
    return reads or not any(check.subject in ELSEWHERE for check in checks)


def wrong_value(was: Any, bad: Iterable[Any] = (), right: Any = msgspec.UNSET) -> Any:
    """What the case itself knows to be wrong in this place; else a value of the same kind that is far off."""
    for one in bad:
        if one is not msgspec.UNSET and not isinstance(one, (dict, list)) and one is not None and one not in (was, right):
            return one
    if isinstance(was, bool):
        return not was
    if number(was):
        return was * 3 + 7
    if isinstance(was, str):
        return f"not {was}" if was.strip() else "something that nobody found"
    return "something that nobody found"


def answer_of(stated: Any) -> Any:
    """The answer of a solution or a bad answer, which may carry state and trace beside it."""
    long = isinstance(stated, dict) and "answer" in stated and stated.keys() <= _STATED
    return stated["answer"] if long else stated


def _checked(passing: Passing) -> Iterator[Way]:
    for check in passing.stated():
        if check.subject in ("question", "output", "text") and check.target != "$":
            try:
                yield steps_of(str(check.target))
            except InputError:
                continue


def _apart(solved: Any, bad: Iterable[Any]) -> Iterator[Way]:
    if solved is msgspec.UNSET:
        return
    right = {leaf.way: leaf.value for leaf in leaves(solved)}
    for one in bad:
        yield from (leaf.way for leaf in leaves(one) if leaf.way in right and right[leaf.way] != leaf.value)


def _ruled(passing: Passing) -> Iterator[Way]:
    for check in passing.stated():
        if check.subject == "rule":
            for path in _IN_RULE.findall(str(check.target)):
                yield steps_of(path.lstrip("."))


def _there(value: Any, way: Way) -> Any:
    try:
        return at(value, way)
    except (LookupError, TypeError):
        return msgspec.UNSET


def named(output: Any, names: re.Pattern[str]) -> Iterator[Leaf]:
    """Numbers of an answer whose name fits, those that are not zero first."""
    found = [leaf for leaf in leaves(output) if number(leaf.value) and names.search(leaf.name)]
    yield from sorted(found, key=lambda leaf: leaf.value == 0)
