"""A judge asked for its exam: about the stored trials that the items name, and about the same in other forms, for the probes.

Kept out: marking what it says (`study/exam.py`), and keeping the exam (`exams.py`).
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fairtrial.cases.load import case_from_raw
from fairtrial.graders.contract import Contract
from fairtrial.graders.ground import Ground
from fairtrial.graders.matter import matter_of
from fairtrial.graders.view import View
from fairtrial.judges.judge import Judge
from fairtrial.judges.probes import PROBES
from fairtrial.records.errors import FairtrialError
from fairtrial.records.rating import Rating
from fairtrial.records.setup import Seat
from fairtrial.records.trial import Trial, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.steps.known import cover_of
from fairtrial.study.examprobes import FAMILY, flips_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.exam import Flips
    from fairtrial.records.opinion import Matter, Opinion
    from fairtrial.records.run import Run
    from fairtrial.records.suite import Suite
    from fairtrial.store.sql import Store

AT_ONCE = 64
"""Trials that a judge is asked about at once."""


def family_of(model: str) -> str:
    """The letters that a model's own name begins with: `gpt` of `openai:gpt-5-mini@http://…`. Empty for a function of the suite's."""
    if model.startswith("python:"):
        return ""
    named = re.match(r"[a-z]+", re.split(r"[:/]", model.partition("@")[0])[-1].lower())
    return named.group() if named else ""


class Asked(NamedTuple):
    """One item that is a stored trial: what a judge sees of it, and the case that it belongs to."""

    item: str
    case: str
    matter: Matter


class Asking:
    """A judge of a suite, and the trials of a store that it can be asked about."""

    def __init__(self, suite: Suite, judge: Judge, store: Store) -> None:
        self.judge = judge
        self._suite, self._store = suite, store
        self._runs: dict[str, tuple[Run, dict[str, Case]]] = {}
        self._queued: dict[str, tuple[str, TrialKey]] | None = None
        self._named: dict[str, str | None] = {}

    def missing(self, ratings: Sequence[Rating]) -> list[str]:
        """The items of a file of which it has no word of this judge as it is today."""
        own = {one.item for one in ratings if one.rater == self.judge.name and one.version in (None, self.judge.identity) and one.label}
        return [item for item in dict.fromkeys(one.item for one in ratings) if item not in own]

    def matters(self, items: Iterable[str]) -> list[Asked]:
        """What the judge is shown of those items that are stored trials; others are left out."""
        return [found for item in items if (found := self._matter(item)) is not None]

    def kin(self, ratings: Sequence[Rating]) -> tuple[str, list[Rating]]:
        """(the family of the judge's model, the ratings with that of each item's agent), as far as models are stated; "" and
        nothing added where the judge's is not known, or it has several. What the file says itself stands."""
        own = {family_of(model.name) for model in self.judge.models}
        if len(own) != 1 or own == {""}:
            return "", list(ratings)
        found = {item: self._family(item) for item in {one.item for one in ratings}}
        return own.pop(), [msgspec.structs.replace(one, slice=found[one.item] | one.slice) for one in ratings]

    def _family(self, item: str) -> dict[str, str]:
        """The slice that says it; nothing where the item is no stored trial, or its setup states no model."""
        place = self._place(item)
        setup = self._run(place[0])[0].manifest.setups.get(place[1].setup) if place else None
        name = family_of(str((setup or {}).get("model") or ""))
        return {FAMILY: name} if name else {}

    def ratings(self, asked: Sequence[Asked], words: Mapping[str, str]) -> list[Rating]:
        """What it says of each, its verdicts in the `words` that people use. One that it does not come to is a word of its own: UNKNOWN."""
        said = self._opinions(self.judge, [one.matter for one in asked])
        name, identity = self.judge.name, self.judge.identity
        return [
            Rating(
                item=one.item, rater=name, label=words.get(opinion.verdict.value, opinion.verdict.value), cluster=one.case, version=identity
            )
            for one, opinion in zip(asked, said, strict=True)
        ]

    def probes(self, asked: Sequence[Asked]) -> list[Flips]:
        """Each probe over all items: how many verdicts change."""
        before = [opinion.verdict for opinion in self._opinions(self.judge, [one.matter for one in asked])]
        return [flips_of(name, [one.case for one in asked], before, self._under(name, asked)) for name in PROBES]

    def _under(self, probe: str, asked: Sequence[Asked]) -> list[Verdict | None]:
        """The verdicts under one probe; None where it has nothing to change."""
        found: list[Verdict | None] = [None] * len(asked)
        changed = {place: made for place, one in enumerate(asked) if (made := PROBES[probe](self.judge.rubric, one.matter)) is not None}
        if changed:
            rubric = next(iter(changed.values()))[0]
            other = Judge(self.judge.name, rubric, self.judge.models, self.judge.terms, self._store.answers)
            said = self._opinions(other, [matter for _, matter in changed.values()])
            for place, opinion in zip(changed, said, strict=True):
                found[place] = opinion.verdict
        return found

    def _opinions(self, judge: Judge, matters: Sequence[Matter]) -> list[Opinion]:
        try:
            with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
                return list(pool.map(judge.opinion, matters))
        finally:
            self._store.answers.flush()

    def _matter(self, item: str) -> Asked | None:
        place = self._place(item)
        if place is None:
            return None
        name, key = place
        run, cases = self._run(name)
        if key.case not in cases or not self._store.keys_done(run.id) >= {key}:
            return None
        trial = self._store.trial(run.id, key)
        seat = next((seat for seat in run.manifest.seats if seat.setup == key.setup), Seat(setup=key.setup))
        contract = Contract(handoffs=self._suite.handoffs, seat=seat, origin=run.manifest.origin, cover=cover_of(self._store))
        whole = Trial(head=trial.head, body=trial.body, base=self._store.starts.base(run.id, trial.body))
        return Asked(item, key.case, matter_of(View(whole, Ground(cases[key.case], contract)), self.judge.rubric))

    def _run(self, name: str) -> tuple[Run, dict[str, Case]]:
        if name not in self._runs:
            run = self._store.run(name)
            raws = self._store.case_raw(run.id).items()
            self._runs[name] = run, {case: case_from_raw(raw, case) for case, raw in raws if raw and "task" in raw}
        return self._runs[name]

    def _place(self, item: str) -> tuple[str, TrialKey] | None:
        """The trial that an item names: one of the queue for people, or RUN/SETUP/CASE/ATTEMPT."""
        if self._queued is None:
            self._queued = {line.item: (line.run, line.key) for line in self._store.labels.lines()}
        if item in self._queued:
            return self._queued[item]
        parts = item.split("/")
        if len(parts) < 4 or not parts[-1].isdigit():
            return None
        if parts[0] not in self._named:
            try:
                self._named[parts[0]] = self._store.run(parts[0]).id
            except FairtrialError:
                self._named[parts[0]] = None
        run = self._named[parts[0]]
        return None if run is None else (run, TrialKey("/".join(parts[2:-1]), parts[1], int(parts[-1])))
