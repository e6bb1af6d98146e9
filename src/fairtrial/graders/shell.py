"""What a text would do in a shell: the commands it runs and the places it names, however they are written.

Quotes, backslashes, paths to programs, split and long options, commands within commands, `..`, `~`, links and URL escapes are read
through. It is a reading of text, not a shell: what is put together at run time (variables, base64) is not seen. Kept out: what
is forbidden (`forbidden.py`).
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatchcase
from urllib.parse import unquote

LONGEST = 100_000
"""Characters of one text that are read as commands; what is beyond is searched for the words alone."""
DEEPEST = 5
_ENDS = re.compile(r"[;|&\n\r(){}`]|\$\(")
_GAP = re.compile(r"\$\{IFS\}|\$IFS\b|\\\n")
_SET = re.compile(r"[A-Za-z_]\w*=")
_RUNNERS = frozenset(
    {"sudo", "doas", "env", "nohup", "time", "nice", "command", "exec", "builtin", "busybox", "xargs", "timeout", "then", "do", "!"}
)
_PLACE = re.compile(r"[^\s\"'`;|&<>()=,{}]+")
_HOME = re.compile(r"^(?:~[\w-]*|\$HOME|\$\{HOME\}|/root|/home/[^/]+|/Users/[^/]+)(?=/|$)")
_SCHEME = re.compile(r"^\w+://(?:localhost)?(?=/)")
_PROC = re.compile(r"^/+proc/(?:self|\d+)/(?:root|cwd)(?=/|$)")


class Command:
    """A forbidden command, as it is written in the case: a program, and options or words that must all be there."""

    def __init__(self, written: str) -> None:
        self.written = written
        self._words = re.compile(rf"(?<![\w./-])(?:[\w.-]*/)*{_spaced(written)}(?![\w-])")
        program, *rest = written.split()
        self._program = program
        self._letters = _letters(rest)
        self._others = [word for word in rest if not _is_option(word)]

    def within(self, text: str) -> bool:
        """Whether the text runs it, or holds its very words."""
        if self._words.search(text):
            return True
        return self._program in _unquoted(text) and any(map(self._is, argvs(text)))

    def _is(self, argv: list[str]) -> bool:
        if posixpath.basename(argv[0]) != self._program:
            return False
        others = iter(word for word in argv[1:] if not _is_option(word))
        return self._letters <= _letters(argv[1:]) and all(word in others for word in self._others)


def argvs(text: str, depth: int = 0) -> Iterator[list[str]]:
    """The commands that a text runs, one after the other and within each other, as words."""
    for part in _ENDS.split(_GAP.sub(" ", text[:LONGEST])):
        words = _split(part)
        if depth < DEEPEST:
            for word in words:
                if any(sign in word for sign in " ;|&\n") and word != part.strip():
                    yield from argvs(word, depth + 1)
        while words and (_SET.match(words[0]) or posixpath.basename(words[0]) in _RUNNERS or (_is_option(words[0]) and len(words) > 1)):
            words = words[1:]
        if words:
            yield words


def _split(part: str) -> list[str]:
    try:
        return shlex.split(part)
    except ValueError:  # quotes that are not closed here, because the command went on
        return [word.strip("\"'") for word in part.split()]


def _spaced(words: str) -> str:
    return r"\s+".join(map(re.escape, words.split()))


def _unquoted(text: str) -> str:
    return text.replace("\\", "").replace('"', "").replace("'", "")


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-"


def _letters(words: list[str]) -> set[str]:
    """The options: single letters one by one, long ones by their first letter (--recursive is -r)."""
    return {letter for word in words if _is_option(word) for letter in (word[2:3] if word.startswith("--") else word[1:])}


class Place:
    """A forbidden file or folder, with everything below it."""

    def __init__(self, written: str) -> None:
        self.written = written
        self._steps = _steps(written)
        self._whole = posixpath.isabs(written) or _HOME.match(written) is not None

    def holds(self, path: str) -> bool:
        """Whether a path leads to the place or below it. A relative place is meant wherever the world stands."""
        bare = _SCHEME.sub("", path)
        return any(self._holds(spelling) for spelling in {bare, unquote(bare), bare.replace("\\", "/"), unquote(unquote(bare))})

    def _holds(self, path: str) -> bool:
        steps = _steps(path)
        if not steps:
            return False
        up = next((place for place, step in enumerate(steps) if step != ".."), len(steps))
        if self._whole:
            return (posixpath.isabs(path) or up > 0 or steps[0] == "~") and _leads(steps[up:], self._steps)
        starts = range(len(steps)) if posixpath.isabs(path) or up or steps[0] == "~" else (0,)
        return any(_leads(steps[start:], self._steps) for start in starts)


def _steps(path: str) -> list[str]:
    plain = _HOME.sub("~", _PROC.sub("", posixpath.normpath(path)) or "/")
    return [step for step in posixpath.normpath(plain).split("/") if step not in ("", ".")]


def _leads(steps: list[str], to: list[str]) -> bool:
    """Whether the way begins with these steps; a pattern of the shell stands for what it fits."""
    return len(steps) >= len(to) and all(
        step == wanted or (any(sign in step for sign in "*?[") and step.strip("*?") != "" and fnmatchcase(wanted, step))
        for step, wanted in zip(steps, to, strict=False)
    )


def places(text: str) -> Iterator[str]:
    """Everything in a text that could be a path: the whole, and its parts."""
    if len(text) < 4096:
        yield text.strip()
    yield from _PLACE.findall(text)
