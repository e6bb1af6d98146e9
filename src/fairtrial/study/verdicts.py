"""The sentence of a comparison: what to make of it, on what grounds, and what it does not cover.

One sentence that a reader can act on without the table: the verdict first, then the figures it rests on, then whatever
could change it (new severe failures, undecided trials, cases left out, an unfair match), then what to do (nextstep.py).
Nothing is claimed of cost unless both sides' cost is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.study.backing import Backing, backed
from fairtrial.study.contrast import FEWEST, decide, turned_by_unknown, uneven
from fairtrial.study.correctedwords import moved, to_label, withdrawn
from fairtrial.study.wording import chance, count, dollars, listed, percent, points, rounded_up

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from fairtrial.study.comparable import Match
    from fairtrial.study.contrast import Contrast
    from fairtrial.study.pairing import Pairing


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """All that a comparison found, before it is decided. `ids` are RUN:SETUP of base and new, `names` what the sentence calls them.

    `p_holm` is the p-value as corrected for the number of `candidates` held against one base, where there are several.
    """

    ids: tuple[str, str]
    names: tuple[str, str]
    pairing: Pairing
    classes: dict[str, list[str]]
    contrast: Contrast
    match: Match
    margin: float | None
    new_severe: list[str]
    spent: dict[str, dict[str, Any]]
    sides: dict[str, Any]
    slices: list[dict[str, Any]]
    notes: list[str] = []
    backing: Backing = Backing()
    p_holm: float | None = None
    candidates: int = 1
    itself: bool = False
    """Both sides are the very same trials, so that no difference could show."""

    @property
    def withdrawn(self) -> bool:
        """Whether the verdicts of judges would decide, and only that nothing bears them out keeps them from it."""
        said = decide(self.contrast, self.margin, new_severe=bool(self.new_severe))
        return backed(said, self.backing, self.margin, self.candidates) != said

    @property
    def worse_parts(self) -> list[str]:
        """The parts of the suite in which new is worse, as label=value."""
        return [f"{part['label']}={part['value']}" for part in self.slices if part["verdict"] == "worse"]


def says(found: Finding, verdict: str) -> str:
    """The sentence for a verdict."""
    told = [_invalid(found)] if verdict == "invalid" else [f"{_lead(found, verdict)}: {_figures(found)}", *_caveats(found, verdict)]
    return "; ".join([*told, f"next: {next_step(found, verdict)}"]) + "."


def _figures(found: Finding) -> str:
    """The grounds: both rates, the difference with its interval, the test, the flips."""
    laid, by_class = found.contrast, found.classes
    change = laid.difference
    if laid.base is None or laid.new is None or change.value is None or change.low is None or change.high is None:
        return "nothing was tried on both sides"
    told = f"{points(change.value)} points, 95 % interval {points(change.low)} to {points(change.high)}"
    if laid.p_value is not None:
        told += f", {chance(laid.p_value)}"
    if found.p_holm is not None:
        told += f", {chance(found.p_holm)} as one of {count(found.candidates, 'candidate')}"
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
        bounds = f"{points(laid.least)} to {points(laid.most)} points"
        yield f"undecided trials ({_undecided(found)}) alone could put the difference anywhere from {bounds}"
    elif any(laid.undecided):
        yield f"undecided trials: {_undecided(found)}"
    if uneven(laid) and verdict == "cannot_tell":
        yield "so unequal a share of undecided trials lets nothing be claimed in favour of either"
    if laid.anytime:
        yield "this interval holds at every look, and no test for a fixed number of trials does"
    elif verdict == "cannot_tell":
        yield _reach(laid)
    mended = found.backing.corrected
    yield from moved(mended)
    if verdict == "cannot_tell" and found.withdrawn and mended is not None:
        yield withdrawn(mended)
    if found.worse_parts and verdict != "worse":
        yield f"worse in {listed(found.worse_parts)}"
    yield from _left_out(found.pairing)
    yield from _cost(found)
    if found.match.carried:
        yield f"the match is unfair and was carried on request ({' | '.join(found.match.carried)})"


def _undecided(found: Finding) -> str:
    """UNKNOWN and unrun trials of each side, out of all that were planned on the shared cases."""
    laid = found.contrast
    sides = zip(("base", "new"), laid.undecided, laid.decided, laid.not_run, strict=True)
    parts = [(f"{open_ones} of {open_ones + decided} of {name}", unrun) for name, open_ones, decided, unrun in sides]
    return ", ".join(f"{told} ({unrun} not run)" if unrun else told for told, unrun in parts)


def _reach(laid: Contrast) -> str:
    """The smallest difference that this suite could have shown, as far as that can be told."""
    if laid.independent < FEWEST:
        few = count(laid.independent, "independent case")
        return f"on {few} no difference can be told from chance, it takes {FEWEST} at the least"
    if laid.detectable is None:
        share = points(FEWEST / laid.independent).lstrip("+")
        return f"at least {FEWEST} of {laid.independent} cases would have to move the same way to show, {share} points of cases"
    if laid.detectable > 1.0:
        return "with this suite even the largest difference would mostly go unseen"
    return f"a true difference below {points(laid.detectable).lstrip('+')} points would mostly go unseen with this suite"


def _left_out(pairing: Pairing) -> Iterator[str]:
    parts = (("only in base", pairing.only_base), ("only in new", pairing.only_new), ("changed in between", pairing.changed))
    told = [f"{name} {listed(cases, 5)}" for name, cases in parts if cases]
    if told:
        yield f"cases left out: {', '.join(told)}"


def _cost(found: Finding) -> Iterator[str]:
    cost = found.spent["cost"]
    if cost["difference"] is None or cost["base"]["mean"] is None:
        return
    more: Decimal = cost["difference"]["value"]
    mean = f"{dollars(cost['new']['mean'])} a trial against {dollars(cost['base']['mean'])}"
    yield f"at the same cost, {dollars(cost['new']['mean'])} a trial" if not more else f"at {mean}"


def _invalid(found: Finding) -> str:
    base, new = found.names
    if found.itself:
        return f"The comparison of {new} with {base} is invalid: they are the same trials"
    if found.match.refused:
        told = " | ".join(found.match.refused)
        return f"The comparison of {new} with {base} is invalid, for they differ in what was to be held equal: {told}"
    if not found.pairing.cases:
        changed = f" ({len(found.pairing.changed)} changed in between)" if found.pairing.changed else ""
        return f"The comparison of {new} with {base} is invalid: they share no case{changed}"
    dark = [name for name, decided in zip((base, new), found.contrast.decided, strict=True) if not decided]
    where = f"nothing was graded for {' and '.join(dark)} on the shared cases" if dark else "no shared case was tried on both sides"
    return f"The comparison of {new} with {base} is invalid: {where}"


def next_step(found: Finding, verdict: str) -> str:
    """What to do, without a full stop."""
    base, new = found.names
    if verdict == "invalid":
        return _mend(found)
    if verdict == "worse":
        lost = found.classes["broken"] or found.classes["declined"]
        return f"keep {base}, and look at what {new} lost" + (f" in {listed(lost, 3)}" if lost else "")
    if found.new_severe:
        return f"mend the severe failures in {listed(found.new_severe, 3)} first"
    if verdict == "cannot_tell":
        return _more(found)
    if found.worse_parts:
        return f"take {new} only after a look at {listed(found.worse_parts, 3)}"
    return _take(found, verdict)


def _take(found: Finding, verdict: str) -> str:
    """What speaks for new, and what a trial costs more or less where both costs are known."""
    new, difference = found.names[1], found.spent["cost"]["difference"]
    more: Decimal | None = difference["value"] if difference else None
    if more is not None and more < 0:
        return f"take {new}, which saves {dollars(-more)} a trial"
    if verdict == "better":
        return f"take {new}, if it is worth {dollars(more)} more a trial" if more else f"take {new}"
    if more:
        return f"take {new} only for another reason than success, for it costs {dollars(more)} more a trial"
    return f"take {new} where it is simpler or cheaper"


def _more(found: Finding) -> str:
    """What it takes to tell: decided trials, more cases, or a margin that says which loss would still do."""
    laid = found.contrast
    if found.withdrawn and found.backing.corrected is not None:
        return to_label(found.backing.corrected)
    if turned_by_unknown(laid, found.margin) or uneven(laid):
        return "have the undecided trials run and graded"
    if laid.independent < FEWEST:
        return f"add cases, {FEWEST} independent ones at the least"
    seen = laid.difference.value
    if not seen or laid.detectable is None or laid.detectable <= abs(seen):
        return "add cases" if found.margin is not None else "add cases, or say with --margin which loss would still do"
    needed = laid.independent * (laid.detectable / abs(seen)) ** 2
    more = f"add cases (to about {rounded_up(needed)} in all, should the difference be as small as it looks)"
    return more if found.margin is not None else f"{more}, or say with --margin which loss would still do"


def _mend(found: Finding) -> str:
    if found.itself:
        return "name two runs, or two setups of one run"
    fields = list(dict.fromkeys(told.partition(":")[0] for told in found.match.refused))
    if fields == ["grader"]:
        return "grade both runs again with the same graders (fairtrial grade), or declare the difference with --vary grader"
    if fields:
        declared = " ".join(f"--vary {field}" for field in fields)
        return f"hold {listed(fields)} equal and run again, or declare the difference with {declared}"
    return "have the trials of both sides graded" if found.pairing.cases else "try both sides at the same cases"


def _capital(name: str) -> str:
    """A setup keeps its own spelling; only our own words begin with a capital."""
    return name[0].upper() + name[1:] if name.startswith("the ") else name
