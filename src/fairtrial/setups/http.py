"""The way in for a service: each POST carries the lines so far, the reply is the next lines, until `answer`.

Only http and https addresses that the user wrote are asked, with the standard library and no redirects to elsewhere.
"""

from __future__ import annotations

import http.client
import urllib.parse
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import InputError, MalformedAnswer, ProviderOutage
from fairtrial.records.strictjson import encode
from fairtrial.setups.lines import MAX_LINE, Answered, act, brief_line, opening, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairtrial.records.case import Brief
    from fairtrial.setups.agent import InnerDesk


class ServiceRefused(Exception):
    """The service answered with a client error, which trying again will not mend."""


class HttpAgent:
    """A service seated as an agent."""

    is_sync = True

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url = urllib.parse.urlsplit(url)
        if self._url.scheme not in ("http", "https") or not self._url.hostname:
            raise InputError("an HTTP agent needs an address", value=url, allowed="http://… or https://…")
        self._headers = {"Content-Type": "application/x-ndjson", **headers}

    def answer(self, brief: Brief, desk: InnerDesk) -> Any:
        lines = [brief_line(brief)]
        face = desk.sync_face()
        try:
            while True:
                replies = [act(said, face) for said in self._ask(b"\n".join(lines) + b"\n", lines, brief.deadline_s)]
                lines.extend(encode(reply) for reply in replies if reply is not None)
        except Answered as said:
            return said.output

    def _ask(self, body: bytes, lines: list[bytes], timeout: float) -> list[dict[str, Any]]:
        reply = self._post(body, timeout)
        said: list[dict[str, Any]] = []
        for line in reply.split(b"\n"):
            if not line.strip():
                continue
            parsed = parse(line)
            if parsed is None:
                raise MalformedAnswer(f"the service's reply is not JSON lines: {opening(line)}")
            lines.append(line)
            said.append(parsed)
        if not said:
            raise MalformedAnswer("the service replied with nothing")
        return said

    def _post(self, body: bytes, timeout: float) -> bytes:
        kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._url.hostname or "", self._url.port, timeout=timeout)
        path = urllib.parse.urlunsplit(("", "", self._url.path or "/", self._url.query, ""))
        try:
            connection.request("POST", path, body, self._headers)
            response = connection.getresponse()
            reply = response.read(MAX_LINE)
            if response.length and len(reply) < MAX_LINE:  # read with a bound does not complain of this itself
                raise http.client.IncompleteRead(reply, response.length)
        except (OSError, http.client.HTTPException) as error:
            raise ProviderOutage(f"{self._url.hostname}: {type(error).__name__}: {error}") from None
        finally:
            connection.close()
        if response.status >= 500 or response.status == 429:
            raise ProviderOutage(f"the service answered {response.status}")
        if response.status != 200:
            raise ServiceRefused(f"the service answered {response.status}: {opening(reply)}")
        return reply
