"""A release decision as JUnit XML, for CI: every gate is a test.

A gate that fails is a failure, one that is open is skipped with what is missing; an invalid decision makes every gate an error,
so that nothing reads as green. The figures stand in the properties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.exchange.junit import attributes, properties, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.decision import Decision, GateResult

END = "</testsuites>"
STATES = {"holds": "passed", "fails": "failure", "open": "skipped"}


def write(decision: Decision) -> str:
    """The whole document. Raises nothing for any text in the decision."""
    suite = list(_suite(decision))
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites{attributes(**_named(decision))}>", *suite, END]) + "\n"


def added(document: str, decision: Decision) -> str:
    """The document of a run (`junit.py`) with the decision on it as its last test suite."""
    return "\n".join([document.removesuffix(f"{END}\n").rstrip("\n"), *_suite(decision), END]) + "\n"


def _named(decision: Decision) -> dict[str, str]:
    """Name and counts, which stand on the document as well as on its one test suite."""
    states = _states(decision)
    counts = {name: str(states.count(state)) for name, state in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))}
    return {"name": f"gate {decision.run}:{decision.setup}", "tests": str(len(states)), **counts}


def _states(decision: Decision) -> list[str]:
    return ["error" if decision.decision == "invalid" else STATES[gate.state] for gate in decision.gates]


def _suite(decision: Decision) -> Iterator[str]:
    yield f"  <testsuite{attributes(**_named(decision))}>"
    yield from properties("    ", _told(decision))
    for gate, state in zip(decision.gates, _states(decision), strict=True):
        yield from _test(gate, state, decision)
    yield "  </testsuite>"


def _told(decision: Decision) -> dict[str, object]:
    told = {
        "decision": decision.decision,
        "exit_code": decision.exit_code,
        "says": decision.says,
        "policy": decision.policy,
        "confidence": decision.confidence,
        "baseline": decision.baseline,
        "attempts_before": decision.attempts_before,
    }
    return {**told, **{f"note {place}": note for place, note in enumerate(decision.notes, 1)}}


def _test(gate: GateResult, state: str, decision: Decision) -> Iterator[str]:
    yield f"    <testcase{attributes(name=gate.asks, classname=f'{decision.policy}.{gate.gate}')}>"
    figures = {
        "state": gate.state,
        "hard": str(gate.hard).lower(),
        "seen": gate.seen,
        "needed": gate.needed,
        "n": gate.n,
        "cases": gate.cases,
    }
    yield from properties("      ", {**figures, "value": gate.value, "low": gate.low, "high": gate.high, "bar": gate.bar})
    why = decision.says if state == "error" else gate.why or f"{gate.seen}; needed: {gate.needed}"
    if state == "skipped":
        yield f"      <skipped{attributes(message=why)}/>"
    elif state != "passed":
        told = text(f"seen: {gate.seen}\nneeded: {gate.needed}\n{gate.why}")
        yield f"      <{state}{attributes(message=why, type=state)}>{told}</{state}>"
    yield "    </testcase>"
