"""A bill reader with a known defect, and the same reader mended. The difference is one line: how an amount is written."""

import re
from decimal import Decimal
from typing import Any

import fairtrial as ft

AMOUNT_BROKEN = re.compile(r"本期应还 ([A-Z]{3}) ([0-9]+(?:\.[0-9]{2})?)")
AMOUNT_MENDED = re.compile(r"本期应还 ([A-Z]{3}) ([0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{2})?|[0-9]+(?:\.[0-9]{2})?)")
DUE = re.compile(r"请于 ([0-9]{4}-[0-9]{2}-[0-9]{2}) 前还清")


def broken(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    """Stops reading an amount at its first comma: 3,200.00 becomes 3."""
    return read_and_save(AMOUNT_BROKEN, brief, desk)


def mended(brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    return read_and_save(AMOUNT_MENDED, brief, desk)


def read_and_save(pattern: re.Pattern[str], brief: ft.Brief, desk: ft.Desk) -> dict[str, Any]:
    facts = brief.facts
    body = desk.call("read_email", email_id=facts["email_id"])["body"]
    amount, due = pattern.search(body), DUE.search(body)
    if amount is None or due is None:
        return {"saved": False, "amount": None, "says": "No bill this month."}
    value = Decimal(amount[2].replace(",", "")).quantize(Decimal("0.01"))
    desk.call(
        "save_bill",
        user_id=facts["user_id"],
        card_id=facts["card_id"],
        currency=amount[1],
        amount_minor=int(value * 100),
        due_date=due[1],
    )
    desk.call("commit")
    return {"saved": True, "amount": str(value), "says": f"Bill saved: {amount[1]} {value}, due {due[1]}."}
