"""A trial's folder goes away whatever is left in it."""

import os
from pathlib import Path

from fairtrial.trials import home


def test_folders_nested_deeper_than_python_can_follow_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "t1"
    folder.mkdir()
    here = os.getcwd()
    try:
        os.chdir(folder)
        for _ in range(3000):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(here)
    home.move_out(str(folder))
    assert not folder.exists()
