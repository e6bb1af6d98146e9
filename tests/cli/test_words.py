"""What is typed wrong is told as every other error is: what, the value seen, what is allowed, and the mend."""

from __future__ import annotations

from typing import Any

import pytest

from fairtrial.cli.door import enter


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["run", ".", "--isolate", "sandbx"],
            ["--isolate cannot be 'sandbx'", "shared, fork, process, sandbox", "did you mean 'sandbox'?"],
        ),
        (["runs", "--lang", "fr"], ["--lang cannot be 'fr'", "en, zh", "name one of these"]),
        (["show", "last", "case", "one"], ["ATTEMPT must be a whole number, 1 or more", "seen: 'one'", "in digits"]),
        (["run", ".", "--trials", "0"], ["--trials must be a whole number, 1 or more", "seen: '0'"]),
        (["compare", "a", "b", "--fail-on", "worst"], ["--fail-on cannot be 'worst'", "did you mean 'worse'?"]),
    ],
)
def test_a_word_that_is_not_allowed_is_told_with_the_nearest_that_is(words: list[str], told: list[str], capsys: Any) -> None:
    assert enter(words) == 2
    said = capsys.readouterr().err
    assert [part for part in told if part not in said] == []
