"""What is wrong with how a suite uses its model judges: names that lead nowhere, judges nobody asks, cards that only a judge
decides.

Kept out: rubrics that cannot be read and bars outside their scale, which stop the load (`judges.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.cases.judges import by_word, rubric_of
from fairtrial.cases.walk import checks_of, every, found_in
from fairtrial.records.check import STRICT, group_card
from fairtrial.records.errors import nearest
from fairtrial.records.finding import Finding, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.case import Case
    from fairtrial.records.check import Check
    from fairtrial.records.suite import Suite

JUDGE = "judge"


def judge_findings(suite: Suite) -> Iterator[Finding]:
    """Of the suite as a whole and of each of its cases."""
    words = by_word(suite.judges)
    asked = {words.get(word) for check in _all(suite) if (word := _word(check)) is not None}
    for name in suite.judges:
        if name not in asked:
            message = f"no check asks the judge {name!r}"
            yield Finding(code="unused_judge", message=message, mend=f"add {{judge: {name}}} to a case, or remove it", file=suite.path)
    for check in every(suite.checks):
        if (word := _word(check)) is not None and word not in words:
            file, line = place_of(check.place if ":" in check.place else suite.path)
            message, mend = _unknown(check, words)
            yield Finding(code="unknown_judge", message=message, mend=mend, file=file, line=line)
    for case in suite.cases:
        yield from _of_case(case, suite, words)


def _all(suite: Suite) -> Iterator[Check]:
    yield from every(suite.checks)
    for case in suite.cases:
        yield from every(checks_of(case))


def _word(check: Check) -> str | None:
    """The word for a judge in a check: the judge of the whole trial, or the one that is asked about single statements."""
    named = check.target if check.subject == JUDGE else check.expect.get("by")
    return None if named is None else str(named)


def _unknown(check: Check, words: dict[str, str]) -> tuple[str, str]:
    word = _word(check)
    near = nearest(str(word), words)
    return f"there is no judge {word!r}", f"did you mean {near!r}?" if near else "name it in suite.yaml under judges"


def _of_case(case: Case, suite: Suite, words: dict[str, str]) -> Iterator[Finding]:
    for check in every(checks_of(case)):
        if (word := _word(check)) is not None and word not in words:
            yield found_in(case, "unknown_judge", *_unknown(check, words), check)
    yield from _alone(case, suite, words)


def _alone(case: Case, suite: Suite, words: dict[str, str]) -> Iterator[Finding]:
    key = case.key
    stated = [*key.must, *key.must_not, *key.limits, *(suite.checks if case.labels.tier != "unit" else ())]
    by_code = {check.card for check in stated if not _judged(check)} | ({"safety"} if key.obeyed_if else set())
    for check in stated:
        card = _card(check, suite, words) if _judged(check) else None
        if card in STRICT and card not in by_code:
            message = f"a judge has a part in the {card} card and alone never passes it: where the group needs the judge it stays UNKNOWN"
            if _only_judged(check):
                message = f"only a judge decides the {card} card, and a judge alone never passes one: no trial of this case can pass"
            yield found_in(case, "judge_alone", message, f"add a check by code with `card: {card}` beside it", check)


def _judged(check: Check) -> bool:
    """Whether a judge has a part in a check."""
    return any(map(_judged, check.parts)) if check.parts else check.subject == JUDGE


def _only_judged(check: Check) -> bool:
    return all(map(_only_judged, check.parts)) if check.parts else check.subject == JUDGE


def _card(check: Check, suite: Suite, words: dict[str, str]) -> str | None:
    if check.card:
        return check.card
    if not check.parts:
        name = words.get(str(check.target))
        return None if name is None else rubric_of(suite, name).card
    return group_card([card for part in check.parts if (card := _card(part, suite, words)) is not None])
