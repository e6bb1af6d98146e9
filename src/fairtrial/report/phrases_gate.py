"""The phrases of a release decision: key -> (English, Chinese). Looked up through `words.py`."""

from __future__ import annotations

GATE: dict[str, tuple[str, str]] = {
    "gate.title": ("May it ship?", "可以发布吗？"),
    "gate.policy": (
        "policy {policy}, one-sided bounds at {confidence}, baseline {baseline}",
        "规则 {policy}，单侧界限置信度 {confidence}，基准 {baseline}",
    ),
    "decision.ship": ("ship", "可以发布"),
    "decision.block": ("block", "不可发布"),
    "decision.not_enough_evidence": ("not enough evidence", "证据不足"),
    "decision.invalid": ("invalid", "无效"),
    "gate.holds": ("holds", "成立"),
    "gate.fails": ("fails", "不成立"),
    "gate.open": ("open", "未定"),
    "gate.hard": ("hard", "硬性"),
    "gate.soft": ("soft", "软性"),
    "col.gate": ("gate", "门"),
    "col.hard": ("kind", "性质"),
    "col.state": ("state", "状态"),
    "col.seen": ("seen", "所见"),
    "col.needed": ("needed", "所需"),
    "gate.attempts": ("Tried {n} times before", "此前试过 {n} 次"),
    "gate.attempts.one": ("Tried once before", "此前试过 1 次"),
    "gate.attempts.aside": (
        "the same version of the candidate; a green run after red ones is weaker evidence than its figures say",
        "候选的同一版本；红过几次之后的绿色，证据比数字弱",
    ),
    "gate.attempts.more": ("{n} more", "另有 {n} 次"),
    "next.blocked": ("next, see what failed", "下一步，看看哪里失败"),
}
