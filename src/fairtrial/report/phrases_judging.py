"""The phrases about what model judges said within a run."""

JUDGING: dict[str, tuple[str, str]] = {
    "rubrics.title": ("Judges", "裁判评分"),
    "rubrics.aside": (
        "their scores stand apart from the task's result; where code had decided, none was asked, so a setup that code fails more is "
        "marked on the rest alone",
        "评分与任务结果分开；代码已判定的试验不再问裁判，所以代码判失败较多的设置只按其余试验评分",
    ),
    "rubrics.unfit": ("{judge} decides nothing: {why}", "{judge} 的结论不作数：{why}"),
    "col.judge": ("judge", "裁判"),
    "col.spread": ("spread (most)", "离散（最大）"),
    "col.judged_trials": ("trials", "试验"),
    "col.without_score": ("no score", "无评分"),
    "col.not_asked": ("not asked", "未问"),
    "col.by_dimension": ("by dimension", "分维度"),
    "judging.took": (
        "judging took {calls} calls ({cached} answers were kept ones), {tokens} tokens in / out, {cost}, {ms}; not the agents'",
        "评审用了 {calls} 次调用（{cached} 个答案已有存档），令牌 入/出 {tokens}，{cost}，共 {ms}；均不计入智能体",
    ),
    "judging.planned": (
        "up to {calls} calls to judges, and twice that if every reply had to be asked for again",
        "最多 {calls} 次裁判调用；若每个回复都要重问，则为两倍",
    ),
    "opinions.title": ("What judges said", "裁判意见"),
    "opinions.reply": ("reply:", "回复："),
    "opinions.cached": ("(kept answer)", "（存档答案）"),
    "tiers.failed_by_code": ("{n} trials that code failed have the lowest score", "{n} 次被代码判为失败的试验按最低分计"),
    "tiers.by_judge": ("scored by the judge {judge}", "由裁判 {judge} 评分"),
}

JUDGING_ECHOES: tuple[tuple[str, str], ...] = (
    ("not asked: a check failed by code", "未问：代码检查已判失败"),
    ("not asked: there is no answer", "未问：没有答案"),
    ("not asked: its rubric looks at the trace, which is missing or not whole", "未问：量表要看轨迹，而轨迹缺失或不全"),
    ("the agent declined, which the case allows", "智能体放弃作答，题目允许"),
    ("not judged yet", "尚未评审"),
    ("stopped while it was asked", "询问途中被中断"),
    ("no judge {name} has read a trial of this run", "这次运行没有名为 {name} 的裁判看过试验"),
    (
        "no trial has a score by {judge}: {unknown} without a verdict, {not_asked} that it was not asked about",
        "没有试验得到 {judge} 的评分：{unknown} 次没有结论，{not_asked} 次未问",
    ),
    ("{judge} decides nothing: {why}", "{judge} 的结论不作数：{why}"),
)
