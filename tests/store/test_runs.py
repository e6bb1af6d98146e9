"""Runs of a store: made, found by name, listed, held and ended."""

import os
import sys

import pytest

from fairtrial.records.errors import InputError, StoreError
from fairtrial.records.run import CaseInfo, Manifest, Planned
from fairtrial.records.trial import TrialKey
from fairtrial.records.verdict import Verdict
from fairtrial.store.sql import Store
from tests.store import samples


def test_a_run_comes_back_as_its_manifest_was_written(store: Store) -> None:
    wanted = samples.manifest(seed=7, environment={"python": "3.11"}, notes=("缺货 is a note",))
    store.create_run("r-1", wanted, {"case-0": {"id": "case-0", "task": "预测"}})
    run = store.run("r-1")
    assert run.manifest == wanted
    assert (run.id, run.status, run.ended_ns) == ("r-1", "running", None)
    assert run.started_ns > samples.NOW
    assert store.case_raw("r-1") == {"case-0": {"id": "case-0", "task": "预测"}, "case-1": None, "case-2": None, "case-3": None}


def test_an_id_that_is_taken_is_refused_and_nothing_is_changed(store: Store) -> None:
    store.create_run("r-1", samples.manifest(), {})
    with pytest.raises(StoreError, match="already"):
        store.create_run("r-1", samples.manifest(cases=1), {})
    assert len(store.run("r-1").manifest.cases) == 4
    assert len(store.runs()) == 1


def test_the_list_counts_verdicts_and_adds_up_to_what_was_planned(store: Store) -> None:
    store.create_run("r-1", samples.manifest(cases=2, attempts=2), {})
    verdicts = [Verdict.PASS, Verdict.PASS, Verdict.FAIL, Verdict.UNKNOWN, None]
    keys = store.run("r-1").manifest.trial_keys()
    store.write_batch("r-1", [samples.row(key, verdict) for key, verdict in zip(keys, verdicts, strict=False)])
    (line,) = store.runs()
    assert (line.planned, line.passed, line.fail, line.unknown, line.not_run) == (8, 2, 1, 2, 3)
    assert line.planned == line.passed + line.fail + line.unknown + line.not_run


def test_runs_are_listed_newest_first_and_by_suite(store: Store) -> None:
    for name, suite in (("r-1", "shop"), ("r-2", "bill"), ("r-3", "shop")):
        store.create_run(name, samples.manifest(suite=suite), {})
    assert [line.run for line in store.runs()] == ["r-3", "r-2", "r-1"]
    assert [line.run for line in store.runs("shop")] == ["r-3", "r-1"]
    assert [line.run for line in store.runs(limit=1)] == ["r-3"]


def test_a_run_is_found_by_its_id_its_beginning_or_as_the_last_one(store: Store) -> None:
    for name in ("r-17", "r-18", "r-1"):
        store.create_run(name, samples.manifest(), {})
    assert store.resolve("r-1") == "r-1"
    assert store.resolve("r-18") == "r-18"
    assert store.run("last").id == "r-1"
    store.create_run("2026-b", samples.manifest(), {})
    assert store.resolve("20") == "2026-b"


def test_the_last_run_is_none_whose_setups_were_changed_to_ask_about_a_part(store: Store) -> None:
    store.create_run("r-1", samples.manifest(settings={"purpose": "credit"}), {})
    assert store.resolve("last") == "r-1"  # there is no other
    store.create_run("r-2", samples.manifest(), {})
    for name, purpose in (("r-3", "credit"), ("r-4", "use")):
        store.create_run(name, samples.manifest(settings={"purpose": purpose}), {})
    assert store.resolve("last") == "r-2" and store.resolve("r-4") == "r-4"


def test_a_name_that_fits_several_runs_or_none_says_what_there_is(store: Store) -> None:
    with pytest.raises(InputError, match="no run yet"):
        store.resolve("last")
    for name in ("aa-1", "aa-2"):
        store.create_run(name, samples.manifest(), {})
    with pytest.raises(InputError, match="2 runs begin with 'aa'") as several:
        store.resolve("aa")
    assert "aa-1" in str(several.value) and "aa-2" in str(several.value)
    with pytest.raises(InputError, match="no such run") as none:
        store.resolve("ab-1")
    assert "did you mean 'aa-1'" in str(none.value)
    with pytest.raises(InputError):
        store.resolve("")
    with pytest.raises(InputError, match="no such run"):
        store.keys_done("aa")


def test_percent_and_underscore_in_a_name_are_no_wildcards(store: Store) -> None:
    store.create_run("r-1", samples.manifest(), {})
    for name in ("%", "r_1", "r-%", "' OR 1=1 --"):
        with pytest.raises(InputError, match="no such run"):
            store.resolve(name)


def test_a_run_that_a_living_process_holds_is_not_given_to_another(store: Store, path: str) -> None:
    store.create_run("r-1", samples.manifest(), {})
    store.claim("r-1")
    reader, writer = os.pipe()
    child = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "tests.store.samples", path, "r-1", "5"],
        {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        file_actions=[(os.POSIX_SPAWN_DUP2, writer, 2), (os.POSIX_SPAWN_CLOSE, reader)],
    )
    os.close(writer)
    with os.fdopen(reader) as errors:
        said = errors.read()
    assert os.waitpid(child, 0)[1] != 0
    assert f"being executed by process {os.getpid()}" in said
    store.release("r-1")
    store.claim("r-1")


def test_a_run_whose_process_is_gone_is_shown_as_interrupted_and_can_be_taken_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from fairtrial.store import catalogue, holder

    me = holder.myself()
    gone = holder.Holder(me.host, me.boot, me.space, 2**22 + 1, "12345")
    monkeypatch.setattr(catalogue, "myself", lambda: gone)
    store.create_run("r-1", samples.manifest(), {})
    monkeypatch.undo()
    assert store.runs()[0].status == "interrupted"
    assert store.run("r-1").status == "interrupted"
    store.claim("r-1")
    assert store.run("r-1").status == "running"
    store.finish_run("r-1", "complete")
    run = store.run("r-1")
    assert run.status == "complete" and run.ended_ns is not None and run.ended_ns >= run.started_ns


def test_a_run_cannot_end_in_a_way_that_does_not_exist(store: Store) -> None:
    store.create_run("r-1", samples.manifest(), {})
    with pytest.raises(StoreError, match="cannot end so"):
        store.finish_run("r-1", "fine")


def test_hostile_ids_of_cases_and_setups_stay_apart(store: Store) -> None:
    names = ("a/../b", "A", "a", "\u00e9", "e\u0301", "x'; DROP TABLE runs; --", "half \ud835 here", "表", "")
    infos = tuple(CaseInfo(id=name, hash="h", brief_hash="b") for name in names)
    plans = tuple(Planned(name, "single", 1) for name in names)
    store.create_run("r-1", _planned(infos, plans), {})
    keys = [TrialKey(name, "single", 1) for name in names]
    written = store.write_batch("r-1", [samples.row(key) for key in keys])
    assert written == (len(names), [])
    assert len(store.keys_done("r-1")) == len(names)
    assert [head.key.case for head, _ in store.rows("r-1")] == [name.replace("\ud835", "�") for name in names]


def _planned(infos: tuple[CaseInfo, ...], plans: tuple[Planned, ...]) -> Manifest:
    return Manifest(harness="test", grader="g1", suite="shop", suite_version="v", setups={"single": {}}, cases=infos, planned=plans)
