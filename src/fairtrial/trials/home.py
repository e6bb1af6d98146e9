"""A trial's own folder and environment, made before it and removed after it.

`HOME`, `TMPDIR` and the working directory are the trial's own; everything else of the environment is inherited.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from fairtrial.worlds.clearing import clear_away

PREFIX = "fairtrial-"


def run_root() -> Path:
    """A folder for one run's trials, named with the process that owns it so that leftovers can be told from the living."""
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def sweep_leftovers() -> int:
    """Remove folders whose owner is gone (it was killed). Only our own prefix, only our own user's. Returns how many."""
    gone = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists() and Path("/proc").exists() and _is_ours(folder):
            clear_away(folder)
            gone += 1
    return gone


def _is_ours(folder: Path) -> bool:
    try:
        return not folder.is_symlink() and folder.stat().st_uid == os.getuid()
    except OSError:
        return False


def move_in(folder: str) -> None:
    """Make a folder this process's home, temporary folder and working directory."""
    os.makedirs(folder, 0o700)  # the run's folder as well: an agent may have removed it
    os.environ["HOME"] = os.environ["TMPDIR"] = folder
    tempfile.tempdir = None  # a cached answer from before would lead to the shared one
    os.chdir(folder)


def move_out(folder: str) -> None:
    """Remove a trial's folder, whatever is in it."""
    try:
        os.rmdir(folder)  # most trials leave nothing
    except OSError:
        clear_away(folder)
