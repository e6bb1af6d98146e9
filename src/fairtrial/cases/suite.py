"""A suite from its folder: the settings of `suite.yaml`, the cases it names, and the version that follows from both.

Kept out: what may be written (`suiteforms.py`), whether names agree (`agree.py`), whether the cases are good ones
(`lint.py`), and opening any code.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.agree import disagreements
from fairtrial.cases.canaries import read_canaries
from fairtrial.cases.judges import bar_faults, judge_faults
from fairtrial.cases.libraryrules import library_faults
from fairtrial.cases.load import brief_hash, collect, load_cases
from fairtrial.cases.policy import policy_file, read_policy
from fairtrial.cases.prices import read_prices
from fairtrial.cases.rows import shown
from fairtrial.cases.sources import read_document
from fairtrial.cases.strict import read_form
from fairtrial.cases.suiteforms import SuiteForm, world_of
from fairtrial.cases.worldfiles import content_of
from fairtrial.records.budget import Budget
from fairtrial.records.check import parse_checks
from fairtrial.records.errors import FairtrialError, InputError, InputErrors, nearest
from fairtrial.records.setup import UNIT, Setup
from fairtrial.records.suite import HandoffContract, Sandbox, Suite
from fairtrial.records.text import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairtrial.cases.rows import Row
    from fairtrial.records.canary import StatedCanary
    from fairtrial.records.case import Case
    from fairtrial.records.check import Check

FILES = ("suite.yaml", "suite.yml", "suite.json")


def load_suite(path: str | os.PathLike[str]) -> Suite:
    """The suite of a `suite.yaml` (or .json), or of the folder that holds one.

    Each case's budget is tightened to the suite's. Raises InputErrors with every fault of the settings and of the cases.
    """
    file = _suite_file(path)
    folder = os.path.dirname(os.path.abspath(file))
    row = read_document(file)
    if isinstance(row.value, dict) and "task" in row.value and "setups" not in row.value:
        raise InputError(
            "this is a case, not a suite", place=shown(file), mend="name the suite.yaml that lists it under cases, or its folder"
        )
    errors: list[FairtrialError] = []
    form = collect(errors, read_form, row, SuiteForm)
    cases = collect(errors, load_cases, _patterns(row.value), folder) if _patterns(row.value) else None
    checks: tuple[Check, ...] | None = None
    if form:
        checks = collect(errors, parse_checks, list(form.checks), path=("checks",), where=row.place, under="checks")
        errors += [*disagreements(form, row, folder), *library_faults(form.library, row), *judge_faults(form.judges, row, folder)]
        if form.policy and os.path.isfile(policy_file(form.policy, folder)):
            collect(errors, read_policy, form.policy, folder)
    prices = None
    if form and form.prices and os.path.isfile(os.path.join(folder, form.prices)):
        prices = collect(errors, read_prices, form.prices, folder)
    canaries: tuple[StatedCanary, ...] | None = ()
    if form and form.canaries and cases is not None:
        canaries = collect(errors, read_canaries, form, row, folder, {case.id for case in cases})
    if form and UNIT in form.setups and any(case.labels.tier == "unit" for case in cases or ()):
        what = f"{UNIT!r} is the setup that cases of tier unit are tried under"
        errors.append(InputError(what, place=row.place("setups", UNIT), mend="give this setup another name"))
    if errors or form is None or cases is None or checks is None:
        raise InputErrors(errors)
    suite = _suite(form, checks, [tightened(case, form.budget) for case in cases], file)
    if outside := list(bar_faults(suite)):
        raise InputErrors(outside)
    return msgspec.structs.replace(suite, places=_places(form, row), prices=prices, canaries=canaries or ())


def _suite_file(path: str | os.PathLike[str]) -> str:
    if not os.path.isdir(path):
        return os.fspath(path)
    for name in FILES:
        if os.path.isfile(os.path.join(path, name)):
            return os.path.join(path, name)
    others = sorted(name for name in os.listdir(path) if name.endswith((".yaml", ".yml", ".json")))
    near = nearest(FILES[0], others)
    mend = f"did you mean {os.path.join(path, near)}?" if near else "name the suite's file itself, or begin with: fairtrial init DIR"
    raise InputError("no suite.yaml in this folder", place=shown(path), mend=mend)


def _patterns(value: dict[str, Any]) -> list[str]:
    cases = value.get("cases")
    return [cases] if isinstance(cases, str) else [item for item in cases if isinstance(item, str)] if isinstance(cases, list) else []


def _suite(form: SuiteForm, checks: tuple[Check, ...], cases: list[Case], file: str) -> Suite:
    whole = os.path.abspath(file)
    folder = os.path.dirname(whole)
    world = world_of(form)
    frame = {"world": content_of(world, folder), "checks": form.checks, "handoffs": form.handoffs, "budget": form.budget}
    return Suite(
        name=form.name or os.path.basename(folder),
        folder=folder,
        path=whole,
        cases=tuple(cases),
        world=world,
        tools=form.tools or None,
        setups={name: Setup(**msgspec.structs.asdict(entry)) for name, entry in form.setups.items()},
        handoffs=tuple(HandoffContract(source=one.source, target=one.target, requires=one.requires) for one in form.handoffs),
        baseline=form.baseline or None,
        candidate=form.candidate or None,
        env=form.env,
        sandbox=Sandbox(memory_mb=form.sandbox.memory_mb, processes=form.sandbox.processes, show=form.sandbox.show),
        budget=form.budget,
        trials=form.trials,
        seed=form.seed,
        checks=checks,
        graders=form.graders,
        judges=msgspec.to_builtins(form.judges),
        library=msgspec.to_builtins(form.library),
        policy=form.policy or None,
        version=_version(frame, cases),
        frame=content_hash(frame),
    )


def _places(form: SuiteForm, row: Row) -> dict[str, str]:
    """Where that stands which a worker opens later, so that an error there can tell."""
    named = {f"setups.{name}": row.place("setups", name, "agent") for name in form.setups}
    return {key: row.place(key) for key in ("tools", "world", "sandbox")} | named


def _version(frame: dict[str, Any], cases: Iterable[Case]) -> str:
    """Of what is asked and how it is judged; not of who is tried, how often, or how the cases are laid out in files."""
    return content_hash({"cases": sorted([case.id, case.hash, case.trials or 0] for case in cases), **frame})


def tightened(case: Case, budget: Budget) -> Case:
    """The case under its suite's budget as well: of each ceiling the stricter one."""
    if budget == Budget():
        return case
    brief = msgspec.structs.replace(case.brief, budget=case.brief.budget.tightened(budget))
    return msgspec.structs.replace(case, brief=brief, brief_hash=brief_hash(brief, case.scene))
