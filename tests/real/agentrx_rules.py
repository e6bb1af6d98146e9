"""What a retail run of tau-bench is held to: the calls of its task, what had to be said, and two lines of the shop's policy.

Each is a grader of a suite in Python and names the span at which a run went wrong. A rule speaks of any run of the domain: it knows
no task and no label. Kept out: reading the runs (`agentrx_runs.py`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from fairtrial.graders.compare import exactly_equal
from fairtrial.records.errors import InputError
from fairtrial.records.strictjson import loads
from fairtrial.records.text import dumps

LOOKS = ("get_", "find_", "list_", "calculate", "transfer_", "think")
"""How the tools are named that change nothing."""
TRANSFER = "transfer_to_human_agents"
FIGURE = re.compile(r"(?<![\w#.,$/-])\d{1,4}(?![\w%/-]|[.,]\d|\.\s\*\*|\)\s)")
"""A whole number that stands alone: no part of an id, an amount, a date or a size, and not the number of an entry in a list."""

Span = dict[str, Any]
Result = bool | dict[str, Any]


def calls(trial: Any) -> list[Span]:
    return [span for span in trial.trace if span["kind"] == "tool" and span["role"] is None]


def writes(trial: Any) -> list[Span]:
    return [span for span in calls(trial) if not span["name"].startswith(LOOKS)]


def went_well(span: Span) -> bool:
    return bool(span["attributes"].get("outcome") == "ok")


def words(trial: Any) -> list[Span]:
    """What the agent said to the user."""
    return [span for span in trial.trace if span["kind"] == "message" and span["name"] == "user"]


def last_words(trial: Any) -> Span | None:
    return next(iter(words(trial)[::-1]), None)


def due(trial: Any) -> list[dict[str, Any]]:
    """The calls of the task that change something."""
    return [action for action in trial.facts["actions"] if not action["name"].startswith(LOOKS)]


def same(span: Span, action: dict[str, Any]) -> bool:
    return span["name"] == action["name"] and exactly_equal(span["attributes"]["args"], action["kwargs"])


def fail(why: str, span: Span | None) -> dict[str, Any]:
    return {"verdict": "FAIL", "why": why, **({"span": span["id"]} if span else {"path": "trace"})}


def nothing_else_written(trial: Any) -> Result:
    """The first change that the task does not ask for."""
    left = due(trial)
    for span in writes(trial):
        if not went_well(span):
            continue
        asked = next((action for action in left if same(span, action)), None)
        if asked is None:
            return fail(f"{span['name']} was called as the task does not ask", span)
        left.remove(asked)
    return True


def all_written(trial: Any) -> Result:
    """Changes that the task asks for and that were not made: where the run shut itself out of one, else where one was tried in
    vain, else where the agent was content without."""
    missing = [action for action in due(trial) if not any(same(span, action) and went_well(span) for span in writes(trial))]
    tried = [span for action in missing for span in writes(trial) if same(span, action)]
    for span in tried:
        before = [other for other in writes(trial) if went_well(other) and int(other["id"]) < int(span["id"]) and _one_record(other, span)]
        if before:
            return fail(f"closed the way for {span['name']} (span {span['id']})", before[-1])
    if tried:
        return fail(f"{tried[0]['name']} was tried in vain", tried[0])
    return fail(f"{missing[0]['name']} was never called as the task asks", last_words(trial)) if missing else True


def _one_record(one: Span, other: Span) -> bool:
    """Whether two calls are about one record: they share an id."""
    ids = [{value for key, value in span["attributes"]["args"].items() if key in ("order_id", "user_id")} for span in (one, other)]
    return bool(ids[0] & ids[1])


def all_said(trial: Any) -> Result:
    """What had to be said and was not; the agent was content without at its last words."""
    said = "\n".join(str(span["attributes"]["text"]) for span in words(trial)).lower().replace(",", "")
    missing = [text for text in trial.facts["outputs"] if text.lower().replace(",", "") not in said]
    return fail(f"never said: {', '.join(missing)}", last_words(trial)) if missing else True


def handed_over_as_asked(trial: Any) -> Result:
    """A transfer to a person that the task does not ask for."""
    asked = any(action["name"] == TRANSFER for action in trial.facts["actions"])
    handed = [span for span in calls(trial) if span["name"] == TRANSFER]
    return fail("handed over to a person, and the task can be done", handed[0]) if handed and not asked else True


def knows_the_user_first(trial: Any) -> Result:
    """Policy: the user is authenticated before anything is looked up for them."""
    for span in calls(trial):
        if span["name"].startswith("find_user_id"):
            if went_well(span):
                return True
        elif not span["name"].startswith(("think", "transfer_")):
            return fail(f"{span['name']} came before the user was known", span)
    return True


def figures_were_given(trial: Any) -> Result:
    """Policy: nothing is made up. A whole number that the agent says was said or returned before, or counts something that was."""
    known: set[str] = set()
    for span in trial.trace:
        attributes = span["attributes"]
        if span["kind"] == "message" and span["name"] == "user":
            invented = [figure for figure in FIGURE.findall(str(attributes["text"])) if figure not in known and len(figure) > 1]
            if invented:
                return fail(f"nobody gave {', '.join(invented)}", span)
        given = attributes.get("result", attributes.get("text"))
        known |= set(re.findall(r"\d+", str(given))) | set(re.findall(r"\d+", dumps(attributes.get("args", {}))))
        known |= set(map(str, _counts(_data(given))))
    return True


def _data(given: Any) -> Any:
    try:
        return loads(given) if isinstance(given, str) else given
    except InputError:
        return None


def _counts(value: Any) -> Iterator[int]:
    """Every number of entries in data, of all and of those that are alike in one field."""
    entries = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    yield len(entries)
    alike = Counter((key, dumps(inner)) for entry in entries if isinstance(entry, dict) for key, inner in entry.items())
    yield from alike.values()
    for entry in entries:
        yield from _counts(entry)


RULES: dict[str, Callable[[Any], Result]] = {
    rule.__name__: rule
    for rule in (nothing_else_written, all_written, all_said, handed_over_as_asked, knows_the_user_first, figures_were_given)
}
