"""Other suites in a suite's folder: what they name as answers is hidden from trials of this one as well.

A neighbour is a settings file at the top of the folder with `cases` and `setups`. It is read leniently: what is no suite, or is a
broken one, names nothing and disturbs no run. Kept out: what else a sandbox hides (`walls.py`).
"""

from __future__ import annotations

import glob
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fairtrial.cases.sources import SUFFIXES, read_document
from fairtrial.records.errors import FairtrialError

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 1 << 20
"""Bytes of a settings file. Larger ones are data, and reading them would hold up the run."""


def neighbours(folder: str, own: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The path and the content of every other suite at the top of the folder; files of `own` are not looked at."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        ending = os.path.splitext(entry.name)[1].lower()
        if ending in (".yaml", ".yml", ".json") and entry.path not in own and _may_be_one(entry):
            with suppress(FairtrialError):
                value = read_document(entry.path).value
                if "cases" in value and "setups" in value:
                    yield entry.path, value


def _may_be_one(entry: os.DirEntry[str]) -> bool:
    """Whether the two words are there at all: reading a file as YAML takes much longer than looking for them."""
    with suppress(OSError):
        if entry.is_file() and entry.stat().st_size <= MOST:
            with open(entry.path, "rb") as file:
                text = file.read()
            return b"cases" in text and b"setups" in text
    return False


def named(value: dict[str, Any], folder: str) -> Iterator[str]:
    """What a suite says of answers, as far as it is text: the files of its cases, policy and rubrics. A folder is none of them."""
    yield from (path for path in _named(value, folder) if not os.path.isdir(path))


def _named(value: dict[str, Any], folder: str) -> Iterator[str]:
    patterns = value["cases"] if isinstance(value["cases"], list) else [value["cases"]]
    for pattern in _texts(patterns):
        found = glob.glob(os.path.join(folder, pattern), recursive=True)
        yield from (path for path in [os.path.join(folder, pattern), *found] if path.lower().endswith(SUFFIXES))
    judges = value.get("judges")
    rubrics = [judge.get("rubric") for judge in judges.values() if isinstance(judge, dict)] if isinstance(judges, dict) else []
    yield from (os.path.join(folder, path) for path in _texts([value.get("policy"), *rubrics]))


def graders(value: dict[str, Any]) -> list[str]:
    """The targets of its graders, module:function."""
    found = value.get("graders")
    targets = _texts(list(found.values())) if isinstance(found, dict) else []
    return [target for target in targets if target[0].isalpha() or target[0] == "_"]


def _texts(values: list[Any]) -> list[str]:
    """Those that can name a file."""
    return [value for value in values if isinstance(value, str) and value and "\0" not in value]
