"""Labels that could not be saved, kept in a file until they can: beside the store, else in the working folder.

The file is a log in the form of `review import`, and a label has a token, so that one that is taken twice is there once. It goes when
nothing in it waits any more. Kept out: how labels are given (`labelling.py`).
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from fairtrial.exchange.reviewfile import PERSON, label_of
from fairtrial.records.errors import FairtrialError, InputError, StoreError
from fairtrial.records.label import Asks, Label
from fairtrial.records.text import decode_text, encode, loads
from fairtrial.store.location import file_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.store.sql import Store

BESIDE = ".waiting-labels.jsonl"
HERE = "fairtrial-waiting-labels.jsonl"
DROPPED = "dropped"


class Retried(msgspec.Struct, kw_only=True):
    """What came of the labels that waited: `kept` are saved now, the `asks` need a word on which of two stands, `failed` wait on."""

    kept: int = 0
    asks: list[Asks] = []
    failed: list[str] = []
    """Why, in words."""

    @property
    def waiting(self) -> int:
        return len(self.asks) + len(self.failed)


def keep(url: str, label: Label, why: str) -> str:
    """Adds a label to the file, on the disk when this returns; returns the file. Raises StoreError where no place can be written."""
    return _append(url, {**_line(label), "store": url, "why": why})


def drop(url: str, label: Label) -> None:
    """The label is not wanted any more."""
    _append(url, {"token": label.token, "store": url, DROPPED: True})


def _line(label: Label) -> dict[str, object]:
    told = {name: value for name, value in msgspec.to_builtins(label).items() if value is not None}
    return told | {"rater": f"{PERSON}:{label.rater}"}


def _append(url: str, line: dict[str, object]) -> str:
    faults = []
    for path in _places(url):
        try:
            with _locked(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT) as descriptor:
                os.write(descriptor, encode(line) + b"\n")
                os.fsync(descriptor)
        except OSError as error:
            faults.append(f"{path}: {error.strerror or error}")
        else:
            return path
    mend = f"copy this line to a file and import it later: {encode(line).decode()}"
    raise StoreError(f"the label could not be kept anywhere: {'; '.join(faults)}", mend=mend)


def _places(url: str) -> list[str]:
    return [os.path.abspath(file_of(url)) + BESIDE, os.path.abspath(HERE)]


@contextmanager
def _locked(path: str, flags: int) -> Iterator[int]:
    """The file, locked; one that another command has just removed is opened anew."""
    while True:
        descriptor = os.open(path, flags | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if os.fstat(descriptor).st_nlink:
                yield descriptor
                return
        finally:
            os.close(descriptor)


def retry(store: Store) -> Retried:
    """Gives the store what waits for it. What cannot be taken waits on, and no command fails for it."""
    found = Retried()
    for path in _places(store.url):
        if os.path.isfile(path):
            try:
                with _locked(path, os.O_RDWR) as descriptor:
                    if _retried(store, _read(descriptor), found) and _all_ours(store.url, _read(descriptor)):
                        os.unlink(path)
            except OSError as error:
                found.failed.append(f"{path}: {error.strerror or error}")
    return found


def _read(descriptor: int) -> list[dict[str, object]]:
    os.lseek(descriptor, 0, os.SEEK_SET)
    parts = []
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
    lines = []
    for line in b"".join(parts).splitlines():
        try:
            value = loads(decode_text(line, "waiting labels"))
        except FairtrialError:
            value = None  # torn by a full disk, or not ours: it is left where it is
        lines.append(value if isinstance(value, dict) else {})
    return lines


def _all_ours(url: str, lines: list[dict[str, object]]) -> bool:
    return all(line.get("store") == url for line in lines)


def _retried(store: Store, lines: list[dict[str, object]], found: Retried) -> bool:
    """Whether none of this store's labels waits any more."""
    before = found.waiting
    dropped = {line.get("token") for line in lines if line.get(DROPPED)}
    for line in lines:
        if line.get("store") != store.url or line.get("token") in dropped:
            continue
        try:
            found.kept += store.labels.give(label_of(line))
        except Asks as asks:
            found.asks.append(asks)
        except (StoreError, InputError, ValueError) as error:
            found.failed.append(str(error))
    return found.waiting == before
