"""How far one rater agrees with the truth: agreement, Cohen's kappa, and what is found of each label.

Items are numbers: the label of the truth, that of the rater, the cluster. Labels run from 0 to k-1 on the side of the truth; what
the rater said that is no label at all is a number of its own beyond, and agrees with nothing. Kept out: what the labels are called,
and more than two raters at once (raters.py).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairtrial.stats.estimate import checked_confidence
from fairtrial.stats.linearised import Figure, bounds_of, missing, share_of, summed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fairtrial.stats.linearised import Codes, Marks, Numbers


def agreement(truth: Codes, said: Codes, clusters: Codes, confidence: float = 0.95) -> Figure:
    """The share of items on which both say the same."""
    import numpy as np

    return share_of(truth == said, np.ones(len(truth), dtype=bool), clusters, checked_confidence(confidence))


def cohen_kappa(truth: Codes, said: Codes, clusters: Codes, confidence: float = 0.95) -> Figure:
    """Cohen's kappa (1960), 1 - seen disagreement ÷ disagreement expected by chance; -1 to 1.

    None where both sides know one and the same label only: agreement by chance is then total. The interval is made on the scale
    of the seen disagreement, from `kappa_pull` added up within clusters.
    """
    import numpy as np

    level = checked_confidence(confidence)
    method = f"Cohen's kappa, delta method on clusters, {level:g}"
    if not len(truth):
        return missing("no item counts", 0, 0, method)
    numbers = np.unique(clusters, return_inverse=True)[1]
    n, groups = len(truth), int(numbers.max()) + 1
    seen, expected, pull = kappa_pull(truth, said)
    if not expected:
        return missing("both know one label only, so they would agree by chance alone", n, groups, method)
    low, high = bounds_of(seen, summed(pull, numbers), np.bincount(numbers), level, floor=False)
    value = _exact_kappa(truth, said)
    return Figure(
        value=value, low=max(-1.0, min(value, 1.0 - high / expected)), high=min(1.0, max(value, 1.0 - low / expected)),
        n=n, clusters=groups, method=method,
    )  # fmt: skip


def _margins(truth: Codes, said: Codes) -> tuple[Codes, Codes]:
    """How often each label was given by either side."""
    import numpy as np

    labels = int(max(truth.max(), said.max())) + 1
    return np.bincount(truth, minlength=labels), np.bincount(said, minlength=labels)


def _exact_kappa(truth: Codes, said: Codes) -> float:
    """One division of whole numbers, so that a judge that always says the same has exactly 0."""
    n, agreed = len(truth), int((truth == said).sum())
    chance = sum(mine * theirs for mine, theirs in zip(*(side.tolist() for side in _margins(truth, said)), strict=True))
    return float((n * agreed - chance) / (n * n - chance))


def kappa_pull(truth: Codes, said: Codes) -> tuple[float, float, Numbers]:
    """(seen disagreement, expected disagreement, influence of each item on kappa × -expected): Fleiss, Cohen and Everitt 1969.

    Expected is exactly 0 where all labels of both sides are one; there is no influence then.
    """
    import numpy as np

    n = len(truth)
    apart = (truth != said).astype(float)
    seen = float(apart.mean())
    mine, theirs = (side / n for side in _margins(truth, said))
    if mine.max() == 1.0 and not apart.any():
        return 0.0, 0.0, np.zeros(n)
    chance = float((mine * theirs).sum())
    expected = 1.0 - chance
    return seen, expected, apart - seen + seen / expected * (theirs[truth] + mine[said] - 2.0 * chance)


def recall(truth: Marks, said: Marks, clusters: Codes, confidence: float = 0.95) -> Figure:
    """Of the items that are of the kind, the share that the rater said to be."""
    return share_of(truth & said, truth, clusters, checked_confidence(confidence))


def precision(truth: Marks, said: Marks, clusters: Codes, confidence: float = 0.95) -> Figure:
    """Of the items that the rater said to be of the kind, the share that are."""
    return share_of(truth & said, said, clusters, checked_confidence(confidence))


def f_one(truth: Marks, said: Marks, clusters: Codes, confidence: float = 0.95) -> Figure:
    """2·both ÷ (truth + said). With J, the share of both among either, it is 2J ÷ (1 + J), and so are its bounds."""
    found = share_of(truth & said, truth | said, clusters, checked_confidence(confidence))
    if found.value is None or found.low is None or found.high is None:
        return found
    value, low, high = (2.0 * share / (1.0 + share) for share in (found.value, found.low, found.high))
    return Figure(value=value, low=low, high=high, n=found.n, clusters=found.clusters, method=f"F1 from the shares: {found.method}")


def mean_of(parts: list[Figure], pulls: list[Numbers], names: tuple[str, ...] = ()) -> Figure:
    """The plain mean of figures, one a label (a macro average), by the method of variance estimates recovery (Zou and Donner 2008).

    Each part goes in with its own bounds; `pulls` are its influence values by cluster (all over the same clusters), from which the
    correlations between the parts are taken. None where a part has no value, for a mean of the others is another figure.
    """
    import numpy as np

    method = "mean over labels, by variance estimates recovery"
    n, groups = max((part.n for part in parts), default=0), max((part.clusters for part in parts), default=0)
    for place, part in enumerate(parts):
        if part.value is None or part.low is None or part.high is None:
            name = names[place] if place < len(names) else str(place)
            return missing(f"{name}: {part.reason}", n, groups, method)
    if not parts:
        return missing("there is no label", 0, 0, method)
    values, lows, highs = (np.array([getattr(part, end) for part in parts], dtype=float) for end in ("value", "low", "high"))
    together = _correlations(pulls)
    down, up = values - lows, highs - values
    value, count = float(values.mean()), len(parts)
    low = value - math.sqrt(max(0.0, float(down @ together @ down))) / count
    high = value + math.sqrt(max(0.0, float(up @ together @ up))) / count
    return Figure(value=value, low=max(0.0, low), high=min(1.0, high), n=n, clusters=groups, method=method)


def _correlations(pulls: list[Numbers]) -> NDArray[np.float64]:
    """Of influence values by cluster; a part without a spread goes with no other."""
    import numpy as np

    matrix = np.vstack(pulls)
    square = matrix @ matrix.T
    sizes = np.sqrt(np.diag(square))
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    found = np.asarray(square / np.outer(sizes, sizes), dtype=np.float64)
    np.fill_diagonal(found, 1.0)
    return found


def share_pull(good: Marks, every: Marks, clusters: Codes, groups: int) -> Numbers:
    """The influence values of a share, by cluster number (0 to groups - 1): for `mean_of`."""
    total = int(every.sum())
    value = float((good & every).sum()) / total if total else 0.0
    pull = ((good & every) - value * every) / max(1, total)
    return summed(pull, clusters, groups)
