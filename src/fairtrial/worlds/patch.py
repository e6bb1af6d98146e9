"""What differs between two trees of files: a change for each path, and a unified diff for people.

Made here and not by git, whose settings and attributes an agent could have written.
"""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, Any

from fairtrial.records.tree import Tree, can_run, data_of, link_of, text_of
from fairtrial.records.trial import Change
from fairtrial.worlds.world import state_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 1000
SHORT = 4096
"""A change shows a text up to this many characters; the whole stands in the state."""
MOST_LINES = 5000
MOST_PATCH = 1 << 18


def file_changes(before: Tree, after: Tree) -> list[Change]:
    """One change a path; at most `LIMIT`, then one that says so."""
    found = []
    for path in sorted(before.keys() | after.keys()):
        if path not in before:
            found.append(Change(path, "added", None, _short(after[path])))
        elif path not in after:
            found.append(Change(path, "removed", _short(before[path]), None))
        elif before[path] != after[path]:
            found.append(Change(path, "changed", _short(before[path]), _short(after[path])))
    if len(found) > LIMIT:
        rest = len(found) - LIMIT
        found = [*found[:LIMIT], Change("$", "changed", None, f"{rest} more changes are not listed")]
    return found


def patch(before: Tree, after: Tree) -> str:
    """The changes as `git diff` writes them; a note in place of what would be too long."""
    parts: list[str] = []
    room = MOST_PATCH
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) == after.get(path):
            continue
        part = "".join(_file(path, before.get(path), after.get(path)))
        room -= len(part)
        if room < 0:
            parts.append("# the rest is too long to be shown\n")
            break
        parts.append(part)
    return "".join(parts)


def _file(path: str, before: Any, after: Any) -> Iterator[str]:
    yield f"diff --git a/{path} b/{path}\n"
    if before is None:
        yield f"new file mode {_mode(after)}\n"
    elif after is None:
        yield f"deleted file mode {_mode(before)}\n"
    elif _mode(before) != _mode(after):
        yield f"old mode {_mode(before)}\nnew mode {_mode(after)}\n"
    old, new = _lines(before), _lines(after)
    names = ("/dev/null" if before is None else f"a/{path}", "/dev/null" if after is None else f"b/{path}")
    if old is None or new is None or len(old) + len(new) > MOST_LINES:
        yield f"Binary files {names[0]} and {names[1]} differ\n"
        return
    for line in unified_diff(old, new, *names):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _mode(value: Any) -> str:
    return "120000" if link_of(value) is not None else "100755" if can_run(value) else "100644"


def _lines(value: Any) -> list[str] | None:
    """Lines with their ends, split at LF alone; None where there are none to show."""
    text = "" if value is None else link_of(value) if link_of(value) is not None else text_of(value)
    if text is None:
        return None
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) <= SHORT:
        return value
    data = data_of(value)
    return value if data is None or len(data) <= SHORT else {"sha256": state_hash(data), "bytes": len(data)}
