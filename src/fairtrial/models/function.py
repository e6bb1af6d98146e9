"""A callable of the suite's own as a model: a script, a fake for tests, or a client of the user's choice.

It runs in a thread of its own, so that one that hangs is left behind when its time is up and nothing that it raises ends another
thread. Kept out: retries and limits. Whoever writes the function decides what it does about a service behind it.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import math
import threading
import time
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.models.model import TIMEOUT_S, MalformedReply, Reply
from fairtrial.records.errors import ProviderOutage
from fairtrial.records.plain import plain
from fairtrial.records.strictjson import encode
from fairtrial.records.text import content_hash, utf8

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairtrial.models.model import Message

NEAR_S = 0.05
"""How often whoever waits looks up: a deadline of its own may be raised into its thread."""
GRACE_S = 0.25
"""What an async function may take, after its time, to be told so."""
KEPT_WORDS = 500
_EXACT = msgspec.json.Encoder(enc_hook=plain, decimal_format="number")


class FunctionModel:
    """A callable as a model: it takes the messages and returns text, a Reply (or its parts as an object with `text`), or any other
    object, which is the text's JSON. It may be async, and may take `schema`. `origin` is the hash of the file it stands in."""

    def __init__(self, name: str, act: Callable[..., Any]) -> None:
        self.name = name
        self.origin = _file_hash(act)
        self._act = act
        self._takes_schema = "schema" in _parameters(act)

    def reply(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, timeout_s: float = TIMEOUT_S) -> Reply:
        more = {"schema": schema} if self._takes_schema else {}
        told = [dict(message) for message in messages]
        began = time.monotonic()
        call = _Call(lambda: _result(self._act(told, **more), timeout_s))
        said = call.result(began + timeout_s, self.name)
        reply = _as_reply(said, self.name)
        return reply if reply.ms is not None else msgspec.structs.replace(reply, ms=round((time.monotonic() - began) * 1000, 3))


class _Call:
    """One call under way in a thread of its own, which ends with the process at the latest."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._done = threading.Event()
        self._said: Any = None
        self._error: BaseException | None = None
        run = contextvars.copy_context().run
        threading.Thread(target=run, args=(self._run, act), name="model", daemon=True).start()

    def _run(self, act: Callable[[], Any]) -> None:
        try:
            self._said = act()
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits
            self._error = error
        self._done.set()

    def result(self, until: float, name: str) -> Any:
        """What it gave. Raises ProviderOutage or MalformedReply."""
        while not self._done.wait(NEAR_S):
            if time.monotonic() > until + GRACE_S:
                raise ProviderOutage(f"{name} did not answer in its time, and was left behind")
        error = self._error
        if error is None:
            return self._said
        if isinstance(error, (ProviderOutage, MalformedReply)):
            raise error
        if isinstance(error, TimeoutError):
            raise ProviderOutage(f"{name} did not answer in its time")
        if isinstance(error, SystemExit):
            raise MalformedReply(f"{name} wanted to end the process")
        raise MalformedReply(f"{name} raised {type(error).__name__}{_words(error)}") from error


def _words(error: BaseException) -> str:
    """What an error says of itself, where it can say it."""
    try:
        words = " ".join(utf8(str(error)[:KEPT_WORDS]).decode().split())
    except Exception:  # noqa: BLE001 - an error of the user's own may raise another where it is told
        return ""
    return f": {words}" if words else ""


def _file_hash(act: Callable[..., Any]) -> str:
    """A hash of the file that a callable stands in; empty where there is none to read."""
    try:
        found = inspect.unwrap(act)
        path = inspect.getsourcefile(found if inspect.isroutine(found) or inspect.isclass(found) else type(found))
        if path is None:
            return ""
        with open(path, "rb") as file:
            return content_hash(file.read().decode("utf-8", "surrogateescape"))
    except (TypeError, OSError, ValueError):
        return ""


def _parameters(act: Callable[..., Any]) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(act).parameters)
    except (TypeError, ValueError):
        return ()


def _result(said: Any, timeout_s: float) -> Any:
    return asyncio.run(_within(said, timeout_s)) if inspect.isawaitable(said) else said


async def _within(said: Any, timeout_s: float) -> Any:
    return await asyncio.wait_for(said, timeout_s)


def _as_reply(said: Any, name: str) -> Reply:
    if isinstance(said, Reply):
        return _whole({field: getattr(said, field) for field in Reply.__struct_fields__}, name)
    if isinstance(said, str):
        return Reply(text=str.__str__(said), model=name)
    if isinstance(said, dict) and "text" in said and said.keys() <= set(Reply.__struct_fields__):
        return _whole({"model": name, **said}, name)
    if isinstance(said, dict):
        return Reply(text=_json(said), model=name)
    raise MalformedReply(f"{name} returned {type(said).__name__}, neither text nor an object")


def _whole(parts: dict[str, Any], name: str) -> Reply:
    """A reply of those parts. What is no count, price or time is not known."""
    try:
        reply = msgspec.convert(parts, Reply)
    except msgspec.ValidationError as error:
        raise MalformedReply(f"{name} returned no reply: {error}") from None
    counts = ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens", "reasoning_tokens")
    unknown: dict[str, Any] = {field: None for field in counts if (getattr(reply, field) or 0) < 0}
    if reply.usd is not None and not (reply.usd.is_finite() and reply.usd >= 0):
        unknown["usd"] = None
    if reply.ms is not None and not (math.isfinite(reply.ms) and reply.ms >= 0):
        unknown["ms"] = None
    return msgspec.structs.replace(reply, **unknown)


def _json(said: dict[Any, Any]) -> str:
    """An object as JSON, in which a Decimal is the number that it is."""
    try:
        return _EXACT.encode(said).decode()
    except (ValueError, RecursionError, TypeError, OverflowError):
        return encode(plain(said)).decode()
