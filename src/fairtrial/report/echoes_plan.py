"""What a plan says, and how its figures were made, in Chinese: templates for `echoes.py`, which joins them.

Kept out: the fixed phrases of the page (`phrases_plan.py`).
"""

from __future__ import annotations

PLAN_ECHOES: tuple[tuple[str, str], ...] = (
    # The interval on a rate
    (
        "few failures: all but {n} of {cases} independent cases went alike in every trial, so how much cases differ is a guess made from "
        "those",
        "失败太少：{cases} 道独立题目中除 {n} 道外每次都一样，题目之间差多少只能凭这几道猜",
    ),
    ("a kind of case that fails and was not asked cannot show here", "会失败却没有问到的那类题目，这里看不出来"),
    # A plan
    ("To find {effect}, the cheapest plan is {size}", "要看出{effect}，最便宜的计划是 {size}"),
    ("How many cases find {effect} cannot be told: {why}", "要看出{effect}需要多少题，无法知道：{why}"),
    ("a true difference of {points} points with power {power}", "{points} 个百分点的真实差别（功效 {power}）"),
    (
        "{cases} cases × {trials} a side, {all} trials in all at a price that is not known",
        "{cases} 题 × 每边{trials}，共 {all} 次试验，价格未知",
    ),
    ("{cases} cases × {trials} a side, {all} trials in all for {price}", "{cases} 题 × 每边{trials}，共 {all} 次试验，{price}"),
    ("the pilot leaves {low} to {high} cases open", "试点只能说明需要 {low} 至 {high} 题"),
    (
        "to rule out a loss of {loss} points it takes {cases} cases × {trials} a side",
        "要排除 {loss} 个百分点的损失需要 {cases} 题 × 每边{trials}",
    ),
    ("the {today} there are do with {size}", "现有{today}已够：{size}"),
    (
        "no number of repeats makes the {today} there are enough, for it takes at least {n}",
        "现有{today}重复多少次都不够，至少需要 {n} 题",
    ),
    (
        "the suite as it stands ({today} × {trials}) finds differences from {found} points on, and rules out losses from {margin} points "
        "on",
        "现在这套题（{today} ×{trials}）能看出 {found} 个百分点以上的差别，能排除 {margin} 个百分点以上的损失",
    ),
    (
        "the suite as it stands ({today} × {trials}) would mostly hide even the largest difference",
        "现在这套题（{today} ×{trials}），再大的差别多半也看不出来",
    ),
    (
        "a clean run of it allows severe failures in up to {upper} of cases, and {bar} takes {n} cases",
        "一次严重失败都没有时，仍可能有至多 {upper} 的题目会出，要低于 {bar} 需要 {n} 题",
    ),
    ("nothing was run: the spread is assumed, so run a pilot and plan again", "什么都还没运行：离散程度是假设的，请先跑一次试点再计划"),
    ("only {setup} was run (run {run}): the other side is taken to be like it", "只运行过 {setup}（{run}）：另一方当作与它相同"),
    ("the spread is that of {base} and {new} over {n} shared cases", "离散程度来自 {base} 与 {new} 的 {n} 道共同题目"),
    ("the spread is that of {base} and {new} over 1 shared case", "离散程度来自 {base} 与 {new} 的 1 道共同题目"),
    (
        "{unknown} of {planned} trials of the pilot are UNKNOWN and count as not passed",
        "试点的 {planned} 次试验中有 {unknown} 次 UNKNOWN，按未通过计",
    ),
    ("{n} of {planned} planned trials of the pilot were not run", "试点计划的 {planned} 次试验中有 {n} 次未运行"),
    (
        "a pilot of {cases} hardly knows the spread, not even its range: take the plan as a guess, and plan again after more",
        "{cases}的试点几乎不知道离散程度，连范围也不知道：这份计划只是猜测，多试一些题目后再计划",
    ),
    (
        "cases of one cluster move together, which takes {n} times as many",
        "同一簇的题目一起变动，因此需要 {n} 倍的题目",
    ),
    ("new ones are taken to do so too", "新题目也当作如此"),
    (
        "cases that only one side of the pilot has, or that changed between them: {n}, left out",
        "只有试点一方有、或在两方之间变过的题目：{n}，未计入",
    ),
    ("{n} pairs are too few to find any difference", "{n} 对题目太少，看不出任何差别"),
    ("nothing was run, so no price is known", "什么都还没运行，所以价格未知"),
    ("nothing was run, so no time is known", "什么都还没运行，所以耗时未知"),
    ("the cost is not fully known of {listed}", "{listed} 的成本不完全已知"),
    ("no time is known of {listed}", "{listed} 的耗时未知"),
    ("so few cases would mostly hide even the largest difference", "题目这么少，再大的差别多半也看不出来"),
    (
        "all cases of the pilot went alike on both sides, so how far they could differ is not known",
        "试点的题目在双方都一样，无法知道能差多少",
    ),
    ("the pilot tried each case once, so what more repeats would save is not known", "试点每题只试一次，无法知道多试能省多少"),
    ("the pilot has one setup and fewer than two cases with two trials", "试点只有一个方案，且试过两次的题目不到两道"),
)

PLAN_SIZES: tuple[tuple[str, str], ...] = (
    ("1 trial", " 1 次"),
    ("{n} trials", "{n} 次"),
)
"""Parts of a sentence, so short that they would fit others' whole ones: to be looked through last."""
