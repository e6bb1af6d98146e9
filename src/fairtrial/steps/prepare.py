"""Before any trial: what will be run, on which cases, and whether the match is fair.

The suite is loaded and selected, what this version cannot stage is refused rather than passed over, and each (case, setup)
gets its brief as that setup is to see it. Which setup is tried at which case is said in `seating.py`.
"""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial import __version__
from fairtrial.cases.select import Selection, select
from fairtrial.fairness import audit, notes
from fairtrial.records.budget import Budget
from fairtrial.records.errors import InputError, InvalidExperiment
from fairtrial.records.run import CaseInfo, Manifest
from fairtrial.records.setup import UNIT, Setup
from fairtrial.records.strictjson import content_hash
from fairtrial.steps.seating import calls, rivals
from fairtrial.steps.walls import hidden
from fairtrial.trials.order import Confinement, Order, StageSpec
from fairtrial.trials.plan import trial_seed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fairtrial.records.case import Brief, Case
    from fairtrial.records.setup import Seat
    from fairtrial.records.suite import Suite
    from fairtrial.records.tamper import Replay
    from fairtrial.records.trial import TrialKey
    from fairtrial.steps.options import RunOptions
    from fairtrial.steps.seating import Casting

_FUNCTIONS = Setup(agent="functions of the suite")
"""What a manifest shows as the agent of the setup `unit`."""


def chosen_cases(suite: Suite, options: RunOptions) -> list[Case]:
    """The cases that were asked for and that this version can stage."""
    wanted = Selection(
        cases=options.cases,
        tags=options.tags,
        tiers=() if options.tier is None else (options.tier,),
        libraries=() if options.library is None else (options.library,),
        match=options.expression or "",
    )
    cases = select(suite.cases, wanted)
    for case in cases:
        _refuse_unstaged(case)
    return cases


def selection(options: RunOptions, suite: Suite, cases: Sequence[Case]) -> dict[str, Any]:
    """What part of the suite was asked for, for the manifest's settings; nothing where that is all of it."""
    asked = {
        "cases": list(options.cases),
        "tags": list(options.tags),
        "tier": options.tier,
        "library": options.library,
        "match": options.expression,
        "last_failed": options.last_failed,
    }
    named = {name: value for name, value in asked.items() if value}
    return {"selection": named} if named and {case.id for case in cases} != {case.id for case in suite.cases} else {}


def _refuse_unstaged(case: Case) -> None:
    """A case that is run without what it plans would be easier than it was written."""
    user = case.scene.user
    speaks = user and (user.get("script") or user.get("model") or user.get("style") == "silent" or user.get("approves"))
    if user and not speaks:
        what = f"case {case.id!r} plans a simulated user with neither script nor model, who cannot speak"
        raise InputError(what, place=case.place, mend="add script: [what the user says], model: NAME, or style: silent")


def refuse_shared_environments(level: str, setups: dict[str, Setup]) -> None:
    """Trials of a shared worker share its environment, so a setup's own cannot be given there."""
    for name, setup in setups.items():
        if level == "shared" and setup.env:
            raise InputError(f"setup {name!r} has an env: of its own, which shared workers cannot give it", mend="use --isolate fork")


def refuse_walled_models(level: str, cases: Sequence[Case]) -> None:
    """A sandbox has no network, so the service that plays a user could never be asked from there."""
    for case in cases:
        model = str((case.scene.user or {}).get("model", ""))
        if level == "sandbox" and model and not model.startswith("python:"):
            what = f"case {case.id!r} has its user played by {model}, which cannot be reached from a sandbox without network"
            raise InputError(what, place=case.place, mend="use --isolate process, or a model of the form python:module:function")


def stage_spec(suite: Suite, setups: dict[str, Setup], cases: Sequence[Case], store: str | None = None) -> StageSpec:
    """What the workers open. Of the cases only the names of the functions that some try alone and of the models that play users,
    and where the files lie that a sandbox must hide; `store` is the file of the run's store."""
    box = suite.sandbox
    models: dict[str, str] = {}
    for case in cases:
        if case.scene.user:
            models.setdefault(str(case.scene.user.get("model", "")), case.place)
    return StageSpec(
        folder=suite.folder,
        tools=suite.tools,
        world=suite.world,
        setups=setups,
        budget=suite.budget,
        env=suite.env,
        calls=calls(cases),
        confinement=Confinement(memory_mb=box.memory_mb, processes=box.processes, shown=box.show, hidden=hidden(suite, store)),
        models=tuple(models),
        prices=suite.prices,
        places={**models, **suite.places},
    )


