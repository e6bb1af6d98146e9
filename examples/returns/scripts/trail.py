"""What a role finds in the trail of its calls: {tool, args, and result or failed}."""

from typing import Any

Told = dict[str, Any]
Step = dict[str, Any]
WRITES = ("create_ticket", "withdraw_ticket", "put_in_cart")


def ask(trail: list[Step], tool: str, **args: Any) -> tuple[Any, Told | None]:
    """What a call said, and no move; else the move to make: call, call once more after a failure, then give up."""
    tried = [step for step in trail if (step["tool"], step["args"]) == (tool, args)]
    if tried and "result" in tried[-1]:
        return tried[-1]["result"], None
    if len(tried) < 2:
        return None, {"calls": [(tool, args)]}
    return None, {"stage": "failed", "about": {"what": tool}}


def since_write(trail: list[Step]) -> tuple[bool, list[Step]]:
    """Whether anything may have been written, and what was seen since. A call that ran out of time may have written all the same."""
    places = [place for place, step in enumerate(trail) if step["tool"] in WRITES and step.get("failed") in (None, "timeout")]
    return bool(places), trail[places[-1] + 1 :] if places else trail
