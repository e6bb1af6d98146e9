"""The walls of `--isolate sandbox`: what bubblewrap is told to show a trial, and the check that it can build it here.

Nothing is shown but what is listed: the system's programs (read-only), a few harmless files of /etc, the interpreter, the
suite's folder without its answers, and what the suite's `sandbox.show` names. /tmp, with the trial's home in it, is memory of
the trial's own. There is no network but a loopback of its own, no process of others, no device, no right, and no variable of
the caller's environment but those the suite's `env` names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import InputError, placed
from fairtrial.trials.limits import MB, Limits
from fairtrial.trials.reap import LINUX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fairtrial.trials.order import StageSpec

HOME = "/tmp/trial"  # noqa: S108 - a path in a /tmp that is the trial's own
PLACE = "/tmp/stage"  # noqa: S108 - the same
RESULT = "/run/result"
_PROGRAMS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_HARMLESS = (
    *("alternatives", "ca-certificates", "ca-certificates.conf", "fonts", "host.conf", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"),
    *("locale.alias", "localtime", "magic", "mime.types", "nsswitch.conf", "openssl.cnf", "protocols", "services", "ssl/certs"),
    *("ssl/openssl.cnf", "terminfo", "timezone"),
)
"""What programs read in /etc and what tells nothing of this machine's people."""
_USER = 1000
_OWN = {
    "passwd": f"trial:x:{_USER}:{_USER}::{HOME}:/bin/sh\n",
    "group": f"trial:x:{_USER}:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
}
_WANTED = "it takes bubblewrap 0.8 or newer, on a machine or in a container that allows user namespaces"
_INSTEAD = "use --isolate process, which keeps trials apart but walls nothing off"


