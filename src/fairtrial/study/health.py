"""What the cases of a suite still tell: always passed, always failed, flaky, or the same for every setup.

Counted over all runs in which the case's content and the setup's version were what they are in the newest one, so that an edited
case starts anew. Kept out: moving cases (`library.py`) and the stage of the suite (`stages.py`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fairtrial.records.health import CaseHealth, Tried
from fairtrial.records.setup import UNIT
from fairtrial.study.identity import setup_hash
from fairtrial.study.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fairtrial.records.run import CaseInfo
    from fairtrial.study.table import Table

ENOUGH = 5
"""Decided trials from which on something is said of a case in a setup."""
STATES = ("untried", "too_few", "saturated", "dead", "flaky", "steady")


def read_cases(cases: Sequence[CaseInfo], tables: Sequence[Table], first_seen: Mapping[str, str]) -> list[CaseHealth]:
    """Every case of a suite. `tables` are its ordinary runs, newest first; `first_seen` tells by case when it was first run."""
    counted: dict[str, dict[str, list[int]]] = {case.id: {} for case in cases}
    hashes = {case.id: case.hash for case in cases}
    for table, setup in _unchanged(tables):
        lane = table.lanes[setup]
        for row, case in enumerate(lane.cases):
            if hashes.get(case.id) == case.hash:
                counts = counted[case.id].setdefault(setup, [0, 0, 0])
                for place, column in enumerate((lane.passed, lane.failed, lane.unknown)):
                    counts[place] += column[row]
    return [_case(case, counted[case.id], first_seen.get(case.id)) for case in cases]


def _unchanged(tables: Sequence[Table]) -> Iterator[tuple[Table, str]]:
    """The setups of every run, as far as each is still what it is in the newest run that has it."""
    newest: dict[str, str] = {}
    for table in tables:
        for setup in table.lanes:
            found = setup_hash((table, setup))
            if newest.setdefault(setup, found) == found:
                yield table, setup


def _case(case: CaseInfo, setups: Mapping[str, list[int]], seen: str | None) -> CaseHealth:
    tried = [Tried(setup=setup, passed=counts[0], fail=counts[1], unknown=counts[2]) for setup, counts in setups.items()]
    state, why = _state(tried)
    return CaseHealth(case=case.id, state=state, tells=_tells(tried), setups=tried, why=why, first_seen=seen, source=case.labels.source)


def _state(tried: Sequence[Tried]) -> tuple[str, str]:
    passed, failed, unknown = (sum(getattr(one, name) for one in tried) for name in ("passed", "fail", "unknown"))
    open_ones = f"; {count(unknown, 'trial')} UNKNOWN" if unknown else ""
    if not passed and not failed:
        return "untried", f"no trial of it has been decided{open_ones}"
    if passed + failed < ENOUGH:
        return "too_few", f"{count(passed + failed, 'decided trial')}, and {ENOUGH} are needed{open_ones}"
    if not failed:
        return "saturated", f"all {passed} decided trials passed{open_ones}"
    if not passed:
        return "dead", f"all {failed} decided trials failed{open_ones}"
    mixed = [one for one in tried if one.passed and one.fail and one.passed + one.fail >= ENOUGH]
    if mixed:
        shown = ", ".join(f"{one.setup} {one.passed} of {one.passed + one.fail}" for one in mixed)
        return "flaky", f"passes sometimes in a setup that stayed the same: {shown}{open_ones}"
    return "steady", f"{passed} of {passed + failed} decided trials passed{open_ones}"


def _tells(tried: Sequence[Tried]) -> bool | None:
    """Whether setups differ at the case; functions tried by themselves belong to no setup."""
    rates = [(one.passed, one.passed + one.fail) for one in tried if one.setup != UNIT and one.passed + one.fail >= ENOUGH]
    if len(rates) < 2:
        return None
    first = rates[0]
    return any(passed * first[1] != first[0] * of for passed, of in rates)


def states_of(cases: Sequence[CaseHealth]) -> dict[str, int]:
    """How many cases are in each state, all states named."""
    found = Counter(case.state for case in cases)
    return {state: found.get(state, 0) for state in STATES}
