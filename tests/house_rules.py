"""Rules that look at one file alone: sizes, names, what may be caught, printed and opened. Each gives findings with file and line."""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from tests.house import Finding, Function, Source, dotted

BANNED = frozenset({"util", "utils", "helper", "helpers", "common", "misc", "manager", "base"})
BROAD = frozenset({"Exception", "BaseException"})
JSON_WORDS = frozenset({"json.dump", "json.dumps", "json.load", "json.loads"})
OPENERS = frozenset({"open", "io.open", "codecs.open", "builtins.open"})
FILE_METHODS = frozenset({"read_text", "write_text"})


def long_file(source: Source, most: int) -> list[Finding]:
    """A file of more than `most` lines."""
    lines = len(source.text.splitlines())
    return [Finding(source.path, lines, f"has {lines} lines, {most} at most")] if lines > most else []


def long_functions(source: Source, most: int) -> list[Finding]:
    """Functions of more than `most` lines, from `def` to their end."""
    sized = [(node, (node.end_lineno or node.lineno) - node.lineno + 1) for node, _ in functions(source.tree)]
    return [source.at(node, f"{node.name} has {size} lines, {most} at most") for node, size in sized if size > most]


def many_parameters(source: Source, most: int) -> list[Finding]:
    """Functions with more than `most` parameters; the object or class that a method gets is not counted."""
    found = []
    for node, in_class in functions(source.tree):
        taken = node.args
        count = len(taken.posonlyargs) + len(taken.args) + len(taken.kwonlyargs)
        static = any(dotted(decorator) == "staticmethod" for decorator in node.decorator_list)
        count -= in_class and not static and bool(taken.posonlyargs or taken.args)
        if count > most:
            found.append(source.at(node, f"{node.name} has {count} parameters, {most} at most"))
    return found


def functions(tree: ast.AST, *, in_class: bool = False) -> Iterator[tuple[Function, bool]]:
    """Every function below `tree`, and whether it stands right in a class."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield node, in_class
            yield from functions(node)
        else:
            yield from functions(node, in_class=isinstance(node, ast.ClassDef) or (in_class and isinstance(node, ast.If)))


def banned_name(source: Source) -> list[Finding]:
    """A file or folder whose name says nothing."""
    parts = PurePosixPath(source.path).with_suffix("").parts
    return [Finding(source.path, 1, f"the name {part!r} says nothing") for part in parts if part.strip("_").lower() in BANNED]


def broad_excepts(source: Source) -> list[Finding]:
    """Handlers that catch everything, `suppress` included; one that ends by raising swallows nothing and is left out."""
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ExceptHandler) and (node.type is None or _broad(node.type)) and not isinstance(node.body[-1], ast.Raise):
            found.append(source.at(node, "catches everything"))
        elif isinstance(node, ast.Call) and dotted(node.func).endswith("suppress") and any(map(_broad, node.args)):
            found.append(source.at(node, "suppresses everything"))
    return found


def _broad(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return any(map(_broad, node.elts))
    return dotted(node).removeprefix("builtins.") in BROAD


def prints(source: Source) -> list[Finding]:
    """Words for the terminal: `print`, `click.echo`, and writing to the standard streams."""
    words = {"print", "builtins.print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write"}
    return [source.at(call, f"{dotted(call.func)} tells the terminal") for call in _calls(source) if dotted(call.func) in words]


def own_text(source: Source) -> list[Finding]:
    """Text and JSON read or written past the one text layer.

    That is `open` and its kin, the text methods of a path, and the standard library's `json` by whatever name. Bytes are
    free: `os.open`, `PATH.read_bytes`, `open(…, "wb")`, and msgspec for a room's own records.
    """
    aliases = _json_aliases(source)
    found = []
    for call in _calls(source):
        first, dot, rest = dotted(call.func).partition(".")
        word = aliases.get(first, first) + dot + rest
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if (word in OPENERS and not _binary(call)) or word in JSON_WORDS:
            found.append(source.at(call, f"{word} is for the text layer"))
        elif method in FILE_METHODS and word != f"text.{method}":
            found.append(source.at(call, f".{method}() is for the text layer"))
    return found


def _binary(call: ast.Call) -> bool:
    modes = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    return any(isinstance(mode, ast.Constant) and isinstance(mode.value, str) and "b" in mode.value for mode in modes)


def _json_aliases(source: Source) -> dict[str, str]:
    """By the name in this file, the standard library's json or one of its functions."""
    names: dict[str, str] = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname: "json" for alias in node.names if alias.name == "json" and alias.asname}
        elif isinstance(node, ast.ImportFrom) and node.module == "json":
            names |= {alias.asname or alias.name: f"json.{alias.name}" for alias in node.names}
    return names


def _calls(source: Source) -> Iterator[ast.Call]:
    return (node for node in ast.walk(source.tree) if isinstance(node, ast.Call))


def outside_imports(source: Source, packages: frozenset[str]) -> list[Finding]:
    """Imports, wherever they stand, of third-party `packages`."""
    found = []
    for node in ast.walk(source.tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [source.at(node, f"imports {name}") for name in names if name.split(".")[0] in packages]
    return found
