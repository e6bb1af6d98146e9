"""The figures of an exam over some of its items, under one rule for replies that are no verdict. Kept out: which items (exam.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fairtrial.records.exam import Figure, LabelFigures, Macro, Part, Under
from fairtrial.stats import agreement as sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fairtrial.stats.linearised import Figure as Counted
    from fairtrial.study.examlabels import Labels

    Codes = NDArray[np.intp]
    Marks = NDArray[np.bool_]

NOT_BINARY = "these labels have no good one that everybody knows: name one with --positive; macro has the means over labels"


class Sides(NamedTuple):
    """The truth and the judge's word of some items as codes; a word that is no label has a code beyond the last one."""

    truth: Codes
    judge: Codes
    clusters: Codes
    labels: Labels
    positive: int | None

    def only(self, kept: Marks) -> Sides:
        """Those items alone."""
        return self._replace(truth=self.truth[kept], judge=self.judge[kept], clusters=self.clusters[kept])

    @property
    def invalid(self) -> int:
        return int((self.judge >= len(self.labels.names)).sum())


def under_rule(sides: Sides, rule: str) -> Sides | None:
    """The items as a rule has them; None where these labels have no tie."""
    import numpy as np

    known = len(sides.labels.names)
    if rule == "drop":
        return sides.only(sides.judge < known)
    if rule == "wrong":
        return sides
    tie = sides.labels.tie()
    return None if tie is None else sides._replace(judge=np.where(sides.judge >= known, tie, sides.judge))


def figure(found: Counted, reason: str = "") -> Figure:
    """A figure as the report carries it; `reason` says in the words of the exam why it is not there."""
    why = (reason or found.reason) if found.value is None else None
    return Figure(value=found.value, low=found.low, high=found.high, n=found.n, clusters=found.clusters, reason=why)


def none(reason: str, n: int = 0) -> Figure:
    """No figure, and why."""
    return Figure(value=None, low=None, high=None, n=n, clusters=0, reason=reason)


def under(sides: Sides | None) -> tuple[Under, dict[str, Figure], dict[str, LabelFigures]]:
    """(the figures, the intervals of the macro means, the figures by label)."""
    if sides is None:
        return _no_tie(), {}, {}
    n = len(sides.truth)
    by_label, macro = _by_label(sides)
    positive, failing, both = _binary(sides)
    made = Under(
        n=n,
        agreement=figure(sums.agreement(sides.truth, sides.judge, sides.clusters)),
        kappa=figure(sums.cohen_kappa(sides.truth, sides.judge, sides.clusters)),
        precision=positive.precision if positive else both,
        recall=positive.recall if positive else both,
        specificity=failing or both,
        f1=positive.f1 if positive else both,
        macro=Macro(**{name: found.value for name, found in macro.items()}),
    )
    return made, {f"macro_{name}": found for name, found in macro.items()}, by_label


def _no_tie() -> Under:
    gone = none("these labels have no tie")
    return Under(
        n=0, agreement=gone, kappa=gone, precision=gone, recall=gone, specificity=gone, f1=gone,
        macro=Macro(precision=None, recall=None, f1=None),
    )  # fmt: skip


def _binary(sides: Sides) -> tuple[LabelFigures | None, Figure | None, Figure]:
    if sides.positive is None:
        return None, None, none(NOT_BINARY, len(sides.truth))
    return _label(sides, sides.positive), caught(sides), none("")


def caught(sides: Sides) -> Figure:
    """Of the items whose truth is not the positive label, the share that the judge did not call so either: by a label, not by noise."""
    if sides.positive is None:
        return none(NOT_BINARY)
    bad = sides.truth != sides.positive
    said = (sides.judge != sides.positive) & (sides.judge < len(sides.labels.names))
    return figure(sums.recall(bad, said, sides.clusters), "no item is truly anything but the positive label")


def _label(sides: Sides, code: int) -> LabelFigures:
    truly, said = sides.truth == code, sides.judge == code
    name = sides.labels.names[code]
    return LabelFigures(
        truth=int(truly.sum()),
        judge=int(said.sum()),
        precision=figure(sums.precision(truly, said, sides.clusters), f"the judge never says {name}"),
        recall=figure(sums.recall(truly, said, sides.clusters), f"no item is truly {name}"),
        f1=figure(sums.f_one(truly, said, sides.clusters), f"neither side ever says {name}"),
    )


def _by_label(sides: Sides) -> tuple[dict[str, LabelFigures], dict[str, Figure]]:
    """By label, and the means over the labels that either side uses."""
    import numpy as np

    names = sides.labels.names
    used = [code for code in range(len(names)) if (sides.truth == code).any() or (sides.judge == code).any()]
    numbers = np.unique(sides.clusters, return_inverse=True)[1] if len(sides.truth) else sides.clusters
    groups = int(numbers.max()) + 1 if len(numbers) else 0
    found = {names[code]: _label(sides, code) for code in used}
    macro: dict[str, Figure] = {}
    for name in ("precision", "recall", "f1"):
        pulls = [_pull(sides, code, name, numbers, groups) for code in used]
        parts = [_counted(getattr(found[names[code]], name)) for code in used]
        macro[name] = figure(sums.mean_of(parts, pulls, tuple(names[code] for code in used)))
    return found, macro


def _pull(sides: Sides, code: int, name: str, numbers: Codes, groups: int) -> NDArray[np.float64]:
    truly, said = sides.truth == code, sides.judge == code
    every = {"precision": said, "recall": truly, "f1": truly | said}[name]
    return sums.share_pull(truly & said, every, numbers, groups)


def _counted(found: Figure) -> Counted:
    from fairtrial.stats.linearised import Figure as Counted

    return Counted(
        value=found.value, low=found.low, high=found.high, n=found.n, clusters=found.clusters, method="", reason=found.reason
    )  # fmt: skip


def part(sides: Sides) -> Part:
    """The items of one severity or slice."""
    found = caught(sides)
    failures = None if sides.positive is None else int((sides.truth != sides.positive).sum())
    return Part(
        n=len(sides.truth),
        invalid=sides.invalid,
        failures=failures,
        caught=None if failures is None else round((found.value or 0.0) * failures),
        recall=found,
        agreement=figure(sums.agreement(sides.truth, sides.judge, sides.clusters), "no item is left"),
        kappa=figure(sums.cohen_kappa(sides.truth, sides.judge, sides.clusters)),
    )
