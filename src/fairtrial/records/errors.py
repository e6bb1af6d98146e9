"""What goes wrong, said so that it can be mended.

Every error a person sees tells the place, the value seen, what was allowed and the mend.
Kept out: how a failed trial is classed (`trial.py`) and what a failed check means (`failure.py`).
"""

from __future__ import annotations

from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class FairtrialError(Exception):
    """An error with its place and mend; `exit_code` is what the command line ends with."""

    exit_code = 2

    def __init__(
        self, what: str, *, place: str | None = None, value: object = None, allowed: str | None = None, mend: str | None = None
    ) -> None:
        super().__init__(what)
        self.what = what
        self.place = place
        self.value = value
        self.allowed = allowed
        self.mend = mend

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.what}" if self.place else self.what]
        if self.value is not None:
            lines.append(f"  seen: {self.value!r:.300}")
        if self.allowed:
            lines.append(f"  allowed: {self.allowed}")
        if self.mend:
            lines.append(f"  mend: {self.mend}")
        return "\n".join(lines)


class InputError(FairtrialError):
    """Bad input or usage: exit 2, nothing was run."""


class InputErrors(InputError):
    """Every error of a load at once, so that one edit can mend them all."""

    def __init__(self, errors: Iterable[FairtrialError]) -> None:
        self.errors = list(errors)
        count = len(self.errors)
        super().__init__(f"{count} error{'s' if count > 1 else ''} in the input; nothing was loaded")

    def __str__(self) -> str:
        return "\n".join([*(str(error) for error in self.errors), self.what])


class InvalidExperiment(FairtrialError):
    """The experiment cannot be read as one: an unfair match, or a fault of the harness or of a grader (exit 4)."""

    exit_code = 4


class StoreError(FairtrialError):
    """The store cannot be reached or is newer than this program."""


class Unwritable(FairtrialError):
    """Standard output takes nothing more: what was to be said is lost, and neither a zero nor a block may stand for it."""

    exit_code = 4


class ToolFailed(Exception):
    """A tool answered with a failure. `kind` is `failed`, `timeout` or `malformed`."""

    def __init__(self, message: str, kind: str = "failed") -> None:
        super().__init__(message)
        self.kind = kind


class Refused(Exception):
    """A call was not allowed (rights, approval, arguments) and never reached the world."""

    kind = "refused"


class OverBudget(Exception):
    """The trial's one budget would have been passed; nothing was spent by this call and the trial is over."""

    kind = "over_budget"

    def __init__(self, message: str, limit: str = "") -> None:
        super().__init__(message)
        self.limit = limit


class ProviderOutage(Exception):
    """A model or service outside could not be reached: the provider's fault, not the agent's. An agent may raise it."""


class ReplayBroken(Exception):
    """What was recorded of a trial cannot be done again as it was: a fault of the harness, never of the agent."""


class MalformedAnswer(Exception):
    """The agent's last word is no answer. The trial ends as malformed."""


class Deadline(BaseException):
    """The trial's time is up. Not an Exception, so that an agent's `except Exception` does not swallow it."""


@contextmanager
def placed(place: str | None) -> Iterator[None]:
    """Whatever goes wrong within, and tells no place of its own, is told to have gone wrong there."""
    try:
        yield
    except FairtrialError as error:
        error.place = error.place or place
        raise


def nearest(word: str, allowed: Iterable[str]) -> str | None:
    """The closest allowed word, or None where nothing comes near."""
    found = get_close_matches(word, list(allowed), n=1, cutoff=0.6)
    return found[0] if found else None


def unknown_key(key: str, allowed: Iterable[str], *, place: str, value: Any = None) -> InputError:
    """The error for a key that does not exist, naming the nearest one that does."""
    names = sorted(allowed)
    near = nearest(key, names)
    mend = f"did you mean {near!r}?" if near else "remove it, or move it to where it belongs"
    return InputError(f"unknown key {key!r}", place=place, value=value, allowed=", ".join(names), mend=mend)


def unknown_name(what: str, value: str, known: Iterable[str], *, place: str | None = None, mend: str | None = None) -> InputError:
    """The error for a name that nothing goes by, naming the nearest one that is there; `mend` says what helps where none is near."""
    names = list(known)
    near = nearest(value, names)
    told = f"did you mean {near!r}?" if near else mend
    return InputError(what, place=place, value=value, allowed=", ".join(names), mend=told)
