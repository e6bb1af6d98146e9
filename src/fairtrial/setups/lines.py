"""The protocol of agents outside Python: JSON lines in and out.

Ours to theirs: brief, result. Theirs to ours: call, hand_off, receive, use, adjust, disagree, settle, escalate, say, spend,
model, decline, note, answer. What they send is hostile data: every line is checked, and a line that cannot be read is an error the
agent is told of, never a crash of the harness. `docs/protocol.md` is the public text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.models.model import MalformedReply
from fairtrial.records.errors import MalformedAnswer, OverBudget, Refused, ToolFailed
from fairtrial.records.plain import plain
from fairtrial.records.strictjson import encode

if TYPE_CHECKING:
    from fairtrial.records.case import Brief
    from fairtrial.setups.agent import InnerDesk

MAX_LINE = 32 * 1024 * 1024


_WORD = r"[\w\-./+=~:%$!@#&*]+"
"""What a secret may be made of. No excerpt ends inside such a word: half a secret is one that nobody can cover."""


def opening(data: bytes, most: int = 200) -> str:
    """The first words of what was said, for an error."""
    text = data[: most + 1].decode("utf-8", "replace")
    return repr(data.decode("utf-8", "replace")) if len(data) <= most else f"{re.sub(_WORD + '$', '', text)!r}… ({len(data)} bytes)"


def closing(text: str, most: int) -> str:
    """The last words of what was printed, for an error."""
    return text if len(text) <= most else re.sub("^" + _WORD, "", text[-most:])


class Answered(Exception):
    """The agent has answered; `output` is what it said."""

    def __init__(self, output: Any) -> None:
        super().__init__("answered")
        self.output = output


def brief_line(brief: Brief) -> bytes:
    """The opening line."""
    return encode({"type": "brief", **msgspec.to_builtins(brief)})


def parse(line: bytes) -> dict[str, Any] | None:
    """A line as an object; None where it is not one JSON object (agents print other things as well)."""
    try:
        said = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def act(said: dict[str, Any], desk: Any) -> dict[str, Any] | None:
    """Carry out one line on a sync desk; the reply line, or None where none is due. Raises Answered."""
    kind = said.get("type")
    if kind is None:
        raise Answered(said)
    if kind == "answer":
        if "output" not in said:
            raise MalformedAnswer('the line of type "answer" has no "output"')
        raise Answered(said["output"])
    reply: dict[str, Any] = {"type": "result", "id": said.get("id")}
    if not isinstance(kind, str) or kind not in _ACTS:
        return reply | {"error": {"kind": "failed", "message": f"unknown type {kind!r:.80}; known are answer, {', '.join(sorted(_ACTS))}"}}
    try:
        value = _ACTS[kind](desk, said)
    except OverBudget as error:
        return reply | {"error": {"kind": "over_budget", "message": str(error)}}
    except Refused as error:
        return reply | {"error": {"kind": "refused", "message": str(error)}}
    except ToolFailed as error:
        return reply | {"error": {"kind": error.kind, "message": str(error)}}
    except MalformedReply as error:
        return reply | {"error": {"kind": "malformed", "message": str(error)}}
    except (KeyError, TypeError, ValueError) as error:
        return reply | {"error": {"kind": "failed", "message": f"the line of type {kind!r} does not fit: {type(error).__name__}: {error}"}}
    return reply | {"value": value} if kind in _ANSWERED or "id" in said else None


def _receive(desk: InnerDesk, said: dict[str, Any]) -> Any:
    return [{"from": parcel.source, "facts": parcel.facts, "number": parcel.number} for parcel in desk.receive(by=said.get("by"))]


def _settle(desk: InnerDesk, said: dict[str, Any]) -> None:
    desk.settle(said["about"], said.get("value"), why=said.get("why", ""), cites=said.get("cites"), by=said.get("by"))


def _say(desk: InnerDesk, said: dict[str, Any]) -> Any:
    shown = {key: value for key, value in said.items() if key not in ("type", "id", "text", "ui_card", "by")}
    return desk.say(said["text"], ui_card=said.get("ui_card"), by=said.get("by"), **shown)


def _details(said: dict[str, Any], *taken: str) -> dict[str, Any]:
    return {key: value for key, value in said.items() if key not in ("type", "id", "by", *taken)}


def _model(desk: InnerDesk, said: dict[str, Any]) -> Any:
    return plain(desk.model(said["name"], said["messages"], schema=said.get("schema"), by=said.get("by")))


_ANSWERED = {"call", "model", "receive", "say", "spend"}
_ACTS: dict[str, Any] = {
    "call": lambda desk, said: desk.call_with(said["tool"], said.get("args", {}), by=said.get("by")),
    "hand_off": lambda desk, said: desk.hand_off(said["to"], said["facts"], by=said.get("by")),
    "receive": _receive,
    "use": lambda desk, said: desk.use(said["fact"], by=said.get("by")),
    "adjust": lambda desk, said: desk.adjust(said["name"], by=said.get("by"), **_details(said, "name")),
    "disagree": lambda desk, said: desk.disagree(said["about"], said["positions"], by=said.get("by")),
    "settle": _settle,
    "escalate": lambda desk, said: desk.escalate(said["about"], to=said.get("to", "human"), why=said.get("why", ""), by=said.get("by")),
    "model": _model,
    "say": _say,
    "spend": lambda desk, said: desk.spend(by=said.get("by"), **_details(said)),
    "decline": lambda desk, said: desk.decline(said["why"], said.get("to"), by=said.get("by")),
    "note": lambda desk, said: desk.note(said["kind"], said["name"], by=said.get("by"), **_details(said, "kind", "name")),
}
