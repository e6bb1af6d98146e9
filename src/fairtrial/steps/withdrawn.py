"""Whether what a judge said counts today: asked in one place, wherever the trials of a run are read.

Standings change after a run was graded: a later exam is failed, the suite's bar grows stricter, the judge becomes another. A verdict
that counted then and does not today is read as UNKNOWN; one that did not count then stays so until the run is graded again. Nothing
stored is changed, no model is asked and no code of the suite's opened. Kept out: what a standing follows from (`study/standing.py`).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar, cast

import msgspec

from fairtrial.cases.judges import models_of, stated_judges
from fairtrial.cases.load import case_from_raw
from fairtrial.cases.rubric import read_rubric
from fairtrial.graders.fold import fold
from fairtrial.graders.judge import judges_in
from fairtrial.graders.resting import BOTH, JUDGE
from fairtrial.judges.opinion import Terms
from fairtrial.records.errors import FairtrialError
from fairtrial.records.grade import CardGlance, Scorecard
from fairtrial.records.verdict import Verdict
from fairtrial.steps.judges import named_parts
from fairtrial.study.standing import standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from fairtrial.cases.suiteforms import JudgeForm
    from fairtrial.records.grade import Grade
    from fairtrial.records.run import Manifest
    from fairtrial.records.standing import Standing
    from fairtrial.records.trial import HeadGlance, TrialKey
    from fairtrial.store.sql import Store

    Head = TypeVar("Head", bound=HeadGlance)
    Card = TypeVar("Card", bound=CardGlance)


class Today:
    """The judges of a run as they stand now. `withdrawn`: by name those whose verdicts were taken back on the way, and why."""

    def __init__(self, store: Store, run: str, manifest: Manifest) -> None:
        self._store, self._run, self._manifest = store, run, manifest
        self.withdrawn: dict[str, str] = {}
        self._told: dict[tuple[str, str], Standing] = {}
        self._forms: dict[str, JudgeForm] | None = None
        self._raws: dict[str, dict[str, Any]] | None = None
        self._parts: dict[str, frozenset[str]] = {}

    def rows(self, found: Iterable[tuple[Head, Card | None]]) -> Iterator[tuple[Head, Card | None]]:
        """Heads with their cards, as these count today."""
        for head, card in found:
            yield head, card if card is None else self.card(head.key, card)

    def card(self, key: TrialKey, card: Card) -> Card:
        """A scorecard as it counts today: itself, where no judge has lost its standing."""
        if not isinstance(card, Scorecard):
            barred = self._barred(card.judged) if card.judged else {}
            return msgspec.structs.replace(card, verdict=Verdict.UNKNOWN, severe=0, judged={}) if barred else card
        if not card.opinions and not card.judged:
            return card
        heard = {opinion.judge: opinion.identity for opinion in card.opinions}
        barred = self._barred({name: one for name, one in {**card.judged, **heard}.items() if name not in card.unfit})
        return cast("Card", self._taken_back(key, card, barred)) if barred else card

    def stands(self, name: str, identity: str) -> Standing:
        """How a judge stands whose verdicts are of an `identity`; where that is not known, it is the run's. It stands no better than
        the judge that bears its name in the suite today."""
        found = self._told.get((name, identity))
        if found is None:
            found = self._told[(name, identity)] = self._standing(name, identity)
        return found

    def _standing(self, name: str, identity: str) -> Standing:
        stated = (self._manifest.settings.get("judges") or {}).get(name) or {}
        form = self._stated().get(name)
        bar = dict(stated.get("bar") or {}) if form is None else form.bar
        known = {"model": stated.get("model"), "rubric": stated.get("rubric_hash"), "repeats": stated.get("repeats")}
        parts = {part: str(value) for part, value in known.items() if value is not None}
        sittings = self._store.exams.of(name)
        told = standing((name, identity or stated.get("identity", "")), parts, self._manifest.suite, bar, sittings)
        now = self._now(form) if form is not None and bar and told.counts else None
        alike = [one.identity for one in sittings if now is not None and now.items() <= one.parts.items()]
        if now is None or told.identity in alike:
            return told
        today = standing((name, alike[-1] if alike else ""), now, self._manifest.suite, bar, sittings)
        return told if today.counts else today

    def _now(self, form: JudgeForm) -> dict[str, str] | None:
        """What makes a judge of the suite as it is written the one it is; None where its rubric cannot be read."""
        try:
            rubric = read_rubric(form.rubric, os.path.dirname(self._manifest.suite_path))
        except FairtrialError:
            return None
        terms = Terms(repeats=form.repeats, quorum=form.quorum or None, spread=form.spread, timeout_s=form.timeout_s)
        return named_parts(rubric, models_of(form), terms)

    def _stated(self) -> dict[str, JudgeForm]:
        """The judges of the suite as it is written today; none where it is gone or cannot be read, and then the run's own count."""
        if self._forms is None:
            try:
                self._forms = stated_judges(self._manifest.suite_path) if os.path.isfile(self._manifest.suite_path) else {}
            except FairtrialError:
                self._forms = {}
        return self._forms

    def _barred(self, heard: Mapping[str, str]) -> dict[str, str]:
        found = {}
        for name, identity in heard.items():
            told = self.stands(name, identity)
            if not told.counts:
                found[name] = f"{told.why}; its verdicts counted when they were given and are UNKNOWN today: fairtrial grade {self._run}"
        self.withdrawn |= found
        return found

    def _taken_back(self, key: TrialKey, card: Scorecard, barred: Mapping[str, str]) -> Scorecard:
        grades = [_opened(grade, barred) for grade in card.grades]
        verdict, cards, severe = fold(grades)
        parts = self._judged_parts(key.case) if card.subtasks else frozenset()
        return msgspec.structs.replace(
            card,
            verdict=Verdict.UNKNOWN if card.judged else verdict,
            severe=severe,
            cards=cards,
            grades=grades,
            subtasks={name: Verdict.UNKNOWN if name in parts else told for name, told in card.subtasks.items()},
            unfit={**card.unfit, **barred},
            judged={},
        )

    def _judged_parts(self, case: str) -> frozenset[str]:
        """The parts of a case that a judge has a word in."""
        if self._raws is None:
            self._raws = self._store.case_raw(self._run)
        if case not in self._parts:
            raw = self._raws.get(case)
            parts = case_from_raw(raw, case).key.subtasks if raw and "task" in raw else ()
            self._parts[case] = frozenset(part.id for part in parts if judges_in(part.checks))
        return self._parts[case]


def _opened(grade: Grade, barred: Mapping[str, str]) -> Grade:
    """A grade that a barred judge had a word in, as UNKNOWN; where it is not known which judge spoke, any may have."""
    if grade.source not in (JUDGE, BOTH) or grade.verdict is Verdict.UNKNOWN:
        return grade
    path = (grade.evidence.path if grade.evidence else None) or ""
    name = path.removeprefix("opinions.")
    if grade.source == JUDGE and name != path and name not in barred:
        return grade
    why = barred.get(name) or next(iter(barred.values()))
    return msgspec.structs.replace(grade, verdict=Verdict.UNKNOWN, why=why, fix="", kind=None, excused=False, aside=False)
