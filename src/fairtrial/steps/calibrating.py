"""What is known of the errors of the judges that a run's verdicts rest on, put beside its trials before anything is read from them.

Kept out: what corrected figures come to (`study/corrected.py`), how exams are sat and trials are labelled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.moment import moment
from fairtrial.study.calibration import Calibration, errors_of

if TYPE_CHECKING:
    from fairtrial.store.sql import Store
    from fairtrial.study.calibration import Errors
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table


def calibrate(store: Store, table: Table) -> None:
    """Gives every setup whose verdicts rest on a judge what its exam says; costs nothing where none does."""
    for lane in table.lanes.values():
        if lane.judges:
            errors, why = _errors(store, lane)
            lane.calibration = Calibration(errors=errors, why=why)


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
    found = errors_of(own[-1], lane.setup, day)
    return found, "" if found else f"the exam of {named} of {day[:10]} tells no errors with an interval"
