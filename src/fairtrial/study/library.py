"""Which cases move between the libraries: graduation, demotion, and the flaky ones, each by a stated rule on batches.

A batch that is not decided never helps a case: it breaks a row of good ones, and it makes no bad one. A batch with a severe
failure is a bad one whatever it scored. A held-out case does not move: what gates every change is looked at every day.
Kept out: whatever reads runs or writes files (`steps/library.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.library import Batch, Rule, Rules, Standing
from fairtrial.stats.estimate import two_sided
from fairtrial.stats.interval import clopper_pearson
from fairtrial.stats.repeats import stability
from fairtrial.study.heldout import HELD_OUT
from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE = 0.95
REGRESSION, CAPABILITY = "regression", "capability"
TO = {"graduate": REGRESSION, "demote": CAPABILITY}
SHOWN = 5


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """A case to be judged: its labels, the setup it is judged by, and how many batches came after its last move, on which alone
    the next one may rest."""

    case: str
    library: str
    split: str
    setup: str
    fresh: int
    left_out: int = 0


def judge(case: Subject, batches: Sequence[Batch], rules: Rules) -> Standing:
    """Where a case stands. `batches` are all there are, oldest first."""
    flaky_why = _flaky(batches, rules.quarantine)
    fresh = batches[max(0, len(batches) - case.fresh) :]
    move, why = _move(case, fresh, rules, older=bool(batches))
    kept = max(rules.graduate.batches, rules.demote.batches, rules.quarantine.batches)
    return Standing(
        case=case.case, library=case.library, split=case.split, setup=case.setup, batches=list(batches[-kept:]),
        left_out=case.left_out, streak=_streak(fresh, rules.graduate), move=move, to=TO.get(move, case.library),
        flaky=bool(flaky_why), why=why, flaky_why=flaky_why,
    )  # fmt: skip


def says(cases: Sequence[Standing], runs: int) -> str:
    """The sentence of a library report."""
    up, down = ([one.case for one in cases if one.move == move] for move in ("graduate", "demote"))
    flaky = [one.case for one in cases if one.flaky]
    parts = [f"{verb}: {listed(names)}" for verb, names in (("graduate", up), ("demote", down), ("flaky", flaky)) if names]
    where = f"{count(len(cases), 'case')}, {count(runs, 'run')} read"
    return f"{where}; {'; '.join(parts)}." if parts else f"{where}; no case moves, and none is flaky."


def _move(case: Subject, batches: Sequence[Batch], rules: Rules, *, older: bool) -> tuple[str, str]:
    if not batches:
        return "none", "no batch of this case since its last move" if older else "no batch of this case counts yet"
    if case.split == HELD_OUT:
        return "none", "a held-out case does not move; make it an open one first"
    if case.library == REGRESSION:
        return _demotion(batches, rules.demote)
    return _graduation(batches, rules.graduate)


def _graduation(batches: Sequence[Batch], rule: Rule) -> tuple[str, str]:
    if rule.by == "above":
        streak = _streak(batches, rule)
        if streak >= rule.batches:
            return (
                "graduate",
                f"the last {count(rule.batches, 'batch', 'batches')} each above {rule.bar}: {_scores(batches[-rule.batches :], rule)}",
            )
        return "none", f"{streak} of {count(rule.batches, 'batch', 'batches')} in a row above {rule.bar}{_because(batches[-1], rule)}"
    last = batches[-rule.batches :]
    if len(last) < rule.batches:
        return "none", f"{len(last)} of {_batches(rule)} that the lower bound is to rest on"
    passed, planned = sum(one.passed for one in last), sum(one.planned for one in last)
    bound = clopper_pearson(passed, planned, two_sided(CONFIDENCE)).low
    holds = bound is not None and Decimal(repr(bound)) > rule.bar and not any(one.severe for one in last)
    said = f"lower bound {_figure(bound, rule)} of {passed} of {planned} trials in {_batches(rule)}"
    return ("graduate", f"{said} above {rule.bar}") if holds else ("none", f"{said}, to be above {rule.bar}")


def _demotion(batches: Sequence[Batch], rule: Rule) -> tuple[str, str]:
    """On decided batches only: one that UNKNOWN could turn, or that the harness spoilt, shows no change."""
    bar = rule.bar
    if rule.by == "below":
        decided = [one for one in batches if _is_below(one, bar) or _decimal(one.worst) >= bar]
        last = decided[-rule.batches :]
        if len(last) == rule.batches and all(_is_below(one, bar) for one in last):
            return "demote", f"the last {_last(rule, 'decided ')} below {bar}: {_scores(last, rule)}"
        open_ones = len(batches) - len(decided)
        aside = f"; {count(open_ones, 'batch', 'batches')} not decided" if open_ones else ""
        shown = f"the last decided batch scored {_figure(last[-1].score, rule)}" if last else "no batch is decided"
        return "none", f"{shown}{aside}"
    last = list(batches[-rule.batches :])
    passed, planned = sum(one.planned - one.fail for one in last), sum(one.planned for one in last)
    bound = clopper_pearson(passed, planned, two_sided(CONFIDENCE)).high
    said = f"upper bound {_figure(bound, rule)} of {passed} of {planned} trials not failed in {count(len(last), 'batch', 'batches')}"
    if len(last) == rule.batches and bound is not None and Decimal(repr(bound)) < bar:
        return "demote", f"{said} below {bar}"
    return "none", f"{said}, not below {bar}"


def _flaky(batches: Sequence[Batch], rule: Rule) -> str:
    """Why a case counts as flaky; empty where it does not, or where too few batches of the newest setup version tell."""
    newest = batches[-1].setup_hash if batches else ""
    last = [one for one in batches if one.setup_hash == newest][-rule.batches :]
    passed, decided = sum(one.passed for one in last), sum(one.passed + one.fail for one in last)
    found = stability([(passed, decided)])
    if len(last) < rule.batches or found is None or Decimal(repr(found)) >= rule.bar:
        return ""
    return f"{passed} of {decided} decided trials passed over {_batches(rule)} of the same setup, stability {_figure(found, rule)}"


def _streak(batches: Sequence[Batch], rule: Rule) -> int:
    """Batches from the end that are each above the bar however their open trials would turn out."""
    bar = rule.bar if rule.by == "above" else Rules().graduate.bar
    streak = 0
    for one in reversed(batches):
        if one.severe or _decimal(one.worst) <= bar:
            break
        streak += 1
    return streak


def _is_below(one: Batch, bar: Decimal) -> bool:
    return one.severe > 0 or _decimal(one.best) < bar


def _because(last: Batch, rule: Rule) -> str:
    if last.severe:
        return f"; the last has {count(last.severe, 'severe failure')}"
    if _decimal(last.worst) <= rule.bar < _decimal(last.best):
        return "; the last is not decided"
    return f"; the last scored {_figure(last.score, rule)}" if _decimal(last.worst) <= rule.bar else ""


def _batches(rule: Rule) -> str:
    return count(rule.batches, "batch", "batches")


def _last(rule: Rule, which: str = "") -> str:
    return f"{which}batch" if rule.batches == 1 else f"{rule.batches} {which}batches"


def _scores(batches: Sequence[Batch], rule: Rule) -> str:
    shown = ", ".join(_figure(one.score, rule) for one in batches[-SHOWN:])
    return f"… {shown}" if len(batches) > SHOWN else shown


def _decimal(score: float) -> Decimal:
    return Decimal(repr(score))


def _figure(value: float | None, rule: Rule) -> str:
    """As many digits as keep it on its own side of the rule's bar."""
    if value is None:
        return "–"
    exact = _decimal(value)
    for digits in range(2, 12):
        shown = f"{value:.{digits}f}"
        if (Decimal(shown) > rule.bar, Decimal(shown) < rule.bar) == (exact > rule.bar, exact < rule.bar):
            return shown.rstrip("0").rstrip(".")
    return repr(value)
