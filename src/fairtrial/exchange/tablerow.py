"""One row of a table of results: which trial it speaks of, and what it says of it. Read strictly, or refused with its reason.

Kept out: how rows relate to each other (`tables.py`).
"""

from __future__ import annotations

import re
from decimal import Decimal
from math import isfinite
from typing import Any

import msgspec

from fairtrial.records.errors import nearest
from fairtrial.records.run import MOST_ATTEMPTS
from fairtrial.records.trial import FATES, Ending
from fairtrial.records.verdict import Verdict

COLUMNS = (
    "case", "setup", "trial", "passed", "verdict", "cost_usd", "latency_ms", "input_tokens", "output_tokens", "ending", "cluster",
    "severe",
)  # fmt: skip
TAG = "tag:"
NOT_RUN = "not_run"
"""The ending of a row that stands for a planned trial without a result."""

LABELS: dict[str, tuple[str, ...]] = {
    "difficulty": ("easy", "medium", "hard"),
    "risk": ("low", "medium", "high"),
    "source": ("real", "edge", "incident", "adversarial"),
    "kind": ("normal", "boundary", "abnormal", "safety", "recovery"),
    "library": ("capability", "regression"),
    "split": ("open", "held_out"),
    "tier": ("unit", "agent", "e2e"),
    "user_group": (),
    "owner": (),
}
"""Labels of a case that `tag:NAME` fills, with what they may be; () for anything."""

_DECIMAL = re.compile(r"[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?")
_WHOLE = re.compile(r"[0-9]{1,18}")


