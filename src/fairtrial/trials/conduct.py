"""One trial: a fresh world, a desk, the agent, and a record of how it ended.

However it ends, the ending has a name. This file runs inside a worker; who starts and kills workers is the pool's business.
"""

from __future__ import annotations

import asyncio
import inspect
import time
import traceback
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from fairtrial.records.dialogue import Over
from fairtrial.records.errors import Deadline, InputError, MalformedAnswer, OverBudget, ProviderOutage, ReplayBroken
from fairtrial.records.plain import plain
from fairtrial.records.strictjson import encode
from fairtrial.records.trial import Ending, TrialBody, TrialHead
from fairtrial.setups.again import replaying
from fairtrial.setups.lines import closing
from fairtrial.setups.team import Team
from fairtrial.trials.desk import TrialDesk
from fairtrial.trials.floor import Floor
from fairtrial.trials.meter import Meter
from fairtrial.trials.plants import Plants
from fairtrial.trials.recorder import Recorder, snapshot
from fairtrial.trials.trouble import Trouble
from fairtrial.worlds.faults import FaultPlan
from fairtrial.worlds.json import JsonWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fairtrial.models.model import Model
    from fairtrial.records.case import Scene
    from fairtrial.setups.agent import Agent
    from fairtrial.trials.blackbox import BlackBox
    from fairtrial.trials.order import Order
    from fairtrial.worlds.tools import Tool
    from fairtrial.worlds.world import World

KEPT_ERROR = 16_384


class Opened(Protocol):
    """What a trial needs of a stage."""

    @property
    def world(self) -> World: ...

    def agent(self, setup: str, scene: Scene) -> Agent: ...

    def tools_of(self, setup: str) -> Mapping[str, Tool]: ...

    def model(self, name: str) -> Model | None: ...


class Act:
    """One trial under way. `begin` seats the agent, `finish` writes the record; what lies between is up to the caller."""

    def __init__(
        self,
        order: Order,
        stage: Opened,
        *,
        folder: str | None = None,
        box: BlackBox | None = None,
        run_async: Callable[[Any], Any] | None = None,
    ) -> None:
        self.order = order
        self.started_ns = time.time_ns()
        self._began = time.perf_counter()
        self.answer: Any = None
        self.ending = Ending.FINISHED
        self.note = ""
        self.error = ""
        # A function that is tried alone touches no world, so none is made ready for it.
        world = (stage.world if order.scene.call is None else JsonWorld()).open(order.scene, folder)
        self.floor = Floor(
            brief=order.brief,
            scene=order.scene,
            world=world,
            tools=stage.tools_of(order.key.setup),
            meter=Meter(order.budget, order.scene.max_steps),
            recorder=Recorder(box),
            seed=order.seed,
            run_async=run_async,
            models=stage.model,
            until=time.monotonic() + order.timeout_s,
        )
        if order.scene.faults:
            self.floor.trouble = Trouble(FaultPlan(order.scene.faults, order.seed), self.floor.recorder, world)
        if order.scene.user:
            from fairtrial.trials.talk import Talk  # a run without users need not load it; a stage with some has

            self.floor.talk = Talk(self.floor, stage.model(order.scene.user.get("model", "")))
        self.agent = stage.agent(order.key.setup, order.scene)
        if order.replay is not None:
            self.floor.tamper = order.replay.tamper
            if order.replay.recorded and isinstance(self.agent, Team):
                self.agent = replaying(self.agent, order.replay.recorded)
        self.desk = TrialDesk(self.floor)
        self._root = self.desk.begin("agent", order.key.setup)
        if order.scene.injections:
            self.floor.plants = Plants(order.scene.injections, self.floor.recorder)
            self.floor.brief = self.floor.plants.into_brief(order.brief, self._root.id)

    def call(self) -> Any:
        """The agent's answer, or a coroutine that gives it."""
        return self.agent.answer(self.floor.brief, self.desk)

    def timed_out(self) -> None:
        """The tightest limit on wall time was passed; its name says which."""
        if self.floor.talk is not None and self.floor.talk.use.since is not None:
            self.floor.talk.end(Over.SIMULATOR_OUTAGE, f"its model had not answered when the trial's {self.order.timeout_s:g} s were over")
            return
        self.ending = Ending.TIMEOUT if self.order.limit == "timeout_s" else Ending.OVER_BUDGET
        self.note = f"no answer within {self.order.timeout_s:g} s ({self.order.limit})"

    def raised(self, error: BaseException) -> None:
        """Name the ending after what the agent let escape."""
        self.ending, self.note = _ending_of(error)
        if self.ending is Ending.AGENT_ERROR:
            self.error = closing(_story(error), KEPT_ERROR)

    def finish(self) -> tuple[TrialHead, bytes]:
        """The record: its head, and its body as JSON."""
        floor, meter = self.floor, self.floor.meter
        wall_ms = (time.perf_counter() - self._began) * 1000
        self._settle()
        error = None if self.ending in (Ending.FINISHED, Ending.DECLINED) else {"kind": self.ending.value, "message": snapshot(self.note)}
        if floor.trouble is not None:
            floor.trouble.close(self._root.id)
            floor.failures += floor.trouble.spoiled
        if floor.plants is not None:
            floor.plants.close(self._root.id)
        floor.recorder.end(self._root, error)
        body = TrialBody(output=self._output(), spans=floor.recorder.spans, error=snapshot(self.error))
        self._tell(body)
        self._close()
        head = TrialHead(
            key=self.order.key,
            seed=self.order.seed,
            ending=self.ending,
            note=snapshot(self.note),
            started_ns=self.started_ns,
            wall_ms=round(wall_ms, 3),
            stated_ms=floor.stated_ms,
            spend=meter.spend(),
            decline=floor.decline,
            case_hash=self.order.case_hash,
            start_state=floor.world.start_hash,
            over_budget=meter.closed_by if self.ending in (Ending.OVER_BUDGET, Ending.TOO_MANY_STEPS) else "",
            tool_failures=floor.failures,
            refusals=floor.refusals,
            lost_spans=floor.recorder.lost,
            tries=self.order.tries,
            dialogue=None if floor.talk is None else floor.talk.close(self.ending),
            user_usd=None if floor.talk is None else floor.talk.use.usd,
        )
        return head, encode(body)

    def _settle(self) -> None:
        """An answer may still be none, a closed meter outweighs any answer, and a decline is no failure by itself."""
        talk = self.floor.talk
        if talk is not None and talk.over == Over.SIMULATOR_FAULT:
            self.ending, self.note = Ending.SIMULATOR_FAULT, f"the simulated user broke its rules: {talk.why}"
        elif talk is not None and talk.over == Over.SIMULATOR_OUTAGE:
            self.ending, self.note = Ending.PROVIDER_OUTAGE, f"the simulated user could not be asked: {talk.why}"
        if self.ending is not Ending.FINISHED and self.ending is not Ending.AGENT_ERROR:
            return
        closed = self.floor.meter.closed_by
        if closed:
            self.ending = Ending.TOO_MANY_STEPS if closed == "max_steps" else Ending.OVER_BUDGET
            self.note = f"the budget's {closed} was reached"
        elif self.ending is Ending.FINISHED and self.floor.decline is not None:
            self.ending = Ending.DECLINED
            self.note = self.floor.decline.why
        elif self.ending is Ending.FINISHED and self._says_nothing():
            self.ending = Ending.EMPTY
            self.note = "the agent answered with nothing"

    def _says_nothing(self) -> bool:
        """Of an agent None and blank text are no answer; of a function that is tried alone they are values like others."""
        empty = self.answer is None or (isinstance(self.answer, str) and not self.answer.strip())
        return empty and self.order.scene.call is None

    def _output(self) -> Any:
        returned = self.order.scene.call is not None and self.ending is Ending.FINISHED
        return msgspec.UNSET if self.answer is None and not returned else plain(self.answer)

    def _tell(self, body: TrialBody) -> None:
        """Both states of the world into the record, and what differs."""
        try:
            self.floor.world.tell_start(body)
            self.floor.world.tell_end(body)
        except Exception as error:  # noqa: BLE001 - the agent's tools may leave the world in any condition
            self.ending, self.note = Ending.HARNESS_ERROR, f"the world could not be read afterwards: {type(error).__name__}: {error}"

    def _close(self) -> None:
        try:
            self.floor.world.close()
        except InputError as error:
            self.note = "; ".join(part for part in (self.note, str(error)) if part)


