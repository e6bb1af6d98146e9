"""SKELETON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.run import Manifest, Run
    from fairtrial.records.trial import Trial, TrialBody, TrialHead, TrialKey
    from fairtrial.store.redact import Redactor


class RunLine(msgspec.Struct, frozen=True, kw_only=True):
    """A run as `runs` lists it; planned = pass + fail + unknown + not_run. Ungraded trials count as unknown."""

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


class Written(NamedTuple):
    """What a batch came to: trials stored, and keys that were there already (their first record stands)."""

    stored: int
    refused: list[TrialKey]


class Store:
    """One store, opened. Safe for many threads and for many processes at once; not carried over a fork."""

    redactor: Redactor
    """What manifests, cases and scorecards pass on their way in. Trials pass `Door(redactor)` before they are graded."""

    @classmethod
    def open(cls, url: str, *, redactor: Redactor | None = None, create: bool = True) -> Store:
        """`url` is sqlite:///FILE or a path. Raises StoreError where it cannot be opened, is newer than this program, or
        (with create=False) is not there."""
        raise NotImplementedError

    def close(self) -> None: ...

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # runs

    def create_run(self, run: str, manifest: Manifest, cases: Mapping[str, Any]) -> None:
        """Writes the manifest and the cases' raw form (case id -> raw) before the first trial; status is `running` and this
        process holds the run until `finish_run`, `release` or its death. Raises StoreError where the id is taken."""
        raise NotImplementedError

    def claim(self, run: str) -> None:
        """Take over a run to resume it: status becomes `running` again. Raises InputError where a living process holds it."""
        raise NotImplementedError

    def release(self, run: str) -> None:
        """Give a run free without ending it (a re-grading that is done, say)."""
        raise NotImplementedError

    def finish_run(self, run: str, status: str) -> None:
        """`complete`, `interrupted` or `incomplete`; the run is no longer held."""
        raise NotImplementedError

    def runs(self, suite: str | None = None, limit: int | None = None) -> list[RunLine]:
        """Newest first. A run that is `running` though its process is gone is shown as `interrupted`."""
        raise NotImplementedError

    def resolve(self, name: str) -> str:
        """The full id for an id, a unique prefix, or `last`. Raises InputError naming the nearest, or the candidates."""
        raise NotImplementedError

    def run(self, name: str) -> Run:
        """The run with its manifest; `name` as in `resolve`."""
        raise NotImplementedError

    def case_raw(self, run: str) -> dict[str, Any]:
        """Case id -> the case as it was written when the run was made (secrets redacted)."""
        raise NotImplementedError

    # trials (run: a full id)

    def write_batch(self, run: str, batch: Sequence[tuple[TrialHead, bytes, Scorecard | None]]) -> Written:
        """Stores trials (body as JSON, as `Door` returned it) and their first grades in one durable transaction. A key
        that is there already keeps its first record."""
        raise NotImplementedError

    def write_tries(self, run: str, batch: Sequence[tuple[TrialHead, bytes]]) -> None:
        """Keeps attempts that the harness had to repeat, as history; they count nowhere as trials."""
        raise NotImplementedError

    def set_aside(self, run: str, keys: Sequence[TrialKey]) -> int:
        """Moves stored trials into the history of tries so that they can be run again (harness faults, on resume)."""
        raise NotImplementedError

    def keys_done(self, run: str, *, faulted: bool = True) -> set[TrialKey]:
        """Every stored key; with faulted=False without those whose ending is the harness's fault or an interruption."""
        raise NotImplementedError

    def rows(self, run: str) -> Iterator[tuple[TrialHead, Scorecard | None]]:
        """Heads with their latest scorecard, in the order they were stored, from one consistent view."""
        raise NotImplementedError

    def bodies(self, run: str) -> Iterator[tuple[TrialHead, TrialBody]]:
        """Heads and bodies, one at a time, from one consistent view."""
        raise NotImplementedError

    def trial(self, run: str, key: TrialKey) -> Trial:
        """One whole trial. Raises InputError where there is none."""
        raise NotImplementedError

    def tries(self, run: str) -> Iterator[TrialHead]:
        """The history of repeated attempts, oldest first."""
        raise NotImplementedError

    # grades

    def write_grades(self, run: str, version: str, batch: Sequence[tuple[TrialKey, Scorecard]]) -> int:
        """A newer grading, laid beside the older ones; returns how many were written. `rows` shows the newest of each."""
        raise NotImplementedError

    def versions(self, run: str) -> list[str]:
        """The grader versions that graded this run, oldest first."""
        raise NotImplementedError
