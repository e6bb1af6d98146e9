"""Rubrics, matters and scripted models for the tests of judges. A scripted model may be any function of the messages it gets."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from fairtrial.models.function import FunctionModel
from fairtrial.models.model import Message
from fairtrial.records.opinion import Matter
from fairtrial.records.rubric import Dimension, Rubric


def one_sided(low: str = "0", high: str = "1", passes: str = "0.5") -> Rubric:
    """A rubric of one dimension that is shown the output alone."""
    return Rubric(
        name="one",
        dimensions={"quality": Dimension(weight=Decimal(1), asks="Is it good?")},
        scale=(Decimal(low), Decimal(high)),
        passes=Decimal(passes),
        evidence=("output",),
        hash="sha256:one",
    )


def shown(output: Any = "a plain answer", task: str = "do it", reference: str | None = None) -> Matter:
    return Matter(task=task, reference=reference, parts={"output": output})


def nonce_of(messages: Sequence[Message]) -> str:
    found = re.search(r"The nonce of this call is (\w+)\.", messages[-1]["content"])
    assert found is not None
    return found[1]


def model(act: Callable[[list[Message]], Any], name: str = "python:tests:scripted") -> FunctionModel:
    return FunctionModel(name, act)


def saying(*replies: Any, name: str = "python:tests:scripted") -> FunctionModel:
    """Says one reply after the other (the last for ever); an object gets the nonce put in, an exception is raised."""
    left = list(replies)

    def act(messages: list[Message]) -> Any:
        reply = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(reply, BaseException):
            raise reply
        return {"nonce": nonce_of(messages), **reply} if isinstance(reply, dict) else reply

    return model(act, name)
