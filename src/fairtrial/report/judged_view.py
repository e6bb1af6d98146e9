"""How much of a success rate rests on a judge, and what it comes to with the judge's errors taken out: a line a setup.

Kept out: the figures (`study/corrected.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.report.numbers import percent, whole
from fairtrial.report.sheet import Part, said

if TYPE_CHECKING:
    from fairtrial.records.corrected import Corrected, Judged
    from fairtrial.records.report import RunReport
    from fairtrial.report.sheet import Sheet, Text
    from fairtrial.report.words import Words


def judged(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Nothing where no verdict rests on a judge."""
    for name, setup in report.setups.items():
        if setup.corrected is not None:
            sheet.line(said(name), ": ", *_line(setup.corrected, setup.corrected.judged[name], words))
    for told in report.judges.values():
        sheet.line(Part(words.echo(told.why), "dim" if told.counts else "unsure", said=True))


def _line(found: Corrected, told: Judged, words: Words) -> list[Text]:
    parts: list[Text] = [said(resting(told, words)), "; "]
    if found.value is None:
        why = f"{words('judged.plain')}: {words.echo(found.reason)}"
        return [*parts, Part(why, "unsure")]
    by = words(f"judged.by.{found.by}")
    ends = {"value": percent(found.value), "low": percent(found.low), "high": percent(found.high)}
    parts.append(Part(words("judged.corrected", by=by, **ends), "strong"))
    others = [way for name, way in found.ways.items() if way.value is not None and way.value != found.value]
    for name, way in found.ways.items():
        if way in others:
            shown = {"value": percent(way.value), "low": percent(way.low), "high": percent(way.high)}
            parts.append(Part(f"; {words('judged.other', way=words(f'judged.way.{name}'), **shown)}", "dim"))
    return parts


def resting(told: Judged, words: Words) -> str:
    """How many verdicts rest on which judge, what labels there are, and the date of the judge's exam: an exam has an age."""
    more = [words("judged.labels", n=whole(told.labels), cases=whole(told.label_cases))] if told.labels else []
    more += [words("judged.examined", day=told.examined[:10])] if told.examined else []
    text = words("judged", n=whole(told.trials), of=whole(told.of), judges=", ".join(told.judges))
    return f"{text} ({', '.join(more)})" if more else text
