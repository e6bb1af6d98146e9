"""Who a name means: one person however it is spelt, and whether a rater is a person at all.

Everything that counts people asks here, so that nobody is two of them. Kept out: what people said (`label.py`, `rating.py`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

HUMAN = "human"
_COLON = re.compile("[:\uff1a\ufe13\ufe55]")
_PREFIX = re.compile("^(?:human ?: ?)+(?=.)")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What no page shows (Unicode's Default_Ignorable_Code_Point); other control, format and private characters go by their category."""


@lru_cache(maxsize=4096)
def person_of(name: str) -> str:
    """The name as it is compared: capitals, width, spaces, characters that nobody sees and `human:` before it make nobody
    another person."""
    for _ in range(2):  # once more, for what folding brings out
        name = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _seen(name)).casefold())
    return _PREFIX.sub("", " ".join(name.split()), count=1)


def _seen(name: str) -> str:
    shown = _UNSEEN.sub("", name)
    return "".join(char for char in shown if char.isspace() or unicodedata.category(char)[0] != "C")


def why_no_name(name: str) -> str | None:
    """Why nobody can be called so; None for a name. A control character shows on no page as what it is, so it is in no name."""
    if any(unicodedata.category(char) == "Cc" for char in name):
        return "a name has no control characters"
    return None if person_of(name) else "that is no name"


@lru_cache(maxsize=4096)
def human(rater: str) -> bool:
    """Whether a rater of this name is a person: `human`, or `human:NAME` in any spelling of it."""
    return person_of(_COLON.split(rater, maxsplit=1)[0]) == HUMAN


def name_in(rater: str) -> str:
    """`human:Ann` is Ann; `human` alone, of whom no name is known, is called so."""
    return _COLON.split(rater, maxsplit=1)[-1].strip()


@lru_cache(maxsize=4096)
def rater_key(rater: str) -> str:
    """What one rater is told from another by: a person by `person_of`, a judge by its name as it stands."""
    if not human(rater):
        return rater
    return f"{HUMAN}:{person_of(name_in(rater))}" if _COLON.search(rater) else HUMAN
