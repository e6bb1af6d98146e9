"""Where the command begins. What needs no parser is answered here, so that it costs hardly more than a bare start.

Kept out: the parser and how a command ends (`door.py`), the text of the help (`guide.py`).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fairtrial import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

HELP = ({"--help"}, {"-h"}, {"help"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        print(f"fairtrial {__version__}")
        return 0
    if set(words) in HELP:
        from fairtrial.cli.guide import guide

        print(guide())
        return 0
    from fairtrial.cli.door import enter

    return enter(words)
