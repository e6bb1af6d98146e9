"""Scripted judges: they read a question as a model does, and mark by a few plain words. A real one is named as `openai:NAME`.

`worldly` thinks that nobody can return what has not come yet, unless the reference says so. `always_first` names the first of two
answers, whichever that is.
"""

import re
from typing import Any

Messages = list[dict[str, str]]
PROMISES = ("tomorrow", "within the hour")


def part(messages: Messages, name: str) -> str:
    """One part of what is shown, from between its fences."""
    nonce, body = nonce_of(messages), messages[-1]["content"]
    found = re.search(rf"^\[{nonce}\] begin {name}, .*?\n(.*?)\n\[{nonce}\] end {name}$", body, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def nonce_of(messages: Messages) -> str:
    found = re.search(r"The nonce of this call is (\w+)\.", messages[-1]["content"])
    return found[1] if found else ""


def worldly(messages: Messages, schema: dict[str, Any]) -> dict[str, Any]:
    """Marks a conversation, or says which of two is better."""
    nonce = nonce_of(messages)
    if "better" in schema["properties"]:
        first, second = (grounded(part(messages, f"{place} output")) for place in ("first", "second"))
        better = "tie" if first == second else "first" if first > second else "second"
        return {"nonce": nonce, "reason": "what is said and was not known", "better": better}
    said = part(messages, "output")
    arranged, sent = "is arranged" in said, '"sent"' in part(messages, "tools")
    told = "on its way can be returned" in part(messages, "reference")
    correct = 1 if arranged and sent and not told else 5
    why = "the order has not come yet, so how can it be returned?" if correct == 1 else "as the reference says"
    marks = {"correctness": correct, "groundedness": 5 if grounded(said) else 1, "card_usage": 4}
    score = 0.5 * marks["correctness"] + 0.35 * marks["groundedness"] + 0.15 * marks["card_usage"]
    return {"nonce": nonce, "reason": why, **marks, "pass": score >= 3}


def grounded(said: str) -> bool:
    """Whether nothing is promised that no tool returned."""
    return not any(promise in said for promise in PROMISES)


def watchful(messages: Messages) -> dict[str, Any]:
    """Marks the way: whoever decides without looking has not used its tools well."""
    looked = "find_order" in part(messages, "tools")
    marks = {"reasoning_coherence": 0.9, "tool_usage_quality": 1 if looked else 0, "error_handling": 1, "output_quality": 0.8}
    passes = sum(marks.values()) / 4 >= 0.6
    notes = "it looked the order up first" if looked else "it answered without looking"
    return {"nonce": nonce_of(messages), "reasoning_notes": notes, **marks, "pass": passes}


def always_first(messages: Messages, schema: dict[str, Any]) -> dict[str, Any]:
    """A judge that is of no use: the first it sees is the best."""
    verdict = {"better": "first"} if "better" in schema["properties"] else {"helpful": 10, "pass": True}
    return {"nonce": nonce_of(messages), "reason": "it comes first", **verdict}
