"""The sums over the run trials of one setup. What they mean is said in the stages; here they are only held.

Kept out: the slots of single trials (`lane.py`).
"""

from __future__ import annotations

from collections import Counter

import msgspec


class Counts(msgspec.Struct):
    """Sums over the run trials of one setup. Each of `cards` and `subtasks` counts by name [-, PASS, FAIL, UNKNOWN]."""

    errors: int = 0
    declined: int = 0
    handed_over: int = 0
    over_budget: int = 0
    ungraded: int = 0
    grader_faults: int = 0
    severe: int = 0
    not_applicable: int = 0
    steps: int = 0
    retries: int = 0
    endings: Counter[str] = msgspec.field(default_factory=Counter)
    failure_kinds: Counter[str] = msgspec.field(default_factory=Counter)
    cards: dict[str, list[int]] = {}
    subtasks: dict[str, list[int]] = {}
    handoffs: dict[str, dict[int, list[int]]] = {}
    """By hand-off and row of the case [-, held, lost, UNKNOWN]."""
    chains: dict[int, list[int]] = {}
    """By row the trials by the verdict over all their hand-offs together."""
    tool_args: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Calls with valid arguments, and all calls."""
    efficiency: float = 0.0
    """Sum of required ÷ used steps over the `efficiency_of` passed trials that have both."""
    efficiency_of: int = 0
    met: Counter[int] = msgspec.field(default_factory=Counter)
    """Failures of tools that were met and of which it is known what came of them, by row; of these `recovered` were handled."""
    recovered: Counter[int] = msgspec.field(default_factory=Counter)
    met_undecided: int = 0
    """Trials that met a failure of which nobody knows what came of it."""
    came_of_it: Counter[str] = msgspec.field(default_factory=Counter)
    """Failures of tools by what came of them (`records/remark.py`)."""
    unfired: int = 0
    """Planned faults that never came."""
    remarks: dict[str, list[int]] = {}
    """Process findings by name: trials that have one, and findings."""