def fair_or_carried(seats: Sequence[Seat], casting: Casting, *, allow: bool) -> list[str]:
    """The differences that make the match unfair; raises InvalidExperiment unless they are to be carried.

    Only setups that are tried at the same cases are laid side by side. What a role sees that is tried alone is up to its team,
    and what it does not see reaches it all the same, so the facts of such cases are no ground for the audit.
    """
    found: dict[str, None] = {}
    for setups, cases in rivals(casting).items():
        facts: dict[str, list[str]] = {}
        for case in cases:
            for name in case.brief.facts if case.labels.tier == "e2e" else ():
                facts.setdefault(name, []).extend(case.scene.visible_to.get(name, ()))
        found |= dict.fromkeys(audit([seat for seat in seats if seat.setup in setups], facts))
    if found and not allow:
        raise InvalidExperiment(
            "the setups are not a fair match, so nothing was run:\n  " + "\n  ".join(found),
            mend="give them the same, try one with --setup, or carry the difference into every report with --allow-unfair",
        )
    return list(found)


def make_manifest(suite: Suite, casting: Casting, seats: Sequence[Seat], settings: dict[str, Any]) -> Manifest:
    """Everything a later comparison must hold equal or declare. `settings` carries differences, grader and seed beside what was asked."""
    cases = casting.cases
    start = content_hash([suite.world, [[case.id, case.scene.state] for case in cases]])
    differences = tuple(settings.pop("differences"))
    return Manifest(
        harness=f"fairtrial {__version__}",
        grader=settings.pop("grader"),
        suite=suite.name,
        suite_version=suite.version,
        suite_path=suite.path,
        frame=suite.frame,
        seed=settings.pop("seed"),
        environment={"python": platform.python_version(), "system": platform.system(), "machine": platform.machine()},
        setups={seat.setup: _shown(seat, _written(suite, seat), start) for seat in seats},
        seats=tuple(seats),
        cases=tuple(
            CaseInfo(id=case.id, hash=case.hash, brief_hash=case.brief_hash, labels=case.labels, place=case.place) for case in cases
        ),
        planned=casting.planned,
        baseline=suite.baseline if suite.baseline in {seat.setup for seat in seats} else None,
        candidate=suite.candidate,
        fair=not differences,
        differences=differences,
        settings=settings | ({} if suite.prices is None else {"prices": suite.prices.told}),
        notes=(*notes([seat for seat in seats if seat.setup != UNIT]), *casting.notes),
        unseated=casting.unseated,
    )


def _written(suite: Suite, seat: Seat) -> Setup:
    """The suite's entry of a setup, or of the one that a changed one was made of."""
    return suite.setups.get(seat.change.of if seat.change else seat.setup, _FUNCTIONS)


def _shown(seat: Seat, setup: Setup, start_state: str) -> dict[str, Any]:
    versions = dict(seat.versions)
    shown: dict[str, Any] = {name: versions.pop(name, None) for name in ("model", "prompt", "context", "memory", "harness")}
    return shown | {
        "versions": versions,
        "agent": setup.agent if isinstance(setup.agent, str) else {key: value for key, value in setup.agent.items() if key != "headers"},
        "tools": content_hash(seat.tools),
        "rights": content_hash(seat.rights),
        "start_state": start_state,
        "budget": msgspec.to_builtins(seat.budget),
        "retry": None if setup.retry is None else msgspec.to_builtins(setup.retry),
        "roles": [role.name for role in seat.roles],
    }


def order_maker(
    cases: Sequence[Case], seats: Sequence[Seat], seed: int, replays: Mapping[tuple[str, str], Replay] | None = None
) -> Callable[[TrialKey, int, str, int], Order]:
    """Turns a key into the order that a worker gets. The brief is made once for each case and setup. `replays`: by setup and
    case what is run again from a hand-off on."""
    by_id = {case.id: case for case in cases}
    seat_of = {seat.setup: seat for seat in seats}
    briefs: dict[tuple[str, str], tuple[Brief, Budget, float, str]] = {}

    def make(key: TrialKey, ticket: int, token: str, tries: int) -> Order:
        case = by_id[key.case]
        place = (key.case, key.setup)
        if place not in briefs:
            if len(briefs) > 4096:
                briefs.clear()
            briefs[place] = _brief_for(case, seat_of[key.setup])
        brief, budget, timeout_s, limit = briefs[place]
        replay = None if replays is None else replays.get((key.setup, key.case))
        return Order(ticket, token, key, trial_seed(seed, key), brief, case.scene, budget, timeout_s, limit, case.hash, tries, replay)

    return make


def _brief_for(case: Case, seat: Seat) -> tuple[Brief, Budget, float, str]:
    budget = case.brief.budget.tightened(seat.budget)
    timeout_s, limit = case.brief.deadline_s, "timeout_s"
    if budget.seconds is not None and budget.seconds < timeout_s:
        timeout_s, limit = budget.seconds, "seconds"
    facts = {name: value for name, value in case.brief.facts.items() if seat.facts is None or name in seat.facts}
    brief = msgspec.structs.replace(case.brief, facts=facts, tools=tuple(seat.tools), budget=budget, deadline_s=timeout_s)
    return brief, budget, timeout_s, limit
