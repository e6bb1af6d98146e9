"""Checks on a value at a path: `output`, `text` and `state`.

A path that is missing fails, under `not` as well, except where `exists` asks for just that; an agent that rightly declined
is excused. Kept out: how values are compared (`matchers.py`), `query` (`queries.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairtrial.graders.compare import ABSENT, contains
from fairtrial.graders.finding import Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.matchers import Mismatch, compile_matcher
from fairtrial.graders.paths import Path, compile_path
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind

Probe = Callable[[View], Finding]


def compile_output(check: Check, ground: Ground) -> Probe:
    """For `output` and `text`. Where a question of the case names the same path, a rightful abstention there is excused."""
    path = compile_path(check.target, check.place)
    match = compile_matcher(check.expect, said=True, place=check.place)
    exists = check.expect.get("exists")
    abstentions = ground.questions.get(path.text) if ground.unknown_ok and check.under not in ("must_not", "not") else None
    read = path.read

    def probe(view: View) -> Finding:
        if not view.answered:
            return view.silence
        output = view.output
        value = read(output)
        if value is ABSENT:
            return _absent(view, path, exists)
        if exists is False:
            return fails(f"there is something at {path.text}", path=path.text, expected="nothing", seen=value)
        mismatch = match(value)
        if view.body.altered:
            return _as_stored(view, f"output{dotted(path)}", mismatch, path, value)
        if mismatch is None:
            return holds(path=path.text, seen=value)
        if abstentions is not None and contains(abstentions, value):
            return unknown(f"the agent left {path.text} open, which the case allows", path=path.text, seen=value, excused=True)
        return misfit(mismatch, path.text)

    return probe


def compile_state(check: Check, ground: Ground) -> Probe:
    """For `state`: the world after the trial, whatever was said about it."""
    path = compile_path(check.target, check.place)
    match = compile_matcher(check.expect, place=check.place)
    exists = check.expect.get("exists")
    read = path.read

    def probe(view: View) -> Finding:
        if not view.state_kept:
            return unknown("the end of the world was not kept")
        state = view.state
        value = read(state)
        if value is ABSENT:
            if exists is not None:
                return holds(path=path.text) if exists is False else fails(path.why_absent(state, "the state"), path=path.text)
            why = path.why_absent(state, "the state")
            return fails(why, path=path.text, expected=_wanted(check), firm=True, kind=FailureKind.WRONG_STATE)
        if exists is False:
            return fails(f"the state has something at {path.text}", path=path.text, expected="nothing", seen=value)
        mismatch = match(value)
        if view.body.altered:
            where = "before" if view.body.after is None else "after"
            return _as_stored(view, f"{where}{dotted(path)}", mismatch, path, value)
        if mismatch is None:
            return holds(path=path.text, seen=value, kind=FailureKind.WRONG_STATE)
        return misfit(mismatch, path.text, FailureKind.WRONG_STATE)

    return probe


def _absent(view: View, path: Path, exists: bool | None) -> Finding:
    if exists is False:
        return holds(path=path.text)
    why = path.why_absent(view.output)
    if view.declined and view.ground.unknown_ok:
        return unknown(f"{why}; the agent declined, which the case allows", path=path.text, excused=True)
    return fails(why, path=path.text, expected="a value", firm=exists is None, kind=FailureKind.FORMAT_ERROR)


def misfit(mismatch: Mismatch, path: str, kind: FailureKind | None = None) -> Finding:
    """The finding for a value that does not fit; the path is that of the very place."""
    here = join(path, mismatch.path)
    if mismatch.unknown:
        return unknown(f"{here}: {mismatch.why}", path=here, expected=mismatch.expected, seen=mismatch.seen)
    kind = FailureKind.FORMAT_ERROR if mismatch.firm and kind is None else kind
    return fails(f"{here}: {mismatch.why}", path=here, expected=mismatch.expected, seen=mismatch.seen, firm=mismatch.firm, kind=kind)


def join(path: str, below: str) -> str:
    """A path and one below it as one path."""
    if below == "$":
        return path
    if path == "$":
        return below
    return f"{path}{below}" if below.startswith("[") else f"{path}.{below}"


def dotted(path: Path) -> str:
    """The path as the store notes what it altered: .a.0.b, up to the first [*]."""
    text = ""
    for key in path.steps:
        if not isinstance(key, (str, int)):
            break
        text += f".{key}"
    return text


def _as_stored(view: View, place: str, mismatch: Mismatch | None, path: Path, value: Any) -> Finding:
    """Where the store covered or cut what the check looks at, nobody can tell any more."""
    how = view.altered(place)
    if how is None:
        return holds(path=path.text, seen=value) if mismatch is None else misfit(mismatch, path.text)
    return unknown(f"{path.text} was changed before it was stored ({how})", path=path.text, seen=value)


def _wanted(check: Check) -> Any:
    return check.expect.get("equals", dict(check.expect))
