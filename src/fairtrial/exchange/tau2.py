"""Run files of tau2-bench: what was set up, the tasks, and one simulation for each trial.

A price of exactly 0 over all trials that called a model means that the model had no price on file: the cost is then unknown,
not free. Kept out: the reward's parts (`tau2_reward.py`) and the conversation (`dialogue.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.exchange.dialogue import Dialogue, Message, moment
from fairtrial.exchange.imported import Imported, Refusal, Slots, money
from fairtrial.exchange.jsonfile import decode, record
from fairtrial.exchange.tau2_reward import RewardInfo, reward_grades
from fairtrial.exchange.verdicts import card_of, graded, rewarded
from fairtrial.records.budget import Spend
from fairtrial.records.errors import InputError
from fairtrial.records.run import CaseInfo, Manifest
from fairtrial.records.text import content_hash
from fairtrial.records.trial import FATES, Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.grade import Scorecard

GRADER = "tau2"
UNTOLD = ("severe", "retries", "declined", "handover_rate", "over_budget")
"""What a run file does not say of a trial."""

ENDINGS = {
    "user_stop": Ending.FINISHED,
    "agent_stop": Ending.FINISHED,
    "max_steps": Ending.TOO_MANY_STEPS,
    "timeout": Ending.TIMEOUT,
    "too_many_errors": Ending.AGENT_ERROR,
    "agent_error": Ending.AGENT_ERROR,
    "user_error": Ending.SIMULATOR_FAULT,
    "infrastructure_error": Ending.HARNESS_ERROR,
    "unexpected_error": Ending.HARNESS_ERROR,
}


class Side(msgspec.Struct):
    implementation: str = ""
    llm: str | None = None
    llm_args: dict[str, Any] | None = None


class Environment(msgspec.Struct):
    domain_name: str = ""
    policy: Any = None
    tool_defs: Any = None


class RunInfo(msgspec.Struct):
    git_commit: str | None = None
    num_trials: int | None = None
    max_steps: int | None = None
    max_errors: int | None = None
    user_info: Side = msgspec.field(default_factory=Side)
    agent_info: Side = msgspec.field(default_factory=Side)
    environment_info: Environment = msgspec.field(default_factory=Environment)
    seed: int | None = None


class Task(msgspec.Struct):
    id: int | str
    user_scenario: Any = None


class RunFile(msgspec.Struct):
    """Tasks and simulations stay closed until they are needed."""

    simulations: list[msgspec.Raw]
    tasks: list[msgspec.Raw] = []
    info: RunInfo = msgspec.field(default_factory=RunInfo)


class Outline(msgspec.Struct):
    """What is needed of every simulation before the first is opened."""

    task_id: int | str
    trial: int | None = None
    agent_cost: float | None = None
    user_cost: float | None = None
    messages: list[msgspec.Raw] | None = None


class Simulation(msgspec.Struct):
    task_id: int | str
    termination_reason: str
    seed: int | None = None
    start_time: str | None = None
    duration: float | None = None
    agent_cost: float | None = None
    user_cost: float | None = None
    reward_info: RewardInfo | None = None
    messages: list[Message] | None = None


class Slot(msgspec.Struct, frozen=True):
    """A simulation that has its place: the `place`th of the file is this trial."""

    place: int
    key: TrialKey
    raw: msgspec.Raw


class Prices(msgspec.Struct, frozen=True):
    """Whether the file's amounts mean anything, and the agent's model."""

    agent: bool
    user: bool
    model: str


def read(data: bytes, path: str, setup: str | None, planned: int | None) -> Imported:
    """The file as one run; planned are its tasks times its number of trials."""
    file = decode(data, RunFile, path)
    setup = setup or file.info.agent_info.implementation or "agent"
    tasks = _tasks(file, path)
    slots = Slots()
    refused: list[Refusal] = []
    for case in tasks:
        slots.add(case, setup, 0)
    taken, costs = _place(file, setup, slots, refused)
    if not slots.cases():
        raise InputError("the file holds no task and no simulation", place=path, mend="check that the run was finished")
    slots.level(max(slots.most(), file.info.num_trials or 0, planned or 0))
    for case in slots.cases():
        tasks.setdefault(case, None)
    prices = Prices(agent=sum(costs["agent"]) > 0, user=sum(costs["user"]) > 0, model=file.info.agent_info.llm or "")
    manifest = _manifest(file.info, slots, tasks, setup)
    if costs["agent"] and not prices.agent:
        why = "the file's agent cost is 0 in every trial: the model had no price there, so the cost is unknown"
        manifest = msgspec.structs.replace(manifest, notes=(why,))
    return Imported(
        manifest=manifest,
        cases=tasks,
        trials=_trials(taken, prices, {case.id: case.hash for case in manifest.cases}, refused),
        rows=len(file.simulations),
        refused=refused,
    )


def _tasks(file: RunFile, path: str) -> dict[str, Any]:
    tasks: dict[str, Any] = {}
    for place, raw in enumerate(file.tasks, start=1):
        try:
            case = str(record(raw, Task).id)
            task = msgspec.json.decode(raw)
        except ValueError as error:
            raise InputError(f"task {place} cannot be read: {error}", place=path) from None
        if case in tasks:
            raise InputError(f"two tasks have the id {case!r}", place=path, mend="a task must be named once")
        tasks[case] = task
    return tasks


def _place(file: RunFile, setup: str, slots: Slots, refused: list[Refusal]) -> tuple[list[Slot], dict[str, list[float]]]:
    """Each simulation's trial, and every stated cost of agent and user. Trials count from 0 in the file, from 1 here."""
    taken: dict[TrialKey, Slot] = {}
    costs: dict[str, list[float]] = {"agent": [], "user": []}
    for place, raw in enumerate(file.simulations, start=1):
        try:
            outline = record(raw, Outline)
            key = TrialKey(str(outline.task_id), setup, 1 + (0 if outline.trial is None else outline.trial))
            if key.attempt < 1:
                raise ValueError(f"trial {outline.trial} is below 0")
            if key in taken:
                raise ValueError(f"task {key.case}, trial {key.attempt - 1} stands at place {taken[key].place} already")
        except ValueError as error:
            refused.append(Refusal(place, str(error)))
            continue
        slots.add(key.case, setup, key.attempt)
        taken[key] = Slot(place, key, raw)
        if outline.messages:  # where no model was called, a cost of 0 is a cost
            costs["agent"] += [] if outline.agent_cost is None else [outline.agent_cost]
            costs["user"] += [] if outline.user_cost is None else [outline.user_cost]
    return list(taken.values()), costs


