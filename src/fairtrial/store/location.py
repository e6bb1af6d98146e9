"""Where the store is: named by a URL, a variable, or found beside the suite. Kept out: what is in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from fairtrial.records.errors import StoreError

if TYPE_CHECKING:
    from fairtrial.store.sqlite import SQLite

VARIABLE = "FAIRTRIAL_STORE"
FOLDER = ".fairtrial"
FILE = "store.db"


def find_store(start: str | os.PathLike[str] = ".", given: str | None = None, environment: dict[str, str] | None = None) -> str:
    """The store's URL or path: `given` (--store), else FAIRTRIAL_STORE, else `.fairtrial/store.db` beside `start` (a suite's
    file or folder) or in the nearest folder above that has one, else the one that will be made beside `start`."""
    named = given or (os.environ if environment is None else environment).get(VARIABLE)
    if named:
        return named
    place = os.path.abspath(start)
    beside = place if os.path.isdir(place) else os.path.dirname(place)
    folder = beside
    while True:
        found = os.path.join(folder, FOLDER, FILE)
        if os.path.isfile(found):
            return found
        above = os.path.dirname(folder)
        if above == folder:
            return os.path.join(beside, FOLDER, FILE)
        folder = above


def open_face(url: str | os.PathLike[str], *, create: bool = True) -> SQLite:
    """The database behind a URL. Raises StoreError for one that is not known here."""
    from fairtrial.store.sqlite import SQLite

    return SQLite(file_of(url), create=create)


def file_of(url: str | os.PathLike[str]) -> str:
    """The file of `sqlite:///FILE` (`sqlite:////FILE` from the root) or of a bare path. Raises StoreError for other kinds."""
    text = os.fspath(url)
    scheme, mark, rest = text.partition("://")
    if not mark:
        path = text
    elif scheme.lower() == "sqlite" and rest.startswith("/"):
        path = unquote(rest[1:])
    else:
        raise _unknown(text, scheme)
    if not path or path == ":memory:" or "\0" in path:
        raise StoreError("a store must be a file, since several processes share it", value=text, mend="name one: sqlite:///FILE")
    return path


def _unknown(url: str, scheme: str) -> StoreError:
    seen: Any = f"{scheme}://…" if "@" in url else url  # a URL may hold a password
    return StoreError("this kind of store is not known here", value=seen, allowed="sqlite:///FILE, or a path")
