"""A service of chat completions for benchmarks, in a process of its own: it adds no more than the pause that it is told.

Run as `python -m benchmarks.modelservice SECONDS`. It gives everybody the mark 4; a judge's question gets it with the nonce of the call.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

_NONCE = re.compile(rb"The nonce of this call is (\w+)\.")


class Service(asyncio.Protocol):
    """Answers so many seconds after the last byte of the request."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, found, body = self._heard.partition(b"\r\n\r\n")
        if found and len(body) >= int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]):
            self._heard = b""
            asyncio.get_running_loop().call_later(self._after_s, self._transport.write, _answer(body))


def _answer(body: bytes) -> bytes:
    nonces = _NONCE.findall(body)
    mark = {"nonce": nonces[-1].decode(), "reason": "as scripted", "quality": 4, "pass": True} if nonces else {"mark": 4}
    message = {"role": "assistant", "content": json.dumps(mark)}
    said = {"model": "m-1", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    told = json.dumps(said | {"usage": {"prompt_tokens": 200, "completion_tokens": 7, "total_tokens": 207}}).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(told) + told


async def _serve(after_s: float) -> None:
    """Print the port, and answer for ever."""
    server = await asyncio.get_running_loop().create_server(lambda: Service(after_s), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def service(after_s: float) -> Iterator[int]:
    """The port of a service in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.modelservice", str(after_s)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(cast("IO[str]", process.stdout).readline())
        finally:
            process.kill()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
