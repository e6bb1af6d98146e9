"""How long the start takes, as ratios to a bare interpreter: `import fairtrial`, `fairtrial --version`, `fairtrial --help`.

CPU time (user and system) of a whole process, the least of several runs, for that is the figure that other work on the
machine disturbs least. The commands take turns, so that a slow minute hurts all alike.
"""

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FAIRTRIAL = str(Path(sys.executable).with_name("fairtrial"))
BARE = (sys.executable, "-c", "pass")


@dataclass(frozen=True)
class Start:
    """One command, and how many times a bare start it may cost."""

    name: str
    command: tuple[str, ...]
    at_most: float


STARTS = (
    Start("import fairtrial", (sys.executable, "-c", "import fairtrial"), 4.0),
    Start("fairtrial --version", (FAIRTRIAL, "--version"), 4.0),
    Start("fairtrial --help", (FAIRTRIAL, "--help"), 8.0),
)


def cpu_of(command: tuple[str, ...]) -> float:
    """CPU seconds of one run, children included. Raises CalledProcessError where the command fails."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    complaint = child.stderr.read() if child.stderr else b""
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.stderr:
        child.stderr.close()
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command, stderr=complaint)
    return used.ru_utime + used.ru_stime


def measure(runs: int = 15) -> dict[str, tuple[float, float, float]]:
    """By name: CPU seconds (least of `runs`), the ratio to a bare start, and the ratio allowed. `bare` is among them."""
    commands = {"bare": BARE} | {start.name: start.command for start in STARTS}
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(runs):
        for name, command in commands.items():
            least[name] = min(least[name], cpu_of(command))
    allowed = {"bare": 1.0} | {start.name: start.at_most for start in STARTS}
    return {name: (least[name], least[name] / least["bare"], allowed[name]) for name in commands}


def main() -> int:
    """Print the table; 1 where a start costs more than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="runs of each command; the least counts")
    table = measure(parser.parse_args().runs)
    print(f"{'start':24} {'CPU ms':>8} {'× bare':>8} {'at most':>8}")
    for name, (seconds, ratio, at_most) in table.items():
        print(f"{name:24} {seconds * 1e3:8.1f} {ratio:8.2f} {at_most:8.1f}{'' if ratio <= at_most else '  over'}")
    return int(any(ratio > at_most for _, ratio, at_most in table.values()))


if __name__ == "__main__":
    sys.exit(main())
