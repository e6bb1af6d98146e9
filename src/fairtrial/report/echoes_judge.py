"""Why a judge has no verdict, in Chinese: templates for `echoes.py`, which joins them.

Kept out: what a judge itself gives as its reason; that is shown as it stands.
"""

from __future__ import annotations

JUDGE_ECHOES: tuple[tuple[str, str], ...] = (
    # What cannot be shown
    (
        "what is to be judged has {total} characters ({name} alone {longest}), and a judge is shown {room} at most: nothing is judged on a "
        "part of it",
        "要评判的内容有 {total} 个字符（仅 {name} 就有 {longest}），而裁判最多只看 {room} 个：不凭一部分下结论",
    ),
    ("the rubric names {names}, and this trial has none", "评分标准要看 {names}，而这次试验没有"),
    # What answers come to
    ("its answer cannot be used: {why}", "它的答复无法使用：{why}"),
    ("{n} of {all} answers cannot be used: {why}", "{all} 个答复中有 {n} 个无法使用：{why}"),
    ("{model} could not be reached: {why}", "无法连接 {model}：{why}"),
    (
        "it disagrees with itself: {n} repeats lie from {low} to {high}, and {limit} apart is the limit",
        "它自相矛盾：{n} 次重复的分数从 {low} 到 {high}，最多只能相差 {limit}",
    ),
    (
        "it disagrees with itself: {n} of {all} repeats do not pass as their mean does",
        "它自相矛盾：{all} 次重复中有 {n} 次与平均分的结论相反",
    ),
    (
        "{n} of {all} repeats cannot be used, and what they might have said decides: {why}",
        "{all} 次重复中有 {n} 次无法使用，而它们可能给出的分数会左右结论：{why}",
    ),
    (
        "of {n} models {passes} say PASS, {fails} say FAIL, {none} have no verdict",
        "{n} 个模型中 {passes} 个判 PASS，{fails} 个判 FAIL，{none} 个没有结论",
    ),
    ("{n} must agree", "须有 {n} 个一致"),
    ("the votes say {verdict}, and the mean score, {mean}, says the opposite", "多数票是 {verdict}，平均分 {mean} 却相反"),
    # Why a reply is no verdict
    ("it is empty", "答复是空的"),
    ("it holds no JSON object", "答复里没有 JSON 对象"),
    ("it holds no verdict", "答复里没有结论"),
    ("it holds no verdict: 'pass' is missing", "答复里没有结论：缺少 'pass'"),
    ("it has no mark for {names}", "缺少 {names} 的分数"),
    ("it is cut off (max_tokens reached?)", "答复被截断（达到 max_tokens？）"),
    ("it ends in the middle of its thoughts (max_tokens reached?)", "答复停在思考过程中（达到 max_tokens？）"),
    ("it is not JSON: single quotes", "不是 JSON：用了单引号"),
    ("it is not valid JSON", "不是有效的 JSON"),
    ("it is nested too deep", "嵌套过深"),
    ("a number in it is not finite", "其中有的数不是有限的"),
    ("a number in it cannot be kept exactly", "其中有的数无法精确保存"),
    ("a key in it is given twice", "其中有的键出现了两次"),
    ("its verdict stands in a list", "结论放在了列表里"),
    ("it holds two verdicts", "答复里有两个结论"),
    ("it holds two verdicts, and none of them carries the nonce", "答复里有两个结论，都没有带本次的随机数"),
    ("it carries another nonce than the one of this call", "带的随机数不是本次的"),
    (
        "a verdict stands in what was graded, and this one does not carry the nonce that would tell it from that",
        "被评判的内容里就有一个结论，而这个结论没有带随机数，无法与之区分",
    ),
    ("it is {n} characters long, and more than {most} are not read", "答复有 {n} 个字符，超过 {most} 个不读"),
    ("it has a key that was not asked for: {key}", "有不该有的键：{key}"),
    ("{name} is {kind}, not a number", "{name} 是 {kind}，不是数"),
    ("{name} is not finite", "{name} 不是有限的数"),
    ("{name} is out of range {low} to {high}", "{name} 超出 {low} 至 {high} 的范围"),
    ("'pass' is {kind}, not true or false", "'pass' 是 {kind}，不是 true 或 false"),
    (
        "it contradicts itself: 'pass' is {word}, the marks come to {score}, and {bar} or more passes",
        "它自相矛盾：'pass' 是 {word}，而分数合计 {score}，{bar} 以上才通过",
    ),
    ("it contradicts itself: its {key} is not the weighted mean of its marks, {score}", "它自相矛盾：{key} 不是各项的加权平均 {score}"),
    ("it contradicts itself: its {key} is not what 'pass' and the marks say", "它自相矛盾：{key} 与 'pass' 和分数不符"),
    ("it contradicts itself: its marks stand in two places and differ", "它自相矛盾：分数写在了两处，而且不同"),
    ("{name} holds no marks by name", "{name} 里没有按名称写的分数"),
    ("{name} holds a mark that was not asked for: {key}", "{name} 里有不该有的分数：{key}"),
    ("its 'better' is none of first, second, tie", "'better' 不是 first、second 或 tie"),
    ("both are the same", "两者相同"),
)