class Sandbox:
    """The walls for one run. Raises InputError where they cannot be built, or a setup cannot work behind them."""

    def __init__(self, spec: StageSpec, root: str) -> None:
        confinement = spec.confinement
        self.limits = Limits(confinement.memory_mb, confinement.processes, wrapping=2)
        self._bwrap = _bubblewrap()
        self._furniture = _furnish(Path(root, f"walls-{os.getpid()}"))
        self._python = _outermost([sys.prefix, sys.base_prefix, *_packages()])
        self._shown = _outermost([spec.folder, *_named(spec)])
        with placed(spec.places.get("sandbox")):
            for path in self._shown:
                _refuse_too_much(path)
        self._answers = [Path(os.path.realpath(path)) for path in confinement.hidden]
        self._folders = [os.path.realpath(folder) for folder in (spec.folder, *_packages())]
        self._walls = list(self._build())
        self.environment = self._environment(spec.env)
        for name, setup in spec.setups.items():
            with placed(spec.places.get(f"setups.{name}")):
                self._refuse_out_of_reach(name, setup.agent)
        for model in spec.models:
            with placed(spec.places.get(model)):
                _refuse_outside(model)
        self._try()

    def wrap(self, program: Sequence[str], writable: tuple[str, str], start: str = "/tmp") -> list[str]:  # noqa: S108 - its own
        """The command that runs a program behind the walls, from the folder `start` there.

        `writable` is the one path of the host's that it may write to, and where that is behind the walls.
        """
        # What is to be hidden is looked for each time: a grader's compiled code may have come meanwhile.
        return [*self._walls, *self._hide(), "--bind", *writable, "--remount-ro", "/", "--chdir", start, "--", *program]

    def _build(self) -> Iterator[str]:
        yield from (self._bwrap, "--unshare-all", "--unshare-user", "--uid", str(_USER), "--gid", str(_USER), "--hostname", "trial")
        yield from ("--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
        for path in _PROGRAMS:
            if os.path.islink(path):
                yield from ("--symlink", os.readlink(path), path)
            elif os.path.isdir(path):
                yield from ("--ro-bind", path, path)
        for name in _HARMLESS:
            yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
        for name in _OWN:
            yield from ("--ro-bind", f"{self._furniture}/{name}", f"/etc/{name}")
        yield from ("--proc", "/proc", "--dev", "/dev", *self._memory("/dev/shm"), "--remount-ro", "/dev")  # noqa: S108 - its own
        yield from (*self._memory("/tmp"), "--symlink", "/tmp", "/var/tmp")  # noqa: S108 - the same
        yield from _read_only([*self._python, *self._shown])

    def _memory(self, path: str) -> tuple[str, ...]:
        return ("--size", str(self.limits.memory_mb * MB), "--tmpfs", path)

    def _hide(self) -> Iterator[str]:
        """Cover what lies below a shown folder and is not to be read."""
        compiled = [
            str(found) for path in self._answers for found in path.parent.glob(f"__pycache__/{path.stem}.*") if path.suffix == ".py"
        ]
        dotted = [path for folder in self._folders for path in self._dotted(folder)]
        hidden = dict.fromkeys([*map(str, self._answers), *compiled, *dotted])
        for shown in [*self._python, *self._shown]:
            real = os.path.realpath(shown)
            for path in hidden:
                if path != real and _is_below(path, real) and os.path.exists(path):
                    cover = "nothing" if os.path.isdir(path) else "empty"
                    yield from ("--ro-bind", f"{self._furniture}/{cover}", os.path.join(shown, os.path.relpath(path, real)))

    def _dotted(self, folder: str) -> list[str]:
        """What has a dot before its name: settings with secrets, a repository's history with the answers, the store of runs."""
        found = [entry.path for entry in os.scandir(folder) if entry.name.startswith(".") and not entry.is_symlink()]
        return [path for path in found if not any(_is_below(os.path.realpath(needed), path) for needed in self._python)]

    def _visible(self, path: str) -> bool:
        system = (name for name in _PROGRAMS if os.path.isdir(name))
        return any(_is_below(path, root) for root in [*system, *self._python, *self._shown])

    def _environment(self, names: Iterable[str]) -> dict[str, str]:
        own = [os.path.join(sys.prefix, "bin"), *os.environ.get("PATH", os.defpath).split(os.pathsep)]
        given = {name: os.environ[name] for name in names if name in os.environ}
        paths = [*_packages(), *given.get("PYTHONPATH", "").split(os.pathsep)]
        return {
            "PATH": os.pathsep.join(dict.fromkeys(path for path in own if os.path.isabs(path) and self._visible(path))),
            "LANG": "C.UTF-8",
            "PYTHONUTF8": "1",
            "OPENBLAS_NUM_THREADS": "1",
            **given,
            "PYTHONPATH": os.pathsep.join(path for path in paths if path),
            "HOME": HOME,
            "TMPDIR": HOME,
        }

    def _refuse_out_of_reach(self, name: str, agent: object) -> None:
        if not isinstance(agent, dict):
            return
        if "http" in agent:
            what = f"setup {name!r} is reached over HTTP, and a sandboxed trial has no network"
            raise InputError(what, value=agent["http"], mend="use --isolate process, or seat the agent as a command")
        program = str((agent.get("command") or [""])[0])
        if "/" not in program and shutil.which(program) and not shutil.which(program, path=self.environment["PATH"]):
            what = f"setup {name!r}: the command {program!r} lies where a sandboxed trial cannot look"
            raise InputError(what, value=shutil.which(program), mend="add its folder to the suite: sandbox: {show: [FOLDER]}")

    def _try(self) -> None:
        """Build the walls once around nothing. Raises InputError with bubblewrap's own words."""
        probe = f"{self._furniture}/probe"
        Path(probe).touch()
        words = self.wrap([sys.executable, "-I", "-S", "-c", ""], (probe, RESULT))
        done = subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip() or f"it ended with {done.returncode}"
            what = f"bubblewrap cannot build a sandbox here: {said}"
            raise InputError(what, value=self._bwrap, mend=f"{_WANTED}; or {_INSTEAD}")


def _bubblewrap() -> str:
    found = shutil.which("bwrap")
    if LINUX and found is not None:
        return found
    what = "--isolate sandbox needs bubblewrap (the command bwrap), which is not on the PATH"
    mend = f"install it (`make setup-system`, or `apt-get install bubblewrap`); or {_INSTEAD}"
    raise InputError(what, mend=mend) if LINUX else InputError("--isolate sandbox needs Linux and bubblewrap", mend=_INSTEAD)


def _furnish(folder: Path) -> str:
    """Files of our own that stand in for the host's: an empty one, an empty folder, and who the trial is."""
    (folder / "nothing").mkdir(parents=True, mode=0o755)
    (folder / "empty").touch(0o644)
    for name, text in _OWN.items():
        (folder / name).write_bytes(text.encode("ascii"))
    return str(folder)


def _packages() -> list[str]:
    """Folders from which modules come and where the interpreter would not look by itself: wherever the harness and what it stands on
    lie, and what is installed beside. Nothing else that the caller's PYTHONPATH adds, nor the folder that it happens to work in."""
    ours = [str(Path(__file__).resolve().parents[2]), os.path.dirname(os.path.dirname(os.path.abspath(msgspec.__file__)))]
    named = {os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path}
    places = [os.path.abspath(path) for path in sys.path[1:] if os.path.isdir(path)]
    by_itself = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    found = dict.fromkeys([*ours, *(path for path in places if path not in named)])
    return [path for path in found if not any(_is_below(path, own) for own in by_itself)]


def _named(spec: StageSpec) -> Iterator[str]:
    """What the suite needs beside its folder: its world's source and what it asks to be shown."""
    for path in (spec.world.source, spec.world.seed, *spec.confinement.shown):
        if path is not None:
            yield os.path.abspath(os.path.join(spec.folder, path))


def _refuse_outside(model: str) -> None:
    """A simulated user speaks from within the trial, so its model must be there too: a callable of the suite's own, or a script."""
    if model and not model.startswith("python:"):
        what = "a simulated user is played by a model outside, and a sandboxed trial has no network"
        raise InputError(what, value=model, mend="give the user a script, or a model of the suite's own (python:module:function)")


def _refuse_too_much(path: str) -> None:
    homes = [os.path.realpath(os.path.expanduser("~")), "/root", "/home"]
    if any(_is_below(home, os.path.realpath(path)) for home in homes):
        what = "a sandboxed trial would see a home folder: it lies in what the suite shows"
        raise InputError(what, value=path, mend="move the suite into a folder of its own, or show less")


def _outermost(paths: Iterable[str]) -> list[str]:
    """The paths without those that lie below another one, or in the system's own folders."""
    found = sorted({os.path.abspath(path) for path in paths if os.path.exists(path)})
    outer = [path for path in found if not any(_is_below(path, other) for other in found if other != path)]
    return [path for path in outer if not any(_is_below(path, system) for system in _PROGRAMS)]


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _read_only(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        yield from ("--ro-bind", path, path)
