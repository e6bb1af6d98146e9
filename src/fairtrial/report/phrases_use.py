"""The phrases of `use`: key -> (English, Chinese). Looked up through `words.py`."""

from __future__ import annotations

USE: dict[str, tuple[str, str]] = {
    "uses.title": ("Is it used by {to}?", "{to} 是否真的用了它？"),
    "uses.downstream": (
        "{replayed}: replayed from run {recorded}; acting again: {acted}",
        "{replayed}：按运行 {recorded} 的记录重放；重新行动：{acted}",
    ),
    "uses.whole": (
        "whole trial run again; the fact is altered at the desk, so the noise is that of every role (values from run {recorded})",
        "整次试验重新运行；信息在收件时被改动，因此噪声来自所有角色（取值来自运行 {recorded}）",
    ),
    "uses.trials": ("{n} of {planned} trials run, {cost}", "运行了 {planned} 次试验中的 {n} 次，{cost}"),
    "uses.proofs": ("Three grades of evidence", "三级证据"),
    "uses.left_out": ("Not altered", "未改动"),
    "uses.verdict": ("Verdict", "结论"),
    "uses.hidden": ("{was} hidden", "隐去 {was}"),
    "uses.contradicted": ("{was}, and {put_in} too", "{was}，另说 {put_in}"),
    "altered.changed": ("changed", "改动"),
    "altered.hidden": ("hidden", "隐去"),
    "altered.contradicted": ("contradicted", "反驳"),
    "reading.used": ("used", "用了"),
    "reading.not_used": ("no use shown", "未见使用"),
    "reading.cannot_tell": ("cannot tell", "无法判断"),
    "reading.not_received": ("not received", "未收到"),
    "reading.confirmed": ("declared and used", "声明且使用"),
    "reading.declared_not_used": ("declared but not used", "声明了却没用"),
    "reading.used_undeclared": ("used without declaring", "用了却没声明"),
    "col.fact": ("fact", "信息"),
    "col.altered": ("altered", "方式"),
    "col.shift": ("shift", "移动"),
    "col.noise": ("noise", "噪声"),
    "col.runs": ("altered runs", "改动次数"),
    "col.reading": ("reading", "判读"),
    "col.put_in": ("put in", "改为"),
    "col.declared": ("declared", "声明"),
    "col.found": ("found", "可见"),
    "col.moved": ("decision moved", "决定改变"),
    "next.whole": ("next, let every role act again", "下一步，让所有角色重新行动"),
    "next.altered": ("next, walk an altered trial", "下一步，回放一次改动后的试验"),
}
