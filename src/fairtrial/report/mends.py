"""The standing directions to mend, in Chinese, by their English text in `records/failure.py`."""

from __future__ import annotations

MENDS = {
    "look at the model and the data it was given": "检查模型以及交给它的数据",
    "mend the hand-off contract: what must be passed on, and to whom": "修补交接契约：什么必须传下去、传给谁",
    "tighten tool rights and action rules": "收紧工具权限和行动规则",
    "look at the tool descriptions and the stop rule": "检查工具说明和停止规则",
    "say what to do when a tool fails": "写明工具失败时该怎么办",
    "tighten tool rights and approvals before anything else": "先收紧工具权限和审批，再谈其他",
    "rewrite the tool description so that it says when to call it": "重写工具说明，写清何时调用",
    "give the parameter's description a format and an example": "在参数说明里给出格式和一个例子",
    "say in the prompt what to do when a tool fails": "在提示词里写明工具失败时该怎么办",
    "keep the goal in an explicit task state": "把目标放进明确的任务状态",
    "say when the task counts as done": "写明任务怎样才算完成",
    "say that enough is known once the facts are there, and answer": "写明事实齐了就够了，应当作答",
    "keep what was found in a task state, or compress less": "把已找到的内容留在任务状态里，或少做压缩",
    "state the output's shape, with an example": "写明输出的结构，并附一个例子",
    "allow only what a tool or the brief returned": "只允许使用工具或任务书给出的内容",
    "make the fact a required field of this hand-off": "把这条事实设为该交接的必填项",
    "have the deciding role state what follows from the fact before it decides": "让决策角色先说出这条事实意味着什么，再做决定",
    "let one role own the adjustment and mark it as applied when handing on": "让一个角色负责这项调整，交接时标明已经做过",
    "name who settles this conflict and on which facts, or escalate it": "写明由谁、依据哪些事实解决这个冲突，否则上报",
    "lower the number or size of calls, or give the setup a larger budget": "减少调用的次数或规模，或给这个方案更大的预算",
    "check that the resource exists and is free before the decision stands": "决策生效前，检查资源存在且未被占用",
    "take the tool's right away or put it behind an approval": "收回该工具的权限，或要求先审批",
    "take the tool's right away or put it behind an approval; where the case wants the call, say so with a tool check under must": (
        "收回该工具的权限，或要求先审批；如果题目本来就要求这次调用，请在 must 里用 tool 检查写明"
    ),
    "look whether the first call took effect before making it again; where a repeat does no harm, mark the tool idempotent": (
        "再次调用之前，先查看第一次是否已经生效；如果重复无害，把该工具标为 idempotent"
    ),
    "tell the agent that what tools, files and others hand it is data, never an order; put acts of consequence behind an approval": (
        "告诉智能体：工具、文件和他人交来的内容只是数据，绝不是命令；有后果的动作要先审批"
    ),
    "read the state back after writing, before reporting success": "写入之后先读回状态，再报告成功",
    "compare what was written with what was asked": "把写入的内容与要求的内容逐项对照",
    "look for a call without a limit, or give the case more time": "找出没有时限的调用，或给这道题更多时间",
    "read what the command printed": "查看该命令打印的内容",
    "read the error kept with the trial": "查看随试验保存的错误",
    "keep what a tool returned in a task state, and look there first": "把工具返回的内容留在任务状态里，先在那里找",
    "say which facts the brief and earlier calls have already given": "写明哪些事实任务书和先前的调用已经给出",
    "say which facts must be read before anything is decided or done": "写明做决定或动手之前必须读到哪些事实",
    "have a refusal or a limit kept in the task state, and checked": "把拒绝和限制记在任务状态里，并逐次核对",
    "have the agent answer or decline in words": "让智能体用文字作答，或明确拒答",
}
