"""What a reading of use says in plain sentences. Nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.study.wording import chance, count, listed, percent, points

if TYPE_CHECKING:
    from fairtrial.records.use import UseReport, UseShift


def shift_words(row: UseShift, to: str) -> str:
    """One row: how far the decision moved, how sure that is, and what follows."""
    return f"{row.fact} {row.how} on its way to {to}: {_outcome(row)}"


def _outcome(row: UseShift) -> str:
    if row.value is None or row.p_adjusted is None or row.low is None or row.high is None or row.noise is None:
        if any(row.undecided):
            return f"cannot tell, {_lost(row)}"
        return f"cannot tell, for {row.reasons.get('value') or row.reasons.get('p_value') or 'nothing was decided'}"
    figures = (
        f"the decision moved by {points(row.value)} points beyond its own noise of {percent(row.noise)} "
        f"(95 % interval {points(row.low)} to {points(row.high)}, {chance(row.p_adjusted)}, {count(row.n, 'case')})"
    )
    if row.reading == "used":
        return figures
    if row.reading == "not_used" and row.unseen is not None:
        return f"no use shown, {figures}; a use in {percent(row.unseen)} of decisions or more would mostly have been seen"
    if any(row.undecided):
        return f"cannot tell, {figures}; {_lost(row)}"
    return f"cannot tell, {figures}"


def _lost(row: UseShift) -> str:
    return f"{row.undecided[0]} of {row.runs} altered runs and {row.undecided[1]} of {row.controls} controls came to no decision"


def overall(report: UseReport) -> str:
    """The sentence of the whole: each fact's reading, and who says one thing and does another."""
    parts = [_fact_words(report, fact, reading) for fact, reading in report.facts.items()]
    for reading, told in (
        ("declared_not_used", "is declared, but no decision moved with it"),
        ("used_undeclared", "is used without being declared"),
    ):
        for fact in report.facts:
            cases = [proof.case for proof in report.proofs if proof.fact == fact and proof.reading == reading]
            if cases:
                parts.append(f"in {listed(cases)}: {fact} {told}")
    return "; ".join(parts) + "."


def _fact_words(report: UseReport, fact: str, reading: str) -> str:
    rows = [row for row in report.shifts if row.fact == fact]
    if not rows:
        return _never(report, fact, reading)
    best = min(rows, key=lambda row: (row.reading != reading, 1.0 if row.p_adjusted is None else row.p_adjusted))
    lead = {
        "used": f"{report.to} uses {fact}",
        "not_used": f"{report.to} does not seem to use {fact}",
    }.get(reading, f"whether {report.to} uses {fact} cannot be told")
    return f"{lead}: {best.how} on its way, {_outcome(best)}"


def _never(report: UseReport, fact: str, reading: str) -> str:
    left = [one for one in report.left_out if one.fact == fact]
    if reading == "not_received":
        return f"{fact} never reached {report.to} in {count(len(left), 'recorded case')}, so there is nothing to alter"
    return f"whether {report.to} uses {fact} cannot be told: {left[0].why}" if left else f"no case states {fact}"


def nothing_altered(report: UseReport) -> str:
    """Where no fact could be altered anywhere."""
    return "; ".join(_fact_words(report, fact, reading) for fact, reading in report.facts.items()) + "."
