"""Where large starts are laid down once for all trials of a run, each under the hash of its content.

Whoever opens a world writes its start here, before the first trial that stands on it ends; the run takes it from here. Kept
out: what is done with it there (`steps/starts.py`).
"""

from __future__ import annotations

import os
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Starts:
    """One folder of starts, shared by all workers of a run; made when it is first needed."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._laid: set[str] = set()

    def lay(self, encoded: bytes, name: str) -> str:
        """Lay a start of that name (the SHA-256 of its JSON) down, if it is not there. Returns the name. Raises InputError."""
        if name not in self._laid:
            if not (self._folder / name).exists():
                self.write([encoded])
            self._laid.add(name)
        return name

    def write(self, parts: Iterable[bytes]) -> str:
        """The same for a start that comes in parts, however large; its name. Raises InputError where it cannot be written."""
        digest = sha256()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                for part in parts:
                    digest.update(part)
                    file.write(part)
            name = digest.hexdigest()
            os.replace(file.name, self._folder / name)  # whole or not at all: other workers write the same
        except OSError as error:
            raise InputError(f"the start of the world cannot be laid down: {error.strerror}", place=str(self._folder)) from None
        self._laid.add(name)
        return name
