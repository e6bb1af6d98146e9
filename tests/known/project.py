"""A suite in a folder, for inputs that are known to have gone wrong elsewhere: agents and tools as text, cases as objects."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fairtrial as ft
from fairtrial.records.report import RunReport
from fairtrial.records.strictjson import encode
from fairtrial.records.trial import Trial, TrialKey
from fairtrial.steps.reading import open_store

LOADS = "from tests.known.project import load"


def write(folder: Path, files: dict[str, str], cases: list[dict[str, Any]], **suite: Any) -> Path:
    """`files` are modules by name; they may import from the project. `show` are folders that they read. Returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    project = Path(__file__).resolve().parents[2]
    for name, text in files.items():
        (folder / f"{name}.py").write_text(f"import sys\nsys.path.insert(0, {str(project)!r})\n{text}", encoding="utf-8")
    (folder / "cases.jsonl").write_bytes(b"".join(encode(case) + b"\n" for case in cases))
    shown = [str(project / "tests"), *map(str, suite.pop("show", ()))]
    content = {
        "name": "known",
        "sandbox": {"show": shown},
        "cases": "cases.jsonl",
        **({"tools": "tools.py"} if "tools" in files else {}),
        **suite,
    }
    (folder / "suite.json").write_bytes(encode(content))
    return folder


def run(folder: Path, **options: Any) -> tuple[RunReport, Callable[[str, str, int], Trial]]:
    """The report, and what gives one stored trial by case, setup and attempt."""
    report = ft.run(folder, **options)

    def trial(case: str, setup: str, attempt: int = 1) -> Trial:
        with open_store(str(folder), None, create=False) as store:
            return store.trial(report.run, TrialKey(case, setup, attempt))

    return report, trial


def load(file: str) -> Any:
    """A Python file as a module, read where it is."""
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
