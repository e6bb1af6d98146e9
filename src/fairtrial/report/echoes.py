"""What the reading says in sentences (reasons, notes, verdicts, the next step), in Chinese.

The decided objects carry their sentences in English. Each clause (between "; ") stands here as a template whose places may
hold further templates; a clause that no template fits stays as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from string import Formatter

from fairtrial.report.echoes_compare import COMPARED
from fairtrial.report.echoes_corrected import CORRECTED_ECHOES
from fairtrial.report.echoes_credit import CREDIT_ECHOES, CREDIT_SIZES
from fairtrial.report.echoes_exam import EXAM_ECHOES
from fairtrial.report.echoes_gate import GATES
from fairtrial.report.echoes_judge import JUDGE_ECHOES
from fairtrial.report.echoes_lift import LIFT
from fairtrial.report.echoes_living import LIVING_ECHOES
from fairtrial.report.echoes_plan import PLAN_ECHOES, PLAN_SIZES
from fairtrial.report.echoes_review import REVIEW_ECHOES
from fairtrial.report.echoes_trend import TREND
from fairtrial.report.echoes_until import UNTIL
from fairtrial.report.echoes_use import USE_ECHOES
from fairtrial.report.mends import MENDS
from fairtrial.report.phrases_diagnose import SENTENCES as DIAGNOSE
from fairtrial.report.phrases_health import SENTENCES as HEALTH
from fairtrial.report.phrases_judging import JUDGING_ECHOES
from fairtrial.report.phrases_mutants import MUTANT_ECHOES
from fairtrial.report.phrases_pairs import PAIR_ECHOES

OWN: tuple[tuple[str, str], ...] = (
    # Why a figure is missing
    ("at least: {why}", "至少：{why}"),
    ("no trial states a cost ({why})", "没有试验说明成本（{why}）"),
    ("the cost is fully known for {known} of {run} run trials", "已运行的 {run} 次试验中有 {known} 次成本完全已知"),
    ("the simulated user's cost is known for {known} of {run} run trials", "已运行的 {run} 次试验中有 {known} 次模拟用户的成本已知"),
    ("the tokens are fully known for {known} of {run} run trials", "已运行的 {run} 次试验中有 {known} 次令牌数完全已知"),
    ("the cost of base is not fully known", "基准的成本不完全已知"),
    ("the cost of new is not fully known", "新方的成本不完全已知"),
    ("the cost of base and new is not fully known", "双方的成本都不完全已知"),
    ("the tokens are not fully known on both sides", "双方的令牌数未都完全已知"),
    ("no trial has been run", "尚未运行任何试验"),
    ("no trial passed", "没有试验通过"),
    ("no first attempt has been run", "没有运行过首次尝试"),
    ("no case has two run trials or more", "没有题目运行过两次以上"),
    ("no case has a decided trial", "没有题目有已判定的试验"),
    ("no case has sub-tasks", "没有题目带子任务"),
    ("no tool call was checked for its arguments", "没有工具调用检查过参数"),
    ("no trial met a tool failure", "没有试验遇到工具失败"),
    ("{n} planned faults never came, which gives no score", "{n} 个计划的故障从未出现，不计分"),
    ("{n} planned fault never came, which gives no score", "{n} 个计划的故障从未出现，不计分"),
    ("{n} trials met a tool failure, and it is not known what came of it", "{n} 次试验遇到工具失败，但不知道后来如何"),
    ("{n} trial met a tool failure, and it is not known what came of it", "{n} 次试验遇到工具失败，但不知道后来如何"),
    ("no trial that passed and was safe has both steps and required tools", "通过且安全的试验都没有同时具备步骤和必需工具"),
    ("no trial answered", "没有试验作答"),
    ("no trial states the cost of a simulated user", "没有试验说明模拟用户的成本"),
    ("the simulated user's cost is known for {known} of {run} run trials", "已运行的 {run} 次试验中有 {known} 次的模拟用户成本已知"),
    ("a simulated user's cost is no price of a success", "模拟用户的成本不是成功的价格"),
    ("no trial was reviewed by people", "没有试验经人复核"),
    ("given for k up to {k}, though every case has {n} run trials or more", "只给出 k 至 {k}，尽管每题都运行了至少 {n} 次"),
    ("results from elsewhere do not tell it", "外来的结果没有说明"),
    (
        "results from elsewhere do not tell it of every trial, so only what they name is counted",
        "外来的结果没有逐次说明，只计它们写明的",
    ),
    ("a table states its times, and nothing was measured here", "时间出自表格，这里没有实测"),
    ("no wall time is known", "没有实测时间"),
    ("known for {n} of the {answered} trials that answered, of {run} run", "运行 {run} 次、作答 {answered} 次，其中 {n} 次已知"),
    ("no case was run on both sides", "没有题目在双方都运行过"),
    ("no case was tried on both sides", "没有题目在双方都试过"),
    ("no case has a known time on both sides", "没有题目在双方都有已知时间"),
    ("there is no pair", "没有配对"),
    ("all {n} independent pairs differ by the same, so their spread is not known", "全部 {n} 对差值相同，无法知道离散程度"),
    ("all {n} pairs differ by the same, so the spread of differences is not known", "全部 {n} 对差值相同，无法知道离散程度"),
    ("an interval needs two independent pairs, here {n}", "区间至少需要两对独立题目，这里有 {n} 对"),
    ("a spread needs two pairs, here {n}", "离散程度至少需要两对题目，这里有 {n} 对"),
    (
        "this interval covers less than it states: with {n} independent cases of {each} each, a 95 % interval held the truth in as "
        "little as {lowest} % of simulated tables",
        "这个区间的覆盖率低于它的名义值：{n} 道独立题目、每题{each}时，95% 区间在模拟中最低只有 {lowest}% 盖住真值",
    ),
    ("up to {n} trials", "至多 {n} 次试验"),
    ("about {n} trials", "约 {n} 次试验"),
    ("more cases mend that, more trials of the same cases do not", "增加题目能改善，同一题多试不能"),
    # Why a dialogue ended
    ("the user was done", "用户已完成"),
    ("the script has no more to say", "脚本已说完"),
    ("the state is as it was to be", "状态已如所愿"),
    ("{n} turns are all this dialogue may have", "这段对话最多 {n} 轮"),
    ("{n} goodbyes in a row", "连续 {n} 次告别"),
    ("it speaks as the assistant ({words})", "它以助手的身份说话（{words}）"),
    ("it tells of the play itself ({words})", "它说出了模拟本身（{words}）"),
    ("it tells what it must keep to itself", "它说出了必须保密的内容"),
    ("it says its goal word for word", "它逐字说出了目标"),
    ("it repeats the assistant's words as its own", "它把助手的话当作自己的话重复"),
    ("it says nothing and does not end", "它什么都没说，也没有结束"),
    ("it names {what}, which nobody told or showed it", "它提到 {what}，但没有人告诉或展示过"),
    # Notes
    ("{setup}: {scored} of {run} run trials scored", "{setup}：已运行 {run} 次，已判定 {scored} 次"),
    ("{setup}: {scored} of {planned} planned trials scored", "{setup}：计划 {planned} 次，已判定 {scored} 次"),
    ("{setup}: trials with a check whose grader could not do its work: {n}", "{setup}：有 {n} 次试验的某项检查无法由评分器完成"),
    ("{setup}: {n} run trials have not been graded yet", "{setup}：有 {n} 次已运行的试验尚未评分"),
    ("no trial of {n} cases could be scored: {listed}", "有 {n} 题没有一次试验能判定：{listed}"),
    ("versions: {listed}", "版本：{listed}"),
    (
        "{setup}: not applicable, and not tried, at cases of tier agent: {n} ({why})",
        "{setup}：单智能体层有 {n} 题不适用，未试（{why}）",
    ),
    ("it has no role {listed}", "没有角色 {listed}"),
    ("no parts tell how to play {listed} alone", "没有 parts 说明怎样单独扮演 {listed}"),
    (
        "{setup}: its figures cover cases of several tiers ({listed}), which the table of tiers keeps apart",
        "{setup}：它的数字包含多层题目（{listed}），三层表把它们分开",
    ),
    # The standards of the three tiers
    ("no case was tried", "没有试过题目"),
    ("1 trial failed", "1 次试验失败"),
    ("{n} trials failed", "{n} 次试验失败"),
    ("1 trial undecided or not run", "1 次试验未判定或未运行"),
    ("{n} trials undecided or not run", "{n} 次试验未判定或未运行"),
    ("severe failures: {n}", "严重失败：{n}"),
    ("below {bar}: {listed}", "低于 {bar}：{listed}"),
    (
        "no trial has a score: no case labels its checks with dimensions, and no judge has read them",
        "没有试验有评分：没有题目给检查标注维度，也还没有裁判",
    ),
    ("{n} of 1 trial have a score", "1 次试验中 {n} 次有评分"),
    ("{n} of {planned} trials have a score", "{planned} 次试验中 {n} 次有评分"),
    # How an interval or a test was made
    ("Wilson on the effective sample size, widened by Student's t, {level}", "基于有效样本量的 Wilson 区间，按学生 t 放宽，{level}"),
    ("Wilson on the effective sample size, {level}", "基于有效样本量的 Wilson 区间，{level}"),
    (
        "t on case differences, widened to Tango's score interval (few differences), {level}",
        "题目差值的 t 区间，因差异少而放宽到 Tango 得分区间，{level}",
    ),
    ("t on case differences, {level}", "题目差值的 t 区间，{level}"),
    ("sign flips, exact, two-sided", "符号翻转检验，精确，双侧"),
    ("sign flips, {n} draws, two-sided", "符号翻转检验，{n} 次抽样，双侧"),
    # Counts
    ("1 case", " 1 题"),
    ("{n} cases", "{n} 题"),
)
ECHOES = (
    *CORRECTED_ECHOES,
    *CREDIT_ECHOES,
    *CREDIT_SIZES,
    *DIAGNOSE,
    *EXAM_ECHOES,
    *LIFT,
    *PLAN_ECHOES,
    *TREND,
    *UNTIL,
    *USE_ECHOES,
    *LIVING_ECHOES,
    *OWN,
    *GATES,
    *COMPARED,
    *PLAN_SIZES,
    *HEALTH,
    *REVIEW_ECHOES,
    *MUTANT_ECHOES,
    *JUDGE_ECHOES,
    *JUDGING_ECHOES,
    *PAIR_ECHOES,
)
"""Of those that fit, one that begins with words of its own is taken before one that begins with a place, then the one with the
most words, then the first: so no file need know another's."""
_HAN, _LATIN = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[A-Za-z0-9+−$-]")
FIGURES, FIGURE = ("m", "of"), r"(?=[−+-]?\$?\d)"
_PLACE = re.compile(r"\\\{(\w+)\\\}")


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    longest = sorted(ECHOES, key=lambda pair: (pair[0].startswith("{"), -len(re.sub(r"\{\w+\}", "", pair[0]))))
    return [(re.compile(_PLACE.sub(_place, re.escape(english)), re.DOTALL), chinese) for english, chinese in longest]


