"""Which of a suite's cases a run takes: by id, tag, tier, library, or an expression over their names.

A name that matches nothing is an error, never an empty run: a green result over nothing would say that all is well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import InputError, InputErrors, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fairtrial.records.case import Case

_TOKEN = re.compile(r"\s*(?:(\()|(\))|([^\s()]+))")
_DEEPEST = 50


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for. Values of one kind are joined by or, kinds by and; nothing stated takes every case.

    `match` is the `-k` expression: words with `and`, `or`, `not` and brackets; a word holds for a case whose id or one of
    whose tags contains it, in any case of letters.
    """

    cases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    match: str = ""


def select(cases: Sequence[Case], wanted: Selection) -> list[Case]:
    """The cases that were asked for, in their order. Raises InputError where a name is unknown or nothing is left."""
    groups = (
        ("case", wanted.cases, lambda case: (case.id,)),
        ("tag", wanted.tags, lambda case: case.labels.tags),
        ("tier", wanted.tiers, lambda case: (case.labels.tier,)),
        ("library", wanted.libraries, lambda case: (case.labels.library,)),
    )
    errors = [error for what, names, of in groups for error in _unknown(what, names, cases, of)]
    if errors:
        raise InputErrors(errors) if len(errors) > 1 else errors[0]
    holds = _expression(wanted.match) if wanted.match.strip() else None
    found = [case for case in cases if all(not names or set(names) & set(of(case)) for _, names, of in groups)]
    found = [case for case in found if holds is None or holds(case)]
    if not found:
        asked = "".join(f" --{what} {name}" for what, names, _ in groups for name in names)
        asked += f" -k {wanted.match!r}" if holds else ""
        raise InputError(
            f"no case is left:{asked or ' the suite has none'}", mend="loosen the selection; `fairtrial check` lists the cases"
        )
    return found


def _unknown(what: str, names: Iterable[str], cases: Sequence[Case], of: Callable[[Case], Iterable[str]]) -> list[InputError]:
    if not names:
        return []
    known = sorted({value for case in cases for value in of(case)})
    errors = []
    for name in names:
        if name not in known:
            near = nearest(name, known)
            matches = f"no case matches {name}" if what == "case" else f"no case has the {what} {name}"
            shown = ", ".join(known[:20]) + (f", … {len(known) - 20} more" if len(known) > 20 else "")
            errors.append(
                InputError(
                    f"{matches}, did you mean {near}?" if near else matches,
                    place=f"--{what}",
                    value=name,
                    allowed=shown or "nothing: no case has one",
                    mend=f"--{what} {near}" if near else f"name a {what} that is there",
                )
            )
    return errors


def _expression(text: str) -> Callable[[Case], bool]:
    """Reads a `-k` expression; `or` binds weaker than `and`, `and` weaker than `not`."""
    tokens = [token for match in _TOKEN.finditer(text) for token in match.groups() if token]
    parser = _Parser(text, tokens)
    holds = parser.any_of(0)
    if parser.at < len(tokens):
        raise parser.error(f"{tokens[parser.at]!r} is not expected here")
    return holds


class _Parser:
    def __init__(self, text: str, tokens: list[str]) -> None:
        self.text = text
        self.tokens = tokens
        self.at = 0

    def error(self, what: str) -> InputError:
        return InputError(
            f"-k: {what}", place="-k", value=self.text, allowed="words, and, or, not, brackets", mend='-k "refund and not slow"'
        )

    def _next(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def any_of(self, depth: int) -> Callable[[Case], bool]:
        parts = [self._all_of(depth)]
        while self._next() == "or":
            self.at += 1
            parts.append(self._all_of(depth))
        return lambda case: any(part(case) for part in parts)

    def _all_of(self, depth: int) -> Callable[[Case], bool]:
        parts = [self._one(depth)]
        while self._next() == "and":
            self.at += 1
            parts.append(self._one(depth))
        return lambda case: all(part(case) for part in parts)

    def _one(self, depth: int) -> Callable[[Case], bool]:
        token = self._next()
        if depth > _DEEPEST:
            raise self.error("nested too deep")
        if token is None or token in ("and", "or", ")"):
            raise self.error("a word is missing" + (f" before {token!r}" if token else " at the end"))
        self.at += 1
        if token == "not":
            inner = self._one(depth + 1)
            return lambda case: not inner(case)
        if token != "(":
            word = token.casefold()
            return lambda case: any(word in name.casefold() for name in (case.id, *case.labels.tags))
        inner = self.any_of(depth + 1)
        if self._next() != ")":
            raise self.error("a bracket is not closed")
        self.at += 1
        return inner
