"""The simulated user of a case: who it is, what it may see, what a script lets it say next, and which of its turns break a rule.

Knows nothing of the answers: it is made from the case's `user` alone. Kept out: the conversation itself (`trials/talk.py`), the
signs that words give (`manners.py`), what a message claims (`claims.py`), how a model is asked (`simulator.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.dialogue import MOST_TURNS, SEES
from fairtrial.records.errors import InputError
from fairtrial.records.text import dumps
from fairtrial.records.way import GONE, follow, steps_of
from fairtrial.worlds.manners import flat, names_backstage, quotes, speaks_as_assistant, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LONGEST_MESSAGE = 8_000
LONGEST_QUOTE = 24
"""Characters from which a goal that is said word for word is a leak: shorter ones are how anybody would say it."""

_NAMES = {"text": "reply", "ui_card": "card"}

View = dict[str, Any]
"""What the agent showed in one message, under the names of `sees`: `reply` is its text, `card` the name of the card."""


class Turn(msgspec.Struct, frozen=True):
    """One turn of the user, as it is structured."""

    message: str
    should_end: bool = False


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a script. It is said when all of `when` holds of what the agent showed last, once or as often as it holds."""

    message: str = ""
    should_end: bool = False
    when: dict[str, Any] = {}
    repeat: bool = False


class UserPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A case's `user`, as the stage gets it. `hidden` must never be said; `end` is words or a check on the state."""

    persona: str = ""
    goal: str = ""
    end: str | dict[str, Any] = ""
    style: str = "cooperative"
    max_turns: int = MOST_TURNS
    farewells: int = 2
    sees: tuple[str, ...] = SEES
    may_claim: dict[str, Any] = {}
    approves: dict[str, bool] = {}
    hidden: tuple[str, ...] = ()
    script: tuple[str | Line, ...] = ()
    model: str = ""

    @property
    def scripted(self) -> bool:
        return not self.model


def read_plan(raw: dict[str, Any]) -> UserPlan:
    """The plan of a Scene's `user`."""
    return msgspec.convert(raw, UserPlan)


def view_of(plan: UserPlan, shown: Mapping[str, Any]) -> View:
    """Of one message of the agent (`text`, `ui_card`, and what it showed), what this user may see."""
    named = {"card" if key == "ui_card" else key for key in plan.sees}
    offered = {_NAMES.get(key, key): value for key, value in shown.items()}
    return {key: value for key, value in offered.items() if key in named and value is not None}


class Script:
    """A script under way. `next` gives the turn that follows on what was shown; None where the user has said all it had to."""

    def __init__(self, plan: UserPlan) -> None:
        self._lines = [Line(message=entry) if isinstance(entry, str) else entry for entry in plan.script]
        self._silent = plan.style == "silent"
        self._seen: View = {}

    def next(self, view: View) -> Turn | None:
        """The first line, in the order written, that holds here. Where some are left and none holds, the user is silent."""
        self._seen |= view
        for place, line in enumerate(self._lines):
            message = filled(line.message, self._seen) if holds(line.when, view) else None
            if message is not None:
                if not line.repeat:
                    del self._lines[place]
                said, stopped = spoken(message)
                return Turn(said, line.should_end or stopped)
        return Turn("") if self._silent or any(not line.repeat for line in self._lines) else None


def holds(when: Mapping[str, Any], view: View) -> bool:
    """Whether each named part is there and says so: words are looked for in a text, a card's name must be the same."""
    named = {"card" if key == "ui_card" else key: wanted for key, wanted in when.items()}
    return all(_meets(view.get(key), wanted, whole=key == "card") for key, wanted in named.items())


def _meets(shown: Any, wanted: Any, *, whole: bool) -> bool:
    if isinstance(wanted, list):
        return any(_meets(shown, one, whole=whole) for one in wanted)
    if isinstance(wanted, bool):
        return wanted is (shown not in (None, "", [], {}))
    if shown is None or whole or not isinstance(wanted, str):
        return bool(shown == wanted)
    return flat(wanted) in flat(shown if isinstance(shown, str) else dumps(shown))


def filled(message: str, seen: View) -> str | None:
    """The message with `{products[0].name}` and the like put in from what was shown so far; None where it was not shown."""
    made, rest = "", message
    while (start := rest.find("{")) >= 0 and (end := rest.find("}", start)) > 0:
        way = rest[start + 1 : end]
        if way.split(".")[0].split("[")[0] not in ("card", "products", *seen):
            made, rest = made + rest[: end + 1], rest[end + 1 :]
            continue
        value = _shown(seen, way)
        if value is GONE:
            return None
        made, rest = made + rest[:start] + (value if isinstance(value, str) else dumps(value)), rest[end + 1 :]
    return made + rest


def _shown(seen: View, way: str) -> Any:
    try:
        return follow(seen, steps_of(way))
    except InputError:
        return GONE


def broken_rule(plan: UserPlan, turn: Turn, spoken_before: Iterable[str] = ()) -> str | None:
    """Why this turn is not one of a user who keeps the rules, or None. `spoken_before` is what the agent said.

    What a script says is the case's own: only that it speaks as somebody else, or tells what must be hidden, is a fault of it.
    """
    return next(_faults(plan, turn, spoken_before), None)


def _faults(plan: UserPlan, turn: Turn, spoken_before: Iterable[str]) -> Iterator[str]:
    text = turn.message
    if len(text) > LONGEST_MESSAGE:
        yield f"it says {len(text)} characters, {LONGEST_MESSAGE} are the most"
    if (flipped := speaks_as_assistant(text)) is not None:
        yield f"it speaks as the assistant ({flipped!r:.80})"
    if (backstage := names_backstage(text)) is not None:
        yield f"it tells of the play itself ({backstage!r:.80})"
    if any(quotes(text, hidden) for hidden in plan.hidden if not _scripted(plan, hidden)):
        yield "it tells what it must keep to itself"
    if plan.scripted:
        return
    if not text and not turn.should_end and plan.style != "silent":
        yield "it says nothing and does not end"
    if len(flat(plan.goal)) >= LONGEST_QUOTE and flat(plan.goal) in flat(text):
        yield "it says its goal word for word"
    if any(len(flat(said)) >= LONGEST_QUOTE and flat(said) in flat(text) for said in spoken_before):
        yield "it repeats the assistant's words as its own"


def _scripted(plan: UserPlan, hidden: str) -> bool:
    """Whether the case itself lets the user say it."""
    own = [entry if isinstance(entry, str) else entry.message for entry in plan.script]
    return any(quotes(text, hidden) for text in (*own, *map(str, plan.may_claim.values())))
