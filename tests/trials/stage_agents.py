"""Agents for the tests of trials: the well-behaved, the hanging, the crashing, the leaking."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SEEN: dict[str, Any] = {}


async def five_calls(brief: Any, desk: Any) -> dict[str, Any]:
    total = 0
    for n in range(5):
        total = await desk.call("add", n=n)
    return {"total": total}


def five_sync(brief: Any, desk: Any) -> dict[str, Any]:
    return {"total": [desk.call("add", n=n) for n in range(5)][-1]}


def remembers(brief: Any, desk: Any) -> dict[str, Any]:
    """Answers from the memory of an earlier trial, where one is left."""
    if "stock" not in SEEN:
        SEEN["stock"] = desk.call("add", n=7)
    return {"stock": SEEN["stock"]}


def leaves_notes(brief: Any, desk: Any) -> dict[str, Any]:
    homes = [Path.home() / "notes.txt", Path("notes.txt")]
    found = [str(path) for path in homes if path.exists()]
    for path in homes:
        path.write_text("note", encoding="utf-8")
    return {"found": found, "siblings": len(list(Path.cwd().iterdir()))}


async def spins(brief: Any, desk: Any) -> None:
    await desk.call("add", n=1)
    while True:
        pass


def blocks(brief: Any, desk: Any) -> str:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        pass
    return "late"


def ignores_signals(brief: Any, desk: Any) -> None:
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    desk.call("add", n=1)
    while True:
        try:
            time.sleep(100)
        except BaseException:  # noqa: BLE001, S112 - this agent is meant to swallow everything
            continue


async def swallows(brief: Any, desk: Any) -> None:
    while True:
        try:
            await asyncio.sleep(100)
        except BaseException:  # noqa: BLE001, S112 - this agent is meant to swallow everything
            continue


def leaves_children(brief: Any, desk: Any) -> None:
    """Starts a child in its own session and a daemon below it, then hangs."""
    mark = str(brief.facts["mark"])
    subprocess.Popen(["sh", "-c", f"setsid sh -c 'exec sleep {mark}' & sleep {mark} & wait"], start_new_session=True)
    time.sleep(0.2)
    desk.call("add", n=1)
    time.sleep(100)


def kills_itself(brief: Any, desk: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def exits_hard(brief: Any, desk: Any) -> None:
    os._exit(3)


def segfaults(brief: Any, desk: Any) -> None:
    os.abort()


def exits(brief: Any, desk: Any) -> None:
    sys.exit(2)


def raises(brief: Any, desk: Any) -> None:
    raise ValueError("no such luck")


def raises_bare(brief: Any, desk: Any) -> None:
    raise MemoryError


def says_nothing(brief: Any, desk: Any) -> None:
    return None


def says_blank(brief: Any, desk: Any) -> str:
    return "  \n"


def declines(brief: Any, desk: Any) -> None:
    desk.decline("not enough evidence", to="human")


def prints_much(brief: Any, desk: Any) -> dict[str, int]:
    print("x" * 500_000)  # noqa: T201 - an agent that prints
    return {"ok": 1}


def answers_much(brief: Any, desk: Any) -> dict[str, str]:
    return {"text": "y" * 400_000}


def outage(brief: Any, desk: Any) -> None:
    import fairtrial as ft

    raise ft.ProviderOutage("503")


def says_where(brief: Any, desk: Any) -> dict[str, str]:
    import tempfile

    return {"home": str(Path.home()), "tmp": tempfile.gettempdir(), "cwd": str(Path.cwd())}
