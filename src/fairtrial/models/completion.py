"""The reply in the body of a chat completion, or what is wrong with it.

A body that cannot be read, has no text, says that something went wrong, or ended in any way that is not known to be good is
malformed: half a reply is not read as a whole one. Private reasoning that a service adds beside the content is left behind here.
Kept out: fetching it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.models.model import MalformedReply, Reply
from fairtrial.models.usage import read_usage
from fairtrial.records.strictjson import loads_wire

ENDED = frozenset(("stop", "end_turn", "stop_sequence", "eos", "eos_token", "end_of_text", "eot", "complete", "completed", "done"))
"""How a reply ends that is whole, as services name it; most name nothing else, and some nothing at all."""
CALLS = frozenset(("tool_calls", "tool_call", "tool_use", "function_call"))
"""How one ends that also asks for a tool: what it says is whole where it says anything."""
REASONS = {
    "length": "was cut off at its limit of tokens",
    "max_tokens": "was cut off at its limit of tokens",
    "model_length": "was cut off at its limit of tokens",
    "content_filter": "was stopped by a filter of its provider",
    "safety": "was stopped by a filter of its provider",
    "refusal": "refused",
}
TEXTS, THOUGHTS = ("text", "output_text"), ("thinking", "reasoning", "redacted_thinking")
"""Kinds of the parts that a content may come in."""
KEPT_WORDS = 200


def read_completion(body: bytes, name: str) -> Reply:
    """Raises MalformedReply telling what is wrong."""
    try:
        said = loads_wire(body)
        choices = said["choices"]
        message = choices[0]["message"]
        text = _text(message["content"])
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise MalformedReply(f"{name} answered with no chat completion ({type(error).__name__})") from None
    stated = said.get("model")
    use = msgspec.structs.asdict(read_usage(said.get("usage")))
    reply = Reply(text=text or "", model=stated if isinstance(stated, str) and stated else name, **use)
    problem = _problem(said, choices, text)
    if problem:
        raise MalformedReply(f"{name} {problem}", reply)
    return reply


def _problem(said: dict[str, Any], choices: list[Any], text: str | None) -> str:
    """Why a completion is no whole reply; empty where it is one."""
    choice, message = choices[0], choices[0]["message"]
    for place in (said, choice, message):
        if place.get("error"):
            return f"stated an error beside its reply{_told(place['error'])}"
    if message.get("refusal"):
        return f"refused{_told(message['refusal'])}"
    if any(not isinstance(other, dict) or other.get("message") != message for other in choices[1:]):
        return f"gave {len(choices)} replies that differ"
    if message.get("role") not in (None, "assistant"):
        return "answered in another role than the assistant's"
    return ending(choice.get("finish_reason"), text)


def ending(reason: Any, text: str | None) -> str:
    """What the way in which a reply ended says against it; empty where nothing."""
    told = str(reason).strip().lower() if reason is not None else ""
    if told in REASONS:
        return REASONS[told]
    if text is None:
        return "answered without text"
    whole = (reason is None or isinstance(reason, str)) and (not told or told in ENDED or (told in CALLS and text.strip()))
    return "" if whole else f"ended with {told[:40]!r}, which no whole reply does"


def _text(content: Any) -> str | None:
    """The text of a content that is text or a list of such parts; None where it is anything else."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else None
    parts = [part for part in content if not (isinstance(part, dict) and part.get("type") in THOUGHTS)]
    whole = all(isinstance(part, dict) and part.get("type") in TEXTS and isinstance(part.get("text"), str) for part in parts)
    return "".join(part["text"] for part in parts) if parts and whole else None


def _told(words: Any) -> str:
    """What a service says of what went wrong, where it says it in words."""
    found = words.get("message") if isinstance(words, dict) else words
    return f": {' '.join(found.split())[:KEPT_WORDS]}" if isinstance(found, str) and found.strip() else ""


def error_of(body: bytes) -> tuple[Any, str] | None:
    """The code and message of a body that holds an error where a completion should be; some services say so with a 200."""
    try:
        said = loads_wire(body)
    except (ValueError, RecursionError):
        return None
    error = said.get("error") if isinstance(said, dict) and not said.get("choices") else None
    if isinstance(error, dict):
        return error.get("code"), str(error.get("message") or "")
    return (None, error) if isinstance(error, str) else None
