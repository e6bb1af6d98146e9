"""The guide's simulated user and the guide's talking agent, together: they come to an end, and to what the case wants."""

import re
from pathlib import Path

import pytest

import fairtrial as ft

DOCS = Path(__file__).resolve().parents[2] / "docs"
TOOLS = '''
from fairtrial import tool

@tool
def book_return(order: str, world: dict) -> str:
    """Book a return."""
    world["returns"].append(order)
    return "booked"
'''


def shown(page: str, heading: str, what: str) -> str:
    section = (DOCS / page).read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = re.search(rf"^```{what}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("level", ["fork", "shared"])
def test_the_guides_user_and_the_guides_agent_come_to_their_end(level: str, tmp_path: Path) -> None:
    files = {
        "case.yaml": shown("writing-cases.md", "Simulated users", "yaml case"),
        "agents.py": shown("writing-agents.md", "An agent that talks", "python"),
        "tools.py": TOOLS,
        "suite.yaml": 'name: desk\ncases: case.yaml\ntools: tools.py\nsetups: {one: {agent: "agents:assistant"}}\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    report = ft.run(str(tmp_path), isolate=level)
    users = report.setups["one"].users
    assert users is not None and (users.ends, users.turns_max) == ({"user_ended": 1}, 4)
    assert report.setups["one"].passed == 1
