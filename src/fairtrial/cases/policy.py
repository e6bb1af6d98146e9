"""A policy from its file: every gate with its bar, strictly. A slip is an error with its line and the nearest right word.

Kept out: whether a suite is large enough for a gate (`lint_bars.py`), and what a run makes of one (`release/`).
"""

from __future__ import annotations

import os
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_type_hints

from fairtrial.cases.forms import CaseForm
from fairtrial.cases.rows import kind_of
from fairtrial.cases.sources import read_document
from fairtrial.records.errors import InputError, InputErrors, nearest, unknown_key
from fairtrial.records.policy import CONFIDENCE, Gate, Policy

if TYPE_CHECKING:
    from fairtrial.cases.rows import Row

POLICIES = ("three-tiers",)
"""The policies that come with the program, in `policies/`; a suite names one without a path."""
WHOLE = ("overall", "all")
"""What stands in place of a slice where a gate looks at everything."""
PARTS = ("tier", "library", "tag", "difficulty", "kind", "risk", "source", "split", "user_group", "owner")
"""The labels that a slice may name."""
BASELINE = "baseline"
VERSUS = ("not_below", "better_than")
SHARE = (Decimal(0), Decimal(1))
SCORE = (Decimal(1), Decimal(5))


class Shape(NamedTuple):
    """How a gate is written. `bar` is the key that carries its bar beside a slice, `plain` whether the bar may stand in the
    slice's place. `scale` is what a bar may be: from, to (None: no end); `beside` the other keys. `hard` by default."""

    bar: str
    plain: bool
    scale: tuple[Decimal, Decimal | None]
    beside: tuple[str, ...] = ()
    hard: bool = False


GATES: dict[str, Shape] = {
    "success_rate": Shape("min", False, SHARE, (*VERSUS, "margin")),
    "regression": Shape("", False, SHARE, hard=True),
    "severe": Shape("max", True, (Decimal(0), Decimal(0)), ("upper_bound",), hard=True),
    "latency_p95_ms": Shape("max", True, (Decimal(0), None), hard=True),
    "latency_max_ms": Shape("max", True, (Decimal(0), None), hard=True),
    "cost_per_success_usd": Shape("max", True, (Decimal(0), None), hard=True),
    "pass_hat": Shape("min", False, SHARE, ("k",)),
    "tool_call_accuracy": Shape("min", False, SHARE),
    "stability": Shape("min", False, SHARE),
    "recovery_rate": Shape("min", False, SHARE),
    "judge_score": Shape("min", False, SCORE),
    "human_score": Shape("min", False, SCORE, (*VERSUS, "margin")),
    "unknown_share": Shape("max", False, SHARE),
    "over_budget": Shape("max", True, (Decimal(0), None), hard=True),
    "coverage": Shape("min", True, SHARE, hard=True),
}
"""Every gate there is."""
COUNTS = ("severe", "over_budget")
"""Gates whose bar is a whole number."""
ABOVE_ZERO = ("latency_p95_ms", "latency_max_ms", "cost_per_success_usd")
"""Gates that a bar of 0 could never let hold."""
LARGEST = 30
"""Digits before and after the point of a number that could be meant."""


def policy_file(named: str, folder: str) -> str:
    """The path of a policy: one that comes with the program by its name, else a path from a folder."""
    if named in POLICIES:
        from importlib.resources import files

        return str(files("fairtrial") / "policies" / f"{named}.yaml")
    return os.path.join(folder, named)


def read_policy(named: str, folder: str = ".") -> Policy:
    """The policy of a name or a path. Raises InputErrors with everything that is wrong with it."""
    file = policy_file(named, folder)
    if not os.path.isfile(file):
        near = nearest(named, POLICIES)
        mend = f"did you mean {near!r}?" if near else "name a file, or a policy that comes with the program"
        raise InputError("no such policy", value=named, allowed=f"a file, or {', '.join(POLICIES)}", mend=mend)
    return _policy(read_document(file), named)


def _policy(row: Row, named: str) -> Policy:
    value, errors = row.value, []
    keys = ("gates", "confidence", "accepts")
    errors += [unknown_key(key, keys, place=row.place(key), value=value[key]) for key in value if key not in keys]
    raw = value.get("gates")
    if not isinstance(raw, list) or not raw:
        mend = "write at least one: gates: [{regression: all}]"
        errors.append(InputError("a policy needs gates", place=row.place("gates"), value=raw, allowed="a list of gates", mend=mend))
    gates = []
    for place, entry in enumerate(raw if isinstance(raw, list) else ()):
        reader = _Reader(row, ("gates", place))
        gates.append(reader.gate(entry))
        errors += reader.errors
    reader = _Reader(row, ())
    confidence = reader.number("confidence", value["confidence"], (Decimal(0), Decimal(1))) if "confidence" in value else CONFIDENCE
    if confidence is not None and not 0.5 < float(confidence) < 1:
        reader.fault("confidence", "a confidence lies above 0.5 and below 1", value["confidence"], "0.95 is usual")
    accepts = value.get("accepts", [])
    if not isinstance(accepts, list) or not all(isinstance(one, str) and one for one in accepts):
        reader.fault("accepts", "'accepts' is a list of texts", accepts, 'write what was lost as the decision names it: ["case a"]')
    errors += reader.errors
    if errors:
        raise InputErrors(errors)
    done = tuple(gate for gate in gates if gate is not None)
    return Policy(name=named, gates=done, confidence=confidence or CONFIDENCE, accepts=tuple(accepts))


