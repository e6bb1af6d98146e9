"""JSON Schemas of what people write and of what the program answers: case, suite, policy, rubric, report.

Made from the same forms and tables that the loader reads by, so that an editor and the loader say the same. The schemas of
policy and rubric state what the contract states; their readers are stricter (weights that add up, a bar within the scale).
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.cases.forms import CaseForm
from fairtrial.cases.policy import BASELINE, GATES, PARTS, VERSUS, WHOLE
from fairtrial.cases.suiteforms import SuiteForm
from fairtrial.records.check import BARE, GROUPS, LABELS
from fairtrial.records.credit import Credit
from fairtrial.records.decision import Decision
from fairtrial.records.diagnosis import Diagnosis
from fairtrial.records.errors import InputError, nearest
from fairtrial.records.exam import Exam
from fairtrial.records.grade import CARDS, DIMENSIONS, SEVERITIES
from fairtrial.records.library import LibraryReport
from fairtrial.records.lift import Lift
from fairtrial.records.mutation import MutationReport
from fairtrial.records.pairs import PairsReport
from fairtrial.records.plan import Plan
from fairtrial.records.promotion import Promotion
from fairtrial.records.report import Comparison, RunReport
from fairtrial.records.review import Review
from fairtrial.records.rubric import EVIDENCE
from fairtrial.records.subjects import SUBJECTS
from fairtrial.records.text import plain
from fairtrial.records.trend import Trend
from fairtrial.records.use import UseReport
from fairtrial.records.versions import Versions

DRAFT = "https://json-schema.org/draft/2020-12/schema"
KINDS = (
    "case",
    "suite",
    "policy",
    "rubric",
    "report",
    "comparison",
    "lift",
    "diagnosis",
    "decision",
    "use",
    "credit",
    "library",
    "pairs",
    "plan",
    "promotion",
    "review",
    "trend",
    "versions",
    "exam",
    "mutants",
)

BY_VERB = {"compare": "comparison", "gate": "decision", "diagnose": "diagnosis", "promote": "promotion", "run": "report", "show": "report"}
"""Whoever looks for what a verb answers with asks by the verb's name."""

_CHECK = {"$ref": "#/$defs/Check"}
_NUMBER = {"type": ["number", "string"], "description": "a number, or an exact decimal in text"}

