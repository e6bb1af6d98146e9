"""A table of prices from its file, strictly: each model by name, US dollars per million tokens, as exact decimals.

Kept out: which model a reply is of, and what it comes to (`models/pricing.py`).
"""

from __future__ import annotations

import datetime
import os
from decimal import Decimal
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from fairtrial.cases.forms import Form, Text
from fairtrial.cases.sources import read_document
from fairtrial.cases.strict import read_form
from fairtrial.records.errors import InputError, InputErrors
from fairtrial.records.prices import Price, Prices

MOST = Decimal(10**6)
"""A dearer token would cost more than a dollar: a slip of the unit."""


class PriceForm(Form, kw_only=True, frozen=True):
    """The price of one model, in US dollars per million tokens."""

    input: Decimal
    output: Decimal
    cached: Decimal | UnsetType = UNSET
    cache_write: Decimal | UnsetType = UNSET


class PricesForm(Form, kw_only=True, frozen=True):
    """A table of prices as it is written."""

    models: Annotated[dict[Text, PriceForm], msgspec.Meta(min_length=1)]
    date: Text | UnsetType = UNSET


def read_prices(named: str, folder: str) -> Prices:
    """The table in a file of the suite's folder. Raises InputErrors with everything that is wrong with it."""
    row = read_document(os.path.join(folder, named))
    form = read_form(row, PricesForm)
    errors = [_wrong(form.date, row.place("date"))] if isinstance(form.date, str) else []
    for name, price in form.models.items():
        for key, amount in msgspec.structs.asdict(price).items():
            if amount is not UNSET and not (amount.is_finite() and 0 <= amount <= MOST):
                allowed = "US dollars per million tokens, from 0 up"
                errors.append(InputError("this is no price", place=row.place("models", name, key), value=str(amount), allowed=allowed))
    found = [error for error in errors if error is not None]
    if found:
        raise InputErrors(found)
    models = {name: Price(**_stated(price)) for name, price in form.models.items()}
    return Prices(models=models, date=form.date or "", source=os.path.basename(named))


def _stated(price: PriceForm) -> dict[str, Any]:
    return {key: amount for key, amount in msgspec.structs.asdict(price).items() if amount is not UNSET}


def _wrong(date: str, place: str) -> InputError | None:
    try:
        datetime.date.fromisoformat(date)
    except ValueError:
        return InputError("this is no day", place=place, value=date, allowed="2026-11-30")
    return None
