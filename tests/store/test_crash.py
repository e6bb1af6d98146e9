"""The store is valid after a kill at any moment, and after a tear at any byte: what was reported as stored is there."""

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.store.sql import Store
from tests.store import samples

PROJECT = Path(__file__).resolve().parents[2]


def _whole(path: str) -> None:
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()


def test_a_store_opens_after_kill_nine_at_twenty_random_moments_and_the_run_goes_on(path: str) -> None:
    draw = random.Random(4)
    wanted = samples.manifest(cases=50, attempts=400)
    with Store.open(path) as store:
        store.create_run("r-1", wanted, {})
        store.release("r-1")
    told = 0
    for moment in range(20):
        told = _kill_while_writing(path, told, draw.uniform(0.0, 0.06))
        _whole(path)
        with Store.open(path) as store:
            (line,) = store.runs()
            stored = sum(card is not None and card.verdict is Verdict.PASS for _, card in store.rows("r-1"))
            assert line.status == "interrupted" or not line.not_run
            assert told <= stored == line.passed == len(store.keys_done("r-1")), f"kill {moment}"
            told = stored
    assert told > 100  # the kills came while it wrote


def _kill_while_writing(path: str, told: int, wait: float) -> int:
    """Trials that the writer reported as stored in all, when it was killed `wait` seconds after its first batch."""
    command = [sys.executable, "-m", "tests.store.samples", path, "r-1", "10"]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": "src"}) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == f"ready {told}\n"
        time.sleep(wait)
        writer.send_signal(signal.SIGKILL)
        lines = [line for line in writer.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    return told + sum(int(line.split()[1]) for line in lines)


def test_a_log_torn_at_any_byte_loses_whole_batches_from_its_end_and_nothing_else(tmp_path: Path) -> None:
    source, draw = tmp_path / "source.db", random.Random(5)
    copy = tmp_path / "copy.db"
    keys: list[TrialKey] = []
    with Store.open(source) as store:
        store.create_run("r-1", samples.manifest(cases=20, attempts=5), {})
        keys = store.run("r-1").manifest.trial_keys()
        for first in range(0, len(keys), 10):
            store.write_batch("r-1", [samples.row(key) for key in keys[first : first + 10]])
        log = Path(f"{source}-wal").read_bytes()
        seen = set()
        for _ in range(40):
            shutil.copyfile(source, copy)
            Path(f"{copy}-wal").write_bytes(log[: draw.randrange(len(log))])
            seen.add(_stored(copy, keys))
            for left in ("", "-wal", "-shm"):
                Path(f"{copy}{left}").unlink(missing_ok=True)
    assert len(seen) > 10


def _stored(path: Path, keys: list[TrialKey]) -> int:
    """How many trials a torn store holds; it must be whole batches, in their order, with nothing damaged."""
    with Store.open(path) as store:
        if not store.runs():
            return -1
        done = store.keys_done("r-1")
        assert len(done) % 10 == 0
        assert done == set(keys[: len(done)])
        assert len(list(store.rows("r-1"))) == len(done) == store.runs()[0].passed
        store.claim("r-1")
        assert store.write_batch("r-1", [samples.row(key) for key in keys]).stored == len(keys) - len(done)
    _whole(str(path))
    return len(done)
