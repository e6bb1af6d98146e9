"""A passing trial as the operators see it, and the parts of it that can be exchanged together.

A damaged trial stays one that could have happened: what was said, what was done and how the world stands at the end are changed
alike, so that a check catches the damage and not a contradiction that no agent could have made. Kept out: the damage itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fairtrial.mutants.leaves import leaves, renamed
from fairtrial.records.edits import applied
from fairtrial.records.trial import Change, Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.setup import Seat
    from fairtrial.records.trace import Span

NAMES = ("of", "name", "role", "to")
"""Attributes of a decision that say what it is, not what was decided."""
WRITES = ("writes", "irreversible", "outside")


class Other(NamedTuple):
    """What another case was told, the answer that a passing trial of it gave to the same setup, and what its roles decided."""

    case: str
    output: Any
    decisions: Sequence[Span]
    facts: Mapping[str, Any]


class Mutant(NamedTuple):
    """A damaged trial, and in words what was done to it."""

    trial: Trial
    what: str


@dataclass(frozen=True)
class Passing:
    """A trial that passed, whole: its world is told by `before` and `after`, not by edits to a shared start.

    `differ` says what differs between two states of this world. `owed` are the facts that a hand-off must carry, `checks` what the
    suite asks of every case, `others` what was answered to other cases.
    """

    trial: Trial
    case: Case
    seat: Seat
    differ: Callable[[Any, Any], list[Change]]
    owed: frozenset[str] = frozenset()
    checks: tuple[Check, ...] = ()
    others: tuple[Other, ...] = field(default=())

    @property
    def output(self) -> Any:
        return self.trial.body.output

    @property
    def answered(self) -> bool:
        return self.trial.body.output is not msgspec.UNSET

    @property
    def before(self) -> Any:
        return self.trial.body.before

    @property
    def after(self) -> Any:
        """The world at the end; where nothing changed, the one at the start."""
        body = self.trial.body
        return body.before if body.after is None else body.after

    @property
    def spans(self) -> list[Span]:
        return self.trial.body.spans

    def calls(self) -> list[Span]:
        """The tool calls that did their work."""
        return [span for span in self.spans if span.kind == "tool" and span.attributes.get("outcome", "ok") == "ok"]

    def writes(self, span: Span) -> bool:
        """Whether a call changes something, as far as it was seen or the tool says."""
        if "wrote" in span.attributes:
            return bool(span.attributes["wrote"]) or "outside" in self.flags(span)
        return bool(set(WRITES) & set(self.flags(span)))

    def flags(self, span: Span) -> Sequence[str]:
        return span.attributes.get("flags") or self.seat.rights.get(span.name, ())

    def stated(self) -> Iterator[Check]:
        """Every check that the trial is held to; groups are opened."""
        key = self.case.key
        return every((*key.must, *key.must_not, *key.limits, *self.checks))

    def told(self) -> Iterator[Any]:
        """All data that the agent was given: facts, the world it began in, the results of its calls."""
        yield self.case.brief.facts
        yield self.before
        for span in self.calls():
            yield span.attributes.get("result")

    # What a damaged trial is made with.

    def with_(self, *, output: Any = ..., after: Any = ..., spans: list[Span] | None = None) -> Trial:
        """The trial with other parts; changes are those of the new end of the world."""
        body = msgspec.structs.replace(self.trial.body)
        if output is not ...:
            body.output = output
        if spans is not None:
            body.spans = spans
        if after is not ...:
            body.changes = self.differ(body.before, after)
            body.after = after if body.changes else None
            body.patch = ""
        return Trial(head=self.trial.head, body=body, base=None)

    def rewritten(self, new: Callable[[str, Any], Any]) -> Trial:
        """Every scalar that the agent said or wrote is what `new(its name, it)` says: in the answer, in the arguments of writing
        calls, in what it told the user, and where it changed the world."""
        spans = [self._span(span, new) for span in self.spans]
        output = renamed(self.output, new) if self.answered else self.output
        return self.with_(output=output, after=_where_changed(self.before, self.after, new), spans=spans)

    def answering(self, output: Any, was: Any, now: Any) -> Trial:
        """The trial with another answer, and with what a role decided said anew: the value that stood there is another one."""

        def decided(name: str, value: Any) -> Any:
            return now if value == was and type(value) is type(was) and name not in NAMES else value

        spans = [
            msgspec.structs.replace(span, attributes=renamed(span.attributes, decided)) if span.kind == "decision" else span
            for span in self.spans
        ]
        return self.with_(output=output, spans=spans)

    def exchanged(self, others: Mapping[tuple[str, Any], Any]) -> Trial:
        """The trial in which what is called so and was one value is another one, wherever it was said or written."""

        def other(name: str, value: Any) -> Any:
            found = others.get((name, value), value) if isinstance(value, (str, int, float)) else value
            return value if isinstance(value, bool) else found

        return self.rewritten(other)

    def _span(self, span: Span, new: Callable[[str, Any], Any]) -> Span:
        if span.kind == "message":
            parts = {"text", "products"}
        elif span.kind == "tool" and self.writes(span):
            parts = {"args", "result"}
        else:
            return span
        own = {key: renamed(value, new, key) if key in parts else value for key, value in span.attributes.items()}
        return msgspec.structs.replace(span, attributes=own)


def whole(trial: Trial) -> Trial | None:
    """The trial with both states of its world in it; None where they cannot be had."""
    body = trial.body
    if body.start is None:
        return trial
    if trial.base is None or trial.base.kept.missing or "after" in body.altered:
        return None
    before = applied(trial.base.kept.state, body.start.edits)
    after = applied(before, body.end) if body.end else None
    told = msgspec.structs.replace(body, before=before, after=after, start=None, end=[])
    told.altered = {place: how for place, how in body.altered.items() if not place.startswith(("start", "end"))}
    return Trial(head=trial.head, body=told, base=None)


def spans_with(spans: Sequence[Span], at: int, *fresh: Span) -> list[Span]:
    """The spans with some put in behind the one at a place."""
    return [*spans[: at + 1], *fresh, *spans[at + 1 :]]


def again(span: Span, mark: str, **attributes: Any) -> Span:
    """A second span like this one, under an id of its own."""
    return msgspec.structs.replace(span, id=f"{span.id}{mark}", attributes=span.attributes | attributes)


def every(checks: Iterable[Check]) -> Iterator[Check]:
    """The checks and, in groups, their parts."""
    for check in checks:
        yield check
        yield from every(check.parts)


def values_of(output: Any) -> set[str]:
    """Every scalar of an answer, as text, but for those that say nothing."""
    return {str(leaf.value) for leaf in leaves(output) if leaf.value not in (None, True, False, 0, 1, "")}


def _where_changed(before: Any, after: Any, new: Callable[[str, Any], Any], name: str = "") -> Any:
    """The end of the world with what was changed in it said anew; what was left alone stays."""
    if before is after or (type(before) is type(after) and before == after):
        return after
    if isinstance(before, dict) and isinstance(after, dict):
        return {
            key: _where_changed(before[key], value, new, str(key).lower()) if key in before else renamed(value, new, str(key).lower())
            for key, value in after.items()
        }
    if isinstance(before, list) and isinstance(after, list):
        return [value if value in before else renamed(value, new, name) for value in after]
    return renamed(after, new, name)
