"""The runs of a store: made, held, ended, listed and found. Kept out: their trials and grades (`sql.py`)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import InputError, StoreError, nearest
from fairtrial.records.run import Manifest, Run
from fairtrial.records.text import encode, utf8
from fairtrial.store import schema
from fairtrial.store.codec import write_record
from fairtrial.store.holder import Holder, alive, myself

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fairtrial.records.trial import TrialKey
    from fairtrial.store.redact import Redactor

STATUSES = ("complete", "interrupted", "incomplete")
_MANIFEST = msgspec.json.Decoder(Manifest)
_SHOWN = 5


class _Purpose(msgspec.Struct, frozen=True):
    """As much of a manifest as tells what its run was for."""

    settings: dict[str, Any] = {}


_PURPOSE = msgspec.json.Decoder(_Purpose)


class RunLine(msgspec.Struct, frozen=True, kw_only=True):
    """A run as `runs` lists it. planned = pass + fail + unknown + not_run; a trial without grades is unknown."""

    run: str
    suite: str
    status: str
    started_ns: int
    ended_ns: int | None
    planned: int
    passed: int = msgspec.field(name="pass")
    fail: int
    unknown: int
    not_run: int


class RunIndex:
    """The numbers that stand for the cases and setups of one run in the store's tables."""

    def __init__(self, run: str, number: int, cases: Iterable[tuple[int, str]], setups: Iterable[tuple[int, str]]) -> None:
        self.run = run
        self.number = number
        self._cases = {name: place for place, name in cases}
        self._setups = {name: place for place, name in setups}

    def numbers(self, key: TrialKey) -> tuple[int, int]:
        """The numbers of a key's case and setup. Raises StoreError where the run has none such."""
        try:
            return self._cases[key.case], self._setups[key.setup]
        except KeyError:
            return self._known(self._cases, key.case, "case"), self._known(self._setups, key.setup, "setup")

    def _known(self, names: dict[str, int], name: str, what: str) -> int:
        found = names.get(_storable(name))
        if found is None:
            near = nearest(name, names)
            mend = f"did you mean {near!r}?" if near else f"only what was planned can be stored or read; see the run's {what}s"
            raise StoreError(f"the run has no {what} {name!r}", place=self.run, mend=mend)
        return found

    def names(self) -> tuple[dict[int, str], dict[int, str]]:
        """Case and setup names by number."""
        return {place: name for name, place in self._cases.items()}, {place: name for name, place in self._setups.items()}


