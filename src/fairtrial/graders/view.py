"""One trial as the graders see it: the answer, the two states of the world, the calls; worked out once, on demand.

A View is also what a rule is asked about (`rules.Scope`). Nothing here decides anything, and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.graders.finding import DECLINED, NO_ANSWER, Finding
from fairtrial.graders.rule_values import RuleMissing, RuleUnknown
from fairtrial.records.edits import applied, moved_notes, notes_of
from fairtrial.records.trace import Span, as_object
from fairtrial.records.tree import FILES
from fairtrial.records.trial import Ending, Trial

if TYPE_CHECKING:
    from fairtrial.graders.contract import Ask
    from fairtrial.graders.ground import Ground
    from fairtrial.records.grade import Grade
    from fairtrial.records.opinion import Matter, Opinion
    from fairtrial.records.start import Kept

UNSET = msgspec.UNSET
NEVER_REACHED = ("refused", "over_budget")
"""Outcomes of calls that did not reach the world: they are not called."""


def reached(span: Span) -> bool:
    """Whether a tool call came to the world."""
    return span.attributes.get("outcome") not in NEVER_REACHED


def flags_of(span: Span) -> list[Any]:
    """The marks of the tool that was called."""
    flags = span.attributes.get("flags")
    return flags if isinstance(flags, list) else []


class View:
    """`answered`: there is an output, be it null. `tools`: the spans of tool calls, refused ones included."""

    __slots__ = (
        "_memo",
        "_output",
        "answered",
        "base",
        "body",
        "closed",
        "deaf",
        "decided",
        "declined",
        "facts",
        "first",
        "ground",
        "head",
        "misspoken",
        "opinions",
        "said",
        "tools",
        "unasked",
        "unfit",
        "unheard",
        "wanted",
    )

    def __init__(self, trial: Trial, ground: Ground, first: int = 0) -> None:
        self.head = trial.head
        self.body = trial.body
        self.base = trial.base
        self.ground = ground
        self._output: Any = trial.body.output
        self.answered = self._output is not UNSET
        self.declined = trial.head.decline is not None or trial.head.ending is Ending.DECLINED
        self.facts = ground.case.brief.facts
        self.tools = [span for span in trial.body.spans[first:] if span.kind == "tool"]
        self.first = first
        self.decided: list[tuple[str, Grade]] = []
        """Subject and grade of the checks asked so far, for the checks that rest on others (`recovery`)."""
        self.said: list[Grade] = []
        """Those of them that look at what was said."""
        self.misspoken = False
        """Whether one of these found what must not be said."""
        self.opinions: dict[str, Opinion] = {}
        """What judges said, by question (the judge's name, or that and what it is asked)."""
        self.wanted: dict[str, tuple[Ask, Callable[[], Matter]]] = {}
        """Questions that a check has put since this was last emptied, and what is to be put before whom."""
        self.unasked: dict[str, str] = {}
        """Judges that are not asked about this trial, and why."""
        self.unfit: dict[str, str] = {}
        """Judges whose verdicts do not count, and why."""
        self.unheard: dict[str, None] = {}
        """Judges that a check wanted to hear when it was last looked at, and that had not been heard."""
        self.closed = ""
        """Why no judge is asked any more; empty where one may be."""
        self.deaf = False
        """Whether no judge is heard just now: what do the checks come to without them?"""
        self._memo: dict[str, Any] | None = None

    def heard(self, question: str, ask: Ask, matter: Callable[[], Matter]) -> Opinion | None:
        """What a judge says to a question. None where it was not asked yet: then it will be, and the check is looked at again."""
        if self.deaf:
            return None
        opinion = self.opinions.get(question)
        if opinion is None and not self.closed:
            self.wanted[question] = ask, matter
        return opinion

    @property
    def output(self) -> Any:
        if self.answered:
            return self._output
        raise RuleMissing("there is no answer")

    @property
    def silence(self) -> Finding:
        """What a check on the answer finds where there is none."""
        return DECLINED if self.declined and self.ground.unknown_ok else NO_ANSWER

    @property
    def files(self) -> bool:
        """Whether the state is a tree of files, {path: content}."""
        return self.body.kind == FILES

    @property
    def state_kept(self) -> bool:
        """False for trials whose world nobody wrote down."""
        body = self.body
        return self.head.start_state != "" or body.before is not None or body.after is not None or body.start is not None

    @property
    def changed(self) -> bool:
        """Whether the end of the world is another than its start."""
        return self.body.after is not None or bool(self.body.end) or "after" in self.body.altered

    @property
    def state(self) -> Any:
        """The world after the trial; where nothing changed, nothing was kept and it is the world before."""
        if not self.state_kept:
            raise RuleUnknown("the end of the world was not kept")
        if self.body.start is not None:
            if "after" in self.body.altered:
                raise RuleUnknown(f"the end of the world was not kept ({self.body.altered['after']})")
            return self.once("state", lambda: applied(self.before, self.body.end))
        return self.body.after if self.body.after is not None else self.body.before

    @property
    def before(self) -> Any:
        if not self.state_kept:
            raise RuleUnknown("the start of the world was not kept")
        start = self.body.start
        if start is None:
            return self.body.before
        kept = self._kept
        if kept.missing:
            raise RuleUnknown(kept.missing)
        return self.once("before", lambda: applied(kept.state, start.edits))

    @property
    def _kept(self) -> Kept:
        if self.base is None:
            raise RuleUnknown("the start of the world is not at hand")
        return self.base.kept

    @property
    def trace_whole(self) -> bool:
        """Whether what is not in the trace did not happen."""
        return self.head.lost_spans == 0 and (bool(self.body.spans) or self.ground.contract.origin == "run")

    @property
    def calls(self) -> list[Span]:
        """The tool calls that reached the world."""
        calls: list[Span] = self.once("calls", lambda: [span for span in self.tools if reached(span)])
        return calls

    @property
    def trace(self) -> Any:
        """The trace as rules read it."""
        if not self.trace_whole:
            raise RuleUnknown("the trace is missing or not whole")
        return self.once("trace", self._trace)

    def _trace(self) -> dict[str, Any]:
        spend = self.head.spend
        return {
            "tools": [span.name for span in self.calls],
            "tool_calls": spend.tool_calls or len(self.calls),
            "steps": spend.steps or len(self.calls),
            "retries": spend.retries,
            "spans": [as_object(span) for span in self.body.spans],
        }

    @property
    def spend(self) -> Any:
        """What the trial used, as rules read it. A part that is not fully known is null, which a rule takes for unknown."""
        spend = self.head.spend
        tokens = (spend.input_tokens or 0) + (spend.output_tokens or 0) if spend.tokens_complete else None
        return {
            "usd": spend.usd if spend.usd_complete else None,
            "tokens": tokens,
            "input_tokens": spend.input_tokens if spend.tokens_complete else None,
            "output_tokens": spend.output_tokens if spend.tokens_complete else None,
            "tool_calls": spend.tool_calls,
            "model_calls": spend.model_calls,
            "steps": spend.steps,
            "retries": spend.retries,
        }

    def spans(self, kind: str) -> list[Span]:
        kinds: dict[str, list[Span]] = self.once("kinds", self._by_kind)
        return kinds.get(kind, [])

    def _by_kind(self) -> dict[str, list[Span]]:
        found: dict[str, list[Span]] = {}
        for span in self.body.spans[self.first :]:
            found.setdefault(span.kind, []).append(span)
        return found

    def since(self, span: Span) -> View:
        """The same trial, of which only the acts that began after this span are looked at; answer and state are the same."""
        place = next(place for place, other in enumerate(self.body.spans) if other is span)
        later = View(Trial(head=self.head, body=self.body), self.ground, place + 1)
        later.decided, later.said, later.misspoken = self.decided, self.said, self.misspoken
        return later

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """`make()` at the first asking, the same again afterwards."""
        if self._memo is None:
            self._memo = {}
        if name not in self._memo:
            self._memo[name] = make()
        return self._memo[name]

    def altered(self, place: str) -> str | None:
        """How the stored value at a place (output.a.0, after.orders) differs from what was there; None where it does not."""
        known = self._altered if place.startswith(("before", "after")) else self.body.altered
        for path, how in known.items():
            if path == place or path.startswith(f"{place}.") or place.startswith(f"{path}."):
                return how
        return None

    @property
    def _altered(self) -> dict[str, str]:
        """As `body.altered`, with what the shared start and the edits have of it at the places of the two states."""
        start = self.body.start
        if start is None:
            return self.body.altered

        def translated() -> dict[str, str]:
            own = self.body.altered
            before = moved_notes(self._kept.altered, start.edits) | notes_of(own, "start", start.edits)
            after = moved_notes(before, self.body.end) | notes_of(own, "end", self.body.end)
            return own | {f"before.{path}": how for path, how in before.items()} | {f"after.{path}": how for path, how in after.items()}

        found: dict[str, str] = self.once("altered", translated)
        return found

    @property
    def covered_columns(self) -> dict[tuple[str, str], str]:
        """(table, column) of the end {table: [row, …]} -> how a value there differs from what was there; "" where all of it may."""
        start, own = self.body.start, self.body.altered
        if start is None or self.base is None:
            place = "after." if self.changed else "before."
            notes = {path[len(place) :]: how for path, how in own.items() if path.startswith(place)}
            whole = own.get(place[:-1])
            return _columns(notes) | ({("", ""): whole} if whole else {})
        kept = self._kept
        shared: dict[tuple[str, str], str] = self.base.once("columns", lambda: _columns(kept.altered))
        if not own:
            return shared
        edits = notes_of(own, "start", start.edits) | notes_of(own, "end", self.body.end)
        return shared | _columns(edits) | ({("", ""): own["after"]} if "after" in own else {})


def _columns(notes: dict[str, str]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for path, how in notes.items():
        table, _, rest = path.partition(".")
        place, _, column = rest.partition(".")
        # A name with a dot in it cannot be told from two: then nothing is sure.
        found[(table, column) if place.isdigit() or not rest else ("", "")] = how
    return found
