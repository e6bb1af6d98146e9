"""What `check` finds, and how to mend it, in Chinese.

Looked up by the English text, as templates; what stands in their places (names, queries, answers) is the suite's own and stays as
it is. A text that no template fits stays whole. Kept out: the sentences of the reading (`echoes.py`).
"""

from __future__ import annotations

import re
from functools import lru_cache

FINDINGS: tuple[tuple[str, str], ...] = (
    # A case that misses a part
    ("nothing is checked, so no trial of it can pass", "没有任何检查，因此没有试验能通过"),
    ("add must and must_not", "加上 must 和 must_not"),
    ("an agent that does nothing meets it", "什么都不做的智能体也能满足"),
    ("say under must what has to hold", "在 must 下写明必须成立的内容"),
    ("nothing is named that must never happen", "没有写明绝不能发生的事"),
    ("add at least one check under must_not", "在 must_not 下至少加一项检查"),
    ("no solution shows that it can be passed", "没有 solution 证明它能通过"),
    ("add solution: an answer that must pass", "加上 solution：一个必须通过的答案"),
    ("no known-bad answer shows that it can be failed", "没有 known_bad 证明它能判失败"),
    ("add known_bad: answers that must fail", "加上 known_bad：必须失败的答案"),
    ("known_bad answer {n} is empty, and fails for that alone", "第 {n} 个 known_bad 答案是空的，只因为空而失败"),
    ("say an answer that is wrong in what it says or does", "写一个所说或所做有错的答案"),
    ("a draft: {todo}", "草稿：{todo}"),
    ("do it, then remove the line from notes", "做完后从 notes 中删去这一行"),
    # Checks that look at the wrong thing, or at nothing
    ("text: {target} looks at surface form only", "text: {target} 只看表面形式"),
    (
        "check a value, the state or a rule instead, or beside it as output:",
        "改为检查值、状态或规则，或在旁边用 output: 再加一项",
    ),
    ("what must hold is looked at by its form only ({listed})", "必须成立的内容只看了形式（{listed}）"),
    ("add a check on a value, the state, a tool or a rule", "加一项对值、状态、工具或规则的检查"),
    ("the fact {name} is critical, and no check reads it", "事实 {name} 标为 critical，但没有检查读它"),
    ("add {check} under must, or drop critical", "在 must 下加上 {check}，或去掉 critical"),
    ("{key} {value} is read only where tier is {tier}, and here it is {own}", "{key} {value} 只在 tier 为 {tier} 时才读，这里是 {own}"),
    ("say tier: {tier}, or remove {key}", "写上 tier: {tier}，或去掉 {key}"),
    ("the check reads the role {role}, and {own} is tried alone", "检查读的是角色 {role}，而单独试的是 {own}"),
    ("check {role}, or try the whole path (tier: e2e)", "检查 {role}，或试整条路径（tier: e2e）"),
    ("there is no fact {name} in {key}", "{key} 里写的事实 {name} 不存在"),
    ("there is no role {name} in {key}", "{key} 里写的角色 {name} 不存在"),
    ("there is no tool {name} in {key}", "{key} 里写的工具 {name} 不存在"),
    ("there is no fact {name}", "没有事实 {name}"),
    ("there is no role {name}", "没有角色 {name}"),
    ("there is no tool {name}", "没有工具 {name}"),
    ("there is no grader {name}", "没有评分器 {name}"),
    ("did you mean {name}?", "是否想写 {name}？"),
    ("name it in suite.yaml under graders", "在 suite.yaml 的 graders 下写明它"),
    ("add it to facts, or to fact_notes where a tool tells it", "把它加进 facts；由工具告知的，加进 fact_notes"),
    ("name a role that a setup has, or lead", "写一个方案里有的角色，或 lead"),
    ("name a tool that the suite offers", "写一个题集提供的工具"),
    ("correct the name, or remove it", "改正名字，或去掉它"),
    # Judges, and support for what is claimed
    ("no check asks the judge {name}", "没有检查问过裁判 {name}"),
    ("add {check} to a case, or remove it", "在某一题里加上 {check}，或去掉它"),
    ("there is no judge {name}", "没有裁判 {name}"),
    ("name it in suite.yaml under judges", "在 suite.yaml 的 judges 下写明它"),
    (
        "only a judge decides the {card} card, and a judge alone never passes one: no trial of this case can pass",
        "{card} 这张成绩单只由裁判决定，而单凭裁判绝不判通过：这一题没有试验能通过",
    ),
    ("add a check by code with `card: {card}` beside it", "在旁边加一项带 `card: {card}` 的代码检查"),
    ("nothing is given in which `grounded: {path}` could find support ({listed})", "没有给出能支持 `grounded: {path}` 的内容（{listed}）"),
    ("give the suite tools, or the case facts or a reference", "给题集加上工具，或给题目加上 facts 或 reference"),
    # Answers that can be read, and tasks that are alike
    ("{place} tells the agent the answer: {answer}", "{place} 把答案告诉了智能体：{answer}"),
    ("take it out of {place}; the agent should have to find it", "把它从 {place} 里拿掉，应由智能体自己去找"),
    ("asks the same as {case}", "与 {case} 问的相同"),
    ("asks nearly the same ({share} alike) as {case}", "与 {case} 问的几乎相同（相似度 {share}）"),
    ("make it differ in what is asked or known, or remove one of them", "让所问或所知有所不同，或去掉其中一题"),
    # Bars that cannot be reached
    ("{subject}: {low} {least} is above {high} {most}, so {outcome}", "{subject}：{low} {least} 大于 {high} {most}，因此{outcome}"),
    ("nothing can fail", "什么都不会失败"),
    ("nothing can pass", "什么都不会通过"),
    ("correct {low} or {high}", "改正 {low} 或 {high}"),
    ("{tool} is to be called not at all and {n} times, so {outcome}", "{tool} 既要求一次都不调用，又要求调用 {n} 次，因此{outcome}"),
    ("{tool} is to be called, and not at all, so {outcome}", "{tool} 既要求调用，又要求一次都不调用，因此{outcome}"),
    ("{check} is demanded under must and forbidden under must_not", "{check} 在 must 下要求，又在 must_not 下禁止"),
    ("keep one of them", "只保留其中一项"),
    ("{total} tool calls are demanded, and {name} allows {n}", "要求 {total} 次工具调用，而 {name} 只允许 {n} 次"),
    ("raise {name} to {n} at least, or demand less", "把 {name} 至少提高到 {n}，或少要求一些"),
    # Plans that never come
    ("{what} can never come: {why}", "{what}永远不会出现：{why}"),
    ("the fault {fault} of {tool}", "{tool} 的故障 {fault} "),
    ("the injection {id}", "注入 {id} "),
    ("every call of {tool} is denied", "{tool} 的每次调用都被拒绝"),
    ("grant the tool, or plan it for another", "批准该工具，或把它安排在别的工具上"),
    ("call {n} is more than the {most} that the budget allows", "第 {n} 次调用超过了预算允许的 {most} 次"),
    ("name an earlier call, or raise the budget", "写更早的一次调用，或提高预算"),
    ("at its first call there is no earlier answer", "第一次调用时还没有更早的答案"),
    ("name a later call, or state the result", "写更晚的一次调用，或写明 result"),
    ("one listed before it comes to the same calls", "排在它前面的一个已占用同样的调用"),
    ("put it first, or name another call", "把它放到最前，或写另一次调用"),
    ("the approval of {tool}", "对 {tool} 的批准"),
    ("nobody is there to give it, so every call is denied", "没有人会给出，因此每次调用都被拒绝"),
    ("add user: {approves}, or write deny", "加上 user: {approves}，或写 deny"),
    ("no setup has roles that hand anything over", "没有方案含有会交接的角色"),
    ("the suite has no tools that could read it", "题集没有能读到它的工具"),
    ("plant it somewhere else, or remove it", "换个地方放，或去掉它"),
    ("there is no text at {place} in the case's state", "题目的 state 在 {place} 处没有文字"),
    ("name a text of the state", "写 state 里的一处文字"),
    # Simulated users
    ("the simulated user has neither script nor model, so it cannot speak", "模拟用户既没有 script 也没有 model，无法说话"),
    ("add script: [what the user says], model: NAME, or style: silent", "加上 script: [用户要说的话]、model: NAME 或 style: silent"),
    ("the simulated user is told what it must keep to itself", "模拟用户被告知了必须保密的内容"),
    ("take it out of persona and goal: a model that is told it may say it", "把它从 persona 和 goal 里拿掉：模型知道了就可能说出来"),
    ("line {n} of the script waits for {name}, which the user does not see", "script 第 {n} 行等待 {name}，而用户看不到它"),
    ("add {name} to sees, or correct the name", "把 {name} 加进 sees，或改正名字"),
    (
        "line {n} of the script is never said, for line {other} is said whatever is shown, again and again",
        "script 第 {n} 行永远不会说，因为第 {other} 行无论显示什么都会一再说出",
    ),
    ("move it before line {n}", "把它移到第 {n} 行之前"),
    ("line {n} of the script comes after turn {most}, the last", "script 第 {n} 行排在最后一轮（第 {most} 轮）之后"),
    ("raise max_turns", "提高 max_turns"),
    ("no state can meet the end of the dialogue", "没有任何状态能满足对话的结束条件"),
    ("correct user.end", "改正 user.end"),
    # Known answers before the graders
    ("its solution does not pass ({why})", "它的 solution 没有通过（{why}）"),
    ("its solution meets no check: they all look at what it leaves out", "它的 solution 碰不到任何检查：检查看的都是它没有写出的部分"),
    ("write out its trace and its state as well", "把它的 trace 和 state 也写出来"),
    ("mend the solution or the check", "修改 solution 或检查"),
    ("known_bad answer {n} does not fail", "第 {n} 个 known_bad 答案没有失败"),
    ("add the check that this answer breaks", "加上这个答案违反的那项检查"),
    ("an empty answer passes", "空答案也能通过"),
    ("an empty text passes", "空文字也能通过"),
    ("add a check that wants something said or done", "加一项要求说出或做出什么的检查"),
    ("its solution abstains, and the question is not left UNKNOWN", "它的 solution 弃答，而问题没有留为 UNKNOWN"),
    ("ask with question: PATH, and say unknown_ok: true", "用 question: PATH 提问，并写上 unknown_ok: true"),
    ("{name} is to be {expected} and comes to {got} ({why})", "{name} 应为 {expected}，结果是 {got}（{why}）"),
    ("mend the graders, or the canary", "修改评分者，或修改这只金丝雀"),
    ("change the judge: its model or its rubric", "更换裁判：它的模型或评分标准"),
    (
        "the grader {name} broke on all {n} answers that were put to it ({why})",
        "评分者 {name} 在给它的全部 {n} 个答案上都出了故障（{why}）",
    ),
    ("mend it; where it needs a trace, write out the trace of the known answers", "修好它；若它需要轨迹，把已知答案的 trace 写出来"),
    ("the query cannot be answered ({why}): {query}", "查询无法回答（{why}）：{query}"),
    ("write one SELECT; try it with the sqlite3 shell", "写一条 SELECT，先在 sqlite3 里试一试"),
    ("there is no table {name} in the database: {check}", "数据库里没有表 {name}：{check}"),
    ("the solution states a table {name} that the database does not have", "solution 写了数据库里没有的表 {name}"),
    ("known_bad answer {n} states a table {name} that the database does not have", "第 {n} 个 known_bad 答案写了数据库里没有的表 {name}"),
    ("name one that is there ({listed}), or state its end in a solution", "写一个已有的名字（{listed}），或在 solution 里写明它的结果"),
    # What cannot be opened
    ("call {call} cannot take its args: {error}", "call {call} 不能接受它的 args：{error}"),
    ("give these under args, by name (allowed: {listed})", "在 args 下按名字给出这些参数（可用：{listed}）"),
)
_OURS = frozenset({"what", "why", "outcome"})
"""Places that hold a text of ours again; all others hold the suite's own."""
_PLACE = re.compile(r"\\\{(\w+)\\\}")


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(_PLACE.sub(r"(?P<\1>.+?)", re.escape(english)), re.DOTALL), chinese) for english, chinese in FINDINGS]


def finding(text: str) -> str:
    """A finding's message or mend in Chinese, else the text itself."""
    for pattern, chinese in _patterns():
        if found := pattern.fullmatch(text):
            return chinese.format_map({name: finding(value) if name in _OURS else value for name, value in found.groupdict().items()})
    return text
