"""Values that must never be stored nor shown to a model: what they are for a suite, and that a store knows them.

Kept out: how they are covered (`store/redact.py`).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from fairtrial.records.text import encode, plain
from fairtrial.store.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fairtrial.records.case import Case
    from fairtrial.records.setup import Setup
    from fairtrial.records.suite import Suite
    from fairtrial.store.sql import Store

SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL")


def known_secrets(suite: Suite, cases: Iterable[Case]) -> list[str]:
    """Values that must never be stored: headers, the suite's environment, secret-looking variables, the cases' own secrets."""
    found = [value for case in cases for value in case.key.secrets]
    for setup in suite.setups.values():
        found += _setup_secrets(setup)
    found += [os.environ[name] for name in suite.env if name in os.environ]
    found += [value for name, value in os.environ.items() if any(word in name.upper() for word in SECRET_NAMES)]
    return sorted({value for value in found if len(value) >= 6}, key=len, reverse=True)


def _setup_secrets(setup: Setup) -> Iterator[str]:
    yield from setup.env.values()
    if isinstance(setup.agent, dict):
        for name, value in setup.agent.get("headers", {}).items():
            if name.lower() not in ("content-type", "accept", "user-agent"):
                yield value
                yield from value.split()


def keep_secret(store: Store, suite: Suite, cases: Iterable[Case]) -> None:
    """From now on the store covers what is known to be secret in these cases as well."""
    store.redactor = Redactor([*store.redactor.known, *known_secrets(suite, cases)])


def cover_of(store: Store) -> Callable[[Any], Any]:
    """Covers plain data as the store does it at that moment; what holds no secret is the same object."""

    def cover(value: Any) -> Any:
        return store.redactor.redact(plain(value)) if store.redactor.suspects(encode(value)) else value

    return cover
