"""Failed retail runs whose failures people labelled: do our findings name a message that they named?

A hit is a finding at the very message of a labelled failure. Naming everything would hit everything, so how much is named is
held as well, against what as many messages drawn at random would hit.
"""

from math import comb
from pathlib import Path

import msgspec
import pytest

from fairtrial.exchange.formats import importer
from fairtrial.graders.assess import Assessor
from fairtrial.records.case import Brief, Case, Key, Scene
from fairtrial.records.check import parse_checks
from fairtrial.records.verdict import Verdict
from fairtrial.study.signals import first_wrong, signals
from tests.real.agentrx_runs import Labelled, contract_of, read

POLICY = ("knows_the_user_first", "figures_were_given")
"""The rules that need no task."""


@pytest.fixture(scope="module")
def labelled(shared: Path) -> list[Labelled]:
    folder = shared / "data" / "agentrx" / "data"
    if not folder.is_dir():
        pytest.skip(f"needs the labelled runs: {folder} is not there")
    return read(folder)


def by_chance(run: Labelled) -> float:
    """How likely as many messages drawn at random would hit a labelled one."""
    messages, named, labels = len(run.speakers), len(run.named), len(run.labels)
    return 1 - comb(messages - labels, named) / comb(messages, named)


def test_most_runs_have_a_finding_at_a_labelled_failure(labelled: list[Labelled]) -> None:
    assert len(labelled) > 20
    assert all(run.card.verdict is Verdict.FAIL for run in labelled)
    assert sum(run.hit for run in labelled) / len(labelled) >= 0.6
    assert sum(run.root in run.named for run in labelled) / len(labelled) >= 0.5


def test_that_is_far_more_than_chance_and_few_messages_are_named(labelled: list[Labelled]) -> None:
    assert sum(run.hit for run in labelled) > 3 * sum(map(by_chance, labelled))
    assert sum(len(run.named) for run in labelled) / sum(len(run.speakers) for run in labelled) < 0.15


def test_labels_and_findings_speak_of_messages_that_are_there(labelled: list[Labelled]) -> None:
    for run in labelled:
        assert run.labels.keys() <= set(run.speakers)
        assert run.named.keys() <= set(run.speakers)


def test_the_policy_rules_find_nothing_in_runs_that_passed(shared: Path) -> None:
    """Runs of the same shop by other agents, which were judged right."""
    files = sorted((shared / "data" / "tau2_versions" / "runs").glob("*.json"))
    passed = wrong = 0
    for file in files:
        case = Case(id="any", brief=Brief(task="t"), scene=Scene(), key=Key(must=parse_checks([{"grader": name} for name in POLICY])))
        for trial, card in importer("tau")(str(file)).trials:
            if card.verdict is Verdict.PASS and any(span.name.startswith("get_order_details") for span in trial.body.spans):
                trial.head = msgspec.structs.replace(trial.head, imported=None)
                passed += 1
                wrong += Assessor(case, contract_of(trial)).assess(trial).verdict is Verdict.FAIL
    if not files:
        pytest.skip("needs the runs of tau2")
    assert passed > 20 and wrong <= passed / 20


def test_the_first_wrong_act_is_at_a_labelled_failure_far_more_often_than_chance(labelled: list[Labelled]) -> None:
    """`diagnose` names one act a run; one message drawn at random would hit a labelled one as often as `labels` are among all."""
    firsts = [(run, first_wrong(signals(run.trial, run.card))) for run in labelled]
    named = [(run, run.message_of.get(first.span or "") if first else None) for run, first in firsts]
    assert all(message is not None for _, message in named)
    assert sum(message in run.labels for run, message in named) / len(labelled) >= 0.45
    assert sum(message == run.root for run, message in named) / len(labelled) >= 0.3
    assert sum(message in run.labels for run, message in named) > 5 * sum(len(run.labels) / len(run.speakers) for run in labelled)
