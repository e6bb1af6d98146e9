"""What makes one item of a review: the question, what the case asked, and what the trial said and did. Nothing else does.

So a label outlives grading again and running again exactly where all three are the same: run, attempt, setup, times and prices are no
part of it, a changed task, reference, start of the world, answer or step makes another item. Kept out: why a trial is queued (`review.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.text import content_hash
from fairtrial.records.trial import FATES, Ending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairtrial.records.trace import Span
    from fairtrial.records.trial import TrialBody, TrialHead

ASKED = ("task", "facts", "history", "slots", "principal", "user", "expected", "reference", "call", "args", "role")
"""What of a case a person is shown, or must know, to say whether a trial did what was asked."""
USAGE = ("input_tokens", "output_tokens", "usd", "latency_ms", "cached_tokens", "reasoning_tokens")
"""Attributes that say what a step cost: two trials that say and do the same need not cost the same."""
DIGITS = 32


def asked_of(case: str, raw: Any) -> dict[str, Any]:
    """What a case asks, from its written form; of one from elsewhere that brought none, all that is known: its id."""
    if not isinstance(raw, dict) or "task" not in raw:
        return {"case": case, "known": raw}
    return {name: raw[name] for name in ASKED if name in raw}


def asks_hash(case: str, raw: Any) -> str:
    """A hash of what a case asks. Whatever asks the same asks the same, whichever run or suite it is in."""
    return content_hash(asked_of(case, raw))


def item_id(question: Mapping[str, Any], asks: str, head: TrialHead, body: TrialBody) -> str:
    """The identity of an item. `question` holds its name, and for the question of a judge the hash of its rubric."""
    parts = [dict(question), asks, head.start_state, said_and_done(head, body)]
    return content_hash(parts).removeprefix("sha256:")[:DIGITS]


def reviewable(head: TrialHead, body: TrialBody, origin: str) -> bool:
    """Whether there is anything to look at: nothing of a trial that the harness spoilt, nor of a row of a table."""
    if FATES[head.ending].fault == "harness" or head.ending is Ending.INTERRUPTED:
        return False
    return origin == "run" or body.output is not msgspec.UNSET or bool(body.spans)


def said_and_done(head: TrialHead, body: TrialBody) -> dict[str, Any]:
    """The content of a trial without its times and prices; a span is known by its place."""
    places = {span.id: place for place, span in enumerate(body.spans)}
    return {
        "ending": head.ending.value,
        "decline": head.decline,
        "answered": body.output is not msgspec.UNSET,
        "output": None if body.output is msgspec.UNSET else body.output,
        "changes": body.changes,
        "patch": body.patch,
        "spans": [_act(span, places, head.key.setup) for span in body.spans],
    }


def _act(span: Span, places: Mapping[str, int], setup: str) -> list[Any]:
    """One step. The root is called as the setup is, and that is no part of what was done."""
    attributes = {name: value for name, value in span.attributes.items() if name not in USAGE}
    parent = places.get(span.parent or "")
    name = "" if parent is None and span.name == setup else span.name
    return [parent, span.kind, name, span.role, attributes, span.error]
