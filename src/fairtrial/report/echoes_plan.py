"""What a plan says, and how its figures were made, in Chinese: templates for `echoes.py`, which joins them.

Kept out: the fixed phrases of the page (`phrases_plan.py`).
"""

from __future__ import annotations

PLAN_ECHOES: tuple[tuple[str, str], ...] = (
    # The interval on a rate
    ("Wilson on the effective sample size, widened by Student's t, {level}", "基于有效样本量的 Wilson 区间，按学生 t 放宽，{level}"),
    (
        "few failures: all but {n} of {cases} independent cases went alike in every trial, so how much cases differ is a guess made from "
        "those",
        "失败太少：{cases} 道独立题目中除 {n} 道外每次都一样，题目之间差多少只能凭这几道猜",
    ),
    ("a kind of case that fails and was not asked cannot show here", "会失败却没有问到的那类题目，这里看不出来"),
)
