"""How a command ends: exit codes, one document or one page, and one message for whatever goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairtrial import __version__
from fairtrial.records.errors import InputError, InputErrors, InvalidExperiment, StoreError

Say = Callable[..., Any]
Make = Callable[..., Any]


def test_version_is_one_line(say: Say) -> None:
    assert say("--version") == (0, f"fairtrial {__version__}\n", "")


@pytest.mark.parametrize("words", ["--help", "-h", "help", "--help --lang zh", "--lang=en help", "--lang zh -h"])
def test_help_goes_to_standard_output_and_ends_0(say: Say, words: str) -> None:
    code, out, err = say(*words.split())
    assert (code, err) == (0, "")
    assert "Usage: fairtrial VERB" in out


@pytest.mark.parametrize("words", ["--help --lang fr", "--help --lang", "--lang zh", "--lang en --lang zh help"])
def test_a_language_that_is_not_there_or_stands_alone_is_no_help(say: Say, words: str) -> None:
    assert say(*words.split()).code == 2


def test_no_verb_at_all_is_a_usage_error_with_the_help(say: Say) -> None:
    code, out, err = say()
    assert (code, out) == (2, "")
    assert "Usage: fairtrial VERB" in err


def test_an_unknown_verb_names_the_nearest(say: Say) -> None:
    assert say("shwo", "last") == (2, "", "no verb 'shwo'; did you mean 'show'?\n")


def test_an_unknown_option_names_the_nearest_and_where_to_read(say: Say) -> None:
    code, out, err = say("run", "s", "--trails", "3")
    assert (code, out) == (2, "")
    assert "--trials" in err
    assert "fairtrial run --help" in err


@pytest.mark.parametrize(
    "words", [("run",), ("show",), ("show", "r", "c", "0"), ("run", "s", "--trials", "0"), ("run", "s", "--isolate", "x")]
)
def test_bad_usage_ends_2(say: Say, words: tuple[str, ...]) -> None:
    code, out, err = say(*words)
    assert (code, out) == (2, "")
    assert err


def test_bad_usage_with_json_is_one_document_as_well(say: Say) -> None:
    said = say("show", "--json")
    assert said.code == 2
    assert said.document["exit_code"] == 2
    assert "RUN" in said.document["error"]["what"]
    assert said.err


ERRORS = [
    (
        InputError(
            "no such case", place="cases.jsonl:3", value="direct-anwser", allowed="direct-answer", mend="did you mean 'direct-answer'?"
        ),
        2,
    ),
    (InputErrors([InputError("one"), InputError("two")]), 2),
    (StoreError("the store is newer than this program"), 2),
    (InvalidExperiment("the match is unfair: tools differ"), 4),
    (KeyboardInterrupt(), 130),
    (ZeroDivisionError("boom"), 4),
]


@pytest.mark.parametrize(("error", "code"), ERRORS, ids=range(len(ERRORS)))
def test_every_error_has_its_exit_code_and_no_traceback(say: Say, face: Any, error: BaseException, code: int) -> None:
    face.does("show_run", error)
    said = say("show", "last")
    assert (said.code, said.out) == (code, "")
    assert said.err
    assert "Traceback" not in said.err


def test_an_error_tells_place_value_choices_and_mend(say: Say, face: Any) -> None:
    face.does("show_run", ERRORS[0][0])
    said = say("show", "last", "--json")
    assert (
        "cases.jsonl:3: no such case\n  seen: 'direct-anwser'\n  allowed: direct-answer\n  mend: did you mean 'direct-answer'?\n"
        in said.err
    )
    assert said.document == {
        "error": {
            "what": "no such case", "place": "cases.jsonl:3", "value": "direct-anwser", "allowed": "direct-answer",
            "mend": "did you mean 'direct-answer'?",
        },
        "exit_code": 2,
    }  # fmt: skip


def test_every_error_of_a_load_is_in_the_document(say: Say, face: Any) -> None:
    face.does("check", InputErrors([InputError("one", place="a:1"), InputError("two", mend="mend it")]))
    said = say("check", "s", "--json")
    assert said.document["errors"] == [{"what": "one", "place": "a:1"}, {"what": "two", "mend": "mend it"}]
    assert "a:1: one\ntwo\n  mend: mend it\n2 errors in the input" in said.err


def test_a_fault_of_ours_says_so_and_shows_where_on_request(say: Say, face: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    face.does("show_run", ZeroDivisionError("boom"))
    assert "ZeroDivisionError: boom\n  this is a fault of fairtrial" in say("show", "last").err
    monkeypatch.setenv("FAIRTRIAL_DEBUG", "1")
    assert "Traceback" in say("show", "last").err


def test_an_error_message_cannot_steer_the_terminal(say: Say, face: Any) -> None:
    face.does("show_run", InputError("\x1b[31m bad \x07", place="\x1b]0;x\x07"))
    err = say("show", "last").err
    assert "\x1b" not in err and "\x07" not in err
    assert "\\x1b[31m bad" in err


def test_a_document_never_holds_nan_or_half_a_surrogate_pair(say: Say, face: Any, make_run_report: Make) -> None:
    report = make_run_report(severe_upper=float("nan"))
    report.notes.append("half \ud800 pair")
    face.does("show_run", report)
    said = say("show", "last", "--json")
    assert "NaN" not in said.out
    assert said.document["setups"]["single"]["severe_upper"] is None


def test_options_work_after_any_verb(say: Say, face: Any, make_run_report: Make) -> None:
    face.does("show_run", make_run_report())
    assert say("show", "last", "--json", "--quiet", "--store", "sqlite:///x.db", "--lang", "zh").document["run"] == "r1"
    assert face.calls[-1] == ("show_run", ("sqlite:///x.db", "last"), {})
    assert say("show", "--json", "last").document == say("show", "-q", "last", "--json").document


def test_the_language_is_chosen_by_option_or_environment(
    say: Say, face: Any, make_run_report: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    face.does("show_run", make_run_report())
    assert "成功率" in say("show", "last", "--lang", "zh").out
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    assert "成功率" in say("show", "last").out
    assert "success rate" in say("show", "last", "--lang", "en").out
    monkeypatch.setenv("FAIRTRIAL_LANG", "klingon")
    assert say("show", "last").code == 2


def test_the_store_that_was_named_is_named_in_the_last_line(say: Say, face: Any, make_run_report: Make) -> None:
    face.does("show_run", make_run_report())
    assert say("show", "last", "--store", "sqlite:///a b.db").out.splitlines()[-1].endswith(" --store 'sqlite:///a b.db'")
    assert "--store" not in say("show", "last").out
