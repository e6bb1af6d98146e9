"""Where an address leads, and whether a source is one of those allowed. What looks like a host that is allowed need not be one.

The host is what a browser would open: whatever stands before an @ is a user's name, a backslash is a slash, a foreign letter that
looks like a Latin one is another letter. Kept out: whether the address was ever opened (`fetched.py`).
"""

from __future__ import annotations

import re
from posixpath import normpath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

WEB = ("http", "https")
PORTS = {"http": 80, "https": 443}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HOST_LIKE = re.compile(r"(?:[\w-]+\.)+[^\W\d_][\w-]+\.?(?::[0-9]+)?(?=[/?#]|$)")
_IN_URL = re.compile(r"[\x00-\x1f\x7f]")
_CAMPAIGN = re.compile(r"(?:utm_[a-z]+|gclid|fbclid|mc_[ce]id)=[^&]*", re.IGNORECASE)
"""Parts of a query that say who sent the reader, and nothing of the page."""


class Address(NamedTuple):
    """An address of the web. `scheme` and `port` are None where they were not written; `path` has no dot segments left."""

    scheme: str | None
    host: str
    port: int | None
    path: str
    query: str = ""

    @property
    def page(self) -> tuple[str, int | None, str, str]:
        """What two addresses of one page have in common, whatever the scheme, the last slash and the order of a query."""
        port = None if self.port == PORTS[self.scheme or "https"] else self.port
        parts = sorted(part for part in self.query.split("&") if part and not _CAMPAIGN.fullmatch(part))
        return self.host, port, self.path.rstrip("/"), "&".join(parts)


def read_address(text: str) -> Address | None:
    """The address of the web that a text is; None where it is none, or not one that leads anywhere for sure."""
    text = _IN_URL.sub("", text.strip()).replace("\\", "/").replace(" ", "%20")
    scheme = _SCHEME.match(text)
    if not (text[scheme.end() :] if scheme else text).startswith("//"):
        if not _HOST_LIKE.match(text):
            return None
        text = f"//{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    named = parts.scheme.lower() or None
    host = _ascii(parts.hostname or "")
    if not host or "%" in host or (named is not None and named not in WEB):
        return None
    path = unquote(parts.path)
    path = normpath("/" + path.lstrip("/")) + ("/" if path.endswith("/") and path.strip("/") else "") if path else ""
    return Address(named, host, port, "" if path == "/" else path, parts.query)


def _ascii(host: str) -> str:
    """The host in the form in which it is looked up; nothing where it has none."""
    host = host.removesuffix(".").lower()
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


def same_source(one: str, other: str) -> bool:
    """Whether two texts name one source: the same address of the web, or the same id."""
    if one.strip() == other.strip():
        return True
    here, there = read_address(one), read_address(other)
    return here is not None and there is not None and here.page == there.page


def comes_from(source: str, allowed: str) -> bool:
    """Whether a source is, or lies under, one that is allowed: a host (and all below it), a host with the beginning of a path, or
    the beginning of an id (kb stands for kb-12 and kb/12, not for kbx)."""
    here, there = read_address(source), read_address(allowed.removeprefix("*."))
    if here is None:
        ids = there is None and "://" not in source and "@" not in source and "." not in source
        return source == allowed or (ids and _begins(source, allowed))
    if there is None:
        bare = allowed.removeprefix("*.").strip(".").lower()  # a top-level domain
        return bare.isalnum() and here.host.endswith(f".{bare}")
    if there.scheme is not None and here.scheme != there.scheme:
        return False
    if there.port is not None and there.port != (here.port or PORTS[here.scheme or "https"]):
        return False
    if here.host != there.host and not here.host.endswith(f".{there.host}"):
        return False
    return here.path == there.path or there.path in ("", "/") or here.path.startswith(there.path.rstrip("/") + "/")


def _begins(source: str, allowed: str) -> bool:
    rest = source[len(allowed) :] if source.startswith(allowed) else ""
    return bool(rest) and (not allowed[-1].isalnum() or not rest[0].isalnum())
