"""The other verbs: their exit codes, their documents, and that the help tells of exactly what is there."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import msgspec
import pytest

from fairtrial.cli.door import group
from fairtrial.cli.guide import guide
from fairtrial.cli.main import main
from fairtrial.cli.verbs import VERBS
from fairtrial.records.diagnosis import Diagnosis
from fairtrial.records.errors import InputError
from fairtrial.records.finding import Finding
from fairtrial.records.lift import Lift
from fairtrial.records.report import Comparison, Difference, Rate
from fairtrial.records.versions import Version, Versions
from fairtrial.store.catalogue import RunLine
from fairtrial.study.factwalk import Replay
from fairtrial.study.retest import Move, Retest

Say = Callable[..., Any]
Make = Callable[..., Any]


def _command(name: str) -> click.Command:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return command


def _leaves(name: str) -> list[click.Command]:
    """The verb, or where it is a group of verbs each of them."""
    command = _command(name)
    if not isinstance(command, click.Group):
        return [command]
    inside = [command.get_command(click.Context(command), part) for part in command.list_commands(click.Context(command))]
    return [part for part in inside if part is not None]


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_opens_and_explains_itself(name: str) -> None:
    assert _command(name).name == name
    for command in _leaves(name):
        assert command.help and command.help.rstrip().endswith((".", '"'))
        assert {"--json", "--store", "--quiet", "--lang"} <= {option for param in command.params for option in param.opts}
        assert all(param.help for param in command.params if isinstance(param, click.Option))


@pytest.mark.parametrize("name", VERBS)
def test_the_help_names_each_argument_as_the_verb_does(name: str) -> None:
    def names(text: str) -> list[str]:
        return re.findall(r"[A-Z]+", text)

    command = _command(name)
    if isinstance(command, click.Group):
        assert VERBS[name].takes.split("|") == sorted(command.list_commands(click.Context(command)))
        return
    arguments = [param.make_metavar(click.Context(command)) for param in command.params if isinstance(param, click.Argument)]
    assert names(" ".join(arguments)) == names(VERBS[name].takes)


def test_the_help_lists_every_verb_once_and_no_other() -> None:
    listed = re.findall(r"^  ([a-z]+) ", guide().split("Examples")[0], re.MULTILINE)
    assert sorted(listed) == sorted(VERBS)
    assert all(len(line) <= 120 for line in guide().splitlines())


def test_every_example_of_the_help_is_a_command_that_can_be_read() -> None:
    lines = [line.strip() for line in guide().split("Examples\n")[1].split("\n\n")[0].splitlines()]
    for line in lines:
        words = re.split(r"\s{2,}|&&|\|", line)[0].split()
        assert words[0] == "fairtrial"
        command = _command(words[1])
        with command.make_context(words[1], words[2:], resilient_parsing=False):
            pass


class Checked(msgspec.Struct):
    suite: str = "s"
    cases: int = 2
    findings: list[Finding] = []
    notes: list[str] = []


def test_check_ends_0_when_clean_and_1_with_findings(say: Say, face: Any) -> None:
    face.does("check", Checked())
    assert say("check", "s").code == 0
    assert say("check", "s", "--json").document == {"suite": "s", "cases": 2, "findings": [], "notes": []}
    finding = Finding(code="no_must_not", message="nothing is forbidden", mend="say what must never happen", case="c", file="f", line=3)
    face.does("check", Checked(findings=[finding]))
    assert say("check", "s").code == 1
    assert say("check", "s", "--json").document["findings"] == [msgspec.to_builtins(finding)]
    say("check", "s", "--static")
    assert face.calls[-1][2] == {"run_dynamic": False, "store": None}
    told = "quality was never examined; its verdicts decide nothing"
    face.does("check", Checked(notes=[told]))
    assert told in say("check", "s").out
    assert say("check", "s", "--json").document["notes"] == [told]


def test_check_takes_the_suite_of_the_working_folder_where_none_is_named(
    say: Say, face: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    face.does("check", Checked())
    refused = say("check")
    assert (refused.code, refused.out) == (2, "")
    assert "which suite?" in refused.err
    (tmp_path / "suite.json").touch()
    assert say("check", "--json").document["suite"] == "."


def test_runs_lists_them_as_the_contract_says_with_times_in_utc(say: Say, face: Any) -> None:
    counts = {"planned": 4, "passed": 1, "fail": 1, "unknown": 1, "not_run": 1}
    line = RunLine(run="r2", suite="s", status="complete", started_ns=1_792_887_000_500_000_000, ended_ns=None, **counts)
    face.does("runs", [line, msgspec.structs.replace(line, run="r1", started_ns=0)])
    first, second = say("runs", "--json").document["runs"]
    assert list(first) == ["run", "suite", "status", "started", "planned", "pass", "fail", "unknown", "not_run"]
    assert (first["started"], second["started"]) == ("2026-10-25T00:10:00Z", None)
    assert "r2" in say("runs").out
    face.does("runs", [])
    assert say("runs", "--json").document == {"runs": []}


def test_show_opens_a_run_a_case_or_a_trial(say: Say, face: Any, make_run_report: Make) -> None:
    trial = {"case": "a", "setup": "single", "attempt": 1, "verdict": "PASS", "ending": "finished", "output": {"x": "\x1b[2J"}}
    face.does("show_run", make_run_report())
    face.does("show_case", [trial])
    face.does("show_trial", trial)
    assert say("show", "last", "--json").document["setups"]["single"]["pass"] == 1
    assert say("show", "last", "a", "--json").document == {"run": "last", "case": "a", "trials": [trial]}
    assert say("show", "last", "a", "1", "--json").document == trial
    assert [call[0] for call in face.calls] == ["show_run", "show_case", "show_trial"]
    page = say("show", "last", "a", "1").out
    assert "\\u001b[2J" in page and "\x1b" not in page


def test_money_is_text_in_a_document(say: Say, face: Any, make_run_report: Make) -> None:
    face.does("show_run", make_run_report())
    assert say("show", "last", "--json").document["setups"]["single"]["cost_usd"]["total"] == "0.10"


def test_replay_walks_the_first_attempt_unless_told(say: Say, face: Any) -> None:
    walk = Replay(case="a", setup="single", attempt=1, ending="finished", note="", lead=None, steps=[], output={"x": 1}, facts=[])
    face.does("replay", ("r1", walk))
    assert "the trace is missing" in say("replay", "last", "a").out
    assert face.calls[-1][1] == (None, "last", "a", 1)
    document = say("replay", "last", "a", "2", "--json").document
    assert (document["run"], document["case"]) == ("r1", "a")
    assert face.calls[-1][1] == (None, "last", "a", 2)


def test_grade_ends_with_the_code_of_its_outcome(say: Say, face: Any, make_outcome: Make) -> None:
    face.does("grade", make_outcome(exit_code=4))
    assert say("grade", "last", "--suite", "s").code == 4
    assert face.calls[-1][1] == (None, "last")
    assert face.calls[-1][2]["suite"] == "s"


def _comparison(verdict: str) -> Comparison:
    nothing: dict[str, Any] = {}
    return Comparison(
        base="r1:a", new="r1:b", comparable=nothing, pairs=1, fixed=[], broken=[], improved=[], declined=[], unchanged_pass=1,
        unchanged_fail=0, unknown=[], new_severe=[],
        difference=Difference(value=0.0, low=None, high=None, method="m", n=1), p_value=None, test="",
        mcnemar=nothing, detectable=None,
        cost=nothing, latency=nothing, tool_calls=nothing, tokens=nothing, verdict=verdict, says="Says so.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("verdict", "fail_on", "code"),
    [
        ("better", [], 0), ("worse", [], 0), ("worse", ["--fail-on", "worse"], 1), ("cannot_tell", ["--fail-on", "worse"], 0),
        ("cannot_tell", ["--fail-on", "cannot_tell"], 1), ("invalid", [], 4), ("invalid", ["--fail-on", "worse"], 4),
    ],
)  # fmt: skip
def test_compare_ends_0_unless_invalid_or_asked(say: Say, face: Any, verdict: str, fail_on: list[str], code: int) -> None:
    face.does("compare", [_comparison(verdict)])
    assert say("compare", "r1:a", "r1:b", *fail_on).code == code
    assert say("compare", "r1:a", "r1:b", "--json", *fail_on).code == code


def test_compare_gives_one_object_for_two_sides_and_a_list_for_more(say: Say, face: Any) -> None:
    face.does("compare", [_comparison("better")])
    assert say("compare", "a", "b", "--json", "--vary", "model", "--margin", "0.02").document["says"] == "Says so."
    assert face.calls[-1] == ("compare", (None, "a", ["b"]), {"vary": ("model",), "margin": Decimal("0.02")})
    several = Versions(
        base="a", cases=0, left_out=[], places=[], comparisons=[_comparison("better"), _comparison("worse")], says="", next=""
    )
    face.does("compare_versions", msgspec.structs.replace(several, places=[_version("a"), _version("b")]))
    assert [one["verdict"] for one in say("compare", "a", "b", "c", "--json").document["comparisons"]] == ["better", "worse"]
    page = say("compare", "a", "b", "c", "--fail-on", "worse")
    assert page.code == 1
    assert (page.out.count("next"), "Says so." in page.out) == (1, False)
    page = say("compare", "a", "b", "c", "--pairs")
    assert page.out.count("next") == 1
    assert page.out.index("All versions") < page.out.index("Says so.")


def _version(name: str) -> Version:
    rate = Rate(value=None, low=None, high=None, n=0, cases=0, method="", worst=None, best=None)
    nothing = dict.fromkeys(
        ("difference", "p_value", "p_holm", "verdict", "latency_p50_ms", "latency_p95_ms", "cost_mean", "cost_per_success")
    )
    counts = dict.fromkeys(("planned", "passed", "fail", "unknown", "not_run", "severe"), 0)
    fields: dict[str, Any] = {**nothing, **counts}
    return Version(name=name, label=name, success_rate=rate, latency_stated=False, front=True, beaten_by=[], **fields)


@pytest.mark.parametrize("margin", ["x", "-0.1", "1", "1.5", "NaN"])
@pytest.mark.parametrize("words", [("compare", "a", "b"), ("lift", "last"), ("run", ".", "--until-decided")])
def test_a_margin_that_is_no_share_is_refused(say: Say, words: tuple[str, ...], margin: str) -> None:
    said = say(*words, "--margin", margin)
    assert said.code == 2
    assert "--margin must be a share" in said.err
    assert "from 0 to below 1" in said.err


@pytest.mark.parametrize(
    ("verdict", "code"), [("earns_its_cost", 0), ("does_not_beat", 0), ("cannot_tell", 1), ("worse", 1), ("invalid", 4)]
)
def test_lift_ends_0_unless_invalid_or_asked(say: Say, face: Any, verdict: str, code: int) -> None:
    face.does("lift", Lift(run="r", rows=[], differences=[], fairness={"fair": True}, verdict=verdict, says="Says so.", next=""))
    assert say("lift", "last", "--fail-on", "worse", "--fail-on", "cannot_tell").code == code
    assert say("lift", "last", "--json").document["says"] == "Says so."


def test_retest_ends_1_when_something_got_worse(say: Say, face: Any) -> None:
    move = Move(case="a", setup="team", move="fixed", before=["FAIL"], after=["PASS"])
    found = Retest(
        case="a", before="r1", after="r2", target=[move], moved=[], alone={}, broken=0, unchanged=1, changed=[], says="a: fixed."
    )
    face.does("retest", found)
    assert say("retest", "last", "a").code == 0
    face.does("retest", msgspec.structs.replace(found, broken=1, moved=[msgspec.structs.replace(move, case="b", move="broken")]))
    said = say("retest", "last", "a", "--json")
    assert said.code == 1
    assert said.document["broken"] == 1


class Brought(msgspec.Struct):
    runs: list[str]
    run: str | None = None
    rows: int = 0
    refused: list[dict[str, Any]] = []


def test_import_ends_0_if_anything_came_in_and_2_if_nothing_could(say: Say, face: Any) -> None:
    face.does("import_runs", Brought(runs=["r1"], run="r1", rows=3, refused=[{"file": "a", "line": 7, "why": "no case"}]))
    said = say("import", "csv", "a", "b", "--setup", "x", "--planned", "4", "--json")
    assert said.code == 0
    assert said.document == {"runs": ["r1"], "run": "r1", "rows": 3, "refused": [{"file": "a", "line": 7, "why": "no case"}]}
    assert face.calls[-1] == ("import_runs", (None, "csv", ["a", "b"]), {"setup": "x", "planned": 4})
    face.does("import_runs", Brought(runs=[]))
    assert say("import", "csv", "a").code == 2
    face.does("import_runs", InputError("nothing could be imported"))
    assert say("import", "csv", "a").code == 2


def test_export_goes_to_standard_output_or_to_a_file(say: Say, face: Any, tmp_path: Path, make_run_report: Make) -> None:
    face.does("export", "a,b\r\n1,2\r\n")
    face.does("show_run", make_run_report())
    assert say("export", "last", "csv") == (0, "a,b\r\n1,2\r\n", "")
    file = tmp_path / "out.csv"
    said = say("export", "last", "csv", str(file))
    assert (said.code, said.out) == (0, "")
    assert str(file) in said.err
    assert file.read_bytes() == b"a,b\r\n1,2\r\n"
    assert say("export", "last", "markdown").out.startswith("<code>s</code>")
    assert say("export", "last", "csv", "--json").document == {"run": "last", "format": "csv", "text": "a,b\r\n1,2\r\n"}


def test_an_export_that_cannot_be_written_ends_2(say: Say, face: Any) -> None:
    face.does("export", "x")
    said = say("export", "last", "csv", "/no/such/folder/x.csv")
    assert (said.code, said.out) == (2, "")
    assert "cannot be written" in said.err


def test_what_control_characters_an_export_escapes_an_xml_reader_takes(say: Say, face: Any, tmp_path: Path) -> None:
    face.does("export", '<testsuites><testcase name="j1\\x00"/></testsuites>')
    file = tmp_path / "j.xml"
    assert say("export", "last", "junit", str(file)).code == 0
    assert ElementTree.parse(file).getroot().tag == "testsuites"  # noqa: S314 - our own output, read by a parser of its own


def test_schema_is_json_on_standard_output(say: Say, face: Any) -> None:
    face.does("schema", {"type": "object"})
    assert say("schema", "case").document == {"type": "object"}
    assert say("schema", "case", "--json").out == '{"type":"object"}\n'


def test_init_writes_a_suite_and_overwrites_nothing(say: Say, tmp_path: Path) -> None:
    folder = tmp_path / "my suite"
    said = say("init", str(folder), "--json")
    assert said.code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["agents.py", "cases.jsonl", "release.yaml", "suite.yaml", "tools.py"]
    (folder / "agents.py").write_text("mine")
    again = say("init", str(folder))
    assert (again.code, again.out) == (2, "")
    assert "agents.py" in again.err
    assert (folder / "agents.py").read_text() == "mine"


def test_init_where_nothing_may_be_written_ends_2(say: Say, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert say("init", str(blocked / "x")).code == 2


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_has_its_own_help(say: Say, name: str) -> None:
    code, out, err = say(name, "--help")
    assert (code, err) == (0, "")
    assert f"Usage: fairtrial {name} [OPTIONS]" in out


def test_where_standard_output_is_no_file_the_page_still_goes_there(
    face: Any, make_run_report: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    face.does("show_run", make_run_report())
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    assert main(["show", "last", "--json"]) == 0
    assert json.loads(out.getvalue())["run"] == "r1"


def test_diagnose_ends_0_whatever_it_finds(say: Say, face: Any) -> None:
    found = Diagnosis(
        run="r1", setups=["team"], planned=1, passed=0, failed=1, unknown=0, not_run=0, kinds=[], cards=[], groups=[], rerun=[],
        undecidable=1, says="1 of 1 trial failed.",
    )  # fmt: skip
    face.does("diagnose", found)
    assert say("diagnose", "last:team").code == 0
    assert say("diagnose", "last:team", "--json").document["fail"] == 1
