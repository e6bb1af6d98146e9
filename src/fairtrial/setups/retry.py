"""One agent with limited retries.

Whether to try again is decided by the setup's own check, `until(brief, answer, trace)`, which sees what the agent sees and
never a grade. All attempts draw on the trial's one budget.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from fairtrial.records.errors import OverBudget

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.records.case import Brief
    from fairtrial.setups.agent import Agent, InnerDesk


class RetryAgent:
    """Runs `agent` up to `attempts` times; without `until` an attempt is accepted unless it raised."""

    def __init__(self, agent: Agent, attempts: int, until: Callable[..., Any] | None) -> None:
        self.inner = agent
        self._attempts = attempts
        self._until = until
        self.is_sync = agent.is_sync and not inspect.iscoroutinefunction(until)

    def answer(self, brief: Brief, desk: InnerDesk) -> Any:
        return self._answer_sync(brief, desk) if self.is_sync else self._answer_async(brief, desk)

    def _answer_sync(self, brief: Brief, desk: InnerDesk) -> Any:
        answer: Any = None
        for attempt in range(1, self._attempts + 1):
            desk.attempt = attempt
            error = None
            try:
                answer = self.inner.answer(brief, desk)
            except OverBudget:
                raise
            except Exception as raised:  # noqa: BLE001 - a crashed attempt is one that is tried again
                error = raised
            accepted = error is None and (self._until is None or bool(self._until(brief, answer, desk.trace_objects())))
            if self._settled(desk, attempt, accepted, (answer, error)):
                break
        return answer

    async def _answer_async(self, brief: Brief, desk: InnerDesk) -> Any:
        answer: Any = None
        for attempt in range(1, self._attempts + 1):
            desk.attempt = attempt
            error = None
            try:
                answer = self.inner.answer(brief, desk)
                answer = await answer if inspect.isawaitable(answer) else answer
            except OverBudget:
                raise
            except Exception as raised:  # noqa: BLE001 - a crashed attempt is one that is tried again
                error = raised
            accepted = error is None
            if accepted and self._until is not None:
                content = self._until(brief, answer, desk.trace_objects())
                accepted = bool(await content if inspect.isawaitable(content) else content)
            if self._settled(desk, attempt, accepted, (answer, error)):
                break
        return answer

    def _settled(self, desk: InnerDesk, attempt: int, accepted: bool, ended: tuple[Any, Exception | None]) -> bool:
        answer, error = ended
        last = accepted or attempt == self._attempts
        desk.retried(attempt, accepted, answer)
        if last and error is not None:
            raise error
        return last
