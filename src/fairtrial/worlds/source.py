"""Where a world of files comes from: a folder, or a git repository at a commit, copied once and checked at the door.

The user's own folder is only ever read. Refused is what would let a trial reach it, or the answers: a link that leads out of
the world, and a folder that holds the suite itself.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from fairtrial.records.errors import InputError, nearest
from fairtrial.worlds.clearing import clear_away

SUITES = ("suite.yaml", "suite.yml", "suite.json")


AT_HAND = ""
"""In place of a commit: the folder is a template that was made before, and is taken as it is. No suite can say this."""


def make_template(source: Path, commit: str | None, suite: Path, template: Path) -> None:
    """Fill `template`, which must not exist yet. Raises InputError for what cannot be had or must not be used."""
    real = source.resolve()
    if commit == AT_HAND:
        copy_tree(real, template)
        return
    if commit is None:
        _copy(_folder(real, template, suite), template)
    elif real.is_file():
        _check_out_bundle(real, commit, template)
    else:
        _check_out(_folder(real, None, suite), commit, template)
        _refuse_suite(real, suite.resolve(), template)
    _refuse_ways_out(template)
    if commit is not None:
        _found(template)


def _folder(source: Path, template: Path | None, suite: Path) -> Path:
    """The source, if it can be one; with `template`, if it can be copied whole."""
    if not source.is_dir():
        mend = "name a folder, or a git repository (or a bundle of one) together with `commit`"
        raise InputError("world.from is no folder", value=str(source), mend=mend)
    if template is not None and template.resolve().is_relative_to(source):
        raise InputError("the world would hold the folder of its own trials", value=str(source), mend="name a folder of its own")
    if template is not None and suite.resolve().is_relative_to(source):
        raise InputError("the world would hold the suite, answers included", value=str(source), mend="give it a folder of its own")
    return source


def copy_tree(source: Path, target: Path) -> None:
    """Copy a folder with its links as links. Nothing is shared with the source: a hard link would be one file under two names.

    A pipe is made anew; a socket and a device stay out, for they are nobody's content.
    """
    shutil.copytree(source, target, symlinks=True, copy_function=_copy_one)


def _copy_one(source: str, target: str) -> str:
    kind = os.lstat(source).st_mode
    if stat.S_ISFIFO(kind):
        os.mkfifo(target)
    elif stat.S_ISREG(kind) or stat.S_ISLNK(kind):
        shutil.copy2(source, target, follow_symlinks=False)
    return target


def _copy(source: Path, template: Path) -> None:
    try:
        shutil.copytree(source, template, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    except (OSError, shutil.Error) as error:
        raise InputError(f"the world's files cannot be copied: {error}", value=str(source)) from None


def _refuse_suite(source: Path, suite: Path, template: Path) -> None:
    if not suite.is_relative_to(source):
        return
    within = template / suite.relative_to(source)
    if any((within / name).exists() for name in SUITES):
        raise InputError("the world would hold the suite, answers included", value=str(source), mend="keep the suite out of that commit")


def _refuse_ways_out(template: Path) -> None:
    top = os.path.realpath(template)
    for here, folders, files in os.walk(template):
        for name in [*folders, *files]:
            path = os.path.join(here, name)
            if not os.path.islink(path):
                continue
            target = os.readlink(path)
            if os.path.isabs(target) or not Path(os.path.realpath(path)).is_relative_to(top):
                shown = os.path.relpath(path, template)
                raise InputError(f"the link {shown!r} leads out of the world", value=target, mend="put a copy of what it leads to there")


def _check_out_bundle(bundle: Path, commit: str, template: Path) -> None:
    """The tree of a commit in a bundle: one file that holds a whole repository."""
    repository = template.with_name(f"{template.name}.git")
    try:
        _git("clone", str(bundle), str(repository), "--bare", "--quiet", what="world.from is neither a folder nor a git bundle")
        _check_out(repository, commit, template)
    finally:
        clear_away(repository)


def _check_out(source: Path, commit: str, template: Path) -> None:
    """The tree of a commit, by way of an index of our own: the repository itself is only read."""
    if commit.startswith("-"):
        raise InputError("world.commit is no commit", value=commit, mend="name a tag, a branch or a commit")
    at = ["-C", str(source)]
    try:
        prefix = _git(*at, "rev-parse", "--show-prefix").strip()
    except InputError as error:
        error.value, error.allowed = str(source), "a git repository, or a bundle of one"
        error.mend = error.mend or "name a repository, or leave `commit` out: the folder is then taken as it is"
        raise
    repository = _git(*at, "rev-parse", "--absolute-git-dir").strip()
    named = _named(at, source, commit)
    template.mkdir()
    index = template.with_name(f"{template.name}.index")
    own = ["-C", str(template), f"--git-dir={repository}", f"--work-tree={template}"]
    try:
        _git(*own, "read-tree", f"{named}:{prefix}" if prefix else named, more={"GIT_INDEX_FILE": str(index)})
        _git(*own, "checkout-index", "--all", more={"GIT_INDEX_FILE": str(index)})
    finally:
        index.unlink(missing_ok=True)


def _named(at: list[str], source: Path, commit: str) -> str:
    """The full name of a commit. Raises InputError with the tags and branches that there are."""
    try:
        return _git(*at, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").strip()
    except InputError:
        names = _git(*at, "for-each-ref", "--format=%(refname:short)", "refs/tags", "refs/heads").split()
        near = nearest(commit, names)
        mend = f"did you mean {near!r}?" if near else "name a tag, a branch or a commit of that repository"
        what = f"the commit {commit!r} is not in the repository {source}"
        allowed = ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
        raise InputError(what, value=commit, allowed=allowed or None, mend=mend) from None


_MOST_NAMES = 20


def _found(template: Path) -> None:
    """A repository of the trials' own, whose one commit holds the files: `git diff` shows what a trial did, and nothing can be
    read in it of what came before or after. No hook, no template and no setting of the user's own comes into it."""
    _own_git(template, "init", "-q", "--template=", "--initial-branch=main")
    for name, value in _SETTINGS.items():
        _own_git(template, "config", name, value)
    _commit(template, "commit")


