"""Any provider that pydantic-ai knows, by its own names, behind our small protocol.

pydantic-ai is an optional package (`fairtrial[models]`) that takes a second or two to import, so that happens where the first such name is
opened. Its clients' own retries are turned off: the one layer that asks again is ours. All its calls of a process run on one event
loop in a thread of their own, because its clients may not change loops. Kept out: what is asked, and what follows from the reply.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import urllib.parse
import weakref
from typing import TYPE_CHECKING, Any

from fairtrial.models.completion import ending
from fairtrial.models.limiter import Busy, Slow
from fairtrial.models.model import TIMEOUT_S, MalformedReply, Reply
from fairtrial.models.persist import Away, patience_of, persist
from fairtrial.models.service import plain_address, seconds
from fairtrial.records.errors import InputError, ProviderOutage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairtrial.models.model import Message

INSTALL = "install it: pip install 'fairtrial[models]', and what its provider needs"
BUSY = {429, 503, 529}
MENDS = {
    401: "its key is not known there: look at the variable of the environment that holds it",
    403: "the key has no right to this model",
    404: "look at the model's name, and at the address where one is set",
}
KEPT_WORDS = 300
LEAST_KEY = 8
"""Shorter values are no keys, and covering them would spoil words."""


def open_provider(name: str, own: str, *, patient: bool = False) -> ProviderModel:
    """The model that pydantic-ai calls `own`. Raises InputError where it, or what it needs, is not there."""
    try:
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
    except ImportError:
        what = "there is no such model, or it is one of pydantic-ai, which is not installed here"
        allowed = "python:module:function, openai:NAME, openai:NAME@http://…, and with pydantic-ai PROVIDER:NAME"
        raise InputError(what, value=name, allowed=allowed, mend=INSTALL) from None
    try:
        return ProviderModel(name, lambda: infer_model(own), patient=patient)
    except (UserError, ImportError, ValueError) as error:
        what = f"this model cannot be opened: {_words(error)}"
        raise InputError(what, value=name, allowed="python:module:function, openai:NAME, openai:NAME@http://…, PROVIDER:NAME") from None


def is_provider_model(found: Any) -> bool:
    """Whether an object of the suite's is a model of pydantic-ai, as somebody made it who has that installed."""
    module = sys.modules.get("pydantic_ai.models")
    return module is not None and isinstance(found, module.Model)


class ProviderModel:
    """A model of pydantic-ai. `make` gives it anew: its connections belong to the process, and the loop, in which it was made."""

    def __init__(self, name: str, make: Callable[[], Any], *, patient: bool = False) -> None:
        self.name = name
        self._make = make
        self._patient = patient
        first = make()
        self.model = str(first.model_name)
        self.service = str(first.base_url or first.system)
        self.origin = f"{self.model} at {plain_address(self.service)}"
        self._address = urllib.parse.urlsplit(self.service).netloc or self.service
        self._made: tuple[Any, Any] = (None, first)

    def reply(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, timeout_s: float = TIMEOUT_S) -> Reply:
        patience_s = patience_of(timeout_s) if self._patient else None
        return persist(self._address, lambda until: self._ask(messages, schema, until), timeout_s, patience_s)

    def _ask(self, messages: Sequence[Message], schema: dict[str, Any] | None, until: float) -> Reply:
        from pydantic_ai import exceptions

        left = max(until - time.monotonic(), 0.01)
        loop, model = self._at_hand()
        waiting = asyncio.run_coroutine_threadsafe(_request(model, messages, schema, left), loop)
        try:
            return _reply(waiting.result(), self.name)
        except (TimeoutError, exceptions.ModelRequestTimeout):
            raise Slow("it did not answer in time") from None
        except exceptions.ModelAPIError as error:
            raise _refused(error, self._address) from None
        except exceptions.UnexpectedModelBehavior as error:
            raise MalformedReply(f"{self.name}: {_words(error)}") from None
        except (exceptions.UserError, exceptions.AgentRunError) as error:
            raise ProviderOutage(f"{self.name} cannot be asked: {_words(error)}") from None
        finally:
            waiting.cancel()  # where the trial's own deadline was raised into this thread

    def _at_hand(self) -> tuple[Any, Any]:
        """The loop and the model made for it, with its client open. What was made at the start is nobody's yet, and no thread runs until
        one is needed."""
        with _lock:
            loop = _loop()
            if self._made[0] is not loop:
                model = self._made[1] if self._made[0] is None else self._make()
                asyncio.run_coroutine_threadsafe(model.__aenter__(), loop).result()
                weakref.finalize(self, _leave, loop, model)
                self._made = (loop, model)
            return self._made


