"""The phrases of the page of a plan: key -> (English, Chinese). Looked up through `words.py`."""

from __future__ import annotations

PLAN: dict[str, tuple[str, str]] = {
    "planning.title": ("Plan", "计划"),
    "planning.wanted": ("find {detect} points, power {power}", "看出 {detect} 个百分点，功效 {power}"),
    "planning.rows": ("What finds it", "怎样能看出来"),
    "planning.rows.aside": ("both sides together; ● cheapest", "双方合计；● 最便宜"),
    "planning.rows.trials": ("both sides together; ● fewest trials", "双方合计；● 试验最少"),
    "planning.today": ("What today's cases show", "现有题目能看出什么"),
    "planning.pilot": ("What it rests on", "依据"),
    "planning.assumed": ("assumed", "假设"),
    "planning.spread": (
        "variance of a case's difference: {between} from case to case, {within} at one trial a side",
        "每题差值的方差：题与题之间 {between}，双方各试一次时 {within}",
    ),
    "planning.severe": (
        "severe failures: a clean run allows them in up to {upper} of cases; below {bar} it takes {cases} clean cases",
        "严重失败：一次都没有时，仍可能有至多 {upper} 的题目会出；要低于 {bar}，需要 {cases} 道都没有严重失败的题目",
    ),
    "planning.cases": ("{n} cases", "{n} 道题目"),
    "planning.cases.one": ("1 case", "1 道题目"),
    "col.repeats": ("trials a case", "每题次数"),
    "col.cases_needed": ("cases", "题数"),
    "col.cases_range": ("pilot leaves open", "试点允许的范围"),
    "col.new_cases": ("to add", "需新增"),
    "col.trials_all": ("trials", "试验数"),
    "col.price": ("price", "价格"),
    "col.time": ("time, one by one", "逐个运行耗时"),
    "col.detects": ("finds from", "能看出"),
    "col.margin_shown": ("rules out a loss of", "能排除的损失"),
    "col.margin_cases": ("cases for the margin", "界限所需题数"),
    "planning.points": ("{value} points", "{value} 个百分点"),
    "field.price_usd": ("price", "价格"),
    "field.seconds": ("time", "耗时"),
    "field.rows.cases": ("cases", "题数"),
    "field.rows.detectable": ("finds from", "能看出"),
    "field.rows.margin": ("rules out a loss of", "能排除的损失"),
    "next.plan_run": ("run it", "运行"),
    "next.plan_add": ("add {n} cases, then run it", "先增加 {n} 道题目，再运行"),
    "next.plan_add.one": ("add 1 case, then run it", "先增加 1 道题目，再运行"),
    "next.plan_pilot": ("run a pilot first", "先跑一次试点"),
}
