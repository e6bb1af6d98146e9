"""A folder read as plain data, without ever leaving it: links are noted, not followed, and only ordinary files are opened.

What an agent leaves behind is hostile: links to elsewhere, pipes that block, files of any size. Empty folders are no content.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from fairtrial.records.tree import Tree, content, data_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WHOLE = 1 << 20
"""A file up to this many bytes is kept whole ..."""
WHOLE_TREE = 8 << 20
"""... as long as the files that are read are not more than this together."""
START_WHOLE, START_TREE = 16 << 20, 64 << 20
"""The same for a start that trials share: it is stored once, and what a trial leaves alone is known from it."""
REPOSITORY = ".git"
"""At the top of a tree this is no content: the trial's own repository, which says nothing that the files do not."""
HASHED = 1 << 28
"""Beyond this a file's size is all that is read of it."""
DEEPEST = 100
"""Folders within folders; what lies deeper is not read."""
YOUNG_NS = 100_000_000
"""A file system's clock has steps: a file touched so shortly before it was looked at may change without its times changing."""

Mark = tuple[int, int, int, int, int]


class Bounds(NamedTuple):
    """Of one file: what it was, how large it may be to be kept whole, and how much room is left for all."""

    earlier: Any
    most: int
    room: int


class Looked(NamedTuple):
    """A tree as it was found. Where `marks` has a file's mark, the same mark later means the same content."""

    tree: Tree
    marks: dict[str, Mark]


def look(top: Path, known: Looked | None = None, limits: tuple[int, int] | None = None) -> Looked:
    """Read a folder; a folder that is not there, or is a link, is empty. Files that `known` has the mark of are not read again.

    `limits`: up to how many bytes one file, and all that are read together, are kept whole.
    """
    known = known or Looked({}, {})
    tree: Tree = {}
    most, room = limits or (WHOLE, WHOLE_TREE)
    for path, name, folder, found in walk(top):
        earlier = known.tree.get(path)
        if known.marks.get(path) == _mark(found):
            tree[path] = earlier
            continue
        value = tree[path] = _content(name, folder, found, Bounds(earlier, most, room))
        if value == earlier:
            tree[path] = earlier
        elif isinstance(value, str) or "sha256" not in value:
            room = max(0, room - found.st_size)
    return Looked(tree, {})


def marks_of(top: Path, *, settled: bool = False) -> dict[str, Mark]:
    """The mark of every file, without reading any; `settled`: only of those that cannot change without their mark changing."""
    return {path: _mark(found) for path, _, _, found in walk(top) if not settled or found.st_ctime_ns < time.time_ns() - YOUNG_NS}


def walk(top: Path) -> Iterator[tuple[str, str, int, os.stat_result]]:
    """(path, name, the folder's descriptor, what it is) of all that is no folder, or is too deep, by path; links are not followed."""
    if not stat.S_ISDIR(_kind(top)):
        return
    for here, folders, files, folder in os.fwalk(top, follow_symlinks=False):
        folders.sort()
        within = os.path.relpath(here, top)
        if within == ".":
            folders[:] = [name for name in folders if name != REPOSITORY]
        links = [name for name in folders if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)]
        if within.count("/") >= DEEPEST:
            links, folders[:] = folders[:], []
        for name in sorted([*files, *links]):
            if name == REPOSITORY and within == ".":
                continue
            try:
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                continue  # somebody is still at work there
            yield shown(name if within == "." else f"{within}/{name}"), name, folder, found


def shown(path: str) -> str:
    """A path as text; bytes that are no text stay visible."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _kind(top: Path) -> int:
    try:
        return os.lstat(top).st_mode
    except OSError:
        return 0


def _mark(found: os.stat_result) -> Mark:
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_mode)


def _content(name: str, folder: int, found: os.stat_result, bounds: Bounds) -> Any:
    if stat.S_ISLNK(found.st_mode):
        return {"link": shown(os.readlink(name, dir_fd=folder))}
    if stat.S_ISDIR(found.st_mode):
        return {"unreadable": "folders are nested too deep"}
    if not stat.S_ISREG(found.st_mode):
        return {"special": stat.filemode(found.st_mode)[0]}
    if found.st_size > HASHED:
        return {"bytes": found.st_size}
    try:
        # Not following and not waiting, should it have become a link or a pipe since it was looked at.
        number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        return {"unreadable": error.strerror or type(error).__name__}
    with open(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return {"special": "?"}
        return _kept(file, bool(found.st_mode & 0o100), bounds)


def _kept(file: BinaryIO, executable: bool, bounds: Bounds) -> Any:
    """The content whole where there is room for it, else its hash. What is as it was is written as it was."""
    most = max(bounds.most, _size(bounds.earlier))
    data = file.read(most + 1)
    digest, size = hashlib.sha256(data), len(data)
    while size > most and size < HASHED and (piece := file.read(1 << 18)):
        digest.update(piece)
        size += len(piece)
    pressed = {"sha256": digest.hexdigest(), "bytes": size} | ({"executable": True} if executable else {})
    if size > most or pressed == bounds.earlier:
        return pressed
    whole = content(data, executable=executable)
    return whole if whole == bounds.earlier or (size <= bounds.most and size <= bounds.room) else pressed


def _size(value: Any) -> int:
    """How many bytes a content has that was kept whole; 0 for any other."""
    try:
        data = data_of(value)
    except ValueError:
        return 0
    return 0 if data is None else len(data)
