"""The commands of the guide to reviews, one after the other, with the labels filled in by two people in between."""

import re
from pathlib import Path

from tests.steps.project import fairtrial, make_project

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reviewing.md"


def filled(file: Path, label: str) -> None:
    """As a person would in a spreadsheet: a word in the column `label`."""
    text = file.read_text(encoding="utf-8")
    name = f"human:{file.stem}"
    assert f"{name},," in text
    file.write_text(text.replace(f"{name},,", f"{name},{label},"), encoding="utf-8")


def test_the_commands_of_the_guide_lead_from_a_run_to_its_human_score(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "suite", cases=3)
    found = re.search(r"^```console\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    pages = []
    for line in found[1].splitlines():
        if "import" in line:
            filled(folder / "ann.csv", "PASS")
            filled(folder / "ben.csv", "PASS")
        said = fairtrial(*line.removeprefix("$ fairtrial ").split(), folder=folder)
        assert said.returncode == 0, f"{line}: {said.stderr}"
        pages.append(" ".join(said.stdout.split()))
    assert "6 labels kept" in pages[4]
    assert "3 items queued: 0 open, 0 to settle, 3 settled" in pages[5]
    assert "What people say" in pages[6] and "every trial" in pages[6]
