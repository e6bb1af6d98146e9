"""The rules of the house can fail: each is shown a made-up file that breaks it, and one that does not."""

import pytest

from tests import house_rules as rules
from tests.house import Finding, Source, circles, eager_imports, floor_breaks, imports, named, not_a_docstring
from tests.test_architecture import ANSWERS, MAY_IMPORT


def source(text: str, path: str = "fairtrial/trials/conduct.py") -> Source:
    return Source.of(path, text)


def lines(findings: list[Finding]) -> list[int]:
    return [finding.line for finding in findings]


def empty(*paths: str) -> list[Source]:
    return [source("", path) for path in paths]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("fairtrial/records/case.py", "from fairtrial.stats.interval import wilson"),
        ("fairtrial/store/sql.py", "import fairtrial.fairness"),
        ("fairtrial/graders/state.py", "from fairtrial.worlds import json"),
        ("fairtrial/trials/conduct.py", "def late():\n    from fairtrial.graders import assess"),
        (
            "fairtrial/trials/conduct.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from fairtrial.graders.assess import grade",
        ),
        ("fairtrial/trials/conduct.py", "from ..graders import assess"),
        ("fairtrial/trials/conduct.py", "from importlib import import_module\nimport_module('fairtrial.graders.assess')"),
        ("fairtrial/workflow.py", "from fairtrial.cli import main"),
        ("fairtrial/report/terminal.py", "from fairtrial import stats"),
        ("fairtrial/report/terminal.py", "import fairtrial"),
    ],
)
def test_an_import_that_goes_up_or_sideways_is_found(path: str, text: str) -> None:
    found = floor_breaks([source(text, path), *empty("fairtrial/stats/__init__.py", "fairtrial/graders/assess.py")], MAY_IMPORT)
    assert lines(found) == [len(text.splitlines())]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("fairtrial/trials/conduct.py", "from fairtrial.worlds.json import JsonWorld\nfrom . import plan\nimport json"),
        ("fairtrial/cli/run.py", "from fairtrial import __version__, workflow"),
        ("fairtrial/__main__.py", "from fairtrial.cli.main import main"),
        ("fairtrial/stats/paired.py", "from .interval import wilson\nimport fairtrialish"),
    ],
)
def test_an_import_that_goes_down_or_stays_home_is_fine(path: str, text: str) -> None:
    assert floor_breaks([source(text, path), *empty("fairtrial/workflow.py")], MAY_IMPORT) == []


def test_a_room_without_a_floor_is_found() -> None:
    assert [finding.what for finding in floor_breaks(empty("fairtrial/cellar/wine.py"), MAY_IMPORT)] == ["the room 'cellar' has no floor"]


def test_a_relative_import_is_read_as_what_it_means() -> None:
    face = source("from . import verdict\nfrom ..stats import paired", "fairtrial/records/__init__.py")
    file = source("from . import verdict\nfrom .verdict import Verdict", "fairtrial/records/trial.py")
    house = [face, file, *empty("fairtrial/records/verdict.py", "fairtrial/stats/paired.py")]
    reached = [(link.source.module, link.target) for link in imports(house)]
    assert reached == [
        ("fairtrial.records", "fairtrial.records.verdict"),
        ("fairtrial.records", "fairtrial.stats.paired"),
        ("fairtrial.records.trial", "fairtrial.records.verdict"),
        ("fairtrial.records.trial", "fairtrial.records.verdict"),
    ]


def test_a_circle_is_found_through_late_and_type_only_imports() -> None:
    house = [
        source("from fairtrial.study import b", "fairtrial/study/a.py"),
        source("def late():\n    import fairtrial.study.c", "fairtrial/study/b.py"),
        source("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from fairtrial.study.a import A", "fairtrial/study/c.py"),
        source("from fairtrial.study.a import A", "fairtrial/study/outside.py"),
    ]
    assert circles(house) == [["fairtrial.study.a", "fairtrial.study.b", "fairtrial.study.c"]]
    assert circles([house[0], house[1], house[3]]) == []


def test_two_circles_are_told_apart_and_one_file_can_be_a_circle() -> None:
    def link(here: str, there: str) -> Source:
        return source(f"import fairtrial.study.{there}", f"fairtrial/study/{here}.py")

    house = [link("a", "b"), link("b", "a"), link("c", "a"), link("d", "e"), link("e", "d"), link("f", "f")]
    named_circles = [[module.rpartition(".")[2] for module in circle] for circle in circles(house)]
    assert named_circles == [["a", "b"], ["d", "e"], ["f"]]


def test_the_face_may_import_late_or_for_types_but_not_at_once() -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from fairtrial.workflow import run\n"
    late = "def __getattr__(name):\n    import fairtrial.workflow\n"
    assert eager_imports(source(text + late, "fairtrial/__init__.py")) == []
    at_once = text + "else:\n    import fairtrial.cli\ntry:\n    import fairtrial.release\nfinally:\n    pass\n"
    assert sorted(lines(eager_imports(source(at_once, "fairtrial/__init__.py")))) == [5, 7]


