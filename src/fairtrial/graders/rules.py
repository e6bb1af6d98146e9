"""Rules: one condition as text, such as `output.spend <= facts.cash`, read once and then asked of every trial.

The text is parsed by Python's grammar and checked against an allow-list; what is allowed becomes closures over exact
decimals. Python never evaluates it: there are no attributes of objects, no calls but those listed, nothing from outside the
six names. Length, depth and steps are bounded. Kept out: what the operators mean (`rule_values.py`), and what a missing or
unknown value means for the verdict (the check that asks).

Grammar: names `output facts state before trace spend`; `.key`, `["key"]`, `[0]`; numbers, texts, true, false, null, lists;
`+ - * / %`; `== != < <= > >=` (also chained); `in`, `not in`; `and or not`; `len sum min max abs round number date`;
`all(x.qty > 0 for x in output.lines if x.sku != "A")`, also written `all(x in output.lines: x.qty > 0)`; the same with
`any`, `sum`, `min`, `max`, and `[… for x in …]` as a list.

`and` and `or` are three-valued: `false and missing` is false, `true or missing` is true; else what is missing stays missing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

from fairtrial.graders.rule_functions import truth
from fairtrial.graders.rule_grammar import MOST_STEPS, Closure, Reader
from fairtrial.graders.rule_text import parse, python_form
from fairtrial.graders.rule_values import RuleError

LONGEST = 2000


class Scope(Protocol):
    """What a rule is asked about. A property may raise RuleMissing or RuleUnknown. In `spend`, null means not known."""

    @property
    def output(self) -> Any: ...
    @property
    def facts(self) -> Any: ...
    @property
    def state(self) -> Any: ...
    @property
    def before(self) -> Any: ...
    @property
    def trace(self) -> Any: ...
    @property
    def spend(self) -> Any: ...


class Rule:
    """A compiled rule. `names` are the roots it uses, `reads` the values it names (for showing what was seen)."""

    __slots__ = ("_closure", "_loops", "names", "reads", "text")

    def __init__(self, text: str, closure: Closure, reader: Reader) -> None:
        self.text = text
        self.names = frozenset(reader.roots)
        self.reads: dict[str, Closure] = reader.reads
        self._closure = closure
        self._loops = reader.most_loops

    def holds(self, scope: Scope) -> bool:
        """Whether the rule is true. Raises RuleMissing, RuleUnknown, or RuleError for values it cannot compute with."""
        value = self._closure(scope, [None] * self._loops + [MOST_STEPS] if self._loops else None)
        return value if type(value) is bool else truth(value, "a rule")

    def values(self, scope: Scope) -> dict[str, Any]:
        """What the rule's names stand for in this trial; names without a value are left out."""
        found: dict[str, Any] = {}
        for name, read in self.reads.items():
            try:
                found[name] = read(scope, None)
            except RuleError:
                continue
        return found


@lru_cache(maxsize=4096)
def compile_rule(text: str) -> Rule:
    """Read a rule; raises RuleError saying what is not allowed, and where."""
    if len(text) > LONGEST:
        raise RuleError(f"the rule has {len(text)} characters, {LONGEST} at most")
    source = python_form(text)
    reader = Reader(source)
    try:
        return Rule(text, reader.read(parse(source), 0), reader)
    except RecursionError:
        raise RuleError("the rule is nested too deep") from None