class _Reader:
    """One mapping of the file, with everything that is wrong with it."""

    def __init__(self, row: Row, path: tuple[str | int, ...]) -> None:
        self.row = row
        self.path = path
        self.errors: list[InputError] = []

    def fault(self, key: str, what: str, value: Any, mend: str, allowed: str | None = None) -> None:
        self.errors.append(InputError(what, place=self.row.place(*self.path, key), value=value, allowed=allowed, mend=mend))

    def gate(self, raw: Any) -> Gate | None:
        """The gate; None where something is wrong, and `errors` then says what."""
        if not isinstance(raw, dict) or not raw:
            place = self.row.place(*self.path)
            self.errors.append(InputError(f"a gate is an object, not {kind_of(raw)}", place=place, value=raw, mend="{regression: all}"))
            return None
        names = [key for key in raw if key in GATES]
        if len(names) != 1:
            self._unnamed(raw, names)
            return None
        name = names[0]
        shape = GATES[name]
        allowed = [key for key in (shape.bar, *shape.beside, "hard") if key]
        for key in raw:
            if key != name and key not in allowed:
                self.errors.append(unknown_key(key, allowed, place=self.row.place(*self.path, key), value=raw[key]))
        gate = self._filled(name, shape, raw)
        return None if self.errors else gate

    def _unnamed(self, raw: dict[str, Any], names: list[str]) -> None:
        if len(names) > 1:
            self.fault(names[1], f"one gate names {' and '.join(names)}", raw, "write a gate for each")
            return
        key = next(iter(raw))
        near = next((near for one in raw if (near := nearest(one, GATES))), None)
        mend = f"did you mean {near!r}?" if near else "name one of these"
        self.fault(key, f"there is no gate {key!r}", raw, mend, ", ".join(GATES))

    def _filled(self, name: str, shape: Shape, raw: dict[str, Any]) -> Gate | None:
        value = raw[name]
        beside = {key: item for key, item in raw.items() if key != name}
        target = ""
        if name == "pass_hat" and isinstance(value, dict) and not set(value) & set(PARTS):
            for key in value:
                if key not in ("k", "min"):
                    self.errors.append(
                        unknown_key(key, ("k", "min", *PARTS), place=self.row.place(*self.path, name, key), value=value[key])
                    )
            beside, value = {**value, **beside}, "overall"
        if shape.plain and not isinstance(value, dict) and value not in WHOLE:
            beside, value = {**beside, shape.bar: value}, "overall"
        if name == "judge_score" and isinstance(value, str) and value and value not in WHOLE:
            target, value = value, "overall"
        part = self._part(name, value)
        hard = beside.get("hard", shape.hard)
        if not isinstance(hard, bool):
            self.fault("hard", "'hard' is true or false", hard, "write true or false, without quotes")
        bars = self._bars(name, shape, beside)
        if self.errors:
            return None
        return Gate(name=name, asks=_line(raw), hard=hard, part=part, target=target, place=self.row.place(*self.path), **bars)

    def _part(self, name: str, value: Any) -> dict[str, str]:
        if isinstance(value, str) and value in WHOLE:
            return {}
        if not isinstance(value, dict) or not value:
            allowed = f"overall, or a slice such as {{tier: e2e}} ({', '.join(PARTS)})"
            near = nearest(value, WHOLE) if isinstance(value, str) else None
            mend = f"did you mean {near!r}?" if near else "name what the gate looks at"
            self.fault(name, f"{name!r} looks at nothing that is known", value, mend, allowed)
            return {}
        for key, item in value.items():
            self._label(name, key, item)
        return {key: item for key, item in value.items() if isinstance(item, str)}

    def _label(self, name: str, key: str, item: Any) -> None:
        place = self.row.place(*self.path, name, key)
        if key not in PARTS:
            self.errors.append(unknown_key(key, PARTS, place=place, value=item))
        elif not isinstance(item, str) or not item:
            self.errors.append(InputError(f"the slice {key!r} is text", place=place, value=item, mend="put it in quotes"))
        elif (known := _values(key)) and item not in known:
            near = nearest(item, known)
            mend = f"did you mean {near!r}?" if near else "name one of these"
            self.errors.append(
                InputError(f"no case can have the {key} {item!r}", place=place, value=item, allowed=", ".join(known), mend=mend)
            )

    def _bars(self, name: str, shape: Shape, beside: dict[str, Any]) -> dict[str, Any]:
        """The bar, or what it is compared with; exactly one of them where the gate has a choice."""
        found: dict[str, Any] = {}
        stated = [key for key in (shape.bar, *VERSUS) if key and key in beside]
        if name == "severe":
            found["bar"] = Decimal(0)
        elif shape.bar and not stated:
            keys = [shape.bar, *(key for key in VERSUS if key in shape.beside)]
            self.fault(name, f"{name!r} has no bar, so nothing could miss it", None, f"add {' or '.join(f'{key}: …' for key in keys)}")
        elif len(stated) > 1:
            self.fault(stated[1], f"one gate has {' and '.join(stated)}", None, "write a gate for each")
        for key in stated:
            if key in VERSUS:
                found["versus"] = key
                if beside[key] != BASELINE:
                    self.fault(key, f"{key!r} can only name the baseline", beside[key], f"write {key}: baseline")
            else:
                found["bar"] = self._bar(name, key, beside[key], shape)
        if "margin" in beside:
            found["margin"] = self.number("margin", beside["margin"], (Decimal(0), Decimal(1) if name == "success_rate" else Decimal(4)))
            if "versus" not in found:
                self.fault("margin", "a margin belongs to a comparison", beside["margin"], "add not_below: baseline, or take it out")
            elif found["versus"] == "not_below" and name == "success_rate" and found["margin"] == 1:
                self.fault("margin", "nothing could miss a margin of 1", beside["margin"], "write the loss that can be borne: 0.02")
        if "upper_bound" in beside:
            found["upper_bound"] = bound = self.number("upper_bound", beside["upper_bound"], SHARE)
            if bound is not None and not 0 < bound < 1:
                self.fault(
                    "upper_bound", "an upper bound lies between 0 and 1, both excluded", beside["upper_bound"], "0.03 needs 99 cases"
                )
        if name == "pass_hat":
            found["k"] = k = beside.get("k")
            if type(k) is not int or k < 1:
                self.fault("k" if "k" in beside else name, "'k' is a whole number, 1 or more", k, "all of k trials: k: 3")
        return found

    def _bar(self, name: str, key: str, value: Any, shape: Shape) -> Decimal | None:
        bar = self.number(key if key in self._written(name) else name, value, shape.scale)
        if bar is not None and name in COUNTS and bar != bar.to_integral_value():
            self.fault(name, f"{name!r} is counted, so its bar is a whole number", value, "write it without a fraction")
        if bar == 0 and name in ABOVE_ZERO:
            self.fault(name, f"nothing can be as little as 0, so {name!r} could never hold", value, "write the bar that is meant")
        slack = shape.scale[1] if shape.bar == "max" else shape.scale[0]
        if bar is not None and bar == slack and name != "severe":
            self.fault(name, f"nothing could miss {name!r} at {bar}", value, "write the bar that is meant, or take the gate out")
        return bar

    def _written(self, name: str) -> set[str]:
        raw: Any = self.row.value["gates"][self.path[1]]
        return set(raw) - {name}

    def number(self, key: str, value: Any, scale: tuple[Decimal, Decimal | None]) -> Decimal | None:
        """An exact number within a scale; None with an error where it is none."""
        low, high = scale
        allowed = f"{low} or more" if high is None else f"{low}" if low == high else f"{low} to {high}"
        try:
            number = Decimal(repr(value) if isinstance(value, float) else value) if type(value) in (int, float, str) else Decimal("NaN")
        except InvalidOperation:
            number = Decimal("NaN")
        if not number.is_finite():
            self.fault(key, f"{key!r} is {kind_of(value)}, not a number", value, 'write it as an exact decimal: "0.9"', allowed)
            return None
        if number < low or (high is not None and number > high) or _unmeant(number):
            self.fault(key, f"{key!r} {number} is no bar that a gate could use", value, "write the bar that is meant", allowed)
            return None
        return number


def _unmeant(number: Decimal) -> bool:
    """Whether no bar has so many digits: such a number could not be compared or shown exactly."""
    exponent = number.as_tuple().exponent
    return number.adjusted() > LARGEST or not isinstance(exponent, int) or exponent < -LARGEST


def _values(label: str) -> tuple[str, ...]:
    """The values that a label may have; none where it is free."""
    hint: Any = get_type_hints(CaseForm).get(label)
    found = [word for option in (hint, *get_args(hint)) for word in get_args(option) if isinstance(word, str)]
    return tuple(dict.fromkeys([*found, *(word for word in get_args(hint) if isinstance(word, str))]))


def _line(raw: dict[str, Any]) -> str:
    """A gate on one line, as a person would write it."""
    return ", ".join(f"{key}: {_word(value)}" for key, value in raw.items())


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_word(item)}" for key, item in value.items()) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)
