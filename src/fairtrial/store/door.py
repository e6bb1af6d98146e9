"""THE DOOR of the shelf: every trial passes it once, before it is graded and stored.

First secrets are covered, then what is too long is shortened, so that no secret is cut in half and missed. What was changed
is named in the body's `altered`. Most trials have nothing to change and pass as the very bytes they came as. Kept out: what
a secret is (`redact.py`), how bodies are written (`codec.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.errors import StoreError
from fairtrial.records.text import cut_text, encode, plain, reread, shorten
from fairtrial.records.trial import Trial
from fairtrial.records.way import last_key
from fairtrial.store.codec import from_builtins, mended_body, read_body, write_body, write_record, written_body
from fairtrial.store.secrets import BY_NAME, secret_name, secret_scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.grade import Grade, Scorecard
    from fairtrial.records.trial import TrialBody, TrialHead
    from fairtrial.store.redact import Redactor

VALUE_LIMIT = 1 << 20
"""Bytes of JSON that one value may have: an answer, an argument, a result, an error."""
STATE_LIMIT = 16 << 20
"""The same for the state of a world: checks look into it, so it is cut only where it would burst the store."""
START_LIMIT = 256 << 20
"""The same for a start that many trials share. It is stored once, and kept whole or not at all."""
NOTE_LIMIT = 16_384

_PLACES = ("id", "parent", "kind", "name", "role", "start_ns", "end_ns", "attributes", "error")
_WHEN = ("before", "after")
_NAME, _ROLE, _ATTRIBUTES, _ERROR = (_PLACES.index(name) for name in ("name", "role", "attributes", "error"))


class Door:
    """The way in for the trials of one run. Safe under threads."""

    def __init__(self, redactor: Redactor) -> None:
        self.redactor = redactor

    def admit(self, trial: Trial) -> tuple[Trial, bytes]:
        """The trial as it will be stored (the same object where nothing had to change), and its body as JSON."""
        body_json, body = written_body(trial.body)
        head, admitted = self.admit_encoded(trial.head, body_json)
        if admitted is not body_json:
            body = read_body(admitted)
        if head is trial.head and body is trial.body:
            return trial, admitted
        return Trial(head=head, body=body, base=trial.base), admitted

    def admit_encoded(self, head: TrialHead, body_json: bytes) -> tuple[TrialHead, bytes]:
        """The same for a body that is JSON already. Raises StoreError where it is no trial's body."""
        if head.note or head.decline is not None or (head.dialogue is not None and (head.dialogue.why or head.dialogue.model)):
            head = self._head(head)
        if b"\\ud" in body_json:
            body_json = _without_halves(body_json)
        if self.redactor.suspects(body_json):
            body_json = self._covered(body_json)
        if len(body_json) > VALUE_LIMIT:
            body_json = _shortened(body_json)
        return head, body_json

    def _head(self, head: TrialHead) -> TrialHead:
        """Its texts: why it ended, what the agent declined, how the talk with its user went."""
        decline, dialogue = head.decline, head.dialogue
        texts = _with(head, "note", self._words(head.note))
        if decline is not None:
            to = decline.to if decline.to is None else self._words(decline.to)
            texts = _with(texts, "decline", msgspec.structs.replace(decline, why=self._words(decline.why), to=to))
        if dialogue is not None:
            covered = msgspec.structs.replace(dialogue, why=self._words(dialogue.why), model=self._words(dialogue.model))
            texts = _with(texts, "dialogue", covered)
        return texts

    def _words(self, text: str) -> str:
        return cut_text(self.redactor.redact_text(plain(text)), NOTE_LIMIT)

    def _covered(self, body_json: bytes) -> bytes:
        body = reread(body_json)
        notes: dict[str, str] = {}
        covered = {name: self._part(name, part, notes) for name, part in body.items()}
        # The paths of what was changed are made of the agent's own keys, and a key can be a secret as well.
        return body_json if not notes else _noted(covered, {self.redactor.redact_text(path): note for path, note in notes.items()})

    def _part(self, name: str, part: Any, notes: dict[str, str]) -> Any:
        if name == "spans":
            return [self._span(span, f"spans.{place}", notes) for place, span in enumerate(part)]
        if name == "changes":
            return [self._change(change, f"changes.{place}", notes) for place, change in enumerate(part)]
        if name == "end":
            return self._edits(part, "end", notes)
        if name == "start":
            return part | {"edits": self._edits(part.get("edits", []), "start", notes)} if part else part
        return part if name == "altered" else self.redactor.redact(part, notes, name)

    def _span(self, span: list[Any], path: str, notes: dict[str, str]) -> list[Any]:
        """Only what an agent had a hand in; ids, kinds and times stay as they are."""
        made = list(span)
        for place in (_NAME, _ROLE, _ATTRIBUTES):
            made[place] = self.redactor.redact(span[place], notes, f"{path}.{_PLACES[place]}")
        if len(span) > _ERROR and span[_ERROR]:
            made[_ERROR] = {key: self.redactor.redact(text, notes, f"{path}.error.{key}") for key, text in span[_ERROR].items()}
        return made

    def _edits(self, edits: list[list[Any]], path: str, notes: dict[str, str]) -> list[list[Any]]:
        """[steps, kind, value, at, gone]: the last step is the name that the value stands under, and begins its place in the notes."""
        made = []
        for place, (steps, kind, value, *rest) in enumerate(edits):
            name = steps[-1] if steps else ""
            covered = self.redactor.redact({name: value} if steps else value, notes, f"{path}.{place}")
            shown = next(iter(covered.values())) if steps else covered
            made.append([[self.redactor.redact_text(step) for step in steps], kind, shown, *rest])
        return made

    def _change(self, change: list[Any], path: str, notes: dict[str, str]) -> list[Any]:
        """[path, kind, before, after]: the last part of the path is the name that the values stand under."""
        where, kind, *values = change
        name = last_key(where)
        made = [self.redactor.redact(where, notes, f"{path}.path"), kind]
        for field, value in zip(_WHEN, values, strict=False):
            if secret_name(name) and secret_scalar(name, value):
                notes[f"{path}.{field}"] = BY_NAME
                made.append(BY_NAME)
            else:
                made.append(self.redactor.redact(value, notes, f"{path}.{field}"))
        return made


