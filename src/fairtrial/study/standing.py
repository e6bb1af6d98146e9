"""What a judge's exams are worth today: passed, failed, stale or none, with the reason and what to type.

The bar that counts is the one the suite states now, held against the figures as they were stored: a stricter bar needs no new
exam to be missed. Kept out: how an exam is marked, and where exams are kept.
"""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from fairtrial.records.bar import LOW, MEANS, RECALL
from fairtrial.records.moment import moment
from fairtrial.records.standing import Standing
from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairtrial.records.standing import Sitting

EXAM = "fairtrial judge exam LABELS --judge {judge}"
"""What is typed to have a judge sit its exam."""
FEW = 30
"""Independent cases below which it is said that luck may have met the bar: of judges with a true kappa of 0.4, 23 % show 0.6 on 12 items,
16 % on 20, 8 % on 40 and 1 % on 100."""


def standing(judge: tuple[str, str], parts: Mapping[str, str], suite: str, bar: Mapping[str, str], sittings: Sequence[Sitting]) -> Standing:
    """`judge` is (name, identity), `parts` what its identity is made of, `sittings` all exams under its name, oldest first.

    An exam counts for the identity that sat it, whatever the suite; one of another identity only says that the judge changed.
    """
    name, identity = judge
    asked = {wanted: str(least) for wanted, least in bar.items()}
    mend = EXAM.format(judge=name)
    own = [one for one in sittings if one.identity == identity]
    if own:
        return _examined(name, own, asked, mend)
    others = [one for one in sittings if one.suite == suite]
    if others:
        last = others[-1]
        day = moment(last.at_ns)
        why = f"{name} changed since its exam of {day[:10]}: {changed(last.parts, parts)}"
        return Standing(judge=name, identity=identity, state="stale", why=why, mend=mend, bar=asked, examined=day, figures=last.figures)
    return Standing(judge=name, identity=identity, why=f"{name} was never examined", mend=mend, bar=asked)


def _examined(name: str, own: Sequence[Sitting], asked: dict[str, str], mend: str) -> Standing:
    """By the newest exam of this identity; earlier ones are counted in the reason, for sitting until it passes proves little."""
    last = own[-1]
    day = moment(last.at_ns)
    bar = asked or last.bar
    missed = unmet(last.figures, bar)
    again = f" (exam {len(own)} of this judge)" if len(own) > 1 else ""
    if missed:
        why = f"{name} has not passed its exam of {day[:10]}{again}: {listed(missed)}"
    elif bar:
        met = listed([_met(last.figures, *one) for one in bar.items()])
        why = f"{name} passed its exam of {day[:10]}{again}: {met}{_luck(last.figures, bar)}"
    else:
        why = f"{name} was examined on {day[:10]}{again}, and no bar is stated"
    state = "failed" if missed else "passed"
    return Standing(
        judge=name, identity=last.identity, state=state, why=why, mend=mend if missed else "", bar=asked, examined=day, figures=last.figures
    )  # fmt: skip


def unmet(figures: Mapping[str, Any], bar: Mapping[str, str]) -> list[str]:
    """What of a bar the figures of an exam miss, in words; a figure that the exam could not give is missed."""
    told = []
    for name, text in bar.items():
        least = _number(text)
        if least is None:
            told.append(f"{name}: its bar {text!r} is no number")
            continue
        seen = figure(figures, name)
        if seen is None:
            told.append(f"{name} could not be had, {least} is asked")
        elif not Decimal(repr(seen)) >= least:
            told.append(f"{name} {_beside(seen, least)}, {least} is asked")
    return told


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(str(text))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def figure(figures: Mapping[str, Any], name: str) -> float | None:
    """A figure of an exam by the name that a bar gives it (`records/bar.py`): kappa, recall, recall_critical, alpha …, or kappa_low for the
    lower end of its interval."""
    end, plain = ("low", name.removesuffix(LOW)) if name.endswith(LOW) else ("value", name)
    found = _told(figures, plain)
    value = found.get(end) if isinstance(found, dict) else found if end == "value" else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def _told(figures: Mapping[str, Any], plain: str) -> Any:
    if plain in MEANS:
        return _in(figures, "intervals", plain)
    if plain.startswith(RECALL):
        return _in(figures, "by_severity", plain.removeprefix(RECALL), "recall")
    return figures.get(plain)


def _in(figures: Any, *path: str) -> Any:
    for step in path:
        figures = figures.get(step) if isinstance(figures, dict) else None
    return figures


def _met(figures: Mapping[str, Any], name: str, least: str) -> str:
    """With the interval and what it rests on: a figure that meets a bar by itself may rest on little."""
    seen, low = figure(figures, name), figure(figures, name.removesuffix(LOW) + LOW)
    if seen is None:
        return name
    told = _told(figures, name.removesuffix(LOW))
    high, cases = (told.get(key) if isinstance(told, dict) else None for key in ("high", "clusters"))
    span = "" if low is None or not isinstance(high, int | float) else f" ({low:.2f} to {high:.2f}"
    over = f" over {count(cases, 'independent case')})" if isinstance(cases, int) else ")"
    return f"{name} {_beside(seen, Decimal(str(least)))}{span and span + over}"


def _luck(figures: Mapping[str, Any], bar: Mapping[str, str]) -> str:
    """What is to be said of a bar that was met by the figures themselves, on few cases."""
    told = [_told(figures, name) for name in bar if not name.endswith(LOW)]
    cases = [one["clusters"] for one in told if isinstance(one, dict) and isinstance(one.get("clusters"), int)]
    return f"; {few_says(min(cases))}" if cases and min(cases) < FEW else ""


def few_says(cases: int) -> str:
    """That an exam on so few independent cases is passed by luck as well."""
    return f"on {count(cases, 'independent case')} an exam is passed by luck as well: take {FEW} or more, or ask for kappa_low in the bar"


def _beside(seen: float, least: Decimal) -> str:
    """With as many digits as keep it on its own side of the bar."""
    exact = Decimal(repr(seen))
    for places in range(3, 17):
        shown = exact.quantize(Decimal(1).scaleb(-places))
        if (shown >= least) == (exact >= least):
            return f"{shown}"
    return f"{exact}"


def changed(was: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Which parts of a judge are others than at its exam, by name, as far as both are known."""
    names = [name for name in was if name in now and was[name] != now[name]]
    return listed(names, 5) if names else "what it is made of"
