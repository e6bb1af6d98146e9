"""What is known of the errors of the judges that a run's verdicts rest on, put beside its trials before anything is read from them.

Labels count where they are a fair sample of the setup's judged trials: all of them, or those that were drawn at random. Trials that
were queued for a reason, such as a quarrel of judge and code, are where judges err most. Kept out: what corrected figures come to
(`study/corrected.py`), how exams are sat and trials are labelled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.moment import moment
from fairtrial.records.review import JUDGE, TRIAL
from fairtrial.records.verdict import Verdict
from fairtrial.steps.truths import truth
from fairtrial.study.calibration import Calibration, errors_of
from fairtrial.study.codes import PASS
from fairtrial.study.corrected import labelled
from fairtrial.study.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fairtrial.records.trial import TrialKey
    from fairtrial.store.sql import Store
    from fairtrial.study.calibration import Errors
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

SAMPLE = "sample"
"""The reason of a trial that was drawn at random for people to look at."""


def calibrate(store: Store, table: Table, runs: Mapping[TrialKey, str] | None = None) -> None:
    """Gives every setup whose verdicts rest on a judge what people and its exam say of it; costs nothing where none does. `runs`: the run
    that each trial lies in, where the table is of several."""
    lanes = [lane for lane in table.lanes.values() if lane.judges]
    if not lanes:
        return
    names = {name for lane in lanes for name, identity in lane.judges if identity}
    each = [table.run] if runs is None else list(dict.fromkeys(runs.values()))
    queued = [line for run in each for line in store.labels.lines(run) if runs is None or runs.get(line.key) == run]
    asked = {line.question for line in queued}
    questions = [*(f"{JUDGE}{name}" for name in names if len(names) == 1), TRIAL]
    people = {question: _settled(store, each, question, runs) for question in questions if question in asked}
    chosen = {(line.question, line.key) for line in queued if line.reason == SAMPLE}
    for lane in lanes:
        every = _said(lane, people)
        drawn = _said(
            lane, {question: {key: told for key, told in said.items() if (question, key) in chosen} for question, said in people.items()}
        )
        lane.calibration = _calibration(store, lane, every, drawn)
        if sum(map(len, lane.calibration.labels.values())) < sum(lane.judged):
            lane.calibration = msgspec.structs.replace(lane.calibration, unsettled=_unsettled(lane, {key for _, key in chosen}, drawn))


def _settled(store: Store, each: Iterable[str], question: str, runs: Mapping[TrialKey, str] | None) -> dict[TrialKey, Verdict | None]:
    """What people settled of the trials of these runs."""
    found: dict[TrialKey, Verdict | None] = {}
    for run in each:
        found |= {key: told for key, told in truth(store, run, question).items() if runs is None or runs.get(key) == run}
    return found


def _said(lane: Lane, people: dict[str, dict[TrialKey, Verdict | None]]) -> dict[tuple[str, int], bool]:
    """What people settled of a setup's trials, by case and attempt. That it cannot be told is no success; a tie is no label. What they
    say of the whole trial goes before what they say to a judge's question."""
    found = {}
    for said in people.values():
        for key, told in said.items():
            if key.setup == lane.setup and told is not None:
                found[(key.case, key.attempt)] = told is Verdict.PASS
    return found


def _unsettled(lane: Lane, chosen: set[TrialKey], drawn: dict[tuple[str, int], bool]) -> dict[int, list[bool]]:
    """By row what the judge said of the drawn trials that rest on it and have no settled label."""
    found: dict[int, list[bool]] = {}
    for key in chosen:
        row = lane.rows.get(key.case) if key.setup == lane.setup and (key.case, key.attempt) not in drawn else None
        slot = None if row is None else lane.slot(row, key.attempt)
        if row is not None and slot is not None and lane.judged[slot]:
            found.setdefault(row, []).append(lane.verdicts[slot] == PASS)
    return found


def _calibration(store: Store, lane: Lane, every: dict[tuple[str, int], bool], drawn: dict[tuple[str, int], bool]) -> Calibration:
    errors, why = _errors(store, lane)
    labels = labelled(lane, every)
    known = sum(map(len, labels.values()))
    if known < sum(lane.judged):
        labels = labelled(lane, drawn)
        left = known - sum(map(len, labels.values()))
        if left:
            told = f"{count(left, 'label')} on trials that were not drawn at random say nothing of the others"
            why = f"{told}; {why}" if why else told
    return Calibration(labels=labels, errors=errors, why=why)


def _errors(store: Store, lane: Lane) -> tuple[Errors | None, str]:
    """Those of the one judge that the verdicts rest on, or why none are known."""
    names, identities = ({one[place] for one in lane.judges} for place in (0, 1))
    named = " and ".join(sorted(names))
    if len(names) > 1:
        return None, f"{named} decide together, and an exam is of one judge"
    if "" in identities:
        return None, f"what counts is not the very verdict of {named} (turned round, in a group, or at another bar), which no exam measured"
    if len(identities) > 1:
        return None, f"{named} changed between these trials"
    sittings = store.exams.of(next(iter(names)))
    own = [one for one in sittings if one.identity in identities]
    if not own:
        last = f" as it is: its exam of {moment(sittings[-1].at_ns)[:10]} was of another" if sittings else ""
        return None, f"{named} was never examined{last}"
    day = moment(own[-1].at_ns)
    found = errors_of(own[-1], day)
    return found, "" if found else f"the exam of {named} of {day[:10]} tells no errors with an interval"
