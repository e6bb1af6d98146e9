"""The content of the files that a world starts from, so that a suite's version moves when they do."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairtrial.records.suite import World


def content_of(world: World, folder: str) -> dict[str, Any]:
    """The world with, in place of each path, the hash of what is there. A commit stands for the content of its repository."""
    found: dict[str, Any] = {"kind": world.kind, "commit": world.commit}
    if world.seed:
        found["seed"] = _hash(os.path.join(folder, world.seed))
    if world.source:
        whole = os.path.join(folder, world.source)
        found["from"] = world.source if not os.path.exists(whole) or (world.commit and os.path.isdir(whole)) else _tree(whole)
    return found


def _tree(top: str) -> Any:
    if os.path.isfile(top):
        return _hash(top)
    found: dict[str, str] = {}
    for here, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in files:
            path = os.path.join(here, name)
            found[os.path.relpath(path, top).replace(os.sep, "/")] = _hash(path)
    return found


def _hash(path: str) -> str:
    """Of the bytes, with CR LF taken as LF, so that a checkout on another system has the same version. A link counts by its target."""
    if os.path.islink(path):
        return "link:" + os.readlink(path)
    if not os.path.isfile(path):
        return "not a file"
    with open(path, "rb") as file:
        return sha256(file.read().replace(b"\r\n", b"\n")).hexdigest()
