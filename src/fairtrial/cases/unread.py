"""Keys that nobody reads in the company they stand in, such as `seconds` beside a fault that takes no time.

What is written and not read would be another test than its author had in mind, so it is an error of the load. Kept out: keys
that do not exist (`strict.py`), and plans that are read and can never come (`lint_plans.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from fairtrial.records.errors import InputError, nearest
from fairtrial.records.trace import BROKEN, SPOILED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.cases.forms import CaseForm
    from fairtrial.cases.rows import Row
    from fairtrial.records.setup import SetupForm

READ_BY = {"result": SPOILED, "message": BROKEN, "seconds": ("slow",)}
"""What may stand beside some faults only -> the faults that read it."""
WAYS = {"command": ("command",), "http": ("http", "headers")}
"""How an agent outside Python is reached -> the keys that this way reads."""


def unread_in_faults(form: CaseForm, row: Row) -> Iterator[InputError]:
    """Of the planned faults: an answer, a message or a delay that the fault has no use for."""
    for place, fault in enumerate(form.faults):
        allowed = ["tool", "call", "fault", *(key for key, readers in READ_BY.items() if fault.fault in readers)]
        for key, readers in READ_BY.items():
            value = getattr(fault, key)
            if value is not UNSET and fault.fault not in readers:
                yield InputError(
                    f"faults[{place}]: the fault {fault.fault!r} does not read {key!r}",
                    place=row.place("faults", place, key),
                    value=value,
                    allowed=", ".join(allowed),
                    mend=f"remove {key}, or plan {' or '.join(readers)}",
                )


def unread_in_agent(name: str, setup: SetupForm, row: Row) -> Iterator[InputError]:
    """Of an agent that is reached by a command or over HTTP: a key that this way in does not read."""
    way = next((way for way in WAYS if way in setup.agent), None)
    if isinstance(setup.agent, str) or way is None:
        return
    for key, value in setup.agent.items():
        if key not in WAYS[way]:
            near = nearest(key, WAYS[way])
            yield InputError(
                f"the agent of {name!r} is reached by {way!r}, which does not read {key!r}",
                place=row.place("setups", name, "agent", key),
                value=value,
                allowed=", ".join(WAYS[way]),
                mend=f"did you mean {near!r}?" if near else f"remove {key}",
            )
