"""The judges of a suite, opened: their rubric, their models, the answers that are kept, and how each stands today.

A judge that no check of these cases names is not opened. Kept out: what a judge does (`judges/`), and who waits for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Semaphore
from typing import TYPE_CHECKING, Any

from fairtrial.cases.judges import by_word, form_of, models_of, rubric_of
from fairtrial.graders.contract import own_first
from fairtrial.graders.judge import judges_in
from fairtrial.judges.judge import Judge
from fairtrial.judges.opinion import Terms
from fairtrial.models.model import origin_of
from fairtrial.models.open import open_model
from fairtrial.models.turns import Queued
from fairtrial.plugins import load
from fairtrial.records.errors import FairtrialError, InputErrors, placed
from fairtrial.study.standing import standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fairtrial.graders.contract import Ask
    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.opinion import Matter, Opinion
    from fairtrial.records.rubric import Rubric
    from fairtrial.records.run import Planned
    from fairtrial.records.standing import Standing
    from fairtrial.records.suite import Suite
    from fairtrial.store.sql import Store


@dataclass(frozen=True)
class Seated:
    """A judge with its standing, as the graders ask it."""

    judge: Judge
    standing: Standing

    @property
    def name(self) -> str:
        return self.judge.name

    @property
    def identity(self) -> str:
        return self.judge.identity

    @property
    def rubric(self) -> Rubric:
        return self.judge.rubric

    @property
    def calls(self) -> int:
        return len(self.judge.models) * self.judge.terms.repeats

    def opinion(self, matter: Matter) -> Opinion:
        return self.judge.opinion(matter)


def judges_of(suite: Suite, cases: Iterable[Case], store: Store) -> dict[str, Ask]:
    """By every word that a check may call them by. Raises InputErrors where a rubric or a model of one cannot be opened."""
    if not judges_in(_checks(suite, cases)):
        return {}
    found: dict[str, Ask] = {}
    errors: list[FairtrialError] = []
    for name in suite.judges:
        try:
            found[name] = _seated(suite, name, store)
        except InputErrors as several:
            errors += several.errors
        except FairtrialError as error:
            errors.append(error)
    if errors:
        raise InputErrors(errors)
    return {word: found[name] for word, name in by_word(suite.judges).items()}


def _checks(suite: Suite, cases: Iterable[Case]) -> list[Check]:
    parts = [(*case.key.must, *case.key.must_not, *case.key.limits, *_of_parts(case)) for case in cases]
    return [*suite.checks, *(check for checks in parts for check in checks)]


def _of_parts(case: Case) -> list[Check]:
    return [check for part in case.key.subtasks for check in part.checks]


def _seated(suite: Suite, name: str, store: Store) -> Seated:
    judge = open_judge(suite, name, store)
    bar = form_of(suite.judges, name).bar
    told = standing((name, judge.identity), parts_of(judge), suite.name, bar, store.exams.of(name))
    return Seated(judge, told)


def open_judge(suite: Suite, name: str, store: Store) -> Judge:
    """A judge of the suite, by its name. Raises InputErrors where its rubric or a model of it cannot be opened."""
    form = form_of(suite.judges, name)
    named = models_of(form)
    own_first(suite.folder, [model.split(":")[1] for model in named if model.startswith("python:")])

    def found(target: str) -> Any:
        return load(target, what=f"the model of judge {name!r}")

    with placed(suite.path):
        rubric = rubric_of(suite, name)
        models = [open_model(model, found, suite.prices, patient=True) for model in named]
        if form.at_once:
            turns = Semaphore(form.at_once)
            models = [Queued(model, turns) for model in models]
        terms = Terms(repeats=form.repeats, quorum=form.quorum or None, spread=form.spread, timeout_s=form.timeout_s)
        return Judge(name, rubric, models, terms, store.answers)


def parts_of(judge: Judge) -> dict[str, str]:
    """What makes a judge the one it is, by name: so that a later change can be called by it."""
    origin = ", ".join(origin_of(model) for model in judge.models)
    return {**named_parts(judge.rubric, [model.name for model in judge.models], judge.terms), "origin": origin}


def named_parts(rubric: Rubric, models: Sequence[str], terms: Terms) -> dict[str, str]:
    """The same of a judge that is not opened, so that nobody knows who answers for its models."""
    return {
        "model": ", ".join(models),
        "rubric": rubric.hash,
        "repeats": str(terms.repeats),
        "quorum": str(terms.needed(len(models))),
        "spread": str(terms.spread.normalize()),
    }


def told(suite: Suite, judges: Mapping[str, Ask]) -> dict[str, Any]:
    """The judges of a run as its manifest tells them: what each is, and how it stood when the run began."""
    return {
        name: {
            "identity": judges[name].identity,
            "rubric": form_of(suite.judges, name).rubric,
            "rubric_hash": judges[name].rubric.hash,
            "model": ", ".join(models_of(form_of(suite.judges, name))),
            "repeats": form_of(suite.judges, name).repeats,
            "scale": [float(end) for end in judges[name].rubric.scale],
            "passes": float(judges[name].rubric.passes),
            "bar": dict(judges[name].standing.bar),
            "standing": judges[name].standing.state,
        }
        for name in suite.judges
        if name in judges
    }


def most_calls(suite: Suite, judges: Mapping[str, Ask], cases: Iterable[Case], planned: Iterable[Planned]) -> int:
    """Calls to models that the judging of a plan may take, where no reply has to be asked for again."""
    each = {case.id: sum(ask.calls for ask in {judges[word].name: judges[word] for word in _words(suite, case)}.values()) for case in cases}
    return sum(each.get(plan.case, 0) * plan.attempts for plan in planned)


def _words(suite: Suite, case: Case) -> list[str]:
    of_suite = judges_in(suite.checks) if case.labels.tier != "unit" else []
    return [*of_suite, *judges_in([*case.key.must, *case.key.must_not, *case.key.limits, *_of_parts(case)])]
