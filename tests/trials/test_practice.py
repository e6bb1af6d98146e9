"""The practice of a supervisor runs whole trials and leaves nothing behind."""

import os

import pytest

from fairtrial.records.trial import Ending, TrialHead
from fairtrial.trials import practice
from fairtrial.trials.conduct import Act


def test_it_runs_real_trials_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    heads: list[TrialHead] = []
    finish = Act.finish

    def kept(act: Act) -> tuple[TrialHead, bytes]:
        head, body = finish(act)
        heads.append(head)
        return head, body

    monkeypatch.setattr(Act, "finish", kept)
    practice.practise()
    assert len(heads) == 2 * practice.ROUNDS
    assert {(head.ending, head.spend.tool_calls) for head in heads} == {(Ending.FINISHED, 1)}


def test_it_leaves_no_descriptor_open() -> None:
    before = os.listdir("/proc/self/fd")
    practice.practise()
    assert len(os.listdir("/proc/self/fd")) == len(before)
