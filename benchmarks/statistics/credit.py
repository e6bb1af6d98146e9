"""How often credit names a role that does nothing, and how often it finds the roles whose work was planted.

Run as `python -m benchmarks.statistics.credit [RUNS]`; a cell is `RUNS` drawn teams of eight roles, 200 unless said. Case rates follow
Beta(4, 2). One role takes three tenths of success with it when it goes, one brings half of each case's gap to 1, four do nothing,
and of two that do the same work one must stay. Exit code 1 where an idle role is named in more than one team of twenty, over all
cells, or where at 40 cases of five trials the planted ones are found in fewer than four of five.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.statistics.draws import Floats
from fairtrial.records.change import REMOVE, Change
from fairtrial.records.credit import Variant
from fairtrial.records.run import CaseInfo, Manifest, Planned, Run
from fairtrial.study.codes import FAIL, PASS
from fairtrial.study.credit import Tried, read_credit
from fairtrial.study.table import Table

RUNS = 200
SHAPES = ((20, 5), (40, 3), (40, 5), (60, 5), (100, 5))
FALSE, FOUND = 0.05, 0.8
IDLE, TWINS = ("a", "b", "c", "d"), ("twin_1", "twin_2")
ROLES = ("needed", "harmful", *IDLE, *TWINS)


def removed(*roles: str) -> Variant:
    name = " ".join(["team", *(f"- {role}" for role in roles)])
    return Variant(setup=name, kind=REMOVE, changes=tuple(Change(kind=REMOVE, role=role) for role in roles))


def drawn(rng: np.random.Generator, shape: tuple[int, int], rates: dict[str, Floats]) -> Table:
    """A table with the trials of every team drawn by its rates."""
    cases, trials = shape
    infos = tuple(CaseInfo(id=f"c{place}", hash=f"h{place}", brief_hash="") for place in range(cases))
    planned = tuple(Planned(info.id, setup, trials) for setup in rates for info in infos)
    manifest = Manifest(harness="h", grader="g", suite="s", suite_version="v", cases=infos, planned=planned)
    table = Table(Run(id="r", started_ns=0, ended_ns=1, status="complete", manifest=manifest), details=False)
    for setup, own in rates.items():
        lane = table.lane(setup)
        for row, good in enumerate(rng.binomial(trials, own).tolist()):
            lane.passed[row], lane.failed[row] = good, trials - good
            for turn in range(trials):
                lane.verdicts[lane.first[row] + turn] = PASS if turn < good else FAIL
    return table


def one_team(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[bool, bool, bool, bool]:
    """Whether an idle role was named, and whether the needed one, the harmful one and the pair were found."""
    whole = rng.beta(4, 2, shape[0])
    rates = {"team": whole} | {removed(role).setup: whole for role in (*IDLE, *TWINS)}
    rates |= {"team - needed": 0.7 * whole, "team - harmful": (1 + whole) / 2, removed(*TWINS).setup: 0.6 * whole}
    tried = Tried(
        suite="s", path=".", setup="team", roles=ROLES, lead=None, singles=[removed(role) for role in ROLES], pairs=[removed(*TWINS)],
        trials={"planned": 0, "reused": 0, "run": 0, "not_run": 0},
    )  # fmt: skip
    found = read_credit(drawn(rng, shape, rates), tried)
    read = {role.role: role.reading for role in found.roles}
    named = any(read[role] in ("essential", "harmful") for role in (*IDLE, *TWINS))
    return named, read["needed"] == "essential", read["harmful"] == "harmful", found.pairs[0].reading == "essential"


def measure(shape: tuple[int, int], runs: int, seed: int = 6) -> list[float]:
    """The shares of the drawn teams at which each of the four holds."""
    rng = np.random.default_rng(seed)
    teams = [one_team(rng, shape) for _ in range(runs)]
    return [sum(team[place] for team in teams) / runs for place in range(4)]


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    print("| cases × trials | an idle role named | needed found | harmful found | pair found |\n|---|---|---|---|---|")
    found = {shape: measure(shape, runs) for shape in SHAPES}
    for (cases, trials), shares in found.items():
        print(f"| {cases} × {trials} | {' | '.join(f'{share:.1%}' for share in shares)} |")
    false = sum(shares[0] for shares in found.values()) / len(found)
    return int(false > FALSE or min(found[40, 5][1:]) < FOUND)


if __name__ == "__main__":
    sys.exit(main())
