"""Whether a sandbox can be built here, and why not, for tests that need one."""

import shutil
import subprocess
import sys
from functools import cache

import pytest


@cache
def missing() -> str:
    """Nothing where bubblewrap works; else the reason to skip."""
    if sys.platform != "linux":
        return "a sandbox needs Linux"
    found = shutil.which("bwrap")
    if found is None:
        return "bubblewrap is not installed: make setup-system"
    words = [found, "--ro-bind", "/", "/", "--unshare-all", "--unshare-user", "--proc", "/proc", "--dev", "/dev", "true"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return f"bubblewrap does not work here: {done.stderr.strip()}" if done.returncode else ""


needs_sandbox = pytest.mark.skipif(bool(missing()), reason=missing() or "it works")
SANDBOX = pytest.param("sandbox", marks=needs_sandbox)
