"""A conversation in the form of chat messages, read as spans: model calls, tool calls with their results, words said.

Both generations of the tau benchmark keep trials so. Nothing is dropped: a result without a call, a call without a result
and a role that is not known are spans as well. Kept out: verdicts and what surrounds the conversation.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

from fairtrial.exchange.imported import money
from fairtrial.records.trace import Span


class Function(msgspec.Struct):
    name: str = ""
    arguments: Any = None


class Call(msgspec.Struct):
    """A tool call as OpenAI writes it (function) or as tau2 does (name, arguments)."""

    id: str | None = None
    name: str = ""
    arguments: Any = None
    function: Function | None = None


class Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Message(msgspec.Struct):
    """One message. `error` is stated by tau2 only; `id` names the call that a tool message answers there."""

    role: str = ""
    content: Any = None
    tool_calls: list[Call] | None = None
    tool_call_id: str | None = None
    id: str | None = None
    name: str | None = None
    error: bool | None = None
    timestamp: str | None = None
    usage: Usage | None = None
    cost: float | None = None
    tool_messages: list[Message] | None = None


class Dialogue:
    """Reads messages in order; what they add up to stands in the fields."""

    def __init__(self, setup: str, model: str = "", *, priced: bool = False) -> None:
        """`priced` says whether the costs of single messages mean anything."""
        self.spans: list[Span] = []
        self.model_calls = self.tool_calls = self.failures = self.turns = 0
        self.input_tokens = self.output_tokens = 0
        self.unmetered = 0
        """Model calls whose tokens are not stated."""
        self.said: Any = msgspec.UNSET
        self._model = model
        self._priced = priced
        self._open: dict[str, Span] = {}
        self._now = 0
        self._root = self._span("agent", setup, None, {}, parent=None)

    def read(self, messages: list[Message]) -> None:
        """Read a whole conversation. Raises ValueError for what is no message of the known kinds of value."""
        metered = any(message.usage is not None for message in messages if message.role == "assistant")
        for message in messages:
            for part in message.tool_messages or [message]:
                at = moment(part.timestamp) or self._now
                self._one(part, at, metered)
                self._now = at
        self._root.start_ns = self.spans[1].start_ns if len(self.spans) > 1 else 0
        self._root.end_ns = self._now

    def _one(self, message: Message, at: int, metered: bool) -> None:
        if message.role == "assistant":
            self._assistant(message, at, metered)
        elif message.role == "tool":
            self._result(message, at)
        elif message.role == "user":
            self.turns += 1
            self._span("user", "user", "user", {"text": text_of(message.content), "turn": self.turns, **self._use(message)}, end=at)
            self._calls(message.tool_calls, "user", at)
        else:
            self._span("message", message.role, message.role, {"text": text_of(message.content)}, end=at)

    def _assistant(self, message: Message, at: int, metered: bool) -> None:
        """A greeting that no model wrote has no usage where other messages have one."""
        beside = bool(message.content and message.tool_calls)
        called = message.usage is not None or not metered
        if called:
            use = self._use(message)
            attributes = {"model": self._model, **use} if self._model else use
            if beside:
                attributes["text"] = text_of(message.content)  # beside a tool call: never shown to the user
            self._span("model", self._model, None, attributes, end=at)
            self.model_calls += 1
            self.unmetered += "input_tokens" not in use or "output_tokens" not in use
            self.input_tokens += use.get("input_tokens", 0)
            self.output_tokens += use.get("output_tokens", 0)
        if message.content is not None and not (beside and called) and (message.content or not message.tool_calls):
            self.said = text_of(message.content)
            self._span("message", "user", None, {"text": self.said, "turn": self.turns}, start=at, end=at)
        self._calls(message.tool_calls, None, at)

    def _use(self, message: Message) -> dict[str, Any]:
        usage = message.usage
        if usage is None:
            return {}
        use: dict[str, Any] = {"input_tokens": usage.prompt_tokens, "output_tokens": usage.completion_tokens}
        if self._priced and message.cost is not None:
            use["usd"] = str(money(message.cost))
        return {name: value for name, value in use.items() if value is not None}

    def _calls(self, calls: list[Call] | None, role: str | None, at: int) -> None:
        for call in calls or ():
            function = call.function or Function(call.name, call.arguments)
            span = self._span("tool", function.name, role, {"args": arguments_of(function.arguments)}, start=at)
            self._open[call.id or f"call {len(self.spans)}"] = span
            self.tool_calls += role is None

    def _result(self, message: Message, at: int) -> None:
        span = self._open.pop(message.tool_call_id or message.id or "", None) or self._unanswered(message.name)
        if span is None:
            span = self._span("tool", message.name or "", None, {"args": {}}, start=self._now)
            self.tool_calls += 1
        content = text_of(message.content)
        span.end_ns = at
        if message.error if message.error is not None else content.startswith("Error:"):
            span.attributes["outcome"] = "failed"
            span.error = {"kind": "failed", "message": content}
            self.failures += span.role is None
        else:
            span.attributes |= {"result": content, "outcome": "ok"}

    def _unanswered(self, name: str | None) -> Span | None:
        """The oldest open call of this name, for results that name no call."""
        for key, span in self._open.items():
            if span.name == name:
                return self._open.pop(key)
        return None

    def _span(self, kind: str, name: str, role: str | None, attributes: dict[str, Any], **more: Any) -> Span:
        start = more.get("start", self._now or more.get("end", 0))
        span = Span(str(len(self.spans) + 1), more.get("parent", "1"), kind, name, role, start, more.get("end"), attributes)
        self.spans.append(span)
        return span


def text_of(content: Any) -> str:
    """A message's content as text: as it is, or the texts of its parts, or its JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list) and all(isinstance(part, dict) and isinstance(part.get("text"), str) for part in content):
        return "\n".join(part["text"] for part in content)
    return msgspec.json.encode(content).decode()


def arguments_of(arguments: Any) -> dict[str, Any]:
    """A call's arguments as a mapping. What is no JSON object is kept as it was written, under `_written`."""
    if isinstance(arguments, str):
        try:
            arguments = msgspec.json.decode(arguments)
        except (msgspec.DecodeError, RecursionError):
            return {"_written": arguments}
    if arguments is None:
        return {}
    return arguments if isinstance(arguments, dict) else {"_written": arguments}


def moment(text: str | None) -> int:
    """Nanoseconds since the epoch of an ISO time (UTC where it names no zone); 0 for none. Raises ValueError for no time."""
    if not text:
        return 0
    at = datetime.fromisoformat(text)
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return int(at.timestamp()) * 1_000_000_000 + at.microsecond * 1000
