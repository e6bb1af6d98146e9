"""Two sides compared case by case: what was fixed, what was broken, how sure that is, and what it takes.

Everything is put together here once, from the parts that each know one thing: which cases pair (pairing), whether the
sides are comparable (comparable), the difference and its verdict (contrast), money and time (spending), the sentence
(verdicts). Outputs render the result and decide nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.report import Comparison
from fairtrial.stats.correction import holm
from fairtrial.stats.permutation import mcnemar
from fairtrial.study.backing import Backing, backed, backing
from fairtrial.study.comparable import VARY, match
from fairtrial.study.contrast import ALPHA, Contrast, checked_margin, contrast, corrected, decide, uneven
from fairtrial.study.foreign import traced
from fairtrial.study.lookedat import at_every_look, looked_at, set_before, up_to
from fairtrial.study.notes import notes
from fairtrial.study.pairing import Pairing, classes, pair
from fairtrial.study.slices import rows_by_label
from fairtrial.study.spending import spending
from fairtrial.study.tally import success_rate
from fairtrial.study.verdicts import Finding, next_step, says

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from fairtrial.study.comparable import Side
    from fairtrial.study.lane import Lane
    from fairtrial.study.table import Table


def compare(  # two sides of two parts each
    base_table: Table,
    base_setup: str | None,
    new_table: Table,
    new_setup: str | None,
    vary: Sequence[str] = VARY,
    margin: float | Decimal | None = None,
) -> Comparison:
    """Compare a setup of one run (new) with a setup of another or of the same run (base), paired by case.

    `margin` is the loss of success rate, as a share fixed before the data, up to which the new side counts as not worse.
    A setup may be None where its run has only one. Raises InputError for a setup, field or margin that does not exist.
    """
    base, new = base_table.lane(base_setup), new_table.lane(new_setup)
    return told(examine((base_table, base.setup), (new_table, new.setup), vary, margin))


def compare_each(base: Side, news: Sequence[Side], vary: Sequence[str] = VARY, margin: float | Decimal | None = None) -> list[Comparison]:
    """Several candidates against one base. Each p-value decides as corrected (Holm) for the number of candidates that may be read."""
    found = [examine(base, new, vary, margin) for new in news]
    if len(found) == 1:
        return [told(found[0])]
    adjusted = holm([None if one.itself or one.match.refused else one.contrast.p_value for one in found])
    return [told(msgspec.structs.replace(one, p_holm=p, candidates=len(found))) for one, p in zip(found, adjusted, strict=True)]


def examine(base_side: Side, new_side: Side, vary: Sequence[str], margin: float | Decimal | None) -> Finding:
    """All that laying two sides, each a table and a setup of it, side by side finds; nothing is decided yet."""
    base, new = (table.lane(setup) for table, setup in (base_side, new_side))
    pairing = pair(base, new)
    looked = looked_at(base_side, new_side)
    if looked is not None:
        pairing = up_to(pairing, looked.looks)
    rows = pairing.base_rows, pairing.new_rows
    laid = contrast(base, new, rows)
    matched = match(base_side, new_side, pairing, vary)
    laid = laid if looked is None else at_every_look(laid, looked, new.setup)
    return Finding(
        ids=(f"{base_side[0].run}:{base.setup}", f"{new_side[0].run}:{new.setup}"),
        names=_names(base, new),
        pairing=pairing,
        classes=classes(base, new, pairing),
        contrast=laid,
        backing=backing(base, new, rows, laid),
        match=matched,
        margin=checked_margin(set_before(looked, new.setup) if margin is None else margin),
        new_severe=[case for case, a, b in zip(pairing.cases, *rows, strict=True) if b in new.severe and a not in base.severe],
        spent=spending(base, new, rows, traced=all(traced(table.manifest) for table, _ in (base_side, new_side))),
        sides={"base": _side(base, rows[0]), "new": _side(new, rows[1])},
        slices=_slices(base, new, pairing) if looked is None else [],
        itself=base_side[0].run == new_side[0].run and base.setup == new.setup,
        notes=list(notes(base_side, new_side, pairing, matched)),
    )


def _verdict(found: Finding) -> str:
    """invalid where the sides are not comparable, are the same trials, or share nothing decided, else what the contrast says.

    Where the sides differ in how much of them is undecided, nothing is claimed in favour of the new one, whatever the bounds say.
    """
    if found.itself or found.match.refused:
        return "invalid"
    laid = found.contrast if found.p_holm is None else corrected(found.contrast, found.p_holm)
    said = backed(decide(laid, found.margin, new_severe=bool(found.new_severe)), found.backing, found.margin, found.candidates)
    return "cannot_tell" if said in ("better", "not_worse") and uneven(laid) else said


def told(found: Finding) -> Comparison:
    """The decided object of a finding."""
    laid, by_class, verdict = found.contrast, found.classes, _verdict(found)
    flips = mcnemar(len(by_class["fixed"]), len(by_class["broken"]))
    spent = found.spent
    return Comparison(
        base=found.ids[0],
        new=found.ids[1],
        comparable=msgspec.structs.asdict(found.match),
        pairs=len(found.pairing.cases),
        fixed=by_class["fixed"],
        broken=by_class["broken"],
        improved=by_class["improved"],
        declined=by_class["declined"],
        unchanged_pass=len(by_class["unchanged_pass"]),
        unchanged_fail=len(by_class["unchanged_fail"]),
        unknown=by_class["unknown"],
        new_severe=found.new_severe,
        only_base=found.pairing.only_base,
        only_new=found.pairing.only_new,
        changed=found.pairing.changed,
        difference=laid.difference,
        corrected=found.backing.corrected,
        withdrawn=found.withdrawn,
        p_value=laid.p_value,
        p_holm=found.p_holm,
        test=laid.test,
        margin=found.margin,
        mcnemar={"fixed": len(by_class["fixed"]), "broken": len(by_class["broken"]), "p_value": None if laid.anytime else flips.p_value},
        detectable=laid.detectable,
        sides=found.sides,
        cost=spent["cost"],
        latency=spent["latency"],
        tool_calls=spent["tool_calls"],
        tokens=spent["tokens"],
        verdict=verdict,
        says=says(found, verdict),
        next=next_step(found, verdict),
        slices=found.slices,
        reasons={**laid.reasons, **{f"{name}.difference": part["reason"] for name, part in spent.items() if part["reason"]}},
        notes=found.notes,
    )


def _side(lane: Lane, rows: Sequence[int]) -> dict[str, Any]:
    """What a side came to on the shared cases: planned = pass + fail + unknown + not_run, and the rate with its interval."""
    sums = lane.sums(rows)
    return {
        "planned": sums.planned,
        "pass": sums.passed,
        "fail": sums.failed,
        "unknown": sums.unknown,
        "not_run": sums.not_run,
        "severe": sums.severe,
        "success_rate": success_rate(lane, rows),
    }


def _names(base: Lane, new: Lane) -> tuple[str, str]:
    """How the sentence calls the two: by setup where that tells them apart."""
    return (base.setup, new.setup) if base.setup != new.setup else ("the base run", "the new run")


def _slices(base: Lane, new: Lane, pairing: Pairing) -> list[dict[str, Any]]:
    """The paired difference in every part of the suite, p-values corrected (Holm) for the number of parts looked at.

    A part that holds every pair is the whole and is left out.
    """
    found = []
    for label, values in rows_by_label([base.cases[row] for row in pairing.base_rows]).items():
        for value, places in sorted(values.items()):
            if len(places) < len(pairing.cases):
                rows = [pairing.base_rows[place] for place in places], [pairing.new_rows[place] for place in places]
                laid = contrast(base, new, rows)
                found.append((label, value, laid, backing(base, new, rows, laid)))
    adjusted = holm([laid.p_value for _, _, laid, _ in found])
    looks = len(found)
    return [_slice((label, value), laid, (p, looks), behind) for (label, value, laid, behind), p in zip(found, adjusted, strict=True)]


def _slice(part: tuple[str, str], laid: Contrast, among: tuple[float | None, int], behind: Backing) -> dict[str, Any]:
    p_holm, looks = among
    verdict = backed(decide(corrected(laid, p_holm), None), behind, None, looks)
    return {
        "label": part[0],
        "value": part[1],
        "pairs": laid.difference.n,
        "base": laid.base,
        "new": laid.new,
        "difference": msgspec.structs.asdict(laid.difference),
        "p_value": laid.p_value,
        "p_holm": p_holm,
        "level": ALPHA,
        "undecided": {"base": laid.undecided[0], "new": laid.undecided[1]},
        "verdict": verdict if verdict != "invalid" else "cannot_tell",
    }
