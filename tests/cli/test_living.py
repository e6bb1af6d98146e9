"""The verbs of living cases as they are typed: one document with --json, a page that says what to type next without it."""

import json
from pathlib import Path

from tests.steps.project import fairtrial, make_project


def test_from_a_failure_to_a_case_to_the_libraries(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "suite", cases=3, trials=1)
    assert fairtrial("run", "suite", "--isolate", "shared", "-q", folder=tmp_path).returncode == 0
    store = ("--store", "suite/.fairtrial/store.db")
    made = fairtrial("promote", "last", "case-3", *store, folder=tmp_path)
    assert made.returncode == 0, made.stderr
    assert "suite/promoted/case-3-" in made.stdout
    assert made.stdout.rstrip().endswith("fairtrial retest last case-3 --store suite/.fairtrial/store.db")
    again = fairtrial("promote", "last", "case-3", *store, folder=tmp_path)
    assert (again.returncode, "promoted already" in again.stderr) == (2, True)
    shown = fairtrial("promote", "last", "case-3", "--dry-run", "--into", "x.yaml", "--json", *store, folder=tmp_path)
    assert json.loads(shown.stdout)["draft"]["library"] == "regression"
    assert fairtrial("promote", "last", "case-1", *store, folder=tmp_path).returncode == 2
    told = fairtrial("library", "suite", "--json", folder=tmp_path)
    found = json.loads(told.stdout)
    assert (told.returncode, found["runs"], [one["move"] for one in found["cases"]]) == (0, 1, ["none"] * 3)
    page = fairtrial("library", folder=folder)
    assert "1 of 5 batches in a row above 4.0" in " ".join(page.stdout.split())
    assert "next, run one more batch: fairtrial run ." in page.stdout
    for kind in ("library", "promotion"):
        schema = json.loads(fairtrial("schema", kind).stdout)
        assert schema["$ref"].rpartition("/")[2] in schema["$defs"]
