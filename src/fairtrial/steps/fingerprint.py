"""What a setup is made of, as one hash: its entry in the suite and the code and prompts in the suite's folder.

Trials are reused only where this is the same: the suite's own version says what is asked, not who is tried. The code alone is
kept beside it, for two versions of a setup may differ in nothing else. What lies outside
the folder (an installed package, a model behind a service) is not seen; `versions` in the suite is there to name it.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any

from fairtrial.records.text import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fairtrial.records.setup import Setup
    from fairtrial.records.suite import Suite

CODE = frozenset({".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".rb", ".go", ".rs", ".toml", ".txt", ".jinja", ".j2", ".prompt"})
LEFT_OUT = frozenset({"node_modules", "__pycache__", "site-packages"})
MOST_FILES = 5_000
LARGEST = 4 << 20
"""Bytes of a file that are read; a longer one counts by its size as well."""
SHOWN = 16
"""Letters of the hash of the code that are kept; pages show it."""


def fingerprint(suite: Suite, setups: Mapping[str, Setup]) -> dict[str, Any]:
    """What a manifest's settings keep: `code`, the hash of the folder's code, and `made_of` (see there)."""
    code = _code(suite.folder)
    return {"code": code[:SHOWN], "made_of": _made_of(suite, setups, code)}


def made_of(suite: Suite, setups: Mapping[str, Setup]) -> dict[str, str]:
    """By setup the hash of what it is made of; a setup whose team was changed counts as the one it was made of."""
    return _made_of(suite, setups, _code(suite.folder))


def _made_of(suite: Suite, setups: Mapping[str, Setup], code: str) -> dict[str, str]:
    written = {setup.change.of if setup.change else name for name, setup in setups.items()}
    return {name: content_hash([code, suite.tools, suite.setups[name]]) for name in written if name in suite.setups}


def _code(folder: str) -> str:
    whole = hashlib.sha256()
    for count, path in enumerate(_files(folder)):
        if count >= MOST_FILES:
            break
        try:
            size = os.path.getsize(path)
            with open(path, "rb") as file:
                part = hashlib.sha256(file.read(LARGEST)).hexdigest()
        except OSError:
            size, part = -1, ""
        whole.update(f"{os.path.relpath(path, folder)}\0{size}\0{part}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def _files(folder: str) -> Iterator[str]:
    """Code and prompts below a folder, in a fixed order; hidden folders, environments and links are left out."""
    for place, inner, files in os.walk(folder):
        inner[:] = sorted(name for name in inner if not _foreign(os.path.join(place, name), name))
        yield from (os.path.join(place, name) for name in _code_files(files) if not os.path.islink(os.path.join(place, name)))


def _foreign(path: str, name: str) -> bool:
    return name.startswith(".") or name in LEFT_OUT or os.path.isfile(os.path.join(path, "pyvenv.cfg"))


def _code_files(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if os.path.splitext(name)[1] in CODE)
