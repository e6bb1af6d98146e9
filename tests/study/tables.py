"""Small tables for the tests of the reading: verdicts written as text, one letter a trial.

P passed, F failed, U unknown, E ended by the harness, - planned and not run. Everything else of a trial can be set.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from fairtrial.records.budget import Spend
from fairtrial.records.case import Labels
from fairtrial.records.grade import Evidence, Grade, Scorecard
from fairtrial.records.run import CaseInfo, Manifest, Planned, Run
from fairtrial.records.trial import Ending, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.study.table import Table

VERDICTS = {"P": Verdict.PASS, "F": Verdict.FAIL, "U": Verdict.UNKNOWN, "E": Verdict.UNKNOWN}

Result = tuple[TrialHead, Scorecard | None]
Setups = Mapping[str, Mapping[str, str]]
Change = Callable[[TrialHead, Scorecard], Any]


def head(key: TrialKey, letter: str, **fields: Any) -> TrialHead:
    """A trial that finished, or for E one that the harness ended."""
    ending = Ending.HARNESS_ERROR if letter == "E" else Ending.FINISHED
    return TrialHead(**{"key": key, "seed": 1, "ending": ending, **fields})


def card(letter: str, **fields: Any) -> Scorecard:
    """One outcome check with the verdict of the letter."""
    verdict = VERDICTS[letter]
    grade = Grade(check="output ok", card="outcome", verdict=verdict, why="seen", evidence=Evidence(path="output.ok"))
    return Scorecard(**{"verdict": verdict, "cards": {"outcome": verdict}, "grades": [grade], **fields})


def spent(usd: str | None, *, complete: bool = True, **fields: Any) -> Spend:
    """What a trial used; None is an unknown price."""
    return Spend(usd=None if usd is None else Decimal(usd), usd_complete=complete and usd is not None, **fields)


def results(setups: Setups, change: Change | None = None) -> dict[TrialKey, Result]:
    """The results by key; `change` may alter each head and card in place."""
    found: dict[TrialKey, Result] = {}
    for setup, cases in setups.items():
        for case, letters in cases.items():
            for attempt, letter in enumerate(letters, 1):
                if letter != "-":
                    key = TrialKey(case, setup, attempt)
                    made, graded = head(key, letter), card(letter)
                    if change:
                        change(made, graded)
                    found[key] = made, graded
    return found


def run_of(setups: Setups, /, *, run: str = "r1", infos: Mapping[str, CaseInfo] | None = None, **manifest: Any) -> Run:
    """A run that planned every letter."""
    names = dict.fromkeys(case for cases in setups.values() for case in cases)
    cases = tuple((infos or {}).get(case) or info(case) for case in names)
    planned = tuple(Planned(case, setup, len(letters)) for setup, found in setups.items() for case, letters in found.items())
    fields = {"harness": "0.1.0", "grader": "g1", "suite": "s", "suite_version": "sha256:1", "environment": {"os": "x"}, **manifest}
    return Run(id=run, started_ns=0, ended_ns=1, status="complete", manifest=Manifest(cases=cases, planned=planned, **fields))


def info(case: str, *, hash: str | None = None, cluster: str | None = None, **labels: Any) -> CaseInfo:
    """A case whose content hash follows from its id unless given."""
    made = f"sha256:{case}" if hash is None else hash
    return CaseInfo(id=case, hash=made, brief_hash=made, cluster=cluster, labels=Labels(**labels))


def table(setups: Setups, /, change: Change | None = None, **fields: Any) -> Table:
    """The table of these verdicts."""
    return Table.of(run_of(setups, **fields), results(setups, change))


def one(cases: Mapping[str, str], /, change: Change | None = None, **fields: Any) -> Table:
    """The table of a run with the one setup `solo`."""
    return table({"solo": cases}, change, **fields)
