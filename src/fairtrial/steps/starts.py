"""The starts that trials of a run share: taken from where a worker laid them, checked, covered, and stored once.

A trial's own process can write anything, so a start is believed only where its content has the hash that it is named by.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256
from typing import TYPE_CHECKING

from fairtrial.records.edits import between
from fairtrial.records.errors import StoreError
from fairtrial.records.start import INLINE, Start
from fairtrial.records.text import encode
from fairtrial.store.codec import read_body, write_body
from fairtrial.store.door import admit_start

if TYPE_CHECKING:
    from fairtrial.records.start import Base
    from fairtrial.records.trial import TrialBody
    from fairtrial.store.sql import Store

_NAME = re.compile(r"[0-9a-f]{64}")


class Starts:
    """Those of one run. `folder` is where its workers lay them (`worlds/starts.py`)."""

    def __init__(self, run: str, store: Store, folder: str) -> None:
        self.run, self._store, self._folder = run, store, folder
        self._stored: set[str] = set()

    def base(self, body: TrialBody) -> Base | None:
        """The start that a body names, stored from now on. Raises StoreError where there is none of that name."""
        if body.start is None:
            return None
        name = body.start.base
        if name not in self._stored:
            if not self._store.starts.has(self.run, name):
                self._store.starts.add(self.run, name, admit_start(self._store.redactor, self._fetched(name)))
            self._stored.add(name)
        return self._store.starts.base(self.run, body)

    def share(self, body_json: bytes) -> bytes:
        """A trial's body; one that holds a large start itself (behind a wall there is no place to lay it) names it from now on.

        Raises StoreError for what is no trial's body.
        """
        if len(body_json) <= INLINE:
            return body_json
        body = read_body(body_json)
        encoded = b"" if body.before is None else encode(body.before)
        if len(encoded) <= INLINE:
            return body_json
        name = sha256(encoded).hexdigest()
        if name not in self._stored:
            self._store.starts.add(self.run, name, admit_start(self._store.redactor, encoded))
            self._stored.add(name)
        body.start = Start(name)
        body.end = [] if body.after is None else between(body.before, body.after)
        body.before = body.after = None
        return write_body(body)

    def _fetched(self, name: str) -> bytes:
        try:
            if not _NAME.fullmatch(name):
                raise ValueError("that is no name of one")
            with open(os.path.join(self._folder, name), "rb") as file:
                data = file.read()
            if sha256(data).hexdigest() != name:
                raise ValueError("its content is another")
        except (OSError, ValueError) as error:
            raise StoreError(f"the start that the trial names is not there: {error}", value=name) from None
        return data