def commit_all(folder: Path) -> None:
    """Bring the one commit up to the files as they are; nothing, where the world is no repository. Raises InputError."""
    if (folder / ".git").is_dir():
        _commit(folder, "commit", "--amend")


def _commit(folder: Path, *words: str) -> None:
    _own_git(folder, "add", "--all", "--force")
    _own_git(folder, *words, "-q", "--allow-empty", "--no-verify", "--message=start")


def _own_git(folder: Path, *words: str) -> None:
    apart = {"GIT_DIR": str(folder / ".git"), "GIT_WORK_TREE": str(folder), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    dates = {"GIT_AUTHOR_DATE": _DATE, "GIT_COMMITTER_DATE": _DATE}
    _git("-C", str(folder), *words, more=apart | dates, what="the trials' own repository cannot be made")


_SETTINGS = {
    "user.name": "start",
    "user.email": "start@localhost",
    "core.hooksPath": "/dev/null",
    "core.autocrlf": "false",
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
}
_DATE = "2000-01-01T00:00:00Z"
"""The same commit for everybody."""


def _git(*words: str, more: dict[str, str] | None = None, what: str = "git cannot read the world's repository") -> str:
    import subprocess

    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {"LC_ALL": "C"} | (more or {})
    plain = ("-c", "core.autocrlf=false", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
    try:
        done = subprocess.run(["git", *plain, *words], capture_output=True, env=environment, check=False)
    except OSError as error:
        raise InputError(f"git cannot be run: {error}", mend="install git, or give the folder without `commit`") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise InputError(f"{what}{': ' + said[-1] if said else ''}", value=words[1])
    return done.stdout.decode("utf-8", "replace")
