"""An agent asks a model at the desk: one span, one charge to the trial's purse, whatever comes of it.

What the call will cost is known once it was answered. So it is refused where the purse is closed, charged as it was stated, and
a call that took more than was left ends the trial. A call that was given up or failed is charged as unknown, for it may have been
billed. Waiting for a turn at the provider is no latency. Kept out: how a model is reached (`models/`).
"""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from fairtrial.models.model import MalformedReply, Message
from fairtrial.records.errors import InputError, OverBudget, ProviderOutage
from fairtrial.trials.recorder import snapshot

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from fairtrial.models.model import Message, Reply
    from fairtrial.records.trace import Span
    from fairtrial.trials.floor import Floor, Who

Words = str | list[Message]
Schema = dict[str, Any] | None
WIDEST = 256
"""How many threads of a process may wait for models at once; as many as one provider is asked at once."""
SPARE_S = 0.25
"""A model may outlast the trial's own limit by this, so that it is the limit that ends the trial and not the model."""
PARTS = ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens", "reasoning_tokens")
_ROLES = ("system", "user", "assistant")


class Asking:
    """One question to a model, from the first span to the last charge; used by `with`. Raises InputError or OverBudget at once."""

    def __init__(self, floor: Floor, who: Who, name: str, messages: Words) -> None:
        self._floor = floor
        self.messages = _checked(messages)
        found = floor.models(str(name))
        if found is None:
            raise InputError("there is no such model here", value=name, allowed="openai:NAME@http://…, python:module:function, …")
        self._model = found
        self._settled = False
        role, parent, _ = who
        told = {"model": name, "messages": snapshot(self.messages)}
        self._span: Span = floor.recorder.begin("model", name, role, parent, told)
        try:
            self._held = floor.meter.reserve()
        except OverBudget as error:
            floor.recorder.end(self._span, {"kind": error.kind, "message": str(error)})
            raise

    def ask(self, schema: Schema, timeout_s: float) -> Reply:
        """Ask and wait, no longer than the trial has time. Raises ProviderOutage or MalformedReply."""
        left = self._floor.until - time.monotonic() + SPARE_S
        return self._model.reply(self.messages, schema=schema, timeout_s=max(min(timeout_s, left), 0.01))

    def take(self, reply: Reply) -> Reply:
        """Charge an answer and write it down. Raises OverBudget where it took more than was left."""
        self._charge(reply)
        self._span.attributes["text"] = snapshot(reply.text)
        try:
            self._floor.meter.overdrawn()
        except OverBudget as error:
            self._floor.recorder.end(self._span, {"kind": error.kind, "message": str(error)})
            raise
        self._floor.recorder.end(self._span)
        return reply

    def _charge(self, reply: Reply) -> None:
        self._settled = True
        self._held.settle(reply.usd, reply.input_tokens, reply.output_tokens)
        told = {name: getattr(reply, name) for name in PARTS} | {"model": reply.model or self._span.name, "latency_ms": reply.ms}
        told |= {"usd": None if reply.usd is None else str(reply.usd), "waited_ms": reply.waited_ms or None}
        told["tries"] = reply.tries if reply.tries > 1 else None
        self._span.attributes |= {name: value for name, value in told.items() if value is not None}
        if reply.ms is not None:
            with self._floor.lock:
                self._floor.stated_ms = (self._floor.stated_ms or 0.0) + reply.ms

    def __enter__(self) -> Asking:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None or self._settled:
            return
        if isinstance(error, MalformedReply) and error.reply is not None:
            self._charge(error.reply)
        else:
            self._held.settle(None, None, None)
        named = {ProviderOutage: "provider_outage", MalformedReply: "malformed"}.get(type(error), "given_up")
        self._floor.recorder.end(self._span, {"kind": named, "message": snapshot(str(error)) or "given up before it answered"})


def _checked(messages: Words) -> list[Message]:
    """The messages; a bare text is the user's. Raises TypeError for anything else."""
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    made = [dict(message) for message in messages]
    for message in made:
        if message.keys() != {"role", "content"} or message["role"] not in _ROLES or not isinstance(message["content"], str):
            raise TypeError(f'a message is {{"role": {" | ".join(_ROLES)}, "content": text}}, not {message!r:.120}')
    if not made:
        raise TypeError("a model is asked with at least one message")
    return made


_threads: list[ThreadPoolExecutor] = []


async def aside(act: Callable[..., Any], *args: Any) -> Any:
    """What a function that waits for a model gives, without holding up the loop. asyncio's own threads are too few for it."""
    if not _threads:
        _threads.append(ThreadPoolExecutor(WIDEST, thread_name_prefix="asking"))
    return await asyncio.get_running_loop().run_in_executor(_threads[0], act, *args)


os.register_at_fork(after_in_child=_threads.clear)
