"""`tool: NAME`: was the tool called, how often, with what, before or after which other, with which result?

Calls that were refused, or for which the budget was gone, never reached the world and are not called. Two equal calls are
two calls. Kept out: whether a call was allowed at all (`access.py`, `approval.py`, `unasked.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairtrial.graders.finding import Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import untold_span
from fairtrial.graders.matchers import Match, compile_argument
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View, reached
from fairtrial.records.check import Check
from fairtrial.records.errors import InputError
from fairtrial.records.failure import FailureKind
from fairtrial.records.text import loads
from fairtrial.records.trace import Span

SELECTION, PARAMETER = FailureKind.TOOL_SELECTION, FailureKind.TOOL_PARAMETER


def compile_tool(check: Check, ground: Ground) -> Probe:
    """`with` and `result` say which calls count; `called`, `times`, `before` and `after` speak of those. `with: {}` means no
    arguments; else the named ones must fit and others are free, unless `exact: true`."""
    expect = dict(check.expect)
    name = str(check.target)
    fits = _fitting(expect, check.place)
    counted = _count_test(expect)
    narrowed = "with" in expect or "result" in expect
    leans_on = [f"args.{key}" for key in expect.get("with", {})] + (["result"] if "result" in expect else [])
    turned = check.under in ("must_not", "not")

    def probe(view: View) -> Finding:
        calls = [span for span in view.calls if span.name == name]
        covered = untold_span(view, calls, *leans_on) if leans_on else None
        if covered is not None:
            return covered
        matching = [span for span in calls if fits(span)] if narrowed else calls
        kind = FailureKind.UNSAFE_ACT if turned else SELECTION
        wrong = counted(matching)
        if wrong is not None:
            if not view.trace_whole and len(matching) < wrong[1]:
                return unknown("the trace is missing or not whole")
            found = _wrong(view, name, calls, matching, wrong[0])
            found.kind = PARAMETER if narrowed and calls and not matching else kind
            return found
        if not view.trace_whole and not matching:
            return unknown("the trace is missing or not whole")
        order = _out_of_order(view, name, matching, expect)
        if order is not None:
            return order
        return holds(span=matching[0].id if matching else None, seen=_shown(matching), kind=kind)

    return probe


def arguments(span: Span) -> Any:
    """A call's arguments; a JSON text of them is read."""
    return read_text(span.attributes.get("args", {}), "{")


def read_text(value: Any, signs: str) -> Any:
    """The data in a JSON text that begins with one of some signs; everything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in tuple(signs):
        try:
            return loads(value)
        except InputError:
            return value
    return value


def _fitting(expect: dict[str, Any], place: str) -> Callable[[Span], bool]:
    named: dict[str, Match] = {key: compile_argument(value, place) for key, value in expect.get("with", {}).items()}
    alone = "with" in expect and (not named or expect.get("exact", False))
    result = compile_argument(expect["result"], place) if "result" in expect else None

    def fits(span: Span) -> bool:
        args = arguments(span)
        if not isinstance(args, dict) or any(key not in args or match(args[key]) is not None for key, match in named.items()):
            return False
        if alone and len(args) > len(named):
            return False
        if result is None:
            return True
        return "result" in span.attributes and result(span.attributes["result"]) is None

    return fits


def _count_test(expect: dict[str, Any]) -> Callable[[list[Span]], tuple[str, float] | None]:
    """What is wrong with a number of calls, and below how many more calls might still mend it. Without a word on numbers a
    call must have been made."""
    low, high = expect.get("min_times", 0), expect.get("max_times", float("inf"))
    if "times" in expect:
        low = high = expect["times"]
    if expect.get("called") is False:
        high = 0
    elif expect.get("called") is True or not ({"times", "min_times", "max_times", "called"} & expect.keys()):
        low = max(low, 1)
    says = (
        "not at all"
        if high == 0
        else f"{low} times"
        if low == high
        else f"at least {low}"
        if high == float("inf")
        else f"{low} to {high} times"
    )

    def test(calls: list[Span]) -> tuple[str, float] | None:
        return None if low <= len(calls) <= high else (says, low)

    return test


def _wrong(view: View, name: str, calls: list[Span], matching: list[Span], wanted: str) -> Finding:
    refused = sum(1 for span in view.tools if span.name == name and not reached(span))
    notes = [f"{len(calls)} calls in all"] if len(calls) > len(matching) else []
    notes += [f"{refused} more refused"] if refused else []
    again = len(matching) - len({repr(arguments(span)) for span in matching})
    notes += [f"{again} of them repeated"] if again else []
    why = f"{name} was called {len(matching)} times" + (f" as asked ({', '.join(notes)})" if notes else "") + f", not {wanted}"
    last = matching[-1] if matching else calls[-1] if calls else None
    return fails(why.replace("1 times", "once"), span=last.id if last else None, expected=wanted, seen=_shown(matching or calls))


def _out_of_order(view: View, name: str, matching: list[Span], expect: dict[str, Any]) -> Finding | None:
    """`before: B`: the first such call comes before the first call of B. `after: B`: after the first call of B."""
    first = matching[0] if matching else None
    for word in ("before", "after"):
        other = expect.get(word)
        if other is None or first is None:
            continue
        mark = next((span for span in view.calls if span.name == other), None)
        at = view.calls.index(first)
        if mark is None and word == "before":
            continue
        right = mark is not None and (at < view.calls.index(mark) if word == "before" else at > view.calls.index(mark))
        if not right:
            seen = "was never called" if mark is None else f"was called at span {mark.id}"
            return fails(
                f"{name} (span {first.id}) did not come {word} {other}, which {seen}", span=first.id, expected={word: other}, kind=SELECTION
            )
    return None


def _shown(calls: list[Span]) -> Any:
    return [arguments(span) for span in calls[:5]]
