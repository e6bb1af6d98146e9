"""Reads the source of the house as a tree and finds what breaks its rules, each finding with its file and line.

Which rules hold where, and every exception, stands in `test_architecture.py`; that each rule can fail is shown in
`test_house.py`. Nothing here imports the code it reads.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = "fairtrial"
FACE = ROOT
DOOR = f"{ROOT}.__main__"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One file of the house. `path` is relative to the folder that holds the package, with forward slashes."""

    path: str
    text: str
    tree: ast.Module

    @classmethod
    def of(cls, path: str, text: str) -> "Source":
        """Parse `text` as the file `path`, e.g. `fairtrial/store/sql.py`."""
        return cls(path, text, ast.parse(text))

    @property
    def module(self) -> str:
        """The dotted name; a package is named without its `__init__`."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def room(self) -> str:
        """The first name below the package, e.g. `store` or `fairness`; the face and the door are rooms of their own."""
        parts = self.module.split(".")
        return parts[1] if len(parts) > 1 else FACE

    def at(self, node: ast.stmt | ast.expr | ast.excepthandler | ast.alias, what: str) -> "Finding":
        """A finding at a place in this file."""
        return Finding(self.path, node.lineno, what)


@dataclass(frozen=True, order=True)
class Finding:
    """What breaks a rule, and where."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


@dataclass(frozen=True)
class Import:
    """One import of our own code: of `target`, at `line` of `source`."""

    source: Source
    line: int
    target: str

    @property
    def room(self) -> str:
        """The room that is imported."""
        parts = self.target.split(".")
        return parts[1] if len(parts) > 1 else FACE


def read_house(folder: Path) -> list[Source]:
    """Every Python file below `folder`, which holds the package; without the suite that `init` copies out, which is data."""
    files = [file for file in sorted(folder.rglob("*.py")) if "starter" not in file.relative_to(folder).parts]
    return [Source.of(file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8")) for file in files]


def imports(house: Iterable[Source]) -> Iterator[Import]:
    """Every import of our own modules: at the top, late, for types only, or by `import_module("fairtrial.…")`.

    `from fairtrial import __version__` is left out: the version is a constant that stands in the face, not a part of it.
    """
    house = list(house)
    known = {source.module for source in house}
    for source in house:
        for node in ast.walk(source.tree):
            for target in _targets(source, node, known):
                yield Import(source, getattr(node, "lineno", 1), target)


def _targets(source: Source, node: ast.AST, known: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if _ours(alias.name))
    elif isinstance(node, ast.ImportFrom):
        package = _package(source, node)
        if _ours(package):
            names = [alias.name for alias in node.names if (package, alias.name) != (FACE, "__version__")]
            yield from dict.fromkeys(f"{package}.{name}" if f"{package}.{name}" in known else package for name in names)
    elif isinstance(node, ast.Call) and _name(node.func) in {"import_module", "__import__"} and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and _ours(first.value):
            yield first.value


def _package(source: Source, node: ast.ImportFrom) -> str:
    """The absolute name that `from … import` reads from."""
    if not node.level:
        return node.module or ""
    here = source.module.split(".")
    kept = len(here) - node.level + source.path.endswith("__init__.py")
    return ".".join([*here[:kept], *([node.module] if node.module else [])])


def _ours(name: str) -> bool:
    return name == ROOT or name.startswith(f"{ROOT}.")


def _name(node: ast.expr) -> str:
    """The last name of `a.b.c` or `c`; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def dotted(node: ast.expr) -> str:
    """`a.b.c` as written; empty for anything else."""
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return node.id if isinstance(node, ast.Name) else ""


def floor_breaks(house: list[Source], may_import: dict[str, frozenset[str]]) -> list[Finding]:
    """Imports that the table of floors does not allow, and rooms that have no floor."""
    found = [Finding(s.path, 1, f"the room {s.room!r} has no floor") for s in house if s.room not in may_import]
    for link in imports(house):
        here = link.source.room
        if here in may_import and link.room != here and link.room not in may_import[here]:
            found.append(Finding(link.source.path, link.line, f"{here} may not import {link.target}"))
    return sorted(set(found))


def circles(house: list[Source]) -> list[list[str]]:
    """Groups of modules that import each other, however late or for types only (Tarjan's strongly connected components)."""
    graph: dict[str, set[str]] = {source.module: set() for source in house}
    for link in imports(house):
        if link.target in graph:
            graph[link.source.module].add(link.target)
    walk = _Walk(graph)
    for module in graph:
        if module not in walk.order:
            walk.visit(module)
    return sorted(sorted(group) for group in walk.groups if len(group) > 1 or group[0] in graph[group[0]])


class _Walk:
    """Tarjan's walk over a small graph."""

    def __init__(self, graph: dict[str, set[str]]) -> None:
        self.graph = graph
        self.order: dict[str, int] = {}
        self.lowest: dict[str, int] = {}
        self.stack: list[str] = []
        self.groups: list[list[str]] = []

    def visit(self, module: str) -> None:
        self.order[module] = self.lowest[module] = len(self.order)
        self.stack.append(module)
        for target in sorted(self.graph[module]):
            if target not in self.order:
                self.visit(target)
                self.lowest[module] = min(self.lowest[module], self.lowest[target])
            elif target in self.stack:
                self.lowest[module] = min(self.lowest[module], self.order[target])
        if self.lowest[module] == self.order[module]:
            cut = self.stack.index(module)
            self.groups.append(self.stack[cut:])
            del self.stack[cut:]


def eager_imports(source: Source) -> list[Finding]:
    """Imports of our own that run as soon as the file is imported: not in a function, not for types only."""
    found: list[Finding] = []
    todo: list[ast.stmt] = list(source.tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and _name(node.test) == "TYPE_CHECKING":
            todo += node.orelse
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found += [source.at(node, f"imports {target} at once") for target in _targets(source, node, set())]
        elif not isinstance(node, Function):
            todo += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
    return found


def named(source: Source, names: frozenset[str]) -> list[Finding]:
    """Every place where one of `names` is written: imported, used, taken from a module, or in an annotation kept as text."""
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.alias) and {node.name.rpartition(".")[2], node.asname} & names:
            found.append(source.at(node, f"names {node.name}"))
        elif isinstance(node, ast.Name | ast.Attribute) and _name(node) in names:
            found.append(source.at(node, f"names {_name(node)}"))
        elif isinstance(node, ast.Constant) and node.value in names:
            found.append(source.at(node, f"names {node.value!r}"))
    return found


def not_a_docstring(source: Source) -> list[Finding]:
    """Everything in an inner `__init__.py` beside its docstring, and a missing docstring."""
    body = source.tree.body
    if ast.get_docstring(source.tree) is None:
        return [Finding(source.path, 1, "has no docstring")]
    return [source.at(node, "an inner __init__.py holds a docstring and nothing else") for node in body[1:]]
