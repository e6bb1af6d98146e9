"""The review as it is typed: a list in a pipe, one item after the other on a terminal, files out and in."""

import json
import os
import pty
import re
import select
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.reviewtalk import Typed, understand
from tests.steps.project import command, environment, fairtrial, make_project


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_project(tmp_path_factory.mktemp("review") / "suite", cases=3, trials=1)
    assert fairtrial("run", ".", "--isolate", "shared", "-q", folder=folder).returncode == 0
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """A store of its own for each test."""
    with sqlite3.connect(made / ".fairtrial" / "store.db") as store, sqlite3.connect(tmp_path / "store.db") as copy:
        store.backup(copy)
    return tmp_path


COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def ft(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return fairtrial(*words, "--store", "store.db", folder=place)


class Terminal:
    """A command on a terminal of its own; `until` waits for a text and returns what came."""

    def __init__(self, place: Path, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        env = environment() | {"COLUMNS": "160"}
        self.process = subprocess.Popen(
            command(*words, "--store", "store.db"), cwd=place, stdin=theirs, stdout=theirs, stderr=theirs, env=env, close_fds=True
        )
        os.close(theirs)
        self.said, self.at = "", 0

    def until(self, text: str) -> str:
        while text not in self.said[self.at :]:
            ready, _, _ = select.select([self.ours], [], [], 60)
            assert ready, f"waited for {text!r}: {self.said[-800:]}"
            try:
                part = os.read(self.ours, 65536)
            except OSError:
                part = b""
            if not part:
                break
            self.said = COLOURS.sub("", self.said + part.decode("utf-8", "replace"))
        assert text in self.said[self.at :], self.said[-800:]
        start, self.at = self.at, self.said.index(text, self.at) + len(text)
        return self.said[start : self.at]

    def type(self, line: str) -> None:
        os.write(self.ours, line.encode() + b"\n")

    def end(self) -> int:
        self.until(": fairtrial ")
        code = self.process.wait(60)
        os.close(self.ours)
        return code


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def exported(place: Path, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ft(place, "review", "export", "last", *words).stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("p", Typed("p")),
        (" F 2 critical ", Typed("f", 2.0, "critical")),
        ("f crit", Typed("f", None, "critical")),
        ("n the fan, not the lamp", Typed("n", rest="the fan, not the lamp")),
        ("q", Typed("q")),
        ("p 9", None),
        ("", None),
        ("pass", None),
        ("f m", None),
    ],
)
def test_a_line_means_what_it_says_or_nothing(line: str, meant: Typed | None) -> None:
    assert understand(line) == meant


def test_in_a_pipe_the_queue_is_listed_with_what_to_type(place: Path) -> None:
    page = ft(place, "review", "last")
    assert page.returncode == 0, page.stderr
    assert (
        page.stdout.rstrip().endswith("fairtrial review last --as NAME --store store.db")
        or "fairtrial review last --as NAME" in page.stdout
    )
    found = json.loads(ft(place, "review", "last", "--json").stdout)
    assert (found["open"], found["by_reason"]["sample"], found["added"]["open"]) == (3, 3, 3)
    assert [one["reasons"] for one in found["items"]] == [["sample"]] * 3


def test_two_people_at_two_terminals_label_the_same_items_and_neither_sees_the_other(place: Path, terminals: list[Terminal]) -> None:
    terminals += [Terminal(place, "review", "last", "--as", "ann"), Terminal(place, "review", "last", "--as", "ben")]
    for _ in range(3):
        for one, line, label in zip(terminals, ("p", "f 2 critical"), ("PASS", "FAIL"), strict=True):
            shown = one.until("q quit")
            assert "PASS" not in shown and "FAIL" not in shown and "sample" not in shown
            one.type(line)
            one.until(f"saved: {label}")
    for one in terminals:
        assert one.end() == 0
    found = json.loads(ft(place, "review", "status", "last", "--json").stdout)
    assert (found["split"], found["raters"]) == (3, {"ann": 3, "ben": 3})
    rows = exported(place)
    assert sorted((row["rater"], row["label"], row.get("severity")) for row in rows) == [
        *[("human:ann", "PASS", None)] * 3,
        *[("human:ben", "FAIL", "critical")] * 3,
    ]


def test_a_third_settles_and_sees_both(place: Path, terminals: list[Terminal]) -> None:
    assert ft(place, "review", "last").returncode == 0
    rows = exported(place, "--as", "x")
    text = "".join(
        json.dumps({"item": row["item"], "rater": f"human:{rater}", "label": label}) + "\n"
        for row in rows
        for rater, label in (("ann", "PASS"), ("ben", "FAIL"))
    )
    (place / "both.jsonl").write_text(text, encoding="utf-8")
    assert json.loads(ft(place, "review", "import", "both.jsonl", "--json").stdout)["kept"] == 6
    terminals.append(Terminal(place, "review", "last", "--adjudicate", "--as", "cleo"))
    for _ in rows:
        shown = terminals[0].until("q quit")
        assert "ann  PASS" in shown and "ben  FAIL" in shown
        terminals[0].type("p")
    assert terminals[0].end() == 0
    assert json.loads(ft(place, "review", "status", "last", "--json").stdout)["settled"] == 3


def test_a_label_that_cannot_be_saved_waits_in_a_file_and_the_next_command_takes_it_up(place: Path, terminals: list[Terminal]) -> None:
    """H03: a failed save is shown and kept for retry."""
    terminals.append(Terminal(place, "review", "last", "--as", "ann"))
    terminals[0].until("q quit")
    with sqlite3.connect(place / "store.db") as store:
        store.execute("CREATE TRIGGER full BEFORE INSERT ON labels BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    store.close()
    terminals[0].type("f 1")
    assert "the disk is full" in terminals[0].until("waits in")
    terminals[0].until("q quit")
    terminals[0].type("q")
    assert terminals[0].end() == 0
    assert json.loads(ft(place, "review", "status", "last", "--json").stdout)["pending"] == 1
    with sqlite3.connect(place / "store.db") as store:
        store.execute("DROP TRIGGER full")
    store.close()
    found = json.loads(ft(place, "review", "status", "last", "--json").stdout)
    assert (found["pending"], found["raters"]) == (0, {"ann": 1})
    assert not list(place.glob("*waiting*"))


def test_a_file_comes_back_filled_in_and_broken_lines_take_no_other_along(place: Path) -> None:
    ft(place, "review", "last")
    sent = ft(place, "review", "export", "last", "ann.csv", "--as", "ann")
    assert "fairtrial review import ann.csv" in sent.stdout, sent.stderr
    header, *rest = (place / "ann.csv").read_text(encoding="utf-8").split("\n")
    assert "PASS" not in "\n".join(rest) and "sample" not in "\n".join(rest)
    filled = ["\ufeff" + header, *(line.replace("human:ann,", "human:ann,fail", 1) for line in rest)]
    broken = ['"never closed,human:ann', "only,three,cells"]
    (place / "back.csv").write_text("\r\n".join([filled[0], *broken, *filled[1:]]), encoding="utf-8")
    taken = json.loads(ft(place, "review", "import", "back.csv", "--json").stdout)
    assert (taken["kept"], [one["line"] for one in taken["refused"]]) == (3, [2, 3])
    again = json.loads(ft(place, "review", "import", "back.csv", "--json").stdout)
    assert (again["kept"], again["there"]) == (0, 3)


def test_a_second_word_waits_for_its_person_alone_and_stands_when_they_say_so(place: Path, terminals: list[Terminal]) -> None:
    terminals += [Terminal(place, "review", "last", "--as", "ann"), Terminal(place, "review", "last", "--as", "Ann")]
    for one in terminals:  # both have the item before them when the first word comes
        one.until("q quit")
    for one, line, said in zip(terminals, ("p", "f"), ("saved: PASS", "not taken: FAIL"), strict=True):
        one.type(line)
        one.until(said)
        one.until("q quit")
        one.type("q")
        assert one.end() == 0
    terminals += [Terminal(place, "review", "last", "--as", "ben"), Terminal(place, "review", "last", "--as", "ann")]
    assert "FAIL" not in terminals[2].until("q quit")
    assert "New: FAIL. Stands: PASS" in terminals[3].until("Enter later")
    terminals[3].type("r")
    for one in terminals[2:]:
        one.until("q quit") if one is terminals[3] else None
        one.type("q")
        assert one.end() == 0
    assert [(row["rater"], row["label"]) for row in exported(place) if "label" in row] == [("human:Ann", "FAIL")]
    assert json.loads(ft(place, "review", "status", "last", "--json").stdout)["pending"] == 0
