"""A real model on loopback for the tests that want one: the one at FAIRTRIAL_LOCAL_MODEL, else that of `make local-model`."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
LOADS_WITHIN_S = 90.0


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of a model that answers. Skips the test, loudly, where none can be had."""
    named = os.environ.get("FAIRTRIAL_LOCAL_MODEL")
    if named:
        yield named
        return
    command = [sys.executable, "-m", "tools.local_model", "serve"]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        try:
            yield _address(child)
        finally:
            if child.stdin is not None:
                child.stdin.close()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()


def _address(child: subprocess.Popen[str]) -> str:
    """What the server prints first, once its model is loaded."""
    assert child.stdout is not None
    assert child.stderr is not None
    with selectors.DefaultSelector() as ready:
        ready.register(child.stdout, selectors.EVENT_READ)
        said = child.stdout.readline().strip() if ready.select(LOADS_WITHIN_S) else ""
    if said.startswith("http://127.0.0.1:"):
        return said
    child.kill()
    last = child.stderr.read().strip().splitlines()[-1:] or ["it did not begin to answer in time"]
    pytest.skip(f"needs a real model on loopback (make local-model, or FAIRTRIAL_LOCAL_MODEL=ADDRESS): {last[0]}")
