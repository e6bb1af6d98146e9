"""The trials of a run as items of a review, and what people's labels say of each: the truth that judges are measured against.

Kept out: the queue (`reviewing.py`), and what a score comes to (`study/humanscore.py`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from fairtrial.records.errors import InputError, nearest, unknown_name
from fairtrial.records.review import JUDGE, TRIAL
from fairtrial.records.text import encode, reread
from fairtrial.study.ambiguity import ambiguous
from fairtrial.study.humanscore import People, people_of
from fairtrial.study.reviewitem import asks_hash, item_id, reviewable
from fairtrial.study.settled import settle

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from fairtrial.records.health import Ambiguity
    from fairtrial.records.label import Label
    from fairtrial.records.run import Run
    from fairtrial.records.suite import Suite
    from fairtrial.records.trial import TrialBody, TrialHead, TrialKey
    from fairtrial.records.verdict import Verdict
    from fairtrial.store.sql import Store
    from fairtrial.study.settled import Settled
    from fairtrial.study.table import Table


class Found(NamedTuple):
    """A stored trial with what identifies it for a review; `item` is empty where there is nothing to look at."""

    head: TrialHead
    body: TrialBody
    item: str
    asks: str


def truth(store: Store, run_id: str, question: str = TRIAL) -> dict[TrialKey, Verdict | None]:
    """The settled human label of each trial that has labels, from labels that still fit trial and question: who settled it, else what
    most people say. None for a tie, a difference that nobody settled, and fewer than two people. A trial without any is left out."""
    return {key: settled.label for key, settled in settled_trials(store, run_id, question).items()}


def settled_trials(store: Store, run_id: str, question: str = TRIAL) -> dict[TrialKey, Settled]:
    """As `truth`, with how each label came about."""
    asked = store.labels.asked()
    if not asked:
        return {}
    run = store.run(run_id)
    rounds, given = store.labels.rounds(), store.labels.given()
    found = {}
    for one in items(store, run, question, asked):
        if labels := [label for label in given.get(one.item, ()) if label.round == rounds.get(one.item)]:
            found[one.head.key] = settle(labels)
    return found


def items(store: Store, run: Run, question: str, asked: Collection[str] | None = None) -> Iterator[Found]:
    """Every stored trial of a run as an item of a question; of cases that ask one of `asked` only, where that is given."""
    raws = store.case_raw(run.id)
    asks = {info.id: asks_hash(info.id, raws.get(info.id)) for info in run.manifest.cases}
    rubrics, other = _rubrics(store, run, question)
    for head, body in store.bodies(run.id):
        ours = asks.get(head.key.case) or asks_hash(head.key.case, raws.get(head.key.case))
        if asked is not None and ours not in asked:
            continue
        told = {"question": TRIAL} if question == TRIAL else {"rubric": rubrics.get(head.key, other)}
        fits = reviewable(head, body, run.manifest.origin) and all(told.values())
        yield Found(head, body, item_id(told, ours, head, body) if fits else "", ours)


def _rubrics(store: Store, run: Run, question: str) -> tuple[dict[TrialKey, str], str]:
    """(the rubric's hash by trial, that of trials which the judge was not asked about: nothing, where it was asked about none). Raises
    InputError for a question that there cannot be."""
    if question == TRIAL:
        return {}, ""
    name = question.removeprefix(JUDGE)
    if not question.startswith(JUDGE) or not name:
        mend = f"did you mean {near!r}?" if (near := nearest(question, [TRIAL])) else "name the judge, as in judge:quality"
        raise InputError("no such question", value=question, allowed=f"{TRIAL}, or {JUDGE}NAME", mend=mend)
    found = {
        head.key: opinion.rubric
        for head, card in store.rows(run.id)
        for opinion in ([] if card is None else card.opinions)
        if opinion.judge == name
    }
    return found, Counter(found.values()).most_common(1)[0][0] if found else ""


def rubric_of(store: Store, run: Run, question: str) -> str:
    """The hash of the rubric that a question is about; nothing for the question of the trial. Raises InputError where the judge has said
    nothing in the run, for then it is not known what its rubric asked."""
    if question == TRIAL:
        return ""
    _, rubric = _rubrics(store, run, question)
    if not rubric:
        judges = sorted({opinion.judge for _, card in store.rows(run.id) if card is not None for opinion in card.opinions})
        raise unknown_name("no such judge has said anything in this run", question.removeprefix(JUDGE), judges)
    return rubric


def reviewed_apart(store: Store, suite: Suite) -> tuple[int, list[Ambiguity]]:
    """(trials of the suite's cases as they are now that two people looked at, cases at which they saw the same trial differently)."""
    given = store.labels.given()
    if not given:
        return 0, []
    asks = {case.id: asks_hash(case.id, reread(store.redactor.redact_json(encode(case.raw)))) for case in suite.cases}
    lines = {line.item: line.key.case for line in store.labels.lines() if asks.get(line.key.case) == line.asks and line.question == TRIAL}
    rounds = store.labels.rounds()
    said = {item: [label for label in given.get(item, ()) if label.round == rounds[item]] for item in lines}
    two = [item for item, labels in said.items() if len({label.person for label in labels}) > 1]
    found = [one for item in two for one in ambiguous(_blind(lines[item], said[item]), [lines[item]])]
    return len(two), found


def _blind(case: str, labels: Sequence[Label]) -> list[tuple[str, str, str]]:
    return [(case, label.rater, label.label.value) for label in labels if label.blind]


def scored(store: Store, table: Table) -> dict[str, People]:
    """By setup what people's labels say of its trials; of setups of which no trial has a label, nothing."""
    settled = settled_trials(store, table.run)
    if not settled:
        return {}
    sampled = {line.key for line in store.labels.lines(table.run) if line.reason == "sample" and line.question == TRIAL}
    sound = store.keys_done(table.run, faulted=False)
    setups = {key.setup for key in settled}
    return {name: people_of(lane, settled, sampled, sound) for name, lane in table.lanes.items() if name in setups}
