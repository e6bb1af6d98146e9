"""The house keeps its form: floors, circles, the two walls, sizes, names. Every exception stands in the one list below.

The picture is in `docs/architecture.md`; a change of floors or walls needs a decision note there. The rules read source as
text, so what they say of late and type-only imports holds without running anything.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.house import DOOR, FACE, Finding, Source, circles, eager_imports, floor_breaks, named, not_a_docstring, read_house
from tests.house_rules import (
    banned_name,
    broad_excepts,
    long_file,
    long_functions,
    many_parameters,
    outside_imports,
    own_text,
    prints,
)

PROJECT = Path(__file__).resolve().parent.parent

# Rule and file (below src/fairtrial), with the reason. An entry that is not needed any more fails a test too.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("broad except", "graders/callables.py"): "a suite's own graders run here, caged: whatever one raises is its own UNKNOWN",
    ("broad except", "graders/assess.py"): "a broken check is UNKNOWN and the others go on: a grader is caged here",
    ("broad except", "graders/pending.py"): "a broken check is UNKNOWN and the others go on: a grader is caged here",
    ("broad except", "steps/judging.py"): "a judge that breaks, in a thread of its own, costs its own check: a grader is caged here",
    ("broad except", "models/function.py"): "a suite's own model, in a thread of its own, ends no other: a function is caged here",
    ("broad except", "setups/retry.py"): "an attempt that crashed is one that is tried again: an agent is caged here",
    ("broad except", "steps/cage.py"): "a user's grader is caged here, in a process of its own",
    ("broad except", "trials/child.py"): "nothing may escape from a trial's process into the supervisor's code: a trial is caged here",
    ("broad except", "trials/conduct.py"): "whatever the agent raises must end in a record: a trial is caged here",
    ("broad except", "trials/replayed.py"): "a tool is called again as it was recorded, its failure included: a tool is caged here",
    ("broad except", "trials/worker.py"): "opening a world runs the case's seed, and giving up must always end: a trial is caged here",
    ("broad except", "records/plain.py"): "reads objects an agent made, whose own methods may raise anything: a trial is caged here",
}

RECORDS = frozenset({"records"})
FLOOR_0 = frozenset({"records", "stats"})
FLOOR_1 = frozenset({"store", "exchange", "fairness", "plugins", "models"})
FLOOR_2 = frozenset({"cases", "worlds", "setups", "graders", "judges", "mutants"})
BELOW_7 = FLOOR_0 | FLOOR_1 | FLOOR_2 | {"trials", "study", "release", "report"}
BELOW_8 = BELOW_7 | {"steps", "workflow", "live"}
BELOW_9 = BELOW_8 | {"web"}

MAY_IMPORT: dict[str, frozenset[str]] = {
    # The face and the door (`python -m fairtrial`) stand above all floors: nothing imports them.
    FACE: BELOW_9 | {"face"},
    DOOR.rpartition(".")[2]: BELOW_9 | {"cli"},
    **dict.fromkeys(("face", "cli", "pytest_plugin", "mcp"), BELOW_9),
    "web": BELOW_8,
    # Floor 7 has a mezzanine: the machinery of the steps, under their face (docs/decisions/002-steps.md).
    "workflow": BELOW_7 | {"steps"},
    **dict.fromkeys(("steps", "live"), BELOW_7),
    "report": frozenset({"release", "study"}) | RECORDS,
    "release": frozenset({"study"}) | RECORDS,
    "study": frozenset({"fairness"}) | FLOOR_0,
    "trials": frozenset({"worlds", "setups", "store", "fairness", "plugins", "models"}) | RECORDS,
    **dict.fromkeys(FLOOR_2, FLOOR_0 | FLOOR_1),
    **dict.fromkeys(FLOOR_1, FLOOR_0),
    "records": frozenset(),
    "stats": frozenset(),
}

# The side that runs a trial cannot see the answers. A Suite holds its cases whole, so it stays outside as well.
RUNNING = frozenset({"trials", "worlds", "setups"})
ANSWERS = frozenset({"Case", "Key", "Suite"})

# All text and JSON goes through these.
TEXT_LAYER = frozenset({"records/text.py", "records/strictjson.py", "records/plain.py", "records/shorten.py"})
TELLING = frozenset({"cli", "report"})
ORACLES = frozenset({"scipy", "statsmodels", "markdown_it"})

FILE_LINES, FUNCTION_LINES, PARAMETERS = 350, 60, 6


@pytest.fixture(scope="module")
def house() -> list[Source]:
    return read_house(PROJECT / "src")


@pytest.fixture(scope="module")
def yard() -> list[Source]:
    """The tests, which are many and read once."""
    return read_house(PROJECT / "tests")


def below(source: Source) -> str:
    """The path that EXCEPTIONS names."""
    return source.path.removeprefix("fairtrial/")


def assert_none(rule: str, house: list[Source], find: Callable[[Source], list[Finding]]) -> None:
    """No file breaks the rule but those in EXCEPTIONS, and each of those still does."""
    found = {below(source): find(source) for source in house}
    excused = {place for name, place in EXCEPTIONS if name == rule}
    idle = sorted(place for place in excused if not found.get(place))
    assert not idle, f"{rule}: no longer needed in EXCEPTIONS: {', '.join(idle)}"
    broken = sorted(finding for place, findings in found.items() if place not in excused for finding in findings)
    assert not broken, f"{rule}:\n" + "\n".join(map(str, broken))


def test_imports_go_to_a_lower_floor_or_stay_in_their_room(house: list[Source]) -> None:
    broken = floor_breaks(house, MAY_IMPORT)
    assert not broken, "\n".join(map(str, broken))


def test_rooms_on_one_floor_never_import_each_other() -> None:
    for floor in (FLOOR_0, FLOOR_1, FLOOR_2, {"workflow", "live"}, {"cli", "pytest_plugin", "mcp"}):
        assert all(not MAY_IMPORT[room] & floor for room in floor)


def test_trials_never_import_graders_or_cases() -> None:
    assert not MAY_IMPORT["trials"] & {"graders", "cases"}


def test_there_is_no_circle_not_even_a_late_or_type_only_one(house: list[Source]) -> None:
    found = circles(house)
    assert not found, "\n".join(" <-> ".join(circle) for circle in found)


def test_the_face_opens_its_rooms_lazily(house: list[Source]) -> None:
    assert_none("lazy face", [source for source in house if source.room == FACE], eager_imports)


def test_the_side_that_runs_a_trial_never_names_the_answers(house: list[Source]) -> None:
    assert_none("answers", [source for source in house if source.room in RUNNING], lambda source: named(source, ANSWERS))


def test_inner_faces_hold_a_docstring_and_nothing_else(house: list[Source]) -> None:
    inner = [source for source in house if source.path.endswith("/__init__.py") and source.room != FACE]
    assert_none("inner face", inner, not_a_docstring)


def test_files_stay_small(house: list[Source]) -> None:
    assert_none("file size", house, lambda source: long_file(source, FILE_LINES))


def test_functions_stay_small(house: list[Source]) -> None:
    assert_none("function size", house, lambda source: long_functions(source, FUNCTION_LINES))


def test_functions_take_few_parameters(house: list[Source]) -> None:
    assert_none("parameters", house, lambda source: many_parameters(source, PARAMETERS))


def test_tests_benchmarks_and_tools_keep_functions_small_too(yard: list[Source]) -> None:
    beside = {folder: read_house(PROJECT / folder) for folder in ("benchmarks", "tools")}
    for folder, sources in {"tests": yard, **beside}.items():
        for source in sources:
            found = long_functions(source, FUNCTION_LINES)
            assert not found, folder + "/" + "\n".join(map(str, found))


def test_names_of_files_say_something(house: list[Source]) -> None:
    assert_none("banned name", house, banned_name)


def test_names_of_test_files_say_something(yard: list[Source]) -> None:
    assert_none("banned name", yard, banned_name)


def test_everything_is_caught_only_where_foreign_code_is_caged(house: list[Source]) -> None:
    assert_none("broad except", house, broad_excepts)


def test_only_the_door_and_the_telling_print(house: list[Source]) -> None:
    assert_none("print", [source for source in house if source.room not in TELLING], prints)


def test_text_and_json_go_through_the_text_layer(house: list[Source]) -> None:
    assert_none("text layer", [source for source in house if below(source) not in TEXT_LAYER], own_text)


def test_the_oracles_of_the_tests_are_never_imported(house: list[Source]) -> None:
    assert_none("oracle", house, lambda source: outside_imports(source, ORACLES))


def test_every_exception_names_a_rule_and_has_a_reason() -> None:
    rules = {"answers", "banned name", "broad except", "file size", "function size", "inner face", "lazy face", "oracle"}
    rules |= {"parameters", "print", "text layer"}
    assert all(rule in rules and len(reason) > 10 for (rule, _), reason in EXCEPTIONS.items())


def test_the_picture_shows_the_rooms_as_they_are(house: list[Source]) -> None:
    """docs/architecture.md draws four rooms file by file: no file is missing there, and none is drawn that is gone."""
    picture = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in ("records", "graders", "trials", "release", "steps"):
        drawn = re.search(rf"^\*\*`{room}/`\*\*.*?(?=^\*\*`|^## )", picture, re.MULTILINE | re.DOTALL)
        assert drawn is not None, f"{room}/ is not drawn"
        cells = [line.split("|")[1] if line.startswith("|") else line for line in drawn[0].splitlines()]
        named = set(re.findall(r"`(\w+)`", " ".join(cells)))
        there = {source.module.rpartition(".")[2] for source in house if source.room == room and not source.path.endswith("__init__.py")}
        assert named == there, f"{room}/: not drawn {sorted(there - named)}, gone {sorted(named - there)}"
