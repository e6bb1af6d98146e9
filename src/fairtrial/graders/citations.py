"""`citations: PATH`: what an answer cites was really fetched, says what it is cited for, and comes from where it may.

A citation is a text (an address or an id) or an object with `source`, `url` or `id`, and where stated `quote`, `claim` and
`date`. Every fault is named, not the first one only. Kept out: whether a passage bears out a claim in other words, which takes a
judge; and what is in an answer beside its citations, but for `every_claim` and `opinions`, which ask for just that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from fairtrial.graders.addresses import comes_from
from fairtrial.graders.backing import Backing
from fairtrial.graders.claims import claims_in
from fairtrial.graders.compare import ABSENT
from fairtrial.graders.contract import Ask
from fairtrial.graders.fetched import Page, pages_of
from fairtrial.graders.finding import JUDGE, Finding, fails, holds, unknown
from fairtrial.graders.given import Source
from fairtrial.graders.ground import Ground
from fairtrial.graders.heard import hear, judge_by
from fairtrial.graders.kept import dotted, untold, untold_span
from fairtrial.graders.opinions import Opinions
from fairtrial.graders.page_dates import Dated, read_dated
from fairtrial.graders.passages import stands_in, telling, written
from fairtrial.graders.paths import Path, compile_path
from fairtrial.graders.signs import Signs
from fairtrial.graders.traced import known_of, loose_ends
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind
from fairtrial.records.verdict import Verdict

MADE_UP = FailureKind.HALLUCINATION
MOST = 1_000
"""Citations that are looked at. An answer with more, and none of these wrong, cannot be told."""
_SLACK = 1
"""Days by which a source may seem to be of the future: it may have been published in another time zone."""


class Cited(NamedTuple):
    source: str
    quote: str | None
    claim: str | None
    stated: str
    whole: Any
    place: str


Look = Callable[[View, Cited, list[Page]], Finding | None]


def compile_citations(check: Check, ground: Ground) -> Probe:
    path = compile_path(check.target, check.place)
    expect = check.expect
    looks = _looks(expect, judge_by(check, ground.contract.judges))
    leans = bool({"fetched", "supports"} & expect.keys())
    covers = [Signs(name, ground) for name in expect.get("covers", [])]
    opinions = _opinions(expect.get("opinions"))

    def probe(view: View) -> Finding:
        if not view.answered:
            return view.silence
        value = path.read(view.output)
        covered = untold(view, f"output{dotted(path)}", path.text) or untold_span(view, view.calls if leans else [], "args", "result")
        if covered is not None:
            return covered
        entries = value if isinstance(value, list) else [value]
        missing = _nothing_cited(view, path, value, ground)
        if missing is not None:
            return missing
        read = [_read(entry, f"{path.text}[{index}]") for index, entry in enumerate(entries[:MOST])]
        faults = [fault for cited in read for fault in _of_one(view, cited, looks)]
        if "every_claim" in expect:
            faults += _untraced(view, path, entries, read, opinions)
        if "opinions" in expect:
            faults += _unmarked(view, opinions)
        told = (
            _coverage(view, [sign for sign in covers if not _covered(sign, value, read)], len(covers), expect, path.text)
            if covers
            else None
        )
        return _joined([*faults, *([told] if told and told.verdict is not Verdict.PASS else [])], told, path.text, value, len(entries))

    return probe


def _looks(expect: dict[str, Any], ask: Ask | None) -> list[Look]:
    """What is asked of every single citation."""
    looks: list[Look] = []
    if "sources" in expect:
        looks.append(lambda view, cited, pages: _allowed(cited, expect["sources"]))
    if "fetched" in expect or "supports" in expect:
        looks.append(_fetched)
    if "supports" in expect:
        looks.append(lambda view, cited, pages: _supported(view, cited, pages, ask))
    if "max_age_days" in expect:
        looks.append(lambda view, cited, pages: _age(view, cited, pages, expect["max_age_days"]))
    return looks


def _opinions(stated: Any) -> Opinions:
    return Opinions(stated.get("signs", ()), stated.get("marks", ())) if isinstance(stated, dict) else Opinions()


def _nothing_cited(view: View, path: Path, value: Any, ground: Ground) -> Finding | None:
    if value is ABSENT:
        why = path.why_absent(view.output)
        if view.declined and ground.unknown_ok:
            return unknown(why, path=path.text, excused=True)
        return fails(why, path=path.text, expected="citations", firm=True, kind=FailureKind.FORMAT_ERROR)
    if value in (None, "", [], {}):
        return fails("nothing is cited", path=path.text, expected="citations", seen=value, firm=True)
    return None


def _read(entry: Any, place: str) -> Cited:
    if not isinstance(entry, dict):
        return Cited(str(entry), None, None, "", entry, place)

    def first(*keys: str) -> str | None:
        return next((str(entry[key]) for key in keys if entry.get(key)), None)

    return Cited(
        source=first("url", "source", "id", "doc", "title") or "",
        quote=first("quote", "passage", "text"),
        claim=first("claim", "statement", "conclusion", "finding", "point", "says"),
        stated=first("date", "published") or "",
        whole=entry,
        place=place,
    )


def _of_one(view: View, cited: Cited, looks: list[Look]) -> Iterator[Finding]:
    """The faults of one citation; of one that was never fetched no more is asked than where it comes from."""
    if not cited.source:
        why = f"{cited.place} names no source"
        yield fails(why, path=cited.place, expected="a source", seen=cited.whole, kind=FailureKind.FORMAT_ERROR)
        return
    pages = pages_of(view, cited.source)
    for look in looks:
        found = look(view, cited, pages)
        if found is not None:
            yield found
            if look is _fetched:
                return


def _allowed(cited: Cited, sources: list[str]) -> Finding | None:
    if any(comes_from(cited.source, source) for source in sources):
        return None
    why = f"{cited.source:.100} is not among the sources allowed"
    return fails(why, path=cited.place, expected={"sources": sources}, seen=cited.source)


def _fetched(view: View, cited: Cited, pages: list[Page]) -> Finding | None:
    if pages:
        return None
    if not view.trace_whole:
        return unknown("the trace is missing or not whole", path=cited.place)
    why = f"{cited.source:.100} was cited but never fetched"
    return fails(why, path=cited.place, expected="fetched", seen=cited.source, kind=MADE_UP)


def _supported(view: View, cited: Cited, pages: list[Page], ask: Ask | None) -> Finding | None:
    """The quote stands on a page of the source; and what the claim says in figures, dates and ids stands there as well. A claim
    without a quote stands there itself, or is in other words, which only a judge can tell."""
    if cited.quote is None and cited.claim is None:
        return fails(f"{cited.place} quotes nothing that could be found", path=cited.place, expected="a quote", seen=cited.whole)
    return _quoted(cited, pages) or _figures_there(cited, pages) or (_in_words(view, cited, pages, ask) if cited.quote is None else None)


def _quoted(cited: Cited, pages: list[Page]) -> Finding | None:
    if cited.quote is None:
        return None
    span = pages[0].span.id
    if not telling(cited.quote):
        why = f"the quote {cited.quote!r:.40} is too short to show anything"
        return fails(why, path=cited.place, expected="a passage", seen=cited.quote)
    if not any(stands_in(cited.quote, written(page.value)) for page in pages):
        why = f"the quote does not stand in {cited.source:.100}"
        return fails(why, span=span, path=cited.place, expected="a passage", seen=cited.quote, kind=MADE_UP)
    return None


def _figures_there(cited: Cited, pages: list[Page]) -> Finding | None:
    given = Backing([Source("tools", "the page", page.value) for page in pages])
    gone = [claim.text for claim in claims_in(cited.claim or "") if not given.holds(claim)]
    if gone:
        why = f"{cited.source:.100} says nothing of {', '.join(gone):.200}, which it is cited for"
        return fails(why, span=pages[0].span.id, path=cited.place, expected="a source that says so", seen=cited.claim, kind=MADE_UP)
    return None


def _in_words(view: View, cited: Cited, pages: list[Page], ask: Ask | None) -> Finding | None:
    if cited.claim is None or (telling(cited.claim) and any(stands_in(cited.claim, written(page.value)) for page in pages)):
        return None
    if ask is None:
        why = f"whether {cited.source:.100} bears out {cited.claim[:120]!r} in other words only a judge can tell (by: NAME), or a quote"
        return unknown(why, path=cited.place, seen=cited.claim)
    heard = hear(view, ask, [cited.claim], [page.value for page in pages])
    place: dict[str, Any] = {"path": cited.place, "seen": cited.claim, "source": JUDGE}
    if heard.against:
        why = f"{cited.source:.100} does not bear out {cited.claim[:120]!r} ({heard.against[0][1][:160]})"
        return fails(why, span=pages[0].span.id, expected="a source that says so", kind=MADE_UP, **place)
    return Finding(verdict=Verdict.UNKNOWN, why=heard.open, fault=heard.fault, aside=heard.aside, **place) if heard.open else None


def _age(view: View, cited: Cited, pages: list[Page], most: Any) -> Finding | None:
    """By the date that the page gives, else by the one that the answer gives; against the day the trial began, so that grading
    again later comes to the same. A page that was updated is as old as its last update, and a day that was still to come is none."""
    own = [dated for page in pages for dated in page.dates]
    own = sorted(own, key=lambda dated: dated.last)
    said = read_dated(cited.stated) if cited.stated else None
    if own and said is not None and not any(map(said.meets, own)):
        why = f"{cited.place} says that {cited.source:.100} is of {said}, and the page says {own[-1]}"
        return fails(why, span=pages[0].span.id, path=cited.place, expected=str(own[-1]), seen=cited.stated, kind=MADE_UP)
    if not own and said is None:
        expected = {"max_age_days": most}
        return fails(f"{cited.place} has no date", path=cited.place, expected=expected, seen=cited.whole, kind=FailureKind.FORMAT_ERROR)
    if view.head.started_ns <= 0:
        return unknown("when the trial began is not known", path=cited.place)
    today = datetime.fromtimestamp(view.head.started_ns / 1e9, UTC).date()
    past = [dated for dated in own or ([said] if said else []) if (today - dated.first).days >= -_SLACK]
    if not past and not own:
        return fails(f"{cited.place} is said to be of {said}, after the trial", path=cited.place, seen=str(said), kind=MADE_UP)
    if not past:
        return unknown(f"{cited.source:.100} says that it is of {own[-1]}, after the trial: how old it is cannot be told", path=cited.place)
    return _too_old(cited, past[-1], today, most)


def _too_old(cited: Cited, dated: Dated, today: date, most: Any) -> Finding | None:
    limit = Decimal(str(most))
    if (today - dated.last).days > limit:
        why = f"{cited.place} is {(today - dated.last).days} days old"
        return fails(why, path=cited.place, expected={"max_age_days": most}, seen=str(dated))
    if dated.coarse and (today - dated.first).days > limit:
        return unknown(
            f"{cited.source:.100} says no more than that it is of {dated}: whether it is too old cannot be told", path=cited.place
        )
    return None


def _untraced(view: View, path: Path, entries: list[Any], read: list[Cited], opinions: Opinions) -> Iterator[Finding]:
    known = known_of(entries, [part for cited in read for part in (cited.claim, cited.quote) if part])
    for loose in loose_ends(view.output, path, known, opinions):
        why = f"[{loose.mark}] leads to no citation" if loose.mark else f"no citation stands behind {loose.statement[:120]!r}"
        yield fails(why, path=loose.path, expected="a citation", seen=loose.statement, kind=MADE_UP)


def _unmarked(view: View, opinions: Opinions) -> Iterator[Finding]:
    for found in opinions.unmarked(view.output):
        why = f"told as a fact, and an opinion by {found.sign!r}: {found.statement[:120]!r}"
        yield fails(why, path=found.path, expected="marked as an opinion", seen=found.statement, kind=MADE_UP)


def _covered(fact: Signs, value: Any, read: list[Cited]) -> bool:
    """Whether citations show a fact: by a sign of it, or by its number in a claim or a quote. A single digit stands there by chance."""
    if fact.within(value):
        return True
    if type(fact.value) not in (int, float) or fact.value in range(-9, 10):
        return False
    own = Backing([Source("facts", fact.name, fact.value)])
    return any(own.holds(claim) for cited in read for text in (cited.claim, cited.quote) for claim in claims_in(text or ""))


def _coverage(view: View, gone: list[Signs], many: int, expect: dict[str, Any], path: str) -> Finding:
    """Which of the key facts the citations show, as a share of all. What was found on the way and then left out was dropped."""
    share = (many - len(gone)) / many
    least = Decimal(str(expect.get("min_covered", 1)))
    told = f"{many - len(gone)} of {many} key facts are covered ({share:.2f})"
    seen = {"covered": round(share, 4), "missing": [sign.name for sign in gone]}
    if Decimal(many - len(gone)) >= least * many:
        return holds(why=told, path=path, seen=seen)
    found = [sign for sign in gone if any(sign.within(span.attributes.get("result")) for span in view.calls)]
    kind = FailureKind.CONTEXT_LOSS if found else FailureKind.PREMATURE_STOP
    why = f"no citation covers {', '.join(sign.name for sign in gone)}: {told}"
    wanted = {"covers": expect["covers"], **({"min_covered": expect["min_covered"]} if "min_covered" in expect else {})}
    return fails(why, path=path, expected=wanted, seen=seen, kind=kind)


def _joined(faults: list[Finding], told: Finding | None, path: str, value: Any, cited: int) -> Finding:
    """All faults as one finding: a failure goes before what cannot be told."""
    failed = [fault for fault in faults if fault.verdict is Verdict.FAIL]
    if failed:
        first = failed[0]
        if len(failed) == 1:
            return first
        each = [{"why": fault.why, "path": fault.path, **({"span": fault.span} if fault.span else {})} for fault in failed]
        why = "; ".join(fault.why for fault in failed)
        return fails(why, span=first.span, path=first.path, expected=first.expected, seen={"faults": each}, kind=first.kind)
    if faults:
        return faults[0]
    if cited > MOST:
        return unknown(f"{cited} citations, of which {MOST} were looked at", path=path)
    return told if told is not None else holds(path=path, seen=value)
