"""A run that stops once it is decided: its two sides, its plan case by case, and the watch that ends the flow of trials.

The order of the cases is drawn by the run's seed when the run is planned, and the watch looks at them in that order, whichever
is finished first: the looks are then the same with one job or ten, and after a kill. Nothing that is under way at the deciding
look is broken off. Kept out: the rule itself (`stats/anytime.py`) and its reading (`study/until.py`).
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.setup import UNIT
from fairtrial.records.trial import Ending
from fairtrial.records.until import Rule
from fairtrial.stats.anytime import Race
from fairtrial.study.codes import FAIL, PASS, UNKNOWN, verdict_of
from fairtrial.study.contrast import checked_margin
from fairtrial.study.until import case_bounds
from fairtrial.study.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.grade import Scorecard
    from fairtrial.records.run import Planned
    from fairtrial.records.suite import Suite
    from fairtrial.records.trial import TrialHead, TrialKey
    from fairtrial.steps.options import RunOptions
    from fairtrial.steps.seating import Casting

_PLACE = {PASS: 0, FAIL: 1, UNKNOWN: 2}


def rule_for(suite: Suite, options: RunOptions) -> Rule | None:
    """The rule that was asked for; None where the run is to go to its end. Raises InputError where it cannot be held."""
    if not options.until_decided:
        if options.margin is not None:
            raise InputError("a margin needs a rule that it belongs to", value=str(options.margin), mend="add --until-decided")
        return None
    if options.fail_fast:
        raise InputError("a run stops at the first FAIL (-x) or once it is decided (--until-decided), not both", mend="leave one out")
    base, new = _sides(suite, options.setups)
    return Rule(base=base, new=new, margin=checked_margin(options.margin))


def _sides(suite: Suite, asked: Sequence[str]) -> tuple[str, str]:
    """Baseline and candidate: those of the suite, or of the two setups that were asked for."""
    names = [name for name in suite.setups if not asked or name in asked]
    if len(names) < 2 or UNIT in asked:
        what = "a run until decided is between two setups, a baseline and a candidate"
        raise InputError(what, place=suite.path, value=", ".join(names), mend="add a second setup, or name two: --setup A --setup B")
    if asked and len(names) > 2:
        mend = "name the two that it is between, and run the others by themselves"
        raise InputError("a run until decided is between two setups", value=", ".join(names), mend=mend)
    base = suite.baseline if suite.baseline in names else next(name for name in names if name != suite.candidate or len(names) == 1)
    others = [name for name in names if name != base]
    new = suite.candidate if suite.candidate in others else others[-1]
    return base, new


def left_out(suite: Suite, cases: Iterable[Case], sides: Sequence[str]) -> list[str]:
    """The setups that stay out though nobody asked for that; `unit` where the cases would try it."""
    units = [UNIT] if any(case.labels.tier == "unit" for case in cases) else []
    return [name for name in [*suite.setups, *units] if name not in sides]


def narrowed(casting: Casting, rule: Rule, seed: int, left: Sequence[str]) -> Casting:
    """The plan of the two sides alone, over the cases that both are tried at, in an order drawn by the seed.

    `left` are setups that were not asked for and stay out; they and the cases that one side cannot be tried at are noted.
    """
    plans: dict[str, list[Planned]] = {}
    for plan in casting.planned:
        plans.setdefault(plan.case, []).append(plan)
    both = [case for case, found in plans.items() if {plan.setup for plan in found} >= {rule.base, rule.new}]
    if not both:
        raise InputError("no case is tried at both sides, so nothing can be decided", value=f"{rule.base}, {rule.new}")
    random.Random(f"{seed}:until decided").shuffle(both)
    single = [case for case in plans if case not in set(both)]
    notes = [f"left out of a run until decided, for only one side can be tried at them: {listed(single)}"] if single else []
    notes += [f"left out of a run until decided, which is between two: {listed(left)}"] if left else []
    return msgspec.structs.replace(
        casting,
        cases=tuple(case for case in casting.cases if case.id in set(both)),
        planned=tuple(plan for case in both for plan in plans[case] if plan.setup in (rule.base, rule.new)),
        notes=(*casting.notes, *notes),
    )


def asked_again(rule: Rule | None, options: RunOptions) -> None:
    """A rule stands from before the first trial. Raises InputError where one is asked for when a run is resumed, or another."""
    margin = checked_margin(options.margin)
    if (options.until_decided or margin is not None) and rule is None:
        mend = "resume it as it is; a rule that is set after the first look decides nothing"
        raise InputError("the run began without a rule to stop by", mend=mend)
    if rule is not None and margin not in (None, rule.margin):
        raise InputError("the margin is another than the run began with", value=str(margin), allowed=str(rule.margin), mend="leave it out")


class Watch:
    """Looks at finished trials and ends the flow of keys once the rule has decided. A look costs the same however many came before."""

    def __init__(self, rule: Rule, planned: Iterable[Planned]) -> None:
        self.decided: str | None = None
        self._race = Race(rule.level, rule.margin)
        self._counts = {(plan.case, plan.setup): [0, 0, 0] for plan in planned}
        self._open = {(plan.case, plan.setup): plan.attempts for plan in planned}
        self._cases = list(dict.fromkeys(plan.case for plan in planned))
        self._sides = rule.base, rule.new
        self._next = 0

    def see(self, head: TrialHead, card: Scorecard | None) -> None:
        """A finished trial, each key once."""
        place = head.key.case, head.key.setup
        if head.ending is Ending.INTERRUPTED or place not in self._counts:
            return
        self._counts[place][_PLACE[verdict_of(head, card)]] += 1
        self._open[place] -= 1
        while self.decided is None and self._next < len(self._cases) and self._whole(self._cases[self._next]):
            base, new = (self._counts[self._cases[self._next], side] for side in self._sides)
            self._next += 1
            self.decided = self._race.add(*case_bounds(base, new))

    def _whole(self, case: str) -> bool:
        return not any(self._open[case, side] for side in self._sides)

    def until(self, keys: Iterator[TrialKey]) -> Iterator[TrialKey]:
        """The keys, for as long as they are needed."""
        while self.decided is None and (key := next(keys, None)) is not None:
            yield key
