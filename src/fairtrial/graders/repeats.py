"""Calls that could bring nothing new: the same call again, and reads of what is known already.

A call after a failure is a retry and a call whose result changed in the end was waiting for that: neither is a repeat.
A second look after the world may have changed is none either.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fairtrial.graders.acts import Acts, acts_of, done
from fairtrial.graders.compare import exactly_equal
from fairtrial.graders.kept import untold_span
from fairtrial.records.remark import Remark

if TYPE_CHECKING:
    from fairtrial.graders.view import View
    from fairtrial.records.trace import Span

QUICK = 30
"""Calls up to which each is laid beside each."""
SHORT = 8
"""A text up to this length (`ok`, `sent`) may be a receipt; the same receipt twice shows nothing."""


def useless_repeats(view: View) -> list[Remark]:
    """The same call with the same result again, by the same role, with nothing in between that could have changed it."""
    acts = acts_of(view)
    found = []
    for group in filter(_one_result, acts.same):
        again = [two for one, two in pairwise(group) if _for_nothing(view, acts, one, two) and not _news(view, one, two)]
        if again:
            times = "once" if len(again) == 1 else f"{len(again)} times"
            why = (
                f"{group[0].name} was called {times} more with the same arguments and gave the same result; nothing had changed in between"
            )
            found.append(Remark(name="useless_repeat", spans=[group[0].id, *(span.id for span in again)], why=why))
    return found


def needless_reads(view: View) -> list[Remark]:
    """A record that was read again, after somebody had spoken, though nothing had changed it."""
    acts = acts_of(view)
    found = []
    for group in filter(_one_result, acts.same):
        for one, two in pairwise(group):
            if acts.looked(two) and _for_nothing(view, acts, one, two) and _news(view, one, two):
                why = f"{two.name} had given the same already (span {one.id}), and nothing had changed since"
                found.append(Remark(name="needless_read", spans=[one.id, two.id], why=why))
    return found


def twins(tools: list[Span]) -> bool:
    """A quick look: whether two calls may be the same and have given the same. Most trials have none."""
    if len(tools) > QUICK:
        return True
    for place, two in enumerate(tools):
        new = two.attributes
        for one in tools[:place]:
            old = one.attributes
            if one.name == two.name and old.get("args") == new.get("args") and old.get("result") == new.get("result"):
                return True
    return False


def _one_result(group: list[Span]) -> bool:
    """Whether all of the same calls that went well gave one result; else they were waiting for it."""
    results = [span.attributes["result"] for span in group if done(span) and "result" in span.attributes]
    return len(results) > 1 and all(exactly_equal(results[0], other) for other in results[1:])


def _for_nothing(view: View, acts: Acts, one: Span, two: Span) -> bool:
    """The second of two neighbouring calls could not bring anything that the first had not."""
    if not (done(one) and done(two) and "result" in one.attributes and "result" in two.attributes and acts.over_before(one, two)):
        return False
    if acts.changed(one) or acts.outward(one) or not (acts.looked(one) or _tells(one.attributes["result"])):
        return False
    if acts.began_anew(one, two):
        return False
    if untold_span(view, [one, two], "args", "result") is not None:
        return False
    return not any(acts.may_have_changed(span) for span in acts.calls if span is not one and _meanwhile(acts, span, one, two))


def _meanwhile(acts: Acts, span: Span, one: Span, two: Span) -> bool:
    """Whether a call was under way between the beginnings of two others."""
    still_on = span.end_ns is None or span.end_ns > one.start_ns
    return acts.place(span) < acts.place(two) and (acts.place(span) > acts.place(one) or still_on)


def _tells(result: Any) -> bool:
    """Whether a result of a tool of which nothing is known says something, and is no mere receipt."""
    if result is None or isinstance(result, bool) or result in ("", [], {}):
        return False
    return not isinstance(result, str) or len(result) > SHORT


def _news(view: View, one: Span, two: Span) -> bool:
    """Whether somebody told the role something in between: the user, or another role."""
    acts = acts_of(view)
    between = view.body.spans[acts.place(one) + 1 : acts.place(two)]
    return any(span.kind == "user" or (span.kind == "handoff" and span.attributes.get("event") == "received") for span in between)


def told_already(view: View) -> list[Remark]:
    """Reads whose whole result stands in the brief, key for key; not of tools that the case asks for."""
    acts, facts = acts_of(view), view.ground.case.brief.facts
    found = []
    for span in acts.calls:
        result = span.attributes.get("result")
        if not isinstance(result, dict) or not result or not acts.looked(span) or span.name in view.ground.asked:
            continue
        if all(view.ground.told(key, span.role) and exactly_equal(facts[key], value) for key, value in result.items()):
            why = f"{span.name} gave {', '.join(map(str, result))}, which the brief states"[:300]
            found.append(Remark(name="needless_read", spans=[span.id], why=why))
    return found
