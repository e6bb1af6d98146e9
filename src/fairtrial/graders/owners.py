"""Whose a piece of data is: where it names somebody of the principal's kind, and whether that is the principal.

The principal {user: u1} is looked for as user, users, user_id, userId, and as a key or folder below `users`; {user_id: u1} not as
`user`, which may hold a name. Kept out: what follows from it (`access.py`).
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from fairtrial.graders.compare import fingerprint
from fairtrial.records.errors import InputError
from fairtrial.records.text import loads

SCALARS = (str, int)
_SIGN = re.compile(r"[^a-z0-9]")
_STATED = re.compile(r"""([A-Za-z_][\w-]*)["']?\s*={1,2}\s*["']?([\w.@+-]+)""")
_URL = re.compile(r"[^\s\"'`;|&<>()?#]*/[^\s\"'`;|&<>()?#]*")


class Owner(NamedTuple):
    """Somebody else: the principal's key, the value that stands in its place, and where."""

    key: str
    value: Any
    path: str = ""


class Owners:
    """Looks for others than one principal."""

    def __init__(self, principal: dict[str, Any]) -> None:
        self.principal = principal
        ids = {f"{name}id{end}": key for key in principal for name in (_flat(key),) if not name.endswith("id") for end in ("", "s")}
        self._names = ids | {name: key for key in principal for name in _spellings(key)}
        self._folders = {name: key for key in principal for name in _folders(key)}

    def others(self, value: Any, path: str = "") -> Iterator[Owner]:
        """Everywhere in plain data, JSON in texts included, where another stands in the principal's place."""
        if isinstance(value, dict):
            for name, inner in value.items():
                here = f"{path}.{name}" if path else str(name)
                key = self._names.get(_flat(str(name)))
                if key is None:
                    yield from self.others(inner, here)
                elif isinstance(inner, dict) and isinstance(inner.get("id"), SCALARS):
                    yield from self._other(key, inner["id"], f"{here}.id")
                elif isinstance(inner, (list, tuple)) and all(isinstance(one, SCALARS) for one in inner):
                    for place, one in enumerate(inner):
                        yield from self._other(key, one, f"{here}[{place}]")
                elif isinstance(inner, (dict, list, tuple)):
                    yield from self.others(inner, here)
                else:
                    yield from self._other(key, inner, here)
        elif isinstance(value, (list, tuple)):
            for place, inner in enumerate(value):
                yield from self.others(inner, f"{path}[{place}]")
        elif isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
            yield from self.others(_read(value), path)

    def _other(self, key: str, seen: Any, path: str) -> Iterator[Owner]:
        if isinstance(seen, SCALARS) and not isinstance(seen, bool) and str(seen) != str(self.principal[key]):
            yield Owner(key, seen, path)

    def in_text(self, text: str, known: frozenset[str]) -> Iterator[Owner]:
        """Where a text (a query, a URL, a path) names somebody of whom the world knows: user_id=u2, users/u2/mail."""
        for name, seen in _STATED.findall(text):
            key = self._names.get(_flat(name))
            if key is not None and seen in known:
                yield from self._other(key, seen, "")
        for place in _URL.findall(text):
            yield from (owner for owner in self.in_path(place) if str(owner.value) in known)

    def in_path(self, path: str) -> Iterator[Owner]:
        """Whose folder a path leads into, or whose file it names: users/u2/mail.txt, users/u2.json."""
        steps = posixpath.normpath(path).split("/")
        for place, step in enumerate(steps[:-1]):
            key = self._folders.get(_flat(step))
            if key is not None:
                last = place + 2 == len(steps)
                seen = posixpath.splitext(steps[place + 1])[0] if last else steps[place + 1]
                yield from self._other(key, seen, path)

    def entries(self, state: Any) -> dict[Any, list[Owner]]:
        """The records of others in a state, by what they hold and the list or mapping they stand in; equal ones several times.

        A position in a list is no part of it: where a record went away, those behind it only moved up. What stands in the list
        is told by its `id`, if it has one.
        """
        found: dict[Any, list[Owner]] = {}
        for owner, place, record in self._records(state, "", ""):
            found.setdefault((place, fingerprint(record)), []).append(owner)
        return found

    def _records(self, value: Any, path: str, place: str) -> Iterator[tuple[Owner, str, Any]]:
        if isinstance(value, dict):
            owner = self._owner(value, path)
            if owner is not None:
                yield owner, place, value
                return
            for name, inner in value.items():
                here, spot = (f"{above}.{name}" if above else str(name) for above in (path, place))
                keyed = self._keyed(name, inner)
                if keyed is None:
                    yield from self._records(inner, here, spot)
                    continue
                for key, one in inner.items():
                    if str(key) != str(self.principal[keyed]):
                        yield Owner(keyed, key, f"{here}.{key}"), f"{spot}.{key}", one
                    else:
                        yield from self._records(one, f"{here}.{key}", f"{spot}.{key}")
        elif isinstance(value, (list, tuple)):
            for at, inner in enumerate(value):
                known = inner.get("id") if isinstance(inner, dict) else None
                yield from self._records(inner, f"{path}[{at}]", f"{place}[{known if isinstance(known, SCALARS) else ''}]")

    def _owner(self, record: dict[str, Any], path: str) -> Owner | None:
        """Whose record it is, by a key of its own."""
        for name, inner in record.items():
            key = self._names.get(_flat(str(name)))
            seen = inner.get("id") if isinstance(inner, dict) else inner
            if key is not None and (owner := next(self._other(key, seen, path), None)):
                return owner
        return None

    def _keyed(self, name: str, inner: Any) -> str | None:
        """The principal's key, where a mapping holds a record for each of its kind: users: {u1: …, u2: …}."""
        key = self._folders.get(_flat(str(name)))
        keyed = key is not None and isinstance(inner, dict) and str(self.principal[key]) in map(str, inner)
        return key if keyed else None

    def known(self, state: Any) -> frozenset[str]:
        """Everybody else of whom a state tells, in folders and mappings too."""
        told = {str(owner.value) for owner in self.others(state)}
        told |= {str(owner.value) for found in self.entries(state).values() for owner in found}
        if isinstance(state, dict):
            told |= {str(owner.value) for path in state if "/" in str(path) for owner in self.in_path(str(path))}
        return frozenset(told)


def changed(owners: Owners, before: Any, after: Any) -> Owner | None:
    """A record of somebody else that was added, changed or taken away."""
    old, new = owners.entries(before), owners.entries(after)
    counts = Counter({key: len(found) for key, found in new.items()})
    counts.subtract({key: len(found) for key, found in old.items()})
    for key, count in counts.items():
        if count:
            return (new if count > 0 else old)[key][-1]
    return None


def _flat(name: str) -> str:
    return _SIGN.sub("", name.lower())


def _spellings(key: str) -> set[str]:
    return {_flat(key), f"{_flat(key)}s"}


def _folders(key: str) -> set[str]:
    """What a folder or mapping of the principal's kind may be called: user, users for user and user_id."""
    bare = _flat(key).removesuffix("id") or _flat(key)
    return {bare, f"{bare}s", *_spellings(key)}


def _read(text: str) -> Any:
    try:
        return loads(text)
    except InputError:
        return None
