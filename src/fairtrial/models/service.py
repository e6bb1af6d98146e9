"""A service that speaks OpenAI's chat completions, by the standard library's HTTP.

Kept out: what is asked, and what follows from the reply.
"""

from __future__ import annotations

import os
import time
import urllib.parse
from typing import TYPE_CHECKING, Any

from fairtrial.models.model import TIMEOUT_S, MalformedReply, Reply
from fairtrial.records.errors import InputError, ProviderOutage
from fairtrial.records.strictjson import encode, loads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.models.model import Message

MOST_BYTES = 4 * 1024 * 1024
TRIES = 3
LONGEST_WAIT_S = 8.0


class OpenAIModel:
    """A service that speaks chat completions. The key is OPENAI_API_KEY as it stood when the model was opened."""

    def __init__(self, name: str, model: str, url: str) -> None:
        self.name = name
        self._model = model
        self._url = urllib.parse.urlsplit(url.rstrip("/") + "/chat/completions")
        if self._url.scheme not in ("http", "https") or not self._url.hostname:
            raise InputError("a model's address must be one of http or https", value=url, mend="openai:NAME@http://127.0.0.1:8000/v1")
        key = os.environ.get("OPENAI_API_KEY")
        self._headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}

    def reply(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, timeout_s: float = TIMEOUT_S) -> Reply:
        asked: dict[str, Any] = {"model": self._model, "messages": list(messages)}
        if schema is not None:
            asked["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
        until = time.monotonic() + timeout_s
        status, body = self._persist(asked, until)
        if status == 400 and schema is not None and b"response_format" in body:
            del asked["response_format"]  # not every service knows it; the reply is checked in any case
            status, body = self._persist(asked, until)
        if status != 200:
            raise ProviderOutage(f"{self._url.hostname} refused the call with {status}: {body[:200].decode('utf-8', 'replace')}")
        return _completion(body, self.name)

    def _persist(self, asked: dict[str, Any], until: float) -> tuple[int, bytes]:
        """Ask, and again after an outage, within the time there is."""
        import http.client  # a trial that asks no service need not load it

        for attempt in range(1, TRIES + 1):
            try:
                status, body, wait = self._post(encode(asked), until)
                problem = f"the service answered {status}"
            except (OSError, http.client.HTTPException) as error:
                status, body, wait, problem = 0, b"", 0.0, f"{type(error).__name__}: {error}"
            if status and status != 429 and status < 500:
                return status, body
            pause = min(wait or 0.25 * 2**attempt, LONGEST_WAIT_S)
            if attempt == TRIES or time.monotonic() + pause >= until:
                break
            time.sleep(pause)
        raise ProviderOutage(f"{self._url.hostname}: {problem}")

    def _post(self, body: bytes, until: float) -> tuple[int, bytes, float]:
        """Status, body, and the seconds that the service asks to wait."""
        import http.client

        kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._url.hostname or "", self._url.port, timeout=max(until - time.monotonic(), 0.01))
        try:
            connection.request("POST", self._url.path, body, self._headers)
            response = connection.getresponse()
            reply = bytearray()
            while piece := response.read1(65536):
                reply += piece
                if len(reply) > MOST_BYTES:
                    raise MalformedReply(f"{self._url.hostname} answered with more than {MOST_BYTES} bytes")
                if time.monotonic() > until:
                    raise TimeoutError("the answer did not end in time")
            if response.length:  # read piece by piece it does not complain of this itself
                raise http.client.IncompleteRead(bytes(reply), response.length)
            return response.status, bytes(reply), _seconds(response.headers.get("Retry-After", ""))
        finally:
            connection.close()


def _seconds(text: str) -> float:
    return float(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0.0


def _completion(body: bytes, name: str) -> Reply:
    """The reply in a chat completion. Private reasoning that a service adds beside the content is left behind here."""
    try:
        said = loads(body.decode("utf-8"))
        choice = said["choices"][0]
        text = choice["message"]["content"]
    except (InputError, UnicodeDecodeError, LookupError, TypeError) as error:
        raise MalformedReply(f"{name} answered with no chat completion ({type(error).__name__})") from None
    if choice.get("finish_reason") == "length":
        raise MalformedReply(f"{name} was cut off at its limit of tokens")
    if not isinstance(text, str):
        raise MalformedReply(f"{name} answered without text")
    usage = said.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    stated = said.get("model")
    return Reply(
        text=text,
        model=stated if isinstance(stated, str) else name,
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
    )


def _count(stated: Any) -> int | None:
    """A number of tokens; what is no count is unknown."""
    return stated if isinstance(stated, int) and not isinstance(stated, bool) and 0 <= stated < 10**12 else None
