"""Agents that attack the harness from inside their own trial, for `test_hostile.py`."""

import asyncio
import os
import re
import signal
import socket
import time
from pathlib import Path
from typing import Any

DESCRIPTORS = range(3, 64)


def writes_everywhere(brief: Any, desk: Any) -> dict[str, int]:
    """Garbage, and what looks like messages, to every descriptor there is."""
    for number in DESCRIPTORS:
        for data in (b"R", b"E\x97\x91\x01", b"P\x91\xa5hello", b"x" * 5000, os.urandom(64)):
            try:
                os.set_blocking(number, False)
                os.write(number, data)
            except OSError:
                break
    return {"ok": 1}


def speaks_for_others(brief: Any, desk: Any) -> dict[str, int]:
    """Well-formed messages about trials that are not its own, and about the stage."""
    from fairtrial.trials.order import Ended, Problem, Result, Told, pack

    messages = [pack("E", Ended((ticket,), 1, 0, False, True, "forged")) for ticket in range(1, 20)]
    messages += [pack("R", [Result(ticket, "", b"{}", b"{}")]) for ticket in range(1, 20)]
    messages.append(pack("P", Problem((Told("forged problem"),))))
    for number in DESCRIPTORS:
        try:
            with socket.socket(fileno=os.dup(number)) as channel:
                channel.setblocking(False)
                for message in messages:
                    channel.send(message)
        except OSError:
            continue
    return {"ok": 1}


def reads_everywhere(brief: Any, desk: Any) -> dict[str, int]:
    """Takes what was meant for others."""
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        for number in DESCRIPTORS:
            try:
                os.set_blocking(number, False)
                os.read(number, 65536)
            except OSError:
                continue
    return {"ok": 1}


def sends_no_record(brief: Any, desk: Any) -> dict[str, int]:
    from fairtrial.trials import child

    setattr(child, "encode", lambda value: b"{broken")  # noqa: B010 - the name is not exported
    return {"ok": 1}


def names_another_file(brief: Any, desk: Any) -> dict[str, int]:
    """Says that its result lies in a file that the brief names."""
    from fairtrial.trials import child
    from fairtrial.trials.order import Order, Result, pack

    def send(out: socket.socket, order: Order, record: tuple[bytes, bytes], spill: str) -> None:
        there = f"{Path(spill).parent}/../../../../../../../..{brief.facts['mark']}"
        out.send(pack("R", [Result(order.ticket, order.token, b"", b"", there)]))

    child.send = send
    return {"ok": 1}


def names_things_oddly(brief: Any, desk: Any) -> dict[str, int]:
    """Everything that should be text is something else."""
    desk.use("f", by=5)
    desk.hand_off(7, {1: 2, None: 3})
    desk.note("k", 9, v=10**40, s={1, 2})
    desk.decline(5, to=6)
    try:
        desk.call("oddly_failing")
    except Exception as error:  # noqa: BLE001 - whatever it is, the trial goes on
        return {"failed": len(str(error))}
    return {"failed": -1}


class _Evil:
    def __iter__(self) -> Any:
        raise MemoryError

    def __repr__(self) -> str:
        raise SystemExit(3)


class _EvilError(Exception):
    def __str__(self) -> str:
        raise SystemExit(5)


def answers_evil(brief: Any, desk: Any) -> dict[str, Any]:
    return {"evil": _Evil(), "more": _EvilError("x")}


def raises_evil(brief: Any, desk: Any) -> None:
    raise _EvilError("x")


def removes_the_run_s_folder(brief: Any, desk: Any) -> dict[str, int]:
    run = Path(os.environ["HOME"]).parent
    if not run.name.startswith("fairtrial-"):
        raise AssertionError("this agent has no folder of its own here, so it touches nothing")
    for trial in run.glob("t[0-9]*"):
        trial.rmdir()
    for log in run.glob("nursery-*.log"):
        log.unlink()
    run.rmdir()
    return {"ok": 1}


async def ends_the_loop(brief: Any, desk: Any) -> None:
    async def leave() -> None:
        raise SystemExit(4)

    await asyncio.gather(leave())


async def stops_the_loop(brief: Any, desk: Any) -> None:
    asyncio.get_running_loop().stop()
    await asyncio.sleep(1)


def holds_the_interpreter(brief: Any, desk: Any) -> None:
    """A pattern that takes for ever, in code that lets no other thread run."""
    re.match(r"(a+)+$", "a" * 40 + "b")


def stops_its_parent(brief: Any, desk: Any) -> None:
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(60)


def records_much_and_hangs(brief: Any, desk: Any) -> None:
    """More than the black box holds, then no end: not even by its alarm."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    for number in range(9000):
        desk.note("kind", "name", number=number, text="z" * 200)
    time.sleep(60)


def prints_for_long(brief: Any, desk: Any) -> dict[str, int]:
    for _ in range(60):
        os.write(1, b"x" * 1_000_000)
    time.sleep(1.5)
    return {"size": os.fstat(1).st_size}


def acts_from_threads(brief: Any, desk: Any) -> dict[str, int]:
    import threading

    def work() -> None:
        for _ in range(200):
            desk.use("fact")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"ok": 1}


async def leaves_a_task(brief: Any, desk: Any) -> dict[str, int]:
    """A task that goes on calling a tool after the answer, and leaves word of it in a file."""
    path = str(brief.facts["mark"])

    async def later() -> None:
        while True:
            await asyncio.sleep(0.02)
            try:
                await desk.call("write_line", path=path)
            except Exception:  # noqa: BLE001, S112 - goes on whatever happens
                continue

    task = asyncio.create_task(later())
    asyncio.get_running_loop()._kept = task  # type: ignore[attr-defined]
    return {"ok": 1}


async def waits_a_little(brief: Any, desk: Any) -> dict[str, int]:
    await asyncio.sleep(0.6)
    return {"total": await desk.call("add", n=1)}


def quick(brief: Any, desk: Any) -> dict[str, Any]:
    time.sleep(0.3)
    return {"total": desk.call("add", n=1)}
