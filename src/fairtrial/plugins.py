"""A name in a file, opened: "module:name" becomes the object it names, or a clear error.

Importing runs the user's code, so whatever that code raises, even an exit, becomes an error that tells what was looked for.
What the object must be able to do is checked by whoever asks for it. A name that stands in a case, which may come from
anywhere, opens nothing but functions of the suite's own (`load_own`).
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
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
        raise InputError(told, place=_where(error), value=target, mend=_import_mend(error, module_name, name)) from error
    try:
        return getattr(module, name)
    except AttributeError:
        near = nearest(name, vars(module))
        mend = f"did you mean {module_name}:{near}?" if near else f"write {name} there, or name what is there"
        own = [key for key, found in vars(module).items() if getattr(found, "__module__", None) == module_name and key[0] != "_"]
        told = f"{what}: module {module_name!r} has no {name!r}"
        raise InputError(told, value=target, allowed=", ".join(own[:12]) or None, mend=mend) from None


def _import_mend(error: BaseException, module: str, name: str) -> str | None:
    """Of a module that is not there the nearest that is, in the folders that this program was given last."""
    if not isinstance(error, ModuleNotFoundError) or error.name != module.partition(".")[0]:
        return "mend the module, or take what it needs in"
    near = nearest(module, [found for folder in sys.path[:2] for found in _modules(folder)])
    return f"did you mean {near}:{name}?" if near else f"write {module.replace('.', '/')}.py in the suite's folder, or install it"


def _modules(folder: str) -> list[str]:
    """The modules at the top of a folder."""
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return [name.removesuffix(".py") for name in names if name.endswith(".py")]


def load_own(target: str, folder: str, *, what: str) -> Any:
    """The function that "module:function" names, where both are written in files of `folder`. Raises InputError.

    A module of that name elsewhere (the standard library's, an installed one) is refused before it is imported, and so is a
    name that a file of the folder has only imported from elsewhere, such as `os.system`.
    """
    module_name = target.partition(":")[0]
    file = own_file(module_name, folder)
    loaded = sys.modules.get(module_name)
    if file is None or (loaded is not None and not _same_file(getattr(loaded, "__file__", None), file)):
        told = f"{what}: {module_name!r} is no module of the suite's own"
        near = nearest(module_name, _modules(folder))
        mend = f"did you mean {near}:{target.partition(':')[2]}?" if near else "write the function, or one that calls it, there"
        raise InputError(told, value=target, allowed="a file of the suite's folder", mend=mend)
    found = load(target, what=what)
    if not callable(found):
        raise InputError(f"{what}: this is no function", value=target, mend="name a function of that module")
    if not _same_file(getattr(sys.modules[module_name], "__file__", None), file) or not _within(_home(found), folder):
        told = f"{what}: the function is not written in the suite's folder"
        raise InputError(told, value=target, mend="write a function there that calls it")
    return found


def own_file(module: str, folder: str) -> str | None:
    """The file of `folder` that an import of the module would find there; None where there is none."""
    stem = os.path.join(folder, *module.split("."))
    found = next((path for path in (os.path.join(stem, "__init__.py"), f"{stem}.py") if os.path.isfile(path)), None)
    return found if found is not None and _within(found, folder) else None


def _home(found: Any) -> str:
    """The file in which a function or a class is written; empty where that cannot be told."""
    if isinstance(found, type):
        return str(getattr(sys.modules.get(found.__module__), "__file__", None) or "")
    try:
        code = getattr(inspect.unwrap(found), "__code__", None)
    except ValueError:  # it says that it wraps itself
        return ""
    return str(getattr(code, "co_filename", ""))


def _within(path: str, folder: str) -> bool:
    """Whether a file lies in the folder and not among what was installed there. Links are followed first."""
    root, real = os.path.realpath(folder), os.path.realpath(path) if path else ""
    return real.startswith(os.path.join(root, "")) and not {"site-packages", "dist-packages"} & set(real[len(root) :].split(os.sep))


def _same_file(one: str | None, two: str) -> bool:
    return one is not None and os.path.realpath(one) == os.path.realpath(two)


def _where(error: BaseException) -> str | None:
    """file:line of the last step in a file of the user's; None where the import never came to one."""
    steps = traceback.extract_tb(error.__traceback__)
    own = [step for step in steps if step.filename != __file__ and not step.filename.startswith("<frozen importlib") and step.lineno]
    return f"{own[-1].filename}:{own[-1].lineno}" if own and own[-1].filename != importlib.__file__ else None
