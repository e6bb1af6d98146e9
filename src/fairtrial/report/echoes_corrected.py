"""What is said of figures that rest on a judge, in Chinese: templates for `echoes.py`, which joins them.

Kept out: the fixed phrases of the page (`phrases_corrected.py`).
"""

from __future__ import annotations

CORRECTED_ECHOES: tuple[tuple[str, str], ...] = (
    # A standing
    ("{judge} was never examined", "{judge} 从未考试"),
    ("{judge} was never examined as it is: its exam of {day} was of another", "现在这个 {judge} 从未考试：{day} 考的是另一个"),
    ("{judge} changed since its exam of {day}: {what}", "{judge} 在 {day} 考试之后变了：{what}"),
    ("{judge} has not passed its exam of {day}: {missed}", "{judge} 在 {day} 的考试未通过：{missed}"),
    ("{judge} has not passed its exam of {day} (exam {n} of this judge): {missed}", "{judge} 在 {day} 的考试（第 {n} 次）未通过：{missed}"),
    (
        "on {n} independent cases an exam is passed by luck as well: take {few} or more, or ask for kappa_low in the bar",
        "只有 {n} 道独立题目的考试靠运气也能通过：用 {few} 道以上，或在门槛里要求 kappa_low",
    ),
    (
        "on {n} independent case an exam is passed by luck as well: take {few} or more, or ask for kappa_low in the bar",
        "只有 {n} 道独立题目的考试靠运气也能通过：用 {few} 道以上，或在门槛里要求 kappa_low",
    ),
    ("{judge} passed its exam of {day}: {met}", "{judge} 在 {day} 的考试已通过：{met}"),
    ("{judge} passed its exam of {day} (exam {n} of this judge): {met}", "{judge} 在 {day} 的考试（第 {n} 次）已通过：{met}"),
    ("{judge} was examined on {day}, and no bar is stated", "{judge} 于 {day} 考过，没有写明标准"),
    ("{judge} was examined on {day} (exam {n} of this judge), and no bar is stated", "{judge} 于 {day} 考过（第 {n} 次），没有写明标准"),
    ("{judge} decides nothing: {why}", "{judge} 的结论不作数：{why}"),
    ("it decides nothing here yet: {command} lets it, without a call", "它在这里还不作数：{command} 之后才作数，不用再调用"),
    ("its verdicts counted when they were given and are UNKNOWN today: {command}", "它的判定在给出时作数，如今视为 UNKNOWN：{command}"),
    ("its verdicts decide nothing: {command}", "它的判定不作数：{command}"),
    # Why nothing is corrected
    ("nobody has labelled enough of these trials, and no exam of the judge fits", "人工标注不够，也没有适用的裁判考试"),
    ("{judges} decide together, and an exam is of one judge", "{judges} 一起决定，而考试只考一个裁判"),
    (
        "what counts is not the very verdict of {judge} (turned round, in a group, or at another bar), which no exam measured",
        "起作用的不是 {judge} 本身的判定（被取反、在一组检查里，或用了别的标准），没有考试量过它",
    ),
    ("{judge} changed between these trials", "{judge} 在这些试验之间变了"),
    ("the exam of {judge} of {day} tells no errors with an interval", "{judge} 在 {day} 的考试没有给出带区间的错误率"),
    (
        "its exam does not show that {judge} passes what is right more often than what is wrong, so its verdicts tell nothing",
        "考试没有显示 {judge} 放行对的比放行错的更多，它的判定什么也说明不了",
    ),
    ("1 independent case with a label of people, it takes {n} at the least", "只有 1 道独立题目有人工标注，至少需要 {n} 道"),
    ("{cases} independent cases with a label of people, it takes {n} at the least", "只有 {cases} 道独立题目有人工标注，至少需要 {n} 道"),
    ("{labels} on trials that were not drawn at random say nothing of the others", "不是随机抽出的试验上有{labels}标注，说明不了其他试验"),
    # On a difference and at a gate
    ("trials that rest on a judge ({judges}): {parts}", "取决于裁判（{judges}）的试验：{parts}"),
    ("{n} of {of} of base, {m} of {more} of new", "基准 {of} 次中 {n} 次，新方 {more} 次中 {m} 次"),
    ("{n} of {of} of base", "基准 {of} 次中 {n} 次"),
    ("{n} of {of} of new", "新方 {of} 次中 {n} 次"),
    ("{n} of {of}", "{of} 次中 {n} 次"),
    ("not corrected for its errors: {why}", "未按它的错误校正：{why}"),
    (
        "corrected by its exam of {day}, as if it erred alike on both sides, the difference is {value} points, 95 % interval {low} to "
        "{high}",
        "按它 {day} 的考试、并当作它对双方犯错一样来校正，差值为 {value} 个百分点，95% 区间 {low} 至 {high}",
    ),
    (
        "corrected by {labels} of people the difference is {value} points, 95 % interval {low} to {high}",
        "按{labels}人工标注校正后，差值为 {value} 个百分点，95% 区间 {low} 至 {high}",
    ),
    ("corrected by the exam of {day}: {value} points ({low} to {high})", "按 {day} 的考试校正：{value} 个百分点（{low} 至 {high}）"),
    ("corrected by {labels} of people: {value} points ({low} to {high})", "按{labels}人工标注校正：{value} 个百分点（{low} 至 {high}）"),
    ("corrected by the exam of {day}: {value} ({low} to {high})", "按 {day} 的考试校正：{value}（{low} 至 {high}）"),
    ("corrected by {labels} of people: {value} ({low} to {high})", "按{labels}人工标注校正：{value}（{low} 至 {high}）"),
    ("1 label", "1 个"),
    ("{n} labels", "{n} 个"),
    ("what the judge's verdicts show is not shown once its errors are reckoned with", "裁判的判定所显示的，算上它的错误之后就不成立了"),
    (
        "label more of these trials (fairtrial review), or have the judge sit a larger exam",
        "多标注一些这样的试验（fairtrial review），或让裁判参加更大的考试",
    ),
    (
        "by code alone the difference is {value} points, 95 % interval {low} to {high}",
        "只看代码的判定，差值为 {value} 个百分点，95% 区间 {low} 至 {high}",
    ),
    (
        "a judge may err more on one side than on the other, so without labels of people on both its verdicts alone tell no difference",
        "裁判可能对一方比对另一方错得更多，所以双方都没有足够人工标注时，只凭它的判定说明不了差别",
    ),
    (
        "have people label trials of both sides that were drawn at random (fairtrial review), of 40 cases each or more",
        "请人标注双方随机抽出的试验（fairtrial review），每方至少 40 道题",
    ),
    (
        "a judge may err more on one side than on the other, so without labels of people on both its verdicts alone tell no difference: "
        "have people label trials of both sides that were drawn at random (fairtrial review), of 40 cases each or more",
        "裁判可能对一方比对另一方错得更多，所以双方都没有足够人工标注时，只凭它的判定说明不了差别："
        "请人标注双方随机抽出的试验（fairtrial review），"
        "每方至少 40 道题",
    ),
)
