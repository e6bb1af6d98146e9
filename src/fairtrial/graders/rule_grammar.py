"""What is allowed in a rule, node by node, and the closure each allowed node becomes.

What is not in `_NODES` is not in the language. Kept out: the text (`rule_text.py`) and what operators do with values
(`rule_values.py`, `rule_functions.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from operator import attrgetter
from typing import Any

from fairtrial.graders.rule_functions import FUNCTIONS, entries, truth
from fairtrial.graders.rule_values import COMPARISONS, OPERATIONS, RuleError, RuleMissing, RuleUnknown, negative, shown
from fairtrial.records.errors import nearest

NAMES = ("output", "facts", "state", "before", "trace", "spend")
LITERALS = {"true": True, "false": False, "null": None}
DEEPEST = 40
MOST_STEPS = 20_000
"""How many entries all loops of one evaluation may visit together."""

Closure = Callable[[Any, Any], Any]
"""(scope, bound) -> value. `bound` holds the loop variables, and in its last place the steps that are left."""


class Reader:
    """One reading of one rule: turns allowed nodes into closures, and notes which names and values it uses."""

    def __init__(self, source: str) -> None:
        self.source = source.encode(errors="surrogatepass")
        self.roots: set[str] = set()
        self.reads: dict[str, Closure] = {}
        self.loops: list[str] = []
        self.most_loops = 0

    def read(self, node: ast.expr, depth: int) -> Closure:
        if depth > DEEPEST:
            raise RuleError(f"the rule is nested more than {DEEPEST} deep")
        reading = _NODES.get(type(node).__name__)
        if reading is None:
            raise RuleError(f"{_called(node)} is not allowed in a rule (column {node.col_offset + 1})")
        return reading(self, node, depth + 1)

    def constant(self, node: ast.Constant, depth: int) -> Closure:
        value: Any = node.value
        if isinstance(value, float):
            try:
                value = Decimal(self.source[node.col_offset : node.end_col_offset].decode().replace("_", ""))
            except InvalidOperation:
                raise RuleError(f"{value!r} is not a number a rule can hold") from None
        if value is not None and not isinstance(value, (bool, int, str, Decimal)):
            raise RuleError(f"{type(value).__name__} values are not allowed in a rule")
        return lambda scope, bound: value

    def name(self, node: ast.Name, depth: int) -> Closure:
        if node.id in self.loops:
            place = len(self.loops) - 1 - self.loops[::-1].index(node.id)
            return lambda scope, bound: bound[place]
        if node.id in LITERALS:
            value = LITERALS[node.id]
            return lambda scope, bound: value
        return self.chain(node, depth)

    def chain(self, node: ast.expr, depth: int) -> Closure:
        """output.lines[0].qty as one closure, where it starts at one of the names; else step by step."""
        keys: list[Any] = []
        inner = node
        while isinstance(inner, (ast.Attribute, ast.Subscript)):
            keys.insert(0, _key(inner))
            inner = inner.value
        if isinstance(inner, ast.Name) and inner.id not in self.loops and inner.id not in LITERALS:
            if inner.id not in NAMES:
                raise RuleError(_no_such_name(inner.id, self.loops))
            self.roots.add(inner.id)
            text = ast.unparse(node)
            closure = _from_root(inner.id, keys, text)
            self.reads[text] = closure
            return closure
        start, text = self.read(inner, depth), ast.unparse(node)
        return lambda scope, bound: _walk(start(scope, bound), keys, text)

    def every(self, node: ast.BoolOp, depth: int) -> Closure:
        parts = [self.read(value, depth) for value in node.values]
        return _and(parts) if isinstance(node.op, ast.And) else _or(parts)

    def unary(self, node: ast.UnaryOp, depth: int) -> Closure:
        inner = self.read(node.operand, depth)
        if isinstance(node.op, ast.Not):
            return lambda scope, bound: not truth(inner(scope, bound), "not")
        if isinstance(node.op, ast.USub):
            return lambda scope, bound: negative(inner(scope, bound))
        if isinstance(node.op, ast.UAdd):
            return lambda scope, bound: negative(negative(inner(scope, bound)))
        raise RuleError(f"{_called(node.op)} is not allowed in a rule")

    def binary(self, node: ast.BinOp, depth: int) -> Closure:
        act = OPERATIONS.get(type(node.op).__name__)
        if act is None:
            raise RuleError(f"{_called(node.op)} is not allowed in a rule; there are + - * / %")
        left, right = self.read(node.left, depth), self.read(node.right, depth)
        return lambda scope, bound: act(left(scope, bound), right(scope, bound))

    def compare(self, node: ast.Compare, depth: int) -> Closure:
        acts = [COMPARISONS.get(type(symbol).__name__) for symbol in node.ops]
        if None in acts:
            raise RuleError("`is` is not allowed in a rule; write == or !=")
        sides = [self.read(side, depth) for side in (node.left, *node.comparators)]
        if len(acts) == 1:
            act, (left, right) = COMPARISONS[type(node.ops[0]).__name__], sides
            return lambda scope, bound: act(left(scope, bound), right(scope, bound))
        return _chained(sides, [act for act in acts if act])

    def listed(self, node: ast.List | ast.Tuple, depth: int) -> Closure:
        parts = [self.read(part, depth) for part in node.elts]
        return lambda scope, bound: [part(scope, bound) for part in parts]

    def loop(self, node: ast.GeneratorExp | ast.ListComp, depth: int) -> Closure:
        """A list of the values; its variables live in places of their own, so that inner loops do not disturb outer ones."""
        before = len(self.loops)
        levels: list[tuple[Closure, int, list[Closure]]] = []
        for part in node.generators:
            if part.is_async or not isinstance(part.target, ast.Name):
                raise RuleError("a loop takes one plain name: for x in list")
            if part.target.id in NAMES or part.target.id in LITERALS or part.target.id in FUNCTIONS:
                raise RuleError(f"{part.target.id!r} has a meaning already; name the loop's variable otherwise")
            source = self.read(part.iter, depth)
            self.loops.append(part.target.id)
            levels.append((source, len(self.loops) - 1, [self.read(test, depth) for test in part.ifs]))
        self.most_loops = max(self.most_loops, len(self.loops))
        value = self.read(node.elt, depth)
        del self.loops[before:]
        return lambda scope, bound: list(_visit(levels, value, scope, bound))

    def call(self, node: ast.Call, depth: int) -> Closure:
        name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
        if node.keywords or not isinstance(node.func, ast.Name):
            raise RuleError(f"{name}(…): there are no methods and no named arguments in a rule")
        if name in ("all", "any"):
            return self.quantified(name, node, depth)
        if name not in FUNCTIONS:
            raise RuleError(f"there is no {name}(…); there are all, any, {', '.join(FUNCTIONS)}")
        act, fewest, most = FUNCTIONS[name]
        if not fewest <= len(node.args) <= most:
            raise RuleError(f"{name} takes {fewest if fewest == most else f'{fewest} to {most}'} arguments, here are {len(node.args)}")
        parts = [self.read(part, depth) for part in node.args]
        if len(parts) == 1:
            only = parts[0]
            return lambda scope, bound: act(only(scope, bound))
        return lambda scope, bound: act(*[part(scope, bound) for part in parts])

    def quantified(self, name: str, node: ast.Call, depth: int) -> Closure:
        if len(node.args) != 1:
            raise RuleError(f"{name} takes one list, or a loop: {name}(x in list: condition)")
        inner = self.read(node.args[0], depth)
        decisive = name == "any"

        def decide(scope: Any, bound: Any) -> bool:
            return _decide([truth(value, name) for value in entries(inner(scope, bound), name)], decisive)

        return decide


def _decide(values: list[bool], decisive: bool) -> bool:
    return decisive if decisive in values else not decisive


def _visit(levels: list[tuple[Closure, int, list[Closure]]], value: Closure, scope: Any, bound: Any) -> Any:
    source, place, tests = levels[0]
    for entry in entries(source(scope, bound), "a loop"):
        bound[-1] -= 1
        if bound[-1] < 0:
            raise RuleError(f"the rule's loops visit more than {MOST_STEPS} entries")
        bound[place] = entry
        if all(truth(test(scope, bound), "if") for test in tests):
            if len(levels) > 1:
                yield from _visit(levels[1:], value, scope, bound)
            else:
                yield value(scope, bound)


def _and(parts: list[Closure]) -> Closure:
    def decide(scope: Any, bound: Any) -> bool:
        open_part: RuleError | None = None
        for part in parts:
            try:
                if not truth(part(scope, bound), "and"):
                    return False
            except RuleMissing as error:
                open_part = error
            except RuleUnknown as error:
                open_part = open_part or error
        if open_part:
            raise open_part
        return True

    return decide


def _or(parts: list[Closure]) -> Closure:
    def decide(scope: Any, bound: Any) -> bool:
        open_part: RuleError | None = None
        for part in parts:
            try:
                if truth(part(scope, bound), "or"):
                    return True
            except RuleUnknown as error:
                open_part = error
            except RuleMissing as error:
                open_part = open_part or error
        if open_part:
            raise open_part
        return False

    return decide


def _chained(sides: list[Closure], acts: list[Callable[[Any, Any], bool]]) -> Closure:
    def decide(scope: Any, bound: Any) -> bool:
        left = sides[0](scope, bound)
        for act, side in zip(acts, sides[1:], strict=True):
            right = side(scope, bound)
            if not act(left, right):
                return False
            left = right
        return True

    return decide


def _key(node: ast.Attribute | ast.Subscript) -> Any:
    if isinstance(node, ast.Attribute):
        if node.attr.startswith("__"):
            raise RuleError(f".{node.attr} is not allowed in a rule")
        return node.attr
    inner = node.slice.operand if isinstance(node.slice, ast.UnaryOp) and isinstance(node.slice.op, ast.USub) else node.slice
    if not isinstance(inner, ast.Constant) or type(inner.value) not in (int, str):
        raise RuleError('square brackets take a position or a key: [0], ["key"]')
    if inner is node.slice:
        return inner.value
    if type(inner.value) is not int:
        raise RuleError("only a position can be negative")
    return -inner.value


def _from_root(root: str, keys: list[Any], text: str) -> Closure:
    start = attrgetter(root)
    if root == "spend":
        return lambda scope, bound: _known(_walk(start(scope), keys, text), text)
    if len(keys) != 1 or not isinstance(keys[0], str):
        return lambda scope, bound: _walk(start(scope), keys, text)
    key: str = keys[0]

    def read(scope: Any, bound: Any) -> Any:
        value = start(scope)
        if type(value) is dict and key in value:
            return value[key]
        return _walk(value, keys, text)

    return read


def _walk(value: Any, keys: list[Any], text: str) -> Any:
    for key in keys:
        keyed = isinstance(value, dict) and isinstance(key, str) and key in value
        placed = isinstance(value, (list, tuple)) and isinstance(key, int) and -len(value) <= key < len(value)
        if not (keyed or placed):
            raise RuleMissing(f"{text}: there is no {key!r} in {shown(value)}")
        value = value[key]
    return value


def _known(value: Any, text: str) -> Any:
    if value is None:
        raise RuleUnknown(f"{text} is not known")
    return value


def _no_such_name(name: str, loops: list[str]) -> str:
    allowed = [*NAMES, *loops]
    near = nearest(name, allowed)
    return f"there is no name {name!r} in a rule" + (f"; did you mean {near!r}?" if near else f"; there are {', '.join(allowed)}")


def _called(node: ast.AST) -> str:
    words = {"Lambda": "lambda", "IfExp": "if … else", "JoinedStr": "an f-string", "Dict": "a dictionary", "NamedExpr": ":=", "Pow": "**"}
    return words.get(type(node).__name__, type(node).__name__)


_NODES: dict[str, Callable[[Reader, Any, int], Closure]] = {
    "Constant": Reader.constant,
    "Name": Reader.name,
    "Attribute": Reader.chain,
    "Subscript": Reader.chain,
    "BoolOp": Reader.every,
    "UnaryOp": Reader.unary,
    "BinOp": Reader.binary,
    "Compare": Reader.compare,
    "List": Reader.listed,
    "Tuple": Reader.listed,
    "GeneratorExp": Reader.loop,
    "ListComp": Reader.loop,
    "Call": Reader.call,
}
"""The allow-list: what is not here is not in the language."""
