"""The options that every verb takes, in one decorator; and the verb made into a command.

A verb is a function of an `Out` and its own arguments that returns an exit code.
"""

from __future__ import annotations

import os
from decimal import Decimal, InvalidOperation
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.out import Out
from fairtrial.records.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

LANGUAGES = ("en", "zh")


def as_path(value: str) -> str:
    """A path in the form that the system's own calls take, whatever the locale says of its encoding."""
    return os.fsdecode(value.encode("utf-8", "surrogateescape"))


def suite_or_here(suite: str | None) -> str | None:
    """The suite that was named, else the working folder where it is one, else None."""
    from fairtrial.cases.suite import FILES

    return "." if suite is None and any(map(os.path.isfile, FILES)) else suite


def needed_suite(suite: str | None, otherwise: str = "") -> str:
    """The suite that was named or is here. `otherwise` says what else could be named."""
    found = suite_or_here(suite)
    if found is None:
        raise click.UsageError(f"which suite? name a suite.yaml or the folder of one{otherwise}")
    return found


class OneOf(click.Choice[str]):
    """One of some words; another one is told as every other error is, with the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return str(super().convert(value, param, ctx))
        except click.BadParameter:
            words = [str(word) for word in self.choices]
            near = nearest(str(value), words)
            mend = f"did you mean {near!r}?" if near else "name one of these"
            raise InputError(f"{_called(param)} cannot be {value!r}", value=value, allowed=", ".join(words), mend=mend) from None


class Count(click.IntRange):
    """A whole number, 1 or more."""

    name = "number"

    def __init__(self) -> None:
        super().__init__(min=1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            what = f"{_called(param)} must be a whole number, 1 or more"
            raise InputError(what, value=value, allowed="1, 2, 3, …", mend="write the number in digits") from None


class Exact(click.ParamType[Decimal]):
    """A decimal number that fits. `what` it is, and which are `allowed`, are said in words."""

    name = "number"

    def __init__(self, what: str, allowed: str, fits: Callable[[Decimal], bool]) -> None:
        self.what = what
        self.allowed = allowed
        self.fits = fits

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        try:
            number = Decimal(value)
        except InvalidOperation:
            number = Decimal("NaN")
        if not number.is_finite() or not self.fits(number):
            raise InputError(f"{_called(param)} must be {self.what}", value=value, allowed=self.allowed, mend="write it as in 0.02")
        return number


MARGIN = Exact("a share", "from 0 to below 1", lambda share: 0 <= share < 1)
"""A loss of success rate that still counts as none."""


def _called(param: click.Parameter | None) -> str:
    """An option as it is typed, an argument as the help writes it."""
    if param is None:
        return "the value"
    return param.opts[0] if isinstance(param, click.Option) else (param.name or "").upper()


def verb(name: str) -> Callable[[Callable[..., int]], click.Command]:
    """The command of a verb; its help is the function's docstring."""

    def made(function: Callable[..., int]) -> click.Command:
        @wraps(function)
        def opened(*, as_json: bool, quiet: bool, store: str | None, lang: str | None, **own: Any) -> int:
            with Out(as_json=as_json, quiet=quiet, store=store, lang=lang) as out:
                return function(out, **own)

        return click.command(name, no_args_is_help=False)(_shared(opened))

    return made


def _shared(function: Callable[..., int]) -> Callable[..., int]:
    for option in (
        click.option("--lang", type=OneOf(LANGUAGES), help="Language of the page (else FAIRTRIAL_LANG, else en)."),
        click.option("--quiet", "-q", is_flag=True, help="No progress and no asides."),
        click.option(
            "--store", metavar="URL", type=as_path, help="FILE or sqlite:///FILE (else FAIRTRIAL_STORE, else .fairtrial/store.db)."
        ),
        click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output."),
    ):
        function = option(function)
    return function
