"""What a release is decided on: the candidate's lanes and the baseline's, and the cases that a gate looks at.

Cases of tier unit are tried once for all setups, under a setup of their own: they belong to every candidate. Kept out: the
gates themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.decision import Attempt
from fairtrial.records.policy import within
from fairtrial.records.setup import UNIT
from fairtrial.study.bounds import Part
from fairtrial.study.pairing import pair
from fairtrial.study.until import stopped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairtrial.records.policy import Gate
    from fairtrial.study.humanscore import People
    from fairtrial.study.lane import Lane
    from fairtrial.study.pairing import Pairing
    from fairtrial.study.watched import WatchedTable


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """A setup of a run."""

    table: WatchedTable
    setup: str
    people: Mapping[str, People] = {}
    """By setup what people's labels say of its trials."""

    @property
    def lane(self) -> Lane:
        return self.table.lanes[self.setup]

    @property
    def name(self) -> str:
        return f"{self.table.run}:{self.setup}"

    @property
    def mend(self) -> str:
        """What finishes a run, as the end of a sentence; nothing for a table from elsewhere."""
        if self.table.manifest.origin != "run":
            return ""
        if stopped(self.table):
            return "; its rule stopped the run; run the suite to its end"
        return f"; finish the run: fairtrial run --resume {self.table.run}"

    @property
    def lanes(self) -> list[Lane]:
        """The setup's lane, and that of the functions that were tried beside it."""
        return [self.table.lanes[name] for name in dict.fromkeys((self.setup, UNIT)) if name in self.table.lanes]


class Past(msgspec.Struct, kw_only=True):
    """What came before: earlier runs of the same version, newest first, and what the suite or the policy has lost since any run.

    `notes` is what must be told of it beside that.
    """

    attempts: list[Attempt] = []
    losses: list[str] = []
    notes: list[str] = []
    opened: list[str] = []
    """Held-out cases that somebody has looked at, so that no score over them is unseen."""


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """One candidate, its baseline (None where there is none), and how sure its bounds have to be."""

    candidate: Side
    baseline: Side | None
    confidence: float

    def rows(self, lane: Lane, gate: Gate) -> list[int]:
        """The cases of a lane that a gate looks at."""
        return [row for row, case in enumerate(lane.cases) if within(case.labels, gate.part)]

    def values(self, label: str) -> list[str]:
        """The values that the cases have of a label."""
        cases = [case for lane in self.candidate.lanes for case in lane.cases]
        found = [one for case in cases for one in (case.labels.tags if label == "tag" else [getattr(case.labels, label)])]
        return sorted({str(one) for one in found if one})

    def counted(self, gate: Gate) -> list[Part]:
        """All that a count looks at, lane by lane."""
        return [self._part(lane, self.rows(lane, gate)) for lane in self.candidate.lanes]

    def estimated(self, gate: Gate) -> Part:
        """What an estimate looks at: the candidate's own cases, or the functions where the slice asks for those."""
        lanes = self.candidate.lanes
        lane = lanes[-1] if gate.part.get("tier") == UNIT else lanes[0]
        return self._part(lane, self.rows(lane, gate))

    def _part(self, lane: Lane, rows: list[int]) -> Part:
        watch = self.candidate.table.watches[lane.setup]
        return Part(lane=lane, watch=watch, rows=rows, confidence=self.confidence)

    def pairing(self) -> Pairing | None:
        """The cases that candidate and baseline share."""
        return None if self.baseline is None else pair(self.baseline.lane, self.candidate.lane)

    def shared(self, gate: Gate, pairing: Pairing) -> tuple[list[int], list[int]]:
        """Rows of the baseline and of the candidate over the shared cases that a gate looks at."""
        both = zip(pairing.base_rows, pairing.new_rows, strict=True)
        kept = [(a, b) for a, b in both if within(self.candidate.lane.cases[b].labels, gate.part)]
        return [a for a, _ in kept], [b for _, b in kept]
