"""How the judges of a run stand today, for whatever shows their figures: an exam has an age, and may have come after the verdicts.

Kept out: what an exam is worth (`study/standing.py`), and what was in force when the verdicts were made (the run's manifest and the
version of its graders).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.cases.judges import form_of
from fairtrial.records.errors import FairtrialError, StoreError
from fairtrial.records.standing import Standing
from fairtrial.steps.judges import open_judge, parts_of
from fairtrial.steps.withdrawn import Today
from fairtrial.store.location import find_store
from fairtrial.store.sql import Store
from fairtrial.study.standing import standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairtrial.records.suite import Suite
    from fairtrial.study.table import Table

KEPT = ("n", "positive", "agreement", "kappa", "precision", "recall", "specificity", "f1", "by_severity")
"""The figures of an exam that go along with a run's report."""


def of_run(store: Store, table: Table) -> dict[str, Standing]:
    """By name the judges that a run has heard, each as the one that gave its verdicts."""
    today = Today(store, table.run, table.manifest)
    found: dict[str, Standing] = {}
    for lane in table.lanes.values():
        for name, heard in lane.opinions.judges.items():
            told = today.stands(name, next(iter(heard.identities), ""))
            found[name] = msgspec.structs.replace(told, figures={key: told.figures[key] for key in KEPT if key in told.figures})
    return found


def judges_that_decide_nothing(suite: Suite, url: str | None) -> list[str]:
    """What is to be told of the judges of a suite that miss its bar as they stand. One that cannot be opened is told elsewhere."""
    if not any(form_of(suite.judges, name).bar for name in suite.judges):
        return []
    try:
        with Store.open(find_store(suite.folder, url), create=False) as store:
            return list(notes({one.judge: one for one in _barred(suite, store)}))
    except StoreError:  # nothing was run yet, nor any exam sat
        barred = [standing((name, ""), {}, suite.name, form_of(suite.judges, name).bar, []) for name in suite.judges]
        return list(notes({one.judge: one for one in barred if not one.counts}))


def _barred(suite: Suite, store: Store) -> Iterator[Standing]:
    for name in suite.judges:
        bar = form_of(suite.judges, name).bar
        try:
            judge = open_judge(suite, name, store)
        except FairtrialError:
            continue
        told = standing((name, judge.identity), parts_of(judge), suite.name, bar, store.exams.of(name))
        if not told.counts:
            yield told


def since(table: Table, standings: Mapping[str, Standing]) -> Iterator[str]:
    """What has changed for a judge since the verdicts were made, so that grading again would come to something else."""
    for name, told in standings.items():
        barred = any(lane.opinions.judges[name].unfit for lane in table.lanes.values() if name in lane.opinions.judges)
        if barred and told.counts:
            yield f"{told.why}; it decides nothing here yet: fairtrial grade {table.run} lets it, without a call"
    yield from table.withdrawn.values()


def notes(standings: Mapping[str, Standing]) -> Iterator[str]:
    """What a decision must say of the judges that it rests on."""
    for told in standings.values():
        yield told.why if told.counts else f"{told.why}; its verdicts decide nothing: {told.mend}"
