"""What the libraries say in sentences, in Chinese; joined with those of `echoes.py`."""

from __future__ import annotations

LIVING_ECHOES: tuple[tuple[str, str], ...] = (
    ("no batch of this case counts yet", "这道题还没有可计入的批次"),
    ("no batch of this case since its last move", "这道题上次移动之后还没有批次"),
    ("a held-out case does not move", "留出题不移动"),
    ("a held-out case does not move; make it an open one first", "留出题不移动；请先改为公开题"),
    ("make it an open one first", "请先改为公开题"),
    ("the last {n} each above {bar}: {scores}", "最近{n}每批高于 {bar}：{scores}"),
    ("{streak} of {n} in a row above {bar}", "连续高于 {bar} 的有 {streak} 批，共需{n}"),
    ("the last is not decided", "最近一批尚未判定"),
    ("the last scored {score}", "最近一批得分 {score}"),
    ("the last has {n} severe failures", "最近一批有 {n} 次严重失败"),
    ("the last has {n} severe failure", "最近一批有 {n} 次严重失败"),
    ("{n} of {needed} that the lower bound is to rest on", "下限需要{needed}，现有 {n} 批"),
    (
        "lower bound {bound} of {passed} of {planned} trials in {n} above {bar}",
        "{n}内 {planned} 次试验通过 {passed} 次，下限 {bound} 高于 {bar}",
    ),
    (
        "lower bound {bound} of {passed} of {planned} trials in {n}, to be above {bar}",
        "{n}内 {planned} 次试验通过 {passed} 次，下限 {bound}，需高于 {bar}",
    ),
    ("the last {n} below {bar}: {scores}", "最近{n}低于 {bar}：{scores}"),
    ("the last decided batch scored {score}", "最近一个已判定批次得分 {score}"),
    ("no batch is decided", "没有已判定的批次"),
    ("{n} not decided", "{n}尚未判定"),
    (
        "upper bound {bound} of {passed} of {planned} trials not failed in {n} below {bar}",
        "{n}内 {planned} 次试验中 {passed} 次未失败，上限 {bound} 低于 {bar}",
    ),
    (
        "upper bound {bound} of {passed} of {planned} trials not failed in {n}, not below {bar}",
        "{n}内 {planned} 次试验中 {passed} 次未失败，上限 {bound}，不低于 {bar}",
    ),
    (
        "{passed} of {decided} decided trials passed over {n} of the same setup, stability {found}",
        "同一方案{n}内，{decided} 次已判定试验通过 {passed} 次，稳定度 {found}",
    ),
    ("1 batch", " 1 批"),
    ("{n} batches", "{n} 批"),
    ("batch", "一批"),
    ("decided batch", "一个已判定批次"),
    ("{n} decided batches", "{n} 个已判定批次"),
    # A failure that becomes a case
    ("the check that failed stands in the case: {check}", "失败的检查就在题目里：{check}"),
    ("the check that failed stands in the suite: {check}", "失败的检查就在题集里：{check}"),
    ("the answer that was given stands under known_bad", "当时的回答已列入 known_bad"),
    ("a trial that ends as {ending} fails by itself", "以 {ending} 结束的试验本身就算失败"),
    ("{tool} must not be called", "不得调用 {tool}"),
    ("state the check that shows this failure", "写出能显示这次失败的检查"),
    ("none could be derived from it", "无法从中推导"),
    ("say under must and must_not what is right here", "在 must 和 must_not 中写明什么才对"),
    ("the trace came without checks", "这条轨迹没有带检查"),
    ("write the task", "写出任务"),
    ("the trace holds no word of a user", "轨迹里没有用户的话"),
    (
        "read the user's script: it says what was said then, whatever the agent answers now",
        "看一遍用户脚本：无论智能体现在怎么答，它都说当时的话",
    ),
    ("give the world it began from as state:, and the suite the tools it needs", "用 state: 写出起始世界，并给题集所需的工具"),
    ("write a made-up value for {path}, which was covered as a secret", "为 {path} 写一个虚构的值，原值已作为秘密遮盖"),
    ("make it differ from {case}, which asks the same, or take the place of that case", "让它与问法相同的 {case} 有所区别，或取代那一题"),
    ("say what decides it", "写明由什么来判定"),
    ("state made-up secrets under secrets:, for the real ones were covered", "在 secrets: 下写虚构的秘密，真实的已被遮盖"),
)
