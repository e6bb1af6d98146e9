"""What the store covered or cut on the way in, and what can no longer be told because of it.

A check that leans on such a place is UNKNOWN: neither what it finds nor what it misses there is what the agent said or did.
Kept out: which places a check leans on.
"""

from __future__ import annotations

from fairtrial.graders.finding import Finding, unknown
from fairtrial.graders.paths import Path
from fairtrial.graders.view import View
from fairtrial.records.trace import Span


def dotted(path: Path) -> str:
    """The path as the store notes what it altered: .a.0.b, up to the first step that it does not write like this."""
    text = ""
    for key in path.steps:
        if not isinstance(key, str) and not (isinstance(key, int) and key >= 0):
            break
        text += f".{key}"
    return text


def untold(view: View, place: str, shown: str) -> Finding | None:
    """UNKNOWN where the store changed something at a place (output.a.0); None where it did not. `shown` names it to people."""
    how = view.altered(place)
    return None if how is None else unknown(f"{shown} was changed before it was stored ({how})", path=shown)


def untold_span(view: View, spans: list[Span], *below: str) -> Finding | None:
    """The same for what stands in the attributes of some spans: all of it, or what is named (args.card, result)."""
    if not view.body.altered or not spans:
        return None
    wanted = {id(span) for span in spans}
    for number, span in enumerate(view.body.spans):
        if id(span) not in wanted:
            continue
        for part in below or ("",):
            how = view.altered(f"spans.{number}.attributes.{part}".rstrip("."))
            if how is not None:
                what = part or "what it says"
                return unknown(f"{what} of {span.name} (span {span.id}) was changed before it was stored ({how})", span=span.id)
    return None
