"""Numbers written in Chinese characters, whole or with digits in them: 三千二百, 二〇二五, 3万5千, 1亿2000万.

Kept out: single characters (一些, 三个), which are words more often than figures, and runs that are no number (十分, 三四百).
"""

from __future__ import annotations

import re
from decimal import Decimal

_DIGITS = {char: value for value, chars in enumerate(("〇零", "一", "二两", "三", "四", "五", "六", "七", "八", "九")) for char in chars}
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "亿": 10**8, "万亿": 10**12}
LONGEST = 24

NUMERAL = re.compile(
    rf"(?<![0-9.第]){'(?:[0-9]+(?:[.][0-9]+)?(?=[十百千万亿])|[〇零一二两三四五六七八九十百千万亿])'}{{2,{LONGEST}}}[0-9]*"
)
"""Where such a number may stand. What is found need not be one."""
_PART = re.compile(r"[0-9]+(?:\.[0-9]+)?|万亿|.")
FORMAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")
"""The characters of cheques, one for one."""


def read_numeral(text: str) -> Decimal | None:
    """The number that a run of numerals makes; None where it makes none."""
    if not text or len(text) > LONGEST * 2:
        return None
    if len(text) >= 3 and all(char in _DIGITS for char in text):
        return Decimal("".join(str(_DIGITS[char]) for char in text))
    total, section = Decimal(0), Decimal(0)
    pending: Decimal | None = None
    unit, small, large = 1, 10**4, 10**16
    for part in _PART.findall(text):
        if part[0].isascii() or part in _DIGITS:
            if pending:
                return None
            pending = Decimal(part if part[0].isascii() else _DIGITS[part])
            unit = unit if pending else 1  # 一百零五 is 105, 一百五 is 150
        elif part in _SMALL and _SMALL[part] < small and (pending is not None or (part == "十" and not section)):
            unit = small = _SMALL[part]
            section += (1 if pending is None else pending) * small
            pending = None
        elif part in _LARGE and _LARGE[part] < large and (section or pending):
            unit = large = _LARGE[part]
            total += (section + (pending or 0)) * large
            section, pending, small = Decimal(0), None, 10**4
        else:
            return None
    tail = pending or Decimal(0)
    return total + section + tail * (unit // 10 if unit > 10 and tail < 10 else 1)
