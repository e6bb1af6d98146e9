"""Tools: functions marked `@tool`, with a schema from their type hints and arguments checked at the door.

What a tool may do is declared here (`irreversible`, `outside`, `approval`); who may call it, what it costs and what is
recorded is the desk's business. A parameter named `world` is injected and is in no schema.
"""

from __future__ import annotations

import hashlib
import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, get_type_hints, overload

import msgspec

from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

F = TypeVar("F", bound="Callable[..., Any]")

MARK = "__fairtrial_tool__"
WORLD = "world"


@dataclass(frozen=True, slots=True)
class ToolMark:
    """What the decorator was told."""

    name: str | None = None
    irreversible: bool = False
    outside: bool = False
    approval: bool = False
    reads: bool = False
    writes: bool = False


class Flags(TypedDict, total=False):
    """What `@tool` may say of a tool."""

    irreversible: bool
    outside: bool
    approval: bool
    reads: bool
    writes: bool


@overload
def tool(act: F) -> F: ...
@overload
def tool(*, name: str | None = None, **flags: Unpack[Flags]) -> Callable[[F], F]: ...
def tool(act: Any = None, *, name: Any = None, **flags: Unpack[Flags]) -> Any:
    """Mark a function as a tool. The function stays an ordinary function.

    `irreversible`: cannot be taken back. `outside`: reaches a system that is not the case's world. `approval`: must be granted
    by the case before each call. A call of any of them that the case never asked for is a critical failure.
    `reads` or `writes`: it only looks at the world, or changes it. Rarely needed: a JSON world of some size and a SQLite world
    see for themselves which call changed them.
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
    is_async: bool
    takes_world: bool
    flags: tuple[str, ...] = ()
    schema: dict[str, Any] = field(default_factory=dict)
    digest: str = ""

    def bind(self, args: dict[str, Any]) -> dict[str, Any]:
        """Check `args` and return them as the function takes them.

        Raises `msgspec.ValidationError` naming the argument where one is missing, unknown or of the wrong type.
        """
        checked = msgspec.convert(args, self.arguments)
        return {name: value for name in self.arguments.__struct_fields__ if (value := getattr(checked, name)) is not msgspec.UNSET}


def make_tool(act: Callable[..., Any]) -> Tool:
    """Read a marked function's signature into a `Tool`; raises InputError for a signature that has no schema."""
    mark: ToolMark = getattr(act, MARK, ToolMark())
    name = mark.name or act.__name__
    try:
        hints = get_type_hints(act)
    except NameError as error:
        raise InputError(
            f"tool {name!r} has a type hint that cannot be read: {error}", mend="import the type at the top of the file"
        ) from None
    fields: list[Any] = []
    signature = inspect.signature(act)
    for parameter in signature.parameters.values():
        if parameter.name == WORLD:
            continue
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            raise InputError(f"tool {name!r} takes *{parameter.name}, which has no schema", mend="name its parameters")
        fields.append(_field(parameter, hints.get(parameter.name, Any)))
    fields.sort(key=lambda entry: len(entry) == 3)  # required ones first, as records want them
    arguments = msgspec.defstruct(f"{name}_arguments", fields, forbid_unknown_fields=True, kw_only=True)
    schema = _schema(name, act, arguments)
    flags = tuple(flag for flag in Flags.__annotations__ if getattr(mark, flag))
    if mark.reads and (mark.writes or mark.irreversible):
        raise InputError(f"tool {name!r} is marked as one that only reads and as one that changes something", mend="take one mark away")
    digest = hashlib.sha256(msgspec.json.encode([schema, flags], order="sorted")).hexdigest()[:16]
    return Tool(name, act, arguments, inspect.iscoroutinefunction(act), WORLD in signature.parameters, flags, schema, digest)


def _field(parameter: inspect.Parameter, hint: Any) -> tuple[Any, ...]:
    try:
        msgspec.json.decode(b"null", type=hint | None if hint is not Any else Any)
    except (TypeError, msgspec.ValidationError):
        hint = Any  # a type of the user's own: passed through, checked by the tool itself
    if parameter.default is inspect.Parameter.empty:
        return (parameter.name, hint)
    return (parameter.name, hint | msgspec.UnsetType if hint is not Any else Any, msgspec.UNSET)


def _schema(name: str, act: Callable[..., Any], arguments: type[msgspec.Struct]) -> dict[str, Any]:
    try:
        parameters = msgspec.json.schema(arguments)["$defs"][arguments.__name__]
    except TypeError:
        parameters = {"type": "object", "properties": {key: {} for key in arguments.__struct_fields__}}
    return {"name": name, "description": inspect.getdoc(act) or "", "parameters": parameters}


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
