"""The phrases of held-out cases, of the two libraries and of promoted failures: key -> (English, Chinese). Looked up through `words.py`."""

from __future__ import annotations

LIVING: dict[str, tuple[str, str]] = {
    # Open and held-out cases
    "held_out.title": ("Open and held-out cases", "公开题与留出题"),
    "held_out.aside": ("success rate (95% interval; trials / cases)", "成功率（95% 区间；试验数 / 题数）"),
    "col.split.open": ("open", "公开"),
    "col.split.held_out": ("held out, unseen", "留出，未看过"),
    "col.split.unopened": ("not opened", "未打开的"),
    "col.split.opened": ("opened", "已打开的"),
    "held_out.unseen": ("nobody has opened any of the {n} held-out cases", "{n} 道留出题都没有人打开过"),
    "held_out.unseen.one": ("nobody has opened the held-out case", "这道留出题没有人打开过"),
    "held_out.opened": (
        "{opened} of {n} held-out cases opened, so there is no unseen score over all of them:",
        "{n} 道留出题中有 {opened} 道已被打开，因此不再有覆盖全部的未看过成绩：",
    ),
    "held_out.opened.one": ("the held-out case was opened, so its score is not unseen:", "这道留出题已被打开，它的成绩不再是未看过的："),
    "held_out.after": ("  after this run", "  在本次运行之后"),
    "held_out.withheld": (
        "what failed in {n} held-out cases is not shown: fairtrial show {run} CASE opens one, and that is written down",
        "{n} 道留出题的失败细节不展示：fairtrial show {run} CASE 会打开一道，并记入账本",
    ),
    "held_out.withheld.one": (
        "what failed in 1 held-out case is not shown: fairtrial show {run} CASE opens it, and that is written down",
        "1 道留出题的失败细节不展示：fairtrial show {run} CASE 会打开它，并记入账本",
    ),
    "held_out.noted": ("held out: this look was written down", "留出题：这次查看已记入账本"),
}
