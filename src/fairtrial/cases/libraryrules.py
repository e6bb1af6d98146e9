"""The rules by which cases move between the libraries, as `suite.yaml` states them.

What is left out has the defaults of the contract: five batches in a row above 4.0, one below it, and a case counts as flaky
below a stability of 0.8 over three batches. Kept out: what follows from them (`study/library.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import InputError
from fairtrial.records.library import Rule, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.cases.rows import Row
    from fairtrial.cases.suiteforms import LibraryForm

_BARS = {"graduate": ("above", "lower_bound"), "demote": ("below", "upper_bound")}


def library_faults(form: LibraryForm, row: Row) -> Iterator[InputError]:
    """Two bars in one rule, a bar that is no number, and a share that is none."""
    for name, bars in _BARS.items():
        stated = [bar for bar in bars if isinstance(getattr(getattr(form, name, None), bar, None), Decimal)]
        if len(stated) > 1:
            what = f"library.{name} has two bars, {' and '.join(stated)}"
            yield InputError(what, place=row.place("library", name), mend="keep one of them")
        for bar in stated:
            value = getattr(getattr(form, name), bar)
            if bar.endswith("_bound"):
                yield from _share(value, (name, bar), row)
            elif not value.is_finite():
                yield InputError(f"library.{name}.{bar} must be a number", place=row.place("library", name, bar), value=str(value))
    if isinstance(stability := getattr(form.quarantine, "stability", None), Decimal):
        yield from _share(stability, ("quarantine", "stability"), row)


def _share(value: Decimal, path: tuple[str, str], row: Row) -> Iterator[InputError]:
    if not (value.is_finite() and 0 < value <= 1) or (path[1] != "stability" and value == 1):
        what = f"library.{'.'.join(path)} is a share"
        yield InputError(what, place=row.place("library", *path), value=str(value), allowed="above 0, up to 1 (a bound: below 1)")


def rules_of(raw: dict[str, Any]) -> Rules:
    """The rules of a suite (`Suite.library`), with the defaults where it states none."""
    found = Rules()
    graduate, demote, quarantine = (raw.get(name) or {} for name in ("graduate", "demote", "quarantine"))
    return Rules(
        graduate=_rule(found.graduate, graduate, "above", "lower_bound"),
        demote=_rule(found.demote, demote, "below", "upper_bound"),
        quarantine=_rule(found.quarantine, quarantine, "stability", ""),
    )


def _rule(default: Rule, raw: dict[str, Any], bar: str, bound: str) -> Rule:
    by = bound if bound in raw else bar
    return Rule(batches=raw.get("batches", default.batches), by=by, bar=Decimal(str(raw.get(by, default.bar))))
