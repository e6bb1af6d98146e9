"""The historical trajectories of tau-bench: one list, a run of one task in each entry, messages and reward inside.

A run without `reward_info` was never evaluated. Where it is as long as the longest of the file, it stopped at the step limit,
and counts as a failure like in the published tables; it is never dropped. The agent's cost is not in these files, the
simulated user's is. Kept out: tau2's own files (`tau2.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.exchange.dialogue import Dialogue, Message
from fairtrial.exchange.imported import Imported, Refusal, Slots, money
from fairtrial.exchange.jsonfile import decode, record
from fairtrial.exchange.verdicts import card_of, graded, rewarded
from fairtrial.records.budget import Spend
from fairtrial.records.errors import InputError
from fairtrial.records.run import CaseInfo, Manifest
from fairtrial.records.text import content_hash
from fairtrial.records.trial import FATES, Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.grade import Grade, Scorecard

GRADER = "tau-bench"
UNTOLD = ("severe", "retries", "declined", "handover_rate", "over_budget")
"""What a trajectory does not say."""


class Info(msgspec.Struct):
    task: dict[str, Any] = {}
    user_cost: float | None = None
    reward_info: dict[str, Any] | None = None
    error: str | None = None


class Outline(msgspec.Struct):
    """What is needed of every run before the first is opened."""

    task_id: int | str
    trial: int
    info: Info = msgspec.field(default_factory=Info)
    traj: list[msgspec.Raw] = []


class Entry(msgspec.Struct):
    """A run, opened."""

    task_id: int | str
    trial: int
    reward: float | None = None
    info: Info = msgspec.field(default_factory=Info)
    traj: list[Message] = []


def read(data: bytes, path: str, setup: str, planned: int | None) -> Imported:
    """The list as one run; planned are all tasks times the number of trials that the file shows."""
    entries = decode(data, list[msgspec.Raw], path)
    slots, longest = Slots(), 0
    tasks: dict[str, Any] = {}
    refused: list[Refusal] = []
    taken: list[tuple[int, msgspec.Raw]] = []
    for place, raw in enumerate(entries, start=1):
        try:
            outline = record(raw, Outline)
            if outline.trial < 0:
                raise ValueError(f"trial {outline.trial} is below 0")
        except ValueError as error:
            refused.append(Refusal(place, f"not a run of tau-bench: {error}"))
            continue
        longest = max(longest, len(outline.traj))
        case = str(outline.task_id)
        tasks.setdefault(case, outline.info.task)
        slots.add(case, setup, outline.trial + 1)
        taken.append((place, raw))
    slots.level(max(slots.most(), planned or 0))
    if not taken:
        raise InputError("no entry of the list is a run of tau-bench", place=path, value=refused[0].why if refused else None)
    manifest = _manifest(slots, tasks, setup)
    hashes = {case.id: case.hash for case in manifest.cases}
    trials = _trials(_Source(taken, setup, longest, hashes), refused)
    return Imported(manifest=manifest, cases=tasks, trials=trials, rows=len(entries), refused=refused)


def _manifest(slots: Slots, tasks: dict[str, Any], setup: str) -> Manifest:
    hashes = {case: content_hash(task) for case, task in tasks.items()}
    infos = tuple(CaseInfo(id=case, hash=hashes[case], brief_hash=content_hash(tasks[case].get("instruction"))) for case in tasks)
    return Manifest(
        harness="tau-bench",
        grader=GRADER,
        suite="tau-bench",
        suite_version=content_hash(hashes),
        setups={setup: {"harness": "tau-bench"}},
        cases=infos,
        planned=slots.planned(),
        origin="import:tau",
        untold=UNTOLD,
        notes=("the file states no cost of the agent; the simulated user's cost stands apart",),
    )


class _Source(msgspec.Struct, frozen=True):
    """The entries with their places, and what is known of all of them together."""

    entries: list[tuple[int, msgspec.Raw]]
    setup: str
    longest: int
    hashes: dict[str, str]


def _trials(source: _Source, refused: list[Refusal]) -> Iterator[tuple[Trial, Scorecard]]:
    seen: dict[TrialKey, int] = {}
    for place, raw in source.entries:
        try:
            entry = record(raw, Entry)
            key = TrialKey(str(entry.task_id), source.setup, entry.trial + 1)
            if key in seen:
                raise ValueError(f"task {entry.task_id}, trial {entry.trial} stands at place {seen[key]} already")
            trial, card = _trial(entry, key, source.longest)
        except (ValueError, RecursionError) as error:
            refused.append(Refusal(place, str(error)))
            continue
        seen[key] = place
        trial.head.case_hash = source.hashes[key.case]
        yield trial, card


def _trial(entry: Entry, key: TrialKey, longest: int) -> tuple[Trial, Scorecard]:
    dialogue = Dialogue(key.setup)
    dialogue.read(entry.traj)
    ending, note = _ending(entry, longest)
    verdict = rewarded(entry.reward) if entry.info.reward_info is not None else None
    head = TrialHead(
        key=key,
        seed=0,
        ending=ending,
        note=note,
        spend=Spend(model_calls=dialogue.model_calls, tool_calls=dialogue.tool_calls, steps=dialogue.model_calls + dialogue.tool_calls),
        user_usd=None if entry.info.user_cost is None else money(entry.info.user_cost),
        tool_failures=dialogue.failures,
        imported=verdict,
    )
    body = TrialBody(output=dialogue.said, spans=dialogue.spans, error=entry.info.error or "")
    return Trial(head=head, body=body), card_of(head, _grades(entry, head), GRADER)


def _ending(entry: Entry, longest: int) -> tuple[Ending, str]:
    if entry.info.reward_info is not None:
        return Ending.FINISHED, ""
    if entry.info.error is not None:
        return Ending.HARNESS_ERROR, f"the run broke off: {entry.info.error}"
    if entry.traj and len(entry.traj) == longest:
        return Ending.TOO_MANY_STEPS, f"step limit: the run was stopped after {longest} messages, before it was evaluated"
    return Ending.HARNESS_ERROR, "the run ended before it was evaluated, and the file does not say why"


def _grades(entry: Entry, head: TrialHead) -> list[Grade]:
    """The reward, and beside it what it was made of: the end state, or what had to be said."""
    fated = FATES[head.ending].verdict
    if fated is not None or head.imported is None:
        return [graded("ending", fated or Verdict.UNKNOWN, why=head.note or "the file has no reward for this run", kind=_kind(head))]
    found = [graded("reward", head.imported, why=f"the file's reward is {entry.reward:g}")]
    parts = (entry.info.reward_info or {}).get("info")
    if isinstance(parts, dict):
        for name, check, kind in (("r_actions", "end state", "wrong_state"), ("r_outputs", "said to the user", None)):
            if isinstance(parts.get(name), (int, float)):
                held = Verdict.PASS if parts[name] == 1 else Verdict.FAIL
                found.append(graded(check, held, why=f"{name} is {parts[name]:g}", kind=kind))
    return found


def _kind(head: TrialHead) -> str | None:
    return "over_execution" if head.ending is Ending.TOO_MANY_STEPS else None