class Key(msgspec.Struct, frozen=True):
    """`trial` as the row numbers it; None where the table has no such column."""

    case: str
    setup: str
    trial: int | None


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What a row says of its trial. `verdict` is the one that holds; `stated` tells whether the row itself gave it."""

    line: int
    key: Key
    verdict: Verdict
    stated: bool
    ending: Ending
    usd: Decimal | None
    latency_ms: float | None
    input_tokens: int | None
    output_tokens: int | None
    severe: int | None
    """Severe failures; None where the row does not say."""
    cluster: str | None
    labels: dict[str, str]


def read_key(cells: dict[str, Any], setup: str) -> Key:
    """The trial that a row speaks of. `setup` is taken where the row names none. Raises ValueError with what is wrong."""
    case = _name(cells, "case")
    if case is None:
        raise ValueError("case: missing")
    trial = _whole(cells, "trial")
    if trial is not None and trial >= MOST_ATTEMPTS:
        raise ValueError(f"trial: {trial} is above {MOST_ATTEMPTS - 1:,}")
    return Key(case, _name(cells, "setup") or setup, trial)


def was_run(cells: dict[str, Any]) -> bool:
    """False for a row that stands for a planned trial without a result. Raises ValueError where it states one all the same."""
    if cells.get("ending") not in (NOT_RUN, Ending.INTERRUPTED.value):
        return True
    if _verdict(cells) not in (None, Verdict.UNKNOWN):
        raise ValueError(f"ending: {cells['ending']!r} is no trial that could have a verdict")
    return False


def read_row(line: int, cells: dict[str, Any], key: Key) -> Row:
    """The rest of the row. Raises ValueError with the column and what is wrong."""
    ending = _ending(cells)
    stated = _verdict(cells)
    fated = FATES[ending].verdict
    if stated is not None and fated is not None and stated is not fated:
        raise ValueError(f"{stated} contradicts the ending {ending.value}, which is {fated}")
    verdict = stated or fated or Verdict.UNKNOWN
    return Row(
        line=line,
        key=key,
        verdict=verdict,
        stated=stated is not None,
        ending=ending,
        usd=_decimal(cells, "cost_usd"),
        latency_ms=_milliseconds(cells),
        input_tokens=_whole(cells, "input_tokens"),
        output_tokens=_whole(cells, "output_tokens"),
        severe=_severe(cells, verdict),
        cluster=_name(cells, "cluster"),
        labels={name.removeprefix(TAG): label for name, value in cells.items() if name.startswith(TAG) and (label := _label(name, value))},
    )


def _name(cells: dict[str, Any], column: str) -> str | None:
    value = cells.get(column)
    if value is None or value == "":
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"{column}: {value!r:.60} is not a name")
    return value


def _ending(cells: dict[str, Any]) -> Ending:
    text = _name(cells, "ending")
    if text is None:
        return Ending.FINISHED
    try:
        return Ending(text)
    except ValueError:
        near = nearest(text, list(Ending))
        raise ValueError(f"ending: {text!r} is not one of {', '.join(Ending)}" + (f"; did you mean {near}?" if near else "")) from None


def _verdict(cells: dict[str, Any]) -> Verdict | None:
    passed, verdict = _passed(cells.get("passed")), _name(cells, "verdict")
    if verdict is None:
        return passed
    if verdict not in Verdict.__members__:
        raise ValueError(f"verdict: {verdict!r:.60} is not one of {', '.join(Verdict)}")
    if passed is not None and passed is not Verdict(verdict):
        raise ValueError(f"passed says {passed}, but verdict says {verdict}")
    return Verdict(verdict)


def _passed(value: Any) -> Verdict | None:
    if value is None or value == "":
        return None
    word = value.lower() if isinstance(value, str) else value
    if word is True or word == "true":
        return Verdict.PASS
    if word is False or word == "false":
        return Verdict.FAIL
    raise ValueError(f"passed: {value!r:.60} is not true, false or empty{_instead(word)}")


YES, NO = ("yes", "y", "1", "pass", "passed", "ok", "t"), ("no", "n", "0", "fail", "failed", "f")


def _instead(word: Any) -> str:
    """What to write for a word that looks like a verdict; it is not taken for one, for 1 may be a score."""
    plain = str(word).strip().lower()
    return "; write true" if plain in YES else "; write false" if plain in NO else ""


def _severe(cells: dict[str, Any], verdict: Verdict) -> int | None:
    """How many failures of the trial were severe; `true` is one."""
    value = cells.get("severe")
    word = value.lower() if isinstance(value, str) else value
    found = int(word in (True, "true")) if word in (True, False, "true", "false") else _whole(cells, "severe")
    if found and verdict is Verdict.PASS:
        raise ValueError("severe: a trial with a severe failure did not pass")
    return found


def _decimal(cells: dict[str, Any], column: str) -> Decimal | None:
    value = cells.get(column)
    if value is None or value == "":
        return None
    text = (
        value if isinstance(value, str) else "" if isinstance(value, bool) else f"{value:.15g}" if isinstance(value, float) else str(value)
    )
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f"{column}: {value!r:.60} is not a number from 0 up, written plainly{_plainly(text)}")
    return Decimal(text)


def _plainly(text: str) -> str:
    """The number that a text with a sign of money around it holds; a comma is left alone, for it may part thousands."""
    bare = text.strip().removeprefix("$").removesuffix("$").removesuffix("USD").removesuffix("ms").strip()
    return f"; write {bare}" if _DECIMAL.fullmatch(bare) else ""


def _milliseconds(cells: dict[str, Any]) -> float | None:
    value = _decimal(cells, "latency_ms")
    if value is None or isfinite(float(value)):
        return None if value is None else float(value)
    raise ValueError("latency_ms: too large")


def _whole(cells: dict[str, Any], column: str) -> int | None:
    value = cells.get(column)
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not _WHOLE.fullmatch(str(value)):
        raise ValueError(f"{column}: {value!r:.60} is not a whole number from 0 up")
    return int(value)


def _label(column: str, value: Any) -> str | None:
    """A label's value; "true" stands for the bare tag, false and nothing for its absence."""
    if value is None or value == "" or value is False or value == "false":
        return None
    if not isinstance(value, (str, int)):
        raise ValueError(f"{column}: {value!r:.60} is not a label")
    text = "true" if value is True else str(value)
    allowed = LABELS.get(column.removeprefix(TAG), ())
    if allowed and text not in allowed:
        near = nearest(text, allowed)
        raise ValueError(f"{column}: {text!r:.60} is not one of {', '.join(allowed)}" + (f"; did you mean {near}?" if near else ""))
    return text
