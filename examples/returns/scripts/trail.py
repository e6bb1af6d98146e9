"""What a role finds in the trail of its calls: {tool, args, and result or failed}."""

from typing import Any

Told = dict[str, Any]
Step = dict[str, Any]
WRITES = ("create_ticket", "withdraw_ticket")


def ask(trail: list[Step], tool: str, **args: Any) -> tuple[Any, Told | None]:
    """What a call said, and no move; else the move to make: call, call once more after a failure, then give up."""
    tried = [step for step in trail if (step["tool"], step["args"]) == (tool, args)]
    if tried and "result" in tried[-1]:
        return tried[-1]["result"], None
    if len(tried) < 2:
        return None, {"calls": [(tool, args)]}
    return None, {"stage": "failed", "about": {"what": tool}}


def since_write(trail: list[Step]) -> tuple[list[Step], list[Step]]:
    """The writes so far, and what was seen after the last of them. What was read before a write may no longer be so."""
    places = [place for place, step in enumerate(trail) if step["tool"] in WRITES]
    return [trail[place] for place in places], trail[places[-1] + 1 :] if places else trail
