"""What a secret looks like: the names it stands under, and the shapes it has by itself.

The exact rules, for data in which `suspicion.py` saw something. Every pattern is bounded, since what it reads may be hostile.
Kept out: values known to be secret, and walking through data (`redact.py`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

BY_NAME = "[redacted:key]"
BY_SHAPE = "[redacted:secret]"

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORDS = re.compile(r"[^A-Za-z0-9]+")
_NAMES = (
    "api_key|apikey|access_key|accesskey|private_key|privatekey|signing_key|encryption_key|auth_key|master_key|account_key"
    "|subscription_key|shared_key|ssh_key|password|passwd|passphrase|secret|client_secret|secret_key|secret_access_key"
    "|authorization|cookie|set_cookie|token|credential"
)
_ENDS = re.compile(rf"(?:^|_)(?:{_NAMES})$")
_MANY = re.compile(r"(?:^|_)(?:secrets|passwords|passphrases|credentials|cookies|api_keys|access_keys|private_keys|authorization|cookie)$")
_NO_TOKEN = re.compile(
    r"(?:^|_)(?:next|page|continuation|sync|cursor|eos|bos|pad|unk|mask|sep|cls|stop|start|end|first|last|max|min|per|of|a|the)_token$"
)
"""Tokens of text and of paging are no secrets."""
_LEAST_TOKEN = 6


@lru_cache(maxsize=4096)
def secret_name(name: str) -> str:
    """How secret a name is: "" not at all, "one" for a value of its own, "many" for all texts below it as well.

    `X-Api-Key`, `apiKey`, `MY_TOKEN` and `set-cookie` are secret; `tokens`, `input_tokens`, `token_count`, `next_page_token`,
    `public_key` and `has_password_reset` are not.
    """
    if name.startswith("[redacted:"):
        return ""
    words = _WORDS.sub("_", _CAMEL.sub("_", name[:200])).strip("_").lower()
    if _MANY.search(words):
        return "many"
    return "one" if _ENDS.search(words) and not _NO_TOKEN.search(words) else ""


def secret_scalar(name: str, value: Any) -> bool:
    """Whether a value that stands under a secret name is one: not if it is empty, a truth value, a hash of ours, or covered."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, (int, float)):
        return "token" not in name.lower()  # a number of tokens, whatever its name
    if not isinstance(value, str) or not value or value.startswith(("sha256:", "[redacted:")):
        return False
    return "token" not in name.lower() or (len(value) >= _LEAST_TOKEN and " " not in value)


_START = r"(?<![A-Za-z0-9_-])"
_SHAPES = re.compile(
    rf"""{_START}(?:
        sk-(?=[A-Za-z0-9_-]{{0,120}}[0-9])[A-Za-z0-9_-]{{16,250}}
      | [srp]k_(?:live|test)_[A-Za-z0-9]{{10,250}}
      | gh[pousr]_[A-Za-z0-9]{{20,250}}
      | github_pat_[A-Za-z0-9_]{{20,250}}
      | glpat-[A-Za-z0-9_-]{{20,250}}
      | (?:AKIA|ASIA)[A-Z0-9]{{16}}(?![A-Za-z0-9])
      | xox[abeoprs]-[A-Za-z0-9-]{{10,250}}
      | AIza[A-Za-z0-9_-]{{30,60}}
      | npm_[A-Za-z0-9]{{30,60}}
      | hf_[A-Za-z0-9]{{30,60}}
      | eyJ[A-Za-z0-9_-]{{8,4000}}\.eyJ[A-Za-z0-9_-]{{8,8000}}\.[A-Za-z0-9_-]{{5,2000}}
    )
    | -----BEGIN[ ][A-Z0-9 ]{{0,40}}PRIVATE[ ]KEY-----.*?(?:-----END[ ][A-Z0-9 ]{{0,40}}-----|\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
_BEARER = re.compile(r"\b(bearer\s{1,4})(?=[^\s\"'\\]{0,250}[0-9])[A-Za-z0-9._~+/=-]{8,4000}", re.IGNORECASE)
_USER_INFO = re.compile(r"(://[^\s/:@\"'\\]{0,100}:)([^\s/@\"'\\]{1,250})(?=@)")
_HEADER = re.compile(
    r"((?:proxy-)?authorization|(?:set-)?cookie)(\\{0,3}[\"']?\s{0,8}[=:]\s{0,8}(?:\\{0,3}[\"'])?)([^\"'\\\r\n]{1,4000})", re.IGNORECASE
)
_ASSIGNED = re.compile(
    r"([?&]?)((?:api|access|private|signing|encryption|auth|master|account|subscription|shared|ssh)[_ -]?key|passw(?:or)?d|passphrase"
    r"|secret|(?<!page_)(?<!next_)token|credential)"
    r"(\\{0,3}[\"']?\s{0,8}[=:]\s{0,8}(?:\\{0,3}[\"'])?)([^\s\"'\\,;&<>()\[\]{}]{3,4000})(?=(\(?))",
    re.IGNORECASE,
)
_EXPRESSION = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")
_SCHEME = re.compile(r"(?:bearer|basic|digest|token)\s", re.IGNORECASE)


def cover_shapes(text: str) -> str:
    """Running text with every secret in it covered that can be told by its shape or by the name before it.

    `password=…`, `api_key: "…"`, `Authorization: …` lose their value. `password: must be changed` and
    `password = ask(user)` are left as they are: without a quote only a value with a digit, or one right behind an equals
    sign, is taken for a secret.
    """
    text = _SHAPES.sub(BY_SHAPE, text)
    text = _HEADER.sub(_cover_header, text)
    text = _BEARER.sub(rf"\g<1>{BY_SHAPE}", text)
    text = _ASSIGNED.sub(_cover_assigned, text)
    return _USER_INFO.sub(rf"\g<1>{BY_SHAPE}", text)


def _cover_header(found: re.Match[str]) -> str:
    name, between, value = found.groups()
    if value.startswith("[redacted:") or not (between[-1] in "\"'" or _SCHEME.match(value) or _has_digit(value)):
        return found.group()
    return f"{name}{between}{BY_NAME}"


def _cover_assigned(found: re.Match[str]) -> str:
    query, name, between, value, called = found.groups()
    token = "token" in name.lower() and (len(value) < _LEAST_TOKEN or value.isdigit())
    if token or value.startswith(("sha256:", "[redacted:", "redacted:")):
        return found.group()
    if query or between[-1] in "\"'" or (between == "=" and not called and not _EXPRESSION.fullmatch(value)) or _has_digit(value):
        return f"{query}{name}{between}{BY_NAME}"
    return found.group()


def _has_digit(value: str) -> bool:
    return len(value) >= _LEAST_TOKEN and any(sign.isdigit() for sign in value)
