"""What the reading says of a trend, in Chinese; joined in `echoes.py`, where the form of the templates is told."""

from __future__ import annotations

TREND: tuple[tuple[str, str], ...] = (
    ("No run of {suite} is in the store", "存储里没有 {suite} 的运行"),
    ("{name}: nothing to compare with yet, success {rate}", "{name}：还没有可比的运行，成功率 {rate}"),
    ("{name}: nothing to compare with yet", "{name}：还没有可比的运行"),
    ("{name}: cannot tell against {against} ({run}), for {why}", "{name}：与{against}（{run}）相比无法判断：{why}"),
    ("{name}: declined against {against} ({run}): {grounds}", "{name}：与{against}（{run}）相比下降：{grounds}"),
    ("{name}: rose against {against} ({run}): {grounds}", "{name}：与{against}（{run}）相比上升：{grounds}"),
    ("{name}: no change shown against {against} ({run}): {grounds}", "{name}：与{against}（{run}）相比未见变化：{grounds}"),
    ("the run before", "前一次运行"),
    ("the first run since the last break", "上一个断点后的首次运行"),
    (
        "{value} points, 95 % interval {low} to {high}, p {p}, {n} unchanged cases",
        "{value} 个百分点，95% 区间 {low} 至 {high}，p {p}，{n} 道未变的题目",
    ),
    ("{value} points, 95 % interval {low} to {high}, {n} unchanged cases", "{value} 个百分点，95% 区间 {low} 至 {high}，{n} 道未变的题目"),
    ("the team was changed for a question about it", "团队为了一个问题而被改动"),
    ("only cases that were named one by one", "只含逐一点名的题目"),
    ("only cases that had failed before, and those get better by chance alone", "只含之前失败过的题目，它们单凭偶然也会变好"),
    ("what surrounds the cases changed", "题目周边的内容变了"),
    ("other cases: {n} are the same in both", "题目不同：双方相同的有 {n} 道"),
    ("graded by other graders", "由不同的评分器评分"),
    ("graders: graded by other graders", "评分器：由不同的评分器评分"),
    ("grade the older run again to compare: fairtrial grade RUN", "要比较，先重评旧的运行：fairtrial grade RUN"),
    ("{a} before, {b} now", "之前 {a}，现在 {b}"),
    ("no case is the same in both runs", "两次运行没有相同的题目"),
    ("nothing was graded on both sides", "双方都没有评分"),
    ("undecided trials ({a} before, {b} now) could turn it", "未判定的试验（之前 {a} 次，现在 {b} 次）可能改变结论"),
    ("{name}: cannot tell, for its newest run was {why}", "{name}：无法判断，最近一次运行{why}"),
    ("stopped by its rule, so its figures are not those of a fixed number of trials", "按规则提前停止，它的数字不是固定试验次数的数字"),
)
