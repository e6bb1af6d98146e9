"""How far the trials of a run are kept apart: what each level enforces, resource by resource, and what a sandbox must hide.

What is said here stands in the manifest and in every report of the run. Kept out: the walls themselves (`trials/`).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from fairtrial.cases.judges import form_of, models_of
from fairtrial.cases.rubric import RUBRICS
from fairtrial.records.errors import InputError
from fairtrial.records.finding import place_of
from fairtrial.steps.neighbours import graders, named, neighbours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fairtrial.records.suite import Suite

LEVELS = ("shared", "fork", "process", "sandbox")
RESOURCES = ("files", "environment", "memory", "network", "processes", "modules")


def level_of(asked: str | None) -> str:
    """The level by name; `fork` where the platform forks safely, else `process`. Raises InputError for an unknown one."""
    if asked is None:
        return "fork" if sys.platform == "linux" else "process"
    if asked not in LEVELS:
        raise InputError("no such isolation in this version", value=asked, allowed=", ".join(LEVELS))
    return asked


def enforced(level: str, suite: Suite) -> dict[str, Any]:
    """The level, and by resource what holds for every trial. A number is a limit: megabytes, processes."""
    if level == "sandbox":
        limits = {"memory": suite.sandbox.memory_mb, "processes": suite.sandbox.processes}
        return {"level": level, "files": "walled", "environment": "named", "network": "none", "modules": "fresh", **limits}
    tree = "ended" if sys.platform == "linux" else "group_ended"
    kept = {
        "shared": {"files": "worker_folder", "processes": "shared", "modules": "shared"},
        "fork": {"files": "own_folder", "processes": tree, "modules": "as_imported"},
        "process": {"files": "own_folder", "processes": tree, "modules": "fresh"},
    }
    return {"level": level, "environment": "callers", "memory": "open", "network": "open", **kept[level]}


def hidden(suite: Suite, store: str | None = None) -> tuple[str, ...]:
    """Every file that holds answers or what came of earlier runs: suite, cases, policy, rubrics, graders, store; and what other
    suites of the same folder name as theirs."""
    files = [suite.path, *{place_of(case.place)[0] for case in suite.cases}]
    files += [os.path.join(suite.folder, path) for path in _of_grading(suite)]
    own = {os.path.abspath(file) for file in files}
    others = {path for path in map(os.path.abspath, _of_others(suite, own)) if not _needed(path, suite)}
    if store is not None:
        own |= {os.path.abspath(store + ending) for ending in ("", "-wal", "-shm", "-journal")}
    return tuple(_whole_folders(own | others, suite.folder))


def _of_others(suite: Suite, own: set[str]) -> Iterator[str]:
    for path, value in neighbours(suite.folder, own):
        yield path
        yield from named(value, suite.folder)
        yield from (os.path.join(suite.folder, file) for file in _modules(graders(value), suite))


def _needed(path: str, suite: Suite) -> bool:
    """Whether this suite's trials are to read what is another's answer: it is shown by name, or belongs to their world."""
    world = suite.world.source and os.path.abspath(os.path.join(suite.folder, suite.world.source))
    if world and world != suite.folder and path.startswith(world + os.sep):
        return True
    return path in {os.path.abspath(os.path.join(suite.folder, one)) for one in (*suite.sandbox.show, suite.world.seed or "")}


def _whole_folders(files: set[str], suite: str) -> list[str]:
    """The files, but a folder of nothing else in their place: a sandbox takes some thousand covers and no more."""
    found: list[str] = []
    for folder in sorted({os.path.dirname(file) for file in files}):
        inside = {file for file in files if os.path.dirname(file) == folder}
        there = {entry.path for entry in os.scandir(folder)} if folder != suite and os.path.isdir(folder) else set()
        found += [folder] if there and there <= inside else sorted(inside)
    return found


def _of_grading(suite: Suite) -> Iterator[str]:
    """Paths from the suite's folder. A module of graders that the agents' side names as well stays: it could not run without."""
    if suite.policy is not None:
        yield suite.policy
    yield from (rubric for name in suite.judges if (rubric := form_of(suite.judges, name).rubric) not in RUBRICS)
    yield from _modules([*suite.graders.values(), *_own_models(suite)], suite)


def _own_models(suite: Suite) -> Iterator[str]:
    """The functions of the suite's own that judge: how they mark is as good as the answers."""
    for name in suite.judges:
        named = models_of(form_of(suite.judges, name))
        yield from (model.removeprefix("python:") for model in named if model.startswith("python:"))


def _modules(targets: Iterable[str], suite: Suite) -> Iterator[str]:
    """The files of the graders' modules, without those that the agents' side names."""
    needed = {_module(setup.agent) for setup in suite.setups.values() if isinstance(setup.agent, str)}
    needed |= {_module(suite.tools or ""), _module(suite.world.kind)}
    for target in targets:
        if (module := _module(target)) not in needed:
            yield from (module, f"{module}.py")


def _module(target: str) -> str:
    return target.removesuffix(".py").partition(":")[0].partition(".")[0]
