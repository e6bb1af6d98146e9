"""`grounded: PATH`: is what the answer says borne out by what the agent was given?

Numbers, dates, ids and quotes are looked up by code; one that nobody returned is a hallucination, whatever the rest of the
answer is like. A statement without any of these is not looked at, and is counted as such: never as borne out. Kept out: how a
claim is found (`claims.py`), what was given (`given.py`) and when the one bears out the other (`backing.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from fairtrial.graders.backing import LATER, Backing
from fairtrial.graders.claims import SORTS, Claim, claim_of
from fairtrial.graders.compare import ABSENT
from fairtrial.graders.contract import Ask
from fairtrial.graders.finding import BOTH, JUDGE, Finding, fails, holds, unknown
from fairtrial.graders.given import KINDS, Source, sources_of
from fairtrial.graders.ground import Ground
from fairtrial.graders.heard import hear, judge_by
from fairtrial.graders.kept import dotted, untold, untold_span
from fairtrial.graders.paths import Path, compile_path
from fairtrial.graders.reckoning import reckoned, totals_of
from fairtrial.graders.statements import Statement, statements_of
from fairtrial.graders.values import Probe, join
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.verdict import Verdict

MOST_TEXT = 100_000
"""Characters of an answer that are looked at. One that is longer and not wrong so far cannot be told."""
MOST_SHOWN = 100
MOST_ROUNDS = 4
MOST_RECKONED = 200
"""Figures without support that are tried as a result of others; an answer with more of them is no reckoning."""
NAMED = 5
LONGEST_SHOWN = 300


class Said(NamedTuple):
    """A piece of what was said: where, its text, and the place in the trace at which it was said."""

    path: str
    span: str | None
    text: str
    at: int


class Held(NamedTuple):
    """A claim in its statement, and whether something given bears it out."""

    said: Said
    claim: Claim
    statement: str
    backed: bool

    def shown(self) -> dict[str, Any]:
        where = {"span": self.said.span} if self.said.span else {}
        return {"says": self.claim.text, "sort": self.claim.sort, "path": self.said.path, **where, "statement": self.statement}


class Tally(NamedTuple):
    """What came of all that was said. `looked_at`: statements with something in them that code can look up; `unseen`: the others,
    each with its path; `whole`: all of the text was looked at; `cut`: not all that was given could be read."""

    unbacked: list[Held]
    looked_at: int
    unseen: list[tuple[str, str]]
    whole: bool
    cut: bool

    @property
    def statements(self) -> int:
        return self.looked_at + len(self.unseen)

    def shown(self) -> dict[str, Any]:
        told = {"statements": self.statements, "looked_at": self.looked_at, "not_looked_at": len(self.unseen)}
        return {**told, "unsupported": [entry.shown() for entry in self.unbacked[:MOST_SHOWN]]}


def compile_grounded(check: Check, ground: Ground) -> Probe:
    path = compile_path(check.target, check.place)
    expect = check.expect
    sorts, kinds = tuple(expect.get("look", SORTS)), tuple(expect.get("in", KINDS))
    allowed = [Source("allow", "allow", entry) for entry in expect.get("allow", ())]
    exact = bool(expect.get("exact", False))

    ask = judge_by(check, ground.contract.judges)
    reckons = bool(expect.get("arithmetic", False))

    def given(view: View) -> tuple[Backing, list[Decimal] | None]:
        sources = sources_of(view, ground, kinds, ground.lead)
        return Backing([*sources, *allowed], exact=exact), totals_of(sources) if reckons else None

    def probe(view: View) -> Finding:
        said = _said(view, path) if view.answered else []
        if isinstance(said, Finding):
            return said
        if expect.get("said"):
            said += _to_user(view)
        elif not view.answered:
            return view.silence
        backing, totals = given(view)
        tally = _tally(said, sorts, backing, totals)
        found = _by_code(view, tally, path)
        undecided = found.verdict is not Verdict.FAIL and tally.whole and not tally.unbacked
        return _by_judge(view, ask, tally, found) if ask is not None and undecided and tally.unseen else found

    return probe


def _said(view: View, path: Path) -> list[Said] | Finding:
    """The texts and numbers of the answer at a path; or why they cannot be looked at."""
    value = path.read(view.output)
    covered = untold(view, f"output{dotted(path)}", path.text)
    if covered is not None:
        return covered
    if value is ABSENT:
        why = path.why_absent(view.output)
        if view.declined and view.ground.unknown_ok:
            return unknown(f"{why}; the agent declined, which the case allows", path=path.text, excused=True)
        return fails(why, path=path.text, expected="a value", firm=True, kind=FailureKind.FORMAT_ERROR)
    return [Said(join(path.text, where), None, text, LATER) for where, text in _leaves(value)]


def _to_user(view: View) -> list[Said]:
    return [
        Said("text", span.id, str(span.attributes.get("text", "")), at)
        for at, span in enumerate(view.body.spans)
        if span.kind == "message" and span.name == "user"
    ]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, text) of every text and number; keys are not said by the agent, but asked of it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield path or "$", value if isinstance(value, str) else str(value)


def _tally(said: list[Said], sorts: tuple[str, ...], backing: Backing, totals: list[Decimal] | None = None) -> Tally:
    """`totals`: those of the lists that were returned, where figures may be reckoned; None where they may not."""
    found: list[Held] = []
    unseen: list[tuple[str, str]] = []
    looked_at = 0
    left = MOST_TEXT
    for piece in said:
        text = _cut(piece.text, left)
        left -= len(piece.text)
        claims = claim_of(text, sorts)
        parts = statements_of(text) if claims or len(text) > 1 else []
        shown = [_shown(text, part) for part in parts]
        places = [_place(parts, claim.start) for claim in claims]
        looked_at += len(set(places))
        unseen += [(piece.path, shown[number]) for number in sorted({*range(len(parts))} - {*places}) if not parts[number].asks]
        found += [
            Held(piece, claim, shown[place] if parts else claim.text, backing.holds(claim, piece.at))
            for place, claim in zip(places, claims, strict=True)
        ]
    if totals is not None:
        found = _with_reckoned(found, totals)
    return Tally([entry for entry in found if not entry.backed], looked_at, unseen, left >= 0, backing.cut)


def _with_reckoned(found: list[Held], totals: list[Decimal]) -> list[Held]:
    """The same with the figures that follow from others of the same piece; what was reckoned may be reckoned with."""
    scopes: dict[str | None, list[Held]] = {}
    for entry in found:
        scopes.setdefault(entry.said.span, []).append(entry)
    return [entry for entries in scopes.values() for entry in _followed(entries, totals)]


def _followed(entries: list[Held], totals: list[Decimal]) -> list[Held]:
    named: list[Decimal] = []
    beside: defaultdict[str, list[Decimal]] = defaultdict(list)

    def stands(entry: Held) -> None:
        values = _values(entry.claim)
        named.extend(values)
        beside[entry.statement].extend(values[:1])

    for entry in entries:
        if entry.backed:
            stands(entry)
    left = [place for place, entry in enumerate(entries) if not entry.backed and entry.claim.figure is not None][:MOST_RECKONED]
    for _ in range(MOST_ROUNDS):
        tried, left = left, []
        for place in tried:
            entry = entries[place]
            if entry.claim.figure is not None and reckoned(entry.claim.figure, named, beside[entry.statement], totals):
                entries[place] = entry._replace(backed=True)
                stands(entry)
            else:
                left.append(place)
        if not left or len(left) == len(tried):
            break
    return entries


def _values(claim: Claim) -> list[Decimal]:
    if claim.figure is None:
        return []
    return [reading.value for reading in (*claim.figure.readings[:1], *(part[0] for part in claim.figure.parts if part))]


def _cut(text: str, most: int) -> str:
    """The beginning of a text that is no longer than that, without cutting a word or a number."""
    if len(text) <= most:
        return text
    edge = max(text.rfind(" ", 0, max(most, 0)), text.rfind("\n", 0, max(most, 0)))
    return text[:edge] if edge > 0 else ""


def _place(parts: list[Statement], start: int) -> int:
    return max(bisect_right(parts, start, key=lambda part: part.start) - 1, 0)


def _shown(text: str, part: Statement) -> str:
    return " ".join(text[part.start : part.end].split())[:LONGEST_SHOWN]


def _by_code(view: View, tally: Tally, path: Path) -> Finding:
    if not tally.unbacked:
        return _nothing_wrong(tally, path)
    why = _named(tally.unbacked)
    first = tally.unbacked[0]
    place = {"path": first.said.path, "span": first.said.span, "seen": tally.shown()}
    covered = untold_span(view, view.tools, "result")
    if covered is not None:
        return unknown(f"{why}; but {covered.why}", **place)
    if tally.cut:
        return unknown(f"{why}; but more was given than could be read", **place)
    if not view.trace_whole:
        return unknown(f"{why}; but the trace is missing or not whole", **place)
    return fails(why, expected="borne out by what was given", kind=FailureKind.HALLUCINATION, **place)


def _nothing_wrong(tally: Tally, path: Path) -> Finding:
    if not tally.whole:
        return unknown(f"too long to be looked at whole: nothing unsupported in its first {MOST_TEXT:,} characters", path=path.text)
    if not tally.looked_at:
        why = f"nothing in it can be looked up by code: {tally.statements} statements not looked at"
        return unknown(why, path=path.text, seen=tally.shown(), aside=True)
    left = len(tally.unseen)
    why = f"all that {tally.looked_at} of {tally.statements} statements say in figures, dates, ids and quotes was given"
    return holds(why=why + (f"; {left} not looked at" if left else ""), path=path.text, seen=tally.shown())


def _by_judge(view: View, ask: Ask, tally: Tally, found: Finding) -> Finding:
    """What code left: each other statement is put before the judge. `found`: what code found of the rest, which is no failure."""
    heard = hear(view, ask, [statement for _, statement in tally.unseen])
    judged = {**tally.shown(), "judged": len(tally.unseen), "not_looked_at": 0}
    if heard.against:
        against = dict(heard.against)
        named = [{"says": said, "sort": "judged", "path": path, "why": against[said]} for path, said in tally.unseen if said in against]
        told = "; ".join(f"{entry['says'][:120]!r} ({entry['why'][:160]})" for entry in named[:NAMED])
        why = f"{ask.name} finds nothing that bears out {told}"
        seen = {**judged, "unsupported": named}
        expected = "borne out by what was given"
        return fails(why, path=named[0]["path"], expected=expected, seen=seen, kind=FailureKind.HALLUCINATION, source=JUDGE)
    if heard.open:
        place: dict[str, Any] = {"path": found.path, "seen": tally.shown(), "source": JUDGE}
        return Finding(verdict=Verdict.UNKNOWN, why=heard.open, fault=heard.fault, aside=heard.aside, **place)
    why = f"{tally.looked_at} of {tally.statements} statements borne out by what was given, {len(tally.unseen)} by {ask.name}"
    return holds(why=why, path=found.path, seen=judged, source=BOTH if tally.looked_at else JUDGE)


def _named(unbacked: list[Held]) -> str:
    told = "; ".join(f"{entry.claim.text:.80} in {entry.statement[:120]!r}" for entry in unbacked[:NAMED])
    more = f"; and {len(unbacked) - NAMED} more" if len(unbacked) > NAMED else ""
    return f"nothing that was given says {told}{more}"
