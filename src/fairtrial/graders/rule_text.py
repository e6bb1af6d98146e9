"""The text of a rule, parsed: one line of Python's expression grammar, nothing evaluated.

Line breaks become spaces, comments are refused, and the house's own way of writing a condition over a list,
`all(x in list: condition)`, becomes its Python form. Kept out: what is allowed in the tree (`rule_grammar.py`).
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings

from fairtrial.graders.rule_values import RuleError

MOST_LOOPS = 40


def parse(source: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return ast.parse(source, mode="eval").body
    except SyntaxError as error:
        raise RuleError(f"cannot be read: {error.msg} (column {error.offset or 0})") from None
    except (ValueError, RecursionError, MemoryError, Warning) as error:
        raise RuleError(f"cannot be read: {error}") from None


def python_form(text: str) -> str:
    """One line of Python: line breaks become spaces, `all(x in list: condition)` its generator form."""
    source = text.strip()
    if not any(char in source for char in "\n\r#:"):
        return source
    if "#" in source and any(token.type == tokenize.COMMENT for token in _tokens(source)):
        raise RuleError("a rule takes no comments; use `why` beside it")
    source = " ".join(source.split("\n")).replace("\r", " ")
    return _loops_as_python(source) if ":" in source else source


def _tokens(source: str) -> list[tokenize.TokenInfo]:
    try:
        return list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError, ValueError) as error:
        raise RuleError(f"cannot be read: {error}") from None


def _loops_as_python(source: str) -> str:
    """Turns every `all(x in LIST: CONDITION)` into `all(CONDITION for x in LIST)`, from the innermost outwards."""
    for _ in range(MOST_LOOPS):
        tokens = [token for token in _tokens(source) if token.type not in (tokenize.NEWLINE, tokenize.ENDMARKER)]
        colon = max((at for at, token in enumerate(tokens) if token.string == ":" and token.type == tokenize.OP), default=None)
        if colon is None:
            return source
        first, last = _around(tokens, colon)
        if first < 1 or tokens[first - 1].string not in ("all", "any"):
            break
        opening, middle, closing = tokens[first].end[1], tokens[colon], tokens[last].start[1]
        head, tail = source[opening : middle.start[1]], source[middle.end[1] : closing]
        source = f"{source[:opening]}({tail}) for {head.strip()}{source[closing:]}"
    raise RuleError("a colon stands only in all(x in list: condition) and any(x in list: condition)")


def _around(tokens: list[tokenize.TokenInfo], at: int) -> tuple[int, int]:
    """The positions of the brackets around a token."""
    first, last, depth = at, at, 0
    while first >= 0 and not (depth == 0 and tokens[first].string in "([{" and first != at):
        depth += (tokens[first].string in (")", "]", "}")) - (tokens[first].string in ("(", "[", "{"))
        first -= 1
    depth = 0
    while last < len(tokens) and not (depth == 0 and tokens[last].string in (")", "]", "}")):
        depth += (tokens[last].string in ("(", "[", "{")) - (tokens[last].string in (")", "]", "}"))
        last += 1
    if first < 0 or last >= len(tokens) or tokens[first].string != "(":
        raise RuleError("brackets do not match")
    return first, last
