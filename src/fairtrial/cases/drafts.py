"""A draft of a case from a stored trial: as it was asked, where that is kept, else as far as its trace tells.

What cannot be derived is never made up: it becomes a line that begins with TODO in the draft's notes, which `fairtrial check`
names until it is gone. Kept out: what pins the failure (`steps/pinning.py`), and where a draft is written (`steps/promoting.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.text import content_hash, file_name
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fairtrial.records.grade import Grade
    from fairtrial.records.trial import Trial

TODO = "TODO: "
PROMOTED = "promoted"
COVERED = "[redacted:"
MOST_TOOLS = 20
MOST_WHY = 300

ORDER = ("id", "task", "description", "facts", "history", "user", "state", "must", "must_not", "limits")
"""The keys that a reader wants first; the others follow as they were, what is for people last."""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Where a trial comes from, in the words of its run. `imported`: it was not run here."""

    run: str
    suite: str
    version: str
    case: str
    setup: str
    attempt: int
    at: str
    harness: str
    ending: str
    verdict: str
    imported: bool


def draft_of(raw: dict[str, Any] | None, trial: Trial) -> tuple[dict[str, Any], list[str]]:
    """What was asked, without id, library and split, and what is missing of it. `raw` is the case as the store keeps it."""
    if raw and "task" in raw:
        kept = {name: value for name, value in raw.items() if name not in ("id", "library", "split")}
        return kept, []
    return _from_trace(trial)


def _from_trace(trial: Trial) -> tuple[dict[str, Any], list[str]]:
    """The task is what the user said first; what they said later is played by a script."""
    said = [str(span.attributes.get("text")) for span in trial.body.spans if span.kind == "user" and span.attributes.get("text")]
    called = list(dict.fromkeys(span.name for span in trial.body.spans if span.kind == "tool" and span.role is None))
    todo = [f"{TODO}say under must and must_not what is right here; the trace came without checks"]
    if not said:
        todo.append(f"{TODO}write the task; the trace holds no word of a user")
    made: dict[str, Any] = {"task": said[0] if said else f"(the task of {trial.head.key.case})"}
    if len(said) > 1:
        made["user"] = {"script": said[1:], "max_turns": len(said)}
        todo.append(f"{TODO}read the user's script: it says what was said then, whatever the agent answers now")
    if called:
        more = f" and {len(called) - MOST_TOOLS} more" if len(called) > MOST_TOOLS else ""
        made["description"] = f"Tools called then: {', '.join(called[:MOST_TOOLS])}{more}"
        todo.append(f"{TODO}give the world it began from as state:, and the suite the tools it needs")
    return made, todo


def covered(value: Any) -> Iterator[str]:
    """A line for every place where a secret was covered before it was stored."""
    for path in _marks(value, ""):
        yield f"{TODO}write a made-up value for {path}, which was covered as a secret"


def _marks(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _marks(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _marks(item, f"{path}[{place}]")
    elif isinstance(value, str) and COVERED in value:
        yield path


def finished(draft: dict[str, Any], origin: Origin, ident: str, library: str, lines: list[str]) -> dict[str, Any]:
    """The draft with its id, its labels and its provenance; `lines` are the notes beneath, what is to be done among them."""
    tags = [*draft.get("tags", []), *([] if PROMOTED in draft.get("tags", []) else [PROMOTED])]
    source = "real" if origin.imported else "incident"
    notes = "\n".join([*filter(None, [draft.get("notes", "")]), _provenance(origin), *lines])
    made = draft | {"id": ident, "tags": tags, "source": source, "library": library, "notes": notes}
    last = [name for name in made if name not in ORDER and name != "notes"]
    return {name: made[name] for name in (*ORDER, *last, "notes") if name in made}


def _provenance(origin: Origin) -> str:
    where = f"case {origin.case}, setup {origin.setup}, attempt {origin.attempt} of run {origin.run}"
    suite = f"suite {origin.suite} {origin.version[:19]}".strip()
    told = "; ".join(filter(None, [suite, origin.at, origin.harness]))
    return _flat(f"Promoted from {where} ({told}): ended {origin.ending}, {origin.verdict}.")


def _flat(text: str) -> str:
    """On one line: no text of a trial begins a line of the notes."""
    return " ".join(text.split())


def told_grade(grade: Grade) -> str:
    """A grade that did not pass as one line of the notes."""
    word = "Failed" if grade.verdict is Verdict.FAIL else "Not decided"
    why = _flat(grade.why)
    return f"{word}: {_flat(grade.check)}" + (f" ({why[:MOST_WHY]})" if why else "")


def draft_id(origin: Origin, taken: Collection[str]) -> str:
    """An id that tells the case and stands for this one trial; with a number behind it where it is taken."""
    words = file_name(origin.case).rpartition("-")[0] or "case"
    digest = content_hash([origin.run, origin.case, origin.setup, origin.attempt]).rpartition(":")[2][:6]
    base, number = f"{words}-{digest}", 1
    found = base
    while found in taken:
        number += 1
        found = f"{base}-{number}"
    return found
