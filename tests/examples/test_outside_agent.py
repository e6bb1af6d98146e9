"""Programs that are not Python, seated as setups."""

import shutil
from collections.abc import Callable

import pytest

from tests.examples.conftest import Example


def test_a_shell_script_that_prints_one_object_is_an_agent(copied: Callable[[str], Example]) -> None:
    if shutil.which("sh") is None:
        pytest.skip("needs sh on the path")
    report = copied("outside-agent").ask("run", "suite.yaml", "--setup", "once")
    assert report["setups"]["once"]["pass"] == 1


def test_a_node_script_calls_a_tool_and_leaves_a_trace(copied: Callable[[str], Example]) -> None:
    if shutil.which("node") is None:
        pytest.skip("needs node on the path")
    own = copied("outside-agent")
    report = own.ask("run", "suite.yaml", "--setup", "calling")
    assert report["setups"]["calling"]["pass"] == 1
    shown = own.ask("show", "last", "ordinary-week", "1")
    assert shown["output"] == {"demand": 46}
    assert shown["tools_called"] == ["read_sales"]
    assert ("use", "sales") in {(span["kind"], span["name"]) for span in shown["spans"]}


def test_the_suite_finds_nothing_wrong_with_itself(copied: Callable[[str], Example]) -> None:
    told = copied("outside-agent").tell("check", "suite.yaml")
    assert told.code == 0, told.out + told.err
