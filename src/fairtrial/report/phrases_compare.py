"""The phrases of comparisons and of the table of versions: key -> (English, Chinese). Looked up through `words.py`."""

from __future__ import annotations

COMPARE = {
    "sides.title": ("Both sides, on the shared cases", "双方在共同题目上"),
    "p_holm": ("p {p} as corrected for the number of candidates; it decides", "按候选数校正后 p {p}，以此为准"),
    "margin": (
        "margin {value} points: a loss up to there counts as not worse; the lower end is {low}",
        "容许损失 {value} 个百分点：在此之内算不更差；下端为 {low}",
    ),
    "difference.bounds": (
        "were every undecided and unrun trial against the new side, or for it: {interval}",
        "若未判定与未运行的试验全都不利于新方，或全都有利：{interval}",
    ),
    "versions.title": ("All versions", "全部版本"),
    "versions.aside": (
        "{n} shared cases; ● no other is at least as good in success, severe failures, cost and times",
        "{n} 道共同题目；● 没有另一版本在成功、严重失败、成本、耗时上都不逊于它",
    ),
    "versions.against": ("Against the base", "对照基准"),
    "versions.base": ("{base}; p corrected (Holm)", "{base}；p 已校正（Holm）"),
    "versions.left_out": ("left out, not in all versions alike", "未计入，并非各版本都有同样的题目"),
    "versions.beaten": ("beaten by", "不及"),
    "col.version": ("version", "版本"),
    "next.pair": ("next, see one pair in full", "下一步，细看一对"),
}
