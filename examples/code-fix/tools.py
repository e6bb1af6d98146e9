"""What the coding agent can do. `world` is the trial's own copy of the repository's files."""

import os
import subprocess
import sys
from pathlib import Path

from fairtrial import ToolFailed, tool


def inside(world: Path, path: str) -> Path:
    """A path below the world, and none that leads out of it."""
    file = (world / path).resolve()
    if not file.is_relative_to(world.resolve()):
        raise ToolFailed(f"{path} is not in the repository")
    return file


@tool
def read_file(path: str, world: Path) -> str:
    """The text of one file."""
    try:
        return inside(world, path).read_text(encoding="utf-8")
    except OSError as error:
        raise ToolFailed(f"{path} cannot be read: {error.strerror}") from error


@tool
def write_file(path: str, text: str, world: Path) -> str:
    """Put a text in the place of a file's old one."""
    file = inside(world, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return "written"


@tool
def run_tests(world: Path) -> dict[str, object]:
    """Run the repository's own tests; `passed` is whether all of them did."""
    command = [sys.executable, "-B", "-m", "unittest", "discover", "-q"]
    environment = {**os.environ, "PYTHONPATH": "."}
    done = subprocess.run(command, check=False, cwd=world, env=environment, capture_output=True, text=True, timeout=30)
    return {"passed": done.returncode == 0, "printed": done.stderr[-2000:]}
