"""SKELETON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairtrial.records.trial import TrialBody


def write_body(body: TrialBody) -> bytes:
    """The body as strict JSON; never raises."""
    raise NotImplementedError


def read_body(body_json: bytes) -> TrialBody:
    """The body from its JSON (typed; half surrogates replaced and marked). Raises StoreError where it is none of ours."""
    raise NotImplementedError


def pack(body_json: bytes) -> bytes:
    """What is kept in the store: a zstd frame, or the JSON itself where it is short."""
    raise NotImplementedError


def unpack(blob: bytes) -> bytes:
    """The JSON of a stored body."""
    raise NotImplementedError
