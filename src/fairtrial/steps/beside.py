"""What graders need beside a suite's files: walls for the programs of checks, and the judges, opened.

Kept out: what is graded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairtrial.steps.confined import confined
from fairtrial.steps.judges import judges_of
from fairtrial.steps.known import cover_of
from fairtrial.store.location import file_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fairtrial.graders.contract import Ask, Confine
    from fairtrial.records.case import Case
    from fairtrial.records.run import Manifest
    from fairtrial.records.suite import Suite
    from fairtrial.store.sql import Store


@dataclass(frozen=True)
class Beside:
    """`judges`: by every word that a check may call them by."""

    confine: Confine | None = None
    judges: Mapping[str, Ask] = field(default_factory=dict)
    cover: Callable[[Any], Any] | None = None


NOTHING = Beside()


def beside(suite: Suite, settings: Manifest | str, store: Store, cases: Iterable[Case] | None = None) -> Beside:
    """For a suite's cases (or those given), at a level of isolation or that of a manifest."""
    judges = judges_of(suite, suite.cases if cases is None else cases, store)
    return Beside(confined(suite, settings, file_of(store.url)), judges, cover_of(store))
