"""One criterion in a case: a subject, an expectation, and how much it matters.

`parse_checks` is the strict reading of what a case or suite states: one subject, at least one expectation that could fail,
labels; every fault names its place and the nearest right key. What an expectation may hold stands in `expectations.py`;
what a check means for a trial is the graders' business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from fairtrial.records import expectations as may
from fairtrial.records.errors import FairtrialError, InputError, InputErrors, nearest, unknown_key
from fairtrial.records.expectations import Shape, Wrong
from fairtrial.records.grade import CARDS, DIMENSIONS, SEVERITIES
from fairtrial.records.subjects import SUBJECTS

Path = tuple[str | int, ...]
Where = Callable[..., str]
"""Tells the place (file:line) of the value at a path of keys and positions, given as arguments."""

MOST_NESTED = 20


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A parsed check. `subject` is the key of INTERFACE's table (output, state, fact, tool, rule, all_of, ...), `target`
    its value, `expect` the expectations as written. `parts` holds the checks of all_of, any_of and not. `card` is empty for a
    judge's check that states none: it is then that of the judge's rubric."""

    subject: str
    target: Any = None
    expect: dict[str, Any] = {}
    parts: tuple[Check, ...] = ()
    name: str = ""
    card: str = "outcome"
    severity: str = "major"
    dimension: str = ""
    why: str = ""
    fix: str = ""
    under: str = "must"
    place: str = ""


LABELS: dict[str, Shape] = {
    **dict.fromkeys(("name", "why", "fix"), may.words),
    "card": may.one_of(*CARDS),
    "severity": may.one_of(*SEVERITIES),
    "dimension": may.one_of(*DIMENSIONS),
}
STRICT = ("safety", "decision")
"""Cards that no judge passes alone, the strictest first."""
GROUPS = ("all_of", "any_of", "not")
BARE = ("changes", "recovery", "process")
"""Subjects without a value: their expectations stand beside them or inside."""


def parse_checks(raw: Any, *, path: Path = (), where: Where | None = None, under: str = "must") -> tuple[Check, ...]:
    """The checks of a list such as a case's `must`.

    `path` leads to the list within its file, `where` tells a path's place, `under` is the list's key (must, must_not,
    limits, checks). Raises InputErrors with every fault found.
    """
    if not isinstance(raw, list):
        raise InputErrors([InputError("must be a list of checks", place=_place(where, path), value=raw, mend="write [{…}, {…}]")])
    found: list[Check] = []
    errors: list[FairtrialError] = []
    for index, entry in enumerate(raw):
        try:
            found.append(parse_check(entry, path=(*path, index), where=where, under=under))
        except InputErrors as several:
            errors += several.errors
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputErrors(errors)
    return tuple(found)


def parse_check(raw: Any, *, path: Path = (), where: Where | None = None, under: str = "must") -> Check:
    """One check as written; raises InputError (or InputErrors for the parts of a group)."""
    if sum(1 for step in path if step in GROUPS) > MOST_NESTED:
        raise InputError(f"checks are nested more than {MOST_NESTED} deep", place=_place(where, path))
    subject = _subject_of(raw, path, where)
    rule = SUBJECTS[subject]
    written = _written(raw, subject)
    _test_keys(written, subject, path, where)
    _test_values(raw, written, subject, path, where)
    parts = _parts(raw[subject], subject, (*path, subject), where, under) if subject in GROUPS else ()
    _test_cards(raw.get("card"), parts, path, where)
    expect = {key: value for key, value in written.items() if key in rule.expects}
    asked = {key for key, value in expect.items() if key not in may.OPTIONS and not _says_nothing(key, value)}
    if not rule.alone and not asked:
        raise InputError(
            f"{_name(path)}: `{subject}` says nothing that could hold or fail",
            place=_place(where, path),
            value=raw,
            allowed=", ".join(key for key in rule.expects if key not in may.OPTIONS),
            mend="add an expectation, such as " + _example(subject),
        )
    return Check(
        subject=subject,
        target=None if subject in (*BARE, *GROUPS) else raw[subject],
        expect=expect,
        parts=parts,
        name=raw.get("name", ""),
        card=raw.get("card") or _card(subject, expect, parts),
        severity=raw.get("severity") or _severity(subject, under, parts),
        dimension=raw.get("dimension", ""),
        why=raw.get("why", ""),
        fix=raw.get("fix", ""),
        under=under,
        place=_place(where, path) or _name(path),
    )


def _says_nothing(key: str, value: Any) -> bool:
    """Expectations that any value meets."""
    return (key == "unordered" and value is False) or (key == "min_times" and value == 0)


def _subject_of(raw: Any, path: Path, where: Where | None) -> str:
    place = _place(where, path)
    if not isinstance(raw, dict) or not raw:
        raise InputError(
            f"{_name(path)}: a check is an object", place=place, value=raw, mend="write {output: PATH, equals: VALUE} or the like"
        )
    found = [key for key in raw if key in SUBJECTS]
    if len(found) == 1:
        return str(found[0])
    if found:
        names = ", ".join(f"`{key}`" for key in found)
        raise InputError(
            f"{_name(path)}: one check has one subject, here are {names}", place=place, value=raw, mend="write them as two checks"
        )
    for key in raw:
        near = nearest(str(key), SUBJECTS) if key not in LABELS else None
        if near:
            raise _as_key(str(key), SUBJECTS, path, where, raw[key])
    raise InputError(f"{_name(path)}: no subject", place=place, value=raw, allowed=", ".join(SUBJECTS), mend="say what is checked")


