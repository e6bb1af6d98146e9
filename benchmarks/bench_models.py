"""Asking models: 200 calls at once against a service that answers in 300 ms, and what the room adds to one call.

Run as `python -m benchmarks.bench_models`. The service is a bare protocol on an event loop in a process of its own. Beside each
figure stands the same calls by the standard library's HTTP client alone, in the same minute. The exit code is 1 where a limit is passed.
"""

from __future__ import annotations

import http.client
import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

from benchmarks.bench_trials import Table
from benchmarks.modelservice import service
from fairtrial.models.open import open_model
from fairtrial.records.prices import Price, Prices

AT_ONCE, ANSWERS_IN_S, ROUNDS = 200, 0.3, 5
SLOWEST = 1.2
ADDED_MS = 3.0
ASKED = [{"role": "user", "content": "Was this answer right? " * 40}]
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"mark": {"type": "integer"}}, "required": ["mark"]}


def ours(port: int) -> Callable[[], object]:
    """One call through the room, with its schema and its price."""
    prices = Prices(models={"m-1": Price(input=Decimal(1), output=Decimal(2))})
    model = open_model(f"openai:m-1@http://127.0.0.1:{port}/v1", lambda target: target, prices)
    return lambda: model.reply(ASKED, schema=SCHEMA)


def bare(port: int) -> Callable[[], object]:
    """The same call by the standard library alone: a connection, the body encoded, the reply decoded."""
    body = json.dumps({"model": "m-1", "messages": ASKED, "response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA}}})

    def ask() -> object:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        try:
            connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
            return json.loads(connection.getresponse().read())["choices"][0]["message"]["content"]
        finally:
            connection.close()

    return ask


def together(ask: Callable[[], object], calls: int) -> float:
    """Wall seconds of so many calls at once, their threads' start included."""
    with ThreadPoolExecutor(calls) as pool:
        began = time.perf_counter()
        waits = [pool.submit(ask) for _ in range(calls)]
        for wait in waits:
            wait.result()
        return time.perf_counter() - began


def one_by_one(ask: Callable[[], object], calls: int) -> tuple[float, float]:
    """Wall and CPU milliseconds a call, the better of three rounds each."""
    walls, cpus = [], []
    for _ in range(3):
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(calls):
            ask()
        walls.append((time.perf_counter() - wall) * 1000 / calls)
        cpus.append((time.process_time() - cpu) * 1000 / calls)
    return min(walls), min(cpus)


def measure(calls: int, at_once: int, after_s: float, rounds: int = ROUNDS) -> dict[str, float]:
    """Seconds of `at_once` calls (the best round), and milliseconds a call one by one; ours and bare by turns."""
    found: dict[str, float] = {}
    with service(after_s) as port:
        both = {"ours": ours(port), "bare": bare(port)}
        for _ in range(rounds):
            for name, ask in both.items():
                found[f"{name} at once"] = min(found.get(f"{name} at once", 1e9), together(ask, at_once))
    with service(0) as port:
        for name, ask in {"ours": ours(port), "bare": bare(port)}.items():
            found[f"{name} wall"], found[f"{name} cpu"] = one_by_one(ask, calls)
    return found


def main() -> int:
    """Prints the figures; 1 where one passes its limit."""
    table, found = Table(), measure(1000, AT_ONCE, ANSWERS_IN_S)
    ideal, note = ANSWERS_IN_S, f"bare {found['bare at once'] / ANSWERS_IN_S:.2f} x"
    table.row(f"models: {AT_ONCE} calls at once ÷ the {ideal * 1000:.0f} ms of one", found["ours at once"] / ideal, SLOWEST, "x", note)
    for what in ("wall", "cpu"):
        added = found[f"ours {what}"] - found[f"bare {what}"]
        note = f"{found[f'ours {what}']:.2f} ms, bare {found[f'bare {what}']:.2f} ms"
        table.row(f"models: added to a call, {what}", added, ADDED_MS, "ms", note)
    return 1 if table.passed else 0


if __name__ == "__main__":
    sys.exit(main())
