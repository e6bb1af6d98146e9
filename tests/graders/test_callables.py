"""Graders in Python: caged, given copies, believed only for what they return."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairtrial.graders.assess import Assessor, grader_version
from fairtrial.graders.contract import Contract, load_graders
from fairtrial.records.case import Key
from fairtrial.records.check import parse_checks
from fairtrial.records.errors import InputError
from fairtrial.records.grade import Grade
from tests.graders.making import FAIL, PASS, UNKNOWN, assess, make_case, make_trial

OTHER = {"output": "x", "equals": 1}


def graded(grader: Any, trial: Any = None, under: str = "must") -> Grade:
    case = make_case(**{under: [{"grader": "mine"}]})
    return assess(case, trial or make_trial({"x": 1}), graders={"mine": grader}).grades[0]


def raising(error: BaseException) -> Any:
    def grader(given: Any) -> bool:
        raise error

    return grader


class Strange(BaseException):
    def __str__(self) -> str:
        raise ValueError


def endless(given: Any) -> bool:
    return endless(given)


@pytest.mark.parametrize(
    "grader", [raising(ValueError("no")), raising(SystemExit(1)), raising(Strange()), raising(GeneratorExit()), endless, 3]
)
def test_a_broken_grader_is_unknown_with_its_traceback_and_harms_no_other(grader: Any) -> None:
    case = make_case(must=[OTHER, {"grader": "mine"}, OTHER])
    card = assess(case, make_trial({"x": 1}), graders={"mine": grader})
    assert [str(grade.verdict) for grade in card.grades] == [PASS, UNKNOWN, PASS]
    assert str(card.verdict) == UNKNOWN
    evidence = card.grades[1].evidence
    assert evidence is not None and ("Traceback" in evidence.seen or "cannot be read" in evidence.seen)


def test_the_users_own_interrupt_is_not_swallowed() -> None:
    with pytest.raises(KeyboardInterrupt):
        graded(raising(KeyboardInterrupt()))


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        (True, PASS),
        (False, FAIL),
        ("PASS", PASS),
        ("FAIL", FAIL),
        ("UNKNOWN", UNKNOWN),
        ({"verdict": "FAIL"}, FAIL),
        ({"verdict": True}, PASS),
        (None, UNKNOWN),
        (1, UNKNOWN),
        (0.9, UNKNOWN),
        ("pass", UNKNOWN),
        ("", UNKNOWN),
        ([], UNKNOWN),
        ({}, UNKNOWN),
        ({"pass": True}, UNKNOWN),
        ({"verdict": "maybe"}, UNKNOWN),
        ({"verdict": "PASS", "score": 0}, UNKNOWN),
        ({"verdict": "PASS", "card": "beauty"}, UNKNOWN),
    ],
)
def test_only_a_verdict_is_a_verdict(result: Any, verdict: str) -> None:
    assert str(graded(lambda given: result).verdict) == verdict


def test_an_asynchronous_grader_is_unknown() -> None:
    async def grader(given: Any) -> bool:
        return True

    assert "asynchronous" in graded(grader).why


def test_card_severity_and_words_are_as_returned() -> None:
    result = {"verdict": "FAIL", "why": "too dear", "card": "decision", "severity": "critical", "path": "x", "seen": {1, 2}}
    grade = graded(lambda given: result)
    assert (grade.card, grade.severity, grade.why) == ("decision", "critical", "too dear")
    assert grade.evidence is not None and grade.evidence.seen == [1, 2]


def test_it_can_be_turned_round() -> None:
    assert [str(graded(lambda given, v=v: v, under="must_not").verdict) for v in (True, False)] == [FAIL, PASS]


def test_it_gets_copies_and_cannot_change_what_others_see() -> None:
    trial = make_trial({"x": 1}, before={"n": [1]})

    def grader(given: Any) -> bool:
        given.output["x"] = 2
        given.state["n"].append(2)
        given.case.brief.facts["new"] = 1
        given.trial.body.output["x"] = 3
        with pytest.raises(AttributeError):
            given.output = 5
        return bool(given.output == {"x": 2} and given.before == {"n": [1]} and given.trace == [])

    case = make_case(must=[{"grader": "mine"}, OTHER, {"state": "n", "equals": [1]}])
    card = assess(case, trial, graders={"mine": grader})
    assert str(card.verdict) == PASS
    assert trial.body.output == {"x": 1} and case.brief.facts == {}


def test_a_grader_that_remembers_gives_each_trial_its_own_result() -> None:
    class Keeps:
        score = 0

        def __call__(self, given: Any) -> bool:
            self.score = given.output["x"]
            mine = self.score % 2 == 0
            time.sleep(0.005)
            return mine

    assessor = Assessor(make_case(must=[{"grader": "mine"}]), Contract(graders={"mine": Keeps()}))
    with ThreadPoolExecutor(16) as pool:
        cards = list(pool.map(lambda n: assessor.assess(make_trial({"x": n})), range(50)))
    assert [str(card.verdict) for card in cards] == [PASS if n % 2 == 0 else FAIL for n in range(50)]


def test_graders_are_loaded_by_name_and_wrong_names_are_told(tmp_path: Path) -> None:
    (tmp_path / "own_checks_for_test.py").write_text("def late_fee(given):\n    return given.output == 1\n", encoding="utf-8")
    (tmp_path / "broken_checks_for_test.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    loaded = load_graders({"late_fee": "own_checks_for_test:late_fee"}, str(tmp_path))
    case = make_case(must=[{"grader": "late_fee"}])
    assert str(assess(case, make_trial(1), graders=loaded).verdict) == PASS
    for target, says in [
        ("own_checks_for_test:late_fees", "did you mean own_checks_for_test:late_fee"),
        ("no_such_module:x", "failed"),
        ("broken_checks_for_test:x", "SystemExit"),
        ("just_a_name", "module:name"),
    ]:
        with pytest.raises(InputError, match=says):
            load_graders({"g": target}, str(tmp_path))
    with pytest.raises(InputError, match="did you mean 'late_fee'"):
        Assessor(make_case(must=[{"grader": "late_fe"}]), Contract(graders=loaded))


def test_the_version_moves_with_checks_and_graders_and_with_nothing_else(tmp_path: Path) -> None:
    one, two = make_case(must=[OTHER]), make_case(must=[{"output": "x", "equals": 2}])
    assert grader_version([one], None) == grader_version([make_case(must=[OTHER])], Contract())
    assert grader_version([one], None) != grader_version([two], None)
    file = tmp_path / "moving_checks_for_test.py"
    file.write_text("def g(given):\n    return True\n", encoding="utf-8")
    contract = Contract(graders=load_graders({"g": "moving_checks_for_test:g"}, str(tmp_path)))
    before = grader_version([one], contract)
    file.write_text("def g(given):\n    return False\n", encoding="utf-8")
    assert grader_version([one], contract) != before != grader_version([one], None)


def test_the_version_does_not_move_when_a_check_moves_to_another_line() -> None:
    placed = [parse_checks([OTHER], where=lambda *path, at=at: f"cases.jsonl:{at}") for at in (3, 4)]
    one, two = (msgspec.structs.replace(make_case(), key=Key(must=checks)) for checks in placed)
    assert grader_version([one], None) == grader_version([two], None)


def test_two_suites_may_name_their_modules_alike(tmp_path: Path) -> None:
    loaded = []
    for name, value in (("one", True), ("two", False)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "twin_checks_for_test.py").write_text(f"def g(given):\n    return {value}\n", encoding="utf-8")
        loaded.append(load_graders({"g": "twin_checks_for_test:g"}, str(tmp_path / name))["g"])
    assert [grader(None) for grader in loaded] == [True, False]
