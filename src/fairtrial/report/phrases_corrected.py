"""The phrases of figures that rest on a judge: key -> (English, Chinese). Looked up through `words.py`."""

from __future__ import annotations

CORRECTED: dict[str, tuple[str, str]] = {
    "judged": ("{n} of {of} trials rest on the judge {judges}", "{of} 次试验中有 {n} 次取决于裁判 {judges}"),
    "judged.corrected": (
        "corrected by {by} the success rate is {value} ({low} to {high})",
        "按{by}校正后，成功率为 {value}（{low} 至 {high}）",
    ),
    "judged.plain": ("not corrected", "未校正"),
    "judged.by.labels": ("people's labels", "人工标注"),
    "judged.by.exam": ("its exam", "裁判考试"),
    "judged.examined": ("examined {day}", "考试日期 {day}"),
    "judged.way.prediction_powered": ("prediction-powered mean", "预测增强均值"),
    "judged.way.rogan_gladen": ("Rogan-Gladen", "Rogan-Gladen 校正"),
    "judged.other": ("{way}: {value} ({low} to {high})", "{way}：{value}（{low} 至 {high}）"),
    "judged.labels": ("{n} labels on {cases} cases", "{cases} 题上有 {n} 个标注"),
    "judged.labels.one": ("1 label", "1 个标注"),
}
