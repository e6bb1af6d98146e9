"""A service that speaks OpenAI's chat completions: what is sent to it, and what its status means.

The key is sent to the address that was named and stands in no message. Kept out: the bytes on the wire (`wire.py`), asking again
(`persist.py`), reading the completion (`completion.py`).
"""

from __future__ import annotations

import http.client
import os
import time
import urllib.parse
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from fairtrial.models.completion import error_of, read_completion
from fairtrial.models.limiter import Busy, Slow
from fairtrial.models.model import TIMEOUT_S, MalformedReply
from fairtrial.models.persist import Away, patience_of, persist
from fairtrial.models.wire import Answer, TooMuch, address
from fairtrial.records.errors import InputError, ProviderOutage
from fairtrial.records.strictjson import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.models.model import Message, Reply

BUSY = {429, 503, 529}
BROKEN = {408, 425, 500, 502, 504}
MENDS = {
    400: "the request was not understood: look at the name of the model and at what the service allows",
    401: "set OPENAI_API_KEY to a key that this service knows",
    402: "the account at the service has no credit left",
    403: "the key has no right to this model",
    404: "look at the model's name and at the address: it should end where /chat/completions begins, often with /v1",
    413: "what was asked is longer than the service takes",
}
KEPT_WORDS = 200


class OpenAIModel:
    """One model of a service. The key is OPENAI_API_KEY as it stood when the model was opened."""

    def __init__(self, name: str, model: str, url: str, *, patient: bool = False) -> None:
        self.name = name
        self._model = model
        where = _where(url)
        self.origin = plain_address(url)
        encrypted = where.scheme == "https"
        self._address = address(where.hostname or "", where.port or (443 if encrypted else 80), encrypted=encrypted)
        self._key = _key(os.environ.get("OPENAI_API_KEY", ""))
        self._head = self._headers(where)
        self._takes_schema = True
        self._patient = patient

    def _headers(self, where: urllib.parse.SplitResult) -> str:
        path = where.path.rstrip("/") + "/chat/completions" + (f"?{where.query}" if where.query else "")
        lines = [f"POST {path} HTTP/1.1", f"Host: {where.netloc}"]
        lines += ["Content-Type: application/json", "Accept: application/json", "Accept-Encoding: identity", "User-Agent: fairtrial"]
        return "\r\n".join([*lines, *([f"Authorization: Bearer {self._key}"] if self._key else []), "Content-Length: "])

    def reply(self, messages: Sequence[Message], *, schema: dict[str, Any] | None = None, timeout_s: float = TIMEOUT_S) -> Reply:
        asked: dict[str, Any] = {"model": self._model, "messages": list(messages)}
        if schema is None or not self._takes_schema:
            return self._persist(asked, timeout_s)
        began = time.monotonic()
        form = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
        try:
            return self._persist({**asked, "response_format": form}, timeout_s)
        except _NoSchema:
            self._takes_schema = False  # the reply is checked in any case
            return self._persist(asked, timeout_s if self._patient else timeout_s - (time.monotonic() - began))

    def _persist(self, asked: dict[str, Any], timeout_s: float) -> Reply:
        body = encode(asked)
        patience_s = patience_of(timeout_s) if self._patient else None
        return persist(str(self._address), lambda until: self._ask(body, until), timeout_s, patience_s)

    def _ask(self, body: bytes, until: float) -> Reply:
        try:
            answer = self._address.post(f"{self._head}{len(body)}\r\n\r\n".encode("latin-1"), body, until)
        except TooMuch as error:
            raise MalformedReply(f"{self.name} answered with {error}") from None
        except TimeoutError:
            raise Slow("it did not answer in time") from None
        except (OSError, http.client.HTTPException) as error:
            raise Away(f"{type(error).__name__}: {error}") from None
        status, words = answer.status, ""
        if status == 200 and b'"error"' in answer.body and (found := error_of(answer.body)):
            status, words = found[0] if isinstance(found[0], int) and found[0] >= 300 else 502, found[1]
        if status == 200:
            return read_completion(answer.body, self.name)
        raise self._refused(status, words or answer.body[:2000].decode("utf-8", "replace"), answer)

    def _refused(self, status: int, words: str, answer: Answer) -> Exception:
        """What a status other than 200 means for whoever asked."""
        told = self._without_key(f"the service answered {status}: {' '.join(words.split())[:KEPT_WORDS]}")
        wait_s = seconds(answer.headers.get("Retry-After"), time.time())
        if status in BUSY:
            return Busy(told, wait_s)
        if status in BROKEN or status > 504:
            return Away(told, wait_s)
        if status in (400, 422) and "response_format" in words and self._takes_schema:
            return _NoSchema(told)
        mend = "it points elsewhere, and no redirect is followed: name the address itself" if 300 <= status < 400 else MENDS.get(status, "")
        return ProviderOutage(f"{self._address} refused the call of {self._model!r:.80} with {told[21:]}" + (f" ({mend})" if mend else ""))

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


class _NoSchema(Exception):
    """The service does not know response_format."""


def _where(url: str) -> urllib.parse.SplitResult:
    """The service's address. Raises InputError for what is none, or would not stay one line of a request."""
    mend = "openai:NAME@http://127.0.0.1:8000/v1"
    try:
        where = urllib.parse.urlsplit(url)
        port = where.port
    except ValueError:
        raise InputError("a model's address cannot be read", value=url, mend=mend) from None
    if where.scheme not in ("http", "https") or not where.hostname or port == 0:
        raise InputError("a model's address must be one of http or https", value=url, mend=mend)
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise InputError("a model's address holds what no address may", value=url, mend=mend)
    if where.username or where.password:
        raise InputError("a model's address holds a name or a password", mend="take it out; a key belongs in OPENAI_API_KEY")
    return where


def plain_address(url: str) -> str:
    """An address by which answers are told apart: without a query, which may hold a key, and without a name or password."""
    where = urllib.parse.urlsplit(url)
    host = where.netloc.rpartition("@")[2].lower()
    return urllib.parse.urlunsplit((where.scheme, host, where.path.rstrip("/"), "", ""))


def _key(stated: str) -> str:
    key = stated.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError("OPENAI_API_KEY holds what no key may", mend="set it to the key alone, on one line")
    return key


def seconds(stated: str | None, now: float) -> float | None:
    """A Retry-After in seconds or as an HTTP date, as seconds from `now` (of the clock); None where it says nothing usable."""
    text = (stated or "").strip()
    if text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 12:
        return float(text)
    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
    return max(moment - now, 0.0)
