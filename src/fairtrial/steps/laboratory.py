"""Where changed teams are tried: a suite's cases, its store, and every trial that is wanted, from wherever it comes.

A trial that is in the store and as good as a new one is taken as it is; the others are run, round by round, each round an
ordinary run. What is wanted and where it lies is all that is kept here; which changes, and what they mean, is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.change import Changed
from fairtrial.records.errors import InputError
from fairtrial.records.run import Manifest, Planned, Run, too_many
from fairtrial.records.trial import TrialKey
from fairtrial.steps import prepare
from fairtrial.steps.beside import beside
from fairtrial.steps.calibrating import calibrate
from fairtrial.steps.fingerprint import fingerprint
from fairtrial.steps.grading import Bench
from fairtrial.steps.known import known_secrets
from fairtrial.steps.past import stated
from fairtrial.steps.reading import open_store
from fairtrial.steps.reuse import missing, reusable, sources
from fairtrial.steps.running import Work, new_run_id
from fairtrial.steps.seating import Casting
from fairtrial.steps.walls import enforced, level_of
from fairtrial.steps.withdrawn import Today
from fairtrial.steps.workshop import Workshop
from fairtrial.store.door import Door
from fairtrial.store.location import file_of
from fairtrial.store.redact import Redactor
from fairtrial.study.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.credit import Variant
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.setup import Seat, Setup
    from fairtrial.records.suite import Suite
    from fairtrial.records.trial import TrialHead
    from fairtrial.steps.options import CreditOptions, Progress


LOOKED_AT = 400
"""Trials that are opened to see which role called which tool."""


class Laboratory:
    """Open while it is entered. `runs` are those that this command made."""

    def __init__(self, suite: Suite, cases: Sequence[Case], options: CreditOptions, progress: Progress | None) -> None:
        self.suite, self.cases, self.options = suite, tuple(cases), options
        self.runs: list[str] = []
        self._progress = progress
        self._level = level_of(options.isolate)
        self._redactor = Redactor(known_secrets(suite, cases))
        self._store = open_store(suite.folder, options.store, redactor=self._redactor)
        self._base = ""
        self._opened: dict[str, Setup] = {}
        self._setups: dict[str, Setup] = {}
        self._seats: dict[str, Seat] = {}
        self._have: dict[TrialKey, str] = {}
        self._reused: set[TrialKey] = set()
        self._wanted: Manifest | None = None
        prepare.refuse_shared_environments(self._level, suite.setups)
        prepare.refuse_walled_models(self._level, self.cases)

    def __enter__(self) -> Laboratory:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def look(self, setups: Mapping[str, Setup]) -> dict[str, Seat]:
        """What setups are really given, found by opening them. Raises InputError where one cannot be opened."""
        with Workshop(self._spec(setups), self._level, 1) as workshop:
            return {seat.setup: seat for seat in workshop.open()}

    def open(self, setup: str, variants: Iterable[Variant]) -> None:
        """Open a setup and all its variants, before anything is planned. Raises InputError where one of them cannot be."""
        written = self.suite.setups[setup]
        tried = [one for one in variants if not one.refused]
        self._opened = {setup: written} | {one.setup: msgspec.structs.replace(written, change=_made(setup, one)) for one in tried}
        self._seats = self.look(self._opened)
        self._setups = {}
        self._base = setup

    def plan(self, variants: Iterable[Variant]) -> None:
        """Want every trial of the setup and of these variants besides what is wanted already; look which of them are there."""
        names = dict.fromkeys([self._base, *(one.setup for one in variants if not one.refused)])
        fresh = {name: self._opened[name] for name in names if name not in self._setups}
        if not fresh:
            return
        self._setups |= fresh
        self._wanted = self._manifest(self._plans(self._setups))
        if not self.options.fresh:
            wanted = self._manifest(self._plans(fresh))
            found = reusable(self._store, wanted, self._paired(wanted))
            self._have |= found
            self._reused |= found.keys()

    def _earlier(self, wanted: Manifest) -> Iterator[tuple[str, Manifest]]:
        """Stored credit runs of this team, as it is."""
        for line in self._store.runs(suite=wanted.suite):
            told = self._store.run(line.run).manifest
            made, making = ((one.settings.get("made_of") or {}).get(self._base) for one in (told, wanted))
            if told.settings.get("purpose") == "credit" and told.suite_version == wanted.suite_version and made == making:
                yield line.run, told

    def _paired(self, wanted: Manifest) -> set[str]:
        """The runs whose trials earlier credit of this team was read from: a later run does not silently change the answer."""
        return {name for run, told in self._earlier(wanted) for name in (run, *told.settings.get("paired_with", ()))}

    def looked_at(self) -> dict[str, list[str]]:
        """By kind of change the roles that any stored credit run of this team has tried alone."""
        found: dict[str, dict[str, None]] = {}
        for _, told in self._earlier(self._all):
            for seat in told.seats:
                if seat.change is not None and seat.change.of == self._base and len(seat.change.changes) == 1:
                    change = seat.change.changes[0]
                    found.setdefault(change.kind, {})[change.role] = None
        return {kind: list(roles) for kind, roles in found.items()}

    def newer(self) -> list[str]:
        """Runs with newer trials of the whole team that were not taken."""
        found = reusable(self._store, self._manifest(self._plans([self._base])))
        return sorted(set(found.values()) - set(self._have.values()) - set(self.runs))

    def run(self) -> str:
        """Run what is wanted and not there; `complete`, `interrupted` or `incomplete`."""
        left = missing(self._all.planned, self._have)
        if not left:
            return "complete"
        manifest = self._manifest(left)
        manifest.settings["paired_with"] = self.where()[self._base]
        setups = {name: self._setups[name] for name in dict.fromkeys(plan.setup for plan in left)}
        with Workshop(self._spec(setups), self._level, self.options.jobs) as workshop:
            seats = workshop.open()
            bench = self._bench(seats)
            bench.compile()
            run = new_run_id("credit")
            self._store.create_run(run, manifest, {case.id: case.raw for case in self.cases})
            self.runs.append(run)
            work = Work(run, manifest, self._store, Door(self._redactor), bench, self.cases)
            status = work.drive(workshop, self._progress)
        for key in self._store.keys_done(run):
            self._have.setdefault(key, run)
        return status

    def table(self) -> Table:
        """Every wanted trial that is there, in one table, whichever run it lies in."""
        table = Table(Run(id=self.runs[-1] if self.runs else "", started_ns=0, ended_ns=None, status="", manifest=self._all), details=False)
        for run in dict.fromkeys(self._have.values()):
            table.fill(self._rows(run))
        calibrate(self._store, table, self._have)
        return table

    def _rows(self, run: str) -> Iterator[tuple[TrialHead, Scorecard | None]]:
        for head, card in Today(self._store, run, self._all).rows(self._store.rows(run)):
            if self._have.get(head.key) == run:
                yield head, card

    def tools_called(self, setup: str) -> dict[str, set[str]]:
        """By role the tools that it called in trials of a setup, in up to `LOOKED_AT` of them."""
        found: dict[str, set[str]] = {}
        own = [(key, run) for key, run in self._have.items() if key.setup == setup]
        for key, run in own[:LOOKED_AT]:
            for span in self._store.trial(run, key).body.spans:
                if span.kind == "tool" and span.role:
                    found.setdefault(span.role, set()).add(span.name)
        return found

    def counts(self) -> tuple[int, int]:
        """Trials wanted, and how many of them were there before this command."""
        return sum(plan.attempts for plan in self._all.planned), len(self._reused)

    def left(self) -> int:
        """Trials that are still to be run."""
        return sum(key not in self._have for key in self._all.trial_keys())

    def size(self, variants: Sequence[Variant]) -> int:
        """How many trials these variants would take."""
        return len([one for one in variants if not one.refused and one.setup not in self._setups]) * sum(self._attempts.values())

    def where(self) -> dict[str, list[str]]:
        """By setup the runs that hold its trials."""
        return sources(self._have, list(self._setups))

    @property
    def _all(self) -> Manifest:
        if self._wanted is None:
            raise InputError("nothing was planned")
        return self._wanted

    @property
    def _attempts(self) -> dict[str, int]:
        return {case.id: self.options.trials or case.trials or self.suite.trials for case in self.cases}

    def _plans(self, setups: Iterable[str]) -> tuple[Planned, ...]:
        plans = tuple(Planned(case, setup, attempts) for case, attempts in self._attempts.items() for setup in setups)
        if why := too_many(plans):
            raise InputError(why, mend="ask for fewer trials, roles or cases")
        return plans

    def _spec(self, setups: Mapping[str, Setup]) -> Any:
        return prepare.stage_spec(self.suite, dict(setups), self.cases, file_of(self._store.url))

    def _bench(self, seats: Sequence[Seat]) -> Bench:
        return Bench(self.suite, self.cases, seats, beside=beside(self.suite, self._level, self._store))

    def _manifest(self, planned: Sequence[Planned]) -> Manifest:
        """What the planned trials are tried with; of the setups only those that they need."""
        seats = [self._seats[name] for name in dict.fromkeys(plan.setup for plan in planned)]
        casting = Casting(cases=self.cases, planned=tuple(planned))
        walls = enforced(self._level, self.suite)
        settings = {
            "purpose": "credit",
            "jobs": self.options.jobs,
            "isolate": walls["level"],
            "isolation": walls,
            "allow_unfair": True,
            "seed": self.suite.seed if self.options.seed is None else self.options.seed,
            **fingerprint(self.suite, self._setups),
            **stated(self.suite),
            "differences": prepare.fair_or_carried(seats, casting, allow=True),
            "grader": self._bench(seats).version,
        }
        return prepare.make_manifest(self.suite, casting, seats, settings)


def _made(setup: str, variant: Variant) -> Changed:
    return Changed(of=setup, changes=variant.changes)
