"""`ui_card: NAME`: was the card shown to the user, how often, at which turn, before which other?"""

from __future__ import annotations

from fairtrial.graders.finding import Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.trace import Span


def compile_card(check: Check, ground: Ground) -> Probe:
    """`at_turn` is the message's own turn where it states one, else its number among the agent's messages, from 1."""
    name, expect = str(check.target), check.expect

    def probe(view: View) -> Finding:
        messages = view.spans("message")
        shown = [span for span in messages if span.attributes.get("ui_card") == name]
        if not view.trace_whole and not shown:
            return unknown("the trace is missing or not whole")
        turns = [_turn(messages, span) for span in shown]
        wrong = _wrong(expect, len(shown), turns)
        if wrong:
            return fails(f"{name} {wrong}", span=shown[0].id if shown else None, expected=dict(expect), seen=turns)
        other = next((span for span in messages if span.attributes.get("ui_card") == expect.get("before")), None)
        if "before" in expect and other is not None and (not shown or messages.index(other) < messages.index(shown[0])):
            return fails(f"{name} was not shown before {expect['before']}", span=other.id, expected={"before": expect["before"]})
        return holds(span=shown[0].id if shown else None, seen=turns)

    return probe


def _turn(messages: list[Span], span: Span) -> object:
    return span.attributes.get("turn", messages.index(span) + 1)


def _wrong(expect: dict[str, object], count: int, turns: list[object]) -> str | None:
    if expect.get("shown") is False:
        return f"was shown {count} times" if count else None
    if "times" in expect:
        return None if count == expect["times"] else f"was shown {count} times, not {expect['times']}"
    if count == 0:
        return "was not shown"
    if "at_turn" in expect and expect["at_turn"] not in turns:
        return f"was shown at turn {', '.join(map(str, turns))}, not {expect['at_turn']}"
    return None
