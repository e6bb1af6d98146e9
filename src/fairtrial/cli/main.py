"""Where the command begins. What needs no parser is answered here, so that it costs hardly more than a bare start.

Kept out: the parser and how a command ends (`door.py`), the text of the help (`guide.py`).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from fairtrial import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

UNWRITABLE = 4
HELP = ({"--help"}, {"-h"}, {"help"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    words = _typed() if arguments is None else list(arguments)
    speak_utf8()
    if words == ["--version"]:
        return _tell(f"fairtrial {__version__}")
    if set(_without_language(words)) in HELP:
        from fairtrial.cli.guide import guide

        return _tell(guide())
    from fairtrial.cli.door import enter

    return enter(words)


def _tell(text: str) -> int:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        from fairtrial.cli.door import BROKEN_PIPE, let_go

        let_go(sys.stdout)
        return BROKEN_PIPE
    except OSError as error:
        from fairtrial.cli.door import let_go

        let_go(sys.stdout)
        print(f"standard output cannot be written: {error.strerror}", file=sys.stderr)
        return UNWRITABLE
    return 0


def _without_language(words: list[str]) -> list[str]:
    """The help is English in every language; a language that does not exist is left for the parser to refuse."""
    for option in (["--lang", "en"], ["--lang", "zh"], ["--lang=en"], ["--lang=zh"]):
        for place in range(len(words)):
            if words[place : place + len(option)] == option:
                return words[:place] + words[place + len(option) :]
    return words


def _typed() -> list[str]:
    """What was typed, read as UTF-8 even where the locale says ASCII, so that a case of any name can be asked for."""
    return [os.fsencode(word).decode("utf-8", "surrogateescape") for word in sys.argv[1:]]


def speak_utf8() -> None:
    """UTF-8 on both streams, whatever the locale says; what cannot be written is escaped, never raised."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
