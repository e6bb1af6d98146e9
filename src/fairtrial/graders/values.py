"""Checks on a value at a path: `output`, `text` and `state`.

A path that is missing fails, under `not` as well, except where `exists` asks for just that; an agent that rightly declined
is excused. Kept out: how values are compared (`matchers.py`), `query` (`queries.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from fairtrial.graders.compare import ABSENT, contains
from fairtrial.graders.finding import Finding, fails, holds, unknown
from fairtrial.graders.ground import Ground
from fairtrial.graders.kept import dotted, untold
from fairtrial.graders.matchers import Mismatch, compile_matcher
from fairtrial.graders.paths import Path, compile_path
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.verdict import Verdict

Probe = Callable[[View], Finding]
SAID_NOT_DONE = "said done, not done: nothing was changed"


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
        covered = untold(view, f"output{dotted(path)}", path.text)
        if covered is not None:
            return covered
        if value is ABSENT:
            return _absent(view, path, exists)
        if exists is False:
            return fails(f"there is something at {path.text}", path=path.text, expected="nothing", seen=value)
        mismatch = match(value)
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
    below = dotted(path)

    def look(view: View) -> Finding:
        value = path.read(view.state)
        if value is ABSENT:
            why = path.why_absent(view.state, "the state")
            if exists is False:
                return holds(path=path.text)
            wanted = _wanted(check) if exists is None else "a value"
            return fails(why, path=path.text, expected=wanted, firm=exists is None, kind=FailureKind.WRONG_STATE)
        if exists is False:
            return fails(f"the state has something at {path.text}", path=path.text, expected="nothing", seen=value)
        mismatch = match(value)
        if mismatch is None:
            return holds(path=path.text, seen=value, kind=FailureKind.WRONG_STATE)
        return misfit(mismatch, path.text, FailureKind.WRONG_STATE)

    def probe(view: View) -> Finding:
        if not view.state_kept:
            return unknown("the end of the world was not kept")
        return untold(view, f"{end_place(view)}{below}", path.text) or look(view)

    return probe if check.under in ("must_not", "not") else claimed(probe)


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


def end_place(view: View) -> str:
    """Under which name the end of the world is kept."""
    return "after" if view.changed else "before"


def claimed(probe: Probe) -> Probe:
    """The probe of something that must stand in the world. Where it does not, nothing at all was changed, and the agent
    finished with an answer, the failure is named for what it is."""

    def look(view: View) -> Finding:
        found = probe(view)
        if found.verdict is Verdict.FAIL and only_said(view):
            span = found.span or unfinished(view)
            return msgspec.structs.replace(found, why=f"{SAID_NOT_DONE}: {found.why}", kind=FailureKind.FALSE_SUCCESS, span=span)
        return found

    return look


def unfinished(view: View) -> str | None:
    """The last call that did not go well: where to look for why nothing was done."""
    return next((span.id for span in reversed(view.tools) if span.attributes.get("outcome", "ok") != "ok"), None)


def only_said(view: View) -> bool:
    """Whether the agent finished with an answer and changed nothing."""
    return not view.body.changes and view.answered and not view.declined and view.output not in (None, "", [], {})


def _wanted(check: Check) -> Any:
    return check.expect.get("equals", dict(check.expect))
