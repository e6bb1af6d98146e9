"""What the reading of use says in sentences, in Chinese. Joined in `echoes.py`."""

from __future__ import annotations

USE_ECHOES: tuple[tuple[str, str], ...] = (
    ("--held-out opens them, and the look is written down", "--held-out 会打开它们，并记下这次查看"),
    ("too few altered runs to say of one case: none of {n} moved", "改动运行太少，无法说明这一题：{n} 次都没有改变"),
    ("its altered runs decided nothing that no control did", "改动后的运行没有作出对照中没有的决定"),
    ("among so many cases this may be chance", "题目这么多，这可能是偶然"),
    ("the controls differ as well", "对照之间也有差异"),
    ("the shift may be chance", "移动可能是偶然"),
    ("one run of each kind tells nothing of the noise", "两种运行各一次，看不出噪声"),
    ("{to} uses {fact}: {said}", "{to} 用了 {fact}：{said}"),
    ("{to} does not seem to use {fact}: {said}", "看不出 {to} 用了 {fact}：{said}"),
    ("whether {to} uses {fact} cannot be told: {why}", "无法判断 {to} 是否用了 {fact}：{why}"),
    ("{fact} changed on its way to {to}: {said}", "{fact} 在送到 {to} 途中被改动：{said}"),
    ("{fact} hidden on its way to {to}: {said}", "{fact} 在送到 {to} 途中被隐去：{said}"),
    ("{fact} contradicted on its way to {to}: {said}", "{fact} 在送到 {to} 途中被反驳：{said}"),
    ("changed on its way, {said}", "途中被改动后，{said}"),
    ("hidden on its way, {said}", "途中被隐去后，{said}"),
    ("contradicted on its way, {said}", "途中被反驳后，{said}"),
    ("no use shown, {said}", "未见使用，{said}"),
    ("cannot tell, {said}", "无法判断，{said}"),
    ("cannot tell, for {why}", "无法判断，因为{why}"),
    (
        "the decision moved by {value} points beyond its own noise of {noise} (95 % interval {low} to {high}, {p}, {cases})",
        "决定移动了 {value} 个百分点，已扣除自身噪声 {noise}（95% 区间 {low} 至 {high}，{p}，{cases}）",
    ),
    ("a use in {share} of decisions or more would mostly have been seen", "若 {share} 以上的决定用到它，多半会被看出"),
    ("in {cases}: {fact} is declared, but no decision moved with it", "在 {cases} 中，{fact} 被声明使用，但决定并未随之改变"),
    ("in {cases}: {fact} is used without being declared", "在 {cases} 中，{fact} 被使用却没有声明"),
    (
        "{fact} never reached {to} in {n} recorded cases, so there is nothing to alter",
        "在记录的 {n} 题中 {fact} 从未到达 {to}，所以没有可改动的东西",
    ),
    (
        "{fact} never reached {to} in 1 recorded case, so there is nothing to alter",
        "在记录的 1 题中 {fact} 从未到达 {to}，所以没有可改动的东西",
    ),
    (
        "{a} of {b} altered runs and {c} of {d} controls came to no decision",
        "{b} 次改动运行中有 {a} 次、{d} 次对照中有 {c} 次没有得出决定",
    ),
    ("no parcel that {to} received names {fact}", "{to} 收到的包裹都没有写明 {fact}"),
    ("it got it from {tool} by itself", "它自己从 {tool} 得到了它"),
    ("{to} also gets {fact} from the tool {tool}, which was not altered", "{to} 还从工具 {tool} 得到 {fact}，那里没有改动"),
    (
        "there is no other value to put in: no case states one of the same kind",
        "没有别的值可以放进去：没有题目写明同类的值",
    ),
    ("give --value", "请用 --value 给出"),
    ("no case has two runs of each kind", "没有题目两种运行各有两次"),
    ("{to} has it in its own brief or state, where nothing can contradict it", "{to} 的说明或状态里就有它，无法在那里反驳"),
    ("change or hide it", "请改用 change 或 hide"),
    (
        "the function that plays all roles has the whole brief, in which {fact} was not altered",
        "扮演所有角色的函数拿到整份说明，其中的 {fact} 没有改动",
    ),
    ("no trial of it is stored", "没有存下它的试验"),
    ("the recorded trial ended as {ending}", "记录的试验以 {ending} 结束"),
    ("the recorded trace is not whole", "记录的轨迹不完整"),
    (
        "{who} spoke with the user, and a conversation cannot be replayed from its middle",
        "{who} 与用户说过话，对话无法从中间重放",
    ),
    (
        "{who} called {tool}, which acts outside the case's world and must not be called again",
        "{who} 调用了 {tool}，它作用于题目之外，不能再次调用",
    ),
    (
        "a planned fault met {who}'s call of {tool}, whose effect on the world cannot be repeated",
        "{who} 调用 {tool} 时遇到计划的故障，它对世界的影响无法重复",
    ),
    ("what {who} did in {name} was not stored as it was ({how})", "{who} 在 {name} 中所做的没有原样存下（{how}）"),
)
