"""A judge by a stand-in: it says what a test wants, and notes what it was shown."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from fairtrial.graders.contract import Ask
from fairtrial.records.opinion import Answer, Matter, Opinion
from fairtrial.records.rubric import Dimension, Rubric
from fairtrial.records.standing import Standing
from fairtrial.records.verdict import Verdict

RUBRIC = Rubric(
    name="statement",
    dimensions={"borne_out": Dimension(weight=Decimal(1))},
    scale=(Decimal(0), Decimal(1)),
    passes=Decimal("0.75"),
    evidence=("output", "tools"),
)


class Heard:
    """`says` gives a mark from 0 to 1 for a matter, or None for a reply that cannot be used."""

    def __init__(self, says: Callable[[Matter], float | None], standing: Standing | None = None) -> None:
        self.name, self.identity, self.rubric, self.calls = "sources", "sha256:j", RUBRIC, 1
        self.standing = standing or Standing(judge="sources")
        self.asked: list[Matter] = []
        self._says = says

    def opinion(self, matter: Matter) -> Opinion:
        self.asked.append(matter)
        mark = self._says(matter)
        made: dict[str, Any] = {"judge": self.name, "identity": self.identity, "rubric": RUBRIC.hash, "scale": (0.0, 1.0)}
        if mark is None:
            answer = Answer(model="m", repeat=1, problem="no verdict in it")
            return Opinion(**made, verdict=Verdict.UNKNOWN, why="no usable answer", answers=(answer,))
        passed = mark >= 0.75
        answer = Answer(model="m", repeat=1, score=mark, passed=passed, reason="as scripted")
        verdict = Verdict.PASS if passed else Verdict.FAIL
        return Opinion(**made, verdict=verdict, score=mark, answers=(answer,))


def judges(judge: Heard) -> dict[str, Ask]:
    return {"sources": judge}
