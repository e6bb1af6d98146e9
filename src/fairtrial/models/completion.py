"""The reply in the body of a chat completion, or what is wrong with it.

A body that cannot be read, has no text, or was cut off is malformed: half a reply is not read as a whole one. Private reasoning that
a service adds beside the content is left behind here. Kept out: fetching it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.models.model import MalformedReply, Reply
from fairtrial.models.usage import read_usage
from fairtrial.records.errors import InputError
from fairtrial.records.strictjson import loads

REASONS = {
    "length": "was cut off at its limit of tokens",
    "content_filter": "was stopped by a filter of its provider",
}


def read_completion(body: bytes, name: str) -> Reply:
    """Raises MalformedReply telling what is wrong."""
    try:
        said = loads(body.decode("utf-8"))
        choice = said["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        text = message["content"]
    except (InputError, UnicodeDecodeError, LookupError, TypeError, AttributeError) as error:
        raise MalformedReply(f"{name} answered with no chat completion ({type(error).__name__})") from None
    stated = said.get("model")
    use = msgspec.structs.asdict(read_usage(said.get("usage")))
    reply = Reply(text=text if isinstance(text, str) else "", model=stated if isinstance(stated, str) and stated else name, **use)
    if isinstance(reason, str) and reason in REASONS:
        raise MalformedReply(f"{name} {REASONS[reason]}", reply)
    if not isinstance(text, str):
        refusal = message.get("refusal") if isinstance(message, dict) else None
        raise MalformedReply(f"{name} refused: {refusal:.200}" if isinstance(refusal, str) else f"{name} answered without text", reply)
    return reply


def error_of(body: bytes) -> tuple[Any, str] | None:
    """The code and message of a body that holds an error where a completion should be; some services say so with a 200."""
    try:
        said = loads(body.decode("utf-8"))
    except (InputError, UnicodeDecodeError):
        return None
    error = said.get("error") if isinstance(said, dict) and not said.get("choices") else None
    if isinstance(error, dict):
        return error.get("code"), str(error.get("message") or "")
    return (None, error) if isinstance(error, str) else None
