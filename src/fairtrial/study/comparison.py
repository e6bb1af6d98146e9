"""Two sides compared case by case: what was fixed, what was broken, how sure that is, and what it takes.

Everything is put together here once, from the parts that each know one thing: which cases pair (pairing), whether the
sides are comparable (comparable), the difference and its verdict (contrast), money and time (spending), the sentence
(verdicts). Outputs render the result and decide nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import InputError
from fairtrial.records.report import Comparison
from fairtrial.stats.correction import holm
from fairtrial.stats.permutation import mcnemar
from fairtrial.study import spending
from fairtrial.study.comparable import VARY, match
from fairtrial.study.contrast import ALPHA, Contrast, Rows, contrast, decide
from fairtrial.study.pairing import Pairing, classes, pair
from fairtrial.study.slices import rows_by_label
from fairtrial.study.tiers import TIERS
from fairtrial.study.verdicts import Finding, says

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from fairtrial.records.run import CaseInfo
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
    pairing = pair(base, new)
    rows = pairing.base_rows, pairing.new_rows
    found = Finding(
        names=_names(base, new),
        pairing=pairing,
        classes=classes(base, new, pairing),
        contrast=contrast(base, new, rows),
        match=match((base_table, base.setup), (new_table, new.setup), pairing, vary),
        margin=_checked_margin(margin),
        new_severe=[case for case, a, b in zip(pairing.cases, *rows, strict=True) if b in new.severe and a not in base.severe],
        cost=spending.cost(base, new, rows),
        slices=_slices(base, new, pairing),
        itself=base_table.run == new_table.run and base.setup == new.setup,
    )
    done = _comparison(found, f"{base_table.run}:{base.setup}", f"{new_table.run}:{new.setup}", _spending(base, new, rows))
    done.notes = list(_notes([base.cases[row] for row in pairing.base_rows]))
    return done


def _notes(cases: Sequence[CaseInfo]) -> Iterator[str]:
    tiers = [f"{tier} {number}" for tier in TIERS if (number := sum(case.labels.tier == tier for case in cases))]
    if len(tiers) > 1:
        yield f"one rate covers cases of several tiers ({', '.join(tiers)}), which --slices keeps apart"


def _verdict(found: Finding) -> str:
    """invalid where the sides are not comparable, are the same trials, or share nothing decided, else what the contrast says."""
    if found.itself or found.match.refused:
        return "invalid"
    return decide(found.contrast, found.margin, new_severe=bool(found.new_severe))


def _comparison(found: Finding, base: str, new: str, spent: dict[str, spending.Compared]) -> Comparison:
    laid, by_class, verdict = found.contrast, found.classes, _verdict(found)
    flips = mcnemar(len(by_class["fixed"]), len(by_class["broken"]))
    return Comparison(
        base=base,
        new=new,
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
        p_value=laid.p_value,
        test=laid.test,
        mcnemar={"fixed": len(by_class["fixed"]), "broken": len(by_class["broken"]), "p_value": flips.p_value},
        detectable=laid.detectable,
        cost=found.cost,
        latency=spent["latency"],
        tool_calls=spent["tool_calls"],
        tokens=spent["tokens"],
        verdict=verdict,
        says=says(found, verdict),
        slices=found.slices,
        reasons=_reasons(laid, {"cost": found.cost, **spent}),
    )


def _spending(base: Lane, new: Lane, rows: Rows) -> dict[str, spending.Compared]:
    return {
        "latency": spending.time(base, new, rows),
        "tool_calls": spending.tool_calls(base, new, rows),
        "tokens": spending.tokens(base, new, rows),
    }


def _reasons(laid: Contrast, spent: dict[str, spending.Compared]) -> dict[str, str]:
    return {**laid.reasons, **{f"{name}.difference": part["reason"] for name, part in spent.items() if part["reason"]}}


def _names(base: Lane, new: Lane) -> tuple[str, str]:
    """How the sentence calls the two: by setup where that tells them apart."""
    return (base.setup, new.setup) if base.setup != new.setup else ("the base run", "the new run")


def _checked_margin(margin: float | Decimal | None) -> float | None:
    if margin is None:
        return None
    share = float(margin)
    if not 0.0 <= share < 1.0:
        raise InputError("a margin is a share from 0 to below 1", value=str(margin), mend="0.02 means two points")
    return share


def _slices(base: Lane, new: Lane, pairing: Pairing) -> list[dict[str, Any]]:
    """The paired difference in every part of the suite, p-values corrected (Holm) for the number of parts looked at.

    A part that holds every pair is the whole and is left out.
    """
    found = []
    for label, values in rows_by_label([base.cases[row] for row in pairing.base_rows]).items():
        for value, places in sorted(values.items()):
            if len(places) < len(pairing.cases):
                rows = [pairing.base_rows[place] for place in places], [pairing.new_rows[place] for place in places]
                found.append((label, value, contrast(base, new, rows)))
    corrected = holm([laid.p_value for _, _, laid in found])
    return [_slice(label, value, laid, p) for (label, value, laid), p in zip(found, corrected, strict=True)]


def _slice(label: str, value: str, laid: Contrast, corrected: float | None) -> dict[str, Any]:
    verdict = decide(msgspec.structs.replace(laid, p_value=corrected), None)
    return {
        "label": label,
        "value": value,
        "pairs": laid.difference.n,
        "base": laid.base,
        "new": laid.new,
        "difference": msgspec.structs.asdict(laid.difference),
        "p_value": laid.p_value,
        "p_holm": corrected,
        "level": ALPHA,
        "verdict": verdict if verdict != "invalid" else "cannot_tell",
    }
