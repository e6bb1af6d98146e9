"""Damage to amounts: more is spent than there is, another currency or unit is meant, stock is counted that has not come yet."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from fairtrial.mutants.decisive import named, turns_on_answer
from fairtrial.mutants.leaves import Leaf, at, leaves, number, put, short, written
from fairtrial.mutants.passing import Mutant
from fairtrial.records.errors import InputError
from fairtrial.records.way import follow, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.mutants.leaves import Way
    from fairtrial.mutants.passing import Passing

MONEY = re.compile(
    r"(^|_)(spend|spent|cost|total|amount|price|pay|paid|payment|refund|fee|charge|sum|bill|value|minor|fen|cents|usd|cny)(s?)(_|$)"
)
UNITS = re.compile(r"(^|_)(units|quantity|qty|pieces|items|order|ordered)(_|$)")
STOCK = re.compile(r"(^|_)(stock|on_hand|available|inventory|counted|free)(_|$)")
COMING = re.compile(r"(^|[._])(arriving|incoming|in_transit|on_order|inbound|due|expected|pending|coming|backorder)($|[._\[])")
CEILING = re.compile(r"(^|_)(cash|budget|limit|cap|ceiling|balance|funds|max|maximum|purse)(_|$)")
RATE = re.compile(r"(cost|price)")
_AT_MOST = re.compile(r"\boutput((?:\.\w+)+)\s*<=?\s*(facts(?:\.\w+)+|\d+(?:\.\d+)?)")
CURRENCIES = ("USD", "EUR", "CNY", "JPY", "GBP", "RMB", "HKD")
SIGNS = {"$": "€", "€": "$", "¥": "$", "元": "美元"}
_CODE = re.compile(rf"\b({'|'.join(CURRENCIES)})\b")
_MEASURES = {"kg": "g", "g": "kg", "km": "m", "m": "km", "hours": "days", "days": "hours", "cm": "mm", "percent": "points"}


def overspend(passing: Passing) -> Iterator[Mutant]:
    """An amount is raised above what the case allows, together with what it is made of."""
    if not passing.answered:
        return
    done: set[Way] = set()
    for way, ceiling, why in _ceilings(passing):
        if way in done:
            continue
        done.add(way)
        output = _raised(passing, way, ceiling + max(1, math.ceil(abs(ceiling) * 0.2)))
        was, now = at(passing.output, way), at(output, way)
        if now > was:
            trial = passing.exchanged(_apart(passing.output, output))
            trial.body.output = output
            yield Mutant(trial, f"{written(way)} raised from {was} to {now}, above {why}")


def _apart(was: Any, now: Any) -> dict[tuple[str, Any], Any]:
    """(name, value) -> the other value, of all that differs; what was zero stands for nothing elsewhere."""
    pairs = zip(leaves(was), leaves(now), strict=True)
    return {(one.name, one.value): other.value for one, other in pairs if one.value and one.value != other.value}


def _ceilings(passing: Passing) -> Iterator[tuple[Way, float, str]]:
    """(place in the answer, its ceiling, where that is stated)."""
    output, facts = passing.output, passing.case.brief.facts
    for check in passing.stated():
        if check.subject == "rule":
            for left, right in _AT_MOST.findall(str(check.target)):
                way = steps_of(left.lstrip("."))
                most = follow({"facts": facts}, steps_of(right)) if right[0] == "f" else float(right)
                if _spent(way) and number(follow(output, way)) and number(most):
                    yield way, most, f"{right} of {most:g}" if right[0] == "f" else f"{most:g}"
        elif check.subject == "output" and check.under not in ("must_not", "not") and number(check.expect.get("max")):
            way = _steps(str(check.target))
            if way and _spent(way) and number(follow(output, way)):
                yield way, check.expect["max"], f"{check.expect['max']:g}"
    for name, most in facts.items():
        if CEILING.search(name.lower()) and number(most):
            yield from ((leaf.way, most, f"facts.{name} of {most:g}") for leaf in named(output, MONEY))


def _spent(way: Way) -> bool:
    """Whether it is an amount that is spent or ordered; what is counted or measured is no purse."""
    return bool(MONEY.search(str(way[-1]).lower()) or UNITS.search(str(way[-1]).lower()))


def _steps(path: str) -> Way:
    try:
        return steps_of(path)
    except InputError:
        return ()


def _raised(passing: Passing, way: Way, least: float) -> Any:
    """The answer with a number of at least so much; where it is a price of pieces, or pieces with a price, the other moves along."""
    output, facts = passing.output, passing.case.brief.facts
    was = at(output, way)
    for factor in (value for name, value in facts.items() if RATE.search(name.lower()) and number(value) and value > 0):
        for other in _parts(output, way):
            if MONEY.search(str(way[-1])) and was == other.value * factor:
                pieces = math.floor(least / factor) + 1
                return put(put(output, way, _like(was, pieces * factor)), other.way, pieces)
            if UNITS.search(str(way[-1])) and other.value == was * factor:
                return put(put(output, way, _like(was, least)), other.way, _like(other.value, least * factor))
    return put(output, way, _like(was, least))


def _parts(output: Any, way: Way) -> Iterator[Leaf]:
    """Numbers beside this one that could be made of it, or it of them."""
    wanted = UNITS if MONEY.search(str(way[-1])) else MONEY
    yield from (leaf for leaf in named(output, wanted) if leaf.way[:-1] == way[:-1] and leaf.way != way)


def _like(was: Any, value: float) -> Any:
    return int(value) if isinstance(was, int) and float(value).is_integer() else value


def wrong_unit(passing: Passing) -> Iterator[Mutant]:
    """A currency is swapped, or an amount is stated in the unit a hundred times smaller, wherever it was said or written."""
    said = [leaf for leaf in _said_or_done(passing) if leaf.value not in (None, "")]
    for leaf in said:
        other = _other_unit(leaf)
        if other is not None:
            yield _exchanged(passing, leaf, other)
            break
    for leaf in said:
        if number(leaf.value) and leaf.value and MONEY.search(leaf.name):
            yield _exchanged(passing, leaf, leaf.value * 100)
            break


def _said_or_done(passing: Passing) -> Iterator[Leaf]:
    if passing.answered and turns_on_answer(passing):
        yield from leaves(passing.output)
    for change in passing.trial.body.changes:
        yield from (leaf for leaf in leaves(change.after, tuple(change.path.split("."))))


def _other_unit(leaf: Leaf) -> str | None:
    """A text with another currency or measure in it; None where it names none."""
    text = leaf.value
    if not isinstance(text, str) or len(text) > 4000:
        return None
    if (found := _CODE.search(text)) is not None:
        other = "EUR" if found[1] != "EUR" else "USD"
        return text.replace(found[1], other)
    if leaf.name in ("unit", "measure", "units") and text in _MEASURES:
        return _MEASURES[text]
    return next((text.replace(sign, other) for sign, other in SIGNS.items() if sign in text), None)


def _exchanged(passing: Passing, leaf: Leaf, other: Any) -> Mutant:
    trial = passing.exchanged({(leaf.name, leaf.value): other})
    return Mutant(trial, f"{written(leaf.way)} is {short(other)} in place of {short(leaf.value)}")


def future_stock(passing: Passing) -> Iterator[Mutant]:
    """What is still to come is counted as if it were there."""
    if not passing.answered:
        return
    due = _due(passing)
    counted = next(named(passing.output, STOCK), None)
    if due is None or counted is None:
        return
    now = counted.value + due.value
    trial = passing.with_(output=put(passing.output, counted.way, now))
    yield Mutant(
        trial, f"{written(counted.way)} is {now} in place of {counted.value}: it counts {due.value} of {written(due.way)}, still to come"
    )


def _due(passing: Passing) -> Leaf | None:
    """A quantity that is announced and not there."""
    for told in passing.told():
        for leaf in leaves(told):
            if number(leaf.value) and leaf.value > 0 and COMING.search(written(leaf.way).lower()):
                return leaf
    return None
