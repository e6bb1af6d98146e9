"""The conversation at the desk: what the agent showed becomes the user's next message, or the end with its reason.

The task is the user's first message. A turn is a pair: a user's message and what the agent said to it. The user sees what its
case lets it see and nothing else. Kept out: who the user is and what it may say (`worlds/users.py`, `worlds/claims.py`), how a
model is asked (`worlds/simulator.py`, `models/`).
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Protocol

from fairtrial.models.model import MalformedReply
from fairtrial.records.dialogue import Dialogue, Over
from fairtrial.records.errors import InputError, ProviderOutage
from fairtrial.records.trial import Ending
from fairtrial.trials.use import Use
from fairtrial.worlds.claims import invented
from fairtrial.worlds.ends import reached
from fairtrial.worlds.manners import announces, asks, is_closing, requests
from fairtrial.worlds.simulator import SCHEMA, known_to, messages_for, turn_of
from fairtrial.worlds.users import Script, broken_rule, read_plan, view_of

if TYPE_CHECKING:
    from fairtrial.models.model import Model, Reply
    from fairtrial.records.case import Brief, Scene
    from fairtrial.records.trace import Span
    from fairtrial.trials.meter import Meter
    from fairtrial.trials.recorder import Recorder
    from fairtrial.worlds.simulator import Said
    from fairtrial.worlds.users import Turn, View
    from fairtrial.worlds.world import LiveWorld

LEFT = {Ending.FINISHED, Ending.DECLINED, Ending.EMPTY, Ending.MALFORMED}
"""Endings of a trial in which the agent left by itself, if the dialogue was not over before."""
FAULT = "simulator_fault"
"""The kind of error of a user's turn that was refused."""
ATTEMPTS = 2
"""How often a model is asked for one turn: a reply that breaks a rule may be said again, once."""


class Around(Protocol):
    """What a dialogue needs of the trial around it (a Floor)."""

    brief: Brief
    scene: Scene
    world: LiveWorld
    recorder: Recorder
    meter: Meter


class Talk:
    """One trial's dialogue. `over` is empty while it goes on; Safe under threads."""

    def __init__(self, floor: Around, model: Model | None) -> None:
        assert floor.scene.user is not None  # noqa: S101 - asked for cases with a user
        self.plan = read_plan(floor.scene.user)
        self.over = ""
        self.why = ""
        self.turns = 0
        self.model = model
        self.use = Use()
        self._floor = floor
        self._script = Script(self.plan)
        self._dialogue: list[Said] = [*_earlier(self, floor.brief.history), ("user", floor.brief.task)]
        self._farewells = 0
        self._put_off = False
        self._lock = threading.Lock()

    def hear(self, shown: dict[str, Any], parent: str | None) -> str | Question | None:
        """What the user says to this message of the agent (its `text` and what it showed); None once the dialogue is over; a
        Question where a model is to be asked first, for that may take a while."""
        with self._lock:
            if self.over:
                return None
            self.turns += 1
            view = view_of(self.plan, shown)
            self._dialogue.append(("agent", view))
            if self._is_out_of_bounds():
                return None
            if self.model is not None:
                return Question(self, view, parent)
            turn = self._script.next(view)
            if turn is None:
                self.end(Over.USER_ENDED, "the script has no more to say")
                return None
            fault = broken_rule(self.plan, turn)
            span = self.open(parent)
            if fault is None:
                return self._take(turn, view, span)
            self.refuse(span, fault)
            self.end(Over.SIMULATOR_FAULT, fault)
            return None

    def _is_out_of_bounds(self) -> bool:
        if self._floor.meter.closed_by:
            self.end(Over.OVER_BUDGET, f"the budget's {self._floor.meter.closed_by} was reached")
        elif self._is_reached():
            self.end(Over.GOAL_REACHED, "the state is as it was to be")
        elif self.turns >= self.plan.max_turns:
            self.end(Over.TURN_LIMIT, f"{self.plan.max_turns} turns are all this dialogue may have")
        return bool(self.over)

    def _is_reached(self) -> bool:
        try:
            return isinstance(self.plan.end, dict) and reached(self.plan.end, self._floor.world)
        except InputError as error:
            self.end(Over.SIMULATOR_FAULT, f"whether its goal is reached cannot be told: {error.what}")
            return False

    def messages(self, problem: str) -> Any:
        """What the model is sent for the next turn."""
        return messages_for(self.plan, self._dialogue, problem)

    def judged(self, reply: Reply) -> tuple[Turn | None, str]:
        """A model's reply as a turn, or why it is none that this user may take."""
        try:
            turn = turn_of(reply.text)
        except MalformedReply as error:
            return None, str(error)
        heard = [str(said.get("reply", "")) for who, said in self._dialogue if who == "agent"]
        fault = broken_rule(self.plan, turn, heard)
        if fault is None and (made_up := invented(turn.message, known_to(self.plan, self._dialogue))) is not None:
            fault = f"it names {made_up!r:.80}, which nobody told or showed it"
        return (turn, "") if fault is None else (None, fault)

    def open(self, parent: str | None) -> Span:
        """A turn of the user that begins; it stays open while a model is asked for it."""
        return self._floor.recorder.begin("user", "user", None, parent, {"turn": self.turns + 1})

    def refuse(self, span: Span, fault: str, kind: str = FAULT) -> None:
        """Write down a turn that may not be taken; its words are not kept, for they may be what nobody should hear."""
        self.use.rejected += kind == FAULT
        self._floor.recorder.end(span, {"kind": kind, "message": fault})

    def take(self, turn: Turn, view: View, span: Span) -> str | None:
        with self._lock:
            return None if self.over else self._take(turn, view, span)

    def _take(self, turn: Turn, heard: View, span: Span) -> str | None:
        """Let the user say it; the stop it asks for is heard once nothing waits for the agent."""
        span.attributes["text"] = turn.message
        if turn.should_end:
            span.attributes["should_end"] = True
        self._floor.recorder.end(span)
        self._dialogue.append(("user", turn.message))
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
        """The dialogue is over, for this reason; the first one stands."""
        if not self.over:
            self.over, self.why = over.value, why

    def close(self, ending: Ending) -> Dialogue:
        """The record, once the trial has ended."""
        over = self.over or (Over.AGENT_ENDED.value if ending in LEFT else ending.value)
        self.over = over
        use = self.use
        return Dialogue(
            ended=over,
            why=self.why,
            turns=self.turns,
            rejected=use.rejected,
            model="" if self.model is None else use.model or self.model.name,
            calls=use.calls,
            input_tokens=use.input_tokens,
            output_tokens=use.output_tokens,
            tokens_complete=not use.uncounted,
            waited_ms=round(use.waited_ms(), 3),
        )


