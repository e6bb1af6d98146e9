"""What the reading says of a run until decided, in Chinese; joined in `echoes.py`, where the form of the templates is told."""

from __future__ import annotations

UNTIL: tuple[tuple[str, str], ...] = (
    ("{new} is better than {base}: {grounds}", "{new} 好于 {base}：{grounds}"),
    ("{new} is worse than {base}: {grounds}", "{new} 差于 {base}：{grounds}"),
    ("{new} is not worse than {base} by {margin} points or more: {grounds}", "{new} 不比 {base} 差 {margin} 个百分点或更多：{grounds}"),
    (
        "It is not decided yet whether {new} is better or worse than {base}: {grounds}",
        "还没有结论，{new} 与 {base} 孰优孰劣未定：{grounds}",
    ),
    (
        "From all these trials we cannot tell whether {new} is better or worse than {base}: {grounds}",
        "试验全部做完，仍无法判断 {new} 与 {base} 孰优孰劣：{grounds}",
    ),
    (
        "after {n} cases of {most} the difference lies between {low} and {high} points, which holds at every look",
        "看了 {most} 题中的 {n} 题后，差值在 {low} 与 {high} 个百分点之间，每次查看都成立",
    ),
    (
        "after {n} case of {most} the difference lies between {low} and {high} points, which holds at every look",
        "看了 {most} 题中的 {n} 题后，差值在 {low} 与 {high} 个百分点之间，每次查看都成立",
    ),
    ("undecided trials counted both ways: {a} of {base}, {b} of {new}", "未判定的试验按两种可能都算：{base} {a} 次，{new} {b} 次"),
    ("new severe failures in {listed}, which the rule does not weigh", "新的严重失败：{listed}，规则不权衡它们"),
    ("{n} of {planned} planned trials saved, about {money} USD", "省下计划的 {planned} 次试验中的 {n} 次，约 {money} USD"),
    ("{n} of {planned} planned trials saved", "省下计划的 {planned} 次试验中的 {n} 次"),
    ("{n} cases can decide nothing by this rule, however they come out", "按这条规则，{n} 题无论结果如何都得不出结论"),
    ("{n} case can decide nothing by this rule, however they come out", "按这条规则，{n} 题无论结果如何都得不出结论"),
    (
        "this interval holds at every look, and no test for a fixed number of trials does",
        "这个区间每次查看都成立，固定试验次数的检验则不成立",
    ),
    (
        "the run was looked at case by case, and a test for a fixed number of trials does not hold for it",
        "这次运行是逐题查看的，固定试验次数的检验对它不成立",
    ),
    ("betting confidence sequence on case differences, {level} at every look", "按题目差值下注的置信序列，每次查看 {level}"),
    ("the run was decided by its rule, so nothing was run now", "这次运行已由规则得出结论，现在没有再运行"),
    (
        "left out of a run until decided, for only one side can be tried at them: {listed}",
        "直到有结论的运行不含这些题，因为只有一方能试：{listed}",
    ),
    ("left out of a run until decided, which is between two: {listed}", "直到有结论的运行只在两方之间，不含：{listed}"),
    ("stopped by rule: the comparison was decided before they were needed", "按规则停止：用不到它们就已有结论"),
)
