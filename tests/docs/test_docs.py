"""What the guides and the examples' READMEs show works: Python runs, cases and suites load, lines are of the protocol.

A block says what it is in the words after its fence: `yaml case`, `yaml suite`, `yaml setups`, `yaml checks`, `jsonl in`,
`jsonl out`, `python`, `console`. A block that says nothing is a failure, for nobody would then look after it.
"""

import json
import re
import textwrap
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import pytest

from fairtrial.cases.load import load_cases
from fairtrial.cases.policy import read_policy
from fairtrial.cases.prices import read_prices
from fairtrial.cases.rubric import read_rubric
from fairtrial.cases.sources import read_document
from fairtrial.cases.strict import read_form
from fairtrial.cases.suite import load_suite
from fairtrial.cases.suiteforms import CanaryForm, JudgeForm
from fairtrial.cli.verbs import VERBS
from fairtrial.judges.reply import read_reply
from fairtrial.records.bar import read_bar
from fairtrial.records.opinion import Matter
from fairtrial.setups.lines import Answered, act
from fairtrial.steps.examining import examine, read_bar_file
from fairtrial.study.exam import ExamOptions

PROJECT = Path(__file__).resolve().parents[2]
NAMED = (
    "protocol",
    "process",
    "isolation",
    "diagnosis",
    "living-cases",
    "stopping",
    "planning",
    "lift",
    "trend",
    "releasing",
    "comparing",
    "models",
    "judging",
    "groundedness",
    "judged-rates",
    "exam",
    "reviewing",
    "graders-on-trial",
)
OWN = [PROJECT / "docs" / f"{name}.md" for name in NAMED]
PAGES = sorted([*(PROJECT / "docs").glob("writing-*.md"), *OWN, *(PROJECT / "examples").glob("*/README.md")])
FENCE = re.compile(r"^```(?P<what>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """One fenced block: where it stands, what it says it is, and its text."""

    place: str
    what: str
    text: str


def blocks(*wanted: str) -> list[Any]:
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            line = text.count("\n", 0, match.start()) + 2
            block = Block(f"{page.relative_to(PROJECT)}:{line}", match["what"].strip(), match["text"])
            if not wanted or block.what in wanted:
                found.append(pytest.param(block, id=block.place))
    return found


KNOWN = {
    "python",
    "console",
    "yaml case",
    "yaml suite",
    "yaml setups",
    "yaml checks",
    "yaml policy",
    "yaml prices",
    "yaml rubric",
    "yaml judges",
    "yaml canaries",
    "json reply",
    "yaml ci",
    "jsonl in",
    "jsonl out",
    "jsonl ratings",
    "yaml bar",
}


def test_every_block_says_what_it_is() -> None:
    strays = [param.values[0].place for param in blocks() if param.values[0].what not in KNOWN]
    assert not strays


@pytest.mark.parametrize("block", blocks("python"))
def test_python_blocks_run(block: Block) -> None:
    exec(compile(block.text, block.place, "exec", dont_inherit=True), {"__name__": "shown"})  # noqa: S102 - our own pages


@pytest.mark.parametrize("block", blocks("yaml case"))
def test_cases_load(block: Block, tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text(block.text, encoding="utf-8")
    (case,) = load_cases("case.yaml", tmp_path)
    assert case.key.must and case.key.must_not


@pytest.mark.parametrize("block", blocks("yaml checks"))
def test_checks_load(block: Block, tmp_path: Path) -> None:
    text = "task: Judge demand.\nmust:\n" + textwrap.indent(block.text, "  ")
    (tmp_path / "case.yaml").write_text(text, encoding="utf-8")
    (case,) = load_cases("case.yaml", tmp_path)
    assert len(case.key.must) == len(re.findall(r"^- ", block.text, re.MULTILINE))


@pytest.mark.parametrize("block", blocks("yaml suite", "yaml setups"))
def test_suites_load(block: Block, tmp_path: Path) -> None:
    whole = block.what == "yaml suite"
    text = block.text if whole else "name: shown\ncases: cases.jsonl\nsetups:\n" + textwrap.indent(block.text, "  ")
    (tmp_path / "suite.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "tools.py").write_text("", encoding="utf-8")
    (tmp_path / "more").mkdir()
    for file, name in (("cases.jsonl", "one"), ("more/two.yaml", "two")):
        (tmp_path / file).write_text(json.dumps({"id": name, "task": "t", "must": [{"output": "$", "equals": 1}]}), encoding="utf-8")
    suite = load_suite(tmp_path / "suite.yaml")
    assert suite.setups and len(suite.cases) == (2 if whole else 1)


@pytest.mark.parametrize("block", blocks("yaml policy"))
def test_policies_load(block: Block, tmp_path: Path) -> None:
    (tmp_path / "release.yaml").write_text(block.text, encoding="utf-8")
    assert len(read_policy("release.yaml", str(tmp_path)).gates) == len(re.findall(r"^  - \{", block.text, re.MULTILINE))


@pytest.mark.parametrize("block", blocks("yaml prices"))
def test_prices_load(block: Block, tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text(block.text, encoding="utf-8")
    assert read_prices("prices.yaml", str(tmp_path)).models


@pytest.mark.parametrize("block", blocks("yaml rubric"))
def test_rubrics_load(block: Block, tmp_path: Path) -> None:
    (tmp_path / "rubric.yaml").write_text(block.text, encoding="utf-8")
    assert read_rubric("rubric.yaml", str(tmp_path)).dimensions


@pytest.mark.parametrize("block", blocks("yaml judges"))
def test_judges_load(block: Block, tmp_path: Path) -> None:
    (tmp_path / "judges.yaml").write_text(block.text, encoding="utf-8")
    row = read_document(tmp_path / "judges.yaml")
    for form in row.value["judges"].values():
        assert read_form(row._replace(value=form), JudgeForm).model


@pytest.mark.parametrize("block", blocks("yaml canaries"))
def test_canaries_load(block: Block, tmp_path: Path) -> None:
    (tmp_path / "canaries.yaml").write_text(block.text, encoding="utf-8")
    row = read_document(tmp_path / "canaries.yaml")
    for form in row.value["canaries"]:
        assert read_form(row._replace(value=form), CanaryForm).expect


@pytest.mark.parametrize("block", blocks("json reply"))
def test_replies_are_verdicts(block: Block) -> None:
    reply = json.loads(block.text)
    parts = dict.fromkeys(("output", "trace", "tools", "state"), "x")
    assert read_reply(block.text, read_rubric("dialogue"), reply["nonce"], Matter(task="t", parts=parts)).passed


@pytest.mark.parametrize("block", blocks("jsonl ratings"))
def test_ratings_make_an_exam(block: Block, tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text(block.text, encoding="utf-8")
    found = examine(str(tmp_path / "labels.jsonl"), ExamOptions())
    assert found.n == 3 and not found.refused and found.by_severity["critical"].caught == 0


@pytest.mark.parametrize("block", blocks("yaml bar"))
def test_bars_are_read(block: Block, tmp_path: Path) -> None:
    (tmp_path / "bar.yaml").write_text(block.text, encoding="utf-8")
    assert len(read_bar(read_bar_file(str(tmp_path / "bar.yaml")), "bar.yaml")) == 3


@pytest.mark.parametrize("block", blocks("yaml ci"))
def test_what_ci_runs_exists(block: Block, tmp_path: Path) -> None:
    (tmp_path / "ci.yaml").write_text(block.text, encoding="utf-8")
    assert read_document(tmp_path / "ci.yaml").value
    typed = re.findall(r"bin/fairtrial (\w+)", block.text)
    assert typed and set(typed) <= set(VERBS)


@pytest.mark.parametrize("block", blocks("jsonl in", "jsonl out"))
def test_protocol_blocks_hold_one_object_a_line(block: Block) -> None:
    assert all(isinstance(json.loads(line), dict) for line in block.text.splitlines())


@pytest.mark.parametrize("block", blocks("jsonl out"))
def test_lines_shown_as_sent_are_understood(block: Block) -> None:
    for line in block.text.splitlines():
        try:
            reply = act(json.loads(line), MagicMock())
        except Answered:
            continue
        assert "error" not in (reply or {}), reply


@pytest.mark.parametrize("block", blocks("console"))
def test_commands_shown_exist(block: Block) -> None:
    for line in block.text.splitlines():
        if line.startswith("$ fairtrial "):
            assert line.split()[2] in VERBS