class Catalogue:
    """The runs of one store, through its face."""

    def __init__(self, face: Any) -> None:
        self._face = face
        self._indexes: dict[str, RunIndex] = {}

    def index(self, run: str) -> RunIndex:
        """The numbers of a run's names; read once, since they never change."""
        found = self._indexes.get(run)
        if found is None:
            with self._face.reading() as session:
                row = session.execute(schema.RUN_NUMBER, (run,)).fetchone()
                if row is None:
                    raise InputError("there is no such run", value=run, mend="list them: fairtrial runs")
                cases, setups = (session.execute(sql, row).fetchall() for sql in (schema.READ_CASES, schema.READ_SETUPS))
            found = self._indexes[run] = RunIndex(run, row[0], cases, setups)
        return found

    def create(self, run: str, manifest: Manifest, cases: Mapping[str, Any], redactor: Redactor) -> None:
        """See `Store.create_run`."""
        hashes = {case.id: case.hash for case in manifest.cases}
        names = dict.fromkeys([*hashes, *(plan.case for plan in manifest.planned)])
        setups = dict.fromkeys([*manifest.setups, *(plan.setup for plan in manifest.planned)])
        raws = [(_storable(name), hashes.get(name, ""), redactor.redact_json(encode(cases.get(name))).decode()) for name in names]
        text = _covered(manifest, redactor)
        now, planned = time.time_ns(), sum(plan.attempts for plan in manifest.planned)
        with self._face.writing() as session:
            if session.execute(schema.RUN_NUMBER, (run,)).fetchone() is not None:
                raise StoreError("there is a run of this id already", value=run, mend="resume it, or take another id")
            (number,) = session.execute(schema.NEXT_RUN).fetchone()
            row = (number, run, _storable(manifest.suite), "running", now, planned, myself().words(), now, text)
            session.execute(schema.ADD_RUN, row)
            session.executemany(schema.ADD_CASE, [(number, place, *raw) for place, raw in enumerate(raws)])
            session.executemany(schema.ADD_SETUP, [(number, place, _storable(name)) for place, name in enumerate(setups)])

    def claim(self, run: str) -> None:
        """See `Store.claim`."""
        number = self.index(run).number
        me = myself().words()
        with self._face.writing() as session:
            _, holder, beat = session.execute(schema.HOLDER, (number,)).fetchone()
            if holder != me and alive(holder, beat):
                who = msgspec.json.decode(holder, type=Holder)
                raise InputError(
                    f"the run is being executed by process {who.pid} on {who.host}",
                    place=run,
                    mend="wait until it has ended, or end that process; its finished trials are kept",
                )
            session.execute(schema.HOLD_RUN, (me, time.time_ns(), number))

    def beat(self, run: str) -> None:
        """See `Store.beat`."""
        with self._face.writing() as session:
            session.execute(schema.BEAT, (time.time_ns(), self.index(run).number, myself().words()))

    def release(self, run: str) -> None:
        """See `Store.release`."""
        with self._face.writing() as session:
            session.execute(schema.FREE_RUN, (self.index(run).number,))

    def finish(self, run: str, status: str) -> None:
        """See `Store.finish_run`."""
        if status not in STATUSES:
            raise StoreError("a run cannot end so", value=status, allowed=", ".join(STATUSES))
        with self._face.writing() as session:
            session.execute(schema.END_RUN, (status, time.time_ns(), self.index(run).number))

    def lines(self, suite: str | None, limit: int | None) -> list[RunLine]:
        """See `Store.runs`."""
        most = 1 << 40 if limit is None else limit
        with self._face.reading() as session:
            if suite is None:
                rows = session.execute(schema.LIST_RUNS, (most,)).fetchall()
            else:
                rows = session.execute(schema.LIST_SUITE, (_storable(suite), most)).fetchall()
        return [_line(row) for row in rows]

    def resolve(self, name: str) -> str:
        """See `Store.resolve`."""
        with self._face.reading() as session:
            if session.execute(schema.RUN_NUMBER, (_storable(name),)).fetchone() is not None:
                return name
            ids = [row[0] for row in session.execute(schema.RUN_IDS)]
        if not ids:
            raise InputError("the store holds no run yet", place=self._face.path, mend="run a suite or import a file first")
        if name == "last":
            return self._last(ids)
        found = [run for run in ids if name and run.startswith(name)]
        if len(found) == 1:
            return str(found[0])
        if found:
            raise InputError(f"{len(found)} runs begin with {name!r}", allowed=_few(found), mend="give more of the id")
        near = nearest(name, ids)
        mend = f"did you mean {near!r}?" if near else "name a run, the beginning of its id, or `last`"
        raise InputError("there is no such run", value=name, allowed=_few(ids), mend=mend)

    def _last(self, ids: list[str]) -> str:
        """The newest run of a suite as it is, or import; runs of changed setups (credit, use) are named by their id. Where
        there are only such, the newest."""
        with self._face.reading() as session:
            for run in ids:
                manifest = session.execute(schema.READ_RUN, (run,)).fetchone()[-1]
                if _PURPOSE.decode(manifest).settings.get("purpose", "run") == "run":
                    return str(run)
        return str(ids[0])

    def read(self, run: str) -> Run:
        """See `Store.run`."""
        with self._face.reading() as session:
            name, started, ended, status, holder, beat, manifest = session.execute(schema.READ_RUN, (run,)).fetchone()
        return Run(id=name, started_ns=started, ended_ns=ended, status=_status(status, holder, beat), manifest=_MANIFEST.decode(manifest))


def _line(row: tuple[Any, ...]) -> RunLine:
    name, suite, status, started, ended, planned, stored, passed, failed, holder, beat = row
    return RunLine(
        run=name,
        suite=suite,
        status=_status(status, holder, beat),
        started_ns=started,
        ended_ns=ended,
        planned=planned,
        passed=passed,
        fail=failed,
        unknown=stored - passed - failed,
        not_run=planned - stored,
    )


def _status(status: str, holder: str | None, beat: int | None) -> str:
    """A run that was never ended, and whose process is gone, was interrupted."""
    return "interrupted" if status == "running" and not alive(holder, beat) else status


def _few(ids: list[str]) -> str:
    return ", ".join(ids[:_SHOWN]) + (f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else "")


def _storable(name: str) -> str:
    """The name as a database can hold it: half surrogates are replaced."""
    return name if name.isascii() else utf8(name).decode()


def _covered(manifest: Manifest, redactor: Redactor) -> str:
    """The manifest as JSON, its secrets covered. What identifies cases, setups and tools is left alone: a tool may be named
    reset_password and is no secret."""
    data = write_record(manifest)
    if not redactor.suspects(data):
        return data.decode()
    covered = msgspec.structs.replace(
        manifest,
        environment=redactor.redact(msgspec.to_builtins(manifest.environment)),
        settings=redactor.redact(msgspec.to_builtins(manifest.settings)),
        setups={name: redactor.redact(msgspec.to_builtins(meta)) for name, meta in manifest.setups.items()},
        suite_path=redactor.redact_text(manifest.suite_path),
        differences=tuple(map(redactor.redact_text, manifest.differences)),
        notes=tuple(map(redactor.redact_text, manifest.notes)),
    )
    return write_record(covered).decode()
