"""SKELETON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fairtrial.records.grade import Scorecard
    from fairtrial.records.run import Manifest
    from fairtrial.records.trial import Trial, TrialHead


class Refusal(msgspec.Struct, frozen=True):
    """A row or record that was not taken. `line` is its line, or its place (from 1) in a file that is one list."""

    line: int
    why: str


class Imported:
    """What one file holds, as one run. `refused` is complete once `trials` has been read to its end.

    manifest: Manifest; cases: dict[case id, raw]; rows: int (records in the file);
    trials: Iterator[tuple[Trial, Scorecard]]; tries: list[TrialHead]; refused: list[Refusal]
    """

    manifest: Manifest
    cases: dict[str, Any]
    rows: int
    trials: Iterator[tuple[Trial, Scorecard]]
    tries: list[TrialHead]
    refused: list[Refusal]


def importer(name: str) -> Callable[..., Imported]:
    """The reader of a format, called as reader(path, setup=None, planned=None). Raises InputError naming the nearest format."""
    raise NotImplementedError


def exporter(name: str) -> Callable[..., str]:
    """The writer of a format (junit, csv, jsonl), called as writer(report, rows): RunReport and (TrialHead, Scorecard|None) rows -> text."""
    raise NotImplementedError
