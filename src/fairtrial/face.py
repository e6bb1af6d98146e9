"""What people call from Python: the steps with plain arguments, returning the same decided objects that `--json` prints.

Everything here works inside a running event loop as well: a run keeps to processes of its own and leaves the loop alone.
`await ft.arun(...)` lets the loop go on meanwhile.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any, TypeVar

from fairtrial import workflow
from fairtrial.records.errors import InputError, nearest
from fairtrial.steps.options import CreditOptions, RunOptions
from fairtrial.steps.useplan import UseOptions
from fairtrial.study.planning import Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.credit import Credit
    from fairtrial.records.decision import Decision
    from fairtrial.records.lift import Lift
    from fairtrial.records.plan import Plan
    from fairtrial.records.report import Comparison, RunReport
    from fairtrial.records.trend import Trend
    from fairtrial.records.use import UseReport
    from fairtrial.steps.checking import CheckReport

Path = str | os.PathLike[str]
Options = TypeVar("Options", RunOptions, CreditOptions, UseOptions)


def run(suite: Path | None = None, **options: Any) -> RunReport:
    """Run a suite and return its report; `options` are those of the command line (`setups`, `trials`, `jobs`, `isolate`, …).

    Raises FairtrialError before anything is spent where the input or the match is not fit.
    """
    return workflow.run(None if suite is None else os.fspath(suite), _options(options, "run", RunOptions)).report


async def arun(suite: Path | None = None, **options: Any) -> RunReport:
    """`run`, for use inside a running event loop."""
    return await asyncio.to_thread(run, suite, **options)


def check(suite: Path) -> CheckReport:
    """The suite checks itself."""
    return workflow.check(os.fspath(suite))


def show(run: str = "last", *, store: str | None = None, start: Path = ".") -> RunReport:
    """The report of a stored run."""
    return workflow.show_run(store, run, start=os.fspath(start))


def grade(run: str = "last", *, suite: Path | None = None, store: str | None = None, start: Path = ".") -> RunReport:
    """Grade a stored run again without running anything."""
    return workflow.grade(store, run, None if suite is None else os.fspath(suite), start=os.fspath(start)).report


def compare(
    base: str, new: str, *, vary: Sequence[str] = (), margin: Any = None, store: str | None = None, start: Path = "."
) -> Comparison:
    """Compare two stored runs, or two setups (`RUN:SETUP`), case by case."""
    return workflow.compare(store, base, [new], vary, margin, start=os.fspath(start))[0]


def gate(
    run: str = "last", *, policy: Path | None = None, baseline: str | None = None, store: str | None = None, start: Path = "."
) -> Decision:
    """May a setup of a stored run ship? `policy` is a file or the name of one; the suite's own where it is left out."""
    return workflow.gate(store, run, None if policy is None else os.fspath(policy), baseline, start=os.fspath(start))


def credit(suite: Path, **options: Any) -> Credit:
    """What each role of a team earns; `options` are those of the command line (`setup`, `roles`, `trials`, `kinds`, `shapley`, …).

    Raises FairtrialError before anything is spent where the team cannot be changed, or a role or case is not there.
    """
    return workflow.credit(os.fspath(suite), _options(options, "credit", CreditOptions))


def use(suite: Path, setup: str, facts: str | Sequence[str], **options: Any) -> UseReport:
    """Whether the decision of a team moves with a fact that it is handed; `options` are those of the command line (`to`, `ways`, …).

    Raises FairtrialError before anything is spent where the team, the fact or a case is not there.
    """
    named = {"setup": setup, "facts": [facts] if isinstance(facts, str) else list(facts)}
    return workflow.use(os.fspath(suite), _options(options | named, "use", UseOptions))


def trend(suite: Path, *, setup: str | None = None, last: int | None = None, store: str | None = None, start: Path = ".") -> Trend:
    """A suite run by run, or what goes by its name in the store: figures, breaks, and what moved beyond chance."""
    return workflow.trend(store, os.fspath(suite), setup, last, start=os.fspath(start))


def lift(run: str = "last", *, margin: Any = None, store: str | None = None, start: Path = ".") -> Lift:
    """Single, retry and team of one run in one table; `margin` is the loss of success rate that counts as none."""
    return workflow.lift(store, run, margin, start=os.fspath(start))


def plan(
    suite: Path | None = None, *, detect: float = 0.05, power: float = 0.8, runs: Sequence[str] = (), store: str | None = None, **more: Any
) -> Plan:
    """How many cases and trials find a difference of `detect`, at what price, from a pilot in the store; nothing is run.

    `runs`: the pilot, RUN or RUN:SETUP, or the base's and the new side's; `more`: `margin`, `case_usd` (a Decimal).
    """
    wanted = Wanted(detect=detect, power=power, **more)
    return workflow.plan(store, None if suite is None else os.fspath(suite), runs, wanted)


def _options(given: dict[str, Any], verb: str, kind: type[Options]) -> Options:
    known = kind.__struct_fields__
    for name in given:
        if name not in known:
            near = nearest(name, known)
            raise InputError(f"{verb}() takes no {name!r}", allowed=", ".join(known), mend=f"did you mean {near!r}?" if near else None)
    several = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    return kind(**(given | several))
