"""A first look at encoded JSON: may there be a secret in it at all?

Nearly no trial holds one, so this look must be cheap (about 5 µs for 1.5 KB) and may err on one side only: it says yes too
often, never no too often. What it lets through is stored as it is. Kept out: what a secret is exactly (`redact.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# One alternation over all words needs 7 to 14 µs for 1.5 KB, as it must try at nearly every letter. A pattern that starts
# with one fixed letter or word is found at memory speed, so each search below starts with a letter that is rare, or rare
# before what follows, and looks back from there. All of them run over text in lower case.
_AT_K = re.compile(
    rb"k(?:ey(?:(?<=api.key)|(?<=apikey)|(?<=access.key)|(?<=accesskey)|(?<=private.key)|(?<=privatekey)|(?<=signing.key)"
    rb"|(?<=encryption.key)|(?<=auth.key)|(?<=master.key)|(?<=account.key)|(?<=subscription.key)|(?<=shared.key)|(?<=ssh.key))"
    rb"|en(?<=token)(?!s|_count|iz)|ie(?<=cookie)|-(?<=sk-)|_(?<=[sr]k_)|ia(?<=akia))"
).search
_AT_PA = re.compile(rb"pa(?:ss(?:w|phrase)|t-(?<=glpat-))").search
_AT_CRE = re.compile(rb"cre(?:t(?<=secret)|dential)").search
_AT_B = re.compile(rb"bearer[ \\]").search
_AT_BAR = re.compile(rb"_(?:(?<=gh[pousr]_)|(?<=github_pat_)|(?<=hf_)|(?<=npm_))").search
_AT_Z = re.compile(rb"z(?:(?<=authoriz)|a(?<=aiza))").search
_AT_AT = re.compile(rb"://[^\s/@\"]{1,1500}@").search
_AT_X = re.compile(rb"xox[abeoprs]-").search
_AT_J = re.compile(rb"j(?<=eyj)").search


def named_or_shaped(data: bytes) -> bool:
    """Whether a name or a shape of a secret may be in the bytes; the case of letters does not count."""
    low = data.lower()
    return bool(
        _AT_K(low)
        or _AT_PA(low)
        or _AT_CRE(low)
        or _AT_B(low)
        or _AT_BAR(low)
        or (b"z" in low and _AT_Z(low))
        or (b"x" in low and _AT_X(low))
        or (b"j" in low and _AT_J(low))
        or (b"@" in low and b"://" in low and _AT_AT(low))
    )


def holds_any(data: bytes, needles: Sequence[bytes]) -> bool:
    """Whether one of the known values, in one of its written forms, is in the bytes."""
    for needle in needles:  # noqa: SIM110 - any() with a generator takes twice as long, and this runs for every trial
        if needle in data:
            return True
    return False
