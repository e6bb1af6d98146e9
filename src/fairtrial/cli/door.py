"""The door: opens the verb that was typed, and turns every way a command can end into its exit code and one message.

Kept out: what verbs do. A verb raises what is wrong; nothing below this file prints an error or leaves the process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any, TextIO

import click

from fairtrial.cli.codes import INTERRUPTED
from fairtrial.cli.guide import guide
from fairtrial.cli.out import written
from fairtrial.cli.verbs import VERBS
from fairtrial.records.errors import FairtrialError, Unwritable, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

BROKEN_PIPE = 141
"""What a program ends with that SIGPIPE kills: the reader has gone, and that is no error."""
FAULT = 4
"""An error that nobody foresaw is a fault of the harness."""


class Verbs(click.Group):
    """The group of verbs; a verb's file is imported when the verb is typed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        module, _, function = verb.place.partition(":")
        command: click.Command = getattr(import_module(f"fairtrial.cli.{module}"), function)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            near = nearest(args[0], VERBS)
            hint = f"did you mean {near!r}?" if near else "fairtrial --help lists them"
            raise click.UsageError(f"no verb {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        return guide()


group = Verbs(name="fairtrial", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})


class _Ending:
    """Whatever a command raises, as an exit code and a message on standard error; with --json, as a document as well."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.code = 0

    def __enter__(self) -> _Ending:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        if error is None:
            return True
        if isinstance(error, SystemExit):
            return False
        if isinstance(error, BrokenPipeError):
            self.code = BROKEN_PIPE
            let_go(sys.stdout)
            return True
        self.code, message = _told(error)
        if message:
            _complain(message)
        if os.environ.get("FAIRTRIAL_DEBUG") and not isinstance(error, click.ClickException):
            _complain("".join(traceback.format_exception(error)))
        if isinstance(error, Unwritable):
            let_go(sys.stdout)
        elif self.as_json and self.code not in {0, INTERRUPTED}:
            _json_error(error, self.code, message)
        return True


def _told(error: BaseException) -> tuple[int, str]:
    """The exit code of an error and what to say of it."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code, ""
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return INTERRUPTED, "interrupted"
    if isinstance(error, click.ClickException):
        return 2, _usage(error)
    if isinstance(error, FairtrialError):
        return error.exit_code, str(error)
    hint = "  this is a fault of fairtrial, not of your agents; FAIRTRIAL_DEBUG=1 shows where"
    return FAULT, f"{type(error).__name__}: {error}\n{hint}"


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    where = f"\n  {_typed(context)} --help tells more" if context and context.parent else ""
    return f"{error.format_message()}{where}"


def _typed(context: click.Context) -> str:
    """The verb as it is typed, with those that it stands under: `fairtrial judge exam`."""
    names = []
    above: click.Context | None = context
    while above is not None and above.parent is not None:
        names.append(above.info_name or "")
        above = above.parent
    return " ".join(["fairtrial", *reversed(names)])


def _json_error(error: BaseException, code: int, message: str) -> None:
    from fairtrial.records.text import dumps

    told = _parts(error) or {"what": message}
    each = [_parts(one) for one in getattr(error, "errors", ())]
    try:
        print(dumps({"error": told, **({"errors": each} if each else {}), "exit_code": code}), flush=True)
    except OSError:
        let_go(sys.stdout)


def _parts(error: BaseException | None) -> dict[str, Any]:
    fields = {name: getattr(error, name, None) for name in ("what", "place", "value", "allowed", "mend")}
    return {name: value for name, value in fields.items() if value is not None}


def _complain(message: str) -> None:
    """To standard error, harmless to a terminal; where even that is gone, nowhere."""
    from fairtrial.records.text import terminal_safe

    try:
        print(terminal_safe(message), file=sys.stderr)
    except OSError:
        let_go(sys.stderr)


def let_go(stream: TextIO | None) -> None:
    """Point a stream whose reader has gone at nothing, so that closing it says nothing either."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


@contextmanager
def _terminable() -> Iterator[None]:
    """A request to end (SIGTERM) is an interruption, so that folders and workers are cleared away before the command ends."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def enter(words: Sequence[str]) -> int:
    """Run the verb; returns the exit code."""
    with _Ending("--json" in words) as ending, _terminable():
        if not words:
            print(guide(), file=sys.stderr)
            return 2
        asks_help = not {"--help", "-h"}.isdisjoint(words)
        with written() if asks_help else nullcontext(), group.make_context("fairtrial", list(words)) as context:
            result = group.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    return ending.code
