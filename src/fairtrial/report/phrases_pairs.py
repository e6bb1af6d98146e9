"""The phrases of the page of pairs before a judge, and what it says in sentences: (English, Chinese)."""

from __future__ import annotations

PAIRS: dict[str, tuple[str, str]] = {
    "pairs.title": ("Side by side", "并排评判"),
    "pairs.sides": ("{base} and {new} before {judge}", "{judge} 评判 {base} 与 {new}"),
    "pairs.cases": ("Cases", "题目"),
    "pairs.cases.aside": (
        "wins, ties and unknown by pairs; place: looks in which the place decided",
        "胜、平、未知按对计；位置：由位置决定的次数",
    ),
    "pairs.sum": (
        "{pairs} pairs, each in both orders: {new} for new, {base} for base, {ties} ties, {unknown} unknown",
        "{pairs} 对，每对两种次序各评一次：新方胜 {new}，基准胜 {base}，平 {ties}，未知 {unknown}",
    ),
    "pairs.bias": (
        "the place decided {value} of {n} double looks {interval}: the first {first}, the second {second}",
        "{n} 次双序评判中有 {value} 由位置决定 {interval}：先出现的 {first} 次，后出现的 {second} 次",
    ),
    "pairs.unsteady": ("{n} double looks say a tie in one order only", "{n} 次双序评判只在一种次序下判平"),
    "pairs.unsteady.one": ("1 double look says a tie in one order only", "1 次双序评判只在一种次序下判平"),
    "pairs.asking": (
        "judging took {calls} calls, {cached} answers were kept; {usd}, {tokens}",
        "评判调用 {calls} 次，沿用 {cached} 个答复；{usd}，{tokens}",
    ),
    "pairs.tokens": ("{input} tokens in, {output} out", "输入 {input} 令牌，输出 {output}"),
    "pairs.left_out": ("left out: {names}", "未计入：{names}"),
    "pairs.more": ("and {n} more cases that are even: --all", "另有 {n} 道持平的题目：--all"),
    "pairs.more.one": ("and 1 more case that is even: --all", "另有 1 道持平的题目：--all"),
    "col.pairs.case": ("case", "题目"),
    "col.pairs.new": ("new", "新方"),
    "col.pairs.base": ("base", "基准"),
    "col.pairs.tie": ("tie", "平"),
    "col.pairs.unknown": ("unknown", "未知"),
    "col.pairs.biased": ("place", "位置"),
    "col.pairs.why": ("why unknown", "未知的原因"),
    "next.pairs.compare": ("what code says of them", "代码检查怎么说"),
    "field.bias": ("bias of place", "位置偏向"),
    "field.sign.p_value": ("sign test", "符号检验"),
    "field.asking.usd": ("price of judging", "评判费用"),
}

PAIR_ECHOES: tuple[tuple[str, str], ...] = (
    ("{judge} finds {side} better: {sides}", "{judge} 认为 {side} 更好：{sides}"),
    ("{judge} cannot tell the two apart: {sides}", "{judge} 分不出两者的高下：{sides}"),
    (
        "{new} wins {cases}, {base} {others}, {even} even, {unknown} unknown",
        "{new} 胜{cases}，{base} 胜 {others} 道，{even} 道持平，{unknown} 道未知",
    ),
    ("no case leans to one side", "没有题目偏向任何一方"),
    ("sign test over cases, {chance}", "按题目的符号检验，{chance}"),
    ("but {n} pairs without an answer could turn it", "但有 {n} 对没有答复，可能扭转结论"),
    ("but 1 pair without an answer could turn it", "但有 1 对没有答复，可能扭转结论"),
    (
        "in {share} of {n} double looks the place decided, not the answer",
        "{n} 次双序评判中有 {share} 由位置决定，而不是由答案决定",
    ),
    (
        "No case and attempt is there on both sides, so {judge} was asked nothing",
        "没有一道题目的一次尝试双方都有，因此没有询问 {judge}",
    ),
    ("in none of {n} double looks the place decided, not the answer", "{n} 次双序评判中没有一次由位置决定"),
    ("its exam does not let it say more", "它的考核不允许它说得更多"),
    ("one side has no answer, which the checks by code tell", "有一方没有作答，这由代码检查来判断"),
    ("the judge answered no pair in both orders", "裁判没有在两种次序下都评判过任何一对"),
    ("no case has more wins on one side", "没有题目有一方胜得更多"),
    ("the price of at least one call is not known", "至少一次调用的价格未知"),
    (
        "the judge has no answer: {base} for base, {new} for new, {ties} ties, {missing} without an answer in both orders",
        "裁判没有结论：基准 {base}，新方 {new}，平 {ties}，{missing} 次没有在两种次序下都作答",
    ),
)
