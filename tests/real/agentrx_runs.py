"""Failed retail runs with labelled root causes: read by the importer of tau-bench, graded as a suite would grade them, and held
against the labels message by message. Kept out: what a run is held to (`agentrx_rules.py`).
"""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from fairtrial.exchange.dialogue import Dialogue, Message
from fairtrial.exchange.formats import importer
from fairtrial.graders.assess import Assessor
from fairtrial.graders.contract import Contract
from fairtrial.records.case import Brief, Case, Key, Scene
from fairtrial.records.check import parse_checks
from fairtrial.records.grade import Scorecard
from fairtrial.records.remark import NOT_HANDLED
from fairtrial.records.setup import Seat
from fairtrial.records.trial import Trial
from fairtrial.records.verdict import Verdict
from tests.real.agentrx_rules import LOOKS, RULES


class Labelled(NamedTuple):
    """One run: its trial with our grades, the message of each span, and what people found. Messages count from 1."""

    trial: Trial
    card: Scorecard
    message_of: dict[str, int]
    labels: dict[int, str]
    """Message -> the kind of failure."""
    root: int
    speakers: list[int]
    """The messages of the agent and of the user."""

    @property
    def named(self) -> dict[int, list[str]]:
        """Message -> what we found there: failed checks, process findings, failures that were not handled."""
        found = [
            (grade.evidence.span, grade.check) for grade in self.card.grades if grade.verdict is Verdict.FAIL and grade.evidence is not None
        ]
        found += [(span, remark.name) for remark in self.card.remarks for span in remark.spans]
        found += [(met.span, f"failed call: {met.how}") for met in self.card.met if met.how in NOT_HANDLED]
        named: dict[int, list[str]] = {}
        for span, what in found:
            if span in self.message_of:
                named.setdefault(self.message_of[span], []).append(what)
        return named

    @property
    def hit(self) -> bool:
        """Whether a finding is at the very message of one of the labelled failures."""
        return bool(self.named.keys() & self.labels.keys())


def read(folder: Path) -> list[Labelled]:
    runs = {str(run["task_id"]): run for file in sorted((folder / "tau_retail").glob("*.json")) for run in _json(file)}
    labels = {str(label["trajectory_id"]): label for file in sorted((folder / "ground_truth").glob("tau*.json")) for label in _json(file)}
    trials = {
        trial.head.key.case: trial
        for file in sorted((folder / "tau_retail").glob("*.json"))
        for trial, _ in importer("tau")(str(file)).trials
    }
    return [_labelled(trials[task], runs[task], labels[task]) for task in trials if task in labels]


def _json(file: Path) -> Any:
    return msgspec.json.decode(file.read_bytes())


def _labelled(trial: Trial, run: dict[str, Any], label: dict[str, Any]) -> Labelled:
    judged = msgspec.structs.replace(trial, head=msgspec.structs.replace(trial.head, imported=None))
    failures = {failure["failure_id"]: failure for failure in label["failures"]}
    return Labelled(
        trial=trial,
        card=Assessor(_case(run), contract_of(trial)).assess(judged),
        message_of=_messages(run, trial),
        labels={failure["step_number"]: failure["failure_category"] for failure in failures.values()},
        root=failures[label["root_cause"]["failure_id"]]["step_number"],
        speakers=[place for place, message in enumerate(run["traj"], 1) if message["role"] in ("assistant", "user")],
    )


def _case(run: dict[str, Any]) -> Case:
    task = run["info"]["task"]
    facts = {"actions": task["actions"], "outputs": task["outputs"]}
    checks = [{"grader": name, "card": "safety" if name == "knows_the_user_first" else "outcome"} for name in RULES]
    return Case(
        id=str(run["task_id"]),
        brief=Brief(task=task["instruction"], facts=facts),
        scene=Scene(),
        key=Key(must=parse_checks(checks)),
    )


def contract_of(trial: Trial) -> Contract:
    tools = {span.name for span in trial.body.spans if span.kind == "tool"}
    rights: dict[str, tuple[str, ...]] = {name: ("reads" if name.startswith(LOOKS) else "writes",) for name in tools}
    return Contract(seat=Seat(setup=trial.head.key.setup, tools=dict.fromkeys(tools, ""), rights=rights), graders=RULES, origin="import")


def _messages(run: dict[str, Any], trial: Trial) -> dict[str, int]:
    """Span -> the message it was read from; an answer of a tool belongs to its call."""
    dialogue = Dialogue(trial.head.key.setup)
    found: dict[str, int] = {}
    for place, message in enumerate(run["traj"], 1):
        before = len(dialogue.spans)
        dialogue.read([msgspec.convert(message, Message)])
        found |= {span.id: place for span in dialogue.spans[before:]}
    assert [span.name for span in dialogue.spans] == [span.name for span in trial.body.spans]
    return found
