"""The conversation at the desk: what the agent showed becomes the user's next message, or the end with its reason.

The task is the user's first message. A turn is a pair: a user's message and what the agent said to it. The user sees what its
case lets it see and nothing else. Kept out: who the user is and what it may say (`worlds/users.py`).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from fairtrial.records.dialogue import Dialogue, Over
from fairtrial.records.trial import Ending
from fairtrial.worlds.manners import announces, asks, is_closing, requests
from fairtrial.worlds.users import Script, broken_rule, read_plan, view_of

if TYPE_CHECKING:
    from fairtrial.trials.meter import Meter
    from fairtrial.trials.recorder import Recorder
    from fairtrial.worlds.users import Turn, View

BY_THE_USER = {Ending.FINISHED, Ending.DECLINED, Ending.EMPTY, Ending.MALFORMED}
"""Endings of a trial in which the agent left of itself, if the dialogue was not over before."""


class Talk:
    """One trial's dialogue. `over` is empty while it goes on; `broken` tells what the simulator did wrong. Safe under threads."""

    def __init__(self, raw: dict[str, Any], recorder: Recorder, meter: Meter) -> None:
        self.plan = read_plan(raw)
        self.over = ""
        self.why = ""
        self.turns = 0
        self.broken = ""
        self._script = Script(self.plan)
        self._recorder = recorder
        self._meter = meter
        self._farewells = 0
        self._put_off = False
        self._lock = threading.Lock()

    def hear(self, shown: dict[str, Any], parent: str | None) -> str | None:
        """What the user says to this message of the agent (its `text` and what it showed); None once the dialogue is over."""
        with self._lock:
            if self.over:
                return None
            self.turns += 1
            if self._is_out_of_bounds():
                return None
            view = view_of(self.plan, shown)
            turn = self._script.next(view)
            if turn is None:
                self.end(Over.USER_ENDED, "the script has no more to say")
                return None
            return self._take(turn, view, parent)

    def _is_out_of_bounds(self) -> bool:
        if self._meter.closed_by:
            self.end(Over.OVER_BUDGET, f"the budget's {self._meter.closed_by} was reached")
        elif self.turns >= self.plan.max_turns:
            self.end(Over.TURN_LIMIT, f"{self.plan.max_turns} turns are all this dialogue may have")
        return bool(self.over)

    def _take(self, turn: Turn, heard: View, parent: str | None) -> str | None:
        """Let the user say it, if it may be said; the stop it asks for is heard once nothing waits for the agent."""
        fault = broken_rule(self.plan, turn)
        if fault is not None:
            self.broken = fault
            error = {"kind": "simulator_fault", "message": fault}
            self._recorder.end(self._recorder.begin("user", "user", None, parent, {"turn": self.turns + 1}), error)
            self.end(Over.SIMULATOR_FAULT, fault)
            return None
        said: dict[str, Any] = {"text": turn.message, "turn": self.turns + 1}
        if turn.should_end:
            said["should_end"] = True
        self._recorder.mark("user", "user", None, parent, said)
        self._farewells = self._farewells + 1 if is_closing(turn.message, asked=asks(str(heard.get("reply", "")))) else 0
        self._put_off = turn.should_end and self._is_pending(turn.message, heard)
        if turn.should_end and not self._put_off:
            self.end(Over.USER_ENDED, "the user was done")
        elif self._farewells >= self.plan.farewells:
            self.end(Over.FAREWELL_LOOP, f"{self._farewells} goodbyes in a row")
        return None if self.over else turn.message

    def _is_pending(self, said: str, heard: View) -> bool:
        """Whether the agent still has to act on what is said: then it gets its turn, whatever the user wants to stop."""
        reply = str(heard.get("reply", ""))
        if is_closing(said, asked=asks(reply)) or (self._put_off and not asks(reply) and not requests(said)):
            return False
        return asks(reply) or announces(reply) or requests(said) or heard.keys() > {"reply"}

    def end(self, over: Over, why: str) -> None:
        """The dialogue is over, for this reason."""
        self.over, self.why = over.value, why

    def close(self, ending: Ending) -> Dialogue:
        """The record, once the trial has ended."""
        over = self.over or (Over.AGENT_ENDED.value if ending in BY_THE_USER else ending.value)
        return Dialogue(ended=over, why=self.why, turns=self.turns)
