"""The programs of `command` checks behind walls, for runs whose trials were in a sandbox.

Such a program looks at files that the agent wrote, and often runs them: tests, settings that are code. What the trial could not
reach, it must not reach either. Kept out: which programs are run (`graders/command.py`), and the walls (`trials/sandbox.py`).
"""

from __future__ import annotations

import shutil
import weakref
from typing import TYPE_CHECKING

from fairtrial.records.errors import InputError
from fairtrial.steps.prepare import stage_spec
from fairtrial.trials.home import move_out, run_root
from fairtrial.trials.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.records.run import Manifest
    from fairtrial.records.suite import Suite


class Confined:
    """The walls of a suite, built when the first program needs them."""

    def __init__(self, suite: Suite, store: str) -> None:
        self._suite, self._store = suite, store
        self._sandbox: Sandbox | None = None

    def __call__(self, command: Sequence[str], folder: str, work: str) -> list[str]:
        """The command, behind walls, in `work`; it may write below `folder`. Raises OSError where that cannot be."""
        sandbox = self._built()
        if "/" not in command[0] and shutil.which(command[0], path=sandbox.environment["PATH"]) is None:
            raise FileNotFoundError(f"behind the walls of this run there is no {command[0]}")
        return sandbox.wrap(command, (folder, folder), work)

    def _built(self) -> Sandbox:
        if self._sandbox is None:
            root = str(run_root())
            weakref.finalize(self, move_out, root)
            try:
                self._sandbox = Sandbox(stage_spec(self._suite, {}, (), self._store), root)
            except InputError as error:
                raise OSError(str(error)) from None
        return self._sandbox


def confined(suite: Suite, settings: Manifest | str, store: str) -> Confined | None:
    """What a run's command checks are run with, by its level of isolation or by its manifest; None: as they are."""
    level = settings if isinstance(settings, str) else settings.settings.get("isolate")
    return Confined(suite, store) if level == "sandbox" else None
