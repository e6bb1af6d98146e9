"""The same matter in another form: what a judge says must not hang on it. Each probe changes one thing that no verdict may rest on.

Kept out: which trials are asked about, and what the changed verdicts come to (`study/exam.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from fairtrial.records.opinion import Matter
from fairtrial.records.rubric import Rubric
from fairtrial.records.text import content_hash, dumps

Asked = tuple[Rubric, Matter]
Probe = Callable[[Rubric, Matter], Asked | None]
"""What is asked instead; None where the probe has nothing to change here."""

ANSWER = "output"
PADDING = "To say it once more in other words, the above is the whole of the answer, and it stands as it was given before."
"""Adds length and no statement."""
PADDED = 3
"""How long the padded answer is at least, in answers."""
SCALES = (Decimal(0), Decimal(100)), (Decimal(1), Decimal(5))
"""The scale that is put in the place of the rubric's, and that in the place of this one."""
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def position(rubric: Rubric, matter: Matter) -> Asked | None:
    """Evidence and dimensions in the opposite order."""
    if len(rubric.evidence) < 2 and len(rubric.dimensions) < 2:
        return None
    turned = dict(reversed(list(rubric.dimensions.items())))
    return _other(rubric, "position", evidence=rubric.evidence[::-1], dimensions=turned), matter


def length(rubric: Rubric, matter: Matter) -> Asked | None:
    """The answer padded with sentences that say nothing."""
    answer = matter.parts.get(ANSWER)
    if isinstance(answer, str) and answer.strip():
        return rubric, _answering(matter, _padded(answer))
    texts = {name: value for name, value in answer.items() if isinstance(value, str) and value} if isinstance(answer, dict) else {}
    if not isinstance(answer, dict) or not texts:
        return None
    longest = max(texts, key=lambda name: len(texts[name]))
    return rubric, _answering(matter, answer | {longest: _padded(texts[longest])})


def layout(rubric: Rubric, matter: Matter) -> Asked | None:
    """The answer as a list in Markdown; one that is a list already as plain lines."""
    answer = matter.parts.get(ANSWER)
    if isinstance(answer, dict) and answer:
        return rubric, _answering(matter, "\n".join(f"- **{name}**: {_text(value)}" for name, value in answer.items()))
    if isinstance(answer, list) and answer:
        return rubric, _answering(matter, "\n".join(f"- {_text(value)}" for value in answer))
    if not isinstance(answer, str) or not answer.strip():
        return None
    lines = [line.strip() for line in _SENTENCES.split(answer) if line.strip()]
    listed = all(line.startswith("- ") for line in lines)
    return rubric, _answering(matter, "\n".join(line[2:] if listed else f"- {line}" for line in lines))


def labels(rubric: Rubric, matter: Matter) -> Asked | None:
    """The labels of the scale swapped: its lowest number is the best mark. The verdict must follow what they mean, not the number."""
    return _other(rubric, "labels", turned=not rubric.turned), matter


def numbers(rubric: Rubric, matter: Matter) -> Asked | None:
    """The same rubric on a scale of other numbers, its bar at the same place."""
    low, high = rubric.scale
    scale = SCALES[1] if (low, high) == SCALES[0] else SCALES[0]
    bar = scale[0] + (rubric.passes - low) / (high - low) * (scale[1] - scale[0])
    return _other(rubric, "numbers", scale=scale, passes=bar), matter


PROBES: Mapping[str, Probe] = {"position": position, "length": length, "format": layout, "labels": labels, "numbers": numbers}


def _other(rubric: Rubric, probe: str, **changed: Any) -> Rubric:
    """Another instrument by its hash, so that no answer to the one passes for an answer to the other."""
    return msgspec.structs.replace(rubric, hash=content_hash([rubric.hash, "probe", probe]), **changed)


def _answering(matter: Matter, answer: Any) -> Matter:
    return msgspec.structs.replace(matter, parts={**matter.parts, ANSWER: answer})


def _padded(text: str) -> str:
    times = max(1, -(-(PADDED - 1) * len(text) // len(PADDING)))
    return "\n\n".join([text, *[PADDING] * times])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else dumps(value)
