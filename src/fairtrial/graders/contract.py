"""What a suite adds to the grading of its cases: hand-offs that are owed, checks for every case, graders in Python, the seat.

Kept out: the case's own key.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from fairtrial.plugins import load
from fairtrial.records.check import Check
from fairtrial.records.errors import InputError
from fairtrial.records.setup import Seat
from fairtrial.records.suite import HandoffContract

if TYPE_CHECKING:
    from fairtrial.records.opinion import Matter, Opinion
    from fairtrial.records.rubric import Rubric
    from fairtrial.records.standing import Standing

Grader = Callable[..., Any]
Confine = Callable[[Sequence[str], str, str], Sequence[str]]


class Ask(Protocol):
    """A model judge, as the graders know it: safe from many threads, and it raises nothing for what a model does.

    `identity` is the hash of all that makes the judge what it is, `calls` how often a model is asked about one trial where no
    reply has to be asked for again.
    """

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str: ...

    @property
    def rubric(self) -> Rubric: ...

    @property
    def standing(self) -> Standing: ...

    @property
    def calls(self) -> int: ...

    def opinion(self, matter: Matter) -> Opinion:
        """What the judge says. It may wait for a model."""


def _bare(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class Contract:
    """`seat`: what the trial's setup was given (roles, lead). `origin`: "run", or "import" where traces may be missing.

    `confine`: how a check's program is run where the trials were walled off: (command, the folder it may write to, where it
    starts) -> the command to run instead; it raises OSError where that cannot be.
    """

    handoffs: tuple[HandoffContract, ...] = ()
    checks: tuple[Check, ...] = ()
    seat: Seat = field(default_factory=lambda: Seat(setup=""))
    graders: Mapping[str, Grader] = field(default_factory=dict)
    origin: str = "run"
    confine: Confine | None = None
    cover: Callable[[Any], Any] = _bare
    """Covers secrets in what is put before a judge, as the store covers them."""
    judges: Mapping[str, Ask] = field(default_factory=dict)
    """By every word that a check may call them by: their names, and rubrics that only one of them uses."""
    shown: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """By (case, fact, role) what altering the fact on its way showed: used, not_used, cannot_tell or not_received."""


def load_graders(named: Mapping[str, str], folder: str) -> dict[str, Grader]:
    """Import the graders that a suite names, {NAME: "module:function"}; the suite's folder comes first on the path.

    Raises InputError naming the grader and what is wrong with it.
    """
    own_first(folder, [target.partition(":")[0] for target in named.values()])
    return {name: _load(name, target) for name, target in named.items()}


def own_first(folder: str, modules: Iterable[str]) -> None:
    """Modules that a suite names are its own before all others: its folder comes first on the path."""
    wanted = set(modules)
    if wanted:
        if folder not in sys.path:
            sys.path.insert(0, folder)
        importlib.invalidate_caches()
    for module in wanted:
        _forget_another(module, folder)


def _forget_another(module: str, folder: str) -> None:
    """A module of the same name from another suite's folder must not stand in for this suite's own."""
    own = os.path.join(folder, *module.split("."))
    there = next((path for path in (f"{own}.py", os.path.join(own, "__init__.py")) if os.path.isfile(path)), None)
    loaded = getattr(sys.modules.get(module), "__file__", None)
    if there and loaded and os.path.realpath(loaded) != os.path.realpath(there):
        del sys.modules[module]
        if sys.path[0] != folder:
            sys.path.insert(0, folder)


def _load(name: str, target: str) -> Grader:
    found = load(target, what=f"grader {name!r}")
    if not callable(found):
        raise InputError(f"grader {name!r} is not a function", value=target)
    grader: Grader = found
    return grader
