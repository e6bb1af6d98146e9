"""A shared worker: one process that runs many trials at once on one event loop, each with fresh objects.

Fast, and the least isolated: trials share the agent's modules. A trial that blocks the loop past its deadline is named to
the run by a watching thread; the process is then ended and the neighbours are started again elsewhere.
Its folder and environment are the worker's own, never the caller's: what an agent does to its home stays there.
Run as `python -m fairtrial.trials.worker CHANNEL SLOTS FOLDER` with an inherited socket.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import FairtrialError
from fairtrial.records.strictjson import encode
from fairtrial.trials import home, reap
from fairtrial.trials.child import watch_signals
from fairtrial.trials.conduct import Act, perform_sync, perform_within, stillborn
from fairtrial.trials.order import GOODBYE, Hello, Order, Problem, Result, Retiring, StageSpec, pack
from fairtrial.trials.stage import Stage
from fairtrial.trials.wire import Reader, frame

if TYPE_CHECKING:
    from fairtrial.records.trial import TrialHead

GRACE_S = 0.5
FLUSH_BYTES = 128 * 1024
ORDERS = msgspec.msgpack.Decoder(list[Order])


class Worker:
    """Reads orders, runs them, writes results in batches."""

    def __init__(self, stage: Stage, channel: socket.socket, reader: Reader, slots: int) -> None:
        self._stage = stage
        self._slots = slots
        self._queue: deque[Order] = deque()
        self._channel = channel
        self._reader = reader
        self._running: dict[int, tuple[Act, float, asyncio.Task[None]]] = {}
        self._results: list[Result] = []
        self._waiting_bytes = 0
        self._lock = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._flushing = False
        self._retiring = False

    def serve(self) -> None:
        """Work until the run closes its end."""
        self._channel.setblocking(False)
        self._loop.add_reader(self._channel, self._on_orders)
        threading.Thread(target=self._watch, daemon=True, name="watch").start()
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        self._loop.call_soon(self._obey, self._reader.pending())
        self._loop.run_forever()

    def _on_orders(self) -> None:
        frames = self._reader.read()
        if frames is None:
            _leave()
        self._obey(frames or [])

    def _obey(self, frames: list[bytes]) -> None:
        for orders in frames:
            self._queue.extend(ORDERS.decode(orders))
        self._fill()

    def _fill(self) -> None:
        while self._queue and len(self._running) < self._slots and not self._retiring:
            self._start(self._queue.popleft())

    def _start(self, order: Order) -> None:
        try:
            act = Act(order, self._stage, run_async=self._from_thread)
        except Exception as error:  # noqa: BLE001 - opening a world runs the case's own seed
            self._deliver(order, stillborn(order, error))
            return
        run = self._run_sync(act) if act.agent.is_sync else self._run(act)
        task = self._loop.create_task(run)
        self._running[order.ticket] = (act, time.monotonic() + order.timeout_s, task)

    async def _run(self, act: Act) -> None:
        await perform_within(act)
        self._close(act)

    async def _run_sync(self, act: Act) -> None:
        """A sync agent gets a thread; one that outstays its deadline is recorded and left behind, and this worker retires."""
        done = self._loop.create_future()

        def work() -> None:
            perform_sync(act)
            self._loop.call_soon_threadsafe(settle)

        def settle() -> None:
            if not done.done():
                done.set_result(None)

        threading.Thread(target=work, daemon=True).start()
        try:
            async with asyncio.timeout(act.order.timeout_s):
                await done
        except TimeoutError:
            act.timed_out()
            self._close(act)
            self._retiring = True
            self._send(pack("Q", Retiring(act.order.ticket)))
            return
        self._close(act)

    def _from_thread(self, waiting: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(waiting, self._loop).result()

    def _close(self, act: Act) -> None:
        self._running.pop(act.order.ticket, None)
        self._deliver(act.order, _record(act))
        self._fill()

    def _deliver(self, order: Order, record: tuple[TrialHead, bytes]) -> None:
        head, body = record
        self._results.append(Result(order.ticket, order.token, encode(head), body))
        self._waiting_bytes += len(body)
        if self._waiting_bytes > FLUSH_BYTES:
            self._flush()
        elif not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush_later)

    def _flush_later(self) -> None:
        # One more turn of the loop, so that trials ending together travel together.
        self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        results, self._results = self._results, []
        self._waiting_bytes = 0
        if results:
            self._send(pack("R", results))
        if self._retiring and not self._running:
            self._goodbye()

    def _send(self, message: bytes) -> None:
        with self._lock:
            self._channel.setblocking(True)
            try:
                self._channel.sendall(frame(message))
            except OSError:
                _leave()
            finally:
                self._channel.setblocking(False)

    def _watch(self) -> None:
        """The loop's own limits end trials that wait; this ends the worker when one does not let go of the loop."""
        parent = os.getppid()
        while True:
            time.sleep(0.1)
            if os.getppid() != parent:
                _leave()
            now = time.monotonic()
            late = [ticket for ticket, (_, deadline, _) in list(self._running.items()) if now > deadline + GRACE_S]
            if late:
                self._give_up(late)

    def _give_up(self, late: list[int]) -> None:
        holding = asyncio.current_task(self._loop)
        blamed = [ticket for ticket, (_, _, task) in list(self._running.items()) if task is holding]
        for ticket in blamed or late:
            act = self._running[ticket][0]
            act.timed_out()
            head, body = _record(act)
            self._results.append(Result(act.order.ticket, act.order.token, encode(head), body))
        self._flush()
        self._goodbye()

    def _goodbye(self) -> None:
        """End on purpose, saying so: a process that ends without this word has crashed."""
        self._send(pack("Q", Retiring(GOODBYE)))
        _leave()


def _record(act: Act) -> tuple[TrialHead, bytes]:
    """A trial's record; where none can be made (its agent is still at work, or has changed our own code), one that says so."""
    try:
        return act.finish()
    except Exception as error:  # noqa: BLE001 - whatever a trial does, the worker and its other trials must go on
        return stillborn(act.order, error)


def _leave() -> None:
    reap.kill_descendants(os.getpid())
    os._exit(0)


def main(arguments: list[str]) -> None:
    """Open the stage named by the first message, say hello, serve."""
    channel = socket.socket(fileno=int(arguments[0]))
    reader = Reader(channel)
    spec = msgspec.msgpack.decode(reader.wait(), type=StageSpec)
    reap.prepare()
    reap.adopt()
    home.move_in(arguments[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        stage = Stage(spec, arguments[2])
    except FairtrialError as error:
        channel.sendall(frame(pack("P", Problem.of(error))))
        return
    channel.sendall(frame(pack("H", Hello(encode(stage.seats())))))
    watch_signals()
    Worker(stage, channel, reader, int(arguments[1])).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
