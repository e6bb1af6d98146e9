"""The sentences of a comparison and its notes, in Chinese; joined with the others in `echoes.py`."""

from __future__ import annotations

COMPARED: tuple[tuple[str, str], ...] = (
    (
        "From these trials we cannot tell whether {new} is better or worse than {base}: {grounds}",
        "凭这些试验无法判断 {new} 比 {base} 更好还是更差：{grounds}",
    ),
    ("they are the same trials", "双方是同一批试验"),
    ("they share no case", "双方没有共同题目"),
    ("they share no case ({n} changed in between)", "双方没有共同题目（{n} 道中途改过）"),
    ("nothing was graded for {names} on the shared cases", "在共同题目上没有给 {names} 评分"),
    ("no shared case was tried on both sides", "没有共同题目在双方都试过"),
    (
        "The comparison of {new} with {base} is invalid, for they differ in what was to be held equal: {why}",
        "{new} 与 {base} 的比较无效，应当相同的地方不同：{why}",
    ),
    ("The comparison of {new} with {base} is invalid: {why}", "{new} 与 {base} 的比较无效：{why}"),
    ("{new} is better than {base}: {grounds}", "{new} 优于 {base}：{grounds}"),
    ("{new} is worse than {base}: {grounds}", "{new} 劣于 {base}：{grounds}"),
    ("{new} is not worse than {base} by {margin} points or more: {grounds}", "{new} 没有比 {base} 差到 {margin} 个百分点：{grounds}"),
    (
        "{new} success against {base} on {n} ({moved}), {fixed} fixed, {broken} broken",
        "成功率 {new} 对 {base}，{n}（{moved}），修好 {fixed}，弄坏 {broken}",
    ),
    ("{n} shared case", "{n} 道共同题目"),
    ("{n} shared cases", "{n} 道共同题目"),
    ("the base run", "基准运行"),
    ("the new run", "新运行"),
    ("The new run", "新运行"),
    ("new severe failures in {listed}", "新的严重失败：{listed}"),
    (
        "so unequal a share of undecided trials lets nothing be claimed in favour of either",
        "双方未判定试验的比例相差太大，不能断言任何一方更好",
    ),
    ("undecided trials: {base}, {new}", "未判定的试验：{base}，{new}"),
    (
        "undecided trials ({base}, {new}) alone could put the difference anywhere from {low} to {high} points",
        "仅未判定的试验（{base}，{new}）就可使差值落在 {low} 至 {high} 个百分点之间",
    ),
    ("{n} of {planned} of base", "基准 {planned} 次中 {n} 次"),
    ("{n} of {planned} of new", "新方 {planned} 次中 {n} 次"),
    ("{n} of {planned} of base ({unrun} not run)", "基准 {planned} 次中 {n} 次（{unrun} 次未运行）"),
    ("{n} of {planned} of new ({unrun} not run)", "新方 {planned} 次中 {n} 次（{unrun} 次未运行）"),
    (
        "a true difference below {value} points would mostly go unseen with this suite",
        "小于 {value} 个百分点的真实差别，这套题多半看不出来",
    ),
    ("with this suite even the largest difference would mostly go unseen", "这套题连最大的差别多半也看不出来"),
    (
        "on {n} independent case no difference can be told from chance, it takes {least} at the least",
        "只有 {n} 道独立题目，任何差别都无法与偶然区分，至少要 {least} 道",
    ),
    (
        "on {n} independent cases no difference can be told from chance, it takes {least} at the least",
        "只有 {n} 道独立题目，任何差别都无法与偶然区分，至少要 {least} 道",
    ),
    (
        "at least {least} of {n} cases would have to move the same way to show, {share} points of cases",
        "{n} 题中至少要有 {least} 题朝同一方向变化才看得出来，即 {share} 个百分点的题目",
    ),
    (
        "no difference can be told from chance on fewer than {least} independent cases, here {n}",
        "独立题目少于 {least} 道（这里 {n} 道）时，任何差别都无法与偶然区分",
    ),
    ("worse in {listed}", "在 {listed} 上更差"),
    ("cases left out: {listed}", "未比较的题目：{listed}"),
    ("at the same cost, {cost} a trial", "成本相同，每次试验 {cost}"),
    ("at {new} a trial against {base}", "每次试验 {new} 对 {base}"),
    ("the match is unfair and was carried on request ({why})", "对局不公平，按要求继续（{why}）"),
    ("a table from elsewhere does not tell tool calls", "外来的表没有说明工具调用"),
    # What to do next
    ("next: {step}", "下一步：{step}"),
    ("name two runs, or two setups of one run", "给出两次运行，或同一运行的两个方案"),
    (
        "grade both runs again with the same graders (fairtrial grade), or declare the difference with --vary grader",
        "用同样的评分器给双方重新评分（fairtrial grade），或用 --vary grader 声明这一差别",
    ),
    (
        "hold {listed} equal and run again, or declare the difference with {declared}",
        "让 {listed} 相同后重跑，或用 {declared} 声明这一差别",
    ),
    ("have the trials of both sides graded", "给双方的试验评分"),
    ("try both sides at the same cases", "让双方试同样的题目"),
    ("keep {base}, and look at what {new} lost in {listed}", "保留 {base}，看看 {new} 在 {listed} 上丢了什么"),
    ("keep {base}, and look at what {new} lost", "保留 {base}，看看 {new} 丢了什么"),
    ("mend the severe failures in {listed} first", "先修好 {listed} 的严重失败"),
    ("have the undecided trials run and graded", "把未判定的试验跑完并评分"),
    ("add cases, {n} independent ones at the least", "增加题目，至少 {n} 道独立题目"),
    (
        "{more}, or say with --margin which loss would still do",
        "{more}，或用 --margin 说明多大的损失仍可接受",
    ),
    ("add cases (to about {n} in all, should the difference be as small as it looks)", "增加题目（若差别确实这么小，总共约需 {n} 道）"),
    ("add cases", "增加题目"),
    ("take {new} only after a look at {listed}", "先看过 {listed} 再采用 {new}"),
    (
        "take {new} only for another reason than success, for it costs {cost} more a trial",
        "除非另有理由才采用 {new}，因为每次试验多花 {cost}",
    ),
    ("take {new} where it is simpler or cheaper", "在更简单或更便宜处采用 {new}"),
    ("take {new}, if it is worth {cost} more a trial", "采用 {new}，若每次试验多花 {cost} 值得"),
    ("take {new}, which saves {cost} a trial", "采用 {new}，每次试验省 {cost}"),
    ("take {new}", "采用 {new}"),
    # Several versions
    (
        "Of {versions} on {cases}, not beaten in everything by another: {listed}",
        "{versions}，{cases}，没有被另一版本全面胜过的有：{listed}",
    ),
    ("{n} versions", "{n} 个版本"),
    ("against {base}: {verdicts}", "对照 {base}：{verdicts}"),
    ("take {new}, if its cost and time will do", "采用 {new}，若成本与耗时可以接受"),
    ("take whichever in front is cheapest, for its loss stays within the margin", "在领先者中取最便宜的，其损失在容许之内"),
    ("keep {base}", "保留 {base}"),
    (
        "add cases before choosing by success, or choose by cost and time among those in front",
        "要按成功率选择就先增加题目，否则在领先者中按成本与耗时选择",
    ),
    (
        "p-values are corrected (Holm) for {n} candidates; intervals are each for one look",
        "p 值已按 {n} 个候选校正（Holm）；区间各自只算一次比较",
    ),
    ("p-values are corrected (Holm) for {n} candidates", "p 值已按 {n} 个候选校正（Holm）"),
    ("intervals are each for one look", "区间各自只算一次比较"),
    ("a cost that is not fully known counts as dearer than any that is", "不完全已知的成本视为比任何已知成本更贵"),
    # Notes
    (
        "one rate covers cases of several tiers ({listed}), which --slices keeps apart",
        "同一成功率包含多层题目（{listed}），--slices 把它们分开",
    ),
    ("attempts of a case had the same seed on both sides, so they pair as well", "同一题的各次尝试在双方用了同样的种子，因此尝试也成对"),
    ("{n} paired by id alone, for a side does not tell what the case asks", "{n}仅按编号配对，因为有一方没有说明题目内容"),
    (
        "the sides ran on different machines ({moved}), which alone can move a result",
        "双方在不同的机器上运行（{moved}），仅此就可能改变结果",
    ),
    (
        "base was stopped on its results, so the p-value and the interval, which are for a fixed number of trials, do not hold",
        "基准是看着结果停下的，p 值与区间以固定次数为前提，因此不成立",
    ),
    (
        "new was stopped on its results, so the p-value and the interval, which are for a fixed number of trials, do not hold",
        "新方是看着结果停下的，p 值与区间以固定次数为前提，因此不成立",
    ),
    ("rows of the table of base were refused and are in no figure: {n}", "基准的表格中被拒收的行，不计入任何数字：{n}"),
    ("stored results of base without a planned slot of their own, in no figure: {n}", "基准中没有计划位置的结果，不计入任何数字：{n}"),
    ("rows of the table of new were refused and are in no figure: {n}", "新方的表格中被拒收的行，不计入任何数字：{n}"),
    ("stored results of new without a planned slot of their own, in no figure: {n}", "新方中没有计划位置的结果，不计入任何数字：{n}"),
    # Parts of other sentences
    ("{names} and {n} more", "{names} 等，另 {n} 个"),
    (
        "{value} points, 95 % interval {low} to {high}, {p}, {corrected} as one of {n} candidates",
        "{value} 个百分点，95% 区间 {low} 至 {high}，{p}，作为 {n} 个候选之一校正后 {corrected}",
    ),
    ("{value} points, 95 % interval {low} to {high}, {p}", "{value} 个百分点，95% 区间 {low} 至 {high}，{p}"),
    ("{value} points, 95 % interval {low} to {high}", "{value} 个百分点，95% 区间 {low} 至 {high}"),
)
