"""A model's name in a file -> the model it names.

`python:module:function` is a callable of the suite's own, `openai:NAME` (or `openai:NAME@http://…`) any address that speaks
OpenAI's chat completions, any other `PROVIDER:NAME` one of pydantic-ai's names (`anthropic:…`, `google:…`). A model is opened by
name and asked only where something names one. Kept out: asking it.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from fairtrial.models.function import FunctionModel
from fairtrial.models.pricing import PricedModel
from fairtrial.records.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairtrial.models.model import Model
    from fairtrial.records.prices import Prices

KINDS = "python:module:function, openai:NAME, openai:NAME@http://…, PROVIDER:NAME"


def open_model(name: str, load: Callable[[str], Any], prices: Prices | None = None, *, patient: bool = False) -> Model:
    """The model of that name; `load` gives what "module:function" names, `prices` is the suite's table. Raises InputError.

    A `patient` one waits for its turn beyond the time of one call (`persist.py`).
    """
    kind, _, rest = name.partition(":")
    if kind == "python" and ":" in rest:
        return _own(name, rest, load(rest), prices, patient=patient)
    if kind == "openai" and _parted(rest)[0]:
        from fairtrial.models.service import OpenAIModel  # a suite whose models are functions need not load what HTTP takes

        model, url = _parted(rest)
        url = url or os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
        return PricedModel(OpenAIModel(name, model, url, patient=patient), (model,), prices, url)
    if kind and rest and kind not in ("python", "openai"):
        from fairtrial.models.providers import open_provider

        found = open_provider(name, rest if kind == "pydantic_ai" else name, patient=patient)
        return PricedModel(found, (found.model,), prices, found.service)
    raise InputError("there is no such model", value=name, allowed=KINDS)


def _own(name: str, target: str, found: Any, prices: Prices | None, *, patient: bool) -> Model:
    """What the suite's own code names: a function, or a model of pydantic-ai that it made."""
    from fairtrial.models.providers import ProviderModel, is_provider_model

    if is_provider_model(found):
        made = ProviderModel(name, lambda: found, patient=patient)
        return PricedModel(made, (target, made.model), prices, made.service)
    if not callable(found):
        raise InputError("the model is not callable", value=name, mend="name a function that takes the messages and returns text")
    return PricedModel(FunctionModel(name, found), (target,), prices)


def _parted(rest: str) -> tuple[str, str]:
    """The model's name and the address after it, if any; a name may hold an @ of its own."""
    found = re.fullmatch(r"(.*?)@(\w+://.*)", rest, re.DOTALL)
    return (found[1], found[2]) if found else (rest, "")
