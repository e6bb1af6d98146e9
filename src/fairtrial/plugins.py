"""A name in a file, opened: "module:name" becomes the object it names, or a clear error.

Importing runs the user's code, so whatever that code raises, even an exit, becomes an error that tells what was looked for.
What the object must be able to do is checked by whoever asks for it.
"""

from __future__ import annotations

import importlib
import traceback
from typing import Any

from fairtrial.records.errors import InputError, nearest


def load(target: str, *, what: str) -> Any:
    """The object that "module:name" names. `what` begins every error ("setup 'team'"). Raises InputError."""
    module_name, _, name = target.partition(":")
    if not module_name or not name:
        raise InputError(f"{what} is not of the form module:name", value=target, mend='write "module:name", as in "agents:analyst"')
    try:
        module = importlib.import_module(module_name)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        told = f"{what}: importing {module_name!r} failed: {type(error).__name__}: {error}"
        raise InputError(told, place=_where(error), value=target) from error
    try:
        return getattr(module, name)
    except AttributeError:
        near = nearest(name, vars(module))
        mend = f"did you mean {module_name}:{near}?" if near else None
        raise InputError(f"{what}: module {module_name!r} has no {name!r}", value=target, mend=mend) from None


def _where(error: BaseException) -> str | None:
    """file:line of the last step in a file of the user's; None where the import never came to one."""
    steps = traceback.extract_tb(error.__traceback__)
    own = [step for step in steps if step.filename != __file__ and not step.filename.startswith("<frozen importlib") and step.lineno]
    return f"{own[-1].filename}:{own[-1].lineno}" if own and own[-1].filename != importlib.__file__ else None
