"""What one rater, a person or a judge, said of one item.

Kept out: files of ratings (`exchange/`), and what they come to (`study/exam.py`).
"""

from __future__ import annotations

import msgspec

from fairtrial.records.person import HUMAN, human

__all__ = ["HUMAN", "LabelFile", "Rating", "RefusedLabel", "human"]


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """`rater` is `human:NAME`, or the name of a judge. `label` is None where the rater was asked and gave none.

    `cluster` names what items belong together (a case, a task), `severity` how bad it is to get this item wrong, `slice` what else to
    look at it by; `version` is the identity of the judge that said so.
    """

    item: str
    rater: str
    label: str | None
    cluster: str | None = None
    severity: str | None = None
    slice: dict[str, str] = {}
    version: str | None = None
    settles: bool = False
    """Whether it settles a difference between others, and so goes before them."""

    @property
    def human(self) -> bool:
        return human(self.rater)


class RefusedLabel(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a file that was not taken, and why."""

    file: str
    line: int
    why: str


class LabelFile(msgspec.Struct, frozen=True, kw_only=True):
    """`judge labels --json`: what was made of labels from elsewhere. `text` is there where no file was written."""

    file: str | None
    ratings: int
    items: int
    raters: dict[str, int]
    refused: list[RefusedLabel]
    text: str = ""