def _written(raw: dict[str, Any], subject: str) -> dict[str, Any]:
    """The keys beside the subject; for a bare one also those written inside it."""
    beside = {key: value for key, value in raw.items() if key != subject}
    inside = raw[subject]
    return {**inside, **beside} if subject in BARE and isinstance(inside, dict) else beside


def _test_keys(written: dict[str, Any], subject: str, path: Path, where: Where | None) -> None:
    allowed = {**SUBJECTS[subject].expects, **LABELS}
    for key, value in written.items():
        if key not in allowed:
            error = _as_key(str(key), allowed, path, where, value)
            homes = [name for name, other in SUBJECTS.items() if key in other.expects]
            if homes:
                error.mend = f"`{key}` belongs to {' and '.join(f'`{name}`' for name in homes)}: write it in a check of its own"
            raise error


def _test_values(raw: dict[str, Any], written: dict[str, Any], subject: str, path: Path, where: Where | None) -> None:
    tests = {**SUBJECTS[subject].expects, **LABELS}
    pairs: list[tuple[str, Any, Shape]] = [(key, value, tests[key]) for key, value in written.items()]
    if not (subject in BARE and isinstance(raw[subject], dict)):
        pairs.insert(0, (subject, raw[subject], SUBJECTS[subject].target))
    for key, value, test in pairs:
        try:
            test(value)
        except Wrong as error:
            what = f"{_name(path)}: `{key}` {error}"
            at = _place(where, (*path, key))
            raise InputError(what, place=at, value=value, allowed=error.allowed or None, mend=error.mend or None) from None
    if "min_covered" in written and "covers" not in written:
        at = _place(where, (*path, "min_covered"))
        raise InputError(
            f"{_name(path)}: `min_covered` is a share of what `covers` names", place=at, mend="write covers: [FACT, …] beside it"
        )
    if "by" in written and subject == "citations" and "supports" not in written:
        at = _place(where, (*path, "by"))
        raise InputError(f"{_name(path)}: `by` says who decides what `supports` asks", place=at, mend="write supports: true beside it")
    if written.get("unordered") is True and "equals" not in written:
        at = _place(where, (*path, "unordered"))
        raise InputError(f"{_name(path)}: `unordered: true` needs `equals` beside it", place=at, mend="write unordered: [a, b]")


def _parts(raw: Any, subject: str, path: Path, where: Where | None, under: str) -> tuple[Check, ...]:
    if subject == "not":
        under = under if under == "must_not" else "not"
        parts: tuple[Check, ...] = (parse_check(raw, path=path, where=where, under=under),)
    else:
        may_be = raw if isinstance(raw, list) and raw else None
        if may_be is None:
            raise InputError(f"{_name(path)}: must be a list of checks that is not empty", place=_place(where, path), value=raw)
        parts = parse_checks(raw, path=path, where=where, under=under)
    for part in parts:
        if part.subject == "question" or (SUBJECTS[part.subject].guard and under in ("must_not", "not")):
            raise InputError(
                f"{_name(path)}: `{part.subject}` cannot be turned round or joined here",
                place=part.place,
                mend="a question stands alone" if part.subject == "question" else "it already says what must not happen: write it alone",
            )
    return parts


def _test_cards(stated: str | None, parts: Sequence[Check], path: Path, where: Where | None) -> None:
    """A group may not take a judge's part off a card that no judge passes alone."""
    for part in parts:
        if stated and part.card in STRICT and part.card != stated and _judged(part):
            what = f"{_name(path)}: a part that a judge decides is of the card {part.card}, and the group of the card {stated}"
            mend = f"write `card: {part.card}` at the group, or take it from the part"
            raise InputError(what, place=_place(where, (*path, "card")), value=stated, mend=mend)


def _card(subject: str, expect: dict[str, Any], parts: tuple[Check, ...]) -> str:
    if parts:
        return group_card([part.card for part in parts]) if any(map(_judged, parts)) else parts[0].card
    if subject == "fact" and "used" in expect and not ({"received_by", "used_by"} & expect.keys()):
        return "outcome"
    return SUBJECTS[subject].card


def group_card(cards: Sequence[str]) -> str:
    """The card of a group that holds a judge: a part of safety or decision makes the whole one of it, else the first part's counts.

    Empty where it rests with the rubric of a judge.
    """
    strict = next((card for card in STRICT if card in cards), None)
    return strict or ("" if "" in cards else cards[0])


def _judged(check: Check) -> bool:
    """Whether a judge has a part in it."""
    return check.subject == "judge" or "by" in check.expect or any(map(_judged, check.parts))


def _severity(subject: str, under: str, parts: tuple[Check, ...]) -> str:
    if parts:
        return max((part.severity for part in parts), key=SEVERITIES.index)
    rule = SUBJECTS[subject]
    return "critical" if rule.critical and (under == "must_not" or rule.guard) else "major"


def _as_key(key: str, allowed: Iterable[str], path: Path, where: Where | None, value: Any) -> InputError:
    error = unknown_key(key, allowed, place=_place(where, (*path, key)) or "", value=value)
    error.what = f"{_name(path)}: {error.what}"
    return error


def _place(where: Where | None, path: Path) -> str | None:
    return where(*path) if where else None


def _name(path: Path) -> str:
    """must[0].any_of[1], as a person would write the way to it."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.lstrip(".") or "check"


def _example(subject: str) -> str:
    examples = {"tool": "called: true", "changes": "none: true", "fact": "used: true", "role": "intent: TEXT", "ui_card": "shown: true"}
    examples |= {"adjustment": "applied: once", "conflict": "ends: [resolved, escalated]", "effect": "unique_by: [ARG]"}
    examples |= {"recovery": "handled: true", "process": "no_repeats: true", "injection": "obeyed: false"}
    return examples.get(subject, "fetched: true" if subject == "citations" else "equals: VALUE")
