"""The queue of a review on one page: what waits and why, who labelled how many, how far people agree, and what to type next.

Names of people, cases and notes are text of others. Kept out: what an item shows while it is being judged (`review_item.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.report.numbers import MISSING, figure, percent, whole
from fairtrial.report.run_view import shell_word
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from fairtrial.records.review import Agreement, Review, ReviewItem
    from fairtrial.report.words import Words

MOST = 40
TONES = {"open": "unsure", "split": "bad", "settled": "good"}
SHOWN = 8


def review_sheet(found: Review, reference: str, words: Words, rater: str | None = None) -> Sheet:
    """The page of `review RUN` and `review status RUN`."""
    sheet = Sheet()
    total = found.open + found.split + found.settled
    counts = {"open": whole(found.open), "split": whole(found.split), "settled": whole(found.settled)}
    sheet.line(Part(words("review.of"), "strong"), " ", said(found.run, "strong"), "  ", said(words.echo(found.asked), "dim"))
    sheet.line(words("review.queued", n=whole(total), **counts) if total else words("review.nothing"))
    _added(sheet, found, words)
    if found.not_reviewable:
        told = words("review.unreviewable", n=whole(found.not_reviewable), planned=whole(found.planned))
        sheet.line(Part(told, "dim"))
    _items(sheet, found.items, words)
    if rater is not None and any(not item.reasons for item in found.items):
        sheet.line(Part(words("review.blind"), "dim"))
    _raters(sheet, found, words)
    if found.agreement is not None:
        _agreement(sheet, found.agreement, words)
    if found.pending:
        sheet.line(Part(words("review.pending", n=whole(found.pending)), "unsure"))
    _next(sheet, found, reference, words)
    return sheet


def _added(sheet: Sheet, found: Review, words: Words) -> None:
    added = found.added
    there = added.open + added.done
    told = [("added", added.added), ("reopened", added.reopened), ("standing", there)]
    parts = [words(f"review.{name}", n=whole(number)) for name, number in told if number]
    if parts:
        sheet.line(Part(", ".join(parts), "dim"))
    if found.unopened:
        sheet.line(Part(words("review.unopened", n=whole(added.open + added.added)), "unsure"))
    if found.older:
        sheet.line(Part(words("review.older", n=whole(found.older)), "unsure"))


def _items(sheet: Sheet, items: list[ReviewItem], words: Words) -> None:
    rows: list[list[Text]] = []
    for item in items[:MOST]:
        state = Part(words(f"review.state.{item.state}"), TONES[item.state])
        reasons = ", ".join(words(f"review.reason.{reason}") for reason in item.reasons)
        rows.append([said(item.item[:SHOWN]), said(item.case), state, whole(item.people), whole(item.trials), reasons])
    columns = (("item", "l"), ("case", "l"), ("state", "l"), ("people", "r"), ("trials", "r"), ("why", "l"))
    sheet.grid([(words(f"col.{key}"), side) for key, side in columns], rows)
    if len(items) > MOST:
        sheet.line(Part(words("more", n=whole(len(items) - MOST)), "dim"), said("--json", "dim"), indent=2)


def _raters(sheet: Sheet, found: Review, words: Words) -> None:
    if found.raters:
        sheet.head(words("review.raters"))
    sheet.grid(
        [(words("col.rater"), "l"), (words("col.labelled"), "r")], [[said(name), whole(number)] for name, number in found.raters.items()]
    )


def _agreement(sheet: Sheet, found: Agreement, words: Words) -> None:
    sheet.head(words("review.agreement"), words("review.agreement.aside"))
    sheet.line(words("review.agree", agree=whole(found.agree), n=whole(found.items)), indent=2)
    sheet.line(f"{words('review.alpha')} ", _span(found.alpha, found.alpha_low, found.alpha_high), indent=2)
    for names, pair in found.pairs.items():
        kappa = _span(pair.get("kappa"), pair.get("low"), pair.get("high"))
        told = words("review.pair", n=whole(pair["n"]), agreement=percent(pair["agreement"]), kappa=kappa)
        sheet.line(said(names), "  ", told, indent=2)
    for reason in dict.fromkeys(found.reasons.values()):
        sheet.line(said(words.echo(reason), "dim"), indent=2)


def _span(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return MISSING
    return figure(value, 2) + (f" ({figure(low, 2)} – {figure(high, 2)})" if low is not None and high is not None else "")


def _next(sheet: Sheet, found: Review, reference: str, words: Words) -> None:
    run = shell_word(reference)
    more = "" if found.question == "trial" else f" --question {shell_word(found.question)}"
    if found.open:
        sheet.next(words("next.review"), f"fairtrial review {run} --as NAME{more}")
    elif found.split:
        sheet.next(words("next.review_settle"), f"fairtrial review {run} --adjudicate --as NAME{more}")
    elif found.settled and found.question == "trial":
        sheet.next(words("next.review_read"), f"fairtrial show {run}")
    elif found.settled:
        sheet.next(words("next.review_export"), f"fairtrial review export {run} labels.jsonl{more}")
    elif found.not_reviewable == found.planned:
        sheet.next(words("next.review_nothing"), f"fairtrial show {run}")
    else:
        sheet.next(words("next.review_sample"), f"fairtrial review {run} --sample 20{more}")


def taken_sheet(taken: Any, words: Words) -> Sheet:
    """The page of `review import`."""
    sheet = Sheet()
    sheet.line(words("review.taken", kept=whole(taken.kept), there=whole(taken.there)))
    for key in ("blank", "judges"):
        if number := getattr(taken, key):
            sheet.line(Part(words(f"review.{key}", n=whole(number)), "dim" if key == "blank" else "unsure"))
    if taken.refused:
        sheet.head(words("review.refused"))
    for one in taken.refused[:MOST]:
        sheet.line(said(f"{one['file']}:{one['line']}"), "  ", said(words.echo(one["why"])), indent=2)
    if len(taken.refused) > MOST:
        sheet.line(Part(words("more", n=whole(len(taken.refused) - MOST)), "dim"), said("--json", "dim"), indent=2)
    if taken.asks:
        sheet.head(words("review.asks"), words("review.asks.aside"))
    for one in taken.asks[:MOST]:
        sheet.line(said(f"{one['file']}:{one['line']}"), "  ", said(one["rater"]), "  ", said(words.echo(one["why"])), indent=2)
        for key in ("stands", "given"):
            if one[key]:
                sheet.line(f"{words(f'review.{key}')}: ", said(_label(one[key])), indent=4)
    more = "" if taken.question in (None, "trial") else f" --question {shell_word(taken.question)}"
    sheet.next(words("next.review_status"), f"fairtrial review status last{more}")
    return sheet


def _label(told: dict[str, Any]) -> str:
    return "  ".join(str(value) for value in told.values())


def sent_sheet(sent: Any, about: tuple[str, str, str | None], words: Words) -> Sheet:
    """The page of `review export` to a file; `about` is run, file and the person it is for."""
    run, file, rater = about
    more = "" if sent.question == "trial" else f" --question {shell_word(sent.question)}"
    sheet = Sheet()
    sheet.line(words("review.sent", n=whole(sent.items), rows=whole(sent.rows)), " ", said(file))
    if sent.held_out:
        sheet.line(Part(words("review.left_out", n=whole(sent.held_out)), "unsure"))
    if sent.opened:
        sheet.line(Part(words("review.opened", n=whole(sent.opened)), "unsure"))
    if rater is not None:
        sheet.next(words("next.review_import"), f"fairtrial review import {shell_word(file)}")
    else:
        sheet.next(words("next.review_status"), f"fairtrial review status {shell_word(run)}{more}")
    return sheet