def _ending_of(error: BaseException) -> tuple[Ending, str]:
    words = _words(error)
    said = f"{type(error).__name__}: {words}" if words else type(error).__name__
    if isinstance(error, OverBudget):
        return (Ending.TOO_MANY_STEPS if error.limit == "max_steps" else Ending.OVER_BUDGET), words
    if isinstance(error, MalformedAnswer):
        return Ending.MALFORMED, words
    if isinstance(error, ProviderOutage):
        return Ending.PROVIDER_OUTAGE, said
    if isinstance(error, ReplayBroken):
        return Ending.HARNESS_ERROR, words
    return Ending.AGENT_ERROR, said


def _words(error: BaseException) -> str:
    """The error's own words; its `__str__` is the agent's code as well."""
    try:
        return str(error)
    except BaseException as worse:  # noqa: BLE001 - the same cage
        return f"(its words cannot be read: {type(worse).__name__})"


def _story(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error))
    except BaseException as worse:  # noqa: BLE001 - the same cage
        return f"(its traceback cannot be read: {type(worse).__name__})"


def stillborn(order: Order, error: BaseException) -> tuple[TrialHead, bytes]:
    """The record of a trial whose world could not be opened: the harness's or the case's fault, never the agent's."""
    why = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    head = TrialHead(
        key=order.key,
        seed=order.seed,
        ending=Ending.HARNESS_ERROR,
        note=snapshot(f"the trial could not be set up: {why}"),
        started_ns=time.time_ns(),
        case_hash=order.case_hash,
        tries=order.tries,
    )
    return head, encode(TrialBody())


async def perform(act: Act) -> None:
    """Run an async agent to its end. Its deadline is a Deadline raised into it, or a kill from outside."""
    try:
        answer = act.call()
        act.answer = await answer if inspect.isawaitable(answer) else answer
    except Deadline:
        act.timed_out()
    except BaseException as error:  # noqa: BLE001 - the cage of an agent: SystemExit and the like must end in a record as well
        act.raised(error)


async def perform_within(act: Act) -> None:
    """As `perform`, on a loop that is shared with others: the deadline cancels this agent alone."""
    try:
        async with asyncio.timeout(act.order.timeout_s) as limit:
            await perform(act)
            if limit.expired():
                act.timed_out()
    except TimeoutError:
        act.timed_out()


def perform_sync(act: Act) -> None:
    """Run a sync agent to its end. Its deadline is a Deadline raised into it, or a kill from outside."""
    try:
        act.answer = act.call()
    except Deadline:
        act.timed_out()
    except BaseException as error:  # noqa: BLE001 - the cage of an agent: SystemExit and the like must end in a record as well
        act.raised(error)
