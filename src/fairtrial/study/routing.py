"""Send some cases to the team and the rest to its rival? A rule is advised only where it held on cases not used to choose it.

The cases are cut into five parts, clusters kept whole. For each part a rule is chosen on the four others and applied to this
one, so that every case is judged under a rule it had no part in. Routed so, the cases must gain over sending everything to the
cheaper setup, show no loss against everything to the dearer one and rule out one of the margin's size; the labels must matter
more than chance would have the best of all rules matter; and the parts must have chosen the rule that all cases choose. Kept
out: the words of the page.
"""

from __future__ import annotations

import hashlib
import math
from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.lift import Policy, Routing
from fairtrial.records.report import Difference
from fairtrial.stats.bootstrap import ratio_of_sums
from fairtrial.stats.clusters import cluster_numbers
from fairtrial.stats.paired import paired_rates
from fairtrial.stats.permutation import sign_flip_rates
from fairtrial.study.costs import SHARE
from fairtrial.study.curve import Field, use_by_case
from fairtrial.study.rules import Ground, Rule, choose, ground_of, label_effect
from fairtrial.study.wording import count, listed, points

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from fairtrial.study.lane import Lane

PARTS = 5
FEWEST_CASES = 30
"""Independent cases below which no rule is looked for."""
AGREEING = 4
"""Parts, of PARTS, that must have chosen the rule which is advised."""
LEVEL = 0.05
NONE = "no rule was found that held on cases not used to choose it"


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Two setups at the same cases, the dearer and the cheaper, and the margin. `use` is a trial's mean by case."""

    names: tuple[str, str]
    lanes: tuple[Lane, Lane]
    rows: tuple[list[int], list[int]]
    use: tuple[list[Decimal], list[Decimal]]
    team: str
    measure: str
    margin: float


def read_routing(field: Field, pair: tuple[str, str], margin: float, seed: int = 0) -> Routing:
    """Whether a rule is worth advising for `pair`, (rival, team). Deterministic: `seed` cuts the parts."""
    lane, rows = field.lanes[pair[1]]
    units = _units(lane, rows)
    told = Routing(state="none", why="", cases=len(rows), clusters=len(set(units)), measure=field.measure)
    if told.clusters < FEWEST_CASES:
        told.state = "too_few"
        told.why = f"too few cases to choose and to check a rule: {count(told.clusters, 'independent case')}, {FEWEST_CASES} at least"
        return told
    match = _match(field, pair, margin)
    if isinstance(match, str):
        told.why = match
        return told
    return _validated(told, match, units, seed)


def _match(field: Field, pair: tuple[str, str], margin: float) -> Match | str:
    """The two, the dearer first; or why no rule could be shown to save anything."""
    if field.measure is None:
        return f"no rule can be shown to save anything: {field.reason}"
    use = {name: use_by_case(*field.lanes[name], field.measure) for name in pair}
    dark = [name for name in pair if use[name] is None]
    if dark:
        return f"no rule can be shown to save anything: what {' and '.join(dark)} used is not known for every trial"
    known = {name: [] if found is None else found for name, found in use.items()}
    order = sorted(pair, key=lambda name: sum(known[name]), reverse=True)
    if sum(known[order[0]]) == sum(known[order[1]]):
        return "no rule can save anything: both use the same"
    return Match(
        names=(order[0], order[1]),
        lanes=(field.lanes[order[0]][0], field.lanes[order[1]][0]),
        rows=(field.lanes[order[0]][1], field.lanes[order[1]][1]),
        use=(known[order[0]], known[order[1]]),
        team=pair[1],
        measure=field.measure,
        margin=margin,
    )


def _units(lane: Lane, rows: Sequence[int]) -> list[int]:
    return cluster_numbers(len(rows), lane.clusters(rows))


def _rates(lane: Lane, rows: Sequence[int], *, undecided_pass: bool = False) -> NDArray[np.float64]:
    import numpy as np

    return np.asarray([passed / planned for passed, planned in lane.settled(rows, passed=undecided_pass)], dtype=np.float64)


def _ground(match: Match, units: Sequence[int]) -> Ground:
    import numpy as np

    dear, cheap = (_rates(lane, rows) for lane, rows in zip(match.lanes, match.rows, strict=True))
    cases = [match.lanes[0].cases[row] for row in match.rows[0]]
    return ground_of(cases, dear - cheap, np.asarray(units), match.margin)


def _parts(match: Match, units: Sequence[int], seed: int) -> NDArray[np.intp]:
    """The part of each case, clusters whole: by a digest of the first case's id, so that the order of the cases says nothing."""
    import numpy as np

    first: dict[int, str] = {}
    for unit, row in zip(units, match.rows[0], strict=True):
        name = match.lanes[0].cases[row].id
        first[unit] = min(name, first.get(unit, name))
    ordered = sorted(first, key=lambda unit: hashlib.sha256(f"{seed}:{first[unit]}".encode()).digest())
    place = {unit: index % PARTS for index, unit in enumerate(ordered)}
    return np.asarray([place[unit] for unit in units])


