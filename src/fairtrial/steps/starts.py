"""The starts that trials of a run share: taken from where a worker laid them, checked, covered, and stored once.

A trial's own process can write anything, so a start is believed only where its content has the hash that it is named by.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256
from typing import TYPE_CHECKING

from fairtrial.records.errors import StoreError
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
            if not self._store.has_start(self.run, name):
                self._store.write_start(self.run, name, admit_start(self._store.redactor, self._fetched(name)))
            self._stored.add(name)
        return self._store.base(self.run, body)

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
