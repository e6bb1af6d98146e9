"""Tables of results from elsewhere, as runs: `import csv|jsonl FILE`.

Strict: a column that is not known ends the import; a row that cannot be read is refused with its line and reason, and stays
in the plan as a trial without a result. Nothing is counted twice: a second row for the same trial is refused, but for one
that follows a harness fault, which makes the earlier one history.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.exchange.imported import Imported, Refusal, Slots
from fairtrial.exchange.tablecolumns import DOCUMENTED, Columns, arranged, check_columns, check_names
from fairtrial.exchange.tablefile import read_csv_file, read_jsonl_file
from fairtrial.exchange.tablerow import LABELS, Key, Row, read_key, read_row, was_run
from fairtrial.exchange.verdicts import card_of, graded
from fairtrial.records.budget import Spend
from fairtrial.records.case import Labels
from fairtrial.records.errors import InputError
from fairtrial.records.failure import KIND_BY_ENDING
from fairtrial.records.run import CaseInfo, Manifest
from fairtrial.records.text import content_hash
from fairtrial.records.trial import FATES, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.exchange.tablefile import TableFile
    from fairtrial.records.grade import Scorecard

GRADER = "import"
SETUP = "imported"
MOST_TOLD = 5
NEVER_TOLD = ("tool_calls", "steps", "retries", "handover_rate")
"""What no column of a table says."""
TOLD_BY_ENDING = ("declined", "over_budget")
NO_CONTENT = ""
"""The content of a case that a table names and does not tell: it pairs with others by its id alone."""


def read_csv(path: str, *, setup: str | None = None, planned: int | None = None, columns: Columns | None = None) -> Imported:
    """A CSV file with a header. See `read_table`."""
    return read_table(arranged(read_csv_file(path), columns or Columns(), path), path, "import:csv", (setup or SETUP, planned))


def read_jsonl(path: str, *, setup: str | None = None, planned: int | None = None, columns: Columns | None = None) -> Imported:
    """A file of one JSON object a line. See `read_table`."""
    return read_table(arranged(read_jsonl_file(path), columns or Columns(), path), path, "import:jsonl", (setup or SETUP, planned))


def read_table(file: TableFile, path: str, origin: str, options: tuple[str, int | None]) -> Imported:
    """The table as one run. `options`: the setup of rows that name none, and how many trials were planned (see `_level`).

    Raises InputError for unknown or missing columns, and where no row can be taken.
    """
    setup, planned = options
    check_columns(file.columns, path)
    table = _Table(default=setup, numbered_by_file="trial" in file.columns)
    for record in file.records:
        table.count += 1
        if isinstance(record, Refusal):
            table.refuse(record)
        else:
            check_names(record.cells, f"{path}:{record.line}")
            table.take(record.line, record.cells)
    if not table.rows:
        why = f" (line {table.refused[0].line}: {table.refused[0].why})" if table.refused else ""
        raise InputError(f"no row of the table can be taken{why}", place=path, mend=DOCUMENTED)
    slots, note = table.slots(), ""
    if planned is not None:
        note = _level(slots, planned, path)
    manifest = _manifest(table, slots, PurePath(path).stem, origin)
    notes = tuple(one for one in (note, unheard(table.unheard)) if one)
    settings = {"unheard": len(table.unheard)} if table.unheard else {}
    manifest = msgspec.structs.replace(manifest, notes=notes, settings=settings, untold=table.untold(file.columns))
    hashes = {case.id: case.hash for case in manifest.cases}
    return Imported(
        manifest=manifest,
        cases={case.id: {"id": case.id, **msgspec.to_builtins(case.labels)} for case in manifest.cases},
        trials=(_trial(row, key, table.tries_of(row), hashes) for key, row in table.numbered()),
        rows=table.count,
        refused=table.refused,
        tries=[_trial(row, key, 1, hashes)[0].head for key, row in table.spoilt()],
    )


def unheard(lines: list[int]) -> str:
    """What a run must say of rows that were refused and stand for no planned trial; nothing where there are none."""
    if not lines:
        return ""
    told = ", ".join(map(str, lines[:MOST_TOLD])) + (f" and {len(lines) - MOST_TOLD:,} more" if len(lines) > MOST_TOLD else "")
    return f"refused rows that no figure counts, for they name no trial or contradict another row: {len(lines):,} (line {told})"


@dataclass
class _Table:
    """The rows taken so far, each trial once."""

    default: str
    numbered_by_file: bool
    count: int = 0
    rows: dict[Key, Row] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    unheard: list[int] = field(default_factory=list)
    """Lines of refused rows whose trial is not in the plan, or has another verdict by another row."""
    earlier: dict[Key, list[Row]] = field(default_factory=dict)
    seen: dict[Key, None] = field(default_factory=dict)
    unnumbered: Counter[tuple[str, str]] = field(default_factory=Counter)
    labels: dict[str, dict[str, tuple[str, int]]] = field(default_factory=dict)
    """Case -> label (or cluster) -> its value and the line that gave it."""

    def take(self, line: int, cells: dict[str, Any]) -> None:
        """Take a row or refuse it; one that names its trial stays in the plan either way."""
        key = None
        try:
            key = self._numbered(read_key(cells, self.default))
            self.seen.setdefault(key)
            if not was_run(cells):
                return
            row = read_row(line, cells, key)
            self._agree(row)
            self._once(row)
        except ValueError as error:
            self.refuse(Refusal(line, str(error)), heard=key is not None)

    def refuse(self, refusal: Refusal, *, heard: bool = False) -> None:
        """A row that is not taken. Unless its trial is in the plan, nothing else shows that it was there."""
        self.refused.append(refusal)
        if not heard:
            self.unheard.append(refusal.line)

    def _numbered(self, key: Key) -> Key:
        """In a table without the column `trial`, the rows of a case are its trials in their order."""
        if self.numbered_by_file:
            if key.trial is None:
                raise ValueError("trial: missing")
            return key
        self.unnumbered[key.case, key.setup] += 1
        return Key(key.case, key.setup, self.unnumbered[key.case, key.setup])

    def _once(self, row: Row) -> None:
        known = self.rows.get(row.key)
        if known is not None:
            if FATES[known.ending].fault != "harness":
                if row.verdict is not known.verdict:
                    self.unheard.append(row.line)
                raise ValueError(f"{row.key.case}, {row.key.setup}, trial {row.key.trial} stands on line {known.line} already")
            self.earlier.setdefault(row.key, []).append(known)
        self.rows[row.key] = row

    def _agree(self, row: Row) -> None:
        """Labels and clusters belong to the case, so all its rows must say the same."""
        said = {**row.labels, **({"cluster": row.cluster} if row.cluster else {})}
        known = self.labels.setdefault(row.key.case, {})
        for name, value in said.items():
            if name in known and known[name][0] != value:
                raise ValueError(f"{name}: {value!r}, but line {known[name][1]} says {known[name][0]!r} of the same case")
        for name, value in said.items():
            known.setdefault(name, (value, row.line))

    def base(self) -> int:
        """What is added to a row's trial so that attempts count from 1."""
        return 1 if any(key.trial == 0 for key in self.seen) else 0

    def numbered(self) -> Iterator[tuple[TrialKey, Row]]:
        """The rows by our keys."""
        base = self.base()
        for key, row in self.rows.items():
            yield TrialKey(key.case, key.setup, (key.trial or 0) + base), row

    def spoilt(self) -> Iterator[tuple[TrialKey, Row]]:
        """Rows that a later one replaced."""
        base = self.base()
        for key, rows in self.earlier.items():
            for row in rows:
                yield TrialKey(key.case, key.setup, (key.trial or 0) + base), row

    def tries_of(self, row: Row) -> int:
        """How often a trial was started, by the rows for it."""
        return 1 + len(self.earlier.get(row.key, ()))

    def untold(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """The figures of a run that this table cannot give: whoever reads it says so and shows no 0."""
        open_ones = [row for row in self.rows.values() if row.verdict is not Verdict.PASS]
        severe = all(row.severe is not None for row in open_ones)  # what passed had no severe failure, and kept to its budget
        ends = [name for name in TOLD_BY_ENDING if "ending" not in columns and (open_ones or name != "over_budget")]
        return (*NEVER_TOLD, *ends, *(() if severe else ("severe",)))

    def slots(self) -> Slots:
        """Every trial that a row named, whether it could be taken or not."""
        made, base = Slots(), self.base()
        for key in self.seen:
            made.add(key.case, key.setup, (key.trial or 0) + base)
        return made


MOST_UNNAMED = 100_000
"""Planned trials that no row names, at most."""


def _level(slots: Slots, planned: int, path: str) -> str:
    """Give the plan its full size, and say how the number was read.

    `planned` is all trials of a setup, as `planned` is everywhere; where the rows are more than that, it is the trials of
    each case. What no row names belongs to the cases evenly, or to cases that the table does not name.
    """
    most = max(slots.total(setup) for setup in slots.setups())
    if planned < most:
        if planned < slots.most():
            raise InputError(f"the table has more trials than the {planned} planned", place=path, mend="give the number that was planned")
        slots.level(planned)
        return f"planned: {planned} trials a case"
    for setup in slots.setups():
        if planned - slots.total(setup) > MOST_UNNAMED:
            raise InputError(
                f"{planned:,} planned trials are far more than the table has", place=path, mend="give the number that was planned"
            )
        _fill(slots, setup, planned)
    return f"planned: {planned} trials a setup"


def _fill(slots: Slots, setup: str, planned: int) -> None:
    cases = slots.cases(setup)
    each, rest = divmod(planned, len(cases))
    if not rest and each >= max(slots.attempts(case, setup) for case in cases):
        for case in cases:
            slots.add(case, setup, each)
        return
    for number in range(1, planned - slots.total(setup) + 1):
        slots.add(f"(not named {number})", setup, 1)


def _manifest(table: _Table, slots: Slots, name: str, origin: str) -> Manifest:
    infos = []
    for case in slots.cases():
        said = {label: value for label, (value, _) in table.labels.get(case, {}).items()}
        cluster = said.pop("cluster", None)
        fields = {label: said.pop(label) for label in LABELS if label in said}
        tags = tuple(label if value == "true" else f"{label}:{value}" for label, value in said.items())
        labels = Labels(tags=tags, **fields)
        infos.append(CaseInfo(id=case, hash=NO_CONTENT, brief_hash=content_hash(case), labels=labels, cluster=cluster))
    return Manifest(
        harness="",
        grader=GRADER,
        suite=name,
        suite_version=content_hash(sorted(case.id for case in infos)),
        setups={setup: {} for setup in slots.setups()},
        cases=tuple(infos),
        planned=slots.planned(),
        origin=origin,
    )


def _trial(row: Row, key: TrialKey, tries: int, hashes: dict[str, str]) -> tuple[Trial, Scorecard]:
    tokens = row.input_tokens is not None and row.output_tokens is not None
    head = TrialHead(
        key=key,
        seed=0,
        ending=row.ending,
        wall_ms=row.latency_ms or 0.0,
        spend=Spend(
            usd=row.usd,
            usd_complete=row.usd is not None,
            input_tokens=row.input_tokens,
            output_tokens=row.output_tokens,
            tokens_complete=tokens,
        ),
        case_hash=hashes[key.case],
        tries=tries,
        imported=row.verdict if row.stated else None,
    )
    return Trial(head=head, body=TrialBody()), _card(row, head)


def _card(row: Row, head: TrialHead) -> Scorecard:
    """The verdict with what the row says of it. A kind is there only where the ending names one."""
    why = f"line {row.line} says so" if row.stated else f"line {row.line} gives no verdict; the ending is {row.ending.value}"
    grade = graded("imported verdict", row.verdict, why=why, kind=KIND_BY_ENDING.get(row.ending))
    if row.ending not in KIND_BY_ENDING:
        grade.kind, grade.fix = None, ""
    if row.severe:
        grade.severity = "critical"
    card = card_of(head, [grade], GRADER)
    card.severe = row.severe or 0
    return card
