"""Many at once: threads, processes and readers on one store, and no more files open at the end than at the start."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fairtrial.store.sql import Store
from tests.store import samples

PROJECT = Path(__file__).resolve().parents[2]

CROWD = """
import sys
from concurrent.futures import ThreadPoolExecutor
from fairtrial.store.sql import Store
from tests.store import samples

path, run = sys.argv[1:3]
with Store.open(path) as store:
    store.create_run(run, samples.manifest(cases=80, attempts=50), {})
    keys = store.run(run).manifest.trial_keys()

    def write(worker):
        mine = keys[worker * 500 : worker * 500 + 500]
        return sum(store.write_batch(run, [samples.row(key) for key in mine[at : at + 25]]).stored for at in range(0, 500, 25))

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(write, range(16))) == 8000
    store.finish_run(run, "complete")
"""

FEW_FILES = """
import os, resource, sys
from fairtrial.records.trial import TrialKey
from fairtrial.store.sql import Store
from tests.store import samples

resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
count = lambda: len(os.listdir("/proc/self/fd"))
store = Store.open(sys.argv[1])
before = count()
store.create_run("r-1", samples.manifest(cases=100, attempts=5), {})
half_read = []
for key in store.run("r-1").manifest.trial_keys():
    store.write_batch("r-1", [samples.row(key)])
    store.trial("r-1", key)
    rows = store.rows("r-1")
    next(rows)
    half_read = [rows]
half_read.clear()
del rows
assert count() <= before + 2, (before, count())
store.close()
assert not [name for name in os.listdir("/proc/self/fd") if "store.db" in os.path.realpath(f"/proc/self/fd/{name}")]
"""


def _python(script: str, *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", script, *arguments]
    environment = {**os.environ, "PYTHONPATH": f"{PROJECT / 'src'}{os.pathsep}{PROJECT}"}
    return subprocess.Popen(command, cwd=PROJECT, stderr=subprocess.PIPE, text=True, env=environment)


def test_two_processes_of_sixteen_workers_lose_nothing_while_a_reader_lists(path: str) -> None:
    slowest = 0.0
    with Store.open(path) as store, _python(CROWD, path, "r-1") as one, _python(CROWD, path, "r-2") as two:
        while one.poll() is None or two.poll() is None:
            begun = time.perf_counter()
            store.runs()
            slowest = max(slowest, time.perf_counter() - begun)
            time.sleep(0.01)
        assert one.stderr is not None and two.stderr is not None
        assert (one.returncode, two.returncode) == (0, 0), one.stderr.read() + two.stderr.read()
        assert {line.run: (line.passed, line.not_run, line.status) for line in store.runs()} == {
            "r-1": (8000, 0, "complete"),
            "r-2": (8000, 0, "complete"),
        }
        assert len(store.keys_done("r-1")) == len(store.keys_done("r-2")) == 8000
    assert slowest < 1.0


def test_the_same_trials_from_many_threads_are_stored_once(store: Store) -> None:
    store.create_run("r-1", samples.manifest(), {})
    keys = store.run("r-1").manifest.trial_keys()
    with ThreadPoolExecutor(8) as pool:
        written = list(
            pool.map(lambda shift: store.write_batch("r-1", [samples.row(key) for key in keys[shift:] + keys[:shift]]), range(8))
        )
    assert sum(batch.stored for batch in written) == len(keys)
    assert sum(len(batch.refused) for batch in written) == 7 * len(keys)
    assert store.runs()[0].passed == len(keys)


def test_a_thousand_writes_and_readings_leave_no_file_open(path: str) -> None:
    with _python(FEW_FILES, path) as process:
        assert process.stderr is not None
        said = process.stderr.read()
    assert process.returncode == 0, said
