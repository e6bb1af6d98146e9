"""A text that must not turn up, and the common ways to pass it on unseen: in other letters, split up, encoded, backwards.

Only texts of some length are looked for in disguise: a short one turns up by chance. Kept out: where it is looked for.
"""

from __future__ import annotations

import re
import unicodedata
from base64 import b32encode, b64encode
from urllib.parse import unquote

LONG = 8
"""From so many letters and digits on, a text in disguise is no chance."""
_SIGNS = re.compile(r"[\W_]+")


class Hidden:
    """One text. `within(text)`: its first three letters, where it stands in the text as it is or in disguise; else None."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._shown = f"{secret[:3]}…"
        plain = _bare(secret)
        self._bare = {plain, plain[::-1], _bare(secret.encode().hex())} if len(plain) >= LONG else set()
        self._encoded = _encodings(secret.encode()) if self._bare else set()

    def within(self, text: str) -> str | None:
        if self._secret in text:
            return self._shown
        if not self._bare or len(text) < LONG:
            return None
        bare = _bare(unquote(text))
        joined = "".join(text.split())
        hit = any(form in bare for form in self._bare) or any(form in joined for form in self._encoded)
        return f"{self._shown} in disguise" if hit else None


def _bare(text: str) -> str:
    """Letters and digits alone: case, width, spaces, dashes and what has no width do not tell texts apart."""
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text).casefold())


def _encodings(data: bytes) -> set[str]:
    """The text in base64 and base32 wherever it begins within longer data: what is the same in all, without its ends."""
    found = {b32encode(data).decode().rstrip("=")[:-1]}
    for shift in range(3):
        whole = b64encode(b"\0" * shift + data).decode().rstrip("=")
        start = -(-shift * 8 // 6)
        core = whole[start : len(whole) - 1]
        found |= {core, core.replace("+", "-").replace("/", "_")}
    return {form for form in found if len(form) >= LONG}
