"""What an agent is to the harness, and what the desk is to an agent.

An agent is anything that can be seated: it gets a Brief and a Desk and answers. The desk is all it may touch during a
trial. In an async agent the desk's methods are awaited where they wait for something; in a sync agent they return directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from fairtrial.models.model import Message
from fairtrial.records.case import Brief
from fairtrial.records.handoff import Parcel
from fairtrial.records.tamper import Tamper
from fairtrial.records.trace import Span


class Desk(Protocol):
    """All an agent may touch. `by` names the role that acts; it is left out in a setup without roles and inside `ft.Team`."""

    attempt: int
    earlier: list[Any]
    inbox: dict[str, Any]
    parcels: list[Parcel]
    role: str | None

    @property
    def seed(self) -> int:
        """A number of this trial's own, the same whenever it is run again."""

    def call(self, tool: str, /, *, by: str | None = None, **args: Any) -> Any:
        """Call a tool (await it in an async agent). Raises ToolFailed, Refused or OverBudget."""

    def hand_off(self, to: str, facts: dict[str, Any], *, by: str | None = None) -> None:
        """Send facts to a role; recorded as sent."""

    def receive(self, *, by: str | None = None) -> list[Parcel]:
        """The parcels waiting for a role; recorded as received."""

    def use(self, fact: str, *, by: str | None = None) -> None:
        """Declare that a fact was used."""

    def adjust(self, name: str, /, *, by: str | None = None, **details: Any) -> None:
        """State that an adjustment was applied."""

    def disagree(self, about: str, positions: dict[str, Any], *, by: str | None = None) -> None:
        """Raise a conflict between roles."""

    def settle(self, about: str, value: Any, *, why: str = "", cites: list[str] | None = None, by: str | None = None) -> None:
        """Resolve a conflict, on stated grounds."""

    def escalate(self, about: str, *, to: str = "human", why: str = "", by: str | None = None) -> None:
        """Hand a conflict to somebody who may decide it."""

    def say(self, text: str, *, ui_card: str | None = None, by: str | None = None, **shown: Any) -> Any:
        """Speak to the user (await it in an async agent); the reply, or None where no user listens."""

    def spend(self, *, by: str | None = None, **use: Any) -> Any:
        """Charge a model call (await it in an async agent): model, input_tokens, output_tokens, usd, latency_ms; each optional."""

    def model(
        self,
        name: str,
        messages: str | list[Message],
        *,
        schema: dict[str, Any] | None = None,
        timeout_s: float = 60.0,
        by: str | None = None,
    ) -> Any:
        """Ask a model by name (await it in an async agent), charged to the trial: a reply with `text`, `input_tokens`, `usd`, `ms`, ….

        Raises ProviderOutage, MalformedReply or OverBudget.
        """

    def decline(self, why: str, to: str | None = None, *, by: str | None = None) -> None:
        """Say that this cannot or should not be decided here."""

    def note(self, kind: str, name: str, /, *, by: str | None = None, **details: Any) -> None:
        """Record a decision of a role (router intent, guard decision, planner steps)."""


class InnerDesk(Desk, Protocol):
    """What the harness's own setups (solo, retry, team) may do beyond an agent's reach."""

    @property
    def tamper(self) -> Tamper | None:
        """What is done to a fact on its way in this trial."""

    def for_role(self, name: str, tools: tuple[str, ...] | None = None) -> InnerDesk:
        """The same trial's desk, bound to a role."""

    def begin(self, kind: str, name: str, *, role: str | None = None) -> Any:
        """Open a span that later acts nest in; close it with `end`."""

    def end(self, span: Any, error: dict[str, str] | None = None) -> None: ...

    def deliver(self, to: str, facts: dict[str, Any]) -> None:
        """A parcel from the case itself, for a role that is tried alone."""

    def retried(self, attempt: int, accepted: bool, answer: Any) -> None:
        """Record the end of one attempt of a retry."""

    def visible(self, brief: Brief, role: str, sees: tuple[str, ...] | None) -> Brief:
        """The brief as this role may see it."""

    def redo(self, spans: Sequence[Span]) -> Any:
        """What this desk's role did in a recorded trial, done again without it (await it in an async team)."""

    def trace_objects(self) -> list[dict[str, Any]]:
        """The spans so far as plain objects."""

    def sync_face(self) -> Any:
        """The same desk for a sync function: every method returns directly."""


class Agent(Protocol):
    """A seated agent. `is_sync` agents block; they get a thread or a process of their own."""

    is_sync: bool

    def answer(self, brief: Brief, desk: InnerDesk) -> Any:
        """The answer; a coroutine where the agent is async."""
