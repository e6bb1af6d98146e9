"""The sentences of reviews by people in Chinese, as `echoes.py` has them. A part in braces stands for what varies."""

from __future__ import annotations

REVIEW_ECHOES: tuple[tuple[str, str], ...] = (
    ("did it do what was asked?", "它照要求做了吗？"),
    ("is it good enough by the rubric of {judge}?", "按 {judge} 的评分标准，它够好吗？"),
    ("each from {low} to {high}", "每项 {low} 到 {high} 分"),
    ("PASS from a weighted mean of {bar} on", "加权平均达到 {bar} 即 PASS"),
    (
        "people looked at trials that were chosen for a reason, which tells nothing of the others",
        "人看的是按理由挑出的试验，说明不了其余的",
    ),
    ("of {name} people looked at trials that were chosen for a reason", "{name} 中人看的是按理由挑出的试验"),
    ("draw some: {command}", "请随机抽几个：{command}"),
    ("draw some at random with a review", "请用 review 随机抽几个"),
    ("no label that people gave is settled: two must agree, or a third settle it", "人给的标注都还没定：需两人一致，或由第三人裁定"),
    ("no person has scored a trial of {name}", "没有人给 {name} 的试验打过分"),
    ("type: {command}", "请输入：{command}"),
    ("label the {n} of the draw that nobody has settled", "请先标完抽样中尚未定的 {n}"),
    ("people scored no case on both sides", "没有一题两边都有人打分"),
    ("no score", "没有评分"),
    ("no random draw", "没有随机抽样"),
    ("{score} by people over {n} of {cases} ({low} to {high})", "人评 {score}，{cases}的 {n}（{low} 至 {high}）"),
    ("{score} by people over {n} of {cases}", "人评 {score}，{cases}的 {n}"),
    ("{points} on 1 to 5 by people over {cases} ({low} to {high})", "人评相差 {points} 分（1 到 5 分），{cases}（{low} 至 {high}）"),
    ("a difference of {bar} or more on 1 to 5, by the lower bound", "按下界分差不低于 {bar}（1 到 5 分）"),
    ("a difference above {bar} on 1 to 5, by the lower bound", "按下界分差高于 {bar}（1 到 5 分）"),
    ("even the upper bound misses: {high} on 1 to 5", "上界也不够：{high}（1 到 5 分）"),
    (
        "no file of people's labels was given (--labels FILE), and no two people have reviewed a trial of these cases",
        "没有给出人工标注文件（--labels FILE），也没有两个人复核过这些题的试验",
    ),
    ("another label of the same person came in between", "同一人在此期间又标过一次"),
    (
        "the item was opened again since: it is in round {now}, and the label is about round {then}",
        "这一项后来又打开了：现在是第 {now} 轮，标注针对第 {then} 轮",
    ),
    ("no such item is queued for review: {item}", "队列里没有这一项：{item}"),
    ("nobody settles a difference that their own label is part of ({rater})", "不能裁定自己参与的分歧（{rater}）"),
    ("who has settled this item has seen all that was said of it ({rater})", "裁定过这一项的人已看过所有标注（{rater}）"),
    ("there is no difference to settle before {n} people have labelled the item ({rater})", "满 {n} 人标注之前没有分歧可裁定（{rater}）"),
)
