"""Taking a folder away, however deep an agent has nested it. Links are removed, never followed."""

from __future__ import annotations

import os
import shutil


def clear_away(folder: str | os.PathLike[str]) -> None:
    """Remove a folder and all in it; what cannot be removed stays, and nothing is raised for it."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        _flatten(folder)
    if os.path.lexists(folder) and not os.path.islink(folder):
        _flatten(folder)


def _flatten(folder: str | os.PathLike[str]) -> None:
    """Bring everything up to the top, level by level: needs neither a deep stack nor a descriptor for each level."""
    try:
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        names, moved = os.listdir(top), 0
        while names:
            name = names.pop()
            if _unlinked(name, top):
                continue
            try:
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
            except OSError:
                continue
            try:
                for child in os.listdir(inner):
                    if not _unlinked(child, inner):
                        moved += 1
                        raised = f".clearing-{os.getpid()}-{moved}"
                        os.rename(child, raised, src_dir_fd=inner, dst_dir_fd=top)
                        names.append(raised)
                os.rmdir(name, dir_fd=top)
            except OSError:
                continue
            finally:
                os.close(inner)
    finally:
        os.close(top)
    try:
        os.rmdir(folder)
    except OSError:
        return


def _unlinked(name: str, folder: int) -> bool:
    try:
        os.unlink(name, dir_fd=folder)
    except OSError:
        return False
    return True
