"""Does a trial's verdict rest on a model judge? It does where no code failed the trial, and a judge passed or failed it.

Such verdicts are as good as the judge is; every figure over them says how many there are, and is corrected where the judge's errors
are known. Kept out: what a judge's opinion comes to, and all figures.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from fairtrial.records.grade import Scorecard

JUDGE, BOTH = "judge", "both"
"""Sources of a grade: a judge alone, a group of checks in which neither code nor a judge decided alone."""


def rests_on(card: Scorecard) -> dict[str, str]:
    """Name -> identity of the judges that a scorecard's verdict rests on; empty where code decided, or nothing was decided.

    The identity is left empty where what counted is not the very verdict of the judge: turned round, in a group, or at another
    bar than its rubric's. No exam has measured that.
    """
    if card.verdict is Verdict.UNKNOWN:
        return {}
    told = [grade for grade in card.grades if grade.source in (JUDGE, BOTH) and grade.verdict is not Verdict.UNKNOWN and not grade.aside]
    if not told or any(grade.verdict is Verdict.FAIL and grade.source not in (JUDGE, BOTH) for grade in card.grades):
        return {}
    opinions = [opinion for opinion in card.opinions if opinion.verdict is not Verdict.UNKNOWN]
    same = Counter(grade.verdict for grade in told) == Counter(opinion.verdict for opinion in opinions)
    plain = same and all(grade.source == JUDGE for grade in told)
    return {opinion.judge: opinion.identity if plain else "" for opinion in opinions} or {JUDGE: ""}
