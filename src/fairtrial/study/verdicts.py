"""The sentence of a comparison: what to make of it, on what grounds, and what it does not cover.

One sentence that a reader can act on without the table: the verdict first, then the figures it rests on, then whatever
could change it (new severe failures, undecided trials, cases left out, an unfair match). Nothing is claimed of cost
unless both sides' cost is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.study.contrast import turned_by_unknown
from fairtrial.study.wording import chance, count, dollars, listed, percent, points

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from fairtrial.study.comparable import Match
    from fairtrial.study.contrast import Contrast
    from fairtrial.study.pairing import Pairing


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """All that a comparison found, before it is put into words. `names` are those of base and new in the sentence."""

    names: tuple[str, str]
    pairing: Pairing
    classes: dict[str, list[str]]
    contrast: Contrast
    match: Match
    margin: float | None
    new_severe: list[str]
    cost: dict[str, Any]
    slices: list[dict[str, Any]]
    itself: bool = False
    """Both sides are the very same trials, so that no difference could show."""


def says(found: Finding, verdict: str) -> str:
    """The sentence for a verdict."""
    if verdict == "invalid":
        return _invalid(found)
    clauses = [f"{_lead(found, verdict)}: {figures(found.contrast, found.classes)}", *_caveats(found, verdict)]
    return "; ".join(clauses) + "."


def figures(laid: Contrast, by_class: dict[str, list[str]]) -> str:
    """The grounds: both rates, the difference with its interval, the test, the flips."""
    change = laid.difference
    if laid.base is None or laid.new is None or change.value is None or change.low is None or change.high is None:
        return "nothing was tried on both sides"
    told = f"{points(change.value)} points, 95 % interval {points(change.low)} to {points(change.high)}"
    if laid.p_value is not None:
        told += f", {chance(laid.p_value)}"
    flips = f"{len(by_class['fixed'])} fixed, {len(by_class['broken'])} broken"
    return f"{percent(laid.new)} success against {percent(laid.base)} on {count(change.n, 'shared case')} ({told}), {flips}"


def _lead(found: Finding, verdict: str) -> str:
    base, new = found.names
    if verdict == "better":
        return f"{_capital(new)} is better than {base}"
    if verdict == "worse":
        return f"{_capital(new)} is worse than {base}"
    if verdict == "not_worse":
        return f"{_capital(new)} is not worse than {base} by {points(found.margin or 0.0).lstrip('+')} points or more"
    return f"From these trials we cannot tell whether {new} is better or worse than {base}"


def _caveats(found: Finding, verdict: str) -> Iterator[str]:
    laid = found.contrast
    if found.new_severe:
        yield f"new severe failures in {listed(found.new_severe)}"
    if turned_by_unknown(laid, found.margin) and laid.least is not None and laid.most is not None:
        undecided = f"undecided trials ({laid.undecided[0]} of base, {laid.undecided[1]} of new)"
        yield f"{undecided} alone could put the difference anywhere from {points(laid.least)} to {points(laid.most)} points"
    elif any(laid.undecided):
        yield f"undecided trials: {laid.undecided[0]} of base, {laid.undecided[1]} of new"
    if verdict == "cannot_tell" and laid.detectable is not None and laid.detectable <= 1.0:
        yield f"a true difference below {points(laid.detectable).lstrip('+')} points would mostly go unseen with this suite"
    worse = [f"{part['label']}={part['value']}" for part in found.slices if part["verdict"] == "worse"]
    if worse and verdict != "worse":
        yield f"worse in {listed(worse)}"
    yield from _left_out(found.pairing)
    yield from _cost(found)
    if found.match.carried:
        yield f"the match is unfair and was carried on request ({' | '.join(found.match.carried)})"


def _left_out(pairing: Pairing) -> Iterator[str]:
    parts = (("only in base", pairing.only_base), ("only in new", pairing.only_new), ("changed in between", pairing.changed))
    told = [f"{name} {listed(cases, 5)}" for name, cases in parts if cases]
    if told:
        yield f"cases left out: {', '.join(told)}"


def _cost(found: Finding) -> Iterator[str]:
    difference = found.cost["difference"]
    if difference is None or found.cost["base"]["mean"] is None:
        return
    more: Decimal = difference["value"]
    mean = f"{dollars(found.cost['new']['mean'])} a trial against {dollars(found.cost['base']['mean'])}"
    yield f"at the same cost, {dollars(found.cost['new']['mean'])} a trial" if not more else f"at {mean}"


def _invalid(found: Finding) -> str:
    base, new = found.names
    if found.itself:
        return f"The comparison of {new} with {base} is invalid: they are the same trials."
    if found.match.refused:
        told = " | ".join(found.match.refused)
        return f"The comparison of {new} with {base} is invalid, for they differ in what was to be held equal: {told}."
    if not found.pairing.cases:
        changed = f" ({len(found.pairing.changed)} changed in between)" if found.pairing.changed else ""
        return f"The comparison of {new} with {base} is invalid: they share no case{changed}."
    dark = [name for name, decided in zip((base, new), found.contrast.decided, strict=True) if not decided]
    where = f"nothing was graded for {' and '.join(dark)} on the shared cases" if dark else "no shared case was tried on both sides"
    return f"The comparison of {new} with {base} is invalid: {where}."


def _capital(name: str) -> str:
    """A setup keeps its own spelling; only our own words begin with a capital."""
    return name[0].upper() + name[1:] if name.startswith("the ") else name
