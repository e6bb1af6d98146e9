"""The short, stable name of a check, where its author gave none: `output demand != 20`, `fact stockout_days received by lead`.

It is what reports show and what two runs are matched by, so it depends on the check alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairtrial.records.check import Check
from fairtrial.records.expectations import OPTIONS
from fairtrial.records.subjects import SUBJECTS
from fairtrial.records.text import dumps

LONGEST = 120
_SIGNS = {
    "equals": ("==", "!="),
    "not_equals": ("!=", "=="),
    "in": ("in", "not in"),
    "not_in": ("not in", "in"),
    "min": (">=", "<"),
    "max": ("<=", ">"),
    "contains": ("contains", "without"),
    "not_contains": ("without", "contains"),
    "matches": ("matches", "never matches"),
    "between": ("between", "outside"),
    "approx": ("about", "not about"),
    "length": ("length", "never length"),
    "subset_of": ("within", "not within"),
    "unordered": ("in any order", "never in any order"),
}


def label(check: Check) -> str:
    """The check's own name, or one made from what it asks; turned checks are named by what must not be."""
    if check.name:
        return check.name
    never = check.under == "must_not" and not SUBJECTS[check.subject].guard
    text = _short(check, never)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _short(check: Check, never: bool) -> str:
    subject, expect = check.subject, check.expect
    if subject in ("output", "state", "query", "text"):
        return f"{subject} {check.target} {_value(expect, never)}"
    if check.parts:
        inner = "; ".join(label(part) if part.name else _short(part, False) for part in check.parts)
        return f"{'never ' if never else ''}{subject.replace('_', ' ')} ({inner})"
    if subject == "rule":
        return f"{'never' if never else 'rule'}: {check.target}"
    return ("never " if never else "") + _sentence(check)


def _sentence(check: Check) -> str:
    subject, expect = check.subject, check.expect
    if subject == "fact":
        asked = [f"received by {expect['received_by']}"] if "received_by" in expect else []
        asked += ["used"] if "used" in expect else []
        asked += [f"used by {expect['used_by']}"] if "used_by" in expect else []
        return f"fact {check.target} {', '.join(asked)}" + (f" (proof: {expect['proof']})" if "proof" in expect else "")
    if subject == "tool":
        return f"tool {check.target} {_tool(expect)}"
    if subject == "conflict":
        return f"conflict {check.target} {_listed(expect)}"
    if subject in ("access", "leak", "forbidden", "retention", "command"):
        return f"{subject} {_json(check.target)}"
    return " ".join(filter(None, [subject, str(check.target or ""), _listed(expect)]))


def _value(expect: Mapping[str, Any], never: bool) -> str:
    words = [_one(key, value, never) for key, value in expect.items() if key not in OPTIONS and not (key == "unordered" and value is True)]
    if never and len(words) > 1:
        return "never (" + " and ".join(_one(key, value, False) for key, value in expect.items() if key not in OPTIONS) + ")"
    return " and ".join(words)


def _one(key: str, value: Any, never: bool) -> str:
    if key == "exists":
        return "exists" if value is not never else "is absent"
    if key == "schema":
        return "never fits the schema" if never else "fits the schema"
    sign = _SIGNS[key][never] if key in _SIGNS else key
    return f"{sign} {_json(value)}"


def _tool(expect: Mapping[str, Any]) -> str:
    words = []
    if "called" in expect:
        words.append("called" if expect["called"] else "not called")
    words += [f"{name} {expect[key]}" for key, name in _TIMES if key in expect]
    words += [f"with {_json(expect['with'])}"] if "with" in expect else []
    words += [f"{key} {expect[key]}" for key in ("before", "after") if key in expect]
    words += [f"result {_json(expect['result'])}"] if "result" in expect else []
    return " ".join(words)


_TIMES = (("times", "times"), ("min_times", "at least"), ("max_times", "at most"))


def _listed(expect: Mapping[str, Any]) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {_json(value)}" for key, value in expect.items())


def _json(value: Any) -> str:
    return value if isinstance(value, str) and value.isidentifier() else dumps(value)
