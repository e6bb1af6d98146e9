"""The sentence of a suite's health: what its cases still tell, and what to do about it first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.health import Health


def health_says(found: Health) -> str:
    """One sentence; clauses are parted by semicolons."""
    return "; ".join(_clauses(found)) + "."


def _clauses(found: Health) -> Iterator[str]:
    stage = found.stage
    yield f"stage {stage.stage} with {count(stage.cases, 'case')}"
    states = found.states
    settled = [f"{states[state]} always {word}" for state, word in (("saturated", "passing"), ("dead", "failing")) if states[state]]
    if settled:
        yield f"tell nothing more: {', '.join(settled)}"
    if states["flaky"]:
        yield f"{count(states['flaky'], 'passes', 'pass')} sometimes in a setup that stayed the same"
    if found.compared:
        yield f"setups differ at {found.telling} of {found.compared}"
    if states["untried"] + states["too_few"] == stage.cases:
        yield "too few trials to say more"
    if found.spills:
        yield f"answers reached agents in {listed(list(dict.fromkeys(spill.case for spill in found.spills)), 5)}: mend that first"
    if found.ambiguous:
        yield f"people disagree what is right in {listed([one.case for one in found.ambiguous], 5)}: settle that first"