@pytest.mark.parametrize(
    "text",
    [
        "from fairtrial.records.case import Brief, Case",
        "from fairtrial.records.case import Key as Lock",
        "from fairtrial.records import case\nKeyless = case.Key",
        "def conduct(case: 'Case') -> None: ...",
        "from fairtrial.records.suite import Suite",
        "from fairtrial.records.case import Brief as Key",
    ],
)
def test_naming_the_answers_is_found(text: str) -> None:
    assert named(source(text), ANSWERS)


def test_words_near_the_answers_are_fine() -> None:
    text = '"""A Case is split; its Key stays outside."""\nfrom fairtrial.records.trial import TrialKey\nkey = TrialKey("case", "Case 1")'
    assert named(source(text), ANSWERS) == []


@pytest.mark.parametrize(("text", "expected"), [('"""Why."""', []), ("", [1]), ('"""Why."""\nx = 1\nimport os', [2, 3]), ("x = 1", [1])])
def test_an_inner_face_holds_only_a_docstring(text: str, expected: list[int]) -> None:
    assert lines(not_a_docstring(source(text, "fairtrial/store/__init__.py"))) == expected


def test_a_file_one_line_too_long_is_found() -> None:
    assert lines(rules.long_file(source("x = 1\n" * 351), 350)) == [351]
    assert rules.long_file(source("x = 1\n" * 350), 350) == []


def test_a_function_one_line_too_long_is_found_wherever_it_stands() -> None:
    text = "class A:\n    async def long(self):\n" + "        x = 1\n" * 60
    assert lines(rules.long_functions(source(text), 60)) == [2]
    assert rules.long_functions(source(text), 61) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(a, b, c, d, e, g): ...", 0),
        ("def f(a, b, c, d, e, g, h): ...", 1),
        ("def f(a, b, /, c, d, *, e, g, h): ...", 1),
        ("def f(a, *many, b=1, **named): ...", 0),
        ("class A:\n    def f(self, a, b, c, d, e, g): ...", 0),
        ("class A:\n    def f(self, a, b, c, d, e, g, h): ...", 1),
        ("class A:\n    @staticmethod\n    def f(a, b, c, d, e, g, h): ...", 1),
        ("class A:\n    def f(self):\n        def inner(a, b, c, d, e, g, h): ...", 1),
    ],
)
def test_more_than_six_parameters_are_found_self_aside(text: str, found: int) -> None:
    assert len(rules.many_parameters(source(text), 6)) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [("fairtrial/store/utils.py", 1), ("fairtrial/common/sql.py", 1), ("fairtrial/_helpers.py", 1), ("fairtrial/database.py", 0)],
)
def test_a_name_that_says_nothing_is_found(path: str, found: int) -> None:
    assert len(rules.banned_name(source("", path))) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("try: f()\nexcept Exception: pass", [2]),
        ("try: f()\nexcept: pass", [2]),
        ("try: f()\nexcept (OSError, BaseException) as error: log(error)", [2]),
        ("import builtins\ntry: f()\nexcept builtins.Exception: pass", [3]),
        ("with contextlib.suppress(Exception): f()", [1]),
        ("try: f()\nexcept* Exception: pass", [2]),
        ("try: f()\nexcept BaseException:\n    undo()\n    raise", []),
        ("try: f()\nexcept Exception as error: raise Told(str(error)) from error", []),
        ("try: f()\nexcept Exception:\n    if x: raise\n    pass", [2]),
        ("try: f()\nexcept OSError: pass", []),
        ("with suppress(OSError): f()", []),
    ],
)
def test_catching_everything_is_found(text: str, expected: list[int]) -> None:
    assert lines(rules.broad_excepts(source(text))) == expected


def test_printing_is_found() -> None:
    text = "print('x')\nclick.echo('x')\nimport sys\nsys.stdout.write('x')\nself.print()\nfile.write('x')"
    assert lines(rules.prints(source(text))) == [1, 2, 4]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("open('f')", [1]),
        ("open('b', 'r')\nopen('f', mode='w')\nopen('f', mode)", [1, 2, 3]),
        ("open('f', 'rb')\nopen('f', mode='wb')", []),
        ("import io\nio.open('f')", [2]),
        ("path.read_text()", [1]),
        ("(folder / 'x').write_text('y')", [1]),
        ("import json as j\nj.loads('1')", [2]),
        ("from json import dumps as write\nwrite(1)", [2]),
        ("import json\njson.load(file)", [2]),
        ("from fairtrial.records import text\ntext.read_text('f')\ntext.loads('1')", []),
        ("from fairtrial.records.text import loads, read_text\nloads(read_text('f'))", []),
        ("import os, msgspec\nos.open('f', 0)\nmsgspec.json.encode(1)\npath.read_bytes()\nsocket.open('x')", []),
    ],
)
def test_text_and_json_past_the_text_layer_are_found(text: str, expected: list[int]) -> None:
    assert lines(rules.own_text(source(text))) == expected


def test_an_oracle_in_the_house_is_found_however_it_is_imported() -> None:
    text = (
        "import numpy\ndef late():\n    from scipy.stats import norm\n    import scipy.special as s\nimport scipyish\nfrom .scipy import x"
    )
    assert lines(rules.outside_imports(source(text), frozenset({"scipy"}))) == [3, 4]
