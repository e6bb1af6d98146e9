"""The phrases of `credit`: key -> (English, Chinese). Looked up through `words.py`."""

from __future__ import annotations

CREDIT: dict[str, tuple[str, str]] = {
    "credit.title": ("What each role earns", "每个角色的贡献"),
    "credit.whole": (
        "{setup} whole: {rate}  (95%: {interval})  over {cases} cases, {attempts} trials each",
        "完整的 {setup}：{rate}（95%：{interval}），{cases} 题，每题 {attempts} 次",
    ),
    "credit.size": (
        "{planned} trials are wanted, {reused} of them are there already; pairs may add {pairs} at most",
        "需要 {planned} 次试验，其中 {reused} 次已有；成对移除最多再加 {pairs} 次",
    ),
    "credit.trials": (
        "trials: {planned} wanted, {reused} reused, {run} run, {left} still to be run",
        "试验：需要 {planned} 次，复用 {reused} 次，运行 {run} 次，尚余 {left} 次",
    ),
    "credit.planned": (
        "trials: {planned} wanted, {reused} of them there already; pairs may add {pairs} at most",
        "试验：需要 {planned} 次，其中 {reused} 次已有；成对移除最多再加 {pairs} 次",
    ),
    "credit.price": ("price of those to be run, without pairs: {price}", "待运行试验的价格（不含成对移除）：{price}"),
    "credit.kind.remove": ("Removed, what it knew handed on", "移除（它的信息交给下游）"),
    "credit.kind.replace": ("Replaced", "替换"),
    "credit.kind.mend": ("Mended: given the right facts", "修正（给它正确的信息）"),
    "credit.aside.remove": ("change in success, without the role", "去掉角色后成功率的变化"),
    "credit.aside.replace": ("by a pass-through that adds nothing, or a stand-in", "换成只转交信息的替身，或给定的替身"),
    "credit.aside.mend": ("what it gets and hands on is as in the case", "它收到和交出的信息都与题目一致"),
    "credit.pairs": ("Pairs removed together", "成对移除"),
    "credit.pairs.aside": ("of roles without an effect of their own", "单独移除看不出影响的角色"),
    "credit.shapley": ("Shapley values", "Shapley 值"),
    "credit.shapley.aside": (
        "{n} coalitions over {cases} cases: from {none} with none of them to {all} with all",
        "{n} 个组合，{cases} 题：一个都没有时 {none}，全部都在时 {all}",
    ),
    "credit.verdict": ("In a word", "结论"),
    "credit.not_tried": ("not tried", "未试"),
    "credit.information.removed": ("information removed", "信息也被移除"),
    "credit.information.unknown": ("information: as its function keeps it", "信息：由它自己的函数决定"),
    "credit.na": ("checks that no longer apply: {n}", "不再适用的检查：{n}"),
    "credit.severe": ("new severe failures in {cases}", "新的严重失败：{cases}"),
    "credit.near": (
        "`no effect shown`: the interval holds 0 and reaches no further than {value} points",
        "“未见影响”：区间包含 0 且不超过 {value} 个百分点",
    ),
    "credit.likely.needed": ("cannot tell, likely needed", "无法判断，可能需要"),
    "credit.likely.harms": ("cannot tell, likely harmful", "无法判断，可能有害"),
    "credit.open": ("no effect shown, loss up to {value} open", "未见影响，{value} 以内的损失未排除"),
    "col.effect": ("points", "百分点"),
    "col.p_holm": ("p (Holm)", "p（Holm 校正）"),
    "col.shows": ("would show", "可看出"),
    "col.role_cost": ("cost", "成本"),
    "col.role_time": ("time", "耗时"),
    "reading.essential": ("essential", "不可缺少"),
    "reading.harmful": ("harmful", "有害"),
    "reading.no_effect": ("no effect shown", "未见影响"),
    "reading.helps": ("helps", "有帮助"),
    "reading.hurts": ("hurts", "反而更差"),
    "reading.needed_together": ("one of them is needed", "两者需留其一"),
    "next.gate": ("next, let the gate decide", "下一步，让闸门来判"),
    "next.credit": ("next, go on", "下一步，继续"),
}
