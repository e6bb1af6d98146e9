"""SKELETON."""

from __future__ import annotations


def find_store(start: str, given: str | None = None) -> str:
    """The store's URL: `given` (--store), else FAIRTRIAL_STORE, else `.fairtrial/store.db` in `start` (a suite's file or folder)
    or the nearest folder above that has one, else the one to be made in `start`."""
    raise NotImplementedError
