"""What `fairtrial demo` needs goes into the wheel, and nothing of it lies twice in the project."""

import tomllib
from typing import Any

from tests.examples.conftest import EXAMPLES, PROJECT


def wheel() -> dict[str, Any]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    return found


def test_the_wheel_carries_every_file_of_the_demo() -> None:
    carried = {path for path in wheel()["only-include"] if path.startswith("examples/")}
    assert carried == {f"examples/stockout/{name}" for name in ("suite.yaml", "cases.jsonl", "agents.py", "tools.py")}
    assert all((PROJECT / path).is_file() for path in carried)
    assert wheel()["sources"]["examples/stockout"] == "fairtrial/demo"


def test_the_demo_suite_names_only_files_that_go_along() -> None:
    suite = (EXAMPLES / "stockout" / "suite.yaml").read_text(encoding="utf-8")
    assert "cases: cases.jsonl\n" in suite
    assert "tools: tools.py\n" in suite
    assert "teams:" not in suite


def test_there_is_no_second_copy_of_the_demo() -> None:
    assert not (PROJECT / "src" / "fairtrial" / "demo").exists()
