"""The world of files: a folder of a trial's own, copied from a template that was made once. `live` is its Path.

A case's `state` is written over the copy: {path: text | {"base64": …} | {"link": …} | null}, null taking a file away. The end
is read by path; a file whose times and number have not moved is not read again.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.records.edits import GONE, PUT, Edit
from fairtrial.records.errors import InputError
from fairtrial.records.start import INLINE, Start
from fairtrial.records.tree import FILES, Tree, can_run, content, data_of, inside, link_inside, link_of, text_of
from fairtrial.worlds.clearing import clear_away
from fairtrial.worlds.injections import in_world, joined
from fairtrial.worlds.patch import file_changes, patch
from fairtrial.worlds.source import commit_all, copy_tree, make_template
from fairtrial.worlds.tree import REPOSITORY, START_TREE, START_WHOLE, WHOLE, Looked, look, marks_of
from fairtrial.worlds.world import Whole, encode_state, state_hash

if TYPE_CHECKING:
    from fairtrial.records.case import Scene
    from fairtrial.records.suite import World
    from fairtrial.records.trial import Change, TrialBody
    from fairtrial.worlds.injections import Injection
    from fairtrial.worlds.starts import Starts


class FilesWorld:
    """Makes the template below `place`; raises InputError where there is no such source or it must not be used."""

    def __init__(self, world: World, suite: Path, place: Path, starts: Starts | None = None) -> None:
        self._starts = starts
        self._template = place / f"files-{os.getpid()}"
        if world.source is None:
            self._template.mkdir()
        else:
            make_template(suite / world.source, world.commit, suite, self._template)
        self._start = look(self._template, limits=(START_WHOLE, START_TREE) if starts else None).tree
        encoded = encode_state(self._start)
        self._base = starts.write([encoded]) if starts and len(encoded) > INLINE else ""
        self._marks = marks_of(self._template)
        self._place = place
        self._opened = 0

    def quiet(self, scene: Scene) -> bool:
        return False

    def open(self, scene: Scene, folder: str | None = None) -> LiveFiles:
        """A copy for one trial: in the trial's own folder, or beside the others where it has none."""
        if marks_of(self._template) != self._marks:
            raise InputError("the files that trials start from were changed by a trial", mend="run it alone to see which one does that")
        self._opened += 1
        own = Path(folder, "world") if folder else self._place / f"world-{os.getpid()}-{self._opened}"
        copy_tree(self._template, own)
        try:
            given = _write(own, scene.state)
            if scene.injections:
                given |= _write(own, _planted(self._start | given, in_world(scene)))
            if given:
                commit_all(own)
        except InputError:
            clear_away(own)
            raise
        before = {path: value for path, value in sorted((self._start | given).items()) if value is not None}
        if self._base:
            return LiveFiles(own, before, Start(self._base, [edit for path in given if (edit := _edit(self._start, path, given[path]))]))
        return LiveFiles(own, before, self._starts)

    def close(self) -> None:
        """Take the template away again."""
        clear_away(self._template)


class LiveFiles(Whole):
    kind = FILES

    def __init__(self, own: Path, before: Tree, start: Start | Starts | None) -> None:
        """`start`: the one that trials share with what the case adds to it; else where a large one is laid."""
        self._shared = start if isinstance(start, Start) else None
        if isinstance(start, Start):
            self.before: Any = before
            self.start_hash = start.base[:16] if not start.edits else state_hash(encode_state(start))
        else:
            super().__init__(before, encode_state(before), start)
        self.live = own
        self._copies: list[Path] = []
        self._identity = _identity(own)
        self._parent = _identity(own.parent)
        # Nothing is read here: the copy is the template, and what the marks cannot vouch for is read at the end.
        self._start = Looked(before, marks_of(own, settled=True))

    def tell_start(self, body: TrialBody) -> None:
        if self._shared is None:
            super().tell_start(body)
        else:
            body.kind, body.start = self.kind, self._shared

    def after(self) -> Any:
        """The files as they are now; nothing, where the folder is gone or is not where it was."""
        there = _identity(self.live.parent) == self._parent
        tree = look(self.live, self._start).tree if there else {}
        return msgspec.UNSET if tree == self.before else tree

    def changes(self, after: Any) -> list[Change]:
        self.patch = patch(self.before, after)
        return file_changes(self.before, after)

    def peek(self, part: str | None = None) -> Any:
        return look(self.live, self._start).tree

    def scratch(self) -> Path:
        self._copies.append(self.live.with_name(f"{self.live.name}-undone-{len(self._copies) + 1}"))
        copy_tree(self.live, self._copies[-1])
        return self._copies[-1]

    def close(self) -> None:
        """Take the folder and its copies away, if it is still the one that was made here."""
        if _identity(self.live) == self._identity:
            clear_away(self.live)
        for copy in self._copies:
            clear_away(copy)


def _edit(start: Tree, path: str, value: Any) -> Edit | None:
    """What a case's own file is to the start."""
    if value is None:
        return Edit([path], GONE) if path in start else None
    return None if start.get(path) == value else Edit([path], PUT, value)


def _planted(start: Tree, plants: list[Injection]) -> Tree:
    """The files that carry a plant: behind their text, or a file of its own where there is none. Raises InputError."""
    found: Tree = {}
    for one in plants:
        value = found.get(one.at, start.get(one.at))
        text = "" if value is None else text_of(value)
        if text is None:
            raise InputError(
                f"the injection {one.id!r} is planted in {one.at!r}, which is no text", mend="name a file of text, or a new one"
            )
        whole = joined(text.removesuffix("\n"), one.text) + "\n"
        found[one.at] = {"text": whole, "executable": True} if can_run(value) else whole
    return found


def _write(top: Path, state: Any) -> Tree:
    """Write a case's own files into a fresh copy."""
    if state is None:
        return {}
    if not isinstance(state, dict):
        raise InputError("a world of files takes {path: text} as `state`", value=state)
    return {str(path): _write_one(top, str(path), value) for path, value in state.items()}


def _write_one(top: Path, path: str, value: Any) -> Any:
    """The content as a reader will find it; None for a file that was taken away."""
    target = link_of(value)
    if path.split("/", maxsplit=1)[0] == REPOSITORY:
        raise InputError(f"the file {path!r} of the case's state is in the trial's own repository", mend="name a file beside it")
    if not inside(path) or (target is not None and not link_inside(path, target)):
        raise InputError(f"the file {path!r} of the case's state is not inside the world", value=target or path)
    file = top / path
    try:
        if not file.parent.resolve().is_relative_to(top.resolve()):
            raise InputError(f"the file {path!r} of the case's state is not inside the world", value=path)
        if value is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=value is not None)
        if target is not None:
            file.symlink_to(target)
            return {"link": target}
        if value is None:
            return None
        data = data_of(value)
        if data is None:
            raise ValueError("it is not whole")
        if len(data) > WHOLE:
            raise ValueError(f"it has more than {WHOLE} bytes")
        file.write_bytes(data)
        file.chmod(0o755 if can_run(value) else 0o644)
        return content(data, executable=can_run(value))
    except (OSError, ValueError) as error:
        raise InputError(f"the file {path!r} of the case's state cannot be written: {error}", value=path) from None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)
