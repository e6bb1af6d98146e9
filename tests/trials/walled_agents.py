"""Agents that try the walls of a sandbox, for `test_sandbox.py`. Were a wall to fail, nothing is harmed: they read, they make
new files with names of their own, and they take away exactly those."""

import mmap
import os
import socket
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any


def _can_write(folder: str) -> bool:
    path = Path(folder, f"fairtrial-probe-{uuid.uuid4().hex}")
    try:
        path.touch(exist_ok=False)
    except OSError:
        return False
    path.unlink()
    return True


def _can_read(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return bool(file.read(1))
    except OSError:
        return False


def looks_around(brief: Any, desk: Any) -> dict[str, Any]:
    """What can be written, read and seen; the places to try are in the brief."""
    writable = {folder: _can_write(folder) for folder in brief.facts["folders"]}
    readable = {path: _can_read(path) for path in brief.facts["files"]}
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines() if ":" in line)
    return {
        "writable": writable,
        "readable": readable,
        "environment": sorted(os.environ),
        "siblings": sorted(os.listdir("..")),
        "processes": sum(name.isdigit() for name in os.listdir("/proc")),
        "devices": sorted(os.listdir("/dev")),
        "rights": int(status["CapEff"], 16),
        "gains": status["NoNewPrivs"].strip() == "0",
        "user": os.getuid(),
        "homes": [str(path) for folder in ("/root", "/home") if os.path.isdir(folder) for path in Path(folder).iterdir()],
    }


def calls_out(brief: Any, desk: Any) -> dict[str, str]:
    """Tries the host's loopback and an abstract socket; then a server of its own."""
    said = {}
    try:
        with socket.create_connection(("127.0.0.1", brief.facts["port"]), timeout=2):
            said["host"] = "reached"
    except OSError as error:
        said["host"] = type(error).__name__
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()[:2], timeout=2) as client:
        taken, _ = server.accept()
        with taken:
            taken.sendall(b"hello")
        said["own"] = client.recv(5).decode()
    return said


def takes_memory(brief: Any, desk: Any) -> dict[str, int]:
    """Up to 400 MB in one process, and no more."""
    kept = [bytearray(b"x" * (50 << 20)) for _ in range(8)]
    return {"mb": sum(map(len, kept)) >> 20}


def shares_memory(brief: Any, desk: Any) -> dict[str, int]:
    """400 MB of a kind that counts for no single process, and no more; touched page by page."""
    kept = mmap.mmap(-1, 400 << 20)
    for at in range(0, len(kept), 4096):
        kept[at] = 1
    time.sleep(2)
    return {"mb": len(kept) >> 20}


def hides_memory(brief: Any, desk: Any) -> dict[str, int]:
    """400 MB in files that have no place and are mapped by nobody, and no more."""
    kept = [os.memfd_create(f"kept-{number}") for number in range(8)]
    for descriptor in kept:
        os.write(descriptor, b"x" * (50 << 20))
    time.sleep(2)
    return {"files": len(kept)}


def fills_its_disk(brief: Any, desk: Any) -> dict[str, str]:
    """Up to 400 MB in files, and no more."""
    try:
        for number in range(8):
            Path(f"file-{number}").write_bytes(b"x" * (50 << 20))
    except OSError as error:
        return {"stopped": type(error).__name__}
    return {"stopped": "never"}


def starts_many(brief: Any, desk: Any) -> dict[str, int]:
    """At most 64 children, each of which ends by itself soon."""
    children = [subprocess.Popen(["sleep", "20"]) for _ in range(64)]
    time.sleep(2)
    return {"started": len(children)}


def leaves_daemons(brief: Any, desk: Any) -> dict[str, int]:
    """One in a session of its own, one that its parent forgets."""
    mark = str(brief.facts["mark"])
    subprocess.Popen(["setsid", "sleep", mark])
    os.posix_spawn("/bin/sh", ["sh", "-c", f"sleep {mark} & exit"], dict(os.environ))
    time.sleep(0.2)
    return {"ok": 1}


def is_killed(brief: Any, desk: Any) -> None:
    """By another of its own processes, as out of memory would."""
    subprocess.run([sys.executable, "-c", f"import os, signal; os.kill({os.getpid()}, signal.SIGKILL)"], check=False)
    time.sleep(10)


def takes_its_time(brief: Any, desk: Any) -> dict[str, int]:
    time.sleep(5)
    return {"ok": 1}


def thinks_in_a_thread(brief: Any, desk: Any) -> dict[str, int]:
    """Asks for the total from the thread that this module started when it was imported."""
    ASKED.set()
    return {"answered": int(ANSWERED.wait(2))}


def reads_the_other(brief: Any, desk: Any) -> dict[str, Any]:
    """Leaves a note where another attempt could find it, and looks for one."""
    found = [str(path) for path in Path("/tmp").rglob("note-*.txt")]
    Path("/tmp", f"note-{uuid.uuid4().hex}.txt").write_text("note", encoding="utf-8")
    time.sleep(0.5)
    return {"found": found}


ASKED, ANSWERED = threading.Event(), threading.Event()


def _serve() -> None:
    ASKED.wait(60)
    ANSWERED.set()


threading.Thread(target=_serve, daemon=True).start()
