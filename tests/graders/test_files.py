"""What checks see of a world of files."""

import sys
from typing import Any

import pytest

from fairtrial.records.trial import Change, Trial
from tests.graders.making import FAIL, PASS, UNKNOWN, grade_of, make_trial, verdict_of

START = {"config.yaml": "a\nb\nc\n", "src/app.py": "one\n", "run.sh": {"text": "#!/bin/sh\necho ok\n", "executable": True}}


def ended(**after: Any) -> Trial:
    """A trial that left the files `after`, by path with __ for a slash and _ for a dot; None for one that it took away."""
    named = {path.replace("__", "/").replace("_", "."): value for path, value in after.items()}
    end = {path: value for path, value in (START | named).items() if value is not None}
    kinds = {path: "added" if path not in START else "removed" if path not in end else "changed" for path in named}
    trial = make_trial({}, before=START, after=end, changes=[Change(path, kind) for path, kind in kinds.items()])
    trial.body.kind = "files"
    return trial


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        ({"allow": ["src"]}, PASS),
        ({"allow": ["src/*.py"]}, PASS),
        ({"allow": ["src/app.py"]}, PASS),
        ({"allow": ["src/app"]}, FAIL),
        ({"forbid": ["src/app.py"]}, FAIL),
        ({"forbid": ["config.yaml", "src/other.py"]}, PASS),
        ({"none": True}, FAIL),
    ],
)
def test_changes_are_taken_by_folder_and_name(check: dict[str, Any], verdict: str) -> None:
    assert verdict_of({"changes": check}, ended(src__app_py="two\n")) == verdict


def test_a_name_is_not_a_prefix_of_another() -> None:
    assert verdict_of({"changes": {"forbid": ["config"]}}, ended(config_yaml="a\n")) == PASS
    assert verdict_of({"changes": {"forbid": ["*.yaml"]}}, ended(config_yaml="a\n")) == FAIL


@pytest.mark.parametrize(
    ("text", "lines"), [("new\na\nb\nc\n", 1), ("a\nB\nc\n", 1), ("a\nc\n", 1), (None, 3), ("x\ny\nz\nw\n", 4), ("a\nb\nc", 0)]
)
def test_lines_that_only_moved_are_not_changed(text: str | None, lines: int) -> None:
    trial = ended(config_yaml=text)
    assert verdict_of({"changes": {"max_lines": lines}}, trial) == PASS
    if lines:
        assert verdict_of({"changes": {"max_lines": lines - 1}}, trial) == FAIL


def test_one_value_asked_for_and_the_whole_file_rebuilt_is_too_much() -> None:
    assert grade_of({"changes": {"max_files": 1}}, ended(config_yaml="x", src__app_py="y")).kind == "over_execution"


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_command_runs_in_a_copy_of_the_end_files() -> None:
    code = "import os,subprocess; assert open('src/app.py').read() == 'two\\n'; assert os.listdir() and not os.path.exists('state.json');"
    code += "assert open('raw','rb').read() == b'\\0'; assert os.readlink('now') == 'raw'; assert not os.path.lexists('out');"
    code += "print(subprocess.check_output(['./run.sh'], text=True))"
    trial = ended(src__app_py="two\n", raw={"base64": "AA=="}, now={"link": "raw"}, out={"link": "/etc"}, pipe={"special": "p"})
    assert verdict_of({"command": python(code), "stdout": {"contains": "ok"}}, trial) == PASS


@pytest.mark.parametrize("files", [{"big": {"sha256": "00", "bytes": 9}}, {"x__..__..__y": "1"}, {"d": {"link": "src"}, "d__f": "1"}])
def test_a_world_that_cannot_be_set_up_again_is_unknown(files: dict[str, Any]) -> None:
    trial = ended()
    trial.body.after = START | {path.replace("__", "/"): value for path, value in files.items()}
    assert verdict_of({"command": python("pass")}, trial) == UNKNOWN