CASE_WORDS = {
    "id": "unique in the suite; derived from the content where it is left out",
    "task": "what the agent is asked",
    "description": "for people",
    "expected": "the expected outcome in words",
    "facts": "what the agent may see, by name",
    "fact_notes": "how a fact shows in text, which roles may see it, whether losing it is severe",
    "unknown_ok": "abstaining or asking for review is right here",
    "must": "what has to hold",
    "must_not": "what must never hold",
    "limits": "bounds of the decision",
    "subtasks": "parts of the task, each with checks of its own",
    "state": "the start of the world",
    "expect_state": "the end state of the world",
    "reference": "the truth that a judge must use",
    "solution": "an answer that must pass; or {answer, state, trace}",
    "known_bad": "answers that must fail",
    "faults": "planned trouble",
    "injections": "hidden instructions in outside content",
    "secrets": "texts that must not leak",
    "principal": "on whose behalf the agent acts",
    "approvals": "what the approver says, by tool",
    "user": "the simulated user",
    "history": "the conversation so far",
    "slots": "start values",
    "tier": "unit, one agent, or the whole path",
    "role": "tier agent: the role that is tried alone",
    "call": "tier unit: the function that is tried",
    "args": "tier unit: its arguments",
    "required_tools": "tools that a solution needs; the ground of step efficiency",
    "trials": "trials of this case, in place of the suite's",
    "budget": "ceilings; the stricter of case and suite wins",
    "max_steps": "model and tool calls at most",
    "timeout_s": "seconds at most",
    "tags": "for selection and slices",
    "library": "regression gates a release; capability may fail",
    "split": "held_out cases are kept apart from tuning",
    "notes": "for people",
}


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of one kind, which may be named by the verb that answers with it. Raises InputError for one that is not there."""
    kind = BY_VERB.get(kind, kind)
    if kind not in KINDS:
        near = nearest(kind, KINDS)
        mend = f"did you mean {near}?" if near else None
        raise InputError(f"no schema {kind!r}", value=kind, allowed=", ".join(KINDS), mend=mend)
    makers = {"case": _case, "suite": _suite, "policy": _policy, "rubric": _rubric}
    reports = {
        "report": RunReport,
        "comparison": Comparison,
        "lift": Lift,
        "credit": Credit,
        "diagnosis": Diagnosis,
        "decision": Decision,
        "use": UseReport,
        "library": LibraryReport,
        "pairs": PairsReport,
        "plan": Plan,
        "promotion": Promotion,
        "review": Review,
        "trend": Trend,
        "versions": Versions,
        "exam": Exam,
        "mutants": MutationReport,
    }
    made = makers[kind]() if kind in makers else msgspec.json.schema(reports[kind])
    found: dict[str, Any] = plain({"$schema": DRAFT, "title": f"fairtrial {kind}", **made})
    return found


def _case() -> dict[str, Any]:
    made = msgspec.json.schema(CaseForm)
    defs = made["$defs"]
    case = defs["CaseForm"]["properties"]
    for name in ("must", "must_not", "limits"):
        case[name]["items"] = _CHECK
    for name, words in CASE_WORDS.items():
        case[name]["description"] = words
    defs["SubtaskForm"]["properties"]["checks"]["items"] = _CHECK
    defs["InjectionForm"]["properties"]["obeyed_if"] = _CHECK
    defs["Check"] = check_schema()
    return made


def _suite() -> dict[str, Any]:
    made = msgspec.json.schema(SuiteForm)
    made["$defs"]["SuiteForm"]["properties"]["checks"]["items"] = _CHECK
    made["$defs"]["Check"] = check_schema()
    return made


def check_schema() -> dict[str, Any]:
    """One check: exactly one subject, its expectations, optional labels. `changes` may hold its expectations inside."""
    return {"description": "one criterion: a subject, an expectation, optional labels", "oneOf": [_subject(name) for name in SUBJECTS]}


def _subject(name: str) -> dict[str, Any]:
    labels: dict[str, Any] = {label: {"type": "string"} for label in LABELS}
    labels |= {"card": {"enum": list(CARDS)}, "severity": {"enum": list(SEVERITIES)}, "dimension": {"enum": list(DIMENSIONS)}}
    expects: dict[str, Any] = {word: {} for word in SUBJECTS[name].expects}
    target: dict[str, Any] = {}
    if name in GROUPS:
        target = _CHECK if name == "not" else {"type": "array", "items": _CHECK, "minItems": 1}
    elif name in BARE:
        target = {"type": ["object", "null", "boolean"], "properties": expects, "additionalProperties": False}
    return {
        "type": "object",
        "title": name,
        "properties": {name: target, **expects, **labels},
        "required": [name],
        "additionalProperties": False,
    }


def _policy() -> dict[str, Any]:
    gates = [
        {
            "type": "object",
            "title": name,
            "properties": {name: _looks_at(name), **{key: _beside(key) for key in (shape.bar, *shape.beside, "hard") if key}},
            "required": [name],
            "additionalProperties": False,
        }
        for name, shape in GATES.items()
    ]
    return {
        "type": "object",
        "properties": {
            "gates": {"type": "array", "items": {"oneOf": gates}, "minItems": 1},
            "confidence": _NUMBER,
            "accepts": {"type": "array", "items": {"type": "string"}, "description": "losses that are meant, as the decision names them"},
        },
        "required": ["gates"],
        "additionalProperties": False,
    }


def _looks_at(name: str) -> dict[str, Any]:
    """What may stand behind a gate's name: everything, a slice, and for some the bar itself or a rubric."""
    part = {"type": "object", "properties": {key: {"type": "string"} for key in PARTS}, "additionalProperties": False, "minProperties": 1}
    found: list[dict[str, Any]] = [{"enum": list(WHOLE)}, part]
    if name == "pass_hat":
        own = {"k": {"type": "integer", "minimum": 1}, "min": _NUMBER}
        found.append({"type": "object", "properties": own, "required": list(own), "additionalProperties": False})
    if name == "judge_score":
        found[0] = {"type": "string", "minLength": 1}
    return {"anyOf": [*found, _NUMBER] if GATES[name].plain else found}


def _beside(key: str) -> dict[str, Any]:
    if key in VERSUS:
        return {"const": BASELINE}
    return {"type": "boolean"} if key == "hard" else {"type": "integer", "minimum": 1} if key == "k" else _NUMBER


def _rubric() -> dict[str, Any]:
    dimension = {
        "type": "object",
        "properties": {"weight": _NUMBER, "asks": {"type": "string", "description": "what the mark is for"}},
        "required": ["weight"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "dimensions": {
                "type": "object",
                "additionalProperties": dimension,
                "minProperties": 1,
                "description": "what is marked, by name; the weights together are 1",
            },
            "scale": {
                "type": "array",
                "items": _NUMBER,
                "minItems": 2,
                "maxItems": 2,
                "description": "the worst mark and the best; else 1 to 5",
            },
            "pass": {**_NUMBER, "description": "the weighted mean that passes; else the middle of the scale"},
            "evidence": {"type": "array", "items": {"enum": list(EVIDENCE)}, "minItems": 1, "uniqueItems": True},
            "reference": {"type": "boolean", "description": "whether the case's reference is shown, as the truth"},
            "card": {"enum": list(CARDS)},
            "notes": {"type": "boolean", "description": "whether the judge writes reasoning_notes"},
        },
        "required": ["dimensions"],
        "additionalProperties": False,
    }
