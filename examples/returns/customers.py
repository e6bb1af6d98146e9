"""Two models that play the customer of `goodbyes.yaml`, without a network. They differ in one thing: whether they ever stop.

A model of a customer gets the talk as messages, the last one being what the assistant shows, and returns {message, should_end}.
"""

import json
from typing import Any

ANSWERS = {"reasons": "It is too small.", "confirm": "Yes."}
THANKS = ("Thank you!", "Bye!", "You are the best. Thanks again!")


def first(messages: list[dict[str, str]]) -> dict[str, Any]:
    """Answers what it is asked and thanks for everything else. It was never told when it is done."""
    shown = json.loads(messages[-1]["content"]).get("assistant_shows", {})
    return {"message": ANSWERS.get(shown.get("card")) or THANKS[len(messages) // 2 % len(THANKS)], "should_end": False}


def second(messages: list[dict[str, str]]) -> dict[str, Any]:
    """The same, and its first thanks are its last."""
    turn = first(messages)
    return {**turn, "should_end": turn["message"] in THANKS}
