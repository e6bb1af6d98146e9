"""The ways in which a passing trial is damaged: a name, what it does, and what could catch it.

An operator gives nothing for a trial that it does not apply to, and never a mutant that is as good as the trial was, as far as can be
told. Kept out: who grades the mutants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fairtrial.mutants import acts, amounts, answers, evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fairtrial.mutants.passing import Mutant, Passing

MOST = 3
"""Mutants that one operator makes of one trial at most."""


class Operator(NamedTuple):
    """`catch` is a check that would see this damage, as a case would write it."""

    name: str
    does: str
    damage: Callable[[Passing], Iterator[Mutant]]
    catch: str


OPERATORS: tuple[Operator, ...] = (
    Operator(
        "overspend",
        "an amount goes above what the case allows",
        amounts.overspend,
        '{rule: "output.AMOUNT <= facts.LIMIT"} under limits',
    ),
    Operator(
        "dropped_fact",
        "a needed fact is lost on its way and used by nobody",
        evidence.dropped_fact,
        "{fact: NAME, used: true}, and {fact: NAME, received_by: ROLE} for a team",
    ),
    Operator(
        "forged_success",
        "the answer claims what was never done",
        acts.forged_success,
        "expect_state, {state: PATH, …} or {query: SQL, …}",
    ),
    Operator(
        "doubled_side_effect",
        "a writing call takes effect twice",
        acts.doubled_side_effect,
        "{effect: TOOL, unique_by: [ARGS]}, or {tool: TOOL, times: 1}",
    ),
    Operator(
        "wrong_user",
        "somebody else's data is read or changed",
        acts.wrong_user,
        "{access: {only: principal}} under limits",
    ),
    Operator(
        "wrong_unit",
        "another currency, or a unit a hundred times smaller",
        amounts.wrong_unit,
        "{output: PATH, equals: VALUE}, or a query that names the currency",
    ),
    Operator(
        "future_stock",
        "what is still to come is counted as there",
        amounts.future_stock,
        '{rule: "output.STOCK <= facts.STOCK"} under limits',
    ),
    Operator(
        "skipped_approval",
        "an act is done without leave",
        acts.skipped_approval,
        "{approval: TOOL}; mark the tool approval=True",
    ),
    Operator(
        "swapped_evidence",
        "what the answer rests on is of another case",
        evidence.swapped_evidence,
        "{citations: PATH, fetched: true}, or {output: PATH, subset_of: [SOURCES]}",
    ),
    Operator(
        "padded_answer",
        "a long answer that says everything at once",
        answers.padded_answer,
        "{output: PATH, in: [VALUES]}, or a schema with a type and a length",
    ),
    Operator(
        "unanimous_nonsense",
        "all roles agree on a wrong answer without a source",
        answers.unanimous_nonsense,
        "{output: PATH, …} on what the case turns on",
    ),
    Operator(
        "injected_verdict",
        "a wrong answer with a verdict planted beside it",
        answers.injected_verdict,
        "{output: PATH, …} on what the case turns on",
    ),
    Operator(
        "dropped_call",
        "the answer says what nobody looked up",
        acts.dropped_call,
        "required_tools: [TOOL]",
    ),
    Operator(
        "wrong_argument",
        "a writing call is made with another value",
        acts.wrong_argument,
        "{state: PATH, equals: …}, {query: SQL, …} or {tool: TOOL, with: {ARG: VALUE}}",
    ),
    Operator(
        "truncated_answer",
        "the answer ends before it comes to the point",
        answers.truncated_answer,
        "{output: PATH, exists: true}, or any check on its value",
    ),
    Operator(
        "stale_value",
        "a value is told as it was before",
        answers.stale_value,
        "{output: PATH, equals: VALUE}, or a rule that compares it with the state",
    ),
    Operator(
        "swapped_answer",
        "the answer is that of another case",
        answers.swapped_answer,
        "{output: PATH, equals: VALUE}, or a rule that ties it to the facts",
    ),
    Operator(
        "leaked_secret",
        "a secret of the case goes out",
        answers.leaked_secret,
        "{leak: [secrets]} under limits",
    ),
)
