"""`effect: TOOL`: one order, one payment: no side effect twice.

Two calls with the same key are two effects if both came to the world, be it that the reply of the first was lost: a call
that timed out after it had committed took effect. Where the trace does not tell, the state does: a doubled new entry.
"""

from __future__ import annotations

from typing import Any

from fairtrial.graders.compare import fingerprint
from fairtrial.graders.finding import Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import untold_span
from fairtrial.graders.tools import arguments
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.trace import Span

LANDED = "commit_then_timeout"


def compile_effect(check: Check, ground: Ground) -> Probe:
    name = str(check.target)
    keys = list(check.expect["unique_by"])

    def probe(view: View) -> Finding:
        calls = [span for span in view.calls if span.name == name]
        effects = [span for span in calls if landed(view, calls, span)]
        twin = _twin(effects, keys)
        keyless = [span for span in effects if not _has_key(span, keys)]
        if twin is None and len(effects) > 1 and keyless:
            names = ", ".join(keys)
            return unknown(f"whether two calls of {name} are one effect cannot be told: they have no {names}", span=keyless[0].id)
        if twin is not None:
            covered = untold_span(view, list(twin), *(f"args.{key}" for key in keys))
            if covered is not None:
                return covered
            return _doubled(name, keys, twin, _timed_out(twin[0]))
        unsure = _twin([span for span in calls if span in effects or _timed_out(span)], keys)
        row = _doubled_entry(view) if unsure is not None else None
        if unsure is not None and row is not None:
            return _doubled(name, keys, unsure, True, row)
        return holds(seen=len(effects)) if view.trace_whole else unknown("the trace is missing or not whole")

    return probe


def _timed_out(span: Span) -> bool:
    return span.error is not None and span.error.get("kind") == "timeout"


def landed(view: View, calls: list[Span], span: Span) -> bool:
    """Whether the call took effect, as far as the trace tells."""
    if span.attributes.get("outcome", "ok") == "ok" and span.error is None:
        return True
    planned = [fault.attributes for fault in view.spans("fault") if fault.name == span.name and fault.attributes.get("fired") is not False]
    number = calls.index(span) + 1
    of_span = span.attributes.get("fault")
    return of_span == LANDED or any(fault.get("fault") == LANDED and fault.get("call") in (number, None) for fault in planned)


def _twin(calls: list[Span], keys: list[str]) -> tuple[Span, Span] | None:
    """Two calls with the same key; a call that has none of the arguments has no key."""
    seen: dict[Any, Span] = {}
    for span in calls:
        if _has_key(span, keys):
            args = arguments(span)
            key = fingerprint([[args[name]] if name in args else [] for name in keys])
            if key in seen:
                return seen[key], span
            seen[key] = span
    return None


def _has_key(span: Span, keys: list[str]) -> bool:
    args = arguments(span)
    return isinstance(args, dict) and any(key in args for key in keys)


def _doubled_entry(view: View) -> str | None:
    """The path of an entry that was added twice to one list of the state."""
    seen: set[Any] = set()
    for change in () if view.files else view.body.changes:  # two files may be alike
        if change.kind == "added" and isinstance(change.after, dict):
            entry = change.path.rpartition("[")[0], fingerprint(_without_id(change.after))
            if entry in seen:
                return change.path
            seen.add(entry)
    return None


def _without_id(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in ("id", "rowid", "created_at")}


def _doubled(name: str, keys: list[str], twin: tuple[Span, Span], timeout: bool, path: str | None = None) -> Finding:
    first, second = twin
    lost = " although the first had taken effect before its reply timed out" if timeout else ""
    args = arguments(second)
    return fails(
        f"{name} took effect twice for the same {', '.join(keys)} (spans {first.id} and {second.id}){lost}",
        span=second.id,
        path=path,
        expected="one effect",
        seen={key: args[key] for key in keys if key in args},
        kind=FailureKind.WRONG_STATE,
    )
