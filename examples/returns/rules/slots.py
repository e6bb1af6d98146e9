"""What a sentence tells of a ticket: which order, why, what instead, and whether it is a yes."""

import re
from typing import Any

ORDER = re.compile(r"\bA-?(\d{4})\b", re.IGNORECASE | re.ASCII)
SIZE = re.compile(r"(?:size|in an?|换成|要)\s*(XS|S|M|L|XL|XXL)\b|\b(XS|S|M|L|XL|XXL)\s*码", re.IGNORECASE | re.ASCII)
REASONS = {
    "size": re.compile(r"too (?:small|big|tight|large)|n.t fit|尺码|太大|太小|不合身"),
    "broken": re.compile(r"broken|defect|faulty|stopped working|坏|破"),
    "unwanted": re.compile(r"need it|need them|want it|want them|changed my mind|不想要|不需要|不要了|用不上"),
}
NO = re.compile(r"^(?:no\b|stop|wait|not yet|不|别|等)")
YES = re.compile(r"^(?:yes|yep|sure|ok|please do|go ahead|confirm|是|好|对|确认|可以)")


def orders_in(text: str) -> list[str]:
    """The orders that are named, as the shop writes them."""
    return [f"A-{digits}" for digits in ORDER.findall(text)]


def read(text: str, waiting: str = "") -> dict[str, Any]:
    """The slots that this sentence fills. A yes counts only where it was asked for; of two orders the last one counts."""
    said, found = text.lower(), dict[str, Any]()
    if named := orders_in(text):
        found["order_id"] = named[-1]
    if reason := next((name for name, words in REASONS.items() if words.search(said)), None):
        found["reason"] = reason
    if size := SIZE.search(text):
        found["wish"] = (size[1] or size[2]).upper()
    if waiting.startswith("confirm") and YES.search(said.strip()) and not named:
        found["confirmed"] = True
    return found


def refuses(text: str) -> bool:
    """Whether it is a no."""
    return NO.search(text.strip().lower()) is not None
