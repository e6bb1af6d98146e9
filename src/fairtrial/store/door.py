"""SKELETON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairtrial.records.trial import Trial, TrialHead
    from fairtrial.store.redact import Redactor


class Door:
    """The one way in for trials: secrets covered, then what is too long shortened, then encoded once. Grade what comes out."""

    def __init__(self, redactor: Redactor) -> None:
        raise NotImplementedError

    def admit(self, trial: Trial) -> tuple[Trial, bytes]:
        """The trial as stored (the same object where nothing had to change) and its body as JSON for `Store.write_batch`."""
        raise NotImplementedError

    def admit_encoded(self, head: TrialHead, body_json: bytes) -> tuple[TrialHead, bytes]:
        """The same for a body that a worker has encoded; decode what comes back with `codec.read_body`."""
        raise NotImplementedError
