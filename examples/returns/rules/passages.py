"""Which of the shop's rules answer a question: by the words that they share."""

import re
from typing import Any

WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")


def rank(question: str, passages: list[dict[str, Any]], most: int = 2) -> list[str]:
    """The ids of the passages that fit, the best first; those that share nothing are left out."""
    said = question.lower()
    latin = set(WORD.findall(said))
    scores = {passage["id"]: sum(_said(word, said, latin) for word in passage["words"].split()) for passage in passages}
    fitting = sorted((name for name, score in scores.items() if score), key=lambda name: (-scores[name], name))
    return fitting[:most]


def _said(word: str, said: str, latin: set[str]) -> bool:
    return word in latin if word.isascii() else word in said