def _leave(loop: asyncio.AbstractEventLoop, model: Any) -> None:
    """Close a client that nobody will ask again; not where its loop's thread was left behind by a fork."""
    if loop in _loops:
        asyncio.run_coroutine_threadsafe(model.__aexit__(None, None, None), loop)


async def _request(model: Any, messages: Sequence[Message], schema: dict[str, Any] | None, left: float) -> Any:
    from pydantic_ai.direct import model_request

    off = {"timeout": left, "max_retries": 0}
    settings = {key: value for key, value in off.items() if key not in model.unsupported_settings}
    asked = model_request(
        model, _history(messages), model_settings=settings, model_request_parameters=_form(model, schema), instrument=False
    )
    return await asyncio.wait_for(asked, left)


def _form(model: Any, schema: dict[str, Any] | None) -> Any:
    """How the reply is to look: JSON by the provider's own means where it has any, else by words."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if schema is None:
        return ModelRequestParameters()
    mode = "native" if model.profile.get("supports_json_schema_output") else "prompted"
    return ModelRequestParameters(output_mode=mode, output_object=OutputObjectDefinition(json_schema=schema, name="reply"))


def _history(messages: Sequence[Message]) -> list[Any]:
    """The messages in pydantic-ai's words: what the model said apart, all else in requests."""
    from pydantic_ai import messages as words

    parts = {"system": words.SystemPromptPart, "user": words.UserPromptPart}
    made: list[Any] = []
    for message in messages:
        if message["role"] == "assistant":
            made.append(words.ModelResponse(parts=[words.TextPart(message["content"])]))
            continue
        part = parts[message["role"]](message["content"])
        if made and isinstance(made[-1], words.ModelRequest):
            made[-1] = words.ModelRequest(parts=[*made[-1].parts, part])
        else:
            made.append(words.ModelRequest(parts=[part]))
    return made


def _reply(response: Any, name: str) -> Reply:
    """Text, use and the model's name. Zero tokens on both sides is how pydantic-ai says that nothing was stated."""
    use = response.usage
    stated = bool(use.input_tokens or use.output_tokens) and not use.unmeasured_requests
    reply = Reply(
        text=response.text or "",
        model=response.model_name or name,
        input_tokens=use.input_tokens if stated else None,
        output_tokens=use.output_tokens if stated else None,
        cached_tokens=use.cache_read_tokens or None,
        cache_write_tokens=use.cache_write_tokens or None,
        reasoning_tokens=use.output_reasoning_tokens or None,
    )
    problem = ending(response.finish_reason, response.text)
    if problem:
        raise MalformedReply(f"{name} {problem}", reply)
    return reply


def _refused(error: Any, address: str) -> Exception:
    """What an error of a provider means for whoever asked."""
    from pydantic_ai import exceptions

    status, headers = getattr(error, "status_code", None), getattr(error, "headers", None) or {}
    told, wait_s = _words(error), seconds(headers.get("retry-after"), time.time())
    wait_s = error.retry_after if wait_s is None else wait_s
    if isinstance(error, (exceptions.ModelRateLimitError, exceptions.ModelUnavailableError)) or status in BUSY:
        return Busy(told, wait_s)
    if isinstance(error, (exceptions.ModelServerError, exceptions.ModelConnectionError)) or (status or 0) >= 500:
        return Away(told, wait_s)
    if status is None and isinstance(error.__cause__, ValueError):
        return MalformedReply(f"{address}: {told}")  # a body that is none
    mend = MENDS.get(status or 0, "")
    return ProviderOutage(f"{address}: {told}" + (f" ({mend})" if mend else ""))


def _words(error: Exception) -> str:
    """An error's words without the keys that a provider may repeat in them."""
    words = " ".join(str(error).split())
    for name, value in os.environ.items():
        if name.endswith(("_KEY", "_TOKEN")) and len(value) >= LEAST_KEY:
            words = words.replace(value, "[key]")
    return words[:KEPT_WORDS]


_loops: list[asyncio.AbstractEventLoop] = []
_lock = threading.Lock()


def _loop() -> asyncio.AbstractEventLoop:
    """The loop of this process on which all such calls run; asked under the lock."""
    if not _loops:
        _loops.append(asyncio.new_event_loop())
        threading.Thread(target=_loops[0].run_forever, name="providers", daemon=True).start()
    return _loops[0]


def _begin_anew() -> None:
    """In a process that was forked: the thread of its parent's loop is not here."""
    global _lock  # noqa: PLW0603 - a lock of the parent's may be held for ever
    _lock = threading.Lock()
    _loops.clear()


os.register_at_fork(after_in_child=_begin_anew)