def _earlier(talk: Talk, history: tuple[dict[str, Any], ...]) -> list[Said]:
    """The conversation that was held before, as this user remembers it."""
    told: list[Said] = []
    for turn in history:
        shown = {key: value for key, value in turn.items() if key != "from"}
        told.append(("user", turn.get("text", "")) if turn.get("from") == "user" else ("agent", view_of(talk.plan, shown)))
    return told


class Question:
    """A turn that a model is to be asked for. `put` asks and waits; it may be called in another thread than the agent's."""

    def __init__(self, talk: Talk, view: View, parent: str | None) -> None:
        self._talk, self._view, self._parent = talk, view, parent

    def put(self) -> str | None:
        """The user's message, or None where the dialogue is over."""
        talk, problem = self._talk, ""
        for _ in range(ATTEMPTS):
            span = talk.open(self._parent)
            reply, problem = self._ask(problem)
            if talk.over:
                talk.refuse(span, talk.why, "provider_outage")
                return None
            turn, problem = (None, problem) if reply is None else talk.judged(reply)
            span.attributes |= _stated(reply)
            if turn is not None:
                return talk.take(turn, self._view, span)
            talk.refuse(span, problem)
        talk.end(Over.SIMULATOR_FAULT, problem)
        return None

    def _ask(self, problem: str) -> tuple[Reply | None, str]:
        """One call of the model: its reply, or None and what was wrong with it. An outage ends the dialogue."""
        talk = self._talk
        assert talk.model is not None  # noqa: S101 - a Question is made where there is one
        talk.use.begin()
        reply: Reply | None = None
        used: Reply | None = None
        try:
            reply = used = talk.model.reply(talk.messages(problem), schema=SCHEMA)
        except ProviderOutage as error:
            talk.end(Over.SIMULATOR_OUTAGE, str(error))
        except MalformedReply as error:
            problem, used = str(error), error.reply
        talk.use.finish(used)
        return reply, problem


def _stated(reply: Reply | None) -> dict[str, Any]:
    """What the call took, beside the message in the trace."""
    if reply is None:
        return {}
    use: dict[str, Any] = {"model": reply.model, "input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens}
    use["usd"] = None if reply.usd is None else str(reply.usd)
    return {name: value for name, value in use.items() if value not in (None, "")}
