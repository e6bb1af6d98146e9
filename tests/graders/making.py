"""Cases and trials made by hand, as short as a test wants them."""

from typing import Any, Self

import msgspec

from fairtrial.graders.assess import Assessor
from fairtrial.graders.contract import Contract
from fairtrial.records.case import Brief, Case, Key, Scene, Subtask
from fairtrial.records.check import parse_check, parse_checks
from fairtrial.records.fact import FactNote
from fairtrial.records.grade import Grade, Scorecard
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.records.trace import Span
from fairtrial.records.trial import Change, Decline, Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.records.verdict import Verdict

UNSET = msgspec.UNSET
SINGLE = Seat(setup="single")
TEAM = Seat(setup="team", roles=(RoleSeat(name="coo"), RoleSeat(name="cfo"), RoleSeat(name="ceo")), lead="ceo")

BRIEF = ("facts", "principal", "tools")
SCENE = ("approvals", "visible_to", "role")


def make_case(**raw: Any) -> Case:
    """A case as a file states it: must, must_not, limits, facts, fact_notes, unknown_ok, expect_state, known_bad, …"""
    key: dict[str, Any] = {
        name: parse_checks(raw[name], path=(name,), under=name) for name in ("must", "must_not", "limits") if name in raw
    }
    signs = {name: parse_check(sign, under="must_not") for name, sign in raw.get("obeyed_if", {}).items()}
    subtasks = tuple(Subtask(id=part["id"], checks=parse_checks(part["checks"])) for part in raw.get("subtasks", []))
    notes = {name: msgspec.convert(note, FactNote) for name, note in raw.get("fact_notes", {}).items()}
    return Case(
        id="case",
        brief=Brief(task="t", **{name: raw[name] for name in BRIEF if name in raw}),
        scene=Scene(**{name: raw[name] for name in SCENE if name in raw}),
        key=Key(
            **key,
            subtasks=subtasks,
            fact_notes=notes,
            unknown_ok=raw.get("unknown_ok", False),
            expect_state=raw.get("expect_state", UNSET),
            known_bad=tuple(raw.get("known_bad", ())),
            required_tools=tuple(raw.get("required_tools", ())),
            obeyed_if=signs,
            secrets=tuple(raw.get("secrets", ())),
        ),
    )


def make_trial(output: Any = UNSET, spans: list[Span] | None = None, **more: Any) -> Trial:
    """A finished trial. `before`, `after`, `changes`, `altered`, and fields of the head (ending, decline, spend, …) as named."""
    body = {name: more.pop(name) for name in ("before", "after", "changes", "altered") if name in more}
    head: dict[str, Any] = {"seed": 1, "ending": Ending.FINISHED, "start_state": "h", **more}
    if isinstance(head.get("decline"), str):
        head["decline"], head["ending"] = Decline(head["decline"]), Ending.DECLINED
    body.setdefault("before", {})
    return Trial(head=TrialHead(key=TrialKey("case", "s", 1), **head), body=TrialBody(output=output, spans=spans or [], **body))


class Tape:
    """Spans in order, with ids that count from 1."""

    def __init__(self) -> None:
        self.spans: list[Span] = []

    def add(self, kind: str, name: str, role: str | None = None, error: dict[str, str] | None = None, **attributes: Any) -> Self:
        number = len(self.spans) + 1
        self.spans.append(Span(str(number), None, kind, name, role, number, number, attributes, error))
        return self

    def call(self, tool: str, args: dict[str, Any] | None = None, result: Any = None, **more: Any) -> Self:
        """A call that succeeded; `outcome=` says otherwise."""
        role, error = more.pop("role", None), more.pop("error", None)
        attributes = {"args": args or {}, "outcome": "ok", "result": result, **more}
        if attributes["outcome"] != "ok":
            del attributes["result"]
        return self.add("tool", tool, role, error, **attributes)

    def hand(self, source: str, target: str, facts: dict[str, Any], *, received: bool = True) -> Self:
        for event, role in (("sent", source), ("received", target))[: 1 + received]:
            attributes = {"event": event, "from": source, "to": target, "facts": facts, "parcel": len(self.spans)}
            self.spans.append(Span(str(len(self.spans) + 1), None, "handoff", f"{source}->{target}", role, 0, 0, attributes))
        return self


def assess(case: Case, trial: Trial, **contract: Any) -> Scorecard:
    contract.setdefault("seat", SINGLE)
    return Assessor(case, Contract(**contract)).assess(trial)


def grade_of(check: dict[str, Any], trial: Trial, *, under: str = "must", seat: Seat = SINGLE, **raw: Any) -> Grade:
    """The one grade of one check; fails where it has none."""
    grades = assess(make_case(**{under: [check]}, **raw), trial, seat=seat).grades
    return grades[0]


def verdict_of(check: dict[str, Any], trial: Trial, **how: Any) -> str:
    return str(grade_of(check, trial, **how).verdict)


def both_ways(check: dict[str, Any], trial: Trial, **how: Any) -> tuple[str, str]:
    """The verdict under must and under must_not."""
    return verdict_of(check, trial, **how), verdict_of(check, trial, under="must_not", **how)


PASS, FAIL, UNKNOWN = str(Verdict.PASS), str(Verdict.FAIL), str(Verdict.UNKNOWN)

__all__ = ["Change", "Ending", "Grade", "parse_check"]