def _with(head: TrialHead, name: str, value: Any) -> TrialHead:
    """The head with another part; the same object where that is equal."""
    return head if getattr(head, name) == value else msgspec.structs.replace(head, **{name: value})


def admit_start(redactor: Redactor, state_json: bytes) -> bytes:
    """A start that trials share, as it will be stored: JSON of a `Kept`, its secrets covered. Raises StoreError for no JSON."""
    if len(state_json) > START_LIMIT:
        return encode({"missing": f"a start of {len(state_json)} bytes is too large to be kept"})
    if b"\\ud" not in state_json and not redactor.suspects(state_json):
        return b'{"state":%b}' % state_json
    notes: dict[str, str] = {}
    try:
        covered = redactor.redact(plain(reread(state_json), notes), notes)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"not a state: {error}") from None
    return encode({"state": covered, "altered": {redactor.redact_text(path): note for path, note in notes.items()}})


def admit_cards(redactor: Redactor, cards: Sequence[Scorecard]) -> list[bytes]:
    """Scorecards as JSON, with secrets in their words and their evidence covered. One look is taken at all of them together."""
    written = [write_record(card) for card in cards]
    if not redactor.suspects(b"\n".join(written)):
        return written
    return [_covered_card(redactor, card) if redactor.suspects(data) else data for card, data in zip(cards, written, strict=True)]


def _covered_card(redactor: Redactor, card: Scorecard) -> bytes:
    rest = redactor.redact_record(msgspec.structs.replace(card, grades=[]))
    return write_record(msgspec.structs.replace(rest, grades=[_covered_grade(redactor, grade) for grade in card.grades]))


def _covered_grade(redactor: Redactor, grade: Grade) -> Grade:
    evidence = grade.evidence
    if evidence is not None:
        name = last_key(evidence.path or "")
        shown = {
            field: BY_NAME if secret_name(name) and secret_scalar(name, value) else redactor.redact(plain(value))
            for field, value in (("expected", evidence.expected), ("seen", evidence.seen))
        }
        evidence = msgspec.structs.replace(evidence, path=evidence.path and redactor.redact_text(evidence.path), **shown)
    rest: Grade = redactor.redact_record(msgspec.structs.replace(grade, evidence=None))
    return msgspec.structs.replace(rest, evidence=evidence)


def _without_halves(body_json: bytes) -> bytes:
    """The body without half surrogate pairs, which a typed reader refuses."""
    try:
        msgspec.json.decode(body_json)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return write_body(mended_body(body_json))
    return body_json


def _shortened(body_json: bytes) -> bytes:
    body = reread(body_json)
    notes: dict[str, str] = {}
    for name in ("output", "error"):
        if name in body:
            body[name] = _fit(body[name], VALUE_LIMIT, name, notes)
    for name in ("before", "after"):
        if name in body:
            body[name] = _fit(body[name], STATE_LIMIT, name, notes)
    _shorten_end(body, notes)
    for place, change in enumerate(body.get("changes", ())):
        change[2:] = [_fit(value, STATE_LIMIT, f"changes.{place}.{when}", notes) for value, when in zip(change[2:], _WHEN, strict=False)]
    for place, span in enumerate(body.get("spans", ())):
        attributes = span[_ATTRIBUTES]
        for key, value in attributes.items():
            attributes[key] = _fit(value, VALUE_LIMIT, f"spans.{place}.attributes.{key}", notes)
        if len(span) > _ERROR and span[_ERROR]:
            span[_ERROR] = {key: _fit(text, VALUE_LIMIT, f"spans.{place}.error.{key}", notes) for key, text in span[_ERROR].items()}
    return body_json if not notes else _noted(body, notes)


def _shorten_end(body: dict[str, Any], notes: dict[str, str]) -> None:
    """An end told by edits stays whole or goes whole: one edit cut in the middle would shift all behind it."""
    size = len(encode(body.get("end", [])))
    if size > STATE_LIMIT:
        del body["end"]
        notes["after"] = f"cut from {size} bytes"


def _fit(value: Any, limit: int, path: str, notes: dict[str, str]) -> Any:
    short, cuts = shorten(value, limit)
    for cut in cuts:
        where = path if cut.path == "$" else f"{path}.{cut.path}"
        notes[where] = f"cut from {cut.bytes} bytes, sha256:{cut.sha256}"
    return short


def _noted(body: dict[str, Any], notes: dict[str, str]) -> bytes:
    made: TrialBody = from_builtins({**body, "altered": {**body.get("altered", {}), **notes}})
    return write_body(made)
