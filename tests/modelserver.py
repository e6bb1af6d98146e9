"""An OpenAI-compatible service of our own on loopback that can be scripted to answer anything, well or badly.

A script says what comes of each call: one answer for all, a list (its last entry stays), or a function of the request. The server
counts calls, keeps every request, and knows the most that were under way at once. It stands beside the tests of every room that
asks a model. Kept out: any rule of ours about what an answer should be.
"""

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request. `body` is its JSON, `number` counts from 1, `headers` have lower-case names; `at` is the monotonic time."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    number: int
    at: float = field(default_factory=time.monotonic, compare=False)

    @property
    def told(self) -> str:
        """The content of the last message."""
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True)
class Says:
    """One answer. `after_s` is waited first; `drip_s` between single bytes of the body, `slow_head_s` between those of the head;
    `cut` ends the connection after so many bytes of the body (0: without an answer at all); `length` is a wrong Content-Length."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    drip_s: float = 0.0
    slow_head_s: float = 0.0
    cut: int | None = None
    length: int | None = None

    def later(self, seconds: float) -> "Says":
        """The same after a pause."""
        return replace(self, after_s=seconds)


Answer = Says | str | dict[str, Any]
Script = Answer | Sequence[Answer] | Callable[[Asked], Answer | Awaitable[Answer]]

USAGE = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}


def completion(text: Any = "hello", **more: Any) -> Says:
    """A chat completion that says `text`. `usage=None` leaves its use out, `finish` is its finish_reason; the rest is put in as it is."""
    message = {"role": "assistant", "content": text, "reasoning_content": "private"}
    choice = {"index": 0, "message": message, "finish_reason": more.pop("finish", "stop")}
    whole = {"id": "c-1", "object": "chat.completion", "created": 1, "model": "m-2026", "choices": [choice], "usage": USAGE, **more}
    return Says(json.dumps({name: value for name, value in whole.items() if value is not None}).encode())


def raw(body: bytes | str, status: int = 200, **headers: str) -> Says:
    """Exactly these bytes; `content_type=` and the like become headers."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return Says(body.encode() if isinstance(body, str) else body, status, named)


def refusal(status: int = 429, why: str = "busy", retry_after: str | None = None) -> Says:
    """An error as services state it."""
    body = json.dumps({"error": {"message": why, "type": "error", "code": status}}).encode()
    return Says(body, status, {} if retry_after is None else {"Retry-After": retry_after})


def hang_up() -> Says:
    """The connection ends without a word."""
    return Says(cut=0)


def cut_off(text: str = "hel") -> Says:
    """Stopped at its limit of tokens."""
    return completion(text, finish="length")


def knows_no_schema(script: Answer) -> Callable[[Asked], Answer]:
    """A service that refuses response_format and else says this."""
    return lambda asked: refusal(400, "response_format is not supported") if "response_format" in asked.body else script


def once_together(number: int, says: Answer = "hello", most_s: float = 30.0) -> Callable[[Asked], Awaitable[Answer]]:
    """Answers nobody before so many are under way at once, or the time is up: for tests of what goes at once on a busy machine."""
    came: list[Asked] = []

    async def answer(asked: Asked) -> Answer:
        came.append(asked)
        until = time.monotonic() + most_s
        while len(came) < number and time.monotonic() < until:
            await asyncio.sleep(0.005)
        return says

    return answer


class ModelServer:
    """Started by `with`; `script` may be changed at any time. Everything it tells may be read from any thread."""

    def __init__(self, script: Script = "hello") -> None:
        self.script: Script = script
        self.calls: list[Asked] = []
        self.most_at_once = 0
        self.connections = 0
        self.url = ""
        self._now = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="modelserver", daemon=True)

    def name(self, model: str = "m-1") -> str:
        """A model of this server, as a suite names it."""
        return f"openai:{model}@{self.url}"

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        opened = asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024)
        self._server = asyncio.run_coroutine_threadsafe(opened, self._loop).result(10)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _stop(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._one(reader, writer):
                pass
        with suppress(OSError):
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer: whether the connection goes on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = Asked(head[0].split(" ")[1], headers, json.loads(body or b"{}"), len(self.calls) + 1)
        self.calls.append(asked)
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        try:
            says = await self._answer(asked)
            await asyncio.sleep(says.after_s)
        finally:
            self._now -= 1
        await _write(writer, says)
        return says.cut is None and says.length is None and headers.get("connection", "").lower() != "close"

    async def _answer(self, asked: Asked) -> Says:
        script: Any = self.script
        if isinstance(script, list | tuple):
            script = script[min(asked.number, len(script)) - 1]
        if callable(script):
            script = script(asked)
        if isinstance(script, Awaitable):
            script = await script
        if isinstance(script, Says):
            return script
        return completion(script if isinstance(script, str) else json.dumps(script, ensure_ascii=False))


async def _write(writer: asyncio.StreamWriter, says: Says) -> None:
    if says.cut == 0:
        return
    headers = {"Content-Type": "application/json", "Content-Length": str(len(says.body) if says.length is None else says.length)}
    lines = [f"HTTP/1.1 {says.status} Said", *(f"{name}: {value}" for name, value in {**headers, **says.headers}.items())]
    await _pieces(writer, ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"), says.slow_head_s)
    await _pieces(writer, says.body[: says.cut], says.drip_s)


async def _pieces(writer: asyncio.StreamWriter, data: bytes, pause_s: float) -> None:
    if not pause_s:
        writer.write(data)
        await writer.drain()
        return
    for place in range(len(data)):
        writer.write(data[place : place + 1])
        await writer.drain()
        await asyncio.sleep(pause_s)
