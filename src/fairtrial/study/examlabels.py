"""Which words are labels: those that the truth uses, with the other half of a pair that everybody knows; and which one a word is.

Kept out: the counting (exam.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.records.errors import InputError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAIRS = (
    ("PASS", "FAIL"),
    ("passed", "failed"),
    ("satisfied", "unsatisfied"),
    ("correct", "incorrect"),
    ("supported", "unsupported"),
    ("true", "false"),
    ("yes", "no"),
    ("good", "bad"),
    ("safe", "unsafe"),
    ("right", "wrong"),
    ("1", "0"),
    ("通过", "不通过"),
    ("是", "否"),
    ("对", "错"),
    ("正确", "错误"),
    ("合格", "不合格"),
)
"""Good and bad in the words of those who label. Where people used no other words, both are known, though one may not have been given."""
UNKNOWN = "unknown"
"""A person's word for: cannot tell. It votes like any other, and where it wins there is no truth."""
TIES = ("tie", "draw", "both", "equal", "same")
MOST = 100
"""Labels at the very most; more is free text."""


class Labels:
    """The labels in their order, each known by its code: its place. Words are compared without regard to case and outer space."""

    def __init__(self, words: Iterable[str], spelt: Iterable[str] = ()) -> None:
        """`words` are those of the truth, `spelt` those of everybody else: for the spelling of a label that the truth never gives."""
        self.names: list[str] = _ordered(words, spelt)
        if len(self.names) > MOST:
            raise InputError(
                f"{len(self.names)} different labels are given as the truth",
                value=self.names[0],
                allowed=f"{MOST} at most",
                mend="a label is one of a few words, such as PASS and FAIL",
            )
        self._codes = {bare(name): code for code, name in enumerate(self.names)}

    def code(self, word: str) -> int | None:
        """The place of a word among the labels, or None where it is none of them."""
        return self._codes.get(bare(word))

    def positive(self, asked: str | None) -> int | None:
        """The label that precision and recall are of: the one that was asked for, else the good one of two that everybody knows."""
        if asked is not None:
            code = self.code(asked)
            if code is None:
                raise unknown_name(f"no label {asked!r} in the truth", asked, self.names)
            return code
        pair = _pair({bare(name) for name in self.names})
        return None if pair is None else self._codes[bare(pair[0])]

    def tie(self) -> int | None:
        """The label that means a tie: so called, or the 0 of 0, 1, 2."""
        named = next((self._codes[word] for word in TIES if word in self._codes), None)
        return self._codes["0"] if named is None and set(self._codes) == {"0", "1", "2"} else named


def verdict_words(truth: Iterable[str]) -> dict[str, str]:
    """How PASS and FAIL are called by those who use another pair that everybody knows; empty where they use none."""
    labels = Labels(truth)
    good = labels.positive(None)
    if good is None or len(labels.names) != len(PAIRS[0]):
        return {}
    return {"PASS": labels.names[good], "FAIL": labels.names[1 - good]}


def bare(word: str) -> str:
    """A word as it is compared."""
    return word.strip().casefold()


def _pair(words: set[str]) -> tuple[str, str] | None:
    return next((pair for pair in PAIRS if words and words <= {bare(word) for word in pair}), None)


def _ordered(words: Iterable[str], spelt: Iterable[str]) -> list[str]:
    """A known pair good label first, numbers by size, all else by its letters."""
    found: dict[str, str] = {}
    for word in words:
        if bare(word) != UNKNOWN:
            found.setdefault(bare(word), word.strip())
    pair = _pair(set(found))
    if pair is not None:
        own = {bare(word): word.strip() for word in spelt} | found
        return [_as_spelt(word, own, found) for word in pair]
    return sorted(found.values(), key=_rank)


def _as_spelt(word: str, own: dict[str, str], found: dict[str, str]) -> str:
    """As somebody wrote it, else in the case of its other half."""
    if bare(word) in own:
        return own[bare(word)]
    other = next(iter(found.values()))
    return word.upper() if other.isupper() else word.lower() if other.islower() else word.capitalize()


def _rank(word: str) -> tuple[int, float, str]:
    number = as_number(word)
    return (1, 0.0, word) if number is None else (0, number, word)


def as_number(word: str) -> float | None:
    """The number that a label is, or None."""
    try:
        number = float(word)
    except ValueError:
        return None
    return number if number - number == 0.0 else None


def all_numbers(names: Sequence[str]) -> list[float] | None:
    """The numbers that all labels are, or None."""
    found = [as_number(name) for name in names]
    return [number for number in found if number is not None] if None not in found else None
