"""A record for a trial whose process is gone: named after how it went, with the evidence that survived.

A killed process takes its world with it, so nothing is said about the state afterwards.
"""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.budget import Budget
from fairtrial.records.dialogue import Dialogue, Over
from fairtrial.records.plain import plain
from fairtrial.records.strictjson import encode
from fairtrial.records.trace import SPOILED, Span
from fairtrial.records.trial import Ending, TrialBody, TrialHead
from fairtrial.trials.meter import Meter, count, money
from fairtrial.worlds.faults import FaultPlan

if TYPE_CHECKING:
    from decimal import Decimal

    from fairtrial.records.budget import Spend
    from fairtrial.trials.order import Ended, Order


def salvage(order: Order, ended: Ended) -> tuple[TrialHead, bytes]:
    """The head, and the body as JSON, of a trial that its process did not live to write."""
    spans = _spans(ended.spans)
    spans += _unfired(order, spans) if not ended.lost else []
    ending, note = _ending(order, ended)
    if order.scene.user and (spoiled := _spoiled(spans, model=bool(order.scene.user.get("model")))):
        ending, note = spoiled
    head = TrialHead(
        key=order.key,
        seed=order.seed,
        ending=ending,
        note=note,
        started_ns=time.time_ns() - int(ended.held_ms * 1e6),
        wall_ms=round(ended.held_ms, 3),
        spend=_spend(spans, ended.lost),
        case_hash=order.case_hash,
        over_budget=order.limit if ending is Ending.OVER_BUDGET else "",
        tool_failures=sum(span.attributes.get("outcome") == "failed" or span.attributes.get("fault") in SPOILED for span in spans),
        refusals=sum(span.attributes.get("outcome") == "refused" for span in spans),
        lost_spans=ended.lost,
        tries=order.tries,
        dialogue=_dialogue(spans, ending) if order.scene.user else None,
    )
    return head, encode(TrialBody(spans=spans, error=plain(ended.output)))


def unreadable(order: Order, error: Exception) -> tuple[TrialHead, bytes]:
    """The record in place of one that its trial's process wrote and nobody can read."""
    note = f"what the trial's process wrote is no record of a trial: {error}"
    head = TrialHead(key=order.key, seed=order.seed, ending=Ending.HARNESS_ERROR, note=note, case_hash=order.case_hash, tries=order.tries)
    return head, encode(TrialBody())


def _ending(order: Order, ended: Ended) -> tuple[Ending, str]:
    if ended.asked:
        why = f"no answer within {order.timeout_s:g} s ({order.limit}); its process was killed"
        return (Ending.TIMEOUT if order.limit == "timeout_s" else Ending.OVER_BUDGET), why
    if ended.excess:
        return Ending.AGENT_ERROR, f"the agent's process was ended: {ended.excess}"
    if ended.by_itself:
        how = f"was ended by {_signal_name(ended.signal)}" if ended.signal else f"ended by itself with exit code {ended.code}"
        return Ending.AGENT_ERROR, f"the agent's process {how}"
    return Ending.WORKER_LOST, f"the trial's process was killed from outside by {_signal_name(ended.signal)}"


def _spoiled(spans: list[Span], *, model: bool) -> tuple[Ending, str] | None:
    """Where the simulated user had spoilt the trial before the end, or was still being asked at the end."""
    turns = [span for span in spans if span.kind == "user"]
    refused = [span.error for span in turns[-2:] if span.error is not None and span.error.get("kind") == "simulator_fault"]
    if len(refused) == 2 or (refused and not model):
        return Ending.SIMULATOR_FAULT, f"the simulated user broke its rules: {refused[-1].get('message', '')}"
    if turns and turns[-1].end_ns is None and turns[-1] is spans[-1]:
        return Ending.PROVIDER_OUTAGE, "the simulated user could not be asked: its model had not answered at the end"
    return None


def _dialogue(spans: list[Span], ending: Ending) -> Dialogue:
    """How far the conversation came. What its user took is told only where it was known before the end."""
    asked = [span.attributes for span in spans if span.kind == "user" and "model" in span.attributes]
    over = {Ending.SIMULATOR_FAULT: Over.SIMULATOR_FAULT, Ending.PROVIDER_OUTAGE: Over.SIMULATOR_OUTAGE}.get(ending, ending)
    turns = sum(span.kind == "message" and "turn" in span.attributes for span in spans)
    return Dialogue(ended=str(over), turns=turns, calls=len(asked), tokens_complete=not asked)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _spans(packed: bytes) -> list[Span]:
    if not packed:
        return []
    try:
        return msgspec.msgpack.decode(packed, type=list[Span])
    except msgspec.DecodeError:
        return []


def _unfired(order: Order, spans: list[Span]) -> list[Span]:
    """The planned faults that never came, as far as a trace shows from which nothing is lost."""
    if not order.scene.faults:
        return []
    plan = FaultPlan(order.scene.faults, order.seed)
    for span in spans:
        fault, number = span.attributes.get("fault"), span.attributes.get("call")
        if span.kind == "fault" and isinstance(fault, str) and isinstance(number, int):
            plan.seen(span.name, fault, number)
    at, parent = time.time_ns(), spans[0].id if spans else None
    return [
        Span(f"{len(spans) + place}", parent, "fault", fault.tool, None, at, at, {"fault": fault.fault, "call": fault.call, "fired": False})
        for place, fault in enumerate(plan.unfired(), 1)
    ]


def _stated(use: dict[str, Any]) -> tuple[Decimal | None, int | None, int | None]:
    """What a call's span says it cost; nothing is known where the agent's own code spoilt it."""
    try:
        return money(use.get("usd")), count(use.get("input_tokens"), "input_tokens"), count(use.get("output_tokens"), "output_tokens")
    except ValueError:
        return None, None, None


def _spend(spans: list[Span], lost: int) -> Spend:
    """What the spans cost; where some are lost it is at least that."""
    meter = Meter(Budget())
    for span in spans:
        if span.kind == "tool":
            meter.tool()
        elif span.kind == "model" and span.error is None:
            meter.reserve().settle(*_stated(span.attributes))
    spent = meter.spend()
    return msgspec.structs.replace(spent, usd_complete=False, tokens_complete=False) if lost else spent
