"""What a reward of tau2 is made of, as grades: the end state, what was said, the calls made.

Only the parts that the reward rests on (`reward_basis`) say anything about the outcome; the others are kept as observations
of the process, so that no card contradicts the verdict. Kept out: the verdict itself (`tau2.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.exchange.verdicts import graded
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairtrial.records.grade import Grade

_SHOWN = 120


class DbCheck(msgspec.Struct):
    db_match: bool | None = None


class Action(msgspec.Struct):
    action_id: str = ""
    name: str = ""
    arguments: Any = None


class ActionCheck(msgspec.Struct):
    action: Action = msgspec.field(default_factory=Action)
    action_match: bool | None = None


class Told(msgspec.Struct):
    """A check of what was communicated (info), or an assertion in words (nl_assertion), or on the environment."""

    info: str = ""
    nl_assertion: str = ""
    env_assertion: Any = None
    met: bool | None = None
    justification: str | None = None


class RewardInfo(msgspec.Struct):
    reward: float | None = None
    db_check: DbCheck | None = None
    action_checks: list[ActionCheck] | None = None
    communicate_checks: list[Told] | None = None
    nl_assertions: list[Told] | None = None
    env_assertions: list[Told] | None = None
    reward_basis: list[str] | None = None


def reward_grades(reward: RewardInfo | None) -> list[Grade]:
    """A grade for each part that was evaluated; none for parts that the file leaves out."""
    return [] if reward is None else list(_parts(reward))


def _parts(reward: RewardInfo) -> Iterator[Grade]:
    if reward.db_check is not None and reward.db_check.db_match is not None:
        yield _part(reward, "DB", "db_check", reward.db_check.db_match, kind="wrong_state", why="the end state of the database")
    for told in reward.env_assertions or ():
        yield _part(reward, "ENV_ASSERTION", f"env_assertion: {_short(told.env_assertion)}", told.met, kind="wrong_state")
    for told in reward.communicate_checks or ():
        yield _part(reward, "COMMUNICATE", f"communicates {_short(told.info)}", told.met, why=told.justification or "", expected=told.info)
    for told in reward.nl_assertions or ():
        name = f"nl_assertion: {_short(told.nl_assertion)}"
        yield _part(reward, "NL_ASSERTION", name, told.met, why=told.justification or "", source="judge")
    for check in reward.action_checks or ():
        action = check.action
        name = f"action {action.action_id}: {action.name}"
        expected = {"name": action.name, "arguments": action.arguments}
        yield _part(reward, "ACTION", name, check.action_match, why="a call of the reference", expected=expected)


def _part(reward: RewardInfo, basis: str, check: str, held: bool | None, **more: Any) -> Grade:
    verdict = Verdict.UNKNOWN if held is None else Verdict.PASS if held else Verdict.FAIL
    counts = reward.reward_basis is None or basis in reward.reward_basis
    if not counts:
        more["severity"] = "minor"
        more["why"] = f"{more.get('why', '')}; not part of this reward".lstrip("; ")
    return graded(check, verdict, card="outcome" if counts and basis != "ACTION" else "process", **more)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
