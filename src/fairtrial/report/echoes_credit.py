"""What credit says in sentences, in Chinese; joined with those of `echoes.py`."""

from __future__ import annotations

CREDIT_ECHOES: tuple[tuple[str, str], ...] = (
    # The sentence
    ("{left} of {planned} are still to be run. {rest}", "计划的 {planned} 次中尚余 {left}。{rest}"),
    ("Over these {cases}, what the roles of {setup} earn: {rest}", "在这{cases}上，{setup} 各角色的贡献：{rest}"),
    ("{role} is harmful: without it success rises ({moved})", "{role} 有害：去掉它成功率上升（{moved}）"),
    (
        "one of {one} and {two} is needed, not both: without the two success falls ({moved})",
        "{one} 与 {two} 需留其一，不必都要：两个都去掉成功率下降（{moved}）",
    ),
    ("{role} is essential: without it success falls ({moved})", "{role} 不可缺少：去掉它成功率下降（{moved}）"),
    (
        "no effect shown of {listed} alone (a loss of up to {value} points is not ruled out)",
        "单独看不出 {listed} 的影响（未排除 {value} 个百分点以内的损失）",
    ),
    ("success rises with the stand-in for {role} ({moved})", "用替身代替 {role} 后成功率上升（{moved}）"),
    ("success falls with the stand-in for {role} ({moved})", "用替身代替 {role} 后成功率下降（{moved}）"),
    ("{role} given the right facts, success rises ({moved})", "给 {role} 正确的信息，成功率上升（{moved}）"),
    ("cannot tell of {listed}", "无法判断 {listed}"),
    ("information was removed with {listed}", "移除 {listed} 时信息也随之移除"),
    ("Planned: {rest}", "计划：{rest}"),
    (
        "{n}, of which {reused} are there already, and {more} more at most for pairs",
        "{n}，其中 {reused} 次已有，成对移除最多再加 {more} 次",
    ),
    ("{n}, of which {reused} are there already", "{n}，其中 {reused} 次已有"),
    (
        "Nothing of the whole team {setup} could be decided, so no role's credit can be told",
        "完整的 {setup} 没有任何试验能判定，无法说明角色的贡献",
    ),
    # The next step
    ("drop {role} and run the gate", "去掉 {role}，再过闸门"),
    ("drop {role}, keep {other}, and run the gate", "去掉 {role}，保留 {other}，再过闸门"),
    (
        "mend what {role} gets and hands on: with the right facts the team does better",
        "修好 {role} 收到和交出的信息：信息正确时团队更好",
    ),
    (
        "add cases: so few can tell little of a role, however often they are tried",
        "增加题目：题目太少，再多试几次也说明不了角色",
    ),
    ("keep every role", "每个角色都保留"),
    ("drop {role} if the comparison allows it", "若对比允许，去掉 {role}"),
    ("drop {role}, keep {other}, if the comparison allows it", "若对比允许，去掉 {role}，保留 {other}"),
    ("look at the other roles before one is dropped: {listed}", "去掉任何角色之前，先看其他角色：{listed}"),
    ("add cases, up to about {n}: they would show what is likely needed", "增加题目（约到 {n} 题），可看出可能需要的角色"),
    ("add cases: they would show what is likely needed", "增加题目，可看出可能需要的角色"),
    (
        "{role} is likely needed, which does not stand once corrected for the number of looks: {more} ({moved})",
        "{role} 可能需要，但按查看次数校正后不成立：{more}（{moved}）",
    ),
    (
        "one of {one} and {two} is likely needed, which does not stand once corrected for the number of looks: {more} ({moved})",
        "{one} 与 {two} 可能需留其一，但按查看次数校正后不成立：{more}（{moved}）",
    ),
    (
        "{role} is likely harmful, which does not stand once corrected for the number of looks: {more} ({moved})",
        "{role} 可能有害，但按查看次数校正后不成立：{more}（{moved}）",
    ),
    ("likely needed, but it does not stand once corrected for the number of looks: {more}", "可能需要，但按查看次数校正后不成立：{more}"),
    ("likely harmful, but it does not stand once corrected for the number of looks: {more}", "可能有害，但按查看次数校正后不成立：{more}"),
    ("about {n} cases would mostly show it", "约 {n} 题多半可看出"),
    ("more cases would show", "更多题目才能看出"),
    (
        "the correction counts roles that earlier credit runs tried as well ({kind}): {listed}",
        "校正也计入此前 credit 运行试过的角色（{kind}）：{listed}",
    ),
    ("the whole team's trials are of {listed}", "完整团队的试验来自 {listed}"),
    (
        "newer trials of the whole team are in {listed}, and credit keeps to those that its changed teams were laid beside first",
        "完整团队有更新的试验在 {listed}，但 credit 沿用改动团队最初对照的那些",
    ),
    ("run it without --dry-run", "去掉 --dry-run 正式运行"),
    ("the same command, without --fresh, goes on where it stopped", "同样的命令（不带 --fresh）会从中断处继续"),
    ("see why its trials could not be graded", "看看为什么无法评分"),
    # Why
    ("too few cases or trials to rule out a large effect", "题目或试验太少，无法排除较大的影响"),
    ("it does not stand once corrected for the number of looks", "按查看次数校正后不成立"),
    ("undecided trials could turn it", "未判定的试验可能改变结论"),
    ("undecided trials could hide an effect", "未判定的试验可能掩盖影响"),
    ("a side has no decided trial", "有一方没有已判定的试验"),
    ("it was not tried", "没有试过"),
    ("its removal was not tried", "没有试过移除它"),
    ("the lead {role} gives the answer: without it there is none", "主导角色 {role} 给出答案：没有它就没有答案"),
    ("replace it by a stand-in, or mend it", "可以用替身替换，或修正它"),
    ("the lead {role} gives the answer: only a stand-in can take its place", "主导角色 {role} 给出答案：只有替身能代替它"),
    (
        "in a graph a removed node is one replaced by a pass-through already",
        "在图中，移除节点就等于换成只转交信息的节点",
    ),
    (
        "no fact of the cases is a key of the graph's state, so there is nothing to put right",
        "题目的信息都不是图状态的键，没有可修正的",
    ),
    ("no fact of the cases is one that it needs, so there is nothing to put right", "题目里没有它需要的信息，没有可修正的"),
    ("{facts}: {role} alone works it out, and {target} is owed it", "{facts}：只有 {role} 能得出，而 {target} 需要它"),
    (
        "{role} hands to nobody by name, so what it may see and call goes to nobody",
        "{role} 没有指明交给谁，它能看到和调用的也就无人接手",
    ),
    ("what {tools} would tell: only {role} may call it", "{tools} 的结果：只有 {role} 可以调用"),
    ("what {tools} would tell or do: only {roles} called it", "{tools} 的结果或作用：只有 {roles} 调用过"),
    ("no trial of the whole team tells yet what one costs", "完整团队还没有试验说明单次成本"),
    ("not every coalition was tried", "并非每个组合都试过"),
    ("so few cases would mostly hide even the largest effect", "题目这么少，再大的影响多半也看不出来"),
    # Notes
    (
        "trials were reused from earlier runs of the same suite version, seed, isolation and code",
        "复用了同一题集版本、种子、隔离方式和代码的已有试验",
    ),
    ("--fresh runs them anew", "--fresh 全部重新运行"),
    ("held-out cases left out: {n}", "未使用的留出题：{n}"),
)
CREDIT_SIZES: tuple[tuple[str, str], ...] = (("1 trial", "1 次试验"), ("{n} trials", "{n} 次试验"))
"""Short enough to be found inside others, so they come last."""
