"""A case's simulated user, looked at by itself: what cannot be staged is an error, what can never come is a finding.

Kept out: how the user is played (`worlds/`, `trials/`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.walk import found_in
from fairtrial.records.dialogue import ENDS, MOST_TURNS, SEES
from fairtrial.records.errors import InputError
from fairtrial.records.way import steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.cases.forms import UserForm
    from fairtrial.cases.rows import Row
    from fairtrial.records.case import Case
    from fairtrial.records.finding import Finding

KINDS = ("python:", "openai:")


def user_faults(form: UserForm | msgspec.UnsetType, row: Row) -> list[InputError]:
    """Two players for one user, a model of no known kind, an end that nobody can look for."""
    if form is msgspec.UNSET:
        return []
    faults = []
    if form.script and form.model:
        what = "a simulated user is played by a script or by a model, and here are both"
        faults.append(InputError(what, place=row.place("user", "model"), mend="remove one of them"))
    if form.model and not form.model.startswith(KINDS):
        mend = "write python:module:function, or openai:NAME"
        faults.append(InputError("there is no such model", place=row.place("user", "model"), value=form.model, mend=mend))
    if isinstance(form.end, dict):
        faults += _end_faults(form.end, row)
    return faults


def _end_faults(end: dict[str, Any], row: Row) -> list[InputError]:
    place = row.place("user", "end")
    unknown = sorted(end.keys() - {"state", *ENDS})
    if unknown or not isinstance(end.get("state"), str) or len(end) < 2:
        what = "an `end` that is looked for is one place of the state and what is to stand there"
        return [
            InputError(what, place=place, value=end, allowed=f"state: PATH with {', '.join(ENDS)}", mend="write {state: PATH, equals: …}")
        ]
    try:
        steps_of(end["state"], place)
    except InputError as error:
        return [error]
    return []


def scene_user(form: UserForm, secrets: tuple[str, ...]) -> dict[str, Any]:
    """The user as the stage gets it: what it must keep to itself are its own `hidden` texts and the case's secrets."""
    made: dict[str, Any] = msgspec.to_builtins(form)
    hidden = tuple(dict.fromkeys((*form.hidden, *secrets)))
    return made | ({"hidden": hidden} if hidden else {})


def idle_user(case: Case) -> Iterator[Finding]:
    """Parts of the user that can never come: words it has no way to say, lines that are never reached, an end before the start."""
    user = case.scene.user
    if user is None:
        return
    if not (user.get("script") or user.get("model") or user.get("style") == "silent" or user.get("approves")):
        mend = "add script: [what the user says], model: NAME, or style: silent"
        yield found_in(case, "mute_user", "the simulated user has neither script nor model, so it cannot speak", mend)
    yield from _lines(case, user)
    if isinstance(user.get("end"), dict):
        yield from _end(case, user["end"])
    told = [str(user.get(part, "")) for part in ("persona", "goal")]
    if user.get("model") and any(text in words for text in user.get("hidden", ()) for words in told):
        mend = "take it out of persona and goal: a model that is told it may say it"
        yield found_in(case, "told_secret", "the simulated user is told what it must keep to itself", mend)


def _lines(case: Case, user: dict[str, Any]) -> Iterator[Finding]:
    sees = {"card" if name == "ui_card" else name for name in user.get("sees") or SEES}
    most, free, shadow = user.get("max_turns") or MOST_TURNS, 0, 0
    for number, line in enumerate(user.get("script", ()), 1):
        when = line.get("when", {}) if isinstance(line, dict) else {}
        unseen = sorted({"card" if name == "ui_card" else name for name in when} - sees)
        if unseen:
            message = f"line {number} of the script waits for {unseen[0]!r}, which the user does not see"
            yield found_in(case, "unreachable_line", message, f"add {unseen[0]} to sees, or correct the name")
        elif shadow:
            message = f"line {number} of the script is never said, for line {shadow} is said whatever is shown, again and again"
            yield found_in(case, "unreachable_line", message, f"move it before line {shadow}")
        elif not when and free >= most - 1:
            yield found_in(case, "unreachable_line", f"line {number} of the script comes after turn {most}, the last", "raise max_turns")
        free += not when
        if not when and isinstance(line, dict) and line.get("repeat"):
            shadow = shadow or number


def _end(case: Case, end: dict[str, Any]) -> Iterator[Finding]:
    low, high = end.get("min"), end.get("max")
    crossed = isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high
    if end.get("in") == [] or crossed or (end.get("exists") is False and len(end) > 2):
        yield found_in(case, "impossible_end", "no state can meet the end of the dialogue", "correct user.end")
