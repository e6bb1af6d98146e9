"""Open and held-out cases apart, and a held-out score refused where somebody had looked.

Any look counts, in every report that is made after it; whether it was taken before or after the run had ended is said
beside it. A case is the same one where its id in the suite, its content, or what an agent sees of it is the same, so that
neither a new id nor a mended check makes it unseen again. Kept out: the ledger itself (`store/ledger.py`) and what is a look
(`steps/looks.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.heldout import HeldOut, Opened, SplitRates
from fairtrial.records.moment import moment
from fairtrial.study import tally
from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from fairtrial.records.ledger import Look
    from fairtrial.records.rate import Rate
    from fairtrial.records.run import CaseInfo
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

HELD_OUT = "held_out"
NONE = {"open": "no open case was planned", "unopened": "no held-out case is left unopened", "opened": "no held-out case was opened"}


def is_same(look: Look, suite: str, case: CaseInfo) -> bool:
    """Whether a look was one at this case, whatever it was called at the time."""
    by_id = look.suite == suite and look.case == case.id
    return by_id or (case.hash != "" and look.hash == case.hash) or (case.brief_hash != "" and look.brief_hash == case.brief_hash)


def read_held_out(table: Table, looks: Sequence[Look], ended_ns: int | None) -> HeldOut | None:
    """The split of a run; None where it has no held-out case. `ended_ns` is None for a run that has not ended."""
    held = [case for case in table.manifest.cases if case.labels.split == HELD_OUT]
    if not held:
        return None
    found = {case.id: [look for look in looks if is_same(look, table.manifest.suite, case)] for case in held}
    opened = [_opened(name, seen, ended_ns) for name, seen in found.items() if seen]
    return HeldOut(
        state="opened" if opened else "unseen",
        cases=[case.id for case in held],
        opened=opened,
        setups={name: _rates(lane, {one.case for one in opened}) for name, lane in table.lanes.items()},
        says=_says(len(held), opened),
    )


def _opened(case: str, looks: Sequence[Look], ended_ns: int | None) -> Opened:
    first = min(looks, key=lambda look: look.at_ns)
    after = ended_ns is not None and first.at_ns >= ended_ns
    return Opened(case=case, looks=len(looks), first=moment(first.at_ns), who=first.who, verb=first.verb, after_run=after)


def _rates(lane: Lane, opened: Collection[str]) -> SplitRates:
    rows: dict[str, list[int]] = {"open": [], "unopened": [], "opened": []}
    for row, case in enumerate(lane.cases):
        rows["open" if case.labels.split != HELD_OUT else "opened" if case.id in opened else "unopened"].append(row)
    found: dict[str, Rate | None] = {name: tally.success_rate(lane, own) if own else None for name, own in rows.items()}
    reasons = {name: why for name, why in NONE.items() if found[name] is None}
    if rows["opened"]:
        reasons["held_out"] = f"refused as unseen, for somebody has opened {count(len(rows['opened']), 'case')} of it"
    elif not rows["unopened"]:
        reasons["held_out"] = "no held-out case was planned"
    whole = None if "held_out" in reasons else found["unopened"]
    return SplitRates(open=found["open"], held_out=whole, unopened=found["unopened"], opened=found["opened"], reasons=reasons)


def _says(held: int, opened: Sequence[Opened]) -> str:
    if not opened:
        return f"Nobody has opened any of the {count(held, 'held-out case')}: their score is unseen."
    cases = [f"{one.case} ({one.who}, {one.verb}, {one.first}{', after this run' if one.after_run else ''})" for one in opened]
    return f"{len(opened)} of {count(held, 'held-out case')} opened, so no score over all of them is unseen: {listed(cases, 5)}."