def _place(found: re.Match[str]) -> str:
    """What a place may take: a figure begins like one, so that "{n} of {of}" fits no sentence."""
    return rf"(?P<{found[1]}>{FIGURE if found[1] in FIGURES else ''}.+?)"


def echo(text: str) -> str:
    """The sentence in Chinese as far as it is known."""
    if text in MENDS:
        return MENDS[text]
    if "; " in text:
        return "；".join(echo(clause) for clause in text.split("; "))
    for pattern, chinese in _patterns():
        found = pattern.fullmatch(text)
        if found and not _took_the_stop(text, found):
            return _filled(chinese, {name: echo(value) for name, value in found.groupdict().items()})
    shorter = echo(text[:-1]) if text.endswith(".") else text
    return text if shorter in (text, text[:-1]) else f"{shorter}。"


def _filled(template: str, values: dict[str, str]) -> str:
    """The template with its places filled, and a space where Chinese meets a Latin letter or a figure."""
    told = ""
    for text, name, _, _ in Formatter().parse(template):
        for part in (text, values[name] if name else ""):
            apart = told and part and (_meet(told[-1], part[0]) or _meet(part[0], told[-1]))
            told += f" {part}" if apart else part
    return told


def _meet(one: str, two: str) -> bool:
    return _HAN.match(one) is not None and _LATIN.match(two) is not None


def _took_the_stop(text: str, found: re.Match[str]) -> bool:
    """Whether the full stop of the sentence went into a place at its end."""
    return text.endswith(".") and any(found.end(name) == len(text) for name in found.groupdict())
