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
    "next.gate.canaries": ("next, see which known answers the graders misjudge", "下一步，看看评分者误判了哪些已知答案"),
    "next.gate.show": ("next, see it in full", "下一步，查看全部"),
    "next.gate.blocked": ("next, see what failed", "下一步，看看哪里失败"),
    "next.gate.resume": ("next, finish the run", "下一步，跑完这次运行"),
    "next.gate.lost": (
        "next, bring back what nothing_lost names, or accept it in the policy, then check and run again",
        "下一步，恢复 nothing_lost 所列各项，或在规则中接受，再检查并重跑",
    ),
    "next.gate.part": ("next, run the whole suite", "下一步，运行整个题集"),
    "next.gate.no_case": (
        "next, give the suite a case of that kind, or mend the slice, then check",
        "下一步，补上这类题目或改正切片，再检查",
    ),
    "next.gate.grade": ("next, decide what nobody has graded", "下一步，判定尚未评分的试验"),
    "next.gate.undecided": ("next, see what is undecided", "下一步，看看哪些未判定"),
    "next.gate.lacks": ("next, see what the run has", "下一步，看看这次运行有什么"),
    "next.gate.plan": ("next, see how many cases would tell", "下一步，看看多少题目才能判断"),
}
