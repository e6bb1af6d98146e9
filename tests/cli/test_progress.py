"""How far a command is: nothing under a second, a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from fairtrial.cli.progress import Progress
from fairtrial.report.words import Words


class Clock:
    """Time that passes when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _lines(capsys: pytest.CaptureFixture[str], *, quiet: bool = False, language: str = "en") -> Callable[..., list[str]]:
    def told(*times: float) -> list[str]:
        clock = Clock()
        with Progress(Words(language), quiet=quiet, clock=clock) as progress:
            for done, passed in enumerate(times, 1):
                clock.now = 100.0 + passed
                progress(done, 2000, 1, 2)
        captured = capsys.readouterr()
        assert captured.out == ""
        return captured.err.splitlines()

    return told


def test_what_takes_under_a_second_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert _lines(capsys)(0.1, 0.5, 0.9) == []


def test_a_log_gets_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _lines(capsys)(0.5, 1.5, 2.0, 5.0, 11.4, 11.6, 12.0)
    assert lines == ["2 of 2,000 trials  1 failed, 2 unknown  2 s", "6 of 2,000 trials  1 failed, 2 unknown  12 s"]


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert _lines(capsys, quiet=True)(2.0, 20.0) == []


def test_progress_is_told_in_chinese_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert _lines(capsys, language="zh")(2.0) == ["试验 1 / 2,000  失败 1，未知 2  2 s"]


def test_a_terminal_gets_a_bar_that_is_gone_afterwards(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    clock = Clock()
    with Progress(Words(), quiet=False, clock=clock) as progress:
        clock.now += 2
        progress(1, 4, 0, 0)
        clock.now += 0.05
        progress(2, 4, 0, 0)
        clock.now += 1
        progress(3, 4, 1, 0)
    err = capsys.readouterr().err
    assert "1 of 4 trials" in err
    assert "3 of 4 trials" in err
    assert "2 of 4 trials" not in err
