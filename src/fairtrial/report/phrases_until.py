"""The phrases of a run until decided: key -> (English, Chinese). Looked up through `words.py`."""

from __future__ import annotations

UNTIL: dict[str, tuple[str, str]] = {
    "until.title": ("Until decided", "直到有结论"),
    "until.aside": (
        "{new} against {base}; the rule was fixed before the first trial, one look a case",
        "{new} 对 {base}；规则在第一次试验之前定下，每题看一次",
    ),
    "until.looks": (
        "looks {looks} of {most}, trials {trials} of {planned}",
        "看了 {looks} 次，至多 {most} 次；用了 {trials} 次试验，计划 {planned} 次",
    ),
    "until.later": (
        "{n} more were under way and are in the figures below, not in the decision",
        "另有 {n} 次当时正在进行，计入下面的数字，不计入结论",
    ),
    "until.later.one": (
        "1 more was under way and is in the figures below, not in the decision",
        "另有 1 次当时正在进行，计入下面的数字，不计入结论",
    ),
    "until.fixed": (
        "this interval holds whenever one looks; intervals and p-values made for a fixed number of trials do not hold for these two here, "
        "for the data chose the end",
        "这个区间无论何时查看都成立；为固定试验次数而做的区间和 p 值对这里的这两个方案不成立，因为停在哪里是由数据决定的",
    ),
    "until.plan": (
        "at most so many: it stops as soon as {new} and {base} are told apart (level {level}, one look a case)",
        "至多这么多：一旦分出 {new} 与 {base} 的高下就停（水平 {level}，每题看一次）",
    ),
    "until.margin": ("not worse: by less than {margin} points", "不更差：差距小于 {margin} 个百分点"),
    "until.least": (
        "by this rule {cases} cases tell apart {least} points or more, and that only where all cases differ alike",
        "按这条规则，{cases} 题能分出 {least} 个百分点以上的差别，而且要每题差得一样",
    ),
    "verdict.open": ("not decided yet", "尚无结论"),
    "not_run.stopped": (
        "{n} of {planned} planned trials were not run: the rule had decided",
        "计划的 {planned} 次试验中有 {n} 次没有运行：规则已有结论",
    ),
}
