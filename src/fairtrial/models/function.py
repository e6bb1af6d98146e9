"""A callable of the suite's own as a model: a script, a fake for tests, or a client of the user's choice.

Kept out: retries and limits. Whoever writes the function decides what it does about a service behind it.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.models.model import TIMEOUT_S, MalformedReply, Reply
from fairtrial.records.errors import ProviderOutage
from fairtrial.records.plain import plain
from fairtrial.records.strictjson import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairtrial.models.model import Message


class FunctionModel:
    """A callable as a model: it takes the messages and returns text, a Reply (or its parts as an object with `text`), or any other
    object, which is the text's JSON. It may be async, and may take `schema`."""

    def __init__(self, name: str, act: Callable[..., Any]) -> None:
        self.name = name
        self._act = act
        self._takes_schema = "schema" in _parameters(act)

    def reply(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, timeout_s: float = TIMEOUT_S) -> Reply:
        more = {"schema": schema} if self._takes_schema else {}
        began = time.monotonic()
        try:
            said = self._act([dict(message) for message in messages], **more)
            if inspect.isawaitable(said):
                said = _waited(said, timeout_s)
        except (ProviderOutage, MalformedReply):
            raise
        except TimeoutError:
            raise ProviderOutage(f"{self.name} did not answer within {timeout_s:g} s") from None
        except SystemExit:
            raise MalformedReply(f"{self.name} wanted to end the process") from None
        except Exception as error:
            raise MalformedReply(f"{self.name} raised {type(error).__name__}: {error}") from error
        reply = _as_reply(said, self.name)
        return reply if reply.ms is not None else msgspec.structs.replace(reply, ms=round((time.monotonic() - began) * 1000, 3))


def _parameters(act: Callable[..., Any]) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(act).parameters)
    except (TypeError, ValueError):
        return ()


def _waited(said: Any, timeout_s: float) -> Any:
    """What an async function gives, also where the thread that asks has a loop of its own (a sync role in an async team)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_within(said, timeout_s))
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(asyncio.run, _within(said, timeout_s)).result()


async def _within(said: Any, timeout_s: float) -> Any:
    return await asyncio.wait_for(said, timeout_s)


def _as_reply(said: Any, name: str) -> Reply:
    if isinstance(said, Reply):
        return said
    if isinstance(said, str):
        return Reply(text=said, model=name)
    if isinstance(said, dict) and "text" in said and said.keys() <= set(Reply.__struct_fields__):
        try:
            return msgspec.convert({"model": name, **said}, Reply)
        except msgspec.ValidationError as error:
            raise MalformedReply(f"{name} returned no reply: {error}") from None
    if isinstance(said, dict):
        return Reply(text=encode(plain(said)).decode("utf-8"), model=name)
    raise MalformedReply(f"{name} returned {type(said).__name__}, neither text nor an object")
