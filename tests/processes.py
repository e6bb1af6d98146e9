"""Which processes there are, for tests that look for what should be gone. Small systems come without `ps`."""

import subprocess
from contextlib import suppress
from pathlib import Path


def command_lines() -> str:
    """The command of every process, one a line."""
    if not Path("/proc/self/cmdline").exists():
        return subprocess.run(["ps", "-axo", "args"], capture_output=True, text=True, check=True).stdout
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile
            found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return "\n".join(found)
