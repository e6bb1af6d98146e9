"""After a mend: did the case turn, and what else moved?

The case is run alone, then the whole suite; this reads the suite's run before and after the mend, setup by setup. Every case
that moved is named; broken are only those that passed in every trial before, for what was unstable cannot break. A move to the
worse that equal pass rates would explain is named as one that may be chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.stats.exact import fisher
from fairtrial.study.codes import NAMES
from fairtrial.study.pairing import classes, pair
from fairtrial.study.wording import chance, count, listed

if TYPE_CHECKING:
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table

LEVEL = 0.05
MOVES = ("fixed", "broken", "improved", "declined", "unknown")


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One case in one setup, before and after. `move` is a class of the comparison; verdicts stand in attempt order.

    `p_value` is that of Fisher's exact test on the decided trials; None where neither side was tried more than once.
    """

    case: str
    setup: str
    move: str
    before: list[str]
    after: list[str]
    p_value: float | None = None

    @property
    def may_be_chance(self) -> bool:
        """A move to the worse that equal pass rates would bring often enough."""
        return self.move in ("broken", "declined") and self.p_value is not None and self.p_value >= LEVEL


class Retest(msgspec.Struct, frozen=True, kw_only=True):
    """`retest --json`. `target` is the case that was mended, `moved` all others that did not stay as they were.

    `alone` holds the verdicts of the case when it was run by itself, by setup; `broken` counts the cases that had passed in every trial
    and now failed. `setups` were run again.
    """

    case: str
    before: str
    after: str
    target: list[Move]
    moved: list[Move]
    alone: dict[str, list[str]]
    broken: int
    unchanged: int
    changed: list[str]
    says: str
    setups: list[str] = []


def read_retest(case: str, before: Table, after: Table, alone: Table | None = None) -> Retest:
    """What a mend moved. Raises InputError where the case is in neither run of any shared setup."""
    shared = [name for name in before.lanes if name in after.lanes]
    moves = [move for name in shared for move in _moves(before.lanes[name], after.lanes[name])]
    target = [move for move in moves if move.case == case]
    changed = sorted({name for setup in shared for name in pair(before.lanes[setup], after.lanes[setup]).changed})
    if not target and case not in changed:
        raise InputError("the case is not in both runs", value=case, mend="name a case that both runs planned")
    moved = [move for move in moves if move.case != case and move.move in MOVES]
    return Retest(
        case=case,
        before=before.run,
        after=after.run,
        target=target,
        moved=moved,
        alone={name: _verdicts(lane, lane.rows[case]) for name, lane in (alone.lanes if alone else {}).items() if case in lane.rows},
        broken=sum(move.move == "broken" for move in (*target, *moved)),
        unchanged=len(moves) - len(target) - len(moved),
        changed=changed,
        says=_says(case, target, moved, changed),
        setups=shared,
    )


def _moves(before: Lane, after: Lane) -> list[Move]:
    pairing = pair(before, after)
    by_case = {case: name for name, cases in classes(before, after, pairing).items() for case in cases}
    return [
        _move((case, before.setup, by_case[case]), _verdicts(before, a), _verdicts(after, b))
        for case, a, b in zip(pairing.cases, pairing.base_rows, pairing.new_rows, strict=True)
    ]


def _move(what: tuple[str, str, str], before: list[str], after: list[str]) -> Move:
    base, new = ((side.count("PASS"), side.count("PASS") + side.count("FAIL")) for side in (before, after))
    p_value = fisher(base, new) if max(base[1], new[1]) > 1 and min(base[1], new[1]) > 0 else None
    return Move(case=what[0], setup=what[1], move=what[2], before=before, after=after, p_value=p_value)


def _verdicts(lane: Lane, row: int) -> list[str]:
    return [NAMES[code] for code in lane.attempts(row)]


def _says(case: str, target: list[Move], moved: list[Move], changed: list[str]) -> str:
    asked_anew = f"{case} itself was changed, so before and after are not the same question"
    told = asked_anew if case in changed else _target(case, target)
    doubtful = [f"{move.case} ({move.setup}, {chance(move.p_value)})" for move in (*target, *moved) if move.may_be_chance and move.p_value]
    noise = f"; may be chance: {listed(doubtful, 5)}" if doubtful else ""
    return f"{told}; {_others(moved)}{noise}."


def _target(case: str, target: list[Move]) -> str:
    """The setups in which the case moved; where it moved in none, how it stayed."""
    turned = [move for move in target if move.move in MOVES]
    if turned or len(target) == 1:
        return f"{case}: " + ", ".join(f"{move.setup} {_turn(move)}" for move in turned or target)
    stayed = {name: sum(move.move == name for move in target) for name in ("unchanged_pass", "unchanged_fail")}
    told = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in stayed.items() if number)
    return f"{case} moved in none of its {len(target)} setups ({told})"


def _turn(move: Move) -> str:
    return f"{move.move.replace('_', ' ')} ({_summary(move.before)} → {_summary(move.after)})"


def _summary(verdicts: list[str]) -> str:
    return verdicts[0] if len(set(verdicts)) == 1 else f"{verdicts.count('PASS')} of {len(verdicts)} PASS"


def _others(moved: list[Move]) -> str:
    if not moved:
        return "nothing else moved"
    groups = {name: [f"{move.case} ({move.setup})" for move in moved if move.move == name] for name in MOVES}
    told = ", ".join(f"{name} {listed(cases, 5)}" for name, cases in groups.items() if cases)
    return f"{count(len({move.case for move in moved}), 'other case')} moved: {told}"
