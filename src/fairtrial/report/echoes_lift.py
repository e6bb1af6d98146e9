"""What a lift and a chain of hand-offs say, in Chinese: templates for `echoes.py`, which joins them.

Kept out: the fixed phrases of their pages (`phrases_lift.py`).
"""

from __future__ import annotations

_SAID: tuple[tuple[str, str], ...] = (
    ("On these {cases} the team does not beat {rival}: {grounds}", "在这{cases}上，团队没有胜过{rival}：{grounds}"),
    ("On these {cases} the team does worse than {rival}: {grounds}", "在这{cases}上，团队不如{rival}：{grounds}"),
    ("On these {cases} the team beats {rival} and earns its cost: {grounds}", "在这{cases}上，团队胜过{rival}，值得它的成本：{grounds}"),
    (
        "On these {cases} the team passes more than {rival}, but whether it earns its cost cannot be told: {grounds}",
        "在这{cases}上，团队比{rival}通过更多，但是否值得它的成本无法判断：{grounds}",
    ),
    ("On these {cases} we cannot tell whether the team beats {rival}: {grounds}", "在这{cases}上，无法判断团队是否胜过{rival}：{grounds}"),
    (
        "The match of {team} with {rival} is invalid and says nothing of the team: {why}",
        "{team} 与 {rival} 的对局无效，说明不了团队：{why}",
    ),
    (
        "{one} passed {a} of {b} at {x} per success, {two} passed {c} of {d} at {y} per success ({moved})",
        "{one} 通过 {a}/{b}，每次成功 {x}，{two} 通过 {c}/{d}，每次成功 {y}（{moved}）",
    ),
    (
        "{one} passed {a} of {b} at {x} per success, {two} passed {c} of {d} ({moved})",
        "{one} 通过 {a}/{b}，每次成功 {x}，{two} 通过 {c}/{d}（{moved}）",
    ),
    (
        "{one} passed {a} of {b}, {two} passed {c} of {d} at {y} per success ({moved})",
        "{one} 通过 {a}/{b}，{two} 通过 {c}/{d}，每次成功 {y}（{moved}）",
    ),
    ("{one} passed {a} of {b}, {two} passed {c} of {d} ({moved})", "{one} 通过 {a}/{b}，{two} 通过 {c}/{d}（{moved}）"),
    ("the cheaper single agent", "更便宜的单智能体"),
    ("the dearer single agent", "更贵的单智能体"),
    ("the single agent", "单智能体"),
    ("the cheaper retry", "更便宜的重试"),
    ("the dearer retry", "更贵的重试"),
    ("the retry", "重试"),
    ("single agent {name}, which costs less", "更便宜的单智能体 {name}"),
    ("single agent {name}, which costs more", "更贵的单智能体 {name}"),
    ("single agent {name}", "单智能体 {name}"),
    ("retry {name}, which costs less", "更便宜的重试 {name}"),
    ("retry {name}, which costs more", "更贵的重试 {name}"),
    ("retry {name}", "重试 {name}"),
    (
        "{cases} cannot tell which is better in general, it takes {least} at the least",
        "{cases}无法判断一般而言哪个更好，至少需要 {least} 道",
    ),
    ("single agent", "单智能体"),
    ("retry", "重试"),
    ("it has new severe failures in {listed}", "它有新的严重失败：{listed}"),
    ("UNKNOWN: {a} of {team}, {b} of {rival}", "UNKNOWN：{team} {a} 次，{rival} {b} 次"),
    ("next: {step}.", "下一步：{step}。"),
    ("next: {step}", "下一步：{step}"),
    ("give every setup the same facts, tools, rights and budget, and run again", "给每个方案同样的信息、工具、权限和预算，再跑一次"),
    ("send {rule} to {team} and the rest to {rival}", "把 {rule} 交给 {team}，其余交给 {rival}"),
    ("take the {rival}, and look for the role or the hand-off that does harm", "采用{rival}，并找出起反作用的角色或交接"),
    ("keep {team}, and find out which of its roles earn it", "保留 {team}，并弄清哪些角色在起作用"),
    ("add cases that need several roles, or take the {rival}", "增加真正需要多个角色的题目，或采用{rival}"),
    ("mend the severe failures first", "先修好严重失败"),
    ("have every setup state its cost", "让每个方案都说明成本"),
    ("have the undecided trials graded ({listed})", "先给未判定的试验评分（{listed}）"),
    ("add cases, or trials to the cases there are", "增加题目，或每题多试几次"),
    (
        "On these {cases} the team is not worse than {rival} and costs less, so it earns its cost: {grounds}",
        "在这{cases}上，团队不比{rival}差且更便宜，值得它的成本：{grounds}",
    ),
    ("drop a role: {smaller} does as well as {team} at a lower cost", "删掉一个角色：{smaller} 以更低的成本做得和 {team} 一样好"),
    ("fairtrial credit shows what each role brings", "fairtrial credit 说明每个角色带来了什么"),
    ("it was named", "由你指定"),
    ("it is the only team", "唯一的团队"),
    ("it is the suite's candidate", "题集的候选方案"),
    ("it is listed last", "列在最后"),
    ("no upper bound: the figure is undefined in {share} of the resamples", "没有上限：{share} 的重抽样中这个数没有定义"),
    ("all {n} independent cases give the same, so their spread is not known", "全部 {n} 道独立题目结果相同，无法知道离散程度"),
    ("an interval needs two independent cases, here {n}", "区间至少需要两道独立题目，这里有 {n} 道"),
    # Success within a budget
    ("no use is known: trials state neither money nor tokens, and have no steps", "用量不明：试验不说明金额和令牌，也没有步骤"),
    ("{what} not known for most trials that passed", "多数通过的试验不知道{what}"),
    ("money and tokens", "金额和令牌"),
    ("money", "金额"),
    # Routing
    (
        "{send} only where {rule}: saves {saved} ({low} to {high}) of {what} at no loss shown ({lost} against {dear} everywhere) and "
        "gains over {rest} everywhere ({won}), n = {n} cases, each under a rule that it had no part in choosing",
        "只在 {rule} 时用 {send}：节省{what} {saved}（{low} 至 {high}），未见损失（对全部用 {dear}：{lost}），"
        "并胜过全部用 {rest}（{won}），n = {n} 题，每题都按它没有参与挑选的规则评判",
    ),
    ("the cost", "成本"),
    ("the tokens", "令牌"),
    ("the steps", "步数"),
    (
        "too few cases to choose and to check a rule: {n} independent cases, {least} at least",
        "题目太少，不足以既挑选又检验规则：独立题目 {n} 道，至少要 {least} 道",
    ),
    (
        "too few cases to choose and to check a rule: {n} independent case, {least} at least",
        "题目太少，不足以既挑选又检验规则：独立题目 {n} 道，至少要 {least} 道",
    ),
    ("no rule was found that held on cases not used to choose it: {why}", "没有找到在未参与挑选的题目上成立的规则：{why}"),
    ("no rule was found that held on cases not used to choose it", "没有找到在未参与挑选的题目上成立的规则"),
    ("no gain over {rest} was shown", "没有显示出胜过 {rest}"),
    ("a loss of {margin} points against {send} could not be ruled out", "不能排除比 {send} 损失 {margin} 个百分点"),
    ("a loss against {send} was shown", "已显示出比 {send} 有损失"),
    ("the labels show no clear difference in what {send} gains", "标签之间看不出 {send} 的收益有明确差别"),
    ("parts of the cases chose different ones ({listed})", "各份题目挑出的规则不同（{listed}）"),
    ("no rule is advised: it would bring new severe failures in {listed}", "不建议任何规则：会在 {listed} 带来新的严重失败"),
    ("no rule can be shown to save anything: {why}", "无法说明任何规则能节省：{why}"),
    ("what {listed} used is not known for every trial", "{listed} 的用量不是每次试验都已知"),
    ("no rule can save anything: both use the same", "没有规则能节省：双方用量相同"),
    ("no label cuts the cases into two parts that are large enough", "没有标签能把题目分成足够大的两部分"),
    ("the match is invalid", "对局无效"),
    # Several attempts
    ("all of {k} attempts pass in {counted} as counted", "{k} 次尝试全部通过：计数为 {counted}"),
    ("independent attempts at {rate} would in {line}", "若每次以 {rate} 独立通过，则为 {line}"),
    ("cases differ, for some pass nearly always and others hardly ever ({ends})", "题目之间有差别：有的几乎总通过，有的几乎从不（{ends}）"),
    ("attempts at one case are less alike than chance makes them ({ends})", "同一题的各次尝试比偶然更不一致（{ends}）"),
    ("that cases differ cannot be told here ({ends})", "这里看不出题目之间有差别（{ends}）"),
    # A chain of hand-offs
    ("a hand-off was never decided, so nothing can be said of the whole chain", "有交接从未判定，整条链无从说起"),
    ("all {n} hand-offs held together in {joint} of {trials} trials", "全部 {n} 处交接在 {trials} 次试验中同时成立 {joint}"),
    ("all {n} hand-offs held together in {joint} of 1 trial", "全部 {n} 处交接在 1 次试验中同时成立 {joint}"),
    ("the one hand-off held in {joint} of {trials} trials", "唯一的交接在 {trials} 次试验中成立 {joint}"),
    ("the one hand-off held in {joint} of 1 trial", "唯一的交接在 1 次试验中成立 {joint}"),
    (
        "their product is {product}, which is what links that fail independently would give",
        "各环节之积为 {product}，那是各环节独立出错时的值",
    ),
    ("they fail together, not independently ({ends})", "它们一起出错，并不独立（{ends}）"),
    ("they fail one at a time, more often than independent links would ({ends})", "它们轮流出错，比独立时更常见（{ends}）"),
    ("the two cannot be told apart here ({ends})", "这里分不出两者（{ends}）"),
    (
        "three links that hold at 95 % each would all hold at 85.7 %, if they failed independently: an assumption, not a finding",
        "三个环节各 95%，若独立出错，整条链成立 85.7%：这是假设，不是发现",
    ),
)
LIFT: tuple[tuple[str, str], ...] = (
    *_SAID,
    *(
        (said.replace("these {cases}", "this case"), told.replace("这{cases}", "这 1 道题"))
        for said, told in _SAID
        if "these {cases}" in said
    ),
)