def _validated(told: Routing, match: Match, units: Sequence[int], seed: int) -> Routing:
    import numpy as np

    ground, parts = _ground(match, units), _parts(match, units, seed)
    everywhere = choose(ground, np.ones(len(units), dtype=bool))
    chosen = [choose(ground, parts != part) for part in range(PARTS)]
    if everywhere is None or any(rule is None for rule in chosen):
        told.why = "no label cuts the cases into two parts that are large enough"
        return told
    rules = [rule for rule in chosen if rule is not None]
    sent = np.zeros(len(units), dtype=bool)
    for part, rule in enumerate(rules):
        sent |= ground.of(rule) & (parts == part)
    told.folds = [str(rule) for rule in rules]
    _measured(told, match, sent)
    told.why = _failing(told, match, (ground, sent), (everywhere, rules))
    if not told.why:
        told.state, told.rule = "holds", str(everywhere)
        told.send, told.rest = match.names
        told.send_team = match.names[0] == match.team
        told.sent = int(ground.of(everywhere).sum())
    return told


def _measured(told: Routing, match: Match, sent: NDArray[np.bool_]) -> None:
    """The figures of the routed cases, each under the rule that it had no part in."""
    counts = [lane.passes(rows) for lane, rows in zip(match.lanes, match.rows, strict=True)]
    routed = [dear if goes else cheap for goes, dear, cheap in zip(sent.tolist(), *counts, strict=True)]
    use = [dear if goes else cheap for goes, dear, cheap in zip(sent.tolist(), *match.use, strict=True)]
    clusters = match.lanes[0].clusters(match.rows[0])
    versus = [paired_rates(side, routed, clusters=clusters) for side in counts]
    laid = [Difference(value=d.value, low=d.low, high=d.high, method=d.method, n=d.pairs) for d in versus]
    policies = [Policy(success=_mean(side), use=_mean_use(spent)) for side, spent in zip(counts, match.use, strict=True)]
    place = 0 if match.names[0] == match.team else 1
    told.versus_team, told.versus_rival = laid[place], laid[1 - place]
    told.all_team, told.all_rival = policies[place], policies[1 - place]
    told.routed = Policy(success=_mean(routed), use=_mean_use(use))
    told.p_value = sign_flip_rates(counts[1], routed, clusters).p_value
    share = ratio_of_sums([float(part) for part in use], [float(part) for part in match.use[0]], clusters)
    if share.value is not None:
        told.saved = 1.0 - share.value
        told.saved_low = None if share.high is None else 1.0 - share.high
        told.saved_high = None if share.low is None else 1.0 - share.low


def _failing(told: Routing, match: Match, seen: tuple[Ground, NDArray[np.bool_]], rules: tuple[Rule, Sequence[Rule]]) -> str:
    """The first demand that the held-back cases do not meet, empty where they meet all."""
    ground, sent = seen
    gained, lost = (told.versus_rival, told.versus_team) if match.names[0] == match.team else (told.versus_team, told.versus_rival)
    if gained is None or lost is None or gained.low is None or lost.low is None or sent.all() or not sent.any():
        return NONE
    worst = _worst(match, sent)
    if not (gained.low > 0 and worst[1] > 0 and told.p_value is not None and told.p_value < LEVEL):
        return f"{NONE}: no gain over {match.names[1]} was shown"
    if not (lost.low > -match.margin and worst[0] > -match.margin):
        allowed = points(match.margin).lstrip("+")
        return f"{NONE}: a loss of {allowed} points against {match.names[0]} could not be ruled out"
    if lost.high is not None and lost.high < 0:
        return f"{NONE}: a loss against {match.names[0]} was shown"
    told.label_p = label_effect(ground)
    if told.label_p >= LEVEL:
        return f"{NONE}: the labels show no clear difference in what {match.names[0]} gains"
    agreeing = sum(rule == rules[0] for rule in rules[1])
    if agreeing < AGREEING:
        return f"{NONE}: parts of the cases chose different ones ({listed(told.folds, 5)})"
    severe = _new_severe(match, ground.of(rules[0]))
    if severe:
        return f"no rule is advised: it would bring new severe failures in {listed(severe)}"
    return ""


def _worst(match: Match, sent: NDArray[np.bool_]) -> tuple[float, float]:
    """Routed − each side (dearer, cheaper), every undecided trial counted against routing where the two differ."""
    import numpy as np

    low = [_rates(lane, rows) for lane, rows in zip(match.lanes, match.rows, strict=True)]
    high = [_rates(lane, rows, undecided_pass=True) for lane, rows in zip(match.lanes, match.rows, strict=True)]
    versus_dear = np.where(sent, 0.0, low[1] - high[0]).mean()
    versus_cheap = np.where(sent, low[0] - high[1], 0.0).mean()
    return float(versus_dear), float(versus_cheap)


def _new_severe(match: Match, sent: NDArray[np.bool_]) -> list[str]:
    """Cases with severe failures where they would be sent and none where they would go otherwise."""
    dear, cheap = match.lanes
    rows = zip(sent.tolist(), *match.rows, strict=True)
    return [dear.cases[a].id for goes, a, b in rows if goes and a in dear.severe and b not in cheap.severe]


def _mean(counts: Sequence[tuple[int, int]]) -> float:
    shares = [passed / run for passed, run in counts if run]
    return math.fsum(shares) / len(shares) if shares else 0.0


def _mean_use(use: Sequence[Decimal]) -> Decimal:
    return SHARE.divide(sum(use, Decimal(0)), Decimal(len(use)))