def _manifest(info: RunInfo, slots: Slots, tasks: dict[str, Any], setup: str) -> Manifest:
    hashes = {case: content_hash(task) for case, task in tasks.items()}
    environment, agent = info.environment_info, info.agent_info
    harness = f"tau2 {info.git_commit}" if info.git_commit else "tau2"
    meta = {
        "model": agent.llm,
        "harness": harness,
        "prompt": None if environment.policy is None else content_hash(environment.policy),
        "tools": None if environment.tool_defs is None else content_hash(environment.tool_defs),
        "settings": agent.llm_args,
    }
    scenarios = {case: (task or {}).get("user_scenario") for case, task in tasks.items()}
    return Manifest(
        harness=harness,
        grader=GRADER,
        suite=f"tau2-{environment.domain_name}" if environment.domain_name else "tau2",
        suite_version=content_hash(hashes),
        seed=info.seed or 0,
        environment={"user_model": info.user_info.llm, "max_steps": info.max_steps, "max_errors": info.max_errors},
        setups={setup: {name: value for name, value in meta.items() if value is not None}},
        cases=tuple(CaseInfo(id=case, hash=hashes[case], brief_hash=content_hash(scenarios[case])) for case in tasks),
        planned=slots.planned(),
        origin="import:tau",
        untold=UNTOLD,
    )


def _trials(taken: list[Slot], prices: Prices, hashes: dict[str, str], refused: list[Refusal]) -> Iterator[tuple[Trial, Scorecard]]:
    for slot in taken:
        try:
            trial, card = _trial(record(slot.raw, Simulation), slot.key, prices)
        except (ValueError, RecursionError) as error:
            refused.append(Refusal(slot.place, str(error)))
            continue
        trial.head.case_hash = hashes[slot.key.case]
        yield trial, card


def _trial(simulation: Simulation, key: TrialKey, prices: Prices) -> tuple[Trial, Scorecard]:
    ending = ENDINGS.get(simulation.termination_reason)
    if ending is None:
        raise ValueError(f"the termination reason {simulation.termination_reason!r} is not one of {', '.join(ENDINGS)}")
    reward = simulation.reward_info
    verdict = rewarded(reward.reward) if reward is not None else None
    dialogue = Dialogue(key.setup, prices.model, priced=prices.agent)
    dialogue.read(simulation.messages or [])
    head = TrialHead(
        key=key,
        seed=simulation.seed or 0,
        ending=ending,
        note="" if ending is Ending.FINISHED else f"tau2 ended it as {simulation.termination_reason}",
        started_ns=moment(simulation.start_time),
        wall_ms=0.0 if simulation.duration is None else round(simulation.duration * 1000, 3),
        spend=_spend(dialogue, simulation.agent_cost if prices.agent else None),
        user_usd=money(simulation.user_cost) if prices.user and simulation.user_cost is not None else None,
        tool_failures=dialogue.failures,
        imported=verdict,
    )
    body = TrialBody(output=dialogue.said, spans=dialogue.spans)
    fated = FATES[ending].verdict
    if verdict is None or fated is not None:
        grades = [graded("ending", fated or Verdict.UNKNOWN, why=head.note or "the file has no reward for this trial", kind=_kind(ending))]
    else:
        grades = [graded("reward", verdict, why=f"the file's reward is {reward.reward:g}")] if reward is not None else []
    return Trial(head=head, body=body), card_of(head, grades + reward_grades(reward), GRADER)


def _spend(dialogue: Dialogue, cost: float | None) -> Spend:
    metered = dialogue.model_calls > dialogue.unmetered
    return Spend(
        usd=None if cost is None else money(cost),
        usd_complete=cost is not None,
        input_tokens=dialogue.input_tokens if metered else None,
        output_tokens=dialogue.output_tokens if metered else None,
        tokens_complete=metered and not dialogue.unmetered,
        model_calls=dialogue.model_calls,
        tool_calls=dialogue.tool_calls,
        steps=dialogue.model_calls + dialogue.tool_calls,
    )


def _kind(ending: Ending) -> str | None:
    return {Ending.TOO_MANY_STEPS: "over_execution", Ending.TIMEOUT: "timeout", Ending.AGENT_ERROR: "crash"}.get(ending)
