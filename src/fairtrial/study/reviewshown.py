"""What a person is shown of an item: the task, the truth, the answer, and what was done, as text. Neither who did it, nor any verdict.

Kept out: whether somebody may see it yet, and how it is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.review import Shown
from fairtrial.records.text import cut_text, dumps
from fairtrial.study.reviewitem import USAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairtrial.records.trace import Span
    from fairtrial.records.trial import TrialBody, TrialHead

LINE = 4_000
"""Characters of one act that are shown."""
SILENT = ("agent", "model", "use", "fault", "retry", "injection")
"""Spans that say nothing of what was done, or that the agent did not do."""


def shown(asked: Mapping[str, Any], head: TrialHead, body: TrialBody) -> Shown:
    """Of a trial and what its case asked (`reviewitem.asked_of`)."""
    return Shown(
        task=_text(asked.get("task", "")),
        facts=_text(asked["facts"]) if asked.get("facts") else "",
        history=_text(asked["history"]) if asked.get("history") else "",
        reference=_text(asked.get("reference")),
        expected=_text(asked.get("expected")),
        answer=_answer(head, body),
        ending=head.ending.value,
        done="\n".join(acts(body)),
    )


def _answer(head: TrialHead, body: TrialBody) -> str:
    told = [] if head.decline is None else [f"declined{f' (to {head.decline.to})' if head.decline.to else ''}: {head.decline.why}"]
    return "\n".join([*told, *([] if body.output is msgspec.UNSET or body.output is None else [_text(body.output)])])


def _text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else dumps(value)


def acts(body: TrialBody) -> Iterator[str]:
    """What was done, one line an act, and what changed in the world."""
    for span in body.spans:
        if span.kind not in SILENT:
            yield cut_text(_act(span), LINE)
    for change in body.changes:
        yield cut_text(f"changed {change.path}: {_text(change.before) or '–'} → {_text(change.after) or '–'}", LINE)


def _act(span: Span) -> str:
    told = {name: value for name, value in span.attributes.items() if name not in USAGE}
    who = f"{span.role}: " if span.role else ""
    wrong = f" !! {span.error.get('kind', '')} {span.error.get('message', '')}".rstrip() if span.error else ""
    if span.kind == "tool":
        result = f" → {_text(told['result'])}" if told.get("result") is not None else ""
        return f"{who}{span.name}({_text(told.get('args') or {})}){result}{wrong}"
    if span.kind in ("message", "user"):
        shown_text = "" if told.get("text") is None else _text(told["text"])
        card = f" [card {_text(told['ui_card'])}]" if told.get("ui_card") else ""
        speaker = f"to {span.name}" if span.kind == "message" else "user"
        return f"{who}{speaker}: {shown_text}{card}{wrong}"
    return f"{who}{span.kind} {span.name} {_text(told)}{wrong}"
