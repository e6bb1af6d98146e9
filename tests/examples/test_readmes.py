"""The commands of the examples' READMEs, typed in their order. Each must do its work."""

import re
import shutil
from collections.abc import Callable

import pytest

from tests.examples.conftest import EXAMPLES, NEEDS_LANGGRAPH, Example

TYPED = re.compile(r"^\$ fairtrial (.+)$", re.MULTILINE)


@pytest.mark.timeout(300)  # the longest types nine commands, and each imports its framework anew
@pytest.mark.parametrize("name", sorted(path.parent.name for path in EXAMPLES.glob("*/README.md")))
def test_every_command_of_a_readme_works(copied: Callable[[str], Example], name: str) -> None:
    if name == "outside-agent" and shutil.which("node") is None:
        pytest.skip("needs node on the path")
    if name == "returns":
        pytest.importorskip("langgraph", reason=NEEDS_LANGGRAPH)
    example = copied(name)
    commands = TYPED.findall((example.folder / "README.md").read_text(encoding="utf-8"))
    assert commands
    for command in commands:
        told = example.tell(*command.split())
        assert told.code == 0, f"{command}: exit {told.code}\n{told.out}\n{told.err}"
        assert told.out.strip()
