"""Files as plain data: {path: content}, as a world of files is read, stored and put back.

A content is the text itself; {"base64": …} for what is no text; {"link": target} for a symbolic link; {"sha256": …, "bytes": n}
where the whole was too large to keep. A file that can be executed has {"text": …} or {"base64": …} with "executable": true.
Paths have slashes and never lead out. Kept out: reading and writing any file.
"""

from __future__ import annotations

import base64
import binascii
import posixpath
from typing import Any

Tree = dict[str, Any]
FILES = "files"
"""What a trial's body calls a state that is a tree."""


def inside(path: str) -> bool:
    """Whether a path stays below the top of its tree, as it is written."""
    steps = path.split("/")
    return "\0" not in path and "\\" not in path and not any(step in ("", ".", "..") for step in steps)


def link_inside(path: str, target: str) -> bool:
    """Whether a link at `path` leads to a place below the top, as both are written."""
    if posixpath.isabs(target) or "\\" in target or "\0" in target or not target:
        return False
    end = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return end != ".." and not end.startswith("../")


def content(data: bytes, *, executable: bool = False) -> Any:
    """The bytes of a file as plain data: text where they are UTF-8 without a zero byte."""
    try:
        text = None if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    if text is not None and not executable:
        return text
    kept: dict[str, Any] = {"base64": base64.b64encode(data).decode("ascii")} if text is None else {"text": text}
    return kept | {"executable": True} if executable else kept


def data_of(value: Any) -> bytes | None:
    """The bytes of a content; None for a link and where they were not kept whole. Raises ValueError for what is no content."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            return str(value["text"]).encode("utf-8", "surrogatepass")
        if isinstance(value.get("base64"), str):
            try:
                return base64.b64decode(value["base64"], validate=True)
            except binascii.Error as error:
                raise ValueError(f"this is no base64: {error}") from None
        if "link" in value or "sha256" in value or "bytes" in value or "special" in value or "unreadable" in value:
            return None
    raise ValueError("neither text nor {base64: …}, {text: …, executable: true} or {link: …}")


def text_of(value: Any) -> str | None:
    """The text of a content; None for everything else."""
    if isinstance(value, dict):
        value = value.get("text")
    return value if isinstance(value, str) else None


def link_of(value: Any) -> str | None:
    target = value.get("link") if isinstance(value, dict) else None
    return target if isinstance(target, str) else None


def can_run(value: Any) -> bool:
    return isinstance(value, dict) and value.get("executable") is True
