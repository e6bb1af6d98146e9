"""The desk: all an agent may touch during a trial, as one role sees it.

`TrialDesk` is for async agents, `SyncDesk` for sync ones; they differ only in the acts that wait for something.
"""

from __future__ import annotations

import asyncio
import contextlib
from types import CoroutineType
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import OverBudget, Refused, ToolFailed
from fairtrial.records.handoff import Parcel
from fairtrial.records.tamper import altered
from fairtrial.records.trace import as_object
from fairtrial.records.trial import Decline
from fairtrial.trials.asking import Asking, aside
from fairtrial.trials.floor import Floor, close_call, fail_call, open_call, wait
from fairtrial.trials.meter import count, milliseconds, money
from fairtrial.trials.recorder import as_text, snapshot
from fairtrial.trials.replayed import redo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.models.model import Reply
    from fairtrial.records.case import Brief
    from fairtrial.records.tamper import Tamper
    from fairtrial.records.trace import Span
    from fairtrial.trials.asking import Schema, Words
    from fairtrial.trials.talk import Question
    from fairtrial.worlds.injections import Injection


class Desk:
    """What both kinds of desk share: the acts that never wait."""

    def __init__(self, floor: Floor, role: str | None = None, parent: str | None = None, rights: tuple[str, ...] | None = None) -> None:
        self._floor = floor
        self._parent = parent
        self._rights = rights
        self.role = role
        self.attempt = 1
        self.earlier: list[Any] = []
        self.inbox: dict[str, Any] = {}
        self.parcels: list[Parcel] = []
        self._shown = self.parcels
        """The parcels that the role was told of. A team takes its mail in for it (`parcels`), and it may still ask by itself."""

    @property
    def seed(self) -> int:
        """A number of this trial's own, the same whenever it is run again."""
        return self._floor.seed

    def _who(self, by: str | None) -> str | None:
        """Who acts: where the harness seats the roles, each is itself and nobody else; else whom the agent names."""
        if self.role is None or by is None or by == self.role:
            return by or self.role
        raise Refused(f"{self.role} cannot act as {by!r:.60}")

    def _held(self, tools: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """The rights of a desk made from this one: never more than its own."""
        if tools is None or self._rights is None:
            return self._rights if tools is None else tools
        return tuple(tool for tool in tools if tool in self._rights)

    def _mark(self, kind: str, name: str, by: str | None, attributes: dict[str, Any]) -> Span:
        return self._floor.recorder.mark(kind, str(name), self._who(by), self._parent, attributes)

    def hand_off(self, to: str, facts: dict[str, Any], *, by: str | None = None) -> None:
        """Send facts to a role. Recorded as sent; what is received is recorded when the role takes it."""
        floor, sender, to = self._floor, self._who(by), as_text(to)
        if not isinstance(facts, dict):
            raise TypeError(f"hand_off takes a dict of facts, not {type(facts).__name__}")
        floor.parcels += 1
        sent = snapshot(facts)
        parcel = Parcel(source=sender, target=to, facts=sent, number=floor.parcels)
        floor.mail.setdefault(to, []).append(parcel)
        facts_sent = {"event": "sent", "from": sender, "to": to, "facts": sent, "parcel": parcel.number}
        self._mark("handoff", f"{sender or 'agent'}->{to}", by, facts_sent)

    def receive(self, *, by: str | None = None) -> list[Parcel]:
        """The parcels for a role, oldest first, those that its team took in for it among them; each is handed out once."""
        receiver = self._who(by)
        waiting = self._floor.mail.pop(receiver or "", [])
        held, self._shown = [] if self._shown is self.parcels else self.parcels, self.parcels
        got = [self._take(given, receiver, (by, way)) for parcel in waiting for given, way in self._on_the_way(parcel, receiver)]
        got = [*held, *got]
        return [msgspec.structs.replace(parcel, facts=snapshot(parcel.facts)) for parcel in got]

    def _on_the_way(self, parcel: Parcel, receiver: str | None) -> list[tuple[Parcel, str]]:
        """The parcel as it is delivered, and what was done to it: a fact changed or hidden, or a second parcel that says otherwise."""
        tamper = self._floor.tamper
        if tamper is None or tamper.to != receiver:
            return [(parcel, "")]
        facts, found = altered(parcel.facts, tamper)
        given = msgspec.structs.replace(parcel, facts=facts)
        if not found or tamper.way != "contradict":
            return [(given, tamper.way if found else "")]
        self._floor.parcels += 1
        otherwise = {tamper.fact: snapshot(tamper.value)}
        return [(given, ""), (msgspec.structs.replace(parcel, facts=otherwise, number=self._floor.parcels), tamper.way)]

    def _take(self, parcel: Parcel, receiver: str | None, how: tuple[str | None, str]) -> Parcel:
        """A parcel as it is received: what was planted on its way is in it. `how`: who takes it, and what was done to a fact."""
        by, way = how
        plants = self._floor.plants
        given: list[Injection] = []
        if plants is not None:
            parcel, given = plants.into_parcel(parcel, receiver)
        got = {"event": "received", "from": parcel.source, "to": receiver, "facts": parcel.facts, "parcel": parcel.number}
        span = self._mark("handoff", f"{parcel.source or 'agent'}->{receiver}", by, got | ({"altered": way} if way else {}))
        if plants is not None:
            plants.show(given, receiver, span.id)
        return parcel

    def use(self, fact: str, *, by: str | None = None) -> None:
        """Declare that a fact was used in what follows."""
        self._mark("use", fact, by, {"proof": "declared"})

    def adjust(self, name: str, /, *, by: str | None = None, **details: Any) -> None:
        """State that an adjustment was applied."""
        self._mark("adjustment", name, by, snapshot(details))

    def disagree(self, about: str, positions: dict[str, Any], *, by: str | None = None) -> None:
        """Raise a conflict between roles."""
        self._mark("conflict", about, by, {"event": "raised", "positions": snapshot(positions)})

    def settle(self, about: str, value: Any, *, why: str = "", cites: list[str] | None = None, by: str | None = None) -> None:
        """Resolve a conflict, on stated grounds."""
        self._mark(
            "conflict", about, by, {"event": "settled", "value": snapshot(value), "why": snapshot(why), "cites": snapshot(cites or [])}
        )

    def escalate(self, about: str, *, to: str = "human", why: str = "", by: str | None = None) -> None:
        """Hand a conflict to somebody who may decide it."""
        self._mark("conflict", about, by, {"event": "escalated", "to": snapshot(to), "why": snapshot(why)})

    def decline(self, why: str, to: str | None = None, *, by: str | None = None) -> None:
        """Say that this cannot or should not be decided here, and to whom it goes."""
        reason, heir = as_text(why), None if to is None else as_text(to)
        self._floor.decline = Decline(reason, heir)
        self._mark("decision", "decline", by, {"why": reason, "to": heir})

    def note(self, kind: str, name: str, /, *, by: str | None = None, **details: Any) -> None:
        """Record a decision of a role: a router's intent, a guard's decision, a planner's steps."""
        self._mark("decision", name, by, {"of": kind, **snapshot(details)})

    def _charge(self, by: str | None, use: dict[str, Any]) -> None:
        unknown = set(use) - {"model", "input_tokens", "output_tokens", "usd", "latency_ms", "purpose"}
        if unknown:
            raise TypeError(f"spend() does not know {', '.join(sorted(unknown))}")
        usd = money(use.get("usd"))
        tokens = count(use.get("input_tokens"), "input_tokens"), count(use.get("output_tokens"), "output_tokens")
        stated = milliseconds(use.get("latency_ms"))
        floor, attributes = self._floor, snapshot(use)
        span = floor.recorder.begin("model", str(use.get("model") or ""), self._who(by), self._parent, attributes)
        try:
            held = floor.meter.reserve(usd or money(0), (tokens[0] or 0) + (tokens[1] or 0))  # type: ignore[arg-type]
        except OverBudget as error:
            floor.recorder.end(span, {"kind": "over_budget", "message": str(error)})
            raise
        held.settle(usd, *tokens)
        floor.recorder.end(span)
        if stated is not None:
            floor.stated_ms = (floor.stated_ms or 0.0) + stated

    def _say(self, text: str, by: str | None, shown: dict[str, Any]) -> str | Question | None:
        said: dict[str, Any] = {"text": snapshot(str(text)), **snapshot({k: v for k, v in shown.items() if v is not None})}
        talk = self._floor.talk
        if talk is not None and not talk.over:
            said["turn"] = talk.turns + 1
        self._mark("message", "user", by, said)
        return None if talk is None else talk.hear(said, self._parent)

    def _replied(self, reply: str | None, by: str | None) -> str | None:
        """What the user said, as the agent gets it."""
        plants = self._floor.plants
        return reply if plants is None or reply is None else plants.into_reply(reply, self._who(by), self._parent)

    # What the harness's own setups do beyond an agent's reach.

    @property
    def tamper(self) -> Tamper | None:
        return self._floor.tamper

    def begin(self, kind: str, name: str, *, role: str | None = None) -> Span:
        span = self._floor.recorder.begin(kind, name, role or self.role, self._parent, {})
        self._parent = span.id
        return span

    def end(self, span: Span, error: dict[str, str] | None = None) -> None:
        self._parent = span.parent
        self._floor.recorder.end(span, error)

    def deliver(self, to: str, facts: dict[str, Any]) -> None:
        self._floor.parcels += 1
        parcel = Parcel(source="case", target=to, facts=snapshot(facts), number=self._floor.parcels)
        self._floor.mail.setdefault(to, []).append(parcel)

    def retried(self, attempt: int, accepted: bool, answer: Any) -> None:
        self.earlier.append(snapshot(answer))
        self._floor.meter.retries += attempt > 1
        self._mark("retry", "retry", None, {"attempt": attempt, "accepted": accepted})

    def visible(self, brief: Brief, role: str, sees: tuple[str, ...] | None) -> Brief:
        bound = self._floor.scene.visible_to
        facts = {name: value for name, value in brief.facts.items() if (sees is None or name in sees) and role in bound.get(name, (role,))}
        tamper = self._floor.tamper
        if tamper is not None and tamper.to == role and tamper.way != "contradict":
            facts, _ = altered(facts, tamper)
        return msgspec.structs.replace(brief, facts=snapshot(facts))

    def trace_objects(self) -> list[dict[str, Any]]:
        return [as_object(span) for span in self._floor.recorder.spans]

    def _twin(self, kind: type[Any]) -> Any:
        twin = kind(self._floor, self.role, self._parent, self._rights)
        twin.attempt, twin.earlier, twin.inbox, twin.parcels = self.attempt, self.earlier, self.inbox, self.parcels
        twin._shown = self._shown
        return twin

    def sync_face(self) -> SyncDesk:
        made: SyncDesk = self._twin(SyncDesk)
        return made


class TrialDesk(Desk):
    """The desk of an async agent."""

    async def call(self, tool: str, /, *, by: str | None = None, **args: Any) -> Any:
        """Call a tool. Raises ToolFailed, Refused or OverBudget."""
        return await self.call_with(tool, args, by=by)

    async def call_with(self, tool: str, args: dict[str, Any], *, by: str | None = None) -> Any:
        """As `call`, with the arguments as one dict (for tools whose arguments are named like ours)."""
        floor = self._floor
        found, bound, span = open_call(floor, (self._who(by), self._parent, self._rights), tool, args)
        met = None if floor.trouble is None else floor.trouble.meet(found, span)
        try:
            if met is not None:
                met.before()
                if met.pause:
                    await asyncio.sleep(met.pause)
                bound = met.bind(bound)
            result = found.act(**bound) if met is None or met.runs else None
            if type(result) is CoroutineType:  # of an async tool, or of one that hands on to one
                result = await result
            if met is not None:
                result = met.after(result)
        except OverBudget:
            fail_call(floor, span, ToolFailed("over budget"))
            raise
        except asyncio.CancelledError:  # a limit of the agent's own around this call, or the trial's
            fail_call(floor, span, ToolFailed("given up before it answered", "timeout"))
            raise
        except Exception as error:  # noqa: BLE001 - a tool's code is caged: whatever it raises is a failed call
            raise fail_call(floor, span, error) from None
        return close_call(floor, span, result)

    async def spend(self, *, by: str | None = None, **use: Any) -> None:
        """Charge a model call: model, input_tokens, output_tokens, usd, latency_ms; what is left out is unknown."""
        self._charge(by, use)

    async def model(self, name: str, messages: Words, *, schema: Schema = None, timeout_s: float = 60.0, by: str | None = None) -> Reply:
        """Ask a model by name. Raises ProviderOutage, MalformedReply or OverBudget."""
        with Asking(self._floor, (self._who(by), self._parent, None), name, messages) as asking:
            return asking.take(await aside(asking.ask, schema, timeout_s))

    async def say(self, text: str, *, ui_card: str | None = None, by: str | None = None, **shown: Any) -> str | None:
        """Speak to the user: what the simulated user says to it, or None once the dialogue is over (and where nobody listens)."""
        reply = self._say(text, by, {"ui_card": ui_card, **shown})
        return self._replied(reply if reply is None or isinstance(reply, str) else await aside(reply.put), by)

    async def redo(self, spans: Sequence[Span]) -> None:
        """What this role did in a recorded trial, done again without it."""
        await redo(self._floor, self, self._parent, spans, _awaited)

    def for_role(self, name: str, tools: tuple[str, ...] | None = None) -> TrialDesk:
        return TrialDesk(self._floor, name, self._parent, self._held(tools))


class SyncDesk(Desk):
    """The desk of a sync agent: every act returns directly."""

    def call(self, tool: str, /, *, by: str | None = None, **args: Any) -> Any:
        """Call a tool. Raises ToolFailed, Refused or OverBudget."""
        return self.call_with(tool, args, by=by)

    def call_with(self, tool: str, args: dict[str, Any], *, by: str | None = None) -> Any:
        """As `call`, with the arguments as one dict (for tools whose arguments are named like ours)."""
        floor = self._floor
        found, bound, span = open_call(floor, (self._who(by), self._parent, self._rights), tool, args)
        met = None if floor.trouble is None else floor.trouble.meet(found, span)
        try:
            if met is not None:
                met.before()
                if met.pause:
                    wait(met.pause)
                bound = met.bind(bound)
            result = found.act(**bound) if met is None or met.runs else None
            if type(result) is CoroutineType:  # of an async tool, or of one that hands on to one
                assert floor.run_async is not None  # noqa: S101 - set wherever a sync agent is seated
                result = floor.run_async(result)
            if met is not None:
                result = met.after(result)
        except OverBudget:
            fail_call(floor, span, ToolFailed("over budget"))
            raise
        except Exception as error:  # noqa: BLE001 - a tool's code is caged: whatever it raises is a failed call
            raise fail_call(floor, span, error) from None
        return close_call(floor, span, result)

    def spend(self, *, by: str | None = None, **use: Any) -> None:
        """Charge a model call: model, input_tokens, output_tokens, usd, latency_ms; what is left out is unknown."""
        self._charge(by, use)

    def model(self, name: str, messages: Words, *, schema: Schema = None, timeout_s: float = 60.0, by: str | None = None) -> Reply:
        """Ask a model by name. Raises ProviderOutage, MalformedReply or OverBudget."""
        with Asking(self._floor, (self._who(by), self._parent, None), name, messages) as asking:
            return asking.take(asking.ask(schema, timeout_s))

    def say(self, text: str, *, ui_card: str | None = None, by: str | None = None, **shown: Any) -> str | None:
        """Speak to the user: what the simulated user says to it, or None once the dialogue is over (and where nobody listens)."""
        reply = self._say(text, by, {"ui_card": ui_card, **shown})
        return self._replied(reply if reply is None or isinstance(reply, str) else reply.put(), by)

    def redo(self, spans: Sequence[Span]) -> None:
        """What this role did in a recorded trial, done again without it."""
        run_async = self._floor.run_async

        async def at_once(waited: Any) -> Any:
            assert run_async is not None  # noqa: S101 - set wherever a sync agent is seated
            return run_async(waited)

        with contextlib.suppress(StopIteration):
            redo(self._floor, self, self._parent, spans, at_once).send(None)

    def for_role(self, name: str, tools: tuple[str, ...] | None = None) -> SyncDesk:
        return SyncDesk(self._floor, name, self._parent, self._held(tools))


async def _awaited(waited: Any) -> Any:
    return await waited
