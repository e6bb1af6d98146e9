"""Tools: functions marked `@tool`, with a schema from their type hints and arguments checked at the door.

What a tool may do is declared here (`irreversible`, `outside`, `approval`); who may call it, what it costs and what is
recorded is the desk's business. A parameter named `world` is injected and is in no schema.
"""

from __future__ import annotations

import copy
import hashlib
import inspect
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, get_type_hints, overload

import msgspec

from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

F = TypeVar("F", bound="Callable[..., Any]")

MARK = "__fairtrial_tool__"
WORLD = "world"
FLAT = frozenset({str, int, float, bool, type(None), bytes, Decimal, date, datetime})
"""Types whose values nobody can change: they need no copy."""


@dataclass(frozen=True, slots=True)
class ToolMark:
    """What the decorator was told."""

    name: str | None = None
    irreversible: bool = False
    outside: bool = False
    approval: bool = False
    reads: bool = False
    writes: bool = False
    idempotent: bool = False


class Flags(TypedDict, total=False):
    """What `@tool` may say of a tool."""

    irreversible: bool
    outside: bool
    approval: bool
    reads: bool
    writes: bool
    idempotent: bool


@overload
def tool(act: F) -> F: ...
@overload
def tool(*, name: str | None = None, **flags: Unpack[Flags]) -> Callable[[F], F]: ...
def tool(act: Any = None, *, name: Any = None, **flags: Unpack[Flags]) -> Any:
    """Mark a function as a tool. The function stays an ordinary function.

    `irreversible`: cannot be taken back. `outside`: reaches a system that is not the case's world. `approval`: must be granted
    by the case before each call. A call of any of them that the case never asked for is a critical failure.
    `reads` or `writes`: it only looks at the world, or changes it. Rarely needed: a JSON world of some size and a SQLite world
    see for themselves which call changed them. `idempotent`: the same call again has no second effect, so that a repeat of it
    is no failure.
    """

    def mark(target: Any) -> Any:
        setattr(target, MARK, ToolMark(name, **flags))
        return target

    return mark if act is None else mark(act)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the desk calls it. `arguments` is a generated record that checks a call's arguments."""

    name: str
    act: Callable[..., Any]
    arguments: type[msgspec.Struct]
    takes_world: bool
    flags: tuple[str, ...] = ()
    schema: dict[str, Any] = field(default_factory=dict)
    digest: str = ""

    def bind(self, args: dict[str, Any]) -> dict[str, Any]:
        """Check `args` and return them as the function takes them: its own, so that nobody can change them afterwards.

        Raises `msgspec.ValidationError` naming the argument where one is missing, unknown or of the wrong type.
        """
        checked = msgspec.convert(args, self.arguments)
        bound: dict[str, Any] = {}
        for name in self.arguments.__struct_fields__:
            value = getattr(checked, name)
            if value is not msgspec.UNSET:
                bound[name] = value if type(value) in FLAT else apart(value)
        return bound


def apart(value: Any) -> Any:
    """The receiver's own copy: what the giver does with its value afterwards changes nothing here.

    What cannot be copied (a cursor, a callback, what is nested without end) is handed on as it is.
    """
    if type(value) in FLAT:
        return value
    try:
        return copy.deepcopy(value)
    except (TypeError, AttributeError, RecursionError):
        return value


def make_tool(act: Callable[..., Any]) -> Tool:
    """Read a marked function's signature into a `Tool`; raises InputError for a signature that has no schema."""
    mark: ToolMark = getattr(act, MARK, ToolMark())
    name = str(mark.name or getattr(act, "__name__", type(act).__name__))
    _refuse_kind(name, act)
    try:
        hints = get_type_hints(act, include_extras=True)
    except (NameError, TypeError, SyntaxError) as error:
        raise InputError(
            f"tool {name!r} has a type hint that cannot be read: {error}", mend="import the type at the top of the file"
        ) from None
    signature = inspect.signature(act)
    fields = [_field(name, one, hints.get(one.name, Any)) for one in signature.parameters.values() if one.name != WORLD]
    fields.sort(key=lambda entry: len(entry) == 3)  # required ones first, as records want them
    arguments = msgspec.defstruct(f"{name}_arguments", fields, forbid_unknown_fields=True, kw_only=True)
    schema = {"name": name, "description": inspect.getdoc(act) or "", "parameters": _parameters(arguments)}
    flags = tuple(flag for flag in Flags.__annotations__ if getattr(mark, flag))
    if mark.reads and (mark.writes or mark.irreversible):
        raise InputError(f"tool {name!r} is marked as one that only reads and as one that changes something", mend="take one mark away")
    digest = hashlib.sha256(msgspec.json.encode([schema, flags], order="sorted")).hexdigest()[:16]
    return Tool(name, act, arguments, WORLD in signature.parameters, flags, schema, digest)


def _refuse_kind(name: str, act: Any) -> None:
    """A tool is a function with one answer: a generator would only begin to act once somebody asks it for its values."""
    if not inspect.isroutine(act):
        raise InputError(f"tool {name!r} is no function", value=type(act).__name__, mend="mark a function that calls it")
    if inspect.isgeneratorfunction(act) or inspect.isasyncgenfunction(act):
        raise InputError(f"tool {name!r} yields, so that it has no one answer", mend="return a list")


def _field(tool: str, parameter: inspect.Parameter, hint: Any) -> tuple[Any, ...]:
    name, default = parameter.name, parameter.default
    if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
        raise InputError(f"tool {tool!r} takes *{name}, which has no schema", mend="name its parameters")
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise InputError(f"tool {tool!r} takes {name} by position only", mend="arguments are given by name: take out the /")
    if default is None and hint is not Any:
        hint = hint | None
    try:
        msgspec.json.decode(b"null", type=hint | None if hint is not Any else Any)
    except (TypeError, msgspec.ValidationError):
        hint = Any  # no type that a record can check (two kinds of object, a function): the tool itself has to
    if default is inspect.Parameter.empty:
        return (name, hint)
    return (name, hint | msgspec.UnsetType if hint is not Any else Any, msgspec.UNSET)


def _parameters(arguments: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of the arguments; one whose type has none is left open, and the others keep theirs."""
    try:
        return _schema_of(arguments)
    except TypeError:
        parts = {one.name: _one_field(one) for one in msgspec.structs.fields(arguments)}
    required = [one.encode_name for one in msgspec.structs.fields(arguments) if one.required]
    made: dict[str, Any] = {"type": "object", "required": required, "additionalProperties": False}
    made["properties"] = {name: part["properties"][name] if part else {} for name, part in parts.items()}
    defs = {name: one for part in parts.values() for name, one in part.get("$defs", {}).items()}
    return made | {"$defs": defs} if defs else made


def _one_field(one: Any) -> dict[str, Any]:
    try:
        return _schema_of(msgspec.defstruct("argument", [(one.name, one.type)]))
    except TypeError:
        return {}


def _schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    whole = msgspec.json.schema(kind)
    defs = dict(whole["$defs"])
    made: dict[str, Any] = defs.pop(kind.__name__)
    return made | {"$defs": defs} if defs else made


def find_tools(members: Iterable[Any]) -> dict[str, Tool]:
    """The marked functions among a module's members, by name; a name twice is an InputError."""
    found: dict[str, Tool] = {}
    for act in members:
        if not callable(act) or not hasattr(act, MARK):
            continue
        made = make_tool(act)
        if made.name in found and found[made.name].act is not act:
            raise InputError(f"two tools are named {made.name!r}", mend='give one of them @tool(name="…")')
        found[made.name] = made
    return found
