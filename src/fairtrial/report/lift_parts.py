"""Two parts of the page of a lift: success within a budget, and the rule for routing.

Reads decided objects and nothing else. Kept out: the tables of setups and slices (`lift_view.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.compare_view import bounds
from fairtrial.report.numbers import MISSING, money, percent, points, probability, whole
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from decimal import Decimal

    from fairtrial.records.lift import Curve, Policy, Reach, Routing
    from fairtrial.records.report import Difference
    from fairtrial.report.words import Words


def amount(value: Decimal | None, measure: str | None) -> str:
    """An amount in its measure: money, or a count of tokens or steps."""
    if value is None or measure == "usd":
        return money(value)
    return whole(int(value)) if value == int(value) else f"{value:.1f}"


def budget_curve(sheet: Sheet, curve: Curve, pair: tuple[str, str], words: Words) -> None:
    """One row a budget: how much of the plan each setup had passed within it, and team − rival."""
    rival, team = pair
    if curve.measure is None:
        sheet.head(words("curve.title"))
        sheet.line(Part(f"{MISSING} ", "dim"), said(words.echo(curve.reason or ""), "dim"), indent=2)
        return
    sheet.head(words("curve.title"), words(f"curve.aside.{curve.measure}", n=whole(curve.cases)))
    names = list(curve.budgets[0].setups) if curve.budgets else []
    columns = [(words(f"col.within.{curve.measure}"), "r"), *((name, "r") for name in names)]
    columns += [(words("col.points"), "r"), (words("col.interval"), "r")]
    rows: list[list[Text]] = []
    for at in curve.budgets:
        moved = at.difference
        ends = (MISSING, MISSING) if moved is None else (points(moved.value), bounds(moved.low, moved.high))
        rows.append([f"≤ {amount(at.budget, curve.measure)}", *(_reached(at.setups[name], words) for name in names), *ends])
    sheet.grid(columns, rows)
    sheet.line(words("curve.points", team=team, rival=rival), indent=2)
    _turns(sheet, curve, words)
    if curve.reason:
        sheet.line(Part(words.echo(curve.reason), "dim"), indent=2)


def _reached(reach: Reach, words: Words) -> str:
    told = percent(reach.value)
    return f"{told} {words('curve.unknown', n=whole(reach.unknown))}" if reach.unknown else told


def _turns(sheet: Sheet, curve: Curve, words: Words) -> None:
    """From which budget on which of the two is ahead."""
    if not curve.turns:
        sheet.line(words("curve.never"), indent=2)
        return
    *turns, end = curve.turns
    if not end.ahead:
        sheet.line(said(words("curve.even", budget=amount(end.budget, curve.measure), before=turns[-1].ahead)), indent=2)
        return
    first, last = curve.turns[0], end
    if first is last:
        sheet.line(said(first.ahead, "strong"), words("curve.always", budget=amount(first.budget, curve.measure)), indent=2)
        return
    before = curve.turns[-2]
    told = words("curve.turn", budget=amount(last.budget, curve.measure), ahead=last.ahead, before=before.ahead)
    more = words("curve.turns", n=whole(len(curve.turns) - 1)) if len(curve.turns) > 2 else ""
    sheet.line(said(told), more, indent=2)


def routing(sheet: Sheet, found: Routing, pair: tuple[str, str], words: Words) -> None:
    """The rule and how it did on held-back cases, or why there is none."""
    sheet.head(words("routing.title"), words("routing.aside"))
    if found.state != "holds":
        sheet.line(said(words.echo(found.why)), indent=2)
        return
    told = words("routing.rule", send=found.send, rule=found.rule, rest=found.rest)
    sheet.line(said(told, "strong"), indent=2)
    rival, team = pair
    rows = [
        _policy(words("routing.routed"), found.routed, None, found.measure),
        _policy(words("routing.all", setup=team), found.all_team, found.versus_team, found.measure),
        _policy(words("routing.all", setup=rival), found.all_rival, found.versus_rival, found.measure),
    ]
    heads = ("success", "use_trial", "routed_points", "interval")
    sheet.grid([(words("col.policy"), "l"), *((words(f"col.{key}"), "r") for key in heads)], rows)
    saved = MISSING if found.saved_low is None or found.saved_high is None else f"{percent(found.saved_low)}–{percent(found.saved_high)}"
    sheet.line(words("routing.saved", saved=percent(found.saved), dear=found.send, interval=saved), indent=2)
    tests = {"p": probability(found.p_value), "rest": found.rest, "labels": probability(found.label_p)}
    sheet.line(Part(words("routing.tests", **tests), "dim"), indent=2)
    sheet.line(Part(words("routing.cases", cases=whole(found.cases), sent=whole(found.sent), send=found.send), "dim"), indent=2)


def _policy(name: str, policy: Policy | None, versus: Difference | None, measure: str | None) -> list[Text]:
    if policy is None:
        return [name, MISSING, MISSING, MISSING, MISSING]
    moved = (MISSING, MISSING) if versus is None else (points(versus.value), bounds(versus.low, versus.high))
    return [said(name), percent(policy.success), amount(policy.use, measure), *moved]
